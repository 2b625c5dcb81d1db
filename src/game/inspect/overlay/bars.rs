//! Bars for stretches of a chunk's linear order, drawn by the overlays *runs* and *neighbourhoods*.
//!
//! A stretch runs along x, then z, then y, so it is at most five boxes: the rest of a row, rows to
//! the end of the layer, whole layers, whole rows, the start of a row. Only sides that border on
//! see-through voxels are drawn, slightly in front of the voxels and slightly narrower, so the
//! ground shows between bars and their lengths are visible. The chunk's border counts as open:
//! voxels behind it hide the bars anyway.

use crate::game::drawing::box_mesh::BoxMesh;
use crate::game::inspect::overlay::ramp;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::prelude::{IVec3, Vec3};
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::runs::RunTree;
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, Face, Voxel, linear_offset};

/// Distance by which a bar's sides are drawn in front of the voxels, in voxels.
const RAISED: f32 = 0.02;
/// Distance of a side from the edges of its voxels, in voxels.
const GAP: f32 = 0.1;
/// Opacity of a bar.
const COVER: f32 = 0.8;
/// Half the thickness of an outline, in voxels.
const EDGE: f32 = 0.02;
/// Length of a bar, in voxels, from which on it is at the low end of the ramp: four rows. A single
/// voxel is at the high end. Longer bars are rare at surfaces, where runs are short.
const LONG: f32 = 128.0;

/// Consecutive voxels of one value in linear order, drawn as one bar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Linear index of the first voxel.
    pub start: u32,
    /// Number of voxels, at least 1.
    pub len: u32,
    /// Value of the voxels.
    pub voxel: Voxel,
    /// False for a stretch that is counted but not drawn.
    pub drawn: bool,
}

/// Position of a bar of `len` voxels on the ramp, 0 to 1. Short bars, which cost more bytes per
/// voxel, are at the high end.
#[must_use]
pub fn bar_position(len: u32) -> f32 {
    1.0 - (len.max(1) as f32).ln().min(LONG.ln()) / LONG.ln()
}

/// The boxes, at most five, that cover the stretch of `len` voxels from `start`, in linear order.
pub fn boxes(start: u32, len: u32) -> impl Iterator<Item = Box3> {
    const ROW: u32 = CHUNK_SIDE as u32;
    const LAYER: u32 = ROW * ROW;
    let mut at = start;
    let end = start + len;
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        // The largest unit (layer, row or voxel) that starts and fits here, repeated as often as
        // possible.
        let unit = [LAYER, ROW, 1]
            .into_iter()
            .find(|unit| at.is_multiple_of(*unit) && at + unit <= end)?;
        let whole = unit * ROW;
        let stop = ((at / whole + 1) * whole).min(end - end % unit);
        let first = linear_offset(at as usize);
        let last = linear_offset(stop as usize - 1);
        at = stop;
        Some(Box3 { min: first, max: last + IVec3::ONE })
    })
}

/// The see-through voxels of a chunk: one bit per voxel, one word per row.
struct OpenVoxels(Vec<u32>);

impl OpenVoxels {
    /// The voxels of `tree` for which `is_open` holds.
    fn from_tree(tree: &RunTree, is_open: impl Fn(Voxel) -> bool) -> OpenVoxels {
        let mut rows = vec![0; (CHUNK_SIDE * CHUNK_SIDE) as usize];
        for run in tree.runs().filter(|run| is_open(run.voxel)) {
            for part in boxes(run.start, run.len) {
                for y in part.min.y..part.max.y {
                    for z in part.min.z..part.max.z {
                        rows[(y * CHUNK_SIDE + z) as usize] |= bits(part.min.x, part.max.x);
                    }
                }
            }
        }
        OpenVoxels(rows)
    }

    /// True if part of `area` is open. `area` may reach one voxel outside the chunk, where all is
    /// open.
    fn any(&self, area: Box3) -> bool {
        let inside = area.intersection(Box3 { min: IVec3::ZERO, max: IVec3::splat(CHUNK_SIDE) });
        inside != area
            || (area.min.y..area.max.y).any(|y| {
                let rows = &self.0[(y * CHUNK_SIDE + area.min.z) as usize
                    ..(y * CHUNK_SIDE + area.max.z) as usize];
                rows.iter().any(|row| row & bits(area.min.x, area.max.x) != 0)
            })
    }
}

