//! The page *Storage*: the table of the Roblox text ("Results and future work") for the loaded
//! world and for the chunk under the crosshair, as bars and as figures.
//!
//! From dense to packed, the bytes decrease by two or three powers of ten. On a linear scale, all
//! but two bars would be a pixel or two long, so the scale is logarithmic, with a line through the
//! bars at every power of ten. The scale is fixed, so that chunks can be compared. Below is the
//! memory of the process by owner.

use crate::game::drawing::chunk_drawing::DrawCounters;
use crate::game::inspect::panel::figures::StorageFormat;
use crate::game::inspect::panel::memory_owners::{self, MemoryOwners};
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography;
use crate::game::inspect::panel::typography::{AMBER, BRIGHT, DIM, TEAL};
use crate::game::platform::memory;
use crate::game::player::crosshair::Crosshair;
use crate::game::state::format;
use bevy_egui::egui::{Align2, Color32, CornerRadius, Painter, Rect, Stroke, Ui, pos2, vec2};
use stonerun_engine::metrics::storage::{FORMATS, Sizes};
use wgpu::DeviceType;

/// Power of ten at the left end of the bars, in bytes per voxel: less than the packed size of a
/// uniform chunk.
const MIN_DECADE: i32 = -4;
/// Power of ten at the right end of the bars: more than a chunk of noise takes in any format.
const MAX_DECADE: i32 = 1;

/// Powers of ten that have labels.
const WRITTEN: [i32; 3] = [-3, -1, 1];

/// Index of the game's format in [`FORMATS`].
const RUN_TREE: usize = 3;
/// Index of the first packed format. Packed formats are for files and the network, earlier ones for
/// memory.
const PACKED: usize = 4;

/// Short labels and colours of [`FORMATS`]; colours match the page *World*.
const STYLES: [(&str, Color32); FORMATS.len()] = [
    ("Dense", typography::format_colour(StorageFormat::Dense)),
    ("Palette", typography::format_colour(StorageFormat::Palette)),
    ("Row-packed", typography::format_colour(StorageFormat::RowPacked)),
    ("Run tree", typography::format_colour(StorageFormat::RunTree)),
    ("Bit RLE", Color32::from_rgb(176, 190, 98)),
    ("Byte-RLE", typography::format_colour(StorageFormat::Rle)),
    ("  +LZ4", typography::format_colour(StorageFormat::RleLz4)),
    ("  +zstd", Color32::from_rgb(156, 128, 104)),
];

/// Data of the page.
pub struct StoragePage {
    /// Sums over the loaded chunks measured so far.
    pub world: Sizes,
    /// Loaded chunks.
    pub loaded: u64,
    /// The chunk under the crosshair.
    pub crosshair: Crosshair,
    /// Sizes of that chunk, if it is loaded.
    pub chunk: Option<Sizes>,
    /// Memory of the process by owner.
    pub memory: MemoryOwners,
}

impl StoragePage {
    /// The data now; `None` while no map is open.
    fn new(sources: &Sources, visible_sets: u64) -> Option<StoragePage> {
        let edits = sources.edits.as_deref()?;
        let in_software = sources.adapter.device_type == DeviceType::Cpu;
        Some(StoragePage {
            memory: MemoryOwners {
                resident: memory::resident(),
                runs: edits.totals().heap_bytes,
                light: sources.lights.as_deref().map_or(0, |lights| lights.size().bytes),
                visibility: visible_sets,
                history: edits.history().memory_bytes() as u64,
                index: sources.map.as_deref().map_or(0, |map| map.reader.index_bytes()),
                textures: sources.textures.bytes(in_software),
                meshes: DrawCounters::get(&sources.scene.counters.buffer_bytes),
                in_software,
            },
            world: sources.measured.sum(),
            loaded: edits.totals().chunks,
            crosshair: *sources.crosshair,
            chunk: sources.measured.of_chunk(sources.crosshair.chunk),
        })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    let visible_sets = context.culling.pvs().map_or(0, |pvs| pvs.stats().bytes as u64);
    if let Some(data) = StoragePage::new(context.sources, visible_sets) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &StoragePage) {
    let world = (shown.world.chunks > 0).then_some(&shown.world);
    let chunk = shown.chunk.as_ref();
    // Sums that do not cover all chunks yet are dimmed.
    let colour = if shown.world.chunks < shown.loaded { DIM } else { BRIGHT };
    summary(ui, shown, (world, colour), chunk);
    typography::head(ui, "Bytes per voxel", "Log scale");
    axis(ui);
    for format in 0..FORMATS.len() {
        bars(ui, format, (world, colour), chunk);
    }
    table(ui, "Loaded world", (world, colour));
    table(ui, if shown.crosshair.met { "Crosshair" } else { "Underfoot" }, (chunk, AMBER));
    memory_owners::list(ui, &shown.memory);
}

type Column<'a> = (Option<&'a Sizes>, Color32);

