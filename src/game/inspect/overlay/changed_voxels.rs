//! The voxels that the last steps of the history changed, and their sides as coloured rectangles.
//!
//! The age of a changed voxel is the number of steps since the newest step that changed it.

use crate::game::drawing::box_mesh::BoxMesh;
use crate::game::inspect::overlay::ramp;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::prelude::{IVec3, Vec3};
use rustc_hash::FxHashMap;
use stonerun_engine::history::StepHandle;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::voxel::{
    Box3, CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Face, Voxel, linear_index, linear_offset, local,
};
use stonerun_engine::world::World;

/// Maximum number of steps shown, the newest ones.
pub const MAX_STEPS: usize = 64;
/// Maximum number of chunks of a step that must be unpacked for the overlay. Larger steps are left
/// out.
const MAX_UNPACKED_CHUNKS: u64 = 20_000;
/// Distance from the player within which chunks are drawn, in chunks.
const REACH: i32 = 10;
/// Maximum number of rectangles that are drawn, nearest chunks first.
const MAX_SIDES: usize = 40_000;
/// Maximum offset of a corner of a box, in chunks. Larger offsets would overflow positions in
/// voxels.
const MAX_OFFSET: i32 = 1000;
/// Distance by which a rectangle is drawn in front of its voxels, in voxels.
const RAISED: f32 = 0.02;

/// Ages of the voxels of a chunk, plus 1; 0 for unchanged voxels.
type Ages = Box<[u8; CHUNK_VOLUME]>;

/// The changed voxels around the player.
#[derive(Default)]
pub struct ChangedVoxels {
    chunks: FxHashMap<ChunkPos, Ages>,
    /// Age of each step and the box around its changes, newest first.
    boxes: Vec<(usize, Box3)>,
}

/// Figures for the legend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChangeTally {
    /// Changed voxels of the loaded chunks around the player.
    pub voxels: u64,
    /// Chunks that hold changed voxels.
    pub chunks: u64,
    /// Chunks that are not drawn, because there would be too many rectangles.
    pub left_out: u64,
    /// Voxels in the boxes of all steps, summed.
    pub boxed: u64,
}

/// Position on the ramp of a change that is `age` steps old. The latest change is at the high end.
#[must_use]
pub fn age_position(age: usize) -> f32 {
    1.0 - ((age + 1) as f32).ln().min((MAX_STEPS as f32).ln()) / (MAX_STEPS as f32).ln()
}

impl ChangedVoxels {
    /// Reads the changes of `steps`, newest first, in the chunks around `centre`. Leaves out steps
    /// that cannot be read, and steps with more than `MAX_UNPACKED_CHUNKS` chunks that are packed.
    #[must_use]
    pub fn new(steps: &[StepHandle], centre: ChunkPos) -> ChangedVoxels {
        let mut changed = ChangedVoxels::default();
        for (age, step) in steps.iter().take(MAX_STEPS).enumerate() {
            if step.step().chunk_count() > MAX_UNPACKED_CHUNKS && step.step().chunks().is_none() {
                continue;
            }
            let Ok(chunks) = step.chunks() else { continue };
            let mut around: Option<Box3> = None;
            for change in chunks.changes.iter() {
                let pos = change.pos;
                let area = change.area;
                around = Some(around.map_or(area, |around| around.around(area)));
                let offset = pos.as_ivec3().saturating_sub(centre.as_ivec3());
                if offset.abs().max_element() > REACH || offset.length_squared() > REACH * REACH {
                    continue;
                }
                let ages = changed.chunks.entry(pos).or_insert_with(|| Box::new([0; CHUNK_VOLUME]));
                for range in change.before.differing_ranges(&change.after) {
                    for known in ages[range].iter_mut().filter(|known| **known == 0) {
                        *known = age as u8 + 1;
                    }
                }
            }
            changed.boxes.extend(around.map(|area| (age, area)));
        }
        changed
    }

