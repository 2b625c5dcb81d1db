//! The sides to which fences, walls and panes join, as Minecraft stores them.
//!
//! A shape that joins to its neighbours has one material here, and a state for each set of sides in
//! Minecraft. The engine decides which sides join, as for a mesh. For walls Minecraft also stores
//! which sides are tall, because the block above reaches down on them, and whether there is a post:
//! a straight wall and a crossing have one only below a post, a torch or the like, or under
//! something that rests on the middle of a low wall.

use super::block_state::BlockState;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use stonerun_engine::voxel::{
    Box3, CornerRule, Face, Joint, Material, MaterialId, MaterialTable, ShapeBox, SolidBoxes, Voxel,
};
use stonerun_engine::world::World;

/// Part of a wall at one of its sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum WallSide {
    Absent,
    Low,
    Tall,
}

/// Number of blocks of each kind of voxel in an export. Air is among them, if only 0 times.
pub(crate) struct VoxelCounts(FxHashMap<JoinedVoxel, u64>);

impl VoxelCounts {
    pub(crate) fn new() -> VoxelCounts {
        VoxelCounts([(JoinedVoxel::AIR, 0)].into_iter().collect())
    }

    pub(crate) fn add(&mut self, len: u32, voxel: JoinedVoxel) {
        *self.0.entry(voxel).or_default() += u64::from(len);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (JoinedVoxel, u64)> {
        self.0.iter().map(|(&voxel, &count)| (voxel, count))
    }
}

/// The joined sides of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct JoinedSides {
    joint: Joint,
    /// In the order of [`Face::SIDES`]. Fences and panes have no tall sides.
    sides: [WallSide; 4],
    /// True for a wall with a post.
    has_post: bool,
}

/// A voxel, with all that decides its block state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct JoinedVoxel {
    pub voxel: Voxel,
    /// `None` for shapes that do not join to their neighbours, and those that state their sides.
    pub sides: Option<JoinedSides>,
}

impl JoinedVoxel {
    pub(crate) const AIR: JoinedVoxel = JoinedVoxel { voxel: Voxel::AIR, sides: None };
}

impl JoinedSides {
    /// A number for each form of one shape, for a stable order.
    pub(crate) fn number(self) -> u16 {
        self.sides.into_iter().fold(self.has_post.into(), |number, side| number * 3 + side as u16)
    }

    /// The block state `state`, with these sides, and as dry if it does not say that it is wet.
    pub(crate) fn in_state(self, state: &str) -> String {
        let Ok(BlockState { name, properties }) = BlockState::parse(state) else {
            return state.to_owned();
        };
        let mut properties = properties.unwrap_or_default();
        for (face, side) in Face::SIDES.iter().zip(self.sides) {
            let value = match (self.joint, side) {
                (Joint::Wall, WallSide::Absent) => "none",
                (Joint::Wall, WallSide::Low) => "low",
                (Joint::Wall, WallSide::Tall) => "tall",
                (_, WallSide::Absent) => "false",
                _ => "true",
            };
            properties.set(face.word(), value);
        }
        if self.joint == Joint::Wall {
            properties.set("up", if self.has_post { "true" } else { "false" });
        }
        properties.set("waterlogged", "false");
        format!("{name}{}", properties.in_brackets(false))
    }
}

/// Finds the sides of the shapes in a box that join to their neighbours. Voxels outside the box
/// count as air.
pub(crate) struct SideFinder<'a> {
    world: &'a World,
    materials: &'a MaterialTable,
    bounds: Box3,
    /// The kind of joint of each material that joins, by its index.
    joints: Vec<Option<Joint>>,
    /// The last evaluated walls of each column, by x and z. Without them, the time for a high wall
    /// would grow with the square of its height.
    columns: RefCell<FxHashMap<(i32, i32), WallColumn>>,
}

/// Walls on top of each other.
struct WallColumn {
    /// Height of the highest one.
    top: i32,
    /// Their sides, from the top down.
    sides: Vec<JoinedSides>,
}

