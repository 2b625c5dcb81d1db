//! The panel's window: background, tabs, current page.

use crate::game::drawing::culling::state::Culling;
use crate::game::inspect::panel::head::{self, PanelHead};
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::{
    creatures, edits, frame, light, mesh, rules, save, storage, surface, typography, visibility,
    work, world,
};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::notices::Notices;
use crate::game::state::panel_page::PanelState;
use crate::game::state::screens::Menu;
use crate::game::ui_kit::layout::Areas;
use crate::views::PanelPage;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, CornerRadius, Id, Margin, Order, Rect, Stroke, Ui, Vec2, vec2};
use std::time::Instant;

/// The function that draws a page.
fn row(page: PanelPage) -> fn(&mut Ui, &mut PageContext) {
    match page {
        PanelPage::World => world::page,
        PanelPage::Storage => storage::page,
        PanelPage::Work => work::page,
        PanelPage::Mesh => mesh::page,
        PanelPage::Surface => surface::page,
        PanelPage::Light => light::page,
        PanelPage::Visibility => visibility::page,
        PanelPage::Save => save::page,
        PanelPage::Edits => edits::page,
        PanelPage::Rules => rules::page,
        PanelPage::Creatures => creatures::page,
        PanelPage::Frame => frame::page,
    }
}

/// Draws the panel and handles clicks on its tabs and switches.
pub(super) fn show(
    mut contexts: EguiContexts,
    mut panel: ResMut<PanelState>,
    menu: Res<Menu>,
    keys: Res<KeyInput>,
    areas: Res<Areas>,
    sources: Sources,
    mut culling: ResMut<Culling>,
    mut notices: ResMut<Notices>,
    mut timings: ResMut<FrameTimings>,
) -> Result {
    let Some(area) = areas.panel.filter(|_| panel.open) else { return Ok(()) };
    let ctx = contexts.ctx_mut()?.clone();
    let start = Instant::now();
    let Some(head) = sources.head(&timings) else { return Ok(()) };
    let shell = Shell {
        area,
        page: panel.page,
        // While playing, the pointer is hidden but still moves. It must not click.
        usable: *menu != Menu::None,
        scroll: f32::from(
            i8::from(keys.just_pressed(KeyAction::PanelDown))
                - i8::from(keys.just_pressed(KeyAction::PanelUp)),
        ) * 0.8,
    };
    let mut context = PageContext {
        sources: &sources,
        timings: &timings,
        culling: &mut culling,
        notices: &mut notices,
    };
    let chosen = shell.show(&ctx, &head, |ui| row(panel.page)(ui, &mut context));
    timings.add(FrameStage::Interface, start.elapsed());
    panel.set_if_neq(PanelState { open: true, page: chosen });
    Ok(())
}

/// The open panel, apart from its page's content.
struct Shell {
    area: Rect,
    page: PanelPage,
    /// True while the pointer is visible and may click and scroll.
    usable: bool,
    /// Distance to scroll down in this frame, as a fraction of the page's visible height.
    scroll: f32,
}

/// Space around the panel's content, in points.
const PADDING: Vec2 = vec2(11.0, 7.0);
/// Width of the scroll bar, with its distance from the content.
const SCROLL_BAR: f32 = 8.0;
/// Height of the line that names the keys for scrolling.
const FOOT: f32 = 13.0;

impl Shell {
    /// Draws the panel: tabs, head, and the page with `content`, which scrolls if it is too high.
    /// Returns the page to show next: the clicked one, or the present one.
    fn show(
        &self,
        ctx: &egui::Context,
        head: &PanelHead,
        content: impl FnOnce(&mut Ui),
    ) -> PanelPage {
        let mut chosen = self.page;
        // Drawn above dialogs, because a dialog keeps the pointer from everything below it.
        let order = if self.usable { Order::Tooltip } else { Order::Middle };
        let area = egui::Area::new(Id::new("panel")).order(order).movable(false).fade_in(false);
        area.interactable(self.usable).fixed_pos(self.area.min).show(ctx, |ui| {
            let ground = egui::Frame::new()
                .fill(typography::GROUND)
                .stroke(Stroke::new(1.0, typography::RULE))
                .corner_radius(CornerRadius::same(5))
                .inner_margin(Margin {
                    right: 2,
                    ..Margin::symmetric(PADDING.x as i8 - 1, PADDING.y as i8 - 1)
                });
            ground.show(ui, |ui| {
                // The scroll bar is in the space to the right of the content.
                let width = self.area.width() - 2.0 * PADDING.x;
                ui.set_width(width + SCROLL_BAR);
                ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
                ui.scope(|ui| {
                    ui.set_max_width(width);
                    chosen = self.tabs(ui);
                    ui.add_space(2.0);
                    head::show(ui, head);
                });
                ui.add_space(3.0);
                self.scrolled(ui, width, content);
            });
        });
        chosen
    }

    fn tabs(&self, ui: &mut Ui) -> PanelPage {
        let mut chosen = self.page;
        // The text is as large as all tabs in one row allow. A letter is 0.61 of the size wide, and
        // each tab adds a margin of 8. In a narrow panel the tabs take two rows.
        let letters: usize = PanelPage::ALL.iter().map(|page| page.title().len()).sum();
        let margins = 8.0 * PanelPage::ALL.len() as f32;
        let size = ((ui.available_width() - margins) / (letters as f32 * 0.61)).clamp(8.0, 11.5);
        ui.horizontal_wrapped(|ui| {
            for &each in PanelPage::ALL {
                if typography::tab(ui, each.title(), each == self.page, size).clicked() {
                    chosen = each;
                }
            }
        });
        chosen
    }

    /// Draws the page: its purpose in one sentence, then its content.
    fn scrolled(&self, ui: &mut Ui, width: f32, content: impl FnOnce(&mut Ui)) {
        let room = self.area.bottom() - ui.cursor().top() - PADDING.y;
        let id = Id::new(("panel is too low for", self.page.name()));
        let overflows = ui.data(|data| data.get_temp(id)).unwrap_or(false);
        let height = if overflows { room - FOOT } else { room }.max(1.0);
        // Both limits are needed: with a maximum alone, the area would offer no more height than in
        // the previous frame.
        let scroll = egui::ScrollArea::vertical()
            .id_salt(self.page.name())
            .max_height(height)
            .min_scrolled_height(height);
        let scroll = if self.usable {
            scroll
        } else {
            scroll.scroll_source(egui::scroll_area::ScrollSource::NONE)
        };
        let bar = &mut ui.spacing_mut().scroll;
        bar.bar_width = 4.0;
        bar.bar_inner_margin = SCROLL_BAR - 4.0;
        bar.bar_outer_margin = 0.0;
        let shown = scroll.auto_shrink([false, true]).show(ui, |ui| {
            ui.set_max_width(width);
            if self.scroll != 0.0 {
                ui.scroll_with_delta(vec2(0.0, -self.scroll * height));
            }
            typography::sentence(ui, self.page.purpose());
            content(ui);
        });
        if overflows {
            let (line, painter) = typography::strip(ui, FOOT);
            typography::note(&painter, line, "Page Up and Page Down scroll");
        }
        ui.data_mut(|data| data.insert_temp(id, shown.content_size.y > room));
    }
}
