//! Divides the screen among the parts of the interface that are shown in a frame.

use crate::game::common::overlay_kind::OverlayToDraw;
use crate::game::common::panel_page::PanelState;
use crate::game::common::screens::{Menu, Screen};
use crate::game::ui::key_card::KeyCard;
use crate::game::ui::layout::{self, Areas, Parts};
use bevy::prelude::{Res, ResMut, State};
use bevy_egui::EguiContexts;

/// Computes the areas; the first system of the interface in a frame.
pub fn update(
    mut contexts: EguiContexts,
    screen: Res<State<Screen>>,
    menu: Res<Menu>,
    panel: Res<PanelState>,
    overlay: OverlayToDraw,
    keys: Res<KeyCard>,
    mut areas: ResMut<Areas>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let playing = *screen.get() == Screen::Playing;
    let parts = Parts {
        panel: panel.open && playing,
        legend: overlay.kind().is_some(),
        keys: keys.is_shown(),
        menu: *menu != Menu::None || !playing,
    };
    *areas = Areas::new(ctx.viewport_rect(), parts);
    layout::publish(ctx, &areas);
}
