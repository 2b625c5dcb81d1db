//! A box of voxels out of a file that says how large it is: schematics, small worlds.
//!
//! It stands with its middle at x = z = 0 and its lowest layer at y = 0, air or not, so that the same box comes to the
//! same place whatever is in it.

use super::gather::Gather;
use super::{Flaw, Imported};
use crate::voxel::{Box3, MaterialTable, Voxel};
use crate::world::{WorldStats, matter_bounds};
use glam::{I64Vec3, IVec3};

/// The longest side. Minecraft's schematics count in 16 bits.
const LONGEST: i64 = 1 << 16;
/// The most voxels, air counted.
const MOST_VOXELS: i64 = 1 << 28;

/// A box that is being filled. What is not set is air.
pub(super) struct Model {
    gather: Gather,
    shift: IVec3,
    size: IVec3,
}

impl Model {
    /// An empty box of this size: x (east), y (up), z (south).
    ///
    /// # Errors
    /// A side is not positive or too long, or the box holds too many voxels.
    pub(super) fn new(size: I64Vec3) -> Result<Model, Flaw> {
        let text = format!("{} x {} x {}", size.x, size.y, size.z);
        if size.min_element() < 1 {
            return Err(Flaw::new("size", format!("it is {text} blocks large: there is nothing in it")));
        }
        if size.max_element() > LONGEST || size.element_product() > MOST_VOXELS {
            let most = format!("at most {LONGEST} a side and {MOST_VOXELS} in all are imported");
            return Err(Flaw::new("size", format!("it is {text} blocks large; {most}")));
        }
        let size = size.as_ivec3();
        Ok(Model { gather: Gather::new(), shift: IVec3::new(-size.x / 2, 0, -size.z / 2), size })
    }

    /// The size asked for.
    pub(super) fn size(&self) -> IVec3 {
        self.size
    }

    /// Sets the voxel at `at`, from 0 up to the size; a later one replaces an earlier one.
    ///
    /// # Errors
    /// It is outside, or the voxels lie in too many chunks.
    pub(super) fn set(&mut self, at: IVec3, voxel: Voxel) -> Result<(), Flaw> {
        if at.cmplt(IVec3::ZERO).any() || at.cmpge(self.size).any() {
            return Err(Flaw::new(format!("block ({}, {}, {})", at.x, at.y, at.z), "it is outside the size given"));
        }
        self.gather.set(at + self.shift, voxel)
    }

    /// The world, with the materials that its voxels name.
    ///
    /// # Errors
    /// There is nothing but air.
    pub(super) fn finish(self, materials: MaterialTable) -> Result<Imported, Flaw> {
        let mut world = self.gather.finish();
        let nothing = world.chunks().filter(|(pos, chunk)| matter_bounds(*pos, chunk).is_none());
        for pos in nothing.map(|(pos, _)| pos).collect::<Vec<_>>() {
            world.remove(pos);
        }
        let union = |a: Box3, b: Box3| Box3 { min: a.min.min(b.min), max: a.max.max(b.max) };
        let bounds = world.chunks().filter_map(|(pos, chunk)| matter_bounds(pos, chunk)).reduce(union);
        let bounds = bounds.ok_or_else(|| Flaw::new("blocks", "there is nothing but air"))?;
        let voxels = WorldStats::of(&world).sum.nonempty;
        Ok(Imported { world, materials, bounds, voxels, unfinished: 0, warnings: vec![] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_stands_at_the_middle() {
        let mut model = Model::new(I64Vec3::new(5, 40, 2)).unwrap();
        model.set(IVec3::new(4, 39, 1), Voxel::full(1)).unwrap();
        model.set(IVec3::ZERO, Voxel::AIR).unwrap();
        assert!(model.set(IVec3::new(5, 0, 0), Voxel::full(1)).is_err());
        assert!(model.set(IVec3::new(0, 0, -1), Voxel::full(1)).is_err());
        let made = model.finish(MaterialTable::builtin()).unwrap();
        assert_eq!(made.world.get(IVec3::new(2, 39, 0)), Voxel::full(1));
        assert_eq!((made.voxels, made.world.len()), (1, 1));
        assert_eq!(made.bounds, Box3::spanning(IVec3::new(2, 39, 0), IVec3::new(2, 39, 0)));
    }

    #[test]
    fn sizes_that_cannot_be() {
        for size in [[0, 1, 1], [-1, 1, 1], [1, 1 << 17, 1], [1 << 10, 1 << 10, 1 << 9]] {
            assert_eq!(Model::new(size.into()).map(|_| ()).unwrap_err().place, "size");
        }
        let empty = Model::new(I64Vec3::ONE).unwrap().finish(MaterialTable::builtin());
        assert_eq!(empty.unwrap_err().reason, "there is nothing but air");
    }
}
