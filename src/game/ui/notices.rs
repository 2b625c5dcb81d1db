//! Notices: lines at the upper left that report what happened and disappear after a while.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::notices::{Notice, NoticeLevel, Notices};
use crate::game::ui::theme;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, Color32, FontId, Id, LayerId, Order, Rect, Stroke, StrokeKind, pos2, vec2};

/// Seconds over which a notice fades out.
const FADE: f32 = 0.6;
/// Largest number of notices shown at once, the newest ones.
const MOST: usize = 6;

/// Seconds for which a notice shows.
const fn lasts(level: NoticeLevel) -> f32 {
    match level {
        NoticeLevel::Info => 4.0,
        NoticeLevel::Warning => 10.0,
        NoticeLevel::DataLoss => 60.0,
    }
}

/// Opacity of a notice of this age: 1 until it fades, 0 when its time is over.
fn strength(level: NoticeLevel, age: f32) -> f32 {
    ((lasts(level) - age) / FADE).clamp(0.0, 1.0)
}

/// Draws the notices, and removes expired ones.
pub fn show(mut contexts: EguiContexts, mut notices: ResMut<Notices>, mut timings: ResMut<FrameTimings>) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if notices.list.is_empty() {
        return;
    }
    timings.time(FrameStage::Interface, || {
        notices.list.retain(|notice| strength(notice.level, notice.since.elapsed().as_secs_f32()) > 0.0);
        let surplus = notices.list.len().saturating_sub(MOST);
        notices.list.drain(..surplus);
        draw(ctx, &notices);
    });
}

fn draw(ctx: &egui::Context, notices: &Notices) {
    let mut painter = ctx.layer_painter(LayerId::new(Order::Tooltip, Id::new("notices")));
    let screen = ctx.viewport_rect();
    let widest = (screen.width() * 0.6).min(520.0);
    let mut top = screen.top() + 14.0;
    for Notice { since, level, text } in &notices.list {
        painter.set_opacity(strength(*level, since.elapsed().as_secs_f32()));
        let colour = if *level == NoticeLevel::Info { theme::ACCENT } else { theme::PROBLEM };
        let galley = painter.layout(text.clone(), FontId::proportional(theme::BODY), theme::TEXT, widest);
        let size = galley.size() + vec2(28.0, 14.0);
        let rect = Rect::from_min_size(pos2(screen.left() + 14.0, top), size);
        painter.rect(rect, theme::ROUND, theme::PANEL, Stroke::new(1.0, theme::EDGE), StrokeKind::Inside);
        let mark = Rect::from_min_size(rect.min + vec2(6.0, 7.0), vec2(3.0, size.y - 14.0));
        painter.rect_filled(mark, 1.5, colour);
        painter.galley(rect.min + vec2(17.0, 7.0), galley, Color32::WHITE);
        top = rect.bottom() + 6.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_stay_longer_and_all_notices_fade() {
        assert_eq!(strength(NoticeLevel::Info, 3.0), 1.0);
        assert_eq!(strength(NoticeLevel::Warning, 9.0), 1.0);
        assert!(strength(NoticeLevel::Info, 3.7) < 1.0);
        assert_eq!((strength(NoticeLevel::Info, 4.0), strength(NoticeLevel::Warning, 10.5)), (0.0, 0.0));
    }
}
