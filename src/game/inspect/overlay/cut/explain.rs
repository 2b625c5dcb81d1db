//! Texts of the cut: the legend, numbers near the crosshair, and the bytes of each chunk.

use super::cells::{ChunkLayer, SIDE};
use super::content::CutContent;
use super::overlay::{BuiltCut, CutOverlay};
use super::section::{CutBar, CutSection, row_position};
use crate::game::inspect::overlay::explained::CutLegend;
use crate::game::inspect::overlay::labels::{self, WorldToScreen};
use crate::game::inspect::overlay::legend::{ColourKey, Gradient, Legend};
use crate::game::inspect::overlay::{bars, light, ramp};
use crate::game::screens::hud::crosshair_mark;
use crate::game::state::cutaway::CutAxis;
use crate::game::state::format;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::frame::picture_target::PictureTarget;
use crate::game::state::player::Player;
use crate::game::state::session::OpenMap;
use crate::game::state::settings::crosshair_style::CrosshairStyle;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{Align2, Color32, FontId, Id, LayerId, Order, Painter, Pos2, Rect, Vec2};
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos, MaterialTable};

/// Maximum distance from the crosshair at which bars have numbers, in columns.
const NUMBERED_COLUMNS: i32 = 12;
/// Maximum distance from the crosshair at which bars have numbers, in rows.
const NUMBERED_ROWS: i32 = 6;
/// Smallest and largest size of a number, in points.
const NUMBER_SIZE: [f32; 2] = [10.0, 20.0];
/// Width of a digit, as a fraction of the text size.
const DIGIT: f32 = 0.62;
/// Minimum height on the screen of a chunk whose bytes are shown, in points.
const LABELLED: f32 = 56.0;
/// Text size of a chunk's bytes, in points.
const BYTES_SIZE: f32 = 15.0;
/// Space between a chunk's bytes and the edges of the chunk and the screen, in points.
const MARGIN: f32 = 5.0;
/// Maximum distance of a cell that the legend describes, in voxels.
const REACH: f64 = 512.0;

/// Draws all texts of the cut.
pub(in crate::game::inspect::overlay) fn explain(
    mut contexts: EguiContexts,
    map: Option<Res<OpenMap>>,
    player: Res<Player>,
    picture: Option<Res<PictureTarget>>,
    overlay: Res<CutOverlay>,
    to_screen: WorldToScreen,
    mut legend: ResMut<CutLegend>,
    mut timings: ResMut<FrameTimings>,
) {
    legend.0 = None;
    let Some((cut, map)) = overlay.built.as_ref().zip(map) else { return };
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let pointed = pointed_voxel(cut, &player);
        legend.0 = Some(legend_of(cut, pointed, &map.materials));
        let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::new("cut")));
        let words = CutWords { cut, painter, screen: ctx.viewport_rect(), to_screen: &to_screen };
        if let Some(voxel) = pointed.filter(|_| cut.content() != CutContent::Materials) {
            words.draw_numbers(voxel);
        }
        words.draw_chunks();
        if picture.is_some() {
            // Pictures leave out the HUD, but the legend refers to its crosshair, so that is drawn
            // here.
            crosshair_mark::paint(&words.painter, words.screen.center(), CrosshairStyle::Cross);
        }
    });
}

/// The voxel of the cut under the crosshair.
fn pointed_voxel(cut: &BuiltCut, player: &Player) -> Option<IVec3> {
    let eyes = player.walker.eyes();
    let direction = player.direction();
    let distance = cut.plane().distance(eyes, direction).filter(|distance| *distance <= REACH)?;
    let mut voxel = (eyes + direction * distance).floor().as_ivec3();
    voxel[cut.plane().axis as usize] = cut.plane().layer;
    Some(voxel)
}

/// The section of a chunk.
fn section_of(cut: &BuiltCut, pos: ChunkPos) -> Option<&CutSection> {
    cut.sections.iter().find(|section| section.pos == pos)
}

/// The bar that covers a voxel of the cut.
fn bar_at(cut: &BuiltCut, voxel: IVec3) -> Option<&CutBar> {
    let [column, row] = ChunkLayer::new(cut.plane()).cell(voxel);
    let section = section_of(cut, ChunkPos::containing(voxel))?;
    section.bars.iter().find(|bar| bar.rect.contains(column, row))
}

/// The cut, and the state for drawing its texts.
struct CutWords<'a, 'w, 's> {
    cut: &'a BuiltCut,
    painter: Painter,
    screen: Rect,
    to_screen: &'a WorldToScreen<'w, 's>,
}

