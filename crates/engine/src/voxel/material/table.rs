//! Material tables of maps.

use super::{MAX_LIGHT, Material, Matter, Opacity, SurfaceRule};
use crate::ron_text::{self, RonError};
use crate::voxel::shape::TorchMount;
use crate::voxel::{MaterialId, Voxel};
use rustc_hash::FxHashMap;

/// Name of the liquid in wet voxels.
const WATER: &str = "water";

/// Reason why a list of materials is invalid.
#[derive(thiserror::Error, Debug)]
pub enum MaterialError {
    /// The text is not a list of materials in RON.
    #[error(transparent)]
    Parse(#[from] RonError),
    /// Index 0 must be air.
    #[error("the first material must be \"air\", not \"{0}\"")]
    FirstIsNotAir(String),
    /// Two materials have the same name.
    #[error("the material \"{0}\" is listed twice")]
    Duplicate(String),
    /// A material emits more light than [`MAX_LIGHT`].
    #[error("the material \"{name}\" emits light {light}; the maximum is {MAX_LIGHT}")]
    TooBright {
        /// Name of the material.
        name: String,
        /// Light that the material emits.
        light: u8,
    },
    /// The parameter of a material's surface is out of range.
    #[error(
        "the material \"{name}\" has the surface {surface:?}; allowed are Rough(0) to Rough({}) and \
         Terrace(1) to Terrace({})",
        SurfaceRule::MAX_ROUGHNESS,
        SurfaceRule::MAX_TERRACES
    )]
    Surface {
        /// Name of the material.
        name: String,
        /// Surface of the material.
        surface: SurfaceRule,
    },
    /// Only solid materials without a model can have a surface other than a cube's.
    #[error("the material \"{0}\" can have no surface, because it is not a solid block")]
    NotShapeable(String),
    /// The table has no material with this index.
    #[error("there is no material {0}")]
    Unknown(MaterialId),
    /// The table would have more than [`Voxel::MAX_MATERIALS`] materials.
    #[error("more than {} materials", Voxel::MAX_MATERIALS)]
    TooMany,
}

/// Materials of a map, by index (as stored in voxels) and by name.
///
/// Invariants: index 0 is air; names are unique. Materials are only ever added, so an index that is
/// stored in a voxel keeps its meaning; only the surface of a material can change.
#[derive(Clone, Debug)]
pub struct MaterialTable {
    list: Vec<Material>,
    by_name: FxHashMap<String, MaterialId>,
    /// True if any material is smooth.
    has_smooth: bool,
}

impl MaterialTable {
    /// The game's own materials, in the order of `assets/materials.ron`.
    #[must_use]
    pub fn builtin() -> MaterialTable {
        // A test checks the embedded list, so this cannot fail in a released program.
        MaterialTable::from_ron(
            include_str!("../../../../../assets/materials.ron"),
            "assets/materials.ron",
        )
        .expect("the embedded material list is valid")
    }

    /// Reads a list of materials from RON text: `[(name: "air", ...), ...]`. Parse errors name
    /// `file`.
    ///
    /// # Errors
    /// Fails if the text cannot be parsed, and as [`MaterialTable::from_list`] does.
    pub fn from_ron(text: &str, file: &str) -> Result<MaterialTable, MaterialError> {
        let list: Vec<Material> = ron_text::read(text, file)?;
        MaterialTable::from_list(list)
    }

    /// Builds a table from materials by index. The first material becomes a gas, regardless of its
    /// `matter`.
    ///
    /// # Errors
    /// Fails if the first material is not air, a name occurs twice, a material is too bright, or
    /// there are too many.
    pub fn from_list(mut list: Vec<Material>) -> Result<MaterialTable, MaterialError> {
        match list.first_mut() {
            Some(first) if first.name == "air" => first.matter = Matter::Gas,
            first => {
                return Err(MaterialError::FirstIsNotAir(
                    first.map_or_else(String::new, |m| m.name.clone()),
                ));
            }
        }
        if list.len() > Voxel::MAX_MATERIALS {
            return Err(MaterialError::TooMany);
        }
        let mut by_name = FxHashMap::default();
        for (index, material) in list.iter().enumerate() {
            check(material)?;
            if by_name.insert(material.name.clone(), index as MaterialId).is_some() {
                return Err(MaterialError::Duplicate(material.name.clone()));
            }
        }
        let has_smooth = list.iter().any(Material::is_smooth);
        Ok(MaterialTable { list, by_name, has_smooth })
    }

