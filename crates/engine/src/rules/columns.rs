//! Columns of loaded chunks for the weather: their top voxels and temperatures.

use super::active_chunk::KindAmount;
use super::active_chunks::{ActiveChunks, ChunkSource};
use super::kinds::RuleKindSet;
use crate::random::hash;
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use glam::IVec3;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, RangeInclusive};
use std::sync::Arc;

/// Margin around the sampled temperatures of a column: places between the samples may be colder or
/// warmer.
const SLACK: f32 = 0.03;

/// Number of columns that are refreshed in each step, in turn.
const REFRESHED_PER_STEP: usize = 4;
/// Number of further columns that are refreshed for each new one. More than one, so that columns
/// that are no longer loaded stay few even while many are loaded per step.
const REFRESHED_PER_NEW: usize = 2;

/// Function from x and z to the temperature, from about -1 (frozen) to 1 (hot).
#[derive(Clone)]
pub struct Climate(Arc<dyn Fn(i32, i32) -> f32 + Send + Sync>);

impl Climate {
    /// Creates a climate from a function, which must always return the same temperature for a
    /// place.
    pub fn new(temperature: impl Fn(i32, i32) -> f32 + Send + Sync + 'static) -> Climate {
        Climate(Arc::new(temperature))
    }

    /// Temperature at `x`, `z`.
    #[must_use]
    pub(crate) fn temperature(&self, x: i32, z: i32) -> f32 {
        (self.0)(x, z)
    }

    /// Range of temperatures in a column of chunks, sampled at nine places with some tolerance.
    fn range(&self, [x, z]: [i32; 2]) -> RangeInclusive<f32> {
        let places = (0..9).map(|n| [x * CHUNK_SIDE + n % 3 * 15, z * CHUNK_SIDE + n / 3 * 15]);
        let mut temperatures = places.map(|[x, z]| self.temperature(x, z));
        let first = temperatures.next().unwrap_or(0.0);
        let (low, high) =
            temperatures.fold((first, first), |(low, high), t| (low.min(t), high.max(t)));
        low - SLACK..=high + SLACK
    }
}

impl std::fmt::Debug for Climate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Climate")
    }
}

/// A column of loaded chunks.
pub(super) struct Column {
    /// Positions of the chunks along y.
    pub chunks: BTreeSet<i32>,
    /// Range of temperatures in the column; `None` without a climate.
    pub temperatures: Option<RangeInclusive<f32>>,
    /// The kinds in the chunks, and possibly some that they no longer hold.
    pub kinds: RuleKindSet,
}

/// The highest voxel in a column of voxels that is not gas.
#[derive(Clone, Copy)]
pub(super) struct TopVoxel {
    /// Position of the voxel.
    pub at: IVec3,
    /// Kind of the voxel.
    pub kind: RuleKindSet,
    /// Amount in the voxel, in 256ths of a full voxel.
    pub amount: u32,
    /// True if water stands in what the voxel leaves free.
    pub is_wet: bool,
}

/// The columns of a world, by position of their chunks along x and z.
#[derive(Default)]
pub(super) struct Columns {
    columns: BTreeMap<[i32; 2], Column>,
    /// The climate; `None` if the map has none.
    climate: Option<Climate>,
    /// The column that was refreshed last.
    refreshed: Option<[i32; 2]>,
    /// Number of columns added since the last call of [`Columns::refresh_some`].
    new: usize,
}

impl Columns {
    /// Sets the climate.
    pub fn set_climate(&mut self, climate: Option<Climate>) {
        self.climate = climate;
        for (&place, column) in &mut self.columns {
            column.temperatures = self.climate.as_ref().map(|climate| climate.range(place));
        }
    }

    /// The climate; `None` if the map has none.
    pub fn climate(&self) -> Option<&Climate> {
        self.climate.as_ref()
    }