/// A mask of the bits `from..to` of a row. The range must not be empty.
fn bits(from: i32, to: i32) -> u32 {
    u32::MAX >> (CHUNK_SIDE - (to - from)) << from
}

/// The layer of voxels in front of one side of a box.
fn in_front(of: Box3, face: Face) -> Box3 {
    let normal = face.normal();
    let ahead = normal.max(IVec3::ZERO);
    let behind = normal.min(IVec3::ZERO);
    let size = of.size();
    // The layer is one voxel thick along the normal, and as large as the box along the other axes.
    let shift = ahead * size + behind;
    let min = of.min + shift;
    Box3 { min, max: min + size - normal.abs() * (size - IVec3::ONE) }
}

/// Brightness of a side. It differs by direction, so that steps are visible.
fn shade(face: Face) -> f32 {
    match face {
        Face::Up => 1.0,
        Face::East | Face::West => 0.75,
        Face::South | Face::North => 0.6,
        Face::Down => 0.45,
    }
}

/// Colour of bar `number` of the chunk, by its length. Four shades alternate, so that consecutive
/// bars differ.
fn colour(number: usize, len: u32) -> LinearRgba {
    const SHADES: [f32; 4] = [1.0, 0.7, 0.85, 0.55];
    LinearRgba::from(ramp::colour(bar_position(len))) * SHADES[number % SHADES.len()]
}

/// The bars of the drawn stretches of `tree`, relative to the chunk's lowest corner.
#[must_use]
pub fn draw(tree: &RunTree, face_materials: &FaceMaterials, stretches: &[Stretch]) -> BoxMesh {
    let clear = OpenVoxels::from_tree(tree, |voxel| !face_materials.hides(voxel));
    // Translucent matter has a surface only towards air, not between water and water or leaves and
    // leaves.
    let empty = OpenVoxels::from_tree(tree, Voxel::is_air);
    let mut box_mesh = BoxMesh::default();
    for (number, stretch) in stretches.iter().enumerate().filter(|(_, stretch)| stretch.drawn) {
        let open = if face_materials.hides(stretch.voxel) { &clear } else { &empty };
        let colour = colour(number, stretch.len);
        for part in boxes(stretch.start, stretch.len) {
            let [min, max] = solid(part, stretch.voxel);
            for face in Face::ALL {
                let low = face == Face::Up && !stretch.voxel.is_full();
                if low || open.any(in_front(part, face)) {
                    let outwards = face.normal().abs().as_vec3();
                    let inwards = (Vec3::ONE - outwards) * GAP;
                    let rgb = (colour * shade(face)).to_f32_array_no_alpha();
                    let colour = [rgb[0], rgb[1], rgb[2], COVER];
                    box_mesh.side(
                        min + inwards - outwards * RAISED,
                        max - inwards + outwards * RAISED,
                        face,
                        colour,
                    );
                }
            }
        }
    }
    box_mesh
}

/// The boxes of a whole stretch and their edges, to be drawn through the ground.
#[must_use]
pub fn outline(stretch: &Stretch) -> BoxMesh {
    let mut box_mesh = BoxMesh::default();
    for part in boxes(stretch.start, stretch.len) {
        let [min, max] = solid(part, stretch.voxel);
        for face in Face::ALL {
            box_mesh.side(min, max, face, [1.0, 1.0, 1.0, 0.12]);
        }
        box_mesh.edges(min, max, EDGE, [1.0; 4]);
    }
    box_mesh
}