impl WallColumn {
    fn at(&self, y: i32) -> Option<JoinedSides> {
        self.sides.get(usize::try_from(self.top - y).ok()?).copied()
    }
}

impl<'a> SideFinder<'a> {
    pub(crate) fn new(world: &'a World, materials: &'a MaterialTable, bounds: Box3) -> Self {
        let joint =
            |(_, material): (MaterialId, &Material)| Some(material.shape.row().joined?.joint);
        let joints = materials.iter().map(joint).collect();
        SideFinder { world, materials, bounds, joints, columns: RefCell::default() }
    }

    /// Passes a run of `len` equal voxels to `visit`: whole, or voxel by voxel if their sides depend
    /// on their neighbours. `at` gives the position of each.
    pub(crate) fn split_run(
        &self,
        voxel: Voxel,
        len: u32,
        at: impl Fn(u32) -> IVec3,
        mut visit: impl FnMut(u32, JoinedVoxel),
    ) {
        if self.joint(voxel).is_none() {
            return visit(len, JoinedVoxel { voxel, sides: None });
        }
        for index in 0..len {
            visit(1, self.joined(voxel, at(index)));
        }
    }

    /// The voxel `voxel` at `at` with its sides.
    fn joined(&self, voxel: Voxel, at: IVec3) -> JoinedVoxel {
        let sides = self.joint(voxel).map(|joint| match joint {
            Joint::Wall => self.wall(at),
            joint => {
                let side = |face| {
                    if self.joins(at, face, joint) { WallSide::Low } else { WallSide::Absent }
                };
                JoinedSides { joint, sides: Face::SIDES.map(side), has_post: false }
            }
        });
        JoinedVoxel { voxel, sides }
    }

    fn joint(&self, voxel: Voxel) -> Option<Joint> {
        self.joints.get(usize::from(voxel.material())).copied().flatten()
    }

    fn voxel(&self, at: IVec3) -> Voxel {
        if self.bounds.contains(at) { self.world.get(at) } else { Voxel::AIR }
    }

    /// True if a shape at `at` joins to its neighbour at the side `face`.
    fn joins(&self, at: IVec3, face: Face, joint: Joint) -> bool {
        let neighbour = self.voxel(at + face.normal());
        let material = self.materials.get(neighbour.material());
        material.is_some_and(|material| material.joins(neighbour, face.opposite(), joint))
    }

    /// The sides of the wall at `at`.
    fn wall(&self, at: IVec3) -> JoinedSides {
        let column = (at.x, at.z);
        let known = self.columns.borrow().get(&column).and_then(|walls| walls.at(at.y));
        known.unwrap_or_else(|| {
            let (walls, sides) = self.wall_column(at);
            self.columns.borrow_mut().insert(column, walls);
            sides
        })
    }

    /// The walls above and below the one at `at`, and the sides of that one. Evaluated from the top
    /// down, because posts pass from wall to wall.
    fn wall_column(&self, at: IVec3) -> (WallColumn, JoinedSides) {
        let is_wall = |at: IVec3| self.joint(self.voxel(at)) == Some(Joint::Wall);
        let mut place = at;
        while is_wall(place + IVec3::Y) {
            place.y += 1;
        }
        let mut walls = WallColumn { top: place.y, sides: vec![] };
        let mut sides = self.wall_below(place, None);
        walls.sides.push(sides);
        while place.y > at.y {
            place.y -= 1;
            sides = self.wall_below(place, Some(sides));
            walls.sides.push(sides);
        }
        let mut lower = sides;
        while is_wall(place - IVec3::Y) {
            place.y -= 1;
            lower = self.wall_below(place, Some(lower));
            walls.sides.push(lower);
        }
        (walls, sides)
    }

