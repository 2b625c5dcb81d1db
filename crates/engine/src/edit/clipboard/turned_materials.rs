//! Turning of materials that have a direction.

use crate::voxel::{Face, Material, MaterialId, MaterialTable, SolidBoxes, TorchMount, Turn};
use crate::world::Chunk;
use glam::{DMat3, DVec3};
use rustc_hash::FxHashMap;

/// Replacements for the materials of a clipboard that is turned or flipped.
#[derive(Default)]
pub(super) struct TurnedMaterials(FxHashMap<MaterialId, MaterialId>);

impl TurnedMaterials {
    /// Replacements for the torches and the states of blocks of a table that `matrix` changes.
    /// Torches that would hang from a ceiling, and those whose new mount or state the table lacks,
    /// stay unchanged.
    pub(super) fn new(materials: &MaterialTable, matrix: DMat3) -> TurnedMaterials {
        let turn = Turn::nearest(matrix);
        let turned = materials.iter().filter_map(|(id, material)| {
            let after = match material.torch_mount() {
                Some(mount) => turned_torch(materials, id, mount, matrix)?,
                None => turned_state(materials, material, turn?)?,
            };
            Some((id, after))
        });
        TurnedMaterials(turned.filter(|(before, after)| before != after).collect())
    }

    /// Copy of a chunk with its turned materials replaced.
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

fn turned_torch(
    materials: &MaterialTable,
    id: MaterialId,
    mount: TorchMount,
    matrix: DMat3,
) -> Option<MaterialId> {
    let support = mount.wall().unwrap_or(Face::Down);
    let support = nearest_face(matrix * support.normal().as_dvec3());
    materials.with_mount(id, TorchMount::on_face(support.opposite())?)
}

/// Materials that a clipboard with the materials `used` turns into, and the table lacks.
pub(super) fn missing(
    materials: &MaterialTable,
    matrix: DMat3,
    used: impl FnOnce() -> Vec<MaterialId>,
) -> Vec<Material> {
    let Some(turn) = Turn::nearest(matrix) else { return Vec::new() };
    let lacking: Vec<(MaterialId, Material)> = materials
        .iter()
        .filter_map(|(id, material)| Some((id, material.turned(turn)?)))
        .filter(|(_, turned)| named(materials, turned).is_none())
        .collect();
    if lacking.is_empty() {
        return Vec::new();
    }
    let used = used();
    let is_used = |id: &MaterialId| used.binary_search(id).is_ok();
    lacking.into_iter().filter(|(id, _)| is_used(id)).map(|(_, turned)| turned).collect()
}

/// The material with the name of a turned one. Upright blocks of built-in materials have no state
/// in their name.
fn named(materials: &MaterialTable, turned: &Material) -> Option<MaterialId> {
    let upright = || materials.find(turned.name.strip_suffix("[axis=y]")?);
    materials.find(&turned.name).or_else(upright)
}

/// The material of a block whose state or shape is turned.
fn turned_state(materials: &MaterialTable, material: &Material, turn: Turn) -> Option<MaterialId> {
    let turned = material.turned(turn)?;
    let id = named(materials, &turned)?;
    // A name could belong to another shape in a map of an earlier version.
    let found = materials.get(id)?;
    (boxes(found) == boxes(&turned)).then_some(id)
}

/// The boxes of a material's shape, in an order of their own.
fn boxes(material: &Material) -> Option<Vec<([u8; 3], [u8; 3])>> {
    let SolidBoxes::Boxes(boxes) = material.shape.row().solid else { return None };
    let mut corners: Vec<_> = boxes.iter().map(|one| (one.low, one.high)).collect();
    corners.sort_unstable();
    Some(corners)
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
    use crate::voxel::{HewnEighths, ModelForm, Shape, Voxel};
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
                TurnedMaterials::new(&materials, matrix).apply(&Chunk::uniform(mounted(mount)));
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
        assert!(TurnedMaterials::new(&materials, DMat3::IDENTITY).0.is_empty());
    }

    #[test]
    fn fences_turn_whatever_the_order_of_their_boxes() {
        let mut materials = MaterialTable::builtin();
        let mut fence = |sides: [&str; 2]| {
            let state = ["east", "north", "south", "west"]
                .map(|side| format!("{side}={}", sides.contains(&side)))
                .join(",");
            let shape = Shape::Model(ModelForm::new("fence", Turn::NONE, &sides).unwrap());
            let name = format!("x_fence[{state}]");
            materials.add(Material { name, shape, ..Material::plain("", [0; 3]) }).unwrap()
        };
        let around = [["north", "east"], ["east", "south"], ["south", "west"], ["west", "north"]];
        let around = around.map(&mut fence);
        // From north to east.
        let quarter = DMat3::from_rotation_y(-FRAC_PI_2);
        let turned = TurnedMaterials::new(&materials, quarter);
        for (index, id) in around.into_iter().enumerate() {
            let chunk = turned.apply(&Chunk::uniform(Voxel::full(id)));
            assert_eq!(chunk.as_uniform(), Some(Voxel::full(around[(index + 1) % 4])), "{index}");
        }
    }

    #[test]
    fn states_turn_if_the_table_has_them() {
        let mut materials = MaterialTable::builtin();
        let mut slab = |side: &str, face: Face| {
            let name = format!("oak_planks[facing={side}]");
            let shape = Shape::Hewn(HewnEighths::slab(face));
            materials.add(Material { name, shape, ..Material::plain("", [0; 3]) }).unwrap()
        };
        let [north, west] = [("north", Face::North), ("west", Face::West)].map(|(n, f)| slab(n, f));
        let turned = |materials: &MaterialTable, degrees: f64, id: MaterialId| {
            let matrix = DMat3::from_rotation_y(degrees.to_radians());
            let chunk = Chunk::uniform(Voxel::new(id, 127).with_liquid(9));
            let chunk = TurnedMaterials::new(materials, matrix).apply(&chunk);
            let voxel = chunk.as_uniform().unwrap();
            assert_eq!((voxel.occupancy(), voxel.liquid()), (127, 9));
            voxel.material()
        };
        assert_eq!(turned(&materials, 90.0, north), west);
        assert_eq!(turned(&materials, -80.0, west), north);
        // There is no slab to the south.
        assert_eq!(turned(&materials, 180.0, north), north);
        let log = materials.find("oak_log").unwrap();
        let lying = materials.get(log).unwrap().clone();
        let faces = lying.faces.clone().lying(crate::voxel::LyingAxis::X);
        let name = "oak_log[axis=x]".to_owned();
        let lying = materials.add(Material { name, faces, ..lying }).unwrap();
        let upright = DMat3::from_rotation_z(FRAC_PI_2);
        let chunk = Chunk::uniform(Voxel::full(lying));
        let chunk = TurnedMaterials::new(&materials, upright).apply(&chunk);
        assert_eq!(chunk.as_uniform(), Some(Voxel::full(log)));
    }
}
