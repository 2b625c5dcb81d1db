//! Input that all tools share: the block that is pointed at, Escape, and the drawn selection and
//! symmetry.

use crate::game::building::builder::aim::Aim;
use crate::game::building::builder::clipboard::BuilderClipboard;
use crate::game::building::builder::options::BuilderOptions;
use crate::game::building::builder::palette::Palette;
use crate::game::building::builder::ruler::Ruler;
use crate::game::building::builder::selection::SelectedBox;
use crate::game::building::builder::sketch::{SELECTED, SYMMETRY, Sketch};
use crate::game::building::builder::tools::brush::BrushTool;
use crate::game::building::builder::tools::line::LineTool;
use crate::game::building::builder::tools::paste::PasteTool;
use crate::game::building::builder::tools::select::SelectTool;
use crate::game::building::builder::tools::shape::ShapeTool;
use crate::game::building::builder::tools::shift::MoveTool;
use crate::game::editing::edit_jobs::EditPreview;
use crate::game::player::hands::take_in_hand;
use crate::game::state::builder_mode::{BuilderMode, Tool};
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::player::Player;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::OpenMap;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use glam::DVec3;

/// Takes the block that is pointed at in hand, with the middle button. The drone turns with it.
pub fn pick_block(
    buttons: Res<ButtonInput<MouseButton>>,
    aim: Res<Aim>,
    mode: Res<BuilderMode>,
    map: Res<OpenMap>,
    mut player: ResMut<Player>,
) {
    if !buttons.just_pressed(MouseButton::Middle)
        || mode.interface_has_pointer
        || player.drone.is_some()
    {
        return;
    }
    if let Some(hit) = aim.hit {
        take_in_hand(&mut player, &map.materials, hit);
    }
}

/// State of all tools.
#[derive(SystemParam)]
pub struct ToolStates<'w> {
    select: ResMut<'w, SelectTool>,
    brush: ResMut<'w, BrushTool>,
    shape: ResMut<'w, ShapeTool>,
    line: ResMut<'w, LineTool>,
    shift: ResMut<'w, MoveTool>,
    paste: ResMut<'w, PasteTool>,
}

impl ToolStates<'_> {
    /// Cancels the action of a tool. Returns false if it is idle.
    fn cancel(&mut self, tool: Tool) -> bool {
        match tool {
            Tool::Select => self.select.cancel(),
            Tool::Brush => self.brush.cancel(),
            Tool::Shape => self.shape.cancel(),
            Tool::Line => self.line.cancel(),
            Tool::Move => self.shift.cancel(),
            Tool::Paste => self.paste.release(),
        }
    }
}

/// Cancels the action of the tool and discards the preview on Escape, which then does not open the
/// menu.
pub fn escape(
    mut keys: ResMut<KeyInput>,
    screen: Res<State<Screen>>,
    menu: Res<Menu>,
    mode: Res<BuilderMode>,
    mut tools: ToolStates,
    mut preview: ResMut<EditPreview>,
) {
    let is_building = mode.is_on && *menu == Menu::None && *screen.get() == Screen::Playing;
    if !is_building || !keys.just_pressed(KeyAction::Menu) {
        return;
    }
    let had_preview = preview.is_active();
    if had_preview {
        preview.discard();
    }
    if tools.cancel(mode.tool) || had_preview {
        keys.consume(KeyAction::Menu);
    }
}

/// Cancels the action of a tool, with its preview, when another tool is taken or the mode ends.
pub fn leave_tool(
    mode: Res<BuilderMode>,
    mut tools: ToolStates,
    mut preview: ResMut<EditPreview>,
    mut before: Local<(bool, Tool)>,
) {
    let (was_on, tool) = std::mem::replace(&mut *before, (mode.is_on, mode.tool));
    if was_on && (!mode.is_on || tool != mode.tool) && tools.cancel(tool) {
        preview.discard();
    }
}

/// Forgets the state that belongs to the closed map.
pub fn forget_map(
    mut mode: ResMut<BuilderMode>,
    mut tools: ToolStates,
    mut options: ResMut<BuilderOptions>,
    mut palette: ResMut<Palette>,
    mut ruler: ResMut<Ruler>,
    clipboard: Res<BuilderClipboard>,
) {
    palette.forget();
    tools.paste.height = 0;
    *ruler = Ruler::default();
    clipboard.forget_map();
    *mode = BuilderMode::default();
    for &tool in Tool::ALL {
        tools.cancel(tool);
    }
    options.symmetry = Default::default();
}

/// Makes the block that is pointed at the player's target, at any distance, so that it is outlined
/// and named. There is no target while the pointer is over the panel.
pub fn point(aim: Res<Aim>, mode: Res<BuilderMode>, mut player: ResMut<Player>) {
    player.target = aim.hit.filter(|_| !mode.interface_has_pointer);
}

/// Draws the selection, and the symmetry.
pub fn draw_surroundings(
    aim: Res<Aim>,
    options: Res<BuilderOptions>,
    selection: SelectedBox,
    mut sketch: ResMut<Sketch>,
) {
    sketch.begin(aim.ray);
    if let Some(area) = selection.area() {
        sketch.area(area, SELECTED);
    }
    let symmetry = &options.symmetry;
    if !symmetry.is_active() {
        return;
    }
    let centre = symmetry.centre();
    let reach =
        selection.area().map_or(16.0, |area| f64::from(area.size().max_element()) * 0.75 + 4.0);
    if symmetry.folds > 1 {
        sketch.line(centre - DVec3::Y * reach, centre + DVec3::Y * reach, SYMMETRY);
        sketch.ring(centre, reach, 1, SYMMETRY, 1.0);
    }
    for axis in (0..3).filter(|&axis| symmetry.mirrors[axis]) {
        let half = (DVec3::ONE - DVec3::AXES[axis]) * reach;
        sketch.outline(centre - half, centre + half, SYMMETRY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::state::app::StatesPlugin;

    #[test]
    fn escape_lets_go_of_a_pinned_clipboard_before_it_opens_the_menu() {
        let mut app = App::new();
        app.add_plugins(StatesPlugin)
            .insert_state(Screen::Playing)
            .init_resource::<KeyInput>()
            .init_resource::<Menu>()
            .insert_resource(BuilderMode {
                is_on: true,
                tool: Tool::Paste,
                ..BuilderMode::default()
            })
            .init_resource::<SelectTool>()
            .init_resource::<BrushTool>()
            .init_resource::<ShapeTool>()
            .init_resource::<LineTool>()
            .init_resource::<MoveTool>()
            .init_resource::<PasteTool>()
            .init_resource::<EditPreview>()
            .add_systems(Update, escape);
        app.world_mut().resource_mut::<PasteTool>().fixed = Some(IVec3::new(3, 4, 5));
        let press = |app: &mut App| {
            app.world_mut().resource_mut::<KeyInput>().next_frame();
            app.world_mut().resource_mut::<KeyInput>().press_action(KeyAction::Menu);
            app.update();
            let opens_menu = app.world().resource::<KeyInput>().just_pressed(KeyAction::Menu);
            (app.world().resource::<PasteTool>().fixed, opens_menu)
        };
        assert_eq!(press(&mut app), (None, false));
        assert_eq!(press(&mut app), (None, true));
    }
}
