//! Face materials: the appearance of the faces of each material.
//!
//! The mesher looks materials up per palette entry and per face of a special block, so it reads one
//! small record per material. A face does not refer to a texture but to a *face material*: a
//! texture with its tint and light. Materials that look alike then merge into one quad, and the GPU
//! needs one table of face materials instead of materials times faces.

use crate::contour::ContourMaterials;
use crate::voxel::{
    CornerRule, Face, Joint, MAX_SIGNAL, Material, MaterialId, MaterialTable, Matter, Opacity,
    PartFace, Shape, ShapeFaces, ShapeRow, Voxel,
};
use rustc_hash::FxHashMap;

/// Index into [`FaceMaterials::list`].
pub type FaceMaterialId = u16;

/// Appearance of a face.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FaceMaterial {
    /// Name of the texture.
    pub texture: String,
    /// Colour that multiplies the texture, sRGB.
    pub tint: [u8; 3],
    /// Emitted light, 0 to 15; the face is at least this bright.
    pub light: u8,
    /// Rule that moves the face's corners where it is drawn, given by the shape.
    pub corners: CornerRule,
    /// True if the texture lies on its side.
    pub is_turned: bool,
}

/// The list of a [`ChunkMesh`](super::ChunkMesh) that holds a face.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DrawPass {
    Opaque,
    CutOut,
    Translucent,
}

impl DrawPass {
    /// All passes, in the order of their numbers.
    pub const ALL: [DrawPass; 3] = [DrawPass::Opaque, DrawPass::CutOut, DrawPass::Translucent];
}

/// Geometry of a voxel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VoxelGeometry {
    Nothing,
    Cube,
    Model,
    /// Drawn as part of a surface, which has a [mesh](crate::surface) of its own.
    Ground,
}

/// The mesher's record of one material.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshTraits {
    /// Face materials, indexed by [`Face`].
    pub faces: [FaceMaterialId; 6],
    pub pass: DrawPass,
    pub(crate) geometry: VoxelGeometry,
    /// Row of the material's shape; of a cube for voxels without a material.
    pub shape: &'static ShapeRow,
    pub liquid: bool,
    /// True for wires: flat at any occupancy but a full one.
    pub is_wire: bool,
    /// True if a box of the material hides everything behind it.
    pub hides: bool,
    /// True if shapes that join do so with full boxes, or full sides, of the material.
    is_sturdy: bool,
    /// True if a full box of the material darkens the corners next to it: it hides and emits no
    /// light.
    pub(crate) casts_occlusion: bool,
}

/// Air and voxels that are not loaded.
const INVISIBLE: MeshTraits = MeshTraits {
    faces: [0; 6],
    pass: DrawPass::Opaque,
    geometry: VoxelGeometry::Nothing,
    shape: Shape::Cube.row(),
    liquid: false,
    is_wire: false,
    hides: false,
    is_sturdy: false,
    casts_occlusion: false,
};
/// An index without a material: a plain white cube, because the player collides with it.
const UNKNOWN: MeshTraits =
    MeshTraits { geometry: VoxelGeometry::Cube, hides: true, casts_occlusion: true, ..INVISIBLE };

impl MeshTraits {
    /// True if a box of the material fills its voxel where the same material lies above. True for
    /// liquids, and for wires, so that no wire of a stack hangs in the air.
    pub fn stacks(&self) -> bool {
        self.liquid || self.is_wire
    }

    /// True if a voxel with this shape, whose row is `row`, fills the part of its side where `face`
    /// of a neighbour lies, so that the face cannot be seen. `from` are the traits of the neighbour.
    pub(super) fn hides_part(&self, row: &ShapeRow, face: &PartFace, from: &MeshTraits) -> bool {
        let Some(covers) = row.covers else { return false };
        // Of matter that one can see through, only the same hides.
        (self.pass == DrawPass::Opaque || self.faces == from.faces)
            && covers[face.face.opposite() as usize].hides(face)
    }
}

/// Appearance of a wire with a signal. Stronger signals are brighter.
struct SignalLook {
    tint: [u8; 3],
    light: u8,
}

/// Appearances of wires by the level of their signal, in steps of equal size.
const SIGNAL_LOOKS: [SignalLook; 3] = [
    SignalLook { tint: [196, 132, 120], light: 5 },
    SignalLook { tint: [232, 194, 180], light: 9 },
    SignalLook { tint: [255, 255, 255], light: 13 },
];

/// Traits of wires with a signal.
#[derive(Clone, Debug)]
struct SignalWires {
    material: MaterialId,
    by_look: [MeshTraits; SIGNAL_LOOKS.len()],
}

