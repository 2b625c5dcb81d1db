//! Transforms of clipboards.

use super::dense_chunk::DenseChunk;
use super::orientation::Orientation;
use super::transform::Transform;
use super::turned_materials::TurnedMaterials;
use super::{Clipboard, Source};
use crate::edit::region::Region;
use crate::edit::{EditError, JobProgress, MAX_CHUNKS};
use crate::voxel::{
    Box3, ChunkPos, MaterialTable, Voxel, WORLD_LIMIT, linear_index, linear_offset, local,
};
use crate::world::Chunk;
use glam::{DAffine3, DVec3, IVec3};

impl Clipboard {
    /// Transformed copy of the clipboard. If `materials`, the table of its voxels, is given,
    /// torches turn with their walls, and blocks with a state or shape turn where the table has the
    /// turned one; see [`Clipboard::missing_when_transformed`]. Quarter turns and flips work chunk
    /// by chunk, other transforms voxel by voxel.
    ///
    /// Transforms always start from the copied voxels, so a turn and the opposite turn restore them
    /// exactly, even for angles that do not map voxels onto voxels.
    ///
    /// # Errors
    /// Fails if the result lies in too many chunks, or if the job was cancelled.
    pub fn transformed(
        &self,
        transform: &Transform,
        materials: Option<&MaterialTable>,
        progress: &JobProgress,
    ) -> Result<Clipboard, EditError> {
        let source = Source::followed_by(self, *transform);
        let original = source.original.clone();
        let affine = source.transform.affine();
        let turned =
            materials.map(|table| TurnedMaterials::new(table, affine.matrix3)).unwrap_or_default();
        match source.transform.orientation() {
            Some((orientation, shift))
                if orientation == Orientation::IDENTITY && shift == IVec3::ZERO =>
            {
                Ok(original)
            }
            Some((orientation, shift)) => {
                let parts = original.turned(orientation, &turned, progress)?;
                let origin = orientation.turned_voxel(original.0.origin) - shift;
                Ok(Clipboard::from_parts(parts, origin, source))
            }
            None => {
                let parts = original.resampled(affine, &turned, progress)?;
                Ok(Clipboard::from_parts(parts, IVec3::ZERO, source))
            }
        }
    }

    /// Chunks turned about the corner in the middle of the grid.
    fn turned(
        &self,
        orientation: Orientation,
        turned: &TurnedMaterials,
        progress: &JobProgress,
    ) -> Result<Vec<Part>, EditError> {
        let chunks: Vec<ChunkPos> = self.0.region.chunks().collect();
        progress.map(&chunks, |&pos| {
            let inside = self.0.region.chunk(pos).map(|inside| orientation.turned_chunk(inside));
            let voxels =
                self.0.chunks.get(&pos).map(|chunk| orientation.turned_chunk(&turned.apply(chunk)));
            Ok(Part { pos: orientation.turned_pos(pos), voxels, inside })
        })
    }

    /// Chunks of the transformed clipboard. Each voxel of the result is looked up in this
    /// clipboard.
    fn resampled(
        &self,
        affine: DAffine3,
        turned: &TurnedMaterials,
        progress: &JobProgress,
    ) -> Result<Vec<Part>, EditError> {
        let area = image(affine, self.bounds()).ok_or(EditError::TooLarge)?;
        if area.in_chunks().volume() > MAX_CHUNKS {
            return Err(EditError::TooLarge);
        }
        let inverse = affine.inverse();
        let chunks: Vec<ChunkPos> = area.chunks().collect();
        progress.map(&chunks, |&pos| {
            let sources = image(inverse, pos.bounds());
            if sources.is_some_and(|sources| sources.intersection(self.bounds()).is_empty()) {
                return Ok(Part { pos, voxels: None, inside: None });
            }
            let (voxels, inside) = self.resampled_chunk(inverse, pos);
            Ok(Part { pos, voxels: Some(turned.apply(&voxels)), inside: Some(inside) })
        })
    }

    /// Chunk at `pos` of the result, and its voxels that belong to the clipboard.
    fn resampled_chunk(&self, inverse: DAffine3, pos: ChunkPos) -> (Chunk, Chunk) {
        let mut voxels = DenseChunk::filled(Voxel::AIR);
        let mut inside = DenseChunk::filled(Voxel::AIR);
        let bounds = self.bounds();
        let origin = self.0.origin;
        // Cached, because neighbouring voxels of the result mostly come from the same chunk.
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
                last => {
                    last.insert((source, self.0.region.chunk(source), self.0.chunks.get(&source)))
                }
            };
            if region.is_some_and(|region| region.get(linear_index(local(at))) == Region::INSIDE) {
                *belongs = Region::INSIDE;
                *voxel = chunk.map_or(Voxel::AIR, |chunk| chunk.get(linear_index(local(at))));
            }
        }
        (voxels.to_chunk(), inside.to_chunk())
    }

    /// Clipboard of transformed chunks.
    fn from_parts(parts: Vec<Part>, origin: IVec3, source: Source) -> Clipboard {
        let inside = parts.iter().filter_map(|part| Some((part.pos, part.inside.clone()?)));
        let region = Region::from_chunks(inside);
        let chunks = parts.into_iter().filter_map(|part| Some((part.pos, part.voxels?)));
        Clipboard::from_source(chunks, region, origin, Some(source))
    }
}

/// A transformed chunk.
struct Part {
    /// Position of the chunk in the clipboard's grid.
    pos: ChunkPos,
    /// Voxels of the chunk; `None` if all of them are air.
    voxels: Option<Chunk>,
    /// Voxels that belong to the clipboard; `None` if there are none.
    inside: Option<Chunk>,
}

/// Smallest box around the image of a box; `None` if it extends beyond the world.
fn image(affine: DAffine3, area: Box3) -> Option<Box3> {
    let [low, high] = [area.min, area.max].map(|corner| corner.as_dvec3());
    let corner = |number: i32| {
        let is_high = IVec3::new(number & 1, number >> 1 & 1, number >> 2).cmpeq(IVec3::ONE);
        affine.transform_point3(DVec3::select(is_high, high, low))
    };
    let corners: [DVec3; 8] = std::array::from_fn(|number| corner(number as i32));
    let min = corners.iter().copied().fold(corners[0], DVec3::min).floor();
    let max = corners.iter().copied().fold(corners[0], DVec3::max).ceil();
    // False if a coordinate is NaN.
    let fits =
        min.min_element() >= f64::from(-WORLD_LIMIT) && max.max_element() <= f64::from(WORLD_LIMIT);
    fits.then(|| Box3 { min: min.as_ivec3(), max: max.as_ivec3() })
}