    /// Number of materials, including air.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Always false, because a table contains at least air.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// True if any material is [smooth](Material::is_smooth).
    #[must_use]
    pub fn has_smooth(&self) -> bool {
        self.has_smooth
    }

    /// Material with index `id`; `None` if the map has no such index.
    #[must_use]
    pub fn get(&self, id: MaterialId) -> Option<&Material> {
        self.list.get(usize::from(id))
    }

    /// Height of the voxel's box, in voxels: its fill, except for wires. See
    /// [`Material::box_height`].
    #[must_use]
    pub(crate) fn box_height(&self, voxel: Voxel) -> f32 {
        self.get(voxel.material())
            .map_or_else(|| voxel.fill(), |material| material.box_height(voxel.occupancy()))
    }

    /// Index of the material with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<MaterialId> {
        self.by_name.get(name).copied()
    }

    /// Material of the [liquid](Voxel::liquid) in wet voxels; `None` if the table has no water.
    #[must_use]
    pub fn water(&self) -> Option<MaterialId> {
        let id = self.find(WATER)?;
        (self.get(id)?.matter == Matter::Liquid).then_some(id)
    }

    /// Voxel that stays where the matter of `broken` is taken away: its water, or air.
    #[must_use]
    pub fn left_by(&self, broken: Voxel) -> Voxel {
        match self.water() {
            Some(water) if broken.is_wet() => Voxel::new(water, broken.liquid() - 1),
            _ => Voxel::AIR,
        }
    }

    /// True if a place at height `y`, in voxels, in `voxel` is in a liquid: anywhere in a voxel of
    /// a liquid, but only below the [liquid](Voxel::liquid) of a wet voxel.
    #[must_use]
    pub fn is_in_liquid(&self, voxel: Voxel, y: f64) -> bool {
        let is_liquid = self.get(voxel.material()).is_some_and(|m| m.matter == Matter::Liquid);
        let is_below = || (y - y.floor()) * 256.0 < f64::from(voxel.parts());
        is_liquid || voxel.is_wet() && is_below()
    }

    /// All materials by index, air first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (MaterialId, &Material)> {
        self.list.iter().enumerate().map(|(i, m)| (i as MaterialId, m))
    }

    /// Returns the index of the material with the same name, or appends `material`.
    ///
    /// # Errors
    /// Fails if the table is full or the material is too bright.
    pub fn add(&mut self, material: Material) -> Result<MaterialId, MaterialError> {
        if let Some(id) = self.find(&material.name) {
            return Ok(id);
        }
        check(&material)?;
        if self.list.len() >= Voxel::MAX_MATERIALS {
            return Err(MaterialError::TooMany);
        }
        let id = self.list.len() as MaterialId;
        self.by_name.insert(material.name.clone(), id);
        self.has_smooth |= material.is_smooth();
        self.list.push(material);
        Ok(id)
    }

    /// Changes the surface of a material, and returns its previous surface, which undoes the
    /// change. The next save of a map with this table replaces the material's record.
    ///
    /// # Errors
    /// The table has no such material, the parameter of the surface is out of range, or the surface
    /// is not a cube's and the material is not a solid block. The table is then unchanged.
    pub fn set_surface(
        &mut self,
        id: MaterialId,
        surface: SurfaceRule,
    ) -> Result<SurfaceRule, MaterialError> {
        let material = self.list.get_mut(usize::from(id)).ok_or(MaterialError::Unknown(id))?;
        if !surface.is_cube() && (!material.is_solid() || material.shape.is_model()) {
            return Err(MaterialError::NotShapeable(material.name.clone()));
        }
        let previous = std::mem::replace(&mut material.surface, surface);
        check(material).inspect_err(|_| material.surface = previous)?;
        self.has_smooth = self.list.iter().any(Material::is_smooth);
        Ok(previous)
    }

    /// Appends the game's materials that the table lacks, until the table is full. True if any was
    /// appended.
    pub fn add_builtin(&mut self) -> bool {
        self.add_missing(MaterialTable::builtin())
    }

    /// Appends the materials of another table that this one lacks, until it is full. True if any
    /// was appended.
    pub fn add_missing(&mut self, other: MaterialTable) -> bool {
        let before = self.list.len();
        for material in other.list {
            // `add` fails only when the table is full; later materials would fail too.
            if self.add(material).is_err() {
                break;
            }
        }
        self.list.len() > before
    }

    /// States that rules may remove, each with the permanent state that edits place instead.
    #[must_use]
    pub(crate) fn placed_states(&self) -> Vec<(MaterialId, MaterialId)> {
        self.iter()
            .filter_map(|(id, material)| Some((id, self.find(material.placed_state()?)?)))
            .collect()
    }

    /// The material `id` and those that are named as states of it, as imports name them:
    /// `oak_log[axis=x]` is a state of `oak_log`. Other shapes of the block are no states of it.
    #[must_use]
    pub fn with_states(&self, id: MaterialId) -> Vec<MaterialId> {
        let Some(block) = self.get(id) else { return Vec::new() };
        let is_state = |material: &Material| {
            let state = material.name.strip_prefix(&block.name);
            state.is_some_and(|state| state.starts_with('[')) && material.block_of_shape().is_none()
        };
        let states = self.iter().filter(|(_, material)| is_state(material)).map(|(id, _)| id);
        std::iter::once(id).chain(states).collect()
    }

    /// The material `id` and the states of its block that rules may remove.
    #[must_use]
    pub(crate) fn with_grown_states(&self, id: MaterialId) -> Vec<MaterialId> {
        let grown = self
            .placed_states()
            .into_iter()
            .filter(|&(_, placed)| placed == id)
            .map(|(grown, _)| grown);
        std::iter::once(id).chain(grown).collect()
    }

    /// Torch of the same kind as `id` with this mount; `None` if `id` is not a torch, or if the
    /// table lacks that torch.
    #[must_use]
    pub fn with_mount(&self, id: MaterialId, mount: TorchMount) -> Option<MaterialId> {
        let material = self.get(id)?;
        material.torch_mount()?;
        let other = self.find(&format!("{}{}", material.kind(), mount.name_ending()))?;
        (self.get(other)?.torch_mount() == Some(mount)).then_some(other)
    }

    /// Material into which a click changes `id`; `None` if clicks do not change it, or if the table
    /// lacks the other state.
    #[must_use]
    pub fn toggled(&self, id: MaterialId) -> Option<MaterialId> {
        self.find(self.get(id)?.toggled()?)
    }

    /// Material that is held as an item for `id`: the first state of its block, or `id` itself.
    #[must_use]
    pub fn first_state(&self, id: MaterialId) -> MaterialId {
        self.get(id).and_then(|material| self.find(material.first_state())).unwrap_or(id)
    }

    /// True if bodies cannot enter voxels of this material. Unknown indices are solid, and so is
    /// [`Voxel::NOT_LOADED`].
    #[must_use]
    pub fn is_solid(&self, id: MaterialId) -> bool {
        self.get(id).is_none_or(Material::is_solid)
    }

    /// True if a full voxel of this material hides what is behind it. Unknown indices hide, because
    /// they are drawn as plain cubes; [`Voxel::NOT_LOADED`] does not.
    #[must_use]
    pub fn is_opaque(&self, id: MaterialId) -> bool {
        match self.get(id) {
            Some(m) => {
                m.opacity == Opacity::Opaque && !m.shape.is_model() && m.matter != Matter::Gas
            }
            None => id != Voxel::NOT_LOADED.material(),
        }
    }
}