fn summary(ui: &mut Ui, shown: &StoragePage, (world, colour): Column, chunk: Option<&Sizes>) {
    typography::heads(ui, shown.crosshair);
    let pos = shown.crosshair.chunk;
    let counted = if world.is_some_and(|w| w.chunks < shown.loaded) {
        format!("{} of {}", format::count(shown.world.chunks), format::count(shown.loaded))
    } else {
        format::count(shown.world.chunks)
    };
    // The chunk's position replaces its count, which is always 1.
    typography::pair(
        ui,
        "Chunks",
        (counted, colour),
        (format!("{} {} {}", pos.x, pos.y, pos.z), AMBER),
    );
    let mut row = |label: &str, figure: fn(&Sizes) -> u64| {
        let write = |sizes: Option<&Sizes>| {
            sizes.map_or_else(|| format::NONE.into(), |s| format::count(figure(s)))
        };
        typography::pair(ui, label, (write(world), colour), (write(chunk), AMBER));
    };
    row("Not air", |s| s.nonempty);
    row("Runs", |s| s.runs);
}

/// Position of `per_voxel` bytes on the scale, 0 to 1; 0 for 0 bytes.
fn scale_position(per_voxel: f64) -> f32 {
    // With this order of `max`, NaN gives the low end.
    let at = per_voxel.log10().max(f64::from(MIN_DECADE)).min(f64::from(MAX_DECADE));
    ((at - f64::from(MIN_DECADE)) / f64::from(MAX_DECADE - MIN_DECADE)) as f32
}

/// Horizontal layout of a line: range of the bars, then right ends of the two figures.
fn columns(line: Rect) -> (Rect, f32, f32) {
    const FIGURE: f32 = 51.0;
    let bars =
        Rect::from_x_y_ranges(line.left() + 70.0..=line.right() - 2.0 * FIGURE, line.y_range());
    (bars, line.right() - FIGURE, line.right())
}

/// Draws the labels of the scale lines.
fn axis(ui: &mut Ui) {
    let (line, painter) = typography::strip(ui, 11.0);
    let (bars, ..) = columns(line);
    caption(&painter, line, "In memory");
    for decade in WRITTEN {
        let value = 10f64.powi(decade);
        let at = pos2(bars.left() + scale_position(value) * bars.width(), line.center().y);
        painter.text(at, Align2::CENTER_CENTER, value, typography::small_font(), DIM);
    }
}

/// Bytes per voxel in a format.
fn per_voxel(sizes: &Sizes, format: usize) -> f64 {
    sizes.bytes[format] as f64 / sizes.voxels as f64
}

/// Draws one format: a thick bar for the loaded world, a thin one for the chunk, then both values
/// as figures.
fn bars(ui: &mut Ui, format: usize, (world, colour): Column, chunk: Option<&Sizes>) {
    if format == PACKED {
        let (line, painter) = typography::strip(ui, 11.0);
        caption(&painter, line, "Packed");
    }
    let (line, painter) = typography::strip(ui, 16.0);
    let (_, paint) = STYLES[format];
    name(&painter, line, format);
    let (all, world_end, chunk_end) = columns(line);
    for (sizes, from, to, paint) in
        [(world, 3.0, 9.0, paint), (chunk, 10.0, 13.0, paint.gamma_multiply(0.6))]
    {
        let track = Rect::from_x_y_ranges(all.x_range(), line.top() + from..=line.top() + to);
        painter.rect_filled(track, 1.0, typography::TRACK);
        let length = sizes.map_or(0.0, |s| scale_position(per_voxel(s, format)) * track.width());
        painter.rect_filled(track.with_max_x(track.left() + length), 1.0, paint);
    }
    for decade in MIN_DECADE + 1..MAX_DECADE {
        let x = all.left() + scale_position(10f64.powi(decade)) * all.width();
        painter.vline(
            x,
            line.top() + 3.0..=line.top() + 13.0,
            Stroke::new(1.0, typography::GROUND),
        );
    }
    for (sizes, end, colour) in [(world, world_end, colour), (chunk, chunk_end, AMBER)] {
        typography::right(
            &painter,
            line,
            end,
            format::aligned(sizes.map_or(f64::NAN, |s| per_voxel(s, format))),
            colour,
        );
    }
}

