//! The plugin of the panel: sampling and measuring.

use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::inspect::panel::figures::Figures;
use crate::game::inspect::panel::file_usage::FileUsageCount;
use crate::game::inspect::panel::last_minute::LastMinute;
use crate::game::inspect::panel::light_stores::MeasuredLight;
use crate::game::inspect::panel::measured::MeasuredSizes;
use crate::game::inspect::panel::mesh_counts::CountedMesh;
use crate::game::inspect::panel::rates::Rates;
use crate::game::inspect::panel::run_counts::RunCounts;
use crate::game::inspect::panel::surface_counts::CountedSurface;
use crate::game::inspect::panel::visibility_counts::VisibilityCounts;
use crate::game::inspect::panel::{
    file_usage, light_stores, measured, mesh_counts, run_counts, surface_counts, visibility_counts,
    window,
};
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::keys::{KeyAction, KeyInput, LongPress};
use crate::game::state::panel_page::{PanelFigures, PanelState};
use crate::game::state::screens::Screen;
use crate::game::state::session::{Edits, OpenMap, SaveQueue, WorkCounters};
use crate::game::ui_kit::layout::AreasKnown;
use crate::views::PanelPage;
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

/// Adds the panel.
pub struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PanelState>()
            .init_resource::<PanelFigures>()
            .init_resource::<LastMinute>()
            .init_resource::<MeasuredSizes>()
            .init_resource::<Rates>()
            .init_resource::<FileUsageCount>()
            .init_resource::<VisibilityCounts>()
            .init_resource::<CountedMesh>()
            .init_resource::<CountedSurface>()
            .init_resource::<RunCounts>()
            .init_resource::<MeasuredLight>()
            .add_systems(
                Update,
                (
                    cycle.run_if(in_state(Screen::Playing)),
                    file_usage::count,
                    mesh_counts::count
                        .run_if(|panel: Res<PanelState>| panel.shows(PanelPage::Mesh)),
                    surface_counts::count
                        .run_if(|panel: Res<PanelState>| panel.shows(PanelPage::Surface)),
                    light_stores::measure
                        .run_if(|panel: Res<PanelState>| panel.shows(PanelPage::Light)),
                    (
                        start_over,
                        run_counts::count
                            .run_if(|panel: Res<PanelState>| panel.shows(PanelPage::Mesh)),
                        measured::measure.run_if(|panel: Res<PanelState>| panel.shows_measured()),
                        report_progress,
                        sample,
                    )
                        .chain(),
                )
                    .in_set(FrameSet::Observe),
            )
            .add_systems(
                Last,
                visibility_counts::count
                    .run_if(resource_exists::<OpenMap>)
                    .run_if(|panel: Res<PanelState>| panel.shows(PanelPage::Visibility)),
            )
            .add_systems(
                EguiPrimaryContextPass,
                window::show.after(AreasKnown).run_if(in_state(Screen::Playing)),
            );
    }
}

/// Switches pages; a long press closes the panel.
fn cycle(
    keys: Res<KeyInput>,
    time: Res<Time<Real>>,
    mut long: Local<LongPress>,
    mut panel: ResMut<PanelState>,
) {
    if keys.just_pressed(KeyAction::Panel) {
        panel.cycle();
    }
    if keys.just_pressed(KeyAction::PanelBack) {
        panel.cycle_back();
    }
    if long.is_complete(keys.is_held(KeyAction::Panel), time.delta_secs()) {
        panel.set_if_neq(PanelState::default());
    }
}

/// Clears the figures of the previous map.
fn start_over(
    map: Res<OpenMap>,
    mut history: ResMut<LastMinute>,
    mut rates: ResMut<Rates>,
    mut measured: ResMut<MeasuredSizes>,
    mut mesh: ResMut<CountedMesh>,
    mut surface: ResMut<CountedSurface>,
    mut runs: ResMut<RunCounts>,
    mut light: ResMut<MeasuredLight>,
) {
    if map.is_added() {
        *mesh = CountedMesh::default();
        *surface = CountedSurface::default();
        *runs = RunCounts::default();
        *light = MeasuredLight::default();
        *history = LastMinute::default();
        *rates = Rates::default();
        *measured = MeasuredSizes::default();
    }
}

/// Reports whether the figures of the shown page are complete.
fn report_progress(
    edits: Res<Edits>,
    panel: Res<PanelState>,
    measured: Res<MeasuredSizes>,
    runs: Res<RunCounts>,
    meshes: Res<ChunkMeshes>,
    mut figures: ResMut<PanelFigures>,
) {
    figures.complete = match panel.page {
        PanelPage::Mesh if panel.open => runs.is_complete(&meshes),
        _ => !panel.shows_measured() || measured.is_complete(&edits),
    };
}

/// Samples the rates and the last minute, also while the panel is closed.
fn sample(
    time: Res<Time<Real>>,
    edits: Res<Edits>,
    saves: Res<SaveQueue>,
    work: Res<WorkCounters>,
    meshes: Res<ChunkMeshes>,
    measured: Res<MeasuredSizes>,
    panel: Res<PanelState>,
    mut history: ResMut<LastMinute>,
    mut rates: ResMut<Rates>,
) {
    rates.sample(time.elapsed_secs_f64(), &work);
    if history.due(time.delta_secs()) {
        history
            .sample(&Figures::of_world(&edits, &saves, &meshes, &measured), panel.shows_measured());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn long_press_closes_the_panel_and_shift_goes_back() {
        let mut app = App::new();
        app.init_resource::<KeyInput>()
            .init_resource::<Time<Real>>()
            .init_resource::<PanelState>()
            .add_systems(Update, cycle);
        let mut frame = |press: Option<KeyAction>, release: Option<KeyAction>, ms: u64| {
            let mut keys = app.world_mut().resource_mut::<KeyInput>();
            keys.next_frame();
            if let Some(action) = press {
                keys.press_action(action);
            }
            if let Some(action) = release {
                keys.release_action(action);
            }
            app.world_mut()
                .resource_mut::<Time<Real>>()
                .update_with_duration(Duration::from_millis(ms));
            app.update();
            let panel = app.world().resource::<PanelState>();
            panel.open.then_some(panel.page)
        };
        frame(None, None, 0);
        assert_eq!(
            frame(Some(KeyAction::Panel), Some(KeyAction::Panel), 100),
            Some(PanelPage::World)
        );
        assert_eq!(frame(Some(KeyAction::Panel), None, 100), Some(PanelPage::Storage));
        for _ in 0..3 {
            assert_eq!(frame(None, None, 150), Some(PanelPage::Storage));
        }
        assert_eq!(frame(None, None, 160), None, "held for 0.6 seconds");
        assert_eq!(frame(None, Some(KeyAction::Panel), 1000), None);
        assert_eq!(
            frame(Some(KeyAction::PanelBack), Some(KeyAction::PanelBack), 9),
            PanelPage::ALL.last().copied()
        );
    }
}