impl CutWords<'_, '_, '_> {
    /// Point on the screen of a position on the cut through a chunk, given in columns and rows.
    fn at(&self, section: &CutSection, column: f32, row: f32) -> Option<Pos2> {
        let corner = ChunkLayer::new(self.cut.plane()).corner(column, row, 0.0);
        self.to_screen.point(section.pos.origin().as_dvec3() + corner.as_dvec3(), self.screen)
    }

    /// Draws the numbers of the bars near the voxel, each in the middle of the part of its bar that
    /// is near.
    fn draw_numbers(&self, voxel: IVec3) {
        let layer = ChunkLayer::new(self.cut.plane());
        let [column, row] = layer.cell(voxel);
        let here = voxel - layer.offset(column, row);
        for section in &self.cut.sections {
            // Offset of this chunk's cells from the cells of the voxel's chunk.
            let [columns, rows] = shift(layer, section.pos.origin() - here);
            if columns.abs() > CHUNK_SIDE || rows.abs() > CHUNK_SIDE {
                continue;
            }
            let columns =
                [column - columns - NUMBERED_COLUMNS, column - columns + NUMBERED_COLUMNS + 1];
            let rows = [row - rows - NUMBERED_ROWS, row - rows + NUMBERED_ROWS + 1];
            // A number on a bar of air would seem to belong to the land behind it.
            let is_numbered = |bar: &&CutBar| {
                bar.figure > 0 && (!bar.voxel.is_air() || self.cut.content() == CutContent::Light)
            };
            for bar in section.bars.iter().filter(is_numbered) {
                self.draw_number(section, bar, columns, rows);
            }
        }
    }

    fn draw_number(&self, section: &CutSection, bar: &CutBar, columns: [i32; 2], rows: [i32; 2]) {
        let left = i32::from(bar.rect.left).max(columns[0]) as f32;
        let right = i32::from(bar.rect.right).min(columns[1]) as f32;
        let low = i32::from(bar.rect.low).max(rows[0]) as f32;
        let high = i32::from(bar.rect.high).min(rows[1]) as f32;
        if left >= right || low >= high {
            return;
        }
        let middle = (left + right) / 2.0;
        let row = (low + high) / 2.0;
        let ends = [(left, row), (right, row), (middle, row - 0.5), (middle, row + 0.5)];
        let [Some(west), Some(east), Some(bottom), Some(top)] =
            ends.map(|(column, row)| self.at(section, column, row))
        else {
            return;
        };
        let words = format::count(bar.figure.into());
        let fitting = west.distance(east) / (DIGIT * words.len() as f32);
        let size = (0.7 * bottom.distance(top)).min(fitting).min(NUMBER_SIZE[1]);
        if size >= NUMBER_SIZE[0] {
            labels::draw_line(
                &self.painter,
                west + (east - west) / 2.0,
                Align2::CENTER_CENTER,
                &words,
                size,
            );
        }
    }

    /// Sections with matter and their corners as [`upper_left`] returns them. The tallest on the
    /// screen come first.
    fn largest_first(&self) -> Vec<(&CutSection, [Pos2; 3])> {
        const SIDE_CELLS: f32 = SIDE as f32;
        let corners = [(0.0, SIDE_CELLS), (SIDE_CELLS, SIDE_CELLS), (0.0, 0.0), (SIDE_CELLS, 0.0)];
        let on_screen = |section: &'_ CutSection| {
            let [a, b, c, d] = corners.map(|(column, row)| self.at(section, column, row));
            Some(upper_left([a?, b?, c?, d?]))
        };
        let with_matter = self.cut.sections.iter().filter(|section| !section.is_air);
        let mut chunks: Vec<_> =
            with_matter.filter_map(|section| Some((section, on_screen(section)?))).collect();
        let height = |[left, _, below]: [Pos2; 3]| left.distance(below);
        chunks.sort_by(|(_, a), (_, b)| height(*b).total_cmp(&height(*a)));
        chunks
    }

    /// Draws bytes and runs into the upper left corner of each chunk, or of its part on the screen,
    /// if the chunk is large enough.
    fn draw_chunks(&self) {
        let mut placed: Vec<Rect> = Vec::new();
        for (section, [left, right, below]) in self.largest_first() {
            let at = (left + Vec2::splat(MARGIN)).max(self.screen.min + Vec2::splat(MARGIN));
            if left.distance(below) < LABELLED || !self.screen.contains(at) {
                continue;
            }
            let [bytes, runs] = chunk_words(self.cut.content(), section);
            let font = FontId::monospace(BYTES_SIZE);
            let words = format!("{bytes}\n{runs}");
            let galley = self.painter.layout_no_wrap(words, font, Color32::WHITE);
            let ground = Rect::from_min_size(at, galley.size()).expand(2.0);
            let end = Pos2::new(right.x, below.y) - Vec2::splat(MARGIN);
            // Seen at a flat angle, texts of chunks behind each other would overlap.
            let is_apart = !placed.iter().any(|other| other.intersects(ground));
            if is_apart && ground.right() < end.x && ground.bottom() < end.y {
                placed.push(ground);
                self.painter.rect_filled(ground, 2.0, Color32::from_black_alpha(200));
                self.painter.galley(at, galley, Color32::WHITE);
            }
        }
    }
}

/// The corner of a chunk that is at the upper left on the screen, the corner to its right, and the
/// corner below it. The argument holds the corners of the last row at the first and the last
/// column, then the corners of the first row at these columns. Swaps corners where necessary: rows
/// of a level cut go down the screen, and columns go to the left if the cut is seen from behind.
fn upper_left([a, b, c, d]: [Pos2; 4]) -> [Pos2; 3] {
    let is_upside_down = a.y + b.y > c.y + d.y;
    let is_mirrored = a.x + c.x > b.x + d.x;
    let [a, b, c, d] = if is_upside_down { [c, d, a, b] } else { [a, b, c, d] };
    if is_mirrored { [b, a, d] } else { [a, b, c] }
}