/// Lowest and highest corner of the matter in these voxels, which are filled like `voxel`.
fn solid(part: Box3, voxel: Voxel) -> [Vec3; 2] {
    [part.min.as_vec3(), part.max.as_vec3() - Vec3::Y * (1.0 - voxel.fill())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::{CHUNK_VOLUME, MaterialTable, linear_index};

    #[test]
    fn boxes_hold_each_voxel_of_a_stretch_once_and_in_order() {
        let ends = [
            0, 1, 31, 32, 33, 40, 64, 1000, 1023, 1024, 1025, 1056, 2048, 5000, 31_743, 31_744,
            32_767, 32_768,
        ];
        for start in ends {
            for end in ends.into_iter().filter(|end| *end > start) {
                let parts: Vec<Box3> = boxes(start, end - start).collect();
                assert!(parts.len() <= 5, "{start}..{end}: {parts:?}");
                let mut next = start as usize;
                for part in &parts {
                    for y in part.min.y..part.max.y {
                        for z in part.min.z..part.max.z {
                            for x in part.min.x..part.max.x {
                                assert_eq!(
                                    linear_index(IVec3::new(x, y, z)),
                                    next,
                                    "{start}..{end}: {parts:?}"
                                );
                                next += 1;
                            }
                        }
                    }
                }
                assert_eq!(next, end as usize, "{parts:?}");
            }
        }
        assert_eq!(
            boxes(0, CHUNK_VOLUME as u32).map(|part| part.volume()).collect::<Vec<_>>(),
            [32_768]
        );
        // The start within a row, rows, layers, rows, the end within a row.
        let parts: Vec<u64> = boxes(1000 - 33, 3 * 1024).map(|part| part.volume()).collect();
        assert_eq!(parts, [25, 32, 2048, 960, 7]);
        assert_eq!(boxes(5, 0).count(), 0);
    }

    /// Ground with a hill, a pool in it, and a slab on the hill.
    fn scene() -> (MaterialTable, RunTree) {
        let table = MaterialTable::builtin();
        let find = |name: &str| Voxel::full(table.find(name).expect(name));
        let mut tree = RunTree::uniform(Voxel::AIR);
        tree.set_range(0..3 * 1024, find("stone"));
        for x in 4..9 {
            tree.set(linear_index(IVec3::new(x, 3, 7)), find("dirt"));
            tree.set(linear_index(IVec3::new(x, 2, 20)), find("water"));
        }
        tree.set(linear_index(IVec3::new(6, 4, 7)), Voxel::new(find("stone").material(), 127));
        (table, tree)
    }

    #[test]
    fn side_is_drawn_where_it_is_visible() {
        let (table, tree) = scene();
        let face_materials = FaceMaterials::new(&table);
        let stretches = crate::game::inspect::overlay::runs::stretches(&tree);
        let box_mesh = draw(&tree, &face_materials, &stretches);
        let drawn: Vec<[Vec3; 4]> = box_mesh.corners().collect();
        let has =
            |at: Vec3| drawn.iter().any(|c| ((c[0] + c[2]) * 0.5 - at).abs().max_element() < 1e-4);
        // The row of dirt has a top and sides, slightly in front of it, and no side towards the
        // stone below.
        assert!(has(Vec3::new(6.5, 4.0 + RAISED, 7.5)) && has(Vec3::new(9.0 + RAISED, 3.5, 7.5)));
        assert!(!has(Vec3::new(6.5, 3.0 - RAISED, 7.5)));
        // The slab is half as high.
        assert!(has(Vec3::new(6.5, 4.5 + RAISED, 7.5)) && has(Vec3::new(6.5, 4.25, 8.0 + RAISED)));
        // The pool has a surface but no sides; the stone has sides towards the pool.
        assert!(
            has(Vec3::new(6.5, 3.0 + RAISED, 20.5)) && !has(Vec3::new(6.5, 2.5, 21.0 + RAISED))
        );
        assert!(has(Vec3::new(4.0 + RAISED, 2.5, 20.5)));
        // The chunk's border counts as open.
        assert!(has(Vec3::new(16.0, -RAISED, 16.0)));
        // Neither air nor a stretch that is not drawn has a bar.
        let none: Vec<Stretch> = stretches.iter().map(|s| Stretch { drawn: false, ..*s }).collect();
        assert!(draw(&tree, &face_materials, &none).mesh().is_none());
    }

    #[test]
    fn short_bars_are_high_on_the_ramp() {
        assert_eq!(
            (bar_position(1), bar_position(LONG as u32), bar_position(32_768), bar_position(0)),
            (1.0, 0.0, 0.0, 1.0)
        );
        let positions: Vec<f32> = (1..=128).map(bar_position).collect();
        assert!(positions.windows(2).all(|w| w[0] > w[1]));
        assert_ne!(colour(0, 5), colour(1, 5));
    }

    #[test]
    fn outline_surrounds_all_boxes() {
        let stretch =
            Stretch { start: 1000 - 33, len: 3 * 1024, voxel: Voxel::full(1), drawn: true };
        assert_eq!(outline(&stretch).corners().count(), 5 * (6 + 12 * 6));
    }
}