    /// The sides of the wall at `at`. `above` holds the sides of a wall above that depends on its
    /// neighbours, too.
    fn wall_below(&self, at: IVec3, above: Option<JoinedSides>) -> JoinedSides {
        let over = at + IVec3::Y;
        let material = self.materials.get(self.voxel(over).material());
        let rests_on = |area| match above {
            Some(wall) => wall.rests_on(area),
            None => material.is_some_and(|material| self.other_rests_on(material, over, area)),
        };
        let side = |face: Face| match self.joins(at, face, Joint::Wall) {
            false => WallSide::Absent,
            true if rests_on(Area::Side(face)) => WallSide::Tall,
            true => WallSide::Low,
        };
        let sides = Face::SIDES.map(side);
        let [north, east, south, west] = sides;
        let is_absent = |side| side == WallSide::Absent;
        let is_even = is_absent(north) == is_absent(south) && is_absent(east) == is_absent(west);
        let is_straight = is_even && !sides.into_iter().all(is_absent);
        let is_tall = [[north, south], [east, west]].contains(&[WallSide::Tall; 2]);
        let is_below_post = match above {
            Some(wall) => wall.has_post,
            None => material.is_some_and(states_post),
        };
        let carries = || material.is_some_and(stands_on_post) || rests_on(Area::Middle);
        let has_post = is_below_post || !is_straight || !is_tall && carries();
        JoinedSides { joint: Joint::Wall, sides, has_post }
    }

    /// True if a voxel at `at` of a material other than a wall rests on an area of the wall below.
    fn other_rests_on(&self, material: &Material, at: IVec3, area: Area) -> bool {
        let own = material.shape.row();
        let row =
            own.joined.map_or(own, |joined| joined.row(|face| self.joins(at, face, joined.joint)));
        let fills = match row.solid {
            SolidBoxes::Filled => true,
            SolidBoxes::Boxes(boxes) => area.is_below(boxes),
        };
        material.is_solid() && fills
    }
}

/// An area on top of a wall, from which Minecraft tells whether something rests on it.
#[derive(Clone, Copy)]
enum Area {
    /// The middle, which becomes a post.
    Middle,
    /// From the middle to a side, which becomes tall.
    Side(Face),
}

impl Area {
    /// True if boxes of the voxel above stand on all of the area.
    fn is_below(self, boxes: &[ShapeBox]) -> bool {
        // In sixteenths along x and z.
        let [mut xs, zs] = match self {
            Area::Middle => [7..9, 7..9],
            Area::Side(Face::North) => [7..9, 0..9],
            Area::Side(Face::South) => [7..9, 7..16],
            Area::Side(Face::West) => [0..9, 7..9],
            Area::Side(_) => [7..16, 7..9],
        };
        let stands_on = |x: u8, z: u8| {
            boxes.iter().any(|one| {
                let [low, high] = [one.low, one.high];
                low[1] == 0 && (low[0]..high[0]).contains(&x) && (low[2]..high[2]).contains(&z)
            })
        };
        xs.all(|x| zs.clone().all(|z| stands_on(x, z)))
    }
}

impl JoinedSides {
    /// True if a wall with these sides rests on an area of the wall below. Each side reaches beyond
    /// the middle.
    fn rests_on(self, area: Area) -> bool {
        let present = |side: WallSide| side != WallSide::Absent;
        match area {
            Area::Middle => self.has_post || self.sides.into_iter().any(present),
            Area::Side(face) => {
                let mut sides = Face::SIDES.into_iter().zip(self.sides);
                sides.any(|(own, side)| own == face && present(side))
            }
        }
    }
}

/// True for walls whose state says that they have a post, or leaves it at the default.
fn states_post(material: &Material) -> bool {
    material.shape.row().joint == Some(Joint::Wall)
        && BlockState::parse(&material.name)
            .is_ok_and(|state| state.properties().get("up") != Some("false"))
}

