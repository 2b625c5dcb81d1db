//! Notices: reports at the upper left that disappear after a while.

use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::{Notice, NoticeLevel, Notices};
use crate::game::ui_kit::{layout, theme};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{
    self, Color32, FontId, Galley, Id, LayerId, Order, Painter, Rect, Stroke, StrokeKind, Vec2,
    pos2, vec2,
};
use std::sync::Arc;
use std::time::Instant;

/// Seconds over which a notice fades out.
const FADE: f32 = 0.6;
/// Maximum number of notices that are shown or wait. Beyond it, the oldest are dropped.
const MAX_NOTICES: usize = 40;
/// Maximum number of notices shown at once.
const MAX_SHOWN: usize = 6;
/// Seconds for which each part is shown of a notice that is too long for its area.
const PART: f32 = 6.0;
/// Width for the number of a part, in points.
const NUMBER: f32 = 64.0;
/// Space around the text of a notice, in points.
const PADDING: Vec2 = vec2(14.0, 7.0);
/// Distance of two notices, in points.
const GAP: f32 = 6.0;

/// Seconds for which a notice of `parts` parts is shown.
fn lasts(level: NoticeLevel, parts: usize) -> f32 {
    let least = match level {
        NoticeLevel::Info => 4.0,
        NoticeLevel::Warning => 10.0,
        NoticeLevel::DataLoss => 60.0,
    };
    if parts > 1 { f32::max(least, PART * parts as f32) } else { least }
}

/// Opacity of a notice of this age: 1 until it fades, 0 when its time is over.
fn strength(level: NoticeLevel, parts: usize, age: f32) -> f32 {
    ((lasts(level, parts) - age) / FADE).clamp(0.0, 1.0)
}

/// Draws the notices, and removes expired ones. A warning without room waits until there is some.
pub fn show(
    mut contexts: EguiContexts,
    mut notices: ResMut<Notices>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if notices.list.is_empty() {
        return;
    }
    timings.time(FrameStage::Interface, || {
        drop_surplus(&mut notices.list);
        draw(ctx, &mut notices.list);
    });
}

/// Drops the oldest notices beyond [`MAX_NOTICES`], and information that is followed by at least
/// [`MAX_SHOWN`] newer notices.
fn drop_surplus(list: &mut Vec<Notice>) {
    let count = list.len();
    let mut number = 0;
    list.retain(|notice| {
        number += 1;
        notice.level != NoticeLevel::Info || count - number < MAX_SHOWN
    });
    let surplus = list.len().saturating_sub(MAX_NOTICES);
    list.drain(..surplus);
}

fn draw(ctx: &egui::Context, list: &mut Vec<Notice>) {
    let mut painter = ctx.layer_painter(LayerId::new(Order::Tooltip, Id::new("notices")));
    let area = layout::notices_area(ctx);
    let mut parts: Vec<NoticeParts> =
        list.iter().map(|notice| NoticeParts::new(&painter, &notice.text, area)).collect();
    let alive: Vec<bool> =
        list.iter().zip(&parts).map(|(notice, parts)| opacity(notice, parts) > 0.0).collect();
    retain_by(list, &alive);
    retain_by(&mut parts, &alive);
    let heights: Vec<f32> = parts.iter().map(|parts| parts.height() + 2.0 * PADDING.y).collect();
    let levels: Vec<NoticeLevel> = list.iter().map(|notice| notice.level).collect();
    let shown = fitting(&levels, &heights, area.height());
    let mut top = area.top();
    for (number, notice) in list.iter_mut().enumerate() {
        if !shown.contains(&number) {
            if notice.level != NoticeLevel::Info {
                // The time of a warning counts from when it is first visible.
                notice.since = Instant::now();
            }
            continue;
        }
        let galley = parts[number].at(&painter, notice.since.elapsed().as_secs_f32());
        painter.set_opacity(opacity(notice, &parts[number]));
        let colour = if notice.level == NoticeLevel::Info { theme::ACCENT } else { theme::PROBLEM };
        let rect = Rect::from_min_size(pos2(area.left(), top), galley.size() + 2.0 * PADDING);
        painter.rect(
            rect,
            theme::ROUND,
            theme::PANEL,
            Stroke::new(1.0, theme::EDGE),
            StrokeKind::Inside,
        );
        let mark = Rect::from_min_size(rect.min + vec2(6.0, PADDING.y), vec2(3.0, galley.size().y));
        painter.rect_filled(mark, 1.5, colour);
        painter.galley(rect.min + PADDING + vec2(3.0, 0.0), galley, Color32::WHITE);
        top = rect.bottom() + GAP;
    }
}

fn opacity(notice: &Notice, parts: &NoticeParts) -> f32 {
    strength(notice.level, parts.count(), notice.since.elapsed().as_secs_f32())
}

/// Keeps the elements whose flag is true.
fn retain_by<T>(list: &mut Vec<T>, flags: &[bool]) {
    let mut flags = flags.iter();
    list.retain(|_| flags.next().copied().unwrap_or(true));
}