    /// Adds a chunk that was loaded or changed, with its kinds.
    pub fn add(&mut self, pos: ChunkPos, kinds: RuleKindSet) {
        let Columns { columns, climate, new, .. } = self;
        let column = columns.entry([pos.x, pos.z]).or_insert_with_key(|&place| {
            *new += 1;
            Column {
                chunks: BTreeSet::new(),
                temperatures: climate.as_ref().map(|climate| climate.range(place)),
                kinds: RuleKindSet::default(),
            }
        });
        column.chunks.insert(pos.y);
        column.kinds = column.kinds.union(kinds);
    }

    /// The columns, by position of their chunks along x and z.
    pub fn iter(&self) -> impl Iterator<Item = ([i32; 2], &Column)> {
        self.columns.iter().map(|(&place, column)| (place, column))
    }

    /// Refreshes a few columns in turn, so that every column without loaded chunks is dropped
    /// eventually.
    pub(crate) fn refresh_some(&mut self, chunks: &ActiveChunks, source: ChunkSource<'_>) {
        let count = REFRESHED_PER_STEP + REFRESHED_PER_NEW * std::mem::take(&mut self.new);
        for _ in 0..count.min(self.columns.len()) {
            let after = self.refreshed.map_or(Bound::Unbounded, Bound::Excluded);
            let next = self
                .columns
                .range((after, Bound::Unbounded))
                .next()
                .or_else(|| self.columns.iter().next());
            self.refreshed = next.map(|(&place, _)| place);
            if let Some(place) = self.refreshed {
                self.refresh(place, chunks, source);
            }
        }
    }

    /// Recomputes the kinds of a column, and drops chunks that are no longer loaded.
    pub fn refresh(&mut self, place: [i32; 2], chunks: &ActiveChunks, source: ChunkSource<'_>) {
        let Some(column) = self.columns.get_mut(&place) else { return };
        column.kinds = RuleKindSet::default();
        column.chunks.retain(|&y| {
            let pos = ChunkPos::new(place[0], y, place[1]);
            let kinds = chunks.kinds(pos, source);
            column.kinds = column.kinds.union(kinds.unwrap_or_default());
            kinds.is_some()
        });
        if column.chunks.is_empty() {
            self.columns.remove(&place);
        }
    }
}

impl Column {
    /// The highest voxel at `x` and `z` that is not gas. `None` if there is none, if the voxel
    /// above it is not loaded, or if chunks are missing between it and the highest loaded chunk.
    pub fn top(
        &self,
        x: i32,
        z: i32,
        chunks: &ActiveChunks,
        source: ChunkSource<'_>,
    ) -> Option<TopVoxel> {
        let gases = source.kinds.gases();
        let mut above: Option<i32> = None;
        for &y in self.chunks.iter().rev() {
            if above.is_some_and(|above| above != y + 1) {
                return None;
            }
            let origin = IVec3::new(x, y * CHUNK_SIDE, z);
            for dy in (0..CHUNK_SIDE).rev() {
                let at = origin + IVec3::Y * dy;
                let KindAmount { kind, amount, is_wet } = chunks.voxel(at, source)?;
                if !gases.meets(kind) {
                    let is_under_sky = dy < CHUNK_SIDE - 1 || above.is_some();
                    return is_under_sky.then_some(TopVoxel { at, kind, amount, is_wet });
                }
            }
            above = Some(y);
        }
        None
    }
}

/// Draws the column of voxels in which a rule acts in this step, for a column of chunks. `None` in
/// all but one of `every` steps on average. `draws` is the hash of seed, step and rule.
pub(super) fn drawn([x, z]: [i32; 2], draws: u64, every: u64) -> Option<[i32; 2]> {
    let hash = [x, z].into_iter().fold(draws, |draws, part| hash(draws ^ u64::from(part as u32)));
    let place = (hash >> 32) as i32;
    let is_due = (hash & 0xFFFF_FFFF).is_multiple_of(every);
    is_due.then(|| [x * CHUNK_SIDE + (place & 31), z * CHUNK_SIDE + (place >> 5 & 31)])
}
