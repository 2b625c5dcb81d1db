//! Reference implementation of the rules: voxel by voxel over a plain array, without runs, planes
//! and active blocks.

use super::super::chance::{Chance, draws};
use crate::runs::RunTree;
use crate::voxel::{
    Box3, CHUNK_VOLUME, ChunkPos, MaterialId, MaterialTable, Voxel, linear_offset,
    neighbour_offsets,
};
use crate::world::World;
use glam::IVec3;

/// Width of the border of the area along x and z to which no rules are applied, in voxels.
const MARGIN: i32 = 10;

/// Predicate: true if a change applies to the voxel at a position.
pub type Applies = Box<dyn Fn(&DenseWorld, IVec3) -> bool>;

/// The voxels of a box.
#[derive(Clone)]
pub struct DenseWorld {
    area: Box3,
    voxels: Vec<Voxel>,
}

/// Rules for a dense world.
pub struct DenseRules {
    /// The materials of the world.
    pub materials: MaterialTable,
    /// Rules of powder: materials, every.
    pub powders: Vec<(Vec<MaterialId>, u64)>,
    /// Rules of liquids: material, least depth, every.
    pub liquids: Vec<(MaterialId, i32, u64)>,
    /// Changes, sorted by `every` and then by their order in the text.
    pub changes: Vec<DenseChange>,
    /// Rules of support.
    pub supports: Vec<DenseSupport>,
    /// Seed of chance.
    pub seed: u64,
}

/// A rule of support: voxels without a hold become air.
pub struct DenseSupport {
    /// Number of the rule in the text.
    pub rule: usize,
    /// Materials that need a hold.
    pub of: MaterialId,
    /// Materials that are a hold.
    pub by: Vec<MaterialId>,
    /// Maximum number of steps to the hold.
    pub within: usize,
    /// Chance as a fraction: numerator and denominator.
    pub chance: (u32, u32),
    /// Period in steps: the rule acts in one of this many.
    pub every: u64,
}

impl DenseSupport {
    /// True if a breadth-first search from the voxel finds a hold.
    fn is_held(&self, world: &DenseWorld, at: IVec3) -> bool {
        let mut seen = vec![at];
        let mut edge = vec![at];
        for _ in 0..self.within {
            let mut next = Vec::new();
            for at in edge.iter().flat_map(|&at| neighbour_offsets().map(move |by| at + by)) {
                let voxel = world.get(at);
                if voxel == Voxel::NOT_LOADED || self.by.contains(&voxel.material()) {
                    return true;
                }
                if voxel.material() == self.of && !seen.contains(&at) {
                    seen.push(at);
                    next.push(at);
                }
            }
            edge = next;
        }
        false
    }
}

/// A rule of change.
pub struct DenseChange {
    /// Number of the rule in the text.
    pub rule: usize,
    /// Period in steps: the rule acts in one of this many.
    pub every: u64,
    /// Chance as a fraction: numerator and denominator.
    pub chance: (u32, u32),
    /// New material of the voxel.
    pub becomes: MaterialId,
    /// Conditions of the change.
    pub applies: Applies,
}

impl DenseWorld {
    /// Copies the loaded voxels of an area of whole chunks.
    pub fn new(world: &World, area: Box3) -> DenseWorld {
        let mut dense =
            DenseWorld { area, voxels: vec![Voxel::NOT_LOADED; area.volume() as usize] };
        for (pos, chunk) in world.chunks() {
            for run in chunk.runs() {
                for index in run.start..run.end() {
                    let at = dense
                        .index(pos.origin() + linear_offset(index as usize))
                        .expect("the chunk is inside");
                    dense.voxels[at] = run.voxel;
                }
            }
        }
        dense
    }

    fn index(&self, at: IVec3) -> Option<usize> {
        let by = at - self.area.min;
        let size = self.area.size();
        self.area.contains(at).then(|| (by.x + size.x * (by.z + size.z * by.y)) as usize)
    }

    pub fn get(&self, at: IVec3) -> Voxel {
        self.index(at).map_or(Voxel::NOT_LOADED, |index| self.voxels[index])
    }

    fn set(&mut self, at: IVec3, voxel: Voxel) {
        let index = self.index(at).expect("only loaded voxels change");
        self.voxels[index] = voxel;
    }