    /// The sides of changed voxels, then the edges of the steps' boxes, as meshes relative to the
    /// lowest corner of `centre`.
    #[must_use]
    pub fn draw(
        &self,
        world: &World,
        face_materials: &FaceMaterials,
        centre: ChunkPos,
    ) -> ([BoxMesh; 2], ChangeTally) {
        let mut sides = BoxMesh::default();
        let mut tally = ChangeTally {
            boxed: self.boxes.iter().map(|(_, area)| area.volume()).sum(),
            ..ChangeTally::default()
        };
        let mut nearest: Vec<ChunkPos> = self.chunks.keys().copied().collect();
        nearest.sort_unstable_by_key(|pos| {
            ((pos.as_ivec3() - centre.as_ivec3()).length_squared(), *pos)
        });
        let mut drawn = 0;
        for pos in nearest {
            let voxels = self.chunks[&pos].iter().filter(|age| **age > 0).count() as u64;
            tally.voxels += voxels;
            tally.chunks += u64::from(voxels > 0);
            if voxels == 0 {
                continue;
            }
            let found = visible_sides(self, world, face_materials, pos);
            if drawn + found.len() > MAX_SIDES {
                tally.left_out += 1;
                continue;
            }
            drawn += found.len();
            let corner = ((pos.as_ivec3() - centre.as_ivec3()) * CHUNK_SIDE).as_vec3();
            for side in &found {
                side.draw(corner, &mut sides);
            }
        }
        ([sides, self.edges(centre)], tally)
    }

    /// Bars along the edges of each step's box.
    fn edges(&self, centre: ChunkPos) -> BoxMesh {
        let mut edges = BoxMesh::default();
        let far = IVec3::splat(MAX_OFFSET * CHUNK_SIDE);
        for &(age, area) in &self.boxes {
            let corner = |at: IVec3| at.saturating_sub(centre.origin()).clamp(-far, far).as_vec3();
            let min = corner(area.min);
            let max = corner(area.max);
            let distance = (min.max(Vec3::ZERO) - max.min(Vec3::ZERO)).max(Vec3::ZERO).length();
            let [r, g, b] =
                LinearRgba::from(ramp::colour(age_position(age))).to_f32_array_no_alpha();
            edges.edges(min - RAISED, max + RAISED, 0.02 + 0.0012 * distance, [r, g, b, 0.8]);
        }
        edges
    }

    fn age(&self, voxel: IVec3) -> u8 {
        self.chunks
            .get(&ChunkPos::containing(voxel))
            .map_or(0, |ages| ages[linear_index(local(voxel))])
    }
}

/// Kind of surface that a side of a changed voxel shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Surface {
    /// A side of new matter.
    Matter,
    /// A side of the matter around a hole.
    Wall,
    /// The former surface of removed matter, in the air.
    Ghost,
}

impl Surface {
    const fn opacity(self) -> f32 {
        match self {
            Surface::Matter => 0.62,
            Surface::Wall => 0.5,
            Surface::Ghost => 0.12,
        }
    }
}

/// A rectangle of sides that look the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ChangedSide {
    face: Face,
    /// Changed voxels of the rectangle, relative to their chunk; one voxel thick along the face's
    /// normal.
    voxels: Box3,
    look: SideLook,
}

/// Look of a side. Only sides with the same look are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SideLook {
    age: u8,
    surface: Surface,
    /// Height of the matter, in 256ths of a voxel.
    height: u16,
}

impl ChangedSide {
    fn draw(&self, corner: Vec3, out: &mut BoxMesh) {
        let normal = self.face.normal().as_vec3();
        let mut min = self.voxels.min.as_vec3();
        let mut max = self.voxels.max.as_vec3();
        if self.face == Face::Up {
            max.y -= 1.0 - f32::from(self.look.height) / 256.0;
        }
        let mut face = self.face;
        if self.look.surface == Surface::Wall {
            // Moves the rectangle to the matter behind, and turns it towards the hole.
            min = min + normal - normal * RAISED;
            max = max + normal - normal * RAISED;
            face = self.face.opposite();
        } else {
            min += normal * RAISED;
            max += normal * RAISED;
        }
        let shade = match face {
            Face::Up => 1.0,
            Face::East | Face::West => 0.8,
            Face::South | Face::North => 0.66,
            Face::Down => 0.5,
        };
        let colour =
            LinearRgba::from(ramp::colour(age_position(usize::from(self.look.age) - 1))) * shade;
        let [r, g, b] = colour.to_f32_array_no_alpha();
        out.side(corner + min, corner + max, face, [r, g, b, self.look.surface.opacity()]);
    }
}

