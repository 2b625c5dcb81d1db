//! The plugin of the builder mode.

use crate::game::building::builder::clipboard::BuilderClipboard;
use crate::game::building::builder::options::BuilderOptions;
use crate::game::building::builder::tools::{brush, line, paste, select, shape, shift};
use crate::game::building::builder::{
    aim, clipboard, input, palette, panel, presets, ruler, sketch, tool_wheel,
};
use crate::game::state::builder_mode as mode;
use crate::game::state::builder_mode::{BuilderMode, Tool, is_building};
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::screens::{Screen, in_play, in_view};
use crate::game::state::session::is_read_only;
use crate::game::ui_kit::layout::AreasKnown;
use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

/// Adds the builder mode.
pub struct BuilderPlugin;

impl Plugin for BuilderPlugin {
    fn build(&self, app: &mut App) {
        let is_playing = || in_play.and_then(has_player);
        app.init_resource::<BuilderMode>()
            .init_resource::<BuilderOptions>()
            .init_resource::<aim::Aim>()
            .init_resource::<sketch::Sketch>()
            .init_resource::<select::SelectTool>()
            .init_resource::<brush::BrushTool>()
            .init_resource::<shape::ShapeTool>()
            .init_resource::<line::LineTool>()
            .init_resource::<shift::MoveTool>()
            .init_resource::<paste::PasteTool>()
            .init_resource::<paste::ClipboardPicture>()
            .init_resource::<ruler::Ruler>()
            .init_resource::<BuilderClipboard>()
            .init_resource::<palette::Palette>()
            .init_resource::<tool_wheel::ToolWheel>()
            .insert_resource(presets::Presets::load())
            .add_systems(OnExit(Screen::Playing), input::forget_map)
            .add_systems(
                Update,
                (
                    (clipboard::take_in_cuts, clipboard::share_with_console).chain(),
                    mode::switch,
                    tool_wheel::choose,
                    input::leave_tool,
                    (aim::update, input::point, input::pick_block).chain().run_if(is_building),
                    input::draw_surroundings.run_if(is_building),
                    paste::use_clipboard_keys
                        .run_if(is_building.and_then(not(is_read_only)))
                        .after(ToolSystems),
                )
                    .chain()
                    .run_if(is_playing())
                    .in_set(FrameSet::Control),
            )
            .add_systems(
                PostUpdate,
                (
                    sketch::clear.run_if(not(is_building.and_then(in_view.and_then(has_player)))),
                    sketch::draw,
                    paste::show_ghost,
                )
                    .chain()
                    .before(TransformSystems::Propagate),
            )
            .add_systems(
                EguiPrimaryContextPass,
                (panel::show, tool_wheel::show)
                    .chain()
                    .run_if(is_building.and_then(is_playing()))
                    .after(AreasKnown),
            );
        for &tool in Tool::ALL {
            app.add_systems(
                Update,
                tool_systems(tool)
                    .run_if(is_playing().and_then(is_building).and_then(holds(tool)))
                    .in_set(ToolSystems)
                    .after(input::draw_surroundings)
                    .in_set(FrameSet::Control),
            );
        }
    }
}

/// Systems of the tool in hand. The clipboard's keys come after them, so that a copy has the box
/// that was selected in the same frame.
#[derive(SystemSet, Clone, PartialEq, Eq, Hash, Debug)]
struct ToolSystems;

/// The systems that act while a tool is in hand.
fn tool_systems(tool: Tool) -> ScheduleConfigs<ScheduleSystem> {
    match tool {
        // A box can also be selected for export from a map that is read-only.
        Tool::Select => {
            (select::act, panel::use_keys.run_if(not(is_read_only))).chain().into_configs()
        }
        Tool::Brush => brush::act.run_if(not(is_read_only)),
        Tool::Shape => shape::act.run_if(not(is_read_only)),
        Tool::Line => line::act.run_if(not(is_read_only)),
        Tool::Move => shift::act.run_if(not(is_read_only)),
        Tool::Paste => paste::act.run_if(not(is_read_only)),
    }
}

/// Run condition: this tool is in hand.
fn holds(tool: Tool) -> impl Fn(Res<BuilderMode>) -> bool + Clone {
    move |mode| mode.tool == tool
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_system_has_conflicting_parameters() {
        let mut app = App::new();
        app.add_plugins(BuilderPlugin);
        let world = app.world_mut();
        let mut check = |label: bevy::ecs::schedule::InternedScheduleLabel| {
            // Initialising a system checks its parameters.
            world.schedule_scope(label, |world, schedule| {
                drop(schedule.initialize(world).expect("systems in order"))
            });
        };
        use bevy::ecs::schedule::ScheduleLabel;
        check(Update.intern());
        check(PostUpdate.intern());
        check(EguiPrimaryContextPass.intern());
    }
}
