//! Lighting of many chunks together.
//!
//! Levels are kept as bits until all chunks are lit, so that chunks that exchange light are not
//! converted to runs and back in between. The chunk with the brightest source is lit next: light
//! spreads through it, and its border voxels that are at least two levels brighter than the
//! adjacent voxels of another chunk of the batch become sources there. Levels only rise, so the
//! order of the chunks does not change the result; brightest first spreads most voxels only once.
//! Chunks outside the batch keep their light.

use super::bit_planes::{LevelBits, LineLevels, SideLine, exceeding, layer, take_level};
use super::chunk_light::ChunkLight;
use super::light_runs::levels_to_runs;
use super::light_traits::{Dimming, LightTraits};
use super::matter::{DimmingExtents, Lamp, MatterReader};
use super::spread::{LEVELS, LightSource, SourceLine, Spreader};
use super::{Channel, LightLevels};
use crate::bits::set_bits;
use crate::runs::RunTree;
use crate::runs::bit_rows::SIDE;
use crate::voxel::Face;

/// The levels of a chunk under the open sky.
static ALL_SUNLIT: LevelBits = [[[u32::MAX; SIDE]; 4]; SIDE];
/// The levels of a dark chunk.
const DARK: LevelBits = [[[0; SIDE]; 4]; SIDE];

/// A chunk to light.
pub(super) struct BatchChunk<'a> {
    pub chunk: &'a RunTree,
    /// Surroundings of the chunk, by [`Face`].
    pub sides: [BatchSide<'a>; 6],
}

/// Surroundings of a chunk of a batch at one side.
#[derive(Clone, Copy)]
pub(super) enum BatchSide<'a> {
    /// A chunk that is not loaded: no light comes from there.
    Unknown,
    /// The open sky.
    Sky,
    /// A chunk outside the batch, with this light.
    Outside(&'a ChunkLight),
    /// The chunk of the batch with this number.
    Inside(usize),
}

/// The levels of a chunk in one channel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChannelLight {
    Dark,
    /// Level 15 everywhere.
    Full,
    /// Levels in the planes with this number.
    Planes(usize),
}

/// State of a chunk while its batch is lit.
struct BatchEntry {
    dimming: DimmingExtents,
    light: [ChannelLight; Channel::ALL.len()],
    /// Sources of the current channel that have not spread yet.
    sources: Vec<LightSource>,
    /// Level at which the chunk is queued; 0 if it is not.
    queued: usize,
    /// True if sunlight that fell into the chunk has not spread yet.
    spreads_sun: bool,
}

/// Lights batches of chunks. Kept between batches to reuse its buffers.
#[derive(Default)]
pub(super) struct Batch {
    matter: MatterReader,
    planes: Vec<LevelBits>,
    entries: Vec<BatchEntry>,
    /// Lamps, with the numbers of their chunks.
    lamps: Vec<(usize, Lamp)>,
    spreader: Spreader,
    /// Chunks to spread light in, by the level of their brightest source.
    queue: [Vec<usize>; LEVELS + 1],
}

