//! A region of the world as one flat array: the store of the rivals.

use glam::{IVec3, USizeVec3};
use stonerun_engine::light::{Channel, Dimming, LightTraits};
use stonerun_engine::runs::RunTree;
use stonerun_engine::voxel::{CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Voxel, linear_offset};

/// Levels of red, green and blue that a voxel emits.
type Emitted = [u8; 3];

/// Entry of [`FlatRegion::loss`] for a voxel that stops light.
pub const BLOCKED: u8 = 0;

/// Light traits of each voxel in a box of chunks, x fastest, then z, then y. A layer of blocking
/// voxels around the box makes bounds checks unnecessary.
pub struct FlatRegion {
    /// Position of the lowest chunk.
    min: IVec3,
    /// Voxels along each axis, including the blocking layers.
    size: USizeVec3,
    /// Levels lost in a step into each voxel; [`BLOCKED`] where light is stopped.
    pub loss: Vec<u8>,
    /// True for voxels through which the sun shines undimmed.
    pub is_clear: Vec<bool>,
    /// Height from which everything in a column is clear, for each column, x fastest.
    pub open_from: Vec<usize>,
    /// Indices of the voxels that emit light, with their levels of red, green and blue.
    pub lamps: Vec<(usize, Emitted)>,
    /// Index of each voxel's levels in `emissions`.
    emission: Vec<u8>,
    /// The distinct levels that voxels emit. The first entry is no light.
    emissions: Vec<Emitted>,
}

impl FlatRegion {
    /// The region of the chunks from `min` up to but not including `max`. `chunk` returns `None`
    /// for chunks that are not loaded, which stop light.
    pub fn new<'a>(
        min: IVec3,
        max: IVec3,
        traits: &LightTraits,
        chunk: impl Fn(ChunkPos) -> Option<&'a RunTree>,
    ) -> FlatRegion {
        let size = ((max - min) * CHUNK_SIDE).as_usizevec3() + 2;
        let mut region = FlatRegion {
            min,
            size,
            loss: vec![BLOCKED; size.element_product()],
            is_clear: vec![false; size.element_product()],
            open_from: vec![1; size.x * size.z],
            lamps: Vec::new(),
            emission: vec![0; size.element_product()],
            emissions: vec![[0; 3]],
        };
        let chunks = IVec3::new(max.x, max.y, max.z) - min;
        for index in 0..chunks.element_product() {
            let offset = IVec3::new(
                index % chunks.x,
                index / (chunks.x * chunks.z),
                index / chunks.x % chunks.z,
            );
            if let Some(chunk) =
                chunk(ChunkPos::new(min.x + offset.x, min.y + offset.y, min.z + offset.z))
            {
                region.read(offset, chunk, traits);
            }
        }
        for z in 1..size.z - 1 {
            for x in 1..size.x - 1 {
                let closed =
                    (1..size.y - 1).rev().find(|&y| !region.is_clear[region.index(x, y, z)]);
                region.open_from[x + size.x * z] = closed.map_or(1, |y| y + 1);
            }
        }
        region
    }

    fn read(&mut self, offset: IVec3, chunk: &RunTree, traits: &LightTraits) {
        for run in chunk.runs() {
            let (dimming, emitted) = light_of(run.voxel, traits);
            let number = self.number_of(emitted);
            for index in run.start as usize..run.end() as usize {
                let at = self.at(offset, index);
                self.set_dimming(at, dimming);
                if emitted != [0; 3] {
                    self.lamps.push((at, emitted));
                    self.emission[at] = number;
                }
            }
        }
    }

    /// Index of emitted levels in `emissions`. Adds new levels; entries beyond 256 share the last
    /// index.
    fn number_of(&mut self, emitted: Emitted) -> u8 {
        let known = self.emissions.iter().position(|&other| other == emitted);
        let number = known.unwrap_or_else(|| {
            self.emissions.push(emitted);
            self.emissions.len() - 1
        });
        number.min(255) as u8
    }

    /// The levels that the voxel at an index emits.
    #[inline]
    pub fn emitted(&self, at: usize) -> Emitted {
        self.emissions[usize::from(self.emission[at])]
    }

    /// Changes the voxel at an index, but leaves `lamps` unchanged.
    pub fn set(&mut self, at: usize, voxel: Voxel, traits: &LightTraits) {
        let (dimming, emitted) = light_of(voxel, traits);
        self.set_dimming(at, dimming);
        self.emission[at] = self.number_of(emitted);
        let ((height, column), layer) = (self.column(at), self.size.x * self.size.z);
        let open = &mut self.open_from[column];
        if dimming != Some(Dimming::Clear) {
            *open = height.max(*open - 1) + 1;
        } else if height + 1 == *open {
            let closed = (1..height).rev().find(|y| !self.is_clear[at - (height - y) * layer]);
            *open = closed.map_or(1, |y| y + 1);
        }
    }

    fn set_dimming(&mut self, at: usize, dimming: Option<Dimming>) {
        self.loss[at] = dimming.map_or(BLOCKED, Dimming::loss);
        self.is_clear[at] = dimming == Some(Dimming::Clear);
    }

    /// Height of the voxel at an index, and index of its column.
    pub fn column(&self, at: usize) -> (usize, usize) {
        let layer = self.size.x * self.size.z;
        (at / layer, at % layer)
    }

    /// Index of the voxel at a position of the world, which must lie in the region.
    pub fn index_of(&self, at: IVec3) -> usize {
        let at = (at - self.min * CHUNK_SIDE).as_usizevec3() + 1;
        self.index(at.x, at.y, at.z)
    }

    /// Index in the array of a voxel of the chunk at `offset`, in chunks from the lowest.
    fn at(&self, offset: IVec3, index: usize) -> usize {
        let at = (offset * CHUNK_SIDE + linear_offset(index)).as_usizevec3() + 1;
        self.index(at.x, at.y, at.z)
    }

    /// Index of the voxel at these coordinates, which count from the lowest blocking layers.
    pub fn index(&self, x: usize, y: usize, z: usize) -> usize {
        x + self.size.x * (z + self.size.z * y)
    }

    /// Voxels along each axis, including the blocking layers.
    pub fn size(&self) -> USizeVec3 {
        self.size
    }

    /// Distances in the array to the neighbours: +x, -x, +y, -y, +z, -z.
    pub fn steps(&self) -> [isize; 6] {
        let row = self.size.x as isize;
        let layer = (self.size.x * self.size.z) as isize;
        [1, -1, layer, -layer, row, -row]
    }

    /// The levels of a chunk in linear order, taken from an array of levels of the region.
    pub fn levels_of(&self, levels: &[u8], pos: ChunkPos) -> Vec<u8> {
        let offset = pos.as_ivec3() - self.min;
        (0..CHUNK_VOLUME).map(|index| levels[self.at(offset, index)]).collect()
    }
}

/// Dimming of a voxel, and the levels that the voxel emits.
fn light_of(voxel: Voxel, traits: &LightTraits) -> (Option<Dimming>, Emitted) {
    let channels = [Channel::Red, Channel::Green, Channel::Blue];
    (traits.dimming(voxel), channels.map(|channel| traits.emission(voxel, channel)))
}
