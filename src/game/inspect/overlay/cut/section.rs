//! The cut through one chunk: its bars, their colours, and the totals of the chunk.

use super::bars::{CellRect, merge};
use super::cells::{CELLS, ChunkLayer};
use super::chunks::CutChunk;
use super::content::CutContent;
use super::histogram::Histogram;
use crate::game::inspect::overlay::bars::{Stretch, bar_position};
use crate::game::inspect::overlay::{light, neighbourhoods, ramp, runs};
use bevy::color::{ColorToComponents, LinearRgba, Srgba};
use std::sync::Arc;
use stonerun_engine::light::{Channel, LightLevels};
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::voxel::{CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, MAX_LIGHT, Voxel};

/// Opacity of bars of air. Low, so that the world behind the cut stays visible.
const OPEN_COVER: f32 = 0.16;
/// Opacity of bars of light, which lie in air.
const LIGHT_COVER: f32 = 0.82;
/// Brightness of every second bar, so that adjacent bars of equal length differ.
const OTHER_SHADE: f32 = 0.8;
/// Colour of matter whose fused runs are not counted, linear.
const UNCOUNTED: [f32; 3] = [0.1, 0.105, 0.115];
/// Colour of matter that light does not enter, linear.
const DARK: [f32; 3] = [0.02, 0.021, 0.025];

/// One bar on the cut.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CutBar {
    /// Cells that the bar covers.
    pub rect: CellRect,
    /// Number on the bar: voxels of the run, bytes of the row, or light level.
    pub figure: u32,
    /// Value of the voxels. If the bar covers several values, air or any matter stands for them.
    pub voxel: Voxel,
    /// True if the number is the mean of the chunk's runs.
    pub is_mean: bool,
    /// Linear red, green and blue, and opacity.
    pub colour: [f32; 4],
}

/// The cut through one chunk.
#[derive(Clone, PartialEq, Debug)]
pub struct CutSection {
    /// The chunk.
    pub pos: ChunkPos,
    /// True if the whole chunk is air, which takes no memory.
    pub is_air: bool,
    /// Bars of the cut. Where runs are shown, a bar of a distant chunk may cover matter of many
    /// runs.
    pub bars: Vec<CutBar>,
    /// Runs of the chunk: stored runs, fused runs, or runs of light.
    pub runs: u64,
    /// Heap bytes of the chunk's tree, or of its light.
    pub bytes: u64,
    /// Number of runs, rows or cells in each bin of their figure.
    pub histogram: Histogram,
}

/// Tables that decide the colours of bars.
#[derive(Clone)]
pub struct CutColours {
    /// Decides which voxels light enters.
    pub face_materials: Arc<FaceMaterials>,
    /// Mean colour of each material.
    pub materials: Arc<Vec<Srgba>>,
}

/// Builds the section of `chunk`.
#[must_use]
pub fn section(
    content: CutContent,
    layer: ChunkLayer,
    chunk: &CutChunk,
    colours: &CutColours,
) -> CutSection {
    let stretches = runs::stretches(&chunk.tree);
    let runs = stretches.len() as u64;
    let bytes = chunk.tree.heap_bytes() as u64;
    let mut section = CutSection {
        pos: chunk.pos,
        is_air: chunk.tree.as_uniform() == Some(Voxel::AIR),
        bars: Vec::new(),
        runs,
        bytes,
        histogram: Histogram::new(content.bins()),
    };
    match content {
        CutContent::Light => add_light(&mut section, layer, chunk, &stretches, colours),
        CutContent::Bytes => add_rows(&mut section, layer, &stretches),
        CutContent::Materials => add_materials(&mut section, layer, &stretches, colours),
        CutContent::Runs => add_stretches(&mut section, layer, chunk.is_near(), &stretches),
        CutContent::Neighbourhoods => {
            let fused = chunk.neighbourhood.as_ref().map(|neighbourhood| {
                neighbourhoods::stretches(&neighbourhood.borrowed(), &colours.face_materials)
            });
            section.runs = fused.as_ref().map_or(0, |fused| fused.len() as u64);
            match fused {
                Some(fused) => add_stretches(&mut section, layer, true, &fused),
                None => add_uncounted(&mut section, layer, &stretches),
            }
        }
    }
    section
}

