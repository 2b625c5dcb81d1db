//! Sliding matter: weathering and melting, which keep the sum of all fills.

use super::area::PreparedArea;
use super::fill_window::{ChunksAround, FillWindow};
use super::tool::{Shaping, ShapingTool};
use crate::edit::{ChunkBits, ChunkSource, EditError, Mask, Operation};
use crate::voxel::{CHUNK_SIDE, ChunkPos, MaterialId, linear_index, linear_offset, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// Maximum height that matter slides down in one pass, in voxels.
const MAX_DROP: i32 = 16;
/// Layers read below and above a chunk: as many as matter drops, and one more at each end.
const HALO_Y: i32 = MAX_DROP + 2;
/// Height difference that matter rests on when it weathers, in 256ths of a voxel: 45 degrees.
const WEATHER_REST: i32 = 256;

/// Directions of the four parts of a pass.
pub(super) const SLIDE_DIRECTIONS: [IVec3; 4] = [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z];

/// A part of a pass in which matter slides in one direction.
///
/// A *top* is ground below open space (a voxel with the fill 0 that is not fixed). A *foot* is a
/// voxel below open space, not full and not fixed, that has ground or stands on full or fixed
/// ground. Matter slides from a top to the foot in the next column that one reaches straight down
/// from the top's height through open voxels, at most 16 voxels deep. If several tops of a column
/// reach one foot, only the lowest slides.
///
/// With the fills `f` of the top and `g` of the foot, and the top `h` voxels higher, the height
/// difference is `d = 256 h + f - g`. The matter is `(d - rest) / 2`, rounded down: at most `f`,
/// `256 - g` and the smaller weight of both voxels, and none below 0. `rest` is 256 for weathering,
/// so slopes of 45 degrees rest, and 0 for melting. Every top has one foot and every foot one top,
/// so no voxel overflows, and the sum of all fills stays.
pub(super) struct SlidePass<'a> {
    pub shaping: &'a Shaping,
    pub area: &'a PreparedArea,
    /// Mask of the voxels that may change. Both ends of a slide must be accepted.
    pub mask: &'a Mask,
    pub direction: IVec3,
}

/// Matter that slides from a voxel to another, given as offsets from the chunk's origin.
#[derive(Clone, Copy)]
struct Slide {
    from: IVec3,
    to: IVec3,
    amount: i16,
}

impl Operation for SlidePass<'_> {
    fn chunks(&self) -> Vec<ChunkPos> {
        self.area.chunks()
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        let Shaping { ignores_liquids, materials, .. } = self.shaping;
        let around = ChunksAround::read(pos, chunk, world, materials, *ignores_liquids)?;
        if around.one_fill().is_some() {
            return Ok(chunk.clone());
        }
        let window = FillWindow::read(&around, HALO_Y, materials, *ignores_liquids);
        let mut slides = Vec::new();
        for z in 0..CHUNK_SIDE {
            for x in 0..CHUNK_SIDE {
                let column = IVec3::new(x, 0, z);
                self.find(&window, pos, column, &mut slides);
                if !is_inside(column - self.direction) {
                    self.find(&window, pos, column - self.direction, &mut slides);
                }
            }
        }
        self.retain_accepted(pos, world, &mut slides)?;
        let mut moved: FxHashMap<usize, MovedMatter> = FxHashMap::default();
        for slide in &slides {
            if is_inside(slide.from) {
                moved.entry(linear_index(slide.from)).or_default().change -= slide.amount;
            }
            if is_inside(slide.to) {
                let entry = moved.entry(linear_index(slide.to)).or_default();
                entry.change += slide.amount;
                entry.source = Some(around.voxel(slide.from).material());
            }
        }
        let mut changes = Vec::new();
        for (index, moved) in moved {
            let at = linear_offset(index);
            let fill = window.fill(at);
            let before = chunk.get(index);
            let ground = match moved.source {
                Some(source) if fill == 0 => source,
                _ => before.material(),
            };
            // A voxel loses at most what it holds.
            let fill = (fill + moved.change).unsigned_abs();
            changes.push((index..index + 1, materials.reshaped(before, ground, fill)));
        }
        changes.sort_unstable_by_key(|(range, _)| range.start);
        let mut after = chunk.clone();
        if !changes.is_empty() {
            after.set_ranges(changes);
        }
        Ok(after)
    }
}

