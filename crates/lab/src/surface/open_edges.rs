//! Edges of a world's surface that do not belong to two triangles.

use super::{SurfaceInput, SurfaceMesher};
use glam::IVec3;
use rustc_hash::FxHashMap;
use stonerun_engine::voxel::ChunkPos;

/// Uses of an edge, by its direction.
#[derive(Clone, Copy, Default)]
struct EdgeUses {
    forward: u32,
    backward: u32,
}

/// Number of edges, of the surfaces of all chunks of the input's world, that are not used once in
/// each direction. Edges next to chunks that are not loaded, and those at which ground ends at a
/// cube, do not count.
pub(super) fn count(input: &SurfaceInput, mesher: &mut dyn SurfaceMesher) -> u64 {
    let mut uses: FxHashMap<[[i32; 3]; 2], EdgeUses> = FxHashMap::default();
    for pos in input.world.chunks().map(|(pos, _)| pos) {
        mesher.mesh(pos, &input.world.neighbourhood(pos).borrowed());
        mesher.triangles(pos, &mut |[a, b, c]| {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let [from, to] = [from.to_array(), to.to_array()];
                if from <= to {
                    uses.entry([from, to]).or_default().forward += 1;
                } else {
                    uses.entry([to, from]).or_default().backward += 1;
                }
            }
        });
    }
    let is_open = |uses: &EdgeUses| (uses.forward, uses.backward) != (1, 1);
    let counts = |edge: &[[i32; 3]; 2]| {
        let ends = edge.map(IVec3::from);
        ends.iter().all(|&at| is_surrounded(input, at))
            && !ends.iter().all(|&at| touches_cube(input, at))
    };
    uses.iter().filter(|(edge, uses)| is_open(uses) && counts(edge)).count() as u64
}

/// True if all voxels near a position are loaded.
fn is_surrounded(input: &SurfaceInput, at: IVec3) -> bool {
    let voxel = at.map(|c| c.div_euclid(256));
    (0..8).all(|corner| {
        let by = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2) * 6 - 3;
        input.world.chunk(ChunkPos::containing(voxel + by)).is_some()
    })
}

/// True if a position lies in or on a full opaque cube.
fn touches_cube(input: &SurfaceInput, at: IVec3) -> bool {
    // The voxel at 0 reaches from -128 to 128.
    let low = (at + IVec3::splat(127)).map(|c| c.div_euclid(256));
    let high = (at + IVec3::splat(128)).map(|c| c.div_euclid(256));
    (0..8).any(|corner| {
        let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
        let voxel = input.world.get(IVec3::new(pick(0), pick(1), pick(2)));
        input.materials.voxel(voxel).is_cube()
    })
}