/// The visible sides of one chunk's changed voxels, merged into rectangles.
fn visible_sides(
    changed: &ChangedVoxels,
    world: &World,
    face_materials: &FaceMaterials,
    pos: ChunkPos,
) -> Vec<ChangedSide> {
    let Some(chunk) = world.chunk(pos) else { return Vec::new() };
    let Some(ages) = changed.chunks.get(&pos) else { return Vec::new() };
    let mut voxels = vec![Voxel::AIR; CHUNK_VOLUME];
    for run in chunk.runs() {
        voxels[run.start as usize..(run.start + run.len) as usize].fill(run.voxel);
    }
    let mut sides = Vec::new();
    let mut grids = vec![None; 6 * CHUNK_VOLUME];
    for index in (0..CHUNK_VOLUME).filter(|&index| ages[index] > 0) {
        let at = pos.origin() + linear_offset(index);
        let voxel = voxels[index];
        for (number, face) in Face::ALL.into_iter().enumerate() {
            let side = at + face.normal();
            // Inside the chunk, arrays are read, which is faster than searching the world.
            let surface = if ChunkPos::containing(side) == pos {
                let other = linear_index(local(side));
                surface(face_materials, voxel, voxels[other], ages[other] > 0)
            } else {
                surface(face_materials, voxel, world.get(side), changed.age(side) > 0)
            };
            let height = if face == Face::Up { (voxel.fill() * 256.0) as u16 } else { 256 };
            let height = if surface == Some(Surface::Matter) { height } else { 256 };
            let look = surface.map(|surface| SideLook { age: ages[index], surface, height });
            grids[number * CHUNK_VOLUME + index] = look;
        }
    }
    for (face, grid) in Face::ALL.into_iter().zip(grids.chunks_exact_mut(CHUNK_VOLUME)) {
        merge(face, grid, &mut sides);
    }
    sides
}

/// Surface of a changed voxel's side towards another voxel; `None` if it is not drawn.
fn surface(
    face_materials: &FaceMaterials,
    voxel: Voxel,
    other: Voxel,
    other_changed: bool,
) -> Option<Surface> {
    let opaque = |voxel| face_materials.hides(voxel);
    if other == Voxel::NOT_LOADED {
        return None;
    }
    if voxel.is_air() {
        return if other.is_air() {
            (!other_changed).then_some(Surface::Ghost)
        } else {
            Some(Surface::Wall)
        };
    }
    // There is no surface between water and water, or leaves and leaves.
    let is_visible = other.is_air() || !opaque(other) && (opaque(voxel) || !voxel.is_full());
    is_visible.then_some(Surface::Matter)
}

