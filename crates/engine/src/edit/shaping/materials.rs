//! Materials as shaping tools count them.

use crate::edit::operations::GroundMaterials;
use crate::voxel::{MaterialId, MaterialTable, Matter, Shape, TorchMount, Voxel};
use glam::{I64Vec3, IVec3};

/// Fill of a fixed voxel in a window: counts as 0 and never changes.
pub(super) const FIXED: i16 = -1;

/// Role of a material for shaping tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ShapingRole {
    /// Air, and plants that hang: no fill; matter may replace them.
    Open,
    /// Plants that stand: no fill; matter may replace them, and they follow the ground.
    Plant,
    /// No fill; matter may replace it, unless a tool ignores liquids.
    Liquid,
    /// Matter that tools shape.
    Ground,
    /// Trunks, crowns of trees, models and unknown materials.
    Fixed,
}

/// Materials of a map that shaping tools treat as ground, as open and as fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapingMaterials {
    roles: Vec<ShapingRole>,
    /// Ground for new matter that has none near it: stone, or the first ground of the table.
    default_ground: MaterialId,
    /// The liquid in wet voxels.
    water: Option<MaterialId>,
}

/// True for the shapes of plants and torches that stand on the ground.
fn stands(shape: Shape) -> bool {
    matches!(shape, Shape::Cross | Shape::Torch(TorchMount::Floor))
}

impl ShapingMaterials {
    /// Classifies the materials of a map. Trunks and crowns of trees are known by their
    /// names, as in [`GroundMaterials`].
    #[must_use]
    pub fn from_materials(materials: &MaterialTable) -> ShapingMaterials {
        let ground = GroundMaterials::from_materials(materials).ground;
        let roles: Vec<ShapingRole> = materials
            .iter()
            .map(|(id, material)| match material.matter {
                // Signs and rails, which ground must not bury.
                Matter::Plant if material.shape.model_form().is_some() => ShapingRole::Fixed,
                Matter::Plant if stands(material.shape) => ShapingRole::Plant,
                Matter::Gas | Matter::Plant => ShapingRole::Open,
                Matter::Liquid => ShapingRole::Liquid,
                Matter::Solid
                    if !material.shape.is_model()
                        && ground.accepts(Voxel::full(id)) == Some(true) =>
                {
                    ShapingRole::Ground
                }
                Matter::Solid => ShapingRole::Fixed,
            })
            .collect();
        let first = roles.iter().position(|role| *role == ShapingRole::Ground).unwrap_or(0);
        let default_ground = materials.find("stone").unwrap_or(first as MaterialId);
        ShapingMaterials { roles, default_ground, water: materials.water() }
    }

    /// Ground for new matter that has none near it; air if the map has no ground.
    #[must_use]
    pub fn default_ground(&self) -> MaterialId {
        self.default_ground
    }

    /// Fill of a voxel in 256ths: 0 without ground, 1 to 256 for ground, and `None` for fixed
    /// voxels, liquids among them if `ignores_liquids` is set.
    #[must_use]
    pub fn fill(&self, voxel: Voxel, ignores_liquids: bool) -> Option<u16> {
        match self.roles.get(usize::from(voxel.material())) {
            Some(ShapingRole::Open | ShapingRole::Plant) => Some(0),
            Some(ShapingRole::Liquid) if !ignores_liquids => Some(0),
            Some(ShapingRole::Ground) => Some(u16::from(voxel.occupancy()) + 1),
            _ => None,
        }
    }

    /// The voxel `before` with `fill` 256ths of a ground instead of what it holds. Its water stays,
    /// as far as there is room.
    #[must_use]
    pub fn reshaped(&self, before: Voxel, ground: MaterialId, fill: u16) -> Voxel {
        let is_water = self.water == Some(before.material());
        let water = if is_water { before.parts() } else { before.liquid().into() };
        match (fill, self.water.filter(|_| water > 0)) {
            (0, None) => Voxel::AIR,
            (0, Some(material)) => Voxel::new(material, (water - 1) as u8),
            // Of 256 parts of water at least one gives way to the ground.
            _ => Voxel::new(ground, (fill - 1) as u8).with_liquid(water.min(255) as u8),
        }
    }

    /// Fill of a voxel in a window: [`FIXED`] for fixed voxels.
    pub(super) fn window_fill(&self, voxel: Voxel, ignores_liquids: bool) -> i16 {
        self.fill(voxel, ignores_liquids).map_or(FIXED, |fill| fill as i16)
    }

    /// Point on the surface of a voxel's ground, in 256ths of a voxel: above its middle, at the
    /// height that its fill reaches.
    #[must_use]
    pub fn surface_point(&self, voxel: Voxel, at: IVec3) -> I64Vec3 {
        let fill = self.fill(voxel, false).unwrap_or_default();
        at.as_i64vec3() * 256 + I64Vec3::new(128, fill.into(), 128)
    }

    /// True for plants that stand on the ground.
    #[must_use]
    pub fn is_plant(&self, voxel: Voxel) -> bool {
        self.roles.get(usize::from(voxel.material())) == Some(&ShapingRole::Plant)
    }

    /// True for ground.
    #[must_use]
    pub fn is_ground(&self, voxel: Voxel) -> bool {
        self.fill(voxel, true) > Some(0)
    }
}