/// The face materials of a map.
///
/// Number 0 is plain white. Build a new table when the material table grows; existing numbers stay
/// the same.
#[derive(Clone, Debug)]
pub struct FaceMaterials {
    list: Vec<FaceMaterial>,
    traits: Vec<MeshTraits>,
    wires: Option<SignalWires>,
    /// The liquid in wet voxels.
    water: Option<MaterialId>,
    contour: ContourMaterials,
}

impl FaceMaterials {
    /// The face materials of a material table. Face materials beyond the first 65,536 become plain
    /// white.
    #[must_use]
    pub fn new(table: &MaterialTable) -> FaceMaterials {
        let mut list = Vec::new();
        let mut ids = FxHashMap::default();
        let mut intern = |material: FaceMaterial| -> FaceMaterialId {
            *ids.entry(material).or_insert_with_key(|material| {
                match FaceMaterialId::try_from(list.len()) {
                    Ok(id) => {
                        list.push(material.clone());
                        id
                    }
                    Err(_) => 0,
                }
            })
        };
        intern(FaceMaterial {
            texture: "plain".to_owned(),
            tint: [255; 3],
            light: 0,
            corners: CornerRule::Unmoved,
            is_turned: false,
        });
        let contour = ContourMaterials::new(table);
        let mut traits = Vec::new();
        let mut wires = None;
        for (id, m) in table.iter() {
            let faces = Face::ALL.map(|face| {
                let texture = m.faces.texture(face).to_owned();
                intern(FaceMaterial {
                    texture,
                    tint: m.tint,
                    light: m.light,
                    corners: m.shape.row().corners,
                    is_turned: m.faces.is_turned(face),
                })
            });
            let mut its_traits = mesh_traits(m, faces);
            if contour.is_ground(Voxel::full(id)) {
                its_traits.geometry = VoxelGeometry::Ground;
                its_traits.hides = false;
            }
            traits.push(its_traits);
            if m.is_wire() {
                let by_look = SIGNAL_LOOKS.map(|SignalLook { tint, light }| {
                    let lit = |texture: &str| FaceMaterial {
                        texture: texture.to_owned(),
                        tint,
                        light,
                        corners: CornerRule::Unmoved,
                        is_turned: false,
                    };
                    let [level, side] =
                        ["wire_on_top", "wire_on"].map(|texture| intern(lit(texture)));
                    mesh_traits(
                        m,
                        Face::ALL.map(|face| if face.normal().y == 0 { side } else { level }),
                    )
                });
                wires = Some(SignalWires { material: id, by_look });
            }
        }
        FaceMaterials { list, traits, wires, water: table.water(), contour }
    }

    /// All face materials, by [`FaceMaterialId`].
    #[must_use]
    pub fn list(&self) -> &[FaceMaterial] {
        &self.list
    }

    /// The surface rules of the materials.
    #[must_use]
    pub fn contour(&self) -> &ContourMaterials {
        &self.contour
    }

    /// Material of the liquid in wet voxels; `None` if the table has no water.
    pub(super) fn water(&self) -> Option<MaterialId> {
        self.water
    }

    /// The face material of one face of a material; plain white for unknown materials.
    #[must_use]
    pub fn face(&self, material: MaterialId, face: Face) -> FaceMaterialId {
        self.traits(material).faces[face as usize]
    }

    /// The face material of one face of a voxel. It depends on the voxel's material alone, except
    /// for wires with a signal.
    #[must_use]
    pub fn face_of(&self, voxel: Voxel, face: Face) -> FaceMaterialId {
        self.voxel_traits(voxel).faces[face as usize]
    }

    /// True if `voxel` is full and opaque, so nothing is visible through or past it.
    #[must_use]
    pub fn hides(&self, voxel: Voxel) -> bool {
        voxel.is_full() && self.traits(voxel.material()).hides
    }

    /// True if a shape that joins as `joint` does joins to the side `side` of `voxel`.
    pub(super) fn joins(&self, voxel: Voxel, side: Face, joint: Joint) -> bool {
        let traits = self.traits(voxel.material());
        traits.shape.joins(traits.is_sturdy, voxel, side, joint)
    }

    /// The traits of a voxel. They depend on its material alone, except for wires with a signal.
    pub(super) fn voxel_traits(&self, voxel: Voxel) -> &MeshTraits {
        match &self.wires {
            Some(wires) if wires.material == voxel.material() => {
                match Material::wire_level(voxel.occupancy()) {
                    0 => self.traits(voxel.material()),
                    level => {
                        &wires.by_look
                            [usize::from(level - 1) * SIGNAL_LOOKS.len() / usize::from(MAX_SIGNAL)]
                    }
                }
            }
            _ => self.traits(voxel.material()),
        }
    }

