//! The rival: the same rules on a flat array, in loops over rows that the compiler vectorises.
//!
//! A cell is a 16-bit number: the code of its material, and its occupancy. Codes of powder and of
//! liquids are consecutive, so that comparisons recognise both. All cells are scanned in each
//! phase.

use stonerun_engine::runs::RunTree;
use stonerun_engine::voxel::{Box3, CHUNK_VOLUME, ChunkPos, MaterialId, Voxel, linear_offset};
use stonerun_engine::world::World;

// A cell is a code and an occupancy, a byte each. Codes are in the order air, powders, liquids, all
// others. Each pair of constants is the first cell and the number of cells of a group.
const FIRST_POWDER: u16 = 1 << 8;
const POWDERS: u16 = 4 << 8;
const FIRST_LIQUID: u16 = 5 << 8;
const LIQUIDS: u16 = 2 << 8;
// Codes of the liquids.
const WATER: u16 = 5;
const LAVA: u16 = 6;
/// Minimum depths of water and lava, in 256ths of a voxel, as in the rules.
const MIN_DEPTHS: [i32; 2] = [16, 96];
/// Number of steps between flows of lava, as in the rules.
const LAVA_EVERY: u64 = 6;

/// A box of voxels.
pub(super) struct FlatScan {
    area: Box3,
    /// Cells (code << 8 | occupancy), x fastest, then z, then y.
    cells: Vec<u16>,
    /// Material for each code.
    materials: Vec<MaterialId>,
    /// Length of the box along x, in cells.
    width: usize,
    /// Number of cells per layer.
    layer: usize,
    /// Number of layers.
    height: usize,
    /// Code of stone.
    stone: u16,
    /// Scratch memory for one layer: masks of the cells that change.
    masks: Vec<u16>,
}

/// Materials that the rules name.
pub(super) struct RuleMaterials {
    /// The four powders.
    pub powder: [MaterialId; 4],
    /// Water.
    pub water: MaterialId,
    /// Lava.
    pub lava: MaterialId,
    /// Material that lava turns into.
    pub stone: MaterialId,
}

fn is_powder(cell: u16) -> bool {
    cell.wrapping_sub(FIRST_POWDER) < POWDERS
}

fn is_fluid(cell: u16) -> bool {
    cell < FIRST_POWDER || cell.wrapping_sub(FIRST_LIQUID) < LIQUIDS
}

/// Mask of a condition: all ones if it is true, else zero.
fn mask(bit: bool) -> u16 {
    0u16.wrapping_sub(u16::from(bit))
}

impl FlatScan {
    /// Reads the voxels of a box of whole chunks, all of which are loaded.
    pub fn new(world: &World, area: Box3, named: &RuleMaterials) -> FlatScan {
        let mut materials = vec![Voxel::AIR.material()];
        materials.extend(named.powder);
        materials.extend([named.water, named.lava]);
        let size = area.size();
        let width = size.x as usize;
        let layer = (size.x * size.z) as usize;
        let mut scan = FlatScan {
            area,
            cells: vec![0; area.volume() as usize],
            materials,
            width,
            layer,
            height: size.y as usize,
            stone: 0,
            masks: vec![0; layer],
        };
        scan.stone = scan.code(named.stone);
        for pos in area.chunks() {
            let Some(chunk) = world.chunk(pos) else { continue };
            for run in chunk.runs() {
                let cell = scan.code(run.voxel.material()) << 8 | u16::from(run.voxel.occupancy());
                for index in run.start..run.end() {
                    let at = scan.index(pos, index as usize);
                    scan.cells[at] = cell;
                }
            }
        }
        scan
    }