impl Batch {
    /// Computes the light of chunks, which must be in the order of descending y: sunlight falls
    /// from each chunk into the next one in a single pass.
    pub fn light(&mut self, chunks: &[BatchChunk<'_>], traits: &LightTraits) -> Vec<ChunkLight> {
        self.matter.clear();
        self.planes.clear();
        self.entries.clear();
        self.lamps.clear();
        for (number, chunk) in chunks.iter().enumerate() {
            let dimming = self.matter.read(chunk.chunk, traits);
            let light = [ChannelLight::Dark; Channel::ALL.len()];
            self.entries.push(BatchEntry {
                dimming,
                light,
                sources: Vec::new(),
                queued: 0,
                spreads_sun: false,
            });
            MatterReader::read_lamps(chunk.chunk, traits, |lamp| self.lamps.push((number, lamp)));
        }
        for channel in Channel::ALL {
            if channel == Channel::Sun {
                self.fall(chunks);
            }
            self.enter_from_outside(chunks, channel);
            self.add_lamps(channel);
            while let Some(number) = self.take_brightest() {
                self.spread(number, chunks, channel);
            }
        }
        (0..chunks.len()).map(|number| self.finish(number)).collect()
    }

    /// Lets the full level of the sun fall through clear voxels, and enter adjacent chunks.
    fn fall(&mut self, chunks: &[BatchChunk<'_>]) {
        for (number, chunk) in chunks.iter().enumerate() {
            let dimming = self.entries[number].dimming;
            let Some(open) = self.matter.planes(&dimming)[Dimming::Clear as usize] else {
                continue;
            };
            let line_above = |z: usize| match chunk.sides[Face::Up as usize] {
                BatchSide::Inside(above) => self.line(above, Face::Down, z, Channel::Sun),
                _ => [0; 4],
            };
            let mut rows: [u32; SIDE] = match chunk.sides[Face::Up as usize] {
                BatchSide::Unknown => continue,
                BatchSide::Sky => [u32::MAX; SIDE],
                BatchSide::Inside(_) => std::array::from_fn(|z| full_level(line_above(z))),
                BatchSide::Outside(light) => light
                    .side(Face::Up, Channel::Sun)
                    .map_or([0; SIDE], |side| side.map(full_level)),
            };
            if dimming.is_open() && rows == [u32::MAX; SIDE] {
                self.entries[number].light[Channel::Sun as usize] = ChannelLight::Full;
                continue;
            }
            let mut planes = None;
            for y in (0..SIDE).rev() {
                rows.iter_mut().zip(layer(open, y)).for_each(|(row, open)| *row &= open);
                if rows == [0; SIDE] {
                    break;
                }
                let planes = planes.get_or_insert_with(|| {
                    self.planes.push(DARK);
                    self.planes.len() - 1
                });
                self.planes[*planes][y] = [rows; 4];
            }
            if let Some(planes) = planes {
                self.entries[number].light[Channel::Sun as usize] = ChannelLight::Planes(planes);
                self.entries[number].spreads_sun = true;
                self.enqueue(number, LEVELS);
            }
        }
        for (number, chunk) in chunks.iter().enumerate() {
            if self.entries[number].light[Channel::Sun as usize] == ChannelLight::Dark {
                continue;
            }
            for face in [Face::East, Face::West, Face::South, Face::North, Face::Down] {
                if let BatchSide::Inside(next) = chunk.sides[face as usize] {
                    self.enter(number, next, face, u32::MAX, Channel::Sun);
                }
            }
        }
    }

    /// Adds the light of chunks around the batch as sources.
    fn enter_from_outside(&mut self, chunks: &[BatchChunk<'_>], channel: Channel) {
        for (number, chunk) in chunks.iter().enumerate() {
            for (face, side) in Face::ALL.into_iter().zip(chunk.sides) {
                let lines = match side {
                    BatchSide::Sky if channel == Channel::Sun => [[u32::MAX; 4]; SIDE],
                    BatchSide::Outside(light) => match light.side(face, channel) {
                        Some(lines) => lines,
                        None => continue,
                    },
                    _ => continue,
                };
                for (line, levels) in lines.into_iter().enumerate() {
                    self.enter_line(number, face, line, levels, channel);
                }
            }
        }
    }

    fn add_lamps(&mut self, channel: Channel) {
        for at in 0..self.lamps.len() {
            let (number, Lamp { row, bits, levels }) = self.lamps[at];
            let level = levels.get(channel);
            if level > 0 {
                self.add_source(number, LightSource { level, line: SourceLine::Inside(row), bits });
            }
        }
    }

    fn add_source(&mut self, number: usize, source: LightSource) {
        self.entries[number].sources.push(source);
        self.enqueue(number, source.level.into());
    }

    fn enqueue(&mut self, number: usize, level: usize) {
        if level > self.entries[number].queued {
            self.entries[number].queued = level;
            self.queue[level].push(number);
        }
    }

    /// Takes a chunk with the brightest source from the queue.
    fn take_brightest(&mut self) -> Option<usize> {
        for level in (1..=LEVELS).rev() {
            while let Some(number) = self.queue[level].pop() {
                // Otherwise the entry is outdated: all sources of the chunk were spread together
                // with a brighter one.
                if self.entries[number].queued == level {
                    self.entries[number].queued = 0;
                    return Some(number);
                }
            }
        }
        None
    }

    /// Spreads the light of a chunk's sources through the chunk and into its neighbours.
    #[inline(never)]
    fn spread(&mut self, number: usize, chunks: &[BatchChunk<'_>], channel: Channel) {
        let entry = &mut self.entries[number];
        let planes = match entry.light[channel as usize] {
            ChannelLight::Planes(planes) => planes,
            ChannelLight::Full => {
                entry.sources.clear();
                return;
            }
            ChannelLight::Dark => {
                self.planes.push(DARK);
                self.planes.len() - 1
            }
        };
        entry.light[channel as usize] = ChannelLight::Planes(planes);
        let spreads_sun = std::mem::take(&mut entry.spreads_sun);
        let open = self.matter.planes(&entry.dimming);
        let changed =
            self.spreader.spread(open, &mut self.planes[planes], &mut entry.sources, spreads_sun);
        for (face, lines) in Face::ALL.into_iter().zip(changed) {
            if let BatchSide::Inside(next) = chunks[number].sides[face as usize] {
                self.enter(number, next, face, lines, channel);
            }
        }
    }

    /// Lets the light of some lines of a chunk's side enter the next chunk.
    fn enter(&mut self, number: usize, next: usize, face: Face, lines: u32, channel: Channel) {
        let entry = &self.entries[next];
        if entry.dimming.is_opaque() || entry.light[channel as usize] == ChannelLight::Full {
            return;
        }
        for line in set_bits(lines) {
            let line = line as usize;
            let levels = self.line(number, face, line, channel);
            self.enter_line(next, face.opposite(), line, levels, channel);
        }
    }

    /// Adds sources next to a border line, at voxels at least two levels brighter than the adjacent
    /// voxels of the line. Dimmer voxels cannot brighten the line, because a step costs a level.
    fn enter_line(
        &mut self,
        number: usize,
        face: Face,
        line: usize,
        levels: LineLevels,
        channel: Channel,
    ) {
        let at = SideLine::new(face, line);
        let planes = self.matter.planes(&self.entries[number].dimming);
        let open = planes.into_iter().flatten().fold(0, |open, plane| open | at.read(plane));
        if open == 0 || levels == [0; 4] {
            return;
        }
        let mut bits = open & exceeding(levels, self.line(number, face, line, channel));
        while let Some((level, bits)) = take_level(&mut bits, levels) {
            let line = SourceLine::Outside(face, line as u8);
            self.add_source(number, LightSource { level: level as u8, line, bits });
        }
    }

    /// The levels of a line at a chunk's side.
    fn line(&self, number: usize, face: Face, line: usize, channel: Channel) -> LineLevels {
        match self.entries[number].light[channel as usize] {
            ChannelLight::Dark => [0; 4],
            ChannelLight::Full => [u32::MAX; 4],
            ChannelLight::Planes(planes) => SideLine::new(face, line).levels(&self.planes[planes]),
        }
    }

    /// Converts the light of a chunk to runs.
    fn finish(&self, number: usize) -> ChunkLight {
        let light = self.entries[number].light;
        if light == [ChannelLight::Full, ChannelLight::Dark, ChannelLight::Dark, ChannelLight::Dark]
        {
            return ChunkLight::uniform(LightLevels::SUNLIT);
        }
        let channels = Channel::ALL.into_iter().zip(light);
        let lit: Vec<(Channel, &LevelBits)> = channels
            .filter_map(|(channel, light)| match light {
                ChannelLight::Dark => None,
                ChannelLight::Full => Some((channel, &ALL_SUNLIT)),
                ChannelLight::Planes(planes) => Some((channel, &self.planes[planes])),
            })
            .collect();
        ChunkLight::from_tree(levels_to_runs(&lit))
    }
}

/// The voxels of a line that have level 15.
fn full_level(levels: LineLevels) -> u32 {
    levels.into_iter().fold(u32::MAX, |all, word| all & word)
}