/// Merges equal cells of each plane into rectangles. Leaves `grid` empty.
fn merge(face: Face, grid: &mut [Option<SideLook>], sides: &mut Vec<ChangedSide>) {
    let normal = face.normal().abs();
    // The axes of the planes. The first is x or else z, along which cells are closest in memory.
    let [u, v] = match face {
        Face::Up | Face::Down => [IVec3::X, IVec3::Z],
        Face::South | Face::North => [IVec3::X, IVec3::Y],
        Face::East | Face::West => [IVec3::Z, IVec3::Y],
    };
    for index in 0..grid.len() {
        let Some(look) = grid[index] else { continue };
        let min = linear_offset(index);
        let equal =
            |at: IVec3| at.max_element() < CHUNK_SIDE && grid[linear_index(at)] == Some(look);
        let width = (1..).find(|&i| !equal(min + u * i)).unwrap_or(1);
        let row = |j: i32| (0..width).all(|i| equal(min + u * i + v * j));
        let height = (1..).find(|&j| !row(j)).unwrap_or(1);
        let max = min + normal + u * width + v * height;
        for j in 0..height {
            for i in 0..width {
                grid[linear_index(min + u * i + v * j)] = None;
            }
        }
        sides.push(ChangedSide { face, voxels: Box3 { min, max }, look });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::edit::{BoxPatch, Edit, EditableWorld};
    use stonerun_engine::history::History;
    use stonerun_engine::random::Random;
    use stonerun_engine::voxel::MaterialTable;
    use stonerun_engine::world::Chunk;

    /// Eight chunks around the origin: stone below y = 0, air above.
    fn world() -> EditableWorld {
        let mut edits = EditableWorld::new(History::new(usize::MAX));
        for pos in (Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) }).chunks() {
            let voxel = if pos.y < 0 { Voxel::full(1) } else { Voxel::AIR };
            assert!(edits.load_chunk(pos, Chunk::uniform(voxel)));
        }
        edits
    }

    #[test]
    fn voxel_has_the_age_of_the_newest_step_that_changed_it() {
        let mut random = Random::new(5);
        let mut edits = world();
        let all = Box3 { min: IVec3::splat(-32), max: IVec3::splat(32) };
        let read = |edits: &EditableWorld| {
            let at = |i: i32| IVec3::new(i % 64, i / 64 % 64, i / 4096) - 32;
            (0..64 * 64 * 64).map(|i| edits.world().get(at(i))).collect::<Vec<Voxel>>()
        };
        let mut ages = vec![0u32; 64 * 64 * 64];
        let voxels = [Voxel::AIR, Voxel::full(1), Voxel::full(2), Voxel::new(2, 127)];
        for _ in 0..12 {
            let corner = IVec3::from_array([0; 3].map(|_| random.below(60) as i32 - 30));
            let area =
                Box3 { min: corner, max: corner + 1 + random.below(12) as i32 }.intersection(all);
            let before = read(&edits);
            let change = edits.apply(&Edit::from(BoxPatch::fill(area, voxels[random.index(4)])));
            if change.is_empty() {
                continue;
            }
            let after = read(&edits);
            for (i, age) in ages.iter_mut().enumerate() {
                *age = if before[i] != after[i] { 1 } else { *age + u32::from(*age > 0) };
            }
        }
        let steps = crate::game::inspect::overlay::edits::last_steps(edits.history());
        let changed = ChangedVoxels::new(&steps, ChunkPos::default());
        assert_eq!(changed.boxes.len(), steps.len());
        let expected: Vec<u32> = ages.clone();
        for (i, age) in expected.iter().enumerate() {
            let i = i as i32;
            let at = IVec3::new(i % 64, i / 64 % 64, i / 4096) - 32;
            assert_eq!(u32::from(changed.age(at)), *age, "{at}");
        }
        let face_materials = FaceMaterials::new(&MaterialTable::builtin());
        let (_, tally) = changed.draw(edits.world(), &face_materials, ChunkPos::default());
        let count = ages.iter().filter(|age| **age > 0).count() as u64;
        assert_eq!((tally.voxels, tally.left_out), (count, 0));
    }

    #[test]
    fn added_and_removed_voxels_have_the_right_sides() {
        let mut edits = world();
        let face_materials = FaceMaterials::new(&MaterialTable::builtin());
        // A wall above the ground, across a chunk border, then a hole in the ground.
        let wall = Box3 { min: IVec3::new(-3, 0, 5), max: IVec3::new(3, 4, 6) };
        let hole = Box3 { min: IVec3::new(10, -2, 10), max: IVec3::new(12, 0, 12) };
        edits.apply(&BoxPatch::fill(wall, Voxel::full(1)).into());
        edits.apply(&BoxPatch::fill(hole, Voxel::AIR).into());
        let steps = crate::game::inspect::overlay::edits::last_steps(edits.history());
        let changed = ChangedVoxels::new(&steps, ChunkPos::default());
        let sides = |pos| visible_sides(&changed, edits.world(), &face_materials, pos);
        let upper = sides(ChunkPos::new(0, 0, 0));
        let of = |sides: &[ChangedSide], surface| -> u64 {
            sides
                .iter()
                .filter(|side| side.look.surface == surface)
                .map(|side| side.voxels.volume())
                .sum()
        };
        // This chunk holds half of the wall. It shows its top, end, front and back, but no side
        // towards the ground or the other half.
        assert_eq!((of(&upper, Surface::Matter), upper.len()), (3 + 4 + 12 + 12, 4));
        let lower = sides(ChunkPos::new(0, -1, 0));
        assert_eq!((of(&lower, Surface::Wall), of(&lower, Surface::Ghost)), (4 + 4 * 4, 4));
        assert!(
            lower.iter().all(|side| side.look.age == 1)
                && upper.iter().all(|side| side.look.age == 2)
        );
        // The rectangle of a hole's wall lies on the stone and faces into the hole.
        let mut mesh = BoxMesh::default();
        let east = lower.iter().find(|side| side.face == Face::East).expect("a wall");
        east.draw(Vec3::ZERO, &mut mesh);
        let [a, b, c, _] = mesh.corners().next().expect("one rectangle");
        assert!((a.x - (12.0 - RAISED)).abs() < 1e-4 && (b - a).cross(c - a).x < 0.0, "{a}");
        let ([mesh, edges], _) = changed.draw(edits.world(), &face_materials, ChunkPos::default());
        assert!(mesh.mesh().is_some() && edges.mesh().is_some());
        assert!(
            age_position(0) == 1.0
                && age_position(MAX_STEPS - 1) == 0.0
                && age_position(MAX_STEPS * 9) == 0.0
        );
    }
}
