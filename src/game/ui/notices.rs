//! Notices: lines at the upper left that report what happened and disappear after a while.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::notices::{Notice, NoticeLevel, Notices};
use crate::game::ui::{layout, theme};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::text::LayoutJob;
use bevy_egui::egui::{
    self, Color32, FontId, Galley, Id, LayerId, Order, Painter, Rect, Stroke, StrokeKind, Vec2, pos2, vec2,
};
use std::sync::Arc;

/// Seconds over which a notice fades out.
const FADE: f32 = 0.6;
/// Largest number of notices shown at once, the newest ones.
const MOST: usize = 6;
/// Space around the text of a notice, in points.
const PADDING: Vec2 = vec2(14.0, 7.0);
/// Distance of two notices, in points.
const GAP: f32 = 6.0;

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
    let area = layout::notices_area(ctx);
    let galleys: Vec<_> = notices.list.iter().map(|notice| words(&painter, &notice.text, area)).collect();
    let heights: Vec<f32> = galleys.iter().map(|galley| galley.size().y + 2.0 * PADDING.y).collect();
    let levels: Vec<NoticeLevel> = notices.list.iter().map(|notice| notice.level).collect();
    let mut top = area.top();
    for number in fitting(&levels, &heights, area.height()) {
        let Notice { since, level, .. } = &notices.list[number];
        let galley = Arc::clone(&galleys[number]);
        painter.set_opacity(strength(*level, since.elapsed().as_secs_f32()));
        let colour = if *level == NoticeLevel::Info { theme::ACCENT } else { theme::PROBLEM };
        let rect = Rect::from_min_size(pos2(area.left(), top), galley.size() + 2.0 * PADDING);
        painter.rect(rect, theme::ROUND, theme::PANEL, Stroke::new(1.0, theme::EDGE), StrokeKind::Inside);
        let mark = Rect::from_min_size(rect.min + vec2(6.0, PADDING.y), vec2(3.0, galley.size().y));
        painter.rect_filled(mark, 1.5, colour);
        painter.galley(rect.min + PADDING + vec2(3.0, 0.0), galley, Color32::WHITE);
        top = rect.bottom() + GAP;
    }
}

/// Lays out a notice, cut off with an ellipsis where it is larger than `area`.
fn words(painter: &Painter, text: &str, area: Rect) -> Arc<Galley> {
    let font = FontId::proportional(theme::BODY);
    let mut job = LayoutJob::simple(text.to_owned(), font.clone(), theme::TEXT, area.width() - 2.0 * PADDING.x);
    let row = painter.layout_no_wrap("A".to_owned(), font, theme::TEXT).size().y;
    job.wrap.max_rows = (((area.height() - 2.0 * PADDING.y) / row) as usize).max(1);
    painter.layout_job(job)
}

/// The notices that fit into `room` points of height, oldest first: the most urgent are chosen, and
/// of these the newest. At least one.
fn fitting(levels: &[NoticeLevel], heights: &[f32], room: f32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by_key(|&number| (std::cmp::Reverse(levels[number] as u8), std::cmp::Reverse(number)));
    let mut left = room;
    let mut chosen: Vec<usize> = order
        .into_iter()
        .enumerate()
        .take_while(|(rank, number)| {
            left -= heights[*number] + if *rank > 0 { GAP } else { 0.0 };
            *rank == 0 || left >= 0.0
        })
        .map(|(_, number)| number)
        .collect();
    chosen.sort_unstable();
    chosen
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
    #[test]
    fn urgent_and_new_notices_are_kept_where_room_is_short() {
        use NoticeLevel::{DataLoss, Info, Warning};
        let levels = [DataLoss, Info, Warning, Info];
        assert_eq!(fitting(&levels, &[30.0; 4], 500.0), [0, 1, 2, 3]);
        assert_eq!(fitting(&levels, &[30.0; 4], 110.0), [0, 2, 3]);
        assert_eq!(fitting(&levels, &[30.0; 4], 36.0), [0]);
        assert_eq!(fitting(&levels, &[90.0; 4], 36.0), [0], "one is always shown");
        assert_eq!(fitting(&[Info, Info], &[30.0; 2], 36.0), [1]);
        assert!(fitting(&[], &[], 36.0).is_empty());
    }
}
