//! The rival: `fast-surface-nets`, on a padded array of signed distances.

use super::{SurfaceFigures, SurfaceInput, SurfaceMesher, Triangle};
use fast_surface_nets::ndshape::ConstShape3u32;
use fast_surface_nets::{SurfaceNetsBuffer, surface_nets};
use glam::IVec3;
use stonerun_engine::runs::RunTree;
use stonerun_engine::runs::moore::ChunkNeighbourhoodRef;
use stonerun_engine::voxel::{
    CHUNK_SIDE, ChunkPos, linear_index, linear_offset, neighbour_index, neighbour_offsets,
};

/// Voxels along a side of the array: the chunk, and one around it on each side.
const WIDTH: usize = CHUNK_SIDE as usize + 2;

type Shape = ConstShape3u32<{ WIDTH as u32 }, { WIDTH as u32 }, { WIDTH as u32 }>;

/// `fast-surface-nets`. Fills its array from our runs in one pass per chunk, which counts as its work.
struct FastSurfaceNets<'a> {
    input: &'a SurfaceInput,
    /// Half a voxel minus the fill: negative in matter. x fastest, then z, then y, as in a chunk.
    distances: Box<[f32; WIDTH * WIDTH * WIDTH]>,
    palette: Vec<f32>,
    buffer: SurfaceNetsBuffer,
}

/// The rival for the materials of an input.
#[must_use]
pub fn fast_surface_nets(input: &SurfaceInput) -> Box<dyn SurfaceMesher + '_> {
    let Ok(distances) = vec![0.0; WIDTH * WIDTH * WIDTH].into_boxed_slice().try_into() else {
        unreachable!("the array has this size")
    };
    Box::new(FastSurfaceNets {
        input,
        distances,
        palette: Vec::new(),
        buffer: SurfaceNetsBuffer::default(),
    })
}

impl FastSurfaceNets<'_> {
    fn fill(&mut self, tree: Option<&RunTree>, offset: IVec3) {
        let from = offset.map(|step| if step < 0 { CHUNK_SIDE - 1 } else { 0 });
        let to = offset.map(|step| if step > 0 { 1 } else { CHUNK_SIDE });
        let origin = offset * CHUNK_SIDE + 1;
        let place = |local: IVec3| {
            let at = local + origin;
            at.x as usize + WIDTH * (at.z as usize + WIDTH * at.y as usize)
        };
        let len = (to.x - from.x) as usize;
        self.palette.clear();
        match tree {
            Some(tree) => {
                let density = |voxel| self.input.materials.voxel(voxel).density();
                let distance = |voxel| 0.5 - f32::from(density(voxel)) / 255.0;
                self.palette.extend(tree.values().map(distance));
            }
            None => self.palette.push(0.5),
        }
        let FastSurfaceNets { distances, palette, .. } = self;
        let tree = match (tree, &palette[..]) {
            (Some(tree), [_, _, ..]) => tree,
            _ => {
                for y in from.y..to.y {
                    for z in from.z..to.z {
                        distances[place(IVec3::new(from.x, y, z))..][..len].fill(palette[0]);
                    }
                }
                return;
            }
        };
        let side = CHUNK_SIDE as usize;
        if to.z - from.z == CHUNK_SIDE {
            let start = linear_index(IVec3::new(0, from.y, 0));
            let range = start..start + ((to.y - from.y) * CHUNK_SIDE * CHUNK_SIDE) as usize;
            if len == 1 {
                // From each run the rows whose voxel at x it holds.
                let x = from.x as usize;
                tree.for_each_coded(range, |start, end, code| {
                    for row in (start + side - 1 - x) / side..(end + side - 1 - x) / side {
                        distances[place(linear_offset(row * side + x))] = palette[code];
                    }
                });
            } else {
                tree.for_each_coded(range, |mut start, end, code| {
                    while start < end {
                        let stop = end.min((start / side + 1) * side);
                        let row = place(linear_offset(start));
                        distances[row..row + stop - start].fill(palette[code]);
                        start = stop;
                    }
                });
            }
            return;
        }
        for y in from.y..to.y {
            for z in from.z..to.z {
                let start = linear_index(IVec3::new(from.x, y, z));
                let row = place(IVec3::new(from.x, y, z));
                tree.for_each_coded(start..start + len, |run, end, code| {
                    distances[row + run - start..row + end - start].fill(palette[code]);
                });
            }
        }
    }
}

impl SurfaceMesher for FastSurfaceNets<'_> {
    fn name(&self) -> &'static str {
        "fast-surface-nets"
    }

    fn mesh(&mut self, _: ChunkPos, chunks: &ChunkNeighbourhoodRef<'_>) -> SurfaceFigures {
        for offset in neighbour_offsets() {
            self.fill(chunks.chunks[neighbour_index(offset)], offset);
        }
        let max = [WIDTH as u32 - 1; 3];
        surface_nets(&*self.distances, &Shape {}, [0; 3], max, &mut self.buffer);
        let SurfaceNetsBuffer { positions, normals, indices, .. } = &self.buffer;
        SurfaceFigures {
            triangles: indices.len() / 3,
            vertices: positions.len(),
            gpu_bytes: size_of_val(&positions[..])
                + size_of_val(&normals[..])
                + size_of_val(&indices[..]),
        }
    }

    fn triangles(&self, pos: ChunkPos, each: &mut dyn FnMut(Triangle)) {
        let SurfaceNetsBuffer { positions, indices, .. } = &self.buffer;
        // Its axes are x, z and y, and its first voxel lies before the chunk.
        let at = |index: u32| {
            let [x, z, y] = positions[index as usize];
            let part = |value: f32| (value * 256.0).round() as i32;
            (pos.origin() - IVec3::ONE) * 256 + IVec3::new(part(x), part(y), part(z))
        };
        for corners in indices.as_chunks::<3>().0 {
            each(corners.map(at));
        }
    }
}