/// A notice as text of several rows, divided into parts that fit into its area. While playing,
/// there is no pointer to open a long notice with, so its parts are shown one after another.
struct NoticeParts {
    whole: Arc<Galley>,
    /// Number of rows that fit into the area.
    rows: usize,
    /// Width for the text, in points.
    width: f32,
}

impl NoticeParts {
    fn new(painter: &Painter, text: &str, area: Rect) -> NoticeParts {
        let width = area.width() - 2.0 * PADDING.x;
        let mut whole = lay_out(painter, text.to_owned(), width);
        let row = whole.rows.first().map_or(theme::BODY, |row| row.height());
        let rows = (((area.height() - 2.0 * PADDING.y) / row + 0.01) as usize).max(1);
        if whole.rows.len() > rows {
            whole = lay_out(painter, text.to_owned(), width - NUMBER);
        }
        NoticeParts { whole, rows, width }
    }

    /// Number of parts.
    fn count(&self) -> usize {
        self.whole.rows.len().div_ceil(self.rows).max(1)
    }

    /// Height of a part, in points.
    fn height(&self) -> f32 {
        let rows = self.whole.rows.len().max(1);
        self.whole.size().y * rows.min(self.rows) as f32 / rows as f32
    }

    /// Text of a part.
    fn text(&self, part: usize) -> String {
        let rows = self.whole.rows.iter().skip(part * self.rows).take(self.rows);
        let text: Vec<String> = rows.map(|row| row.text().trim_end().to_owned()).collect();
        text.join("\n")
    }

    /// The part that is shown at this age of the notice.
    fn at(&self, painter: &Painter, age: f32) -> Arc<Galley> {
        let count = self.count();
        if count == 1 {
            return Arc::clone(&self.whole);
        }
        let part = (age / PART) as usize % count;
        let text = format!("{}  {} of {count}", self.text(part), part + 1);
        // The rows are already broken. A width larger than the area's keeps egui from breaking them
        // again.
        lay_out(painter, text, 2.0 * self.width)
    }
}

fn lay_out(painter: &Painter, text: String, width: f32) -> Arc<Galley> {
    painter.layout(text, FontId::proportional(theme::BODY), theme::TEXT, width)
}

/// The notices that fit into `room` points of height, oldest first. The most urgent are chosen, and
/// of equally urgent ones the newest. At least one is chosen.
fn fitting(levels: &[NoticeLevel], heights: &[f32], room: f32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by_key(|&number| {
        (std::cmp::Reverse(levels[number] as u8), std::cmp::Reverse(number))
    });
    let mut left = room;
    let mut chosen: Vec<usize> = order
        .into_iter()
        .take(MAX_SHOWN)
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
        assert_eq!(strength(NoticeLevel::Info, 1, 3.0), 1.0);
        assert_eq!(strength(NoticeLevel::Warning, 1, 9.0), 1.0);
        assert!(strength(NoticeLevel::Info, 1, 3.7) < 1.0);
        assert_eq!(
            (strength(NoticeLevel::Info, 1, 4.0), strength(NoticeLevel::Warning, 1, 10.5)),
            (0.0, 0.0)
        );
        assert_eq!(strength(NoticeLevel::Warning, 3, 17.0), 1.0, "each part is seen");
    }

    /// Lays out a notice in an area of this size.
    fn parts(text: &str, size: Vec2) -> (NoticeParts, Painter) {
        let ctx = egui::Context::default();
        let mut found = None;
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let painter = ui.painter().clone();
            found = Some((
                NoticeParts::new(&painter, text, Rect::from_min_size(pos2(0.0, 0.0), size)),
                painter,
            ));
        });
        // egui panics if texture deltas are dropped without being applied.
        output.textures_delta.clear();
        found.expect("a frame was drawn")
    }

    #[test]
    fn long_notice_shows_all_of_its_words_in_parts() {
        let words: Vec<String> =
            (0..60).map(|number| format!("{number} blocks of kind_{number};")).collect();
        let text = words.join(" ");
        for size in [vec2(200.0, 36.0), vec2(400.0, 80.0), vec2(520.0, 600.0)] {
            let (parts, painter) = parts(&text, size);
            let shown: Vec<String> = (0..parts.count()).map(|part| parts.text(part)).collect();
            let shown = shown.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(shown, text, "{size}");
            for part in 0..parts.count() {
                let galley = parts.at(&painter, (part as f32 + 0.5) * PART);
                assert!(
                    galley.size().y <= (size.y - 2.0 * PADDING.y).max(parts.height()) + 1.0,
                    "{size}"
                );
                assert!(galley.size().x <= size.x, "{size}: {}", galley.size());
            }
        }
        let (short, _) = parts("Saved", vec2(200.0, 36.0));
        assert_eq!(short.count(), 1);
    }

    #[test]
    fn only_information_gives_way_to_many_notices() {
        let mut notices = Notices::default();
        notices.info("first");
        for number in 0..9 {
            notices.warn(format!("{number}"));
        }
        drop_surplus(&mut notices.list);
        assert_eq!(notices.list.len(), 9);
        for number in 0..99 {
            notices.warn(format!("{number}"));
        }
        drop_surplus(&mut notices.list);
        assert_eq!(notices.list.len(), MAX_NOTICES);
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