fn check(material: &Material) -> Result<(), MaterialError> {
    if material.light > MAX_LIGHT {
        return Err(MaterialError::TooBright {
            name: material.name.clone(),
            light: material.light,
        });
    }
    if !material.surface.is_valid() {
        return Err(MaterialError::Surface {
            name: material.name.clone(),
            surface: material.surface,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Shape;

    #[test]
    fn embedded_list_is_valid() {
        let table = MaterialTable::builtin();
        assert!(table.len() > 32, "at least 32 materials in addition to air");
        assert_eq!(table.find("air"), Some(0));
        for (id, m) in table.iter() {
            assert_eq!(m.matter == Matter::Gas, id == 0, "{}", m.name);
        }
    }

    #[test]
    fn invalid_lists_are_rejected() {
        assert!(matches!(MaterialTable::from_ron("[", "x.ron"), Err(MaterialError::Parse(_))));
        assert!(matches!(MaterialTable::from_list(vec![]), Err(MaterialError::FirstIsNotAir(_))));
        let twice = vec![Material::unknown("air"), Material::unknown("a"), Material::unknown("a")];
        assert!(
            matches!(MaterialTable::from_list(twice), Err(MaterialError::Duplicate(name)) if name == "a")
        );
        let bright = Material { light: 16, ..Material::unknown("a") };
        let error = MaterialTable::from_list(vec![Material::unknown("air"), bright]).unwrap_err();
        assert_eq!(error.to_string(), "the material \"a\" emits light 16; the maximum is 15");
    }

    #[test]
    fn air_is_neither_solid_nor_opaque() {
        let table =
            MaterialTable::from_list(vec![Material::unknown("air"), Material::unknown("a")])
                .unwrap();
        assert!(!table.is_solid(0) && !table.is_opaque(0));
        assert!(table.is_solid(1) && table.is_opaque(1));
        let not_loaded = Voxel::NOT_LOADED.material();
        assert!(table.is_solid(not_loaded) && !table.is_opaque(not_loaded));
    }

    #[test]
    fn wet_voxels_are_liquid_below_their_level_and_leave_their_water() {
        let table = MaterialTable::builtin();
        let water = table.water().unwrap();
        let wet = Voxel::new(1, 63).with_liquid(64);
        for (voxel, y, expected) in [
            (wet, 7.49, true),
            (wet, 7.51, false),
            (wet, -0.6, true),
            (wet.dry(), 7.1, false),
            (Voxel::new(water, 9), 7.9, true),
            (Voxel::AIR, 7.0, false),
        ] {
            assert_eq!(table.is_in_liquid(voxel, y), expected, "{voxel:?} {y}");
        }
        assert_eq!(table.left_by(wet), Voxel::new(water, 63));
        assert_eq!(
            [wet.dry(), Voxel::full(water)].map(|voxel| table.left_by(voxel)),
            [Voxel::AIR; 2]
        );
        let no_water =
            MaterialTable::from_list(vec![Material::unknown("air"), Material::unknown("water")]);
        assert_eq!(no_water.unwrap().water(), None, "a solid of that name");
    }

    #[test]
    fn every_torch_has_all_mounts() {
        let table = MaterialTable::builtin();
        let torches: Vec<MaterialId> = table
            .iter()
            .filter(|(_, m)| m.torch_mount() == Some(TorchMount::Floor))
            .map(|(id, _)| id)
            .collect();
        assert!(torches.len() >= 3);
        for torch in torches {
            let kind = table.get(torch).unwrap();
            for mount in TorchMount::ALL {
                let id = table
                    .with_mount(torch, mount)
                    .unwrap_or_else(|| panic!("{} {mount:?}", kind.name));
                let other = table.get(id).unwrap();
                assert_eq!(
                    (&other.faces, other.light, other.shape),
                    (&kind.faces, kind.light, Shape::Torch(mount))
                );
                assert_eq!(table.with_mount(id, TorchMount::Floor), Some(torch), "and back");
            }
        }
        assert_eq!(table.with_mount(1, TorchMount::Floor), None, "stone");
    }

    #[test]
    fn builtin_materials_are_appended_to_an_older_table() {
        let old = ["air", "lamp", "minecraft:torch", "stone"].map(Material::unknown);
        let mut table = MaterialTable::from_list(old.to_vec()).unwrap();
        assert!(table.add_builtin());
        let names: Vec<&str> = table.iter().map(|(_, m)| m.name.as_str()).take(5).collect();
        assert_eq!(names, ["air", "lamp", "minecraft:torch", "stone", "deepstone"]);
        assert!(MaterialTable::builtin().iter().all(|(_, m)| table.find(&m.name).is_some()));
        assert!(!table.add_builtin(), "nothing is missing any more");
    }

    #[test]
    fn states_are_named_after_their_block() {
        let mut table = MaterialTable::builtin();
        let log = table.find("oak_log").unwrap();
        let mut add = |name: &str| table.add(Material::unknown(name)).unwrap();
        let lying = ["oak_log[axis=x]", "oak_log[axis=z]"].map(&mut add);
        add("oak_log_old[axis=x]");
        assert_eq!(table.with_states(log), [log, lying[0], lying[1]]);
        assert_eq!(table.with_states(60_000), []);
    }

    #[test]
    fn adding_a_known_material_returns_its_index() {
        let mut table = MaterialTable::builtin();
        let id = table.add(Material::unknown("minecraft:purpur_block")).unwrap();
        assert_eq!(table.add(Material::unknown("minecraft:purpur_block")).unwrap(), id);
        assert_eq!(table.find("minecraft:purpur_block"), Some(id));
    }
}
