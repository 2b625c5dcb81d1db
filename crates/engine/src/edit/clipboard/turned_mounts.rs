//! Turning of materials that have a direction.

use crate::voxel::{Face, MaterialId, MaterialTable, TorchMount};
use crate::world::Chunk;
use glam::{DMat3, DVec3};
use rustc_hash::FxHashMap;

/// Replacements for the torch materials of a clipboard that is turned or flipped.
#[derive(Default)]
pub(super) struct TurnedMounts(FxHashMap<MaterialId, MaterialId>);

impl TurnedMounts {
    /// Replacements for the torches of a table whose mounts `matrix` changes. Torches that would
    /// hang from a ceiling, or whose new mount the table lacks, stay unchanged.
    pub(super) fn new(materials: &MaterialTable, matrix: DMat3) -> TurnedMounts {
        let turned = materials.iter().filter_map(|(id, material)| {
            let support = material.torch_mount()?.wall().unwrap_or(Face::Down);
            let support = nearest_face(matrix * support.normal().as_dvec3());
            let mount = TorchMount::on_face(support.opposite())?;
            Some((id, materials.with_mount(id, mount)?))
        });
        TurnedMounts(turned.filter(|(before, after)| before != after).collect())
    }

    /// Copy of a chunk with its torches replaced.
    pub(super) fn apply(&self, chunk: &Chunk) -> Chunk {
        if self.0.is_empty() {
            return chunk.clone();
        }
        chunk.map(|voxel| match self.0.get(&voxel.material()) {
            Some(&material) => voxel.with_material(material),
            None => voxel,
        })
    }
}

/// Face whose normal is nearest to a direction.
fn nearest_face(direction: DVec3) -> Face {
    let along = |face: &Face| direction.dot(face.normal().as_dvec3());
    // There are six faces, so a maximum exists.
    Face::ALL.into_iter().max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or(Face::Down)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Voxel;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn torches_keep_their_walls() {
        let materials = MaterialTable::builtin();
        let torch = materials
            .iter()
            .find(|(_, material)| material.torch_mount() == Some(TorchMount::Floor))
            .unwrap()
            .0;
        let mounted =
            |mount| Voxel::new(materials.with_mount(torch, mount).unwrap(), 77).with_liquid(50);
        let turned = |matrix, mount| {
            let chunk =
                TurnedMounts::new(&materials, matrix).apply(&Chunk::uniform(mounted(mount)));
            let voxel = chunk.as_uniform().unwrap();
            assert_eq!((voxel.occupancy(), voxel.liquid()), (77, 50));
            materials.get(voxel.material()).unwrap().torch_mount().unwrap()
        };
        use TorchMount::{East, Floor, North, South, West};
        let about_y = DMat3::from_rotation_y(FRAC_PI_2);
        assert_eq!(
            [Floor, East, North, West, South].map(|mount| turned(about_y, mount)),
            [Floor, North, West, South, East]
        );
        let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        assert_eq!([Floor, East, North].map(|mount| turned(mirror, mount)), [Floor, West, North]);
        // South turns to the floor and the floor to the north wall; north would turn to the
        // ceiling, which has no mount.
        let about_x = DMat3::from_rotation_x(FRAC_PI_2);
        assert_eq!(
            [South, Floor, North, East].map(|mount| turned(about_x, mount)),
            [Floor, North, North, East]
        );
        // Scales and turns by less than 45 degrees change no mount.
        let slanted = DMat3::from_rotation_y(0.5) * DMat3::from_diagonal(DVec3::new(9.0, 0.1, 3.0));
        assert_eq!(TorchMount::ALL.map(|mount| turned(slanted, mount)), TorchMount::ALL);
        assert!(TurnedMounts::new(&materials, DMat3::IDENTITY).0.is_empty());
    }
}