    /// Code of a material. Adds the material if it is new; inputs have fewer than 256 materials.
    fn code(&mut self, material: MaterialId) -> u16 {
        let known = self.materials.iter().position(|&known| known == material);
        known.unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        }) as u16
    }

    fn index(&self, pos: ChunkPos, index: usize) -> usize {
        let at = pos.origin() + linear_offset(index) - self.area.min;
        at.x as usize + at.z as usize * self.width + at.y as usize * self.layer
    }

    /// True if a chunk has the same voxels.
    pub fn equals(&self, pos: ChunkPos, chunk: &RunTree) -> bool {
        chunk.runs().all(|run| {
            (run.start..run.end()).all(|index| {
                debug_assert!((index as usize) < CHUNK_VOLUME);
                let cell = self.cells[self.index(pos, index as usize)];
                Voxel::new(self.materials[usize::from(cell >> 8)], cell as u8) == run.voxel
            })
        })
    }

    /// Carries out one step.
    pub fn step(&mut self, step: u64) {
        self.petrify();
        self.sink(0, 0);
        self.sink(0, 1);
        let width = self.width as isize;
        let side = [1, -width, -1, width][(step % 4) as usize];
        self.sink(side, 0);
        self.sink(side, 1);
        for (code, every, least) in [(WATER, 1, MIN_DEPTHS[0]), (LAVA, LAVA_EVERY, MIN_DEPTHS[1])] {
            if step.is_multiple_of(every) {
                self.fall(code, 0);
                self.fall(code, 1);
                let along_x = (step / every).is_multiple_of(2);
                self.spread(code, least, along_x, 0);
                self.spread(code, least, along_x, 1);
            }
        }
    }

    /// Turns lava next to water to stone. Reads no cell that it changes.
    fn petrify(&mut self) {
        let width = self.width;
        let layer = self.layer;
        for y in 1..self.height - 1 {
            for z in 1..layer / width - 1 {
                let row = y * layer + z * width;
                let cells = &self.cells;
                let near = |by: isize| &cells[row.wrapping_add_signed(by) + 1..][..width - 2];
                let w = width as isize;
                let l = layer as isize;
                let around = [near(-1), near(1), near(-w), near(w), near(-l), near(l)];
                for (x, found) in self.masks[..width - 2].iter_mut().enumerate() {
                    *found = around.iter().fold(0, |any, row| any | mask(row[x] >> 8 == WATER));
                }
                for (cell, found) in self.cells[row + 1..][..width - 2].iter_mut().zip(&self.masks)
                {
                    let turns = mask(*cell >> 8 == LAVA) & found;
                    *cell ^= (*cell ^ (*cell & 0xFF | self.stone << 8)) & turns;
                }
            }
        }
    }

    /// Lets powder sink: straight down if `side` is 0, otherwise into the cell `side` cells away in
    /// the layer below. `parity` selects the upper layers by their y.
    fn sink(&mut self, side: isize, parity: usize) {
        let width = self.width;
        let layer = self.layer;
        for y in (1..self.height).filter(|y| y % 2 == parity) {
            let (low, high) = self.cells[(y - 1) * layer..][..2 * layer].split_at_mut(layer);
            if side == 0 {
                for (upper, lower) in high.iter_mut().zip(low) {
                    let swap = (*upper ^ *lower) & mask(is_powder(*upper)) & mask(is_fluid(*lower));
                    (*upper, *lower) = (*upper ^ swap, *lower ^ swap);
                }
                continue;
            }
            let (rows, columns) = match side {
                1 => (0..layer / width, 0..width - 1),
                -1 => (0..layer / width, 1..width),
                side if side > 0 => (0..layer / width - 1, 0..width),
                _ => (1..layer / width, 0..width),
            };
            let row = |z: usize| z * width + columns.start;
            for z in rows.clone() {
                let at = row(z);
                let len = columns.len();
                let next = at.wrapping_add_signed(side);
                let [upper, below] = [&high[at..][..len], &low[at..][..len]];
                let [beside, lower] = [&high[next..][..len], &low[next..][..len]];
                for (x, found) in self.masks[at..][..len].iter_mut().enumerate() {
                    *found = mask(is_powder(upper[x]))
                        & !mask(is_fluid(below[x]))
                        & mask(is_fluid(beside[x]))
                        & mask(is_fluid(lower[x]));
                }
            }
            for z in rows {
                let at = row(z);
                let len = columns.len();
                let uppers = &mut high[at..][..len];
                let lowers = &mut low[at.wrapping_add_signed(side)..][..len];
                for ((upper, lower), found) in uppers.iter_mut().zip(lowers).zip(&self.masks[at..])
                {
                    let swap = (*upper ^ *lower) & found;
                    (*upper, *lower) = (*upper ^ swap, *lower ^ swap);
                }
            }
        }
    }

    /// Lets a liquid fall. `parity` selects the upper layers by their y.
    fn fall(&mut self, code: u16, parity: usize) {
        for y in (1..self.height).filter(|y| y % 2 == parity) {
            let (low, high) =
                self.cells[(y - 1) * self.layer..][..2 * self.layer].split_at_mut(self.layer);
            for (upper, lower) in high.iter_mut().zip(low) {
                let a = amount(*upper, code);
                let b = amount(*lower, code);
                let takes = (*lower == 0 || *lower >> 8 == code) && *upper >> 8 == code;
                let moved = a.min(256 - b) & -i32::from(takes);
                *upper = if takes { of_amount(a - moved, code) } else { *upper };
                *lower = if takes { of_amount(b + moved, code) } else { *lower };
            }
        }
    }

    /// Evens out a liquid. Starts at the top layer, so that the layer below is unchanged when it is
    /// read.
    fn spread(&mut self, code: u16, least: i32, along_x: bool, parity: usize) {
        let width = self.width;
        let layer = self.layer;
        for y in (1..self.height).rev() {
            let (low, high) = self.cells[(y - 1) * layer..][..2 * layer].split_at_mut(layer);
            if along_x {
                for (row, below) in high.chunks_exact_mut(width).zip(low.chunks_exact(width)) {
                    let row = &mut row[parity..];
                    let below = &below[parity..];
                    let below = below.as_chunks::<2>().0;
                    for ([first, second], [first_below, second_below]) in
                        row.as_chunks_mut::<2>().0.iter_mut().zip(below)
                    {
                        (*first, *second) =
                            even([*first, *second], [*first_below, *second_below], code, least);
                    }
                }
                continue;
            }
            for z in (parity..layer / width - 1).step_by(2) {
                let (firsts, seconds) = high[z * width..][..2 * width].split_at_mut(width);
                let (first_below, second_below) = low[z * width..][..2 * width].split_at(width);
                let below = first_below.iter().zip(second_below);
                for ((first, second), (a, b)) in firsts.iter_mut().zip(seconds).zip(below) {
                    (*first, *second) = even([*first, *second], [*a, *b], code, least);
                }
            }
        }
    }
}

