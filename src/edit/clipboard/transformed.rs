//! Carries out transforms of a clipboard.

use super::Clipboard;
use super::dense_chunk::DenseChunk;
use super::orientation::Orientation;
use super::transform::Transform;
use super::turned_mounts::TurnedMounts;
use crate::edit::region::Region;
use crate::edit::{EditError, JobProgress, MAX_CHUNKS};
use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel, WORLD_LIMIT, linear_index, linear_offset, local};
use crate::world::Chunk;
use glam::{DAffine3, DVec3, IVec3};

impl Clipboard {
    /// The clipboard, transformed. Torches are turned with their walls if `materials`, the table of
    /// its voxels, is given. Quarter turns and flips work chunk by chunk, everything else voxel by
    /// voxel.
    ///
    /// # Errors
    /// The result lies in too many chunks, or the job was cancelled.
    pub fn transformed(
        &self,
        transform: &Transform,
        materials: Option<&MaterialTable>,
        progress: &JobProgress,
    ) -> Result<Clipboard, EditError> {
        let matrix = transform.affine().matrix3;
        let mounts = materials.map(|table| TurnedMounts::new(table, matrix)).unwrap_or_default();
        match transform.orientation() {
            Some((orientation, shift)) => self.turned(orientation, shift, &mounts, progress),
            None => self.resampled(transform.affine(), &mounts, progress),
        }
    }

    /// The clipboard turned about its origin, then shifted.
    fn turned(
        &self,
        orientation: Orientation,
        shift: IVec3,
        mounts: &TurnedMounts,
        progress: &JobProgress,
    ) -> Result<Clipboard, EditError> {
        let chunks: Vec<ChunkPos> = self.0.region.chunks().collect();
        let turned = progress.map(&chunks, |&pos| {
            let inside = self.0.region.chunk(pos).map(|inside| orientation.turned_chunk(inside));
            let voxels = self.0.chunks.get(&pos).map(|chunk| orientation.turned_chunk(&mounts.apply(chunk)));
            Ok((orientation.turned_pos(pos), voxels, inside))
        })?;
        Ok(Clipboard::from_parts(turned, orientation.turned_voxel(self.0.origin) - shift))
    }

    /// The clipboard transformed by looking up each voxel of the result in this one.
    fn resampled(
        &self,
        affine: DAffine3,
        mounts: &TurnedMounts,
        progress: &JobProgress,
    ) -> Result<Clipboard, EditError> {
        let area = image(affine, self.bounds()).ok_or(EditError::TooLarge)?;
        if area.in_chunks().volume() > MAX_CHUNKS {
            return Err(EditError::TooLarge);
        }
        let inverse = affine.inverse();
        let chunks: Vec<ChunkPos> = area.chunks().collect();
        let parts = progress.map(&chunks, |&pos| {
            let sources = image(inverse, pos.bounds());
            if sources.is_some_and(|sources| sources.intersection(self.bounds()).is_empty()) {
                return Ok((pos, None, None));
            }
            let (voxels, inside) = self.resampled_chunk(inverse, pos);
            Ok((pos, Some(mounts.apply(&voxels)), Some(inside)))
        })?;
        Ok(Clipboard::from_parts(parts, IVec3::ZERO))
    }

    /// The chunk at `pos` of the result, and which of its voxels belong to it.
    fn resampled_chunk(&self, inverse: DAffine3, pos: ChunkPos) -> (Chunk, Chunk) {
        let (mut voxels, mut inside) = (DenseChunk::filled(Voxel::AIR), DenseChunk::filled(Voxel::AIR));
        let (bounds, origin) = (self.bounds(), self.0.origin);
        // Neighbours in the result mostly come from one chunk.
        let mut last: Option<(ChunkPos, Option<&Chunk>, Option<&Chunk>)> = None;
        let places = voxels.voxels_mut().iter_mut().zip(inside.voxels_mut());
        for (index, (voxel, belongs)) in places.enumerate() {
            let centre = (pos.origin() + linear_offset(index)).as_dvec3() + 0.5;
            let offset = inverse.transform_point3(centre).floor().as_ivec3();
            if !bounds.contains(offset) {
                continue;
            }
            let at = origin + offset;
            let source = ChunkPos::containing(at);
            let (_, region, chunk) = *match &mut last {
                Some(known) if known.0 == source => known,
                last => last.insert((source, self.0.region.chunk(source), self.0.chunks.get(&source))),
            };
            if region.is_some_and(|region| region.get(linear_index(local(at))) == Region::INSIDE) {
                *belongs = Region::INSIDE;
                *voxel = chunk.map_or(Voxel::AIR, |chunk| chunk.get(linear_index(local(at))));
            }
        }
        (voxels.to_chunk(), inside.to_chunk())
    }

    /// A clipboard of chunks: their grid positions, voxels (else air), and which of them belong to
    /// it (else none).
    fn from_parts(parts: Vec<(ChunkPos, Option<Chunk>, Option<Chunk>)>, origin: IVec3) -> Clipboard {
        let inside = parts.iter().filter_map(|(pos, _, inside)| Some((*pos, inside.clone()?)));
        let region = Region::from_chunks(inside);
        Clipboard::new(parts.into_iter().filter_map(|(pos, voxels, _)| Some((pos, voxels?))), region, origin)
    }
}

/// The smallest box around a box's image; `None` if it leaves the world.
fn image(affine: DAffine3, area: Box3) -> Option<Box3> {
    let [low, high] = [area.min, area.max].map(|corner| corner.as_dvec3());
    let corner = |number: i32| {
        let is_high = IVec3::new(number & 1, number >> 1 & 1, number >> 2).cmpeq(IVec3::ONE);
        affine.transform_point3(DVec3::select(is_high, high, low))
    };
    let corners: [DVec3; 8] = std::array::from_fn(|number| corner(number as i32));
    let min = corners.iter().copied().fold(corners[0], DVec3::min).floor();
    let max = corners.iter().copied().fold(corners[0], DVec3::max).ceil();
    // False for what is no number.
    let fits = min.min_element() >= f64::from(-WORLD_LIMIT) && max.max_element() <= f64::from(WORLD_LIMIT);
    fits.then(|| Box3 { min: min.as_ivec3(), max: max.as_ivec3() })
}