/// Draws the name of a format at the left. The game's own format is highlighted.
fn name(painter: &Painter, line: Rect, format: usize) {
    let ours = format == RUN_TREE;
    if ours {
        painter.rect_filled(
            line.expand2(vec2(4.0, 0.0)),
            CornerRadius::same(3),
            TEAL.gamma_multiply(0.2),
        );
    }
    typography::left(painter, line, line.left(), STYLES[format].0, if ours { TEAL } else { DIM });
}

/// Draws the caption of a group of formats.
fn caption(painter: &Painter, line: Rect, text: &str) {
    painter.text(line.left_center(), Align2::LEFT_CENTER, text, typography::small_font(), DIM);
}

/// Draws the figures that the bars do not show.
fn table(ui: &mut Ui, title: &str, (sizes, colour): Column) {
    let ends = |line: Rect| [0.53, 0.77, 1.0].map(|part| line.left() + part * line.width());
    ui.add_space(5.0);
    let (line, painter) = typography::strip(ui, typography::LINE + 1.0);
    typography::left(&painter, line, line.left(), title, colour);
    for (end, caption) in ends(line).into_iter().zip(["Bytes", "B/not air", "Of dense"]) {
        let at = pos2(end, line.center().y);
        painter.text(at, Align2::RIGHT_CENTER, caption, typography::small_font(), DIM);
    }
    painter.hline(line.x_range(), line.bottom(), Stroke::new(1.0, typography::RULE));
    ui.add_space(2.0);
    for format in 0..FORMATS.len() {
        ui.add_space(if format == PACKED { 3.0 } else { 0.0 });
        let (line, painter) = typography::strip(ui, 13.0);
        name(&painter, line, format);
        let figures = sizes.map_or([format::NONE; 3].map(String::from), |s| {
            let bytes = s.bytes[format];
            [
                format::bytes(bytes),
                format::significant(bytes as f64 / s.nonempty as f64),
                format::fraction(bytes as f64, s.bytes[0] as f64),
            ]
        });
        for (end, figure) in ends(line).into_iter().zip(figures) {
            typography::right(&painter, line, end, figure, colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::metrics::storage::Sizer;
    use stonerun_engine::random::Random;
    use stonerun_engine::voxel::{CHUNK_VOLUME, Voxel};
    use stonerun_engine::world::Chunk;

    #[test]
    fn equal_factors_have_equal_lengths() {
        assert_eq!([0.0, f64::NAN, 1e-9, 1e-4].map(scale_position), [0.0; 4]);
        assert_eq!([10.0, 1e9, f64::INFINITY].map(scale_position), [1.0; 3]);
        for decade in [1e-3, 1e-2, 0.1, 1.0, 10.0] {
            assert!((scale_position(decade) - scale_position(decade / 10.0) - 0.2).abs() < 1e-6);
        }
        assert!((scale_position(3.0) - 0.895_42).abs() < 1e-4, "dense");
    }

    #[test]
    fn every_chunk_fits_the_scale() {
        let mut sizer = Sizer::new();
        let mut random = Random::new(1);
        let noise = Chunk::from_runs(
            (0..CHUNK_VOLUME)
                .map(|_| (1, Voxel::new(random.draw() as u16, random.draw() as u8 | 1))),
        );
        for chunk in [Chunk::uniform(Voxel::AIR), Chunk::uniform(Voxel::full(7)), noise] {
            for bytes in sizer.measure(&chunk).bytes {
                let at = scale_position(bytes as f64 / CHUNK_VOLUME as f64);
                assert!(bytes == 0 && at == 0.0 || at > 0.0 && at < 1.0, "{bytes}");
            }
        }
    }

    #[test]
    fn labels_match_the_formats() {
        assert_eq!((FORMATS[RUN_TREE], STYLES[RUN_TREE]), ("run tree", ("Run tree", TEAL)));
        for (format, (name, _)) in FORMATS.into_iter().zip(STYLES) {
            let part = name.trim().rsplit(' ').next().expect("a name").to_lowercase();
            assert!(format.to_lowercase().ends_with(&part), "{format} is called {name}");
        }
    }
}