/// For each cell, the index of its stretch in `stretches`.
fn stretch_numbers(layer: ChunkLayer, stretches: &[Stretch]) -> [u32; CELLS] {
    let mut numbers = [0; CELLS];
    let mut number = 0;
    for (cell, index) in layer.indices().enumerate() {
        while stretches[number].start + stretches[number].len <= index as u32 {
            number += 1;
        }
        numbers[cell] = number as u32;
    }
    numbers
}

fn linear(colour: Srgba) -> [f32; 3] {
    LinearRgba::from(colour).to_f32_array_no_alpha()
}

/// The colour as an opaque one for matter, a translucent one for air.
fn covering([red, green, blue]: [f32; 3], voxel: Voxel) -> [f32; 4] {
    [red, green, blue, if voxel.is_air() { OPEN_COVER } else { 1.0 }]
}

/// Adds bars of stored or fused runs, coloured by length. In distant chunks, single bars could not
/// be seen, so all matter gets the colour of the mean length.
fn add_stretches(
    section: &mut CutSection,
    layer: ChunkLayer,
    is_near: bool,
    stretches: &[Stretch],
) {
    for stretch in stretches {
        section.histogram.add(length_bin(stretch.len), 1);
    }
    let numbers = stretch_numbers(layer, stretches);
    if !is_near {
        let mean = (CHUNK_VOLUME / stretches.len()) as u32;
        let solid = numbers.map(|number| u32::from(!stretches[number as usize].voxel.is_air()));
        section.bars.extend(merge(&solid).into_iter().filter(|rect| rect.group == 1).map(|rect| {
            CutBar {
                rect,
                figure: mean,
                voxel: Voxel::full(1),
                is_mean: true,
                colour: covering(linear(ramp::colour(bar_position(mean))), Voxel::full(1)),
            }
        }));
        return;
    }
    section.bars.extend(merge(&numbers).into_iter().map(|rect| {
        let Stretch { len, voxel, .. } = stretches[rect.group as usize];
        let shade = if rect.group.is_multiple_of(2) { 1.0 } else { OTHER_SHADE };
        let colour = linear(ramp::colour(bar_position(len))).map(|channel| channel * shade);
        CutBar { rect, figure: len, voxel, is_mean: false, colour: covering(colour, voxel) }
    }));
}

/// Adds the matter of a chunk whose fused runs are not counted, in grey.
fn add_uncounted(section: &mut CutSection, layer: ChunkLayer, stretches: &[Stretch]) {
    let solid = stretch_numbers(layer, stretches)
        .map(|number| u32::from(!stretches[number as usize].voxel.is_air()));
    section.bars.extend(merge(&solid).into_iter().filter(|rect| rect.group == 1).map(|rect| {
        CutBar {
            rect,
            figure: 0,
            voxel: Voxel::full(1),
            is_mean: true,
            colour: covering(UNCOUNTED, Voxel::full(1)),
        }
    }));
}

/// Bin of a run's length: 0 for 128 voxels or more, 7 for single voxels.
fn length_bin(len: u32) -> usize {
    7 - (len.max(1).ilog2() as usize).min(7)
}

/// Adds bars of rows, coloured by bytes. The chunk's bytes are divided equally among its runs, and
/// a row gets the bytes of the runs that begin in it.
fn add_rows(section: &mut CutSection, layer: ChunkLayer, stretches: &[Stretch]) {
    const ROW: usize = CHUNK_SIDE as usize;
    let mut starts = vec![0u32; CHUNK_VOLUME / ROW];
    for stretch in stretches {
        starts[stretch.start as usize / ROW] += 1;
    }
    let bytes_per_run = section.bytes as f64 / stretches.len() as f64;
    let row_bytes: Vec<f64> =
        starts.into_iter().map(|starts| f64::from(starts) * bytes_per_run).collect();
    for &bytes in &row_bytes {
        section.histogram.add(row_bin(bytes), 1);
    }
    let numbers = stretch_numbers(layer, stretches);
    let mut groups = [0; CELLS];
    for (cell, index) in layer.indices().enumerate() {
        let is_air = stretches[numbers[cell] as usize].voxel.is_air();
        groups[cell] = (index / ROW) as u32 * 2 + u32::from(is_air);
    }
    section.bars.extend(merge(&groups).into_iter().map(|rect| {
        let bytes = row_bytes[rect.group as usize / 2];
        let voxel = if rect.group.is_multiple_of(2) { Voxel::full(1) } else { Voxel::AIR };
        let colour = linear(ramp::colour(row_position(bytes)));
        CutBar {
            rect,
            figure: bytes.round() as u32,
            voxel,
            is_mean: false,
            colour: covering(colour, voxel),
        }
    }));
}