    pub fn chunk(&self, pos: ChunkPos) -> RunTree {
        let voxels = (0..CHUNK_VOLUME).map(|index| self.get(pos.origin() + linear_offset(index)));
        RunTree::from_runs(voxels.map(|voxel| (1, voxel)))
    }

    /// The positions to which the rules are applied. Leaves out the border of the area, which
    /// nothing reaches.
    fn positions(&self) -> impl Iterator<Item = IVec3> + use<> {
        let Box3 { min, max } = self.area;
        let [min, max] = [min + IVec3::new(MARGIN, 0, MARGIN), max - IVec3::new(MARGIN, 0, MARGIN)];
        (min.y..max.y).flat_map(move |y| {
            (min.z..max.z).flat_map(move |z| (min.x..max.x).map(move |x| IVec3::new(x, y, z)))
        })
    }

    fn are_loaded(&self, at: &[IVec3]) -> bool {
        at.iter().all(|&at| self.get(at) != Voxel::NOT_LOADED)
    }
}

/// Amount of a voxel, in 256ths.
pub fn amount(voxel: Voxel) -> i32 {
    if voxel.is_air() { 0 } else { i32::from(voxel.occupancy()) + 1 }
}

fn of_amount(material: MaterialId, amount: i32) -> Voxel {
    if amount == 0 { Voxel::AIR } else { Voxel::new(material, (amount - 1) as u8) }
}

impl DenseRules {
    pub fn step(&self, world: &mut DenseWorld, step: u64) {
        let mut everies: Vec<u64> = self.changes.iter().map(|change| change.every).collect();
        everies.sort_unstable();
        everies.dedup();
        for every in everies.into_iter().filter(|&every| step.is_multiple_of(every)) {
            self.change(world, every, step);
        }
        for support in self.supports.iter().filter(|support| step.is_multiple_of(support.every)) {
            let before = world.clone();
            let (times, of) = support.chance;
            for at in before.positions().filter(|&at| before.get(at).material() == support.of) {
                if !support.is_held(&before, at)
                    && Chance::new(times, of).happens(draws(self.seed, step, support.rule), at)
                {
                    world.set(at, self.materials.left_by(before.get(at)));
                }
            }
        }
        for (materials, every) in &self.powders {
            if step.is_multiple_of(*every) {
                let sides = [IVec3::X, IVec3::NEG_Z, IVec3::NEG_X, IVec3::Z];
                let side = sides[(step / every % 4) as usize];
                for (along, parity) in [(IVec3::ZERO, 0), (IVec3::ZERO, 1), (side, 0), (side, 1)] {
                    self.sink(world, materials, along, parity);
                }
            }
        }
        for &(material, least, every) in &self.liquids {
            if step.is_multiple_of(every) {
                let takers = Takers { materials: &self.materials, liquid: material };
                takers.fall(world, 0);
                takers.fall(world, 1);
                let axis = if (step / every).is_multiple_of(2) { IVec3::X } else { IVec3::Z };
                takers.spread(world, least, axis, 0);
                takers.spread(world, least, axis, 1);
            }
        }
    }

    fn change(&self, world: &mut DenseWorld, every: u64, step: u64) {
        let before = world.clone();
        for at in before.positions() {
            let voxel = before.get(at);
            for change in self.changes.iter().filter(|change| change.every == every) {
                let (times, of) = change.chance;
                let Some(after) = self.changed_to(voxel, change.becomes) else { continue };
                if (change.applies)(&before, at)
                    && crate::voxel::neighbour_offsets().all(|by| before.are_loaded(&[at + by]))
                    && Chance::new(times, of).happens(draws(self.seed, step, change.rule), at)
                {
                    world.set(at, after);
                    break;
                }
            }
        }
    }

    /// The voxel that becomes `material`; `None` if its water would be lost.
    fn changed_to(&self, voxel: Voxel, material: MaterialId) -> Option<Voxel> {
        let full = Voxel::full(material);
        let is_solid = self.materials.get(material).is_some_and(|material| !material.is_fluid());
        match voxel.is_wet() {
            _ if voxel.is_air() => Some(full),
            false => Some(voxel.with_material(material)),
            true if is_solid => Some(voxel.with_material(material)),
            true if full.is_air() => Some(self.materials.left_by(voxel)),
            true => (Some(material) == self.materials.water())
                .then(|| of_amount(material, amount(voxel) + i32::from(voxel.liquid()))),
        }
    }