    pub(super) fn traits(&self, material: MaterialId) -> &MeshTraits {
        match self.traits.get(usize::from(material)) {
            Some(traits) => traits,
            None if material == Voxel::NOT_LOADED.material() => &INVISIBLE,
            None => &UNKNOWN,
        }
    }
}

fn mesh_traits(material: &Material, faces: [FaceMaterialId; 6]) -> MeshTraits {
    if material.matter == Matter::Gas {
        return MeshTraits { faces, ..INVISIBLE };
    }
    let geometry =
        if material.shape.is_model() { VoxelGeometry::Model } else { VoxelGeometry::Cube };
    let pass = match material.opacity {
        // Only the cut-out pass draws both sides of a sheet, and leaves out texels.
        _ if matches!(material.shape.row().faces, ShapeFaces::Model(_)) => DrawPass::CutOut,
        Opacity::Opaque => DrawPass::Opaque,
        Opacity::CutOut => DrawPass::CutOut,
        Opacity::Translucent => DrawPass::Translucent,
    };
    let liquid = material.matter == Matter::Liquid;
    let hides = pass == DrawPass::Opaque && geometry == VoxelGeometry::Cube;
    let is_wire = material.is_wire();
    let casts_occlusion = hides && material.light == 0;
    MeshTraits {
        faces,
        pass,
        geometry,
        shape: material.shape.row(),
        liquid,
        is_wire,
        hides,
        is_sturdy: material.is_sturdy(),
        casts_occlusion,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_materials_are_distinct_and_match_table() {
        let table = MaterialTable::builtin();
        let face_materials = FaceMaterials::new(&table);
        for (i, a) in face_materials.list().iter().enumerate() {
            assert!(!face_materials.list()[..i].contains(a), "{a:?}");
        }
        for (id, material) in table.iter() {
            // Baked visibility relies on both; see `visibility::bake::BAKE_VERSION`.
            assert_eq!(
                face_materials.hides(Voxel::full(id)),
                table.is_opaque(id),
                "{}",
                material.name
            );
            assert!(!face_materials.hides(Voxel::new(id, 254)), "{}", material.name);
            for face in Face::ALL {
                let drawn = &face_materials.list()[usize::from(face_materials.face(id, face))];
                let shown = (drawn.texture.as_str(), drawn.tint, drawn.light, drawn.corners);
                let corners = material.torch_mount().map_or(CornerRule::Unmoved, CornerRule::Torch);
                let expected =
                    (material.faces.texture(face), material.tint, material.light, corners);
                assert_eq!(shown, expected);
            }
        }
    }

    #[test]
    fn signal_changes_look_of_wire_alone() {
        let table = MaterialTable::builtin();
        let face_materials = FaceMaterials::new(&table);
        let look = |name: &str, occupancy: u8| {
            let voxel = Voxel::new(table.find(name).unwrap(), occupancy);
            let face = &face_materials.list()[usize::from(face_materials.face_of(voxel, Face::Up))];
            (face.texture.clone(), face.light)
        };
        assert_eq!([15, 16, 255].map(|occupancy| look("wire", occupancy).0), ["wire_top"; 3]);
        let lights = [17, 35, 37, 55, 57, 75].map(|occupancy| look("wire", occupancy));
        assert!(lights.iter().all(|(texture, _)| texture == "wire_on_top"));
        assert_eq!(lights.map(|(_, light)| light), [5, 5, 9, 9, 13, 13]);
        assert_eq!(look("stone", 35), ("stone".to_owned(), 0));
    }

    #[test]
    fn unknown_material_is_visible_and_not_loaded_is_not() {
        let face_materials = FaceMaterials::new(&MaterialTable::builtin());
        assert_eq!(face_materials.traits(60_000).geometry, VoxelGeometry::Cube);
        assert_eq!(
            face_materials.list()[usize::from(face_materials.face(60_000, Face::Up))].texture,
            "plain"
        );
        assert_eq!(
            face_materials.traits(Voxel::NOT_LOADED.material()).geometry,
            VoxelGeometry::Nothing
        );
        assert_eq!(face_materials.traits(0).geometry, VoxelGeometry::Nothing);
    }

    #[test]
    fn face_materials_beyond_limit_are_plain_white() {
        let mut list = vec![Material::plain("air", [255; 3])];
        list.extend((1..60_000u32).map(|i| Material {
            faces: crate::voxel::Faces::Column {
                top: format!("t{i}"),
                bottom: format!("b{i}"),
                side: "s".into(),
            },
            ..Material::plain(&format!("m{i}"), [1, 2, 3])
        }));
        let face_materials = FaceMaterials::new(&MaterialTable::from_list(list).unwrap());
        assert_eq!(face_materials.list().len(), 65536);
        assert_eq!(face_materials.face(59_999, Face::Up), 0);
    }
}