/// Converts an offset within the plane of the cut, in voxels, to columns and rows.
fn shift(layer: ChunkLayer, offset: IVec3) -> [i32; 2] {
    let unit = |column, row| layer.offset(column, row) - layer.offset(0, 0);
    [unit(1, 0).dot(offset), unit(0, 1).dot(offset)]
}

/// Bytes and runs of a chunk as text.
fn chunk_words(content: CutContent, section: &CutSection) -> [String; 2] {
    let runs = match content {
        _ if section.runs == 0 => "not counted".to_owned(),
        CutContent::Neighbourhoods => format::counted(section.runs, "fused run"),
        CutContent::Light => format::counted(section.runs, "light run"),
        _ => format::counted(section.runs, "run"),
    };
    [format::bytes(section.bytes), runs]
}

fn legend_of(cut: &BuiltCut, pointed: Option<IVec3>, materials: &MaterialTable) -> Legend {
    let heights = cut.totals.histogram.heights();
    let ticks = |ticks: &[u32]| {
        ticks.iter().map(|tick| (bars::bar_position(*tick), tick.to_string())).collect()
    };
    let ramp = |ticks| Gradient { colour: ramp::colour, ticks, heights: heights.clone() };
    const LENGTHS: [u32; 7] = [128, 32, 16, 8, 4, 2, 1];
    let (title, key, meaning) = match cut.content() {
        CutContent::Runs => (
            "Cut: runs, by their length in voxels",
            ColourKey::Ramp(ramp(ticks(&LENGTHS))),
            "Blue: long, cheap. Orange: short, costly. Dark: air",
        ),
        CutContent::Neighbourhoods => (
            "Cut: fused runs, by length in voxels",
            ColourKey::Ramp(ramp(ticks(&LENGTHS))),
            "Runs, split where one of the 26 neighbours differs: the work of the mesher",
        ),
        CutContent::Bytes => (
            "Cut: bytes of each row of 32 voxels",
            ColourKey::Ramp(ramp(
                [0u8, 3, 15, 63]
                    .map(|bytes| (row_position(bytes.into()), bytes.to_string()))
                    .into(),
            )),
            "A row pays for the runs that begin in it. 0: a run of an earlier row goes on",
        ),
        CutContent::Light => (
            "Cut: light, by level",
            ColourKey::Ramp(Gradient {
                colour: light::level_colour,
                ticks: [0u8, 3, 6, 9, 12, 15]
                    .map(|level| (f32::from(level) / 15.0, level.to_string()))
                    .into(),
                heights,
            }),
            "Voxels of equal light are one bar. Grey: solid, no light",
        ),
        CutContent::Materials => {
            ("Cut: materials", ColourKey::Named(Vec::new()), "F4 shows bytes, runs, light instead")
        }
    };
    let here = pointed.and_then(|voxel| section_of(cut, ChunkPos::containing(voxel)));
    let bar = pointed.and_then(|voxel| bar_at(cut, voxel));
    let content = cut.content();
    let mut lines = vec![
        meaning.to_owned(),
        here_words(content, here),
        bar_words(content, bar, materials),
        sum_words(cut),
    ];
    if content.shows_runs() && cut.plane().axis == CutAxis::X {
        lines.push("Runs and rows lie along x, away from you: a square is one of them".to_owned());
    }
    Legend { title, key, lines }
}

/// Line of the legend with the totals of the cut.
fn sum_words(cut: &BuiltCut) -> String {
    let totals = &cut.totals;
    format!(
        "{} cuts {} of {}",
        cut.plane(),
        format::counted(totals.chunks, "chunk"),
        format::bytes(totals.bytes)
    )
}

/// Line of the legend about the chunk under the crosshair.
fn here_words(content: CutContent, here: Option<&CutSection>) -> String {
    let Some(section) = here else { return format!("Chunk at the crosshair: {}", format::NONE) };
    let [bytes, runs] = chunk_words(content, section);
    format!("Chunk at the crosshair: {bytes}, {runs}")
}

/// Line of the legend about the bar under the crosshair.
fn bar_words(content: CutContent, bar: Option<&CutBar>, materials: &MaterialTable) -> String {
    let Some(bar) = bar else { return format!("Crosshair: {}", format::NONE) };
    let name = materials
        .get(bar.voxel.material())
        .map_or(format::NONE.into(), |m| m.name.replace('_', " "));
    let figure = format::count(bar.figure.into());
    match content {
        CutContent::Materials => format!("Crosshair: {name}"),
        _ if bar.is_mean && bar.figure == 0 => "Crosshair: too far to be counted".to_owned(),
        _ if bar.is_mean => format!("Crosshair: runs of {figure} on average"),
        CutContent::Bytes => format!("Crosshair: row of {figure} B"),
        CutContent::Light => format!("Crosshair: light {figure}"),
        _ => format!("Crosshair: run of {figure} {name}"),
    }
}