/// Matter that a voxel gains, less what it loses.
#[derive(Clone, Copy, Default)]
struct MovedMatter {
    change: i16,
    /// Material of the gained matter.
    source: Option<MaterialId>,
}

fn is_inside(at: IVec3) -> bool {
    at.cmpge(IVec3::ZERO).all() && at.cmplt(IVec3::splat(CHUNK_SIDE)).all()
}

impl SlidePass<'_> {
    /// Finds the slides out of a column that start or end in the chunk. `column` is its voxel in
    /// layer 0.
    fn find(&self, window: &FillWindow, pos: ChunkPos, column: IVec3, slides: &mut Vec<Slide>) {
        let is_open = |at: IVec3| window.fill(at) == 0 && !window.is_fixed(at);
        let next = column + self.direction;
        for y in -MAX_DROP..CHUNK_SIDE {
            let foot = next + IVec3::Y * y;
            let fill = window.fill(foot);
            let below = foot - IVec3::Y;
            let is_foot = fill < 256
                && !window.is_fixed(foot)
                && is_open(foot + IVec3::Y)
                && (fill > 0 || window.fill(below) == 256 || window.is_fixed(below));
            if !is_foot {
                continue;
            }
            let highest = (y + MAX_DROP).min(CHUNK_SIDE + MAX_DROP - 1);
            for height in y..=highest {
                if height > y && !is_open(next + IVec3::Y * height) {
                    break;
                }
                let top = column + IVec3::Y * height;
                if window.fill(top) > 0 && is_open(top + IVec3::Y) {
                    slides.extend(self.slide(window, pos, top, foot));
                    break;
                }
            }
        }
    }

    /// The slide from a top to a foot; `None` if no matter slides, or none in the chunk.
    fn slide(&self, window: &FillWindow, pos: ChunkPos, from: IVec3, to: IVec3) -> Option<Slide> {
        if !is_inside(from) && !is_inside(to) {
            return None;
        }
        let rest = if self.shaping.tool == ShapingTool::Melt { 0 } else { WEATHER_REST };
        let fill = i32::from(window.fill(from));
        let foot_fill = i32::from(window.fill(to));
        let difference = 256 * (from.y - to.y) + fill - foot_fill;
        let amount = ((difference - rest) / 2).min(fill).min(256 - foot_fill);
        if amount <= 0 {
            return None;
        }
        let weight = |offset: IVec3| self.area.weight(pos.origin() + offset);
        let amount = (amount as i16).min(weight(from)).min(weight(to));
        (amount > 0).then_some(Slide { from, to, amount })
    }

    /// Keeps slides whose ends the mask accepts.
    fn retain_accepted(
        &self,
        pos: ChunkPos,
        world: &dyn ChunkSource,
        slides: &mut Vec<Slide>,
    ) -> Result<(), EditError> {
        if *self.mask == Mask::Any || slides.is_empty() {
            return Ok(());
        }
        let mut ends: FxHashMap<ChunkPos, ChunkBits> = FxHashMap::default();
        let at = |offset: IVec3| pos.origin() + offset;
        for end in slides.iter().flat_map(|slide| [at(slide.from), at(slide.to)]) {
            let bits = ends.entry(ChunkPos::containing(end)).or_insert_with(ChunkBits::empty);
            let index = linear_index(local(end));
            bits.insert(index..index + 1);
        }
        for (pos, bits) in &mut ends {
            let accepted = self.mask.accepted(*pos, &world.chunk(*pos)?, world, bits)?;
            *bits = accepted;
        }
        let is_accepted = |offset: IVec3| {
            let end = at(offset);
            ends[&ChunkPos::containing(end)].contains(linear_index(local(end)))
        };
        slides.retain(|slide| is_accepted(slide.from) && is_accepted(slide.to));
        Ok(())
    }
}