/// True for things that need a post under them although they do not rest on it: torches, signs,
/// banners and plates.
fn stands_on_post(material: &Material) -> bool {
    let shape = material.shape;
    let is_torch =
        matches!(shape.row().corners, CornerRule::Torch(mount) if mount.wall().is_none());
    is_torch
        || ["sign", "wall_sign", "banner", "plate"].into_iter().any(|f| shape.family() == Some(f))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::random::Random;
    use stonerun_engine::voxel::{ChunkPos, Shape};
    use stonerun_engine::world::Chunk;

    /// Blocks by their place, in a world of air.
    fn world(blocks: &[([i32; 3], &str)]) -> (World, MaterialTable) {
        let mut table = MaterialTable::builtin();
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        for &(at, name) in blocks {
            let (block, words) = match name.strip_suffix(']').and_then(|name| name.split_once('['))
            {
                Some((block, words)) if !words.contains('=') => (block, words),
                _ => (name, "block"),
            };
            let whole = table.find(block).and_then(|id| table.get(id)).cloned();
            let material = match (whole, Shape::from_words(words)) {
                (Some(whole), Ok(shape)) => whole.reshaped(shape).unwrap_or(whole),
                (Some(whole), Err(_)) => whole,
                (None, _) => {
                    let mut reader = super::super::block_mapper::BlockMapper::new();
                    let parsed = BlockState::parse(name).unwrap();
                    let voxel = reader.voxel_for_state(&parsed).unwrap();
                    reader.materials().get(voxel.material()).unwrap().clone()
                }
            };
            let fill = material.shape.row().fill.unwrap_or(u8::MAX);
            let id = table.add(material).unwrap();
            world.set(at.into(), Voxel::new(id, fill));
        }
        (world, table)
    }

    /// The state of the block at `at`, with the sides it gets among `blocks`.
    fn state(blocks: &[([i32; 3], &str)], at: [i32; 3]) -> String {
        let (world, table) = world(blocks);
        let finder = SideFinder::new(&world, &table, ChunkPos::default().bounds());
        let joined = finder.joined(world.get(at.into()), at.into());
        joined.sides.expect("it joins").in_state("minecraft:x[waterlogged=false]")
    }

    const FENCE: &str = "oak_planks[fence]";
    const WALL: &str = "cobblestone[wall]";

    #[test]
    fn fences_and_panes_state_each_side() {
        let around = [
            ([5, 5, 5], FENCE),
            ([5, 5, 4], "birch_planks[fence]"),
            ([6, 5, 5], "stone"),
            ([5, 5, 6], "oak_leaves"),
            ([4, 5, 5], "oak_planks[gate,east]"),
        ];
        let fence = "minecraft:x[east=true,north=true,south=false,waterlogged=false,west=false]";
        assert_eq!(state(&around, [5, 5, 5]), fence);
        let sides = "minecraft:x[east=true,north=true,south=false,waterlogged=false,west=true]";
        let mut gated = around;
        gated[4].1 = "oak_planks[gate,north]";
        assert_eq!(state(&gated, [5, 5, 5]), sides);
        let around = [
            ([5, 5, 5], "glass[pane]"),
            ([5, 5, 4], "minecraft:iron_bars[east=false,north=false,south=false,west=false]"),
            ([6, 5, 5], WALL),
            ([5, 5, 6], FENCE),
            ([4, 5, 5], "oak_planks[slab,west]"),
        ];
        let pane = "minecraft:x[east=true,north=true,south=false,waterlogged=false,west=false]";
        assert_eq!(state(&around, [5, 5, 5]), pane);
    }

    #[test]
    fn neighbours_outside_the_box_do_not_count() {
        let (world, table) = world(&[([5, 5, 5], FENCE), ([6, 5, 5], FENCE)]);
        let bounds = Box3 { min: IVec3::splat(5), max: IVec3::splat(6) };
        let finder = SideFinder::new(&world, &table, bounds);
        let at = IVec3::splat(5);
        let text = finder.joined(world.get(at), at).sides.unwrap().in_state("a:b");
        assert_eq!(text, "a:b[east=false,north=false,south=false,waterlogged=false,west=false]");
        let stone = Voxel::full(table.find("stone").unwrap());
        assert_eq!(finder.joined(stone, at), JoinedVoxel { voxel: stone, sides: None });
    }

    #[test]
    fn walls_have_the_same_sides_in_any_order() {
        let mut random = Random::new(48);
        let mut blocks = vec![];
        for index in 0..512 {
            let at = [index % 8, index / 64, index / 8 % 8];
            match random.draw() % 4 {
                0 => {}
                1 => blocks.push((at, "torch")),
                _ => blocks.push((at, WALL)),
            }
        }
        let (world, table) = world(&blocks);
        let finder = || SideFinder::new(&world, &table, ChunkPos::default().bounds());
        let ascending = finder();
        let descending = finder();
        let joined = |finder: &SideFinder, at: IVec3| finder.joined(world.get(at), at);
        for (from_below, from_above) in blocks.iter().zip(blocks.iter().rev()) {
            for (known, at) in [(&ascending, from_below.0), (&descending, from_above.0)] {
                assert_eq!(joined(known, at.into()), joined(&finder(), at.into()), "{at:?}");
            }
        }
    }

    #[test]
    fn walls_state_tall_sides_and_posts() {
        let wall = |[north, east, south, west]: [&str; 4], up: bool| {
            format!(
                "minecraft:x[east={east},north={north},south={south},up={up},waterlogged=false,west={west}]"
            )
        };
        let [no, low, tall] = ["none", "low", "tall"];
        let middle = [5, 5, 5];
        let row = [(middle, WALL), ([5, 5, 4], WALL), ([5, 5, 6], WALL)];
        let cross = [([4, 5, 5], WALL), ([6, 5, 5], WALL)];
        let with = |more: &[([i32; 3], &'static str)]| [&row, more].concat();
        let above = [5, 6, 5];
        for (blocks, expected) in [
            (vec![(middle, WALL)], wall([no; 4], true)),
            (row[..2].to_vec(), wall([low, no, no, no], true)),
            (row.to_vec(), wall([low, no, low, no], false)),
            (with(&cross), wall([low; 4], false)),
            (with(&cross[..1]), wall([low, no, low, low], true)),
            (with(&[(above, "stone")]), wall([tall, no, tall, no], false)),
            (with(&[(above, "oak_leaves")]), wall([tall, no, tall, no], false)),
            (with(&[(above, "oak_planks[slab,top]")]), wall([low, no, low, no], false)),
            (with(&[(above, "torch")]), wall([low, no, low, no], true)),
            (with(&[(above, "oak_planks[sign]")]), wall([low, no, low, no], true)),
            (with(&[(above, "tall_grass")]), wall([low, no, low, no], false)),
            (with(&[(above, FENCE)]), wall([low, no, low, no], true)),
            (with(&[(above, FENCE), ([5, 6, 4], FENCE)]), wall([tall, no, low, no], true)),
            // A wall of one block stands on a post, also two blocks further down.
            (with(&[(above, WALL)]), wall([low, no, low, no], true)),
            (
                with(&[(above, "minecraft:stone_brick_wall[north=tall,south=tall,up=false]")]),
                wall([tall, no, tall, no], false),
            ),
            (
                with(&[(above, "minecraft:stone_brick_wall[north=low,south=low,up=true]")]),
                wall([tall, no, tall, no], true),
            ),
            // A straight wall of two layers has no posts.
            (
                with(&[(above, WALL), ([5, 6, 4], WALL), ([5, 6, 6], WALL)]),
                wall([tall, no, tall, no], false),
            ),
            (
                with(&[(above, WALL), ([5, 6, 4], WALL), ([5, 6, 6], WALL), ([5, 7, 5], "torch")]),
                wall([tall, no, tall, no], true),
            ),
            (with(&[(above, WALL), ([5, 6, 4], WALL)]), wall([tall, no, low, no], true)),
        ] {
            assert_eq!(state(&blocks, middle), expected, "{blocks:?}");
        }
    }
}