    fn is_fluid(&self, voxel: Voxel) -> bool {
        voxel.is_air() || self.liquids.iter().any(|liquid| liquid.0 == voxel.material())
    }

    fn sink(&self, world: &mut DenseWorld, materials: &[MaterialId], side: IVec3, parity: i32) {
        let before = world.clone();
        for upper in before.positions().filter(|at| at.y.rem_euclid(2) == parity) {
            let lower = upper + side - IVec3::Y;
            let side_at = upper + side;
            let below = upper - IVec3::Y;
            if materials.contains(&before.get(upper).material())
                && before.are_loaded(&[upper, lower, side_at, below])
                && self.is_fluid(before.get(lower))
                && (side == IVec3::ZERO
                    || self.is_fluid(before.get(side_at)) && !self.is_fluid(before.get(below)))
            {
                world.set(upper, before.get(lower));
                world.set(lower, before.get(upper));
            }
        }
    }
}

/// Voxels that take a liquid: gas, the same liquid, and for water the free part of solids.
struct Takers<'a> {
    materials: &'a MaterialTable,
    liquid: MaterialId,
}

impl Takers<'_> {
    /// True if some of the liquid may be in the voxel.
    fn takes(&self, voxel: Voxel) -> bool {
        voxel.is_air() || voxel.material() == self.liquid || self.is_solid(voxel)
    }

    fn is_solid(&self, voxel: Voxel) -> bool {
        let solid = self.materials.get(voxel.material()).is_some_and(|m| !m.is_fluid());
        solid && self.materials.water() == Some(self.liquid)
    }

    /// Amount of the liquid in a voxel.
    fn held(&self, voxel: Voxel) -> i32 {
        match voxel.material() == self.liquid {
            true => amount(voxel),
            false if self.is_solid(voxel) => voxel.liquid().into(),
            false => 0,
        }
    }

    /// Height to which matter and liquid reach.
    fn level(&self, voxel: Voxel) -> i32 {
        amount(voxel) + i32::from(voxel.liquid())
    }

    fn has_room(&self, voxel: Voxel) -> bool {
        self.takes(voxel) && self.level(voxel) < 256
    }

    /// The voxel with this much more of the liquid.
    fn with(&self, voxel: Voxel, more: i32) -> Voxel {
        match self.is_solid(voxel) {
            true => {
                let liquid = u8::try_from(self.held(voxel) + more).expect("less than a voxel");
                let after = voxel.with_liquid(liquid);
                assert_eq!(after.liquid(), liquid, "there is room");
                after
            }
            false => of_amount(self.liquid, self.held(voxel) + more),
        }
    }

    fn fall(&self, world: &mut DenseWorld, parity: i32) {
        let before = world.clone();
        for upper in before.positions().filter(|at| at.y.rem_euclid(2) == parity) {
            let lower = upper - IVec3::Y;
            let from = before.get(upper);
            let to = before.get(lower);
            if from.material() == self.liquid && self.takes(to) {
                let moved = amount(from).min(256 - self.level(to));
                world.set(upper, self.with(from, -moved));
                world.set(lower, self.with(to, moved));
            }
        }
    }

    fn spread(&self, world: &mut DenseWorld, least: i32, axis: IVec3, parity: i32) {
        let before = world.clone();
        let drops = |at: IVec3| self.has_room(before.get(at - IVec3::Y));
        for first in before.positions().filter(|at| at.dot(axis).rem_euclid(2) == parity) {
            let second = first + axis;
            if !before.are_loaded(&[first, second, first - IVec3::Y, second - IVec3::Y]) {
                continue;
            }
            for (a, b) in [(first, second), (second, first)] {
                let from = before.get(a);
                let to = before.get(b);
                let rests = self.is_solid(from) || !drops(a);
                if self.held(from) == 0 || !rests || !self.takes(to) {
                    continue;
                }
                let above = self.level(from) - self.level(to);
                let moved = if to.is_air() && drops(b) {
                    self.held(from)
                } else if self.held(to) > 0 || above >= least {
                    (above / 2).clamp(0, self.held(from))
                } else {
                    0
                };
                if moved > 0 {
                    world.set(a, self.with(from, -moved));
                    world.set(b, self.with(to, moved));
                }
            }
        }
    }
}
