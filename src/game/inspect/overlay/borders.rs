//! Frames around chunks: the choice of chunks, and the bars. An edge that several chunks share is
//! one bar.

use crate::game::inspect::overlay::ramp;
use bevy::asset::RenderAssetUsages;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::math::Vec3Swizzles;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::{IVec3, Mesh, Vec3};
use std::collections::BTreeMap;
use stonerun_engine::voxel::{CHUNK_SIDE, CHUNK_VOLUME, ChunkPos};
use stonerun_engine::world::World;

/// Distance from the player within which chunks get frames, in chunks.
const REACH: i32 = 4;

/// A chunk with a frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Framed {
    /// Position of the chunk relative to the player's chunk, in chunks.
    pub offset: IVec3,
    /// Position on the colour ramp, 0 to 1, by the heap bytes per voxel of the chunk.
    pub ramp_position: f32,
}

/// An edge between chunks: its lower end, in chunks from the player's chunk, and its axis.
type Edge = ([i32; 3], usize);

/// The edges of the framed chunks, each once, with the highest ramp position among its chunks.
fn edges(chosen: &[Framed]) -> BTreeMap<Edge, f32> {
    let mut edges = BTreeMap::new();
    for framed in chosen {
        for axis in 0..3 {
            let [u, v] = [axis + 1, axis + 2].map(|axis| IVec3::AXES[axis % 3]);
            for corner in [IVec3::ZERO, u, v, u + v] {
                let position =
                    edges.entry(((framed.offset + corner).to_array(), axis)).or_insert(0.0_f32);
                *position = position.max(framed.ramp_position);
            }
        }
    }
    edges
}

/// Numbers of chunks for the legend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BorderTally {
    /// Chunks with a frame.
    pub framed: usize,
    /// Uniform chunks within reach, which get no frame.
    pub uniform: usize,
}

/// The chunks around `centre` that get a frame: all within reach, except uniform ones, whose frames
/// would fill sky and rock.
#[must_use]
pub fn choose(world: &World, centre: ChunkPos) -> (Vec<Framed>, BorderTally) {
    let side = -REACH..=REACH;
    let offsets = side.clone().flat_map(|y| {
        let side = side.clone();
        side.clone().flat_map(move |z| side.clone().map(move |x| IVec3::new(x, y, z)))
    });
    let mut tally = BorderTally::default();
    let mut chosen = Vec::new();
    for offset in offsets.filter(|o| o.length_squared() <= REACH * REACH) {
        let Some(chunk) = world.chunk(centre.offset(offset)) else { continue };
        if chunk.run_count() <= 1 {
            tally.uniform += 1;
            continue;
        }
        let ramp_position = ramp::ramp_position(chunk.heap_bytes() as f64 / CHUNK_VOLUME as f64);
        chosen.push(Framed { offset, ramp_position });
    }
    tally.framed = chosen.len();
    (chosen, tally)
}

/// Opacity of a line at `at`, relative to the player's chunk's lowest corner. It decreases to 0 at
/// the edge of the reach.
fn strength(at: Vec3) -> f32 {
    let distance = at.distance(Vec3::splat(CHUNK_SIDE as f32 * 0.5));
    let far = CHUNK_SIDE as f32 * (REACH as f32 + 0.5);
    (1.0 - distance / far).clamp(0.0, 1.0).powf(1.6)
}

/// Number of parts of an edge. Each part fades on its own.
const PARTS: u8 = 4;

/// Half the thickness of a frame's bar at `at`, in voxels. It grows with the distance, so that all
/// bars are about three pixels wide on the screen.
fn half_thickness(at: Vec3) -> f32 {
    0.02 + 0.0017 * at.distance(Vec3::splat(CHUNK_SIDE as f32 * 0.5))
}

/// The four directions from the middle of a bar along `axis` to its long edges, in order around the
/// bar.
fn corner_directions(axis: Vec3) -> [Vec3; 4] {
    let u = axis.yzx();
    let v = axis.zxy();
    [u + v, v - u, -u - v, u - v]
}

