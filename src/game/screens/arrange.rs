//! Divides the screen among the parts of the interface that are shown in a frame.

use crate::game::editing::edit_jobs::{EditJobs, EditPreview};
use crate::game::screens::hud::edit_status;
use crate::game::screens::hud::key_card::KeyCard;
use crate::game::state::builder_mode::BuilderMode;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::panel_page::PanelState;
use crate::game::state::screens::{Menu, Screen};
use crate::game::ui_kit::layout::{self, Areas, ShownParts};
use bevy::prelude::{Res, ResMut, State};
use bevy_egui::EguiContexts;

/// Computes the areas; the first system of the interface in a frame.
pub fn update(
    mut contexts: EguiContexts,
    screen: Res<State<Screen>>,
    menu: Res<Menu>,
    panel: Res<PanelState>,
    overlay: OverlayToDraw,
    cutaway: Res<Cutaway>,
    keys: Res<KeyCard>,
    builder: Res<BuilderMode>,
    jobs: Res<EditJobs>,
    preview: Res<EditPreview>,
    mut areas: ResMut<Areas>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let playing = *screen.get() == Screen::Playing;
    let parts = ShownParts {
        panel: panel.open && playing,
        legend: overlay.kind().is_some() || playing && cutaway.choice.is_some(),
        keys: keys.is_shown(),
        tools: builder.is_on && playing,
        edits: playing && edit_status::is_shown(&jobs, &preview),
        console: playing && *menu == Menu::Console,
        menu: menu.covers_world() || !playing,
    };
    *areas = Areas::new(ctx.viewport_rect(), parts);
    layout::publish(ctx, &areas);
}