/// Position on the ramp of a row of this many bytes: the low end for 0, the high end for 63 or
/// more.
#[must_use]
pub fn row_position(bytes: f64) -> f32 {
    ((bytes + 1.0).log2() / 6.0).min(1.0) as f32
}

fn row_bin(bytes: f64) -> usize {
    (row_position(bytes) * 7.0).round() as usize
}

/// Adds bars of equal light, coloured by level. Matter that light does not enter is dark.
fn add_light(
    section: &mut CutSection,
    layer: ChunkLayer,
    chunk: &CutChunk,
    stretches: &[Stretch],
    colours: &CutColours,
) {
    const OPAQUE: u32 = u32::MAX;
    // The figures of a chunk that is not lit yet are 0.
    section.runs = chunk.light.as_ref().map_or(0, |light| light.run_count() as u64);
    section.bytes = chunk.light.as_ref().map_or(0, |light| light.heap_bytes() as u64);
    let Some(light) = &chunk.light else { return };
    let numbers = stretch_numbers(layer, stretches);
    let mut groups = [OPAQUE; CELLS];
    for (cell, index) in layer.indices().enumerate() {
        if !colours.face_materials.hides(stretches[numbers[cell] as usize].voxel) {
            let levels = light.get(index);
            section.histogram.add(usize::from(strongest(levels)), 1);
            groups[cell] = packed(levels);
        }
    }
    section.bars.extend(merge(&groups).into_iter().map(|rect| {
        if rect.group == OPAQUE {
            let [red, green, blue] = DARK;
            return CutBar {
                rect,
                figure: 0,
                voxel: Voxel::full(1),
                is_mean: false,
                colour: [red, green, blue, 1.0],
            };
        }
        let levels = unpacked(rect.group);
        let [red, green, blue] = linear(light_colour(levels));
        let colour = [red, green, blue, LIGHT_COVER];
        CutBar { rect, figure: strongest(levels).into(), voxel: Voxel::AIR, is_mean: false, colour }
    }));
}

/// The levels of all channels, four bits each.
fn packed(levels: LightLevels) -> u32 {
    Channel::ALL.into_iter().fold(0, |word, channel| word << 4 | u32::from(levels.get(channel)))
}

/// Inverse of [`packed`].
fn unpacked(word: u32) -> LightLevels {
    let channels = Channel::ALL.into_iter().rev().enumerate();
    channels.fold(LightLevels::DARK, |levels, (place, channel)| {
        levels.with(channel, (word >> (4 * place) & 15) as u8)
    })
}

/// Level of the sun or of the brightest lamp channel, whichever is higher.
fn strongest(levels: LightLevels) -> u8 {
    Channel::ALL.map(|channel| levels.get(channel)).into_iter().max().unwrap_or(0)
}

/// The overlay's colour for the sun's level, or the colour of the lamps if they are brighter.
fn light_colour(levels: LightLevels) -> Srgba {
    let sun = levels.get(Channel::Sun);
    if strongest(levels) == sun {
        return light::level_colour(f32::from(sun) / f32::from(MAX_LIGHT));
    }
    let [red, green, blue] = [Channel::Red, Channel::Green, Channel::Blue]
        .map(|channel| f32::from(levels.get(channel)) / f32::from(MAX_LIGHT));
    Srgba::rgb(red, green, blue)
}

/// Adds bars of equal material, in its colour. Leaves out air.
fn add_materials(
    section: &mut CutSection,
    layer: ChunkLayer,
    stretches: &[Stretch],
    colours: &CutColours,
) {
    let numbers = stretch_numbers(layer, stretches);
    let materials = numbers.map(|number| u32::from(stretches[number as usize].voxel.material()));
    section.bars.extend(merge(&materials).into_iter().filter(|rect| rect.group != 0).map(|rect| {
        let colour = colours.materials.get(rect.group as usize).copied().unwrap_or(Srgba::WHITE);
        let [red, green, blue] = linear(colour);
        let shown =
            stretches[numbers[usize::from(rect.low) * 32 + usize::from(rect.left)] as usize];
        CutBar {
            rect,
            figure: shown.len,
            voxel: shown.voxel,
            is_mean: false,
            colour: [red, green, blue, 1.0],
        }
    }));
}

#[cfg(test)]
#[path = "section_tests.rs"]
mod tests;