/// Amount of a liquid in a cell.
#[inline(always)]
fn amount(cell: u16, code: u16) -> i32 {
    (i32::from(cell & 0xFF) + 1) & -i32::from(cell >> 8 == code)
}

#[inline(always)]
fn of_amount(amount: i32, code: u16) -> u16 {
    if amount == 0 { 0 } else { code << 8 | (amount - 1) as u16 }
}

/// The two cells of a pair after a liquid has evened out, given the two cells below them.
#[inline(always)]
fn even([first, second]: [u16; 2], below: [u16; 2], code: u16, least: i32) -> (u16, u16) {
    let a = amount(first, code);
    let b = amount(second, code);
    let takes = |cell: u16| cell == 0 || cell >> 8 == code;
    let has_room = |cell: u16| cell == 0 || cell >> 8 == code && cell & 0xFF != 0xFF;
    let [a_drops, b_drops] = below.map(has_room);
    let gives = |from: i32, from_drops: bool, to: i32, to_drops: bool| {
        let half = ((from - to) / 2).max(0);
        let to_air = if to_drops {
            from
        } else if from >= least {
            half
        } else {
            0
        };
        let given = if to == 0 { to_air } else { half };
        given & -i32::from(from > 0 && !from_drops)
    };
    let moved = gives(a, a_drops, b, b_drops) - gives(b, b_drops, a, a_drops);
    let pair = takes(first) && takes(second) && moved != 0;
    if pair { (of_amount(a - moved, code), of_amount(b + moved, code)) } else { (first, second) }
}
