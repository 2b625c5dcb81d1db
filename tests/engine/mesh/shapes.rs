//! Hewn blocks and models in random worlds, compared with faces found sixteenth by sixteenth.

use glam::{IVec3, UVec3};
use stonerun_engine::mesh::quad::Quad;
use stonerun_engine::mesh::{FaceMaterials, build};
use stonerun_engine::random::Random;
use stonerun_engine::voxel::{
    ChunkPos, Face, HewnEighths, JoinedForms, Material, MaterialTable, ModelForm, Shape, ShapeBox,
    ShapeRow, SolidBoxes, TargetPart, Turn, Voxel,
};
use stonerun_engine::world::{Chunk, World};

/// Side of a random world, in voxels, and in sixteenths.
const SIDE: i32 = 3;
const FINE: i32 = SIDE * 16;
/// Lowest voxel of a random world: in the middle of a chunk, or across its border.
const LOWS: [IVec3; 2] = [IVec3::splat(10), IVec3::splat(-1)];

/// A sixteenth by a sixteenth of a face: the number of its direction, and the filled cell behind
/// it, in sixteenths from the lowest corner of the world.
type FineFace = (u8, IVec3);

/// The boxes of a shape, from which the faces are not made.
fn boxes(row: &'static ShapeRow) -> &'static [ShapeBox] {
    match (row.target, row.solid) {
        (TargetPart::Boxes(boxes), _) | (_, SolidBoxes::Boxes(boxes)) => boxes,
        _ => &[],
    }
}

fn is_sheet(one: &ShapeBox) -> bool {
    (0..3).any(|axis| one.low[axis] == one.high[axis])
}

/// The cells that the shapes of a random world fill.
struct FilledCells(Vec<bool>);

impl FilledCells {
    fn index(at: IVec3) -> Option<usize> {
        let inside = at.cmpge(IVec3::ZERO).all() && at.cmplt(IVec3::splat(FINE)).all();
        inside.then(|| (at.x + FINE * (at.y + FINE * at.z)) as usize)
    }

    fn is_filled(&self, at: IVec3) -> bool {
        FilledCells::index(at).is_some_and(|index| self.0[index])
    }

    /// Fills the boxes of the voxel at `at`.
    fn fill(&mut self, at: IVec3, boxes: &[ShapeBox]) {
        for one in boxes.iter().filter(|one| !is_sheet(one)) {
            let [low, high] = [one.low, one.high].map(|c| UVec3::from(c.map(u32::from)).as_ivec3());
            let size = high - low;
            for i in 0..size.x * size.y * size.z {
                let by = IVec3::new(i % size.x, i / size.x % size.y, i / (size.x * size.y));
                if let Some(index) = FilledCells::index(at * 16 + low + by) {
                    self.0[index] = true;
                }
            }
        }
    }

    /// True if nothing covers the face of a cell.
    fn is_open(&self, face: Face, at: IVec3) -> bool {
        self.is_filled(at) && !self.is_filled(at + face.normal())
    }
}

/// The fine faces of a quad in a world with this lowest voxel.
fn fine_faces(quad: Quad, low: IVec3) -> Vec<FineFace> {
    let [first, along, up, _] =
        quad.vertices().map(|v| IVec3::new(v.x.into(), v.y.into(), v.z.into()));
    let face = Face::ALL[usize::from(quad.face)];
    let [u, v] = [along - first, up - first];
    let [i, j] = [u, v].map(|side| side.abs().max_element());
    let behind = face.normal().max(IVec3::ZERO);
    let first = first - low * 16 - behind;
    (0..i * j).map(|n| (quad.face, first + u / i * (n % i) + v / j * (n / i))).collect()
}

/// The shapes of the random worlds: all forms of models, turned, and hewn blocks.
fn shapes(random: &mut Random) -> Vec<Shape> {
    let turns: Vec<Turn> = Turn::all().collect();
    let mut shapes: Vec<Shape> = ModelForm::all()
        // Sheets may lie in the plane of a box.
        .filter(|form| !boxes(form.row()).iter().any(is_sheet))
        .map(|form| Shape::Model(form.turned(turns[random.below(48) as usize])))
        .collect();
    let bits = (1..=254u8).filter_map(HewnEighths::new);
    shapes.extend(bits.map(Shape::Hewn));
    shapes
}

#[test]
fn no_visible_part_of_a_face_is_missing_and_none_is_drawn_twice() {
    // In the last one, a wall that joins covers less than a wall alone.
    check_worlds((0..60).chain([3019]));
}

#[test]
#[ignore = "takes minutes; after changes of shapes or of the mesher"]
fn no_visible_part_of_a_face_is_missing_in_ten_thousand_worlds() {
    check_worlds(0..10_000);
}

fn check_worlds(seeds: impl Iterator<Item = u64>) {
    let random = &mut Random::new(48);
    let shapes = shapes(random);
    let mut list = vec![Material::plain("air", [255; 3]), Material::plain("stone", [90; 3])];
    list[0].matter = stonerun_engine::voxel::Matter::Gas;
    list.extend(shapes.iter().enumerate().map(|(number, &shape)| Material {
        shape,
        ..Material::plain(&format!("stone[{number}]"), [90; 3])
    }));
    let materials = MaterialTable::from_list(list).unwrap();
    let face_materials = FaceMaterials::new(&materials);
    let [mut drawn_more, mut joined_count] = [0; 2];
    for seed in seeds {
        let low = LOWS[(seed % 2) as usize];
        let random = &mut Random::new(seed);
        let mut world = World::new();
        for pos in ChunkPos::default().moore_neighbourhood() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        let places: Vec<IVec3> = (0..SIDE.pow(3))
            .map(|i| IVec3::new(i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)))
            .collect();
        for at in &places {
            let voxel = match random.below(4) {
                0 => Voxel::AIR,
                1 => Voxel::full(1),
                _ => {
                    let number = random.below(shapes.len() as u32) as usize;
                    // Joined forms are few among all.
                    let joins = |shape: &&Shape| shape.row().joined.is_some();
                    let number = match random.below(3) {
                        0 => shapes.iter().position(|shape| joins(&shape)).unwrap_or(number),
                        _ => number,
                    };
                    let fill = shapes[number].row().fill.unwrap_or(255);
                    Voxel::new(number as u16 + 2, fill)
                }
            };
            world.set(low + *at, voxel);
        }
        let mut cells = FilledCells(vec![false; FINE.pow(3) as usize]);
        let whole = [ShapeBox { low: [0; 3], high: [16; 3] }];
        for at in &places {
            let voxel = world.get(low + *at);
            match voxel.material() {
                0 => {}
                1 => cells.fill(*at, &whole),
                shape => {
                    let row = shapes[usize::from(shape) - 2].row();
                    let row = row.joined.map_or(row, |joined: &JoinedForms| {
                        joined_count += 1;
                        joined.row(|side| {
                            let neighbour = world.get(low + *at + side.normal());
                            let material = materials.get(neighbour.material()).unwrap();
                            material.joins(neighbour, side.opposite(), joined.joint)
                        })
                    });
                    cells.fill(*at, boxes(row));
                }
            }
        }
        let pos = ChunkPos::default();
        let mesh = build(pos, &world.neighbourhood(pos).borrowed(), &face_materials);
        assert!(mesh.cutout.is_empty() && mesh.translucent.is_empty());
        let mut drawn = vec![false; 6 * FINE.pow(3) as usize];
        let number = |face: u8, at: IVec3| {
            usize::from(face) * FINE.pow(3) as usize + FilledCells::index(at).expect("in the world")
        };
        for (face, at) in mesh.opaque.iter().flat_map(|quad| fine_faces(quad.unpack(), low)) {
            let is_first = !std::mem::replace(&mut drawn[number(face, at)], true);
            assert!(is_first, "seed {seed}: face {face} of {at} is drawn twice");
        }
        let is_in_chunk = |at: IVec3| (low * 16 + at).cmpge(IVec3::ZERO).all();
        for n in 0..FINE.pow(3) {
            let at = IVec3::new(n % FINE, n / FINE % FINE, n / (FINE * FINE));
            for face in Face::ALL.into_iter().filter(|_| is_in_chunk(at)) {
                let is_drawn = drawn[number(face as u8, at)];
                let is_open = cells.is_open(face, at);
                assert!(is_drawn || !is_open, "seed {seed}: face {face:?} of {at} is missing");
                drawn_more += usize::from(is_drawn && !is_open);
            }
        }
    }
    // Of blocks, sides that other shapes hide are drawn all the same, and so are parts of sides.
    assert!(drawn_more > 0 && joined_count > 20, "{drawn_more} {joined_count}");
}

#[test]
fn sides_hide_each_other_as_far_as_they_cover() {
    let eighths = |bits| Shape::Hewn(HewnEighths::new(bits).unwrap());
    let [lower, stairs] = [0b0011_0011, 0b0011_1111].map(eighths);
    let mut list = vec![Material::plain("air", [255; 3])];
    for (name, shape) in [("lower", lower), ("stairs", stairs)] {
        list.push(Material { shape, ..Material::plain(name, [90; 3]) });
    }
    let face_materials = FaceMaterials::new(&MaterialTable::from_list(list).unwrap());
    let quads = |a: u16, b: u16| {
        let mut world = World::new();
        for pos in ChunkPos::default().moore_neighbourhood() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        world.set(IVec3::new(4, 4, 4), Voxel::new(a, 127));
        world.set(IVec3::new(5, 4, 4), Voxel::new(b, 127));
        let pos = ChunkPos::default();
        build(pos, &world.neighbourhood(pos).borrowed(), &face_materials).opaque.len()
    };
    // Slabs hide each other's side. Stairs hide the side of a slab, which hides one of
    // their two rectangles.
    assert_eq!([quads(1, 0), quads(1, 1), quads(2, 0), quads(1, 2)], [6, 10, 10, 14]);
}