/// The frames as one mesh of bars, relative to the player's chunk's lowest corner.
#[must_use]
pub fn bars(chosen: &[Framed]) -> Mesh {
    let mut positions = Vec::new();
    let mut colours = Vec::new();
    let mut indices = Vec::new();
    for ((corner, axis), ramp_position) in edges(chosen) {
        let rgb = LinearRgba::from(ramp::colour(ramp_position)).to_f32_array_no_alpha();
        let a = (IVec3::from_array(corner) * CHUNK_SIDE).as_vec3();
        let b = a + Vec3::AXES[axis] * CHUNK_SIDE as f32;
        let directions = corner_directions((b - a).normalize());
        let first = positions.len() as u32;
        for step in 0..=PARTS {
            let at = a.lerp(b, f32::from(step) / f32::from(PARTS));
            for direction in directions {
                positions.push((at + direction * half_thickness(at)).to_array());
                colours.push([rgb[0], rgb[1], rgb[2], strength(at)]);
            }
        }
        for part in 0..u32::from(PARTS) {
            for side in 0..4 {
                let here = first + part * 4 + side;
                let next = first + part * 4 + (side + 1) % 4;
                indices.extend([here, here + 4, next, next, here + 4, next + 4]);
            }
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
        .with_inserted_indices(Indices::U32(indices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_edge_is_drawn_once_in_the_colour_of_the_larger_value() {
        let framed = |x, ramp_position| Framed { offset: IVec3::new(x, 0, 0), ramp_position };
        assert_eq!(edges(&[framed(0, 0.5)]).len(), 12);
        let two = edges(&[framed(0, 0.5), framed(1, 0.25), framed(-9, 0.0)]);
        assert_eq!(two.len(), 20 + 12, "two neighbours share four edges");
        assert_eq!((two[&([1, 0, 0], 1)], two[&([2, 0, 0], 1)]), (0.5, 0.25));
        let block: Vec<Framed> = (0..8)
            .map(|i| Framed { offset: IVec3::new(i & 1, i >> 1 & 1, i >> 2), ramp_position: 0.5 })
            .collect();
        assert_eq!(edges(&block).len(), 3 * 2 * 9);
    }

    #[test]
    fn bars_follow_the_edges_and_fade() {
        let offset = IVec3::new(1, -2, 0);
        let at = (offset * CHUNK_SIDE).as_vec3();
        let mesh = bars(&[Framed { offset, ramp_position: 0.5 }]);
        let positions = mesh
            .attribute(Mesh::ATTRIBUTE_POSITION)
            .and_then(|a| a.as_float3())
            .expect("positions");
        assert_eq!(positions.len(), 12 * 5 * 4);
        for p in positions {
            let inside = Vec3::from_array(*p) - at;
            let off = inside.to_array().map(|c| c.abs().min((c - 32.0).abs()));
            let on_border = off.iter().filter(|off| **off < 0.3).count();
            assert!(on_border >= 2, "{inside} is not on an edge");
        }
        let Some(Indices::U32(indices)) = mesh.indices() else { panic!("no indices") };
        for triangle in indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from_array(positions[triangle[i] as usize]));
            // The middle of a bar's part is the mean of its eight corners, which are consecutive.
            let first = (triangle[0] / 20 * 20
                + triangle.iter().min().map_or(0, |i| i % 20 / 4 * 4))
                as usize;
            let middle = positions[first..first + 8]
                .iter()
                .fold(Vec3::ZERO, |sum, p| sum + Vec3::from_array(*p))
                / 8.0;
            assert!((b - a).cross(c - a).dot((a + b + c) / 3.0 - middle) > 0.0, "seen from inside");
        }
        let out = [16.0, 60.0, 100.0, 400.0].map(|x| strength(Vec3::new(x, 16.0, 16.0)));
        assert!(out.windows(2).all(|w| w[0] > w[1]), "{out:?}");
        assert_eq!((out[0], out[3]), (1.0, 0.0));
    }
}
