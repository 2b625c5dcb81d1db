//! The list of the game's plugins and the order of a frame. Only this file knows all parts of the
//! game.

use crate::game::app::signals;
use crate::game::app::signals::EndSignal;
use crate::game::app::{loading_pause, map_requests, serial_schedules, title_flight, window};
use crate::game::building::{builder, console, drone};
use crate::game::drawing::{
    ambience, camera, chunk_drawing, culling, lighting, map_materials, meshing, outline, render,
};
use crate::game::editing::{edit_jobs, history_steps};
use crate::game::inspect::{self, overlay, panel};
use crate::game::life::{creatures, rules};
use crate::game::map::{saving, streaming};
use crate::game::pictures::map_picture;
use crate::game::pictures::map_picture::MapPicture;
use crate::game::player::crosshair;
use crate::game::player::crosshair::Crosshair;
use crate::game::state::day;
use crate::game::state::frame::chunk_messages;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::frame_timings;
use crate::game::state::frame::frame_timings::FrameTimings;
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::keys::events as key_events;
use crate::game::state::notices::Notices;
use crate::game::state::screens::{Menu, Screen, in_play};
use crate::game::state::session::{OpenMap, WorkCounters, surfaces};
use crate::game::state::settings::Settings;
use crate::game::{player, screens};
use bevy::prelude::*;
use bevy_egui::EguiPlugin;

/// Plugin of the whole game except the window.
pub struct GamePlugin;

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        let (settings, problem) = Settings::load();
        let mut notices = Notices::default();
        if let Some(error) = problem {
            notices.warn(error.to_string());
        }
        app.add_plugins((EguiPlugin::default(), render::RenderPlugin))
            .init_state::<Screen>()
            .init_resource::<Menu>()
            .init_resource::<FrameTimings>()
            .init_resource::<RenderOrigin>()
            .init_resource::<Crosshair>()
            .init_resource::<MapPicture>()
            .init_resource::<EndSignal>()
            .init_resource::<WorkCounters>()
            .insert_resource(settings)
            .insert_resource(notices)
            .add_plugins((
                window::WindowPlugin,
                chunk_drawing::ChunkDrawingPlugin,
                saving::SavingPlugin,
                map_requests::MapRequestsPlugin,
                title_flight::TitleFlightPlugin,
                player::PlayerPlugin,
                (
                    drone::DronePlugin,
                    edit_jobs::EditJobsPlugin,
                    history_steps::HistoryStepsPlugin,
                    rules::RulesPlugin,
                    creatures::CreaturesPlugin,
                    console::ConsolePlugin,
                    builder::BuilderPlugin,
                ),
                culling::CullingPlugin,
                inspect::CullingKeysPlugin,
                outline::OutlinePlugin,
                overlay::OverlayPlugin,
                panel::PanelPlugin,
                screens::ScreensPlugin,
                serial_schedules::SerialSchedulesPlugin,
            ));
        chunk_messages::add(app);
        key_events::add(app);
        order_frame(app);
        app.add_systems(Startup, camera::spawn)
            .add_systems(
                OnEnter(Screen::Title),
                (camera::face_the_sky, ambience::reset, map_picture::cancel),
            )
            .add_systems(First, signals::exit_on_signal)
            .add_systems(
                Update,
                (
                    (day::control, day::pass)
                        .chain()
                        .run_if(in_play.and_then(has_player))
                        .in_set(FrameSet::Control),
                    (
                        surfaces::apply,
                        chunk_drawing::renew_words,
                        map_materials::grow,
                        streaming::stream,
                    )
                        .chain()
                        .in_set(FrameSet::Stream),
                    (meshing::rebase, lighting::light, meshing::mesh)
                        .chain()
                        .in_set(FrameSet::Mesh),
                    (crosshair::update, ambience::update).in_set(FrameSet::Camera),
                    (map_picture::take, saving::autosave)
                        .chain()
                        .run_if(has_player.and_then(in_state(Screen::Playing)))
                        .in_set(FrameSet::Save),
                ),
            )
            .add_systems(Last, (frame_timings::end_frame, loading_pause::pause).chain());
    }
}

/// Puts the sets of a frame into their order. All but the last run only while a map is open.
fn order_frame(app: &mut App) {
    for pair in FrameSet::ALL.windows(2) {
        app.configure_sets(Update, pair[0].before(pair[1]).run_if(resource_exists::<OpenMap>));
    }
}
