//! The panel's window: background, tabs, current page.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::notices::Notices;
use crate::game::common::panel_page::{PanelPage, PanelState};
use crate::game::common::screens::Menu;
use crate::game::culling::state::Culling;
use crate::game::panel::sources::Sources;
use crate::game::panel::{frame, save, storage, typography, visibility, work, world};
use crate::game::ui::hotbar;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, Align2, CornerRadius, Id, Margin, Order, Stroke, Ui, vec2};

/// Draws the panel and handles clicks on its tabs and switches.
pub(super) fn show(
    mut contexts: EguiContexts,
    mut panel: ResMut<PanelState>,
    menu: Res<Menu>,
    sources: Sources,
    mut culling: ResMut<Culling>,
    mut notices: ResMut<Notices>,
    mut timings: ResMut<FrameTimings>,
) -> Result {
    if !panel.open {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?.clone();
    // Read before this interface's own time is added.
    let frame = (panel.page == PanelPage::Frame).then(|| sources.frame(&timings)).flatten();
    // While playing the hidden pointer still moves: it must not click anything.
    let usable = *menu != Menu::None;
    let chosen = timings.time(FrameStage::Interface, || {
        shell(&ctx, panel.page, usable, |ui| match panel.page {
            PanelPage::World => sources.world().iter().for_each(|shown| world::page(ui, shown)),
            PanelPage::Storage => sources.storage().iter().for_each(|shown| storage::page(ui, shown)),
            PanelPage::Work => sources.work().iter().for_each(|shown| work::page(ui, shown)),
            PanelPage::Visibility => {
                let chosen = visibility::page(ui, &culling, &sources.counted);
                if let Some(Err(refused)) = chosen.map(|mode| culling.choose(mode)) {
                    notices.info(refused.to_string());
                }
            }
            PanelPage::Save => {
                if let (Some(edits), Some(saves)) = (&sources.edits, &sources.saves) {
                    save::page(ui, edits, saves, sources.file_usage.last.as_ref());
                }
            }
            PanelPage::Frame => frame.iter().for_each(|shown| frame::page(ui, shown)),
        })
    });
    panel.set_if_neq(PanelState { open: true, page: chosen });
    Ok(())
}

/// Draws the panel around a page: background and tabs. Returns the clicked page, if any.
fn shell(ctx: &egui::Context, page: PanelPage, usable: bool, content: impl FnOnce(&mut Ui)) -> PanelPage {
    let window = ctx.viewport_rect();
    let width = PanelState::width(window);
    let tab_size = if width < 310.0 { 9.5 } else { 11.5 };
    let mut chosen = page;
    let area =
        egui::Area::new(Id::new("panel")).order(Order::Middle).movable(false).fade_in(false).interactable(usable);
    area.anchor(Align2::RIGHT_TOP, vec2(-PanelState::MARGIN, PanelState::MARGIN)).show(ctx, |ui| {
        let ground = egui::Frame::new()
            .fill(typography::GROUND)
            .stroke(Stroke::new(1.0, typography::RULE))
            .corner_radius(CornerRadius::same(5))
            .inner_margin(Margin::symmetric(10, 6));
        ground.show(ui, |ui| {
            ui.set_width(width - 22.0);
            ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
            ui.horizontal(|ui| {
                for each in PanelPage::ALL {
                    if typography::tab(ui, each.name(), each == page, tab_size).clicked() {
                        chosen = each;
                    }
                }
            });
            ui.add_space(2.0);
            let taken = PanelState { open: true, page }.taken(window);
            let bar = hotbar::place(window, taken);
            let bottom = if bar.right() > window.right() - taken { bar.top() } else { window.bottom() };
            let room = bottom - 2.0 * PanelState::MARGIN - 44.0;
            // Both are needed: an area offers no more height than in the previous frame.
            let scroll = egui::ScrollArea::vertical().max_height(room).min_scrolled_height(room);
            let scroll = if usable { scroll } else { scroll.scroll_source(egui::scroll_area::ScrollSource::NONE) };
            scroll.auto_shrink([false, true]).show(ui, content);
        });
    });
    chosen
}
