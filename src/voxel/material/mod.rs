//! Materials: what kinds of matter a map holds, by name.
//!
//! The game ships its own list (`assets/materials.ron`, embedded). A map carries the names of the
//! materials its voxels use, so it means the same under any later version of the game; a name the game
//! does not know becomes a plain material with a colour made from the name, and nothing is lost.

use super::MaterialId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What lies behind a voxel of the material.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Opacity {
    /// A full voxel hides everything behind it.
    #[default]
    Opaque,
    /// Texels are either there or not (leaves, glass panes, plants).
    CutOut,
    /// Mixed with what lies behind (water, ice).
    Translucent,
}

/// What kind of matter it is: whether one can stand on it, swim in it, or walk through it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Matter {
    /// Nothing at all; only air.
    Gas,
    /// Stops bodies.
    #[default]
    Solid,
    /// Bodies swim in it.
    Liquid,
    /// Bodies pass through it.
    Plant,
}

/// The form a voxel of the material is drawn in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Shape {
    /// A cube as high as its occupancy.
    #[default]
    Cube,
    /// Two upright crossed sheets (flowers, grass blades).
    Cross,
}

/// The texture of each face, by texture name.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Faces {
    /// One texture on all six faces.
    Same(String),
    /// Top, bottom and the four sides.
    Column {
        /// Texture of the upper face.
        top: String,
        /// Texture of the lower face.
        bottom: String,
        /// Texture of the four sides.
        side: String,
    },
}

impl Faces {
    /// The texture of `face`.
    #[must_use]
    pub fn texture(&self, face: super::Face) -> &str {
        match self {
            Faces::Same(name) => name,
            Faces::Column { top, bottom, side } => match face {
                super::Face::Up => top,
                super::Face::Down => bottom,
                _ => side,
            },
        }
    }
}

/// One material.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Unique name, `snake_case` for the game's own; imported ones keep theirs.
    pub name: String,
    /// Textures of the faces.
    pub faces: Faces,
    /// Colour the textures are multiplied with, sRGB; white leaves them as they are.
    #[serde(default = "white")]
    pub tint: [u8; 3],
    /// Whether it hides what lies behind.
    #[serde(default)]
    pub opacity: Opacity,
    /// Solid, liquid, plant.
    #[serde(default)]
    pub matter: Matter,
    /// Cube or crossed sheets.
    #[serde(default)]
    pub shape: Shape,
    /// Light given off, 0 to 15.
    #[serde(default)]
    pub light: u8,
}

fn white() -> [u8; 3] {
    [255; 3]
}

impl Material {
    /// A solid, opaque, one-coloured material, for names the game has no picture for.
    #[must_use]
    pub fn plain(name: &str, tint: [u8; 3]) -> Material {
        Material {
            name: name.to_owned(),
            faces: Faces::Same("plain".to_owned()),
            tint,
            opacity: Opacity::Opaque,
            matter: Matter::Solid,
            shape: Shape::Cube,
            light: 0,
        }
    }

    /// The material for a name nobody described: plain, with a colour made from the name.
    #[must_use]
    pub fn unknown(name: &str) -> Material {
        let hash = crc32fast::hash(name.as_bytes()).to_le_bytes();
        // Between 80 and 207, so that it is neither black nor glaring.
        Material::plain(name, [0, 1, 2].map(|i| 80 + hash[i] / 2))
    }

    fn check(&self) -> Result<(), MaterialError> {
        if self.light > MOST_LIGHT {
            return Err(MaterialError::TooBright { name: self.name.clone(), light: self.light });
        }
        Ok(())
    }

    /// True if bodies cannot enter it.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        self.matter == Matter::Solid
    }
}

/// The most light a material gives off.
pub const MOST_LIGHT: u8 = 15;

/// Why a list of materials was refused.
#[derive(thiserror::Error, Debug)]
pub enum MaterialError {
    /// The text is not RON of the right form.
    #[error("the material list is not readable: {0}")]
    Parse(#[from] Box<ron::error::SpannedError>),
    /// Index 0 must be air.
    #[error("the first material must be \"air\", not \"{0}\"")]
    FirstIsNotAir(String),
    /// Two materials with one name.
    #[error("the material \"{0}\" is listed twice")]
    Twice(String),
    /// Light is given off in 16 steps.
    #[error("the material \"{name}\" gives off light {light}; 15 is the most")]
    TooBright {
        /// The material.
        name: String,
        /// Its light.
        light: u8,
    },
    /// More than [`super::Voxel::MAX_MATERIALS`].
    #[error("more than {} materials", super::Voxel::MAX_MATERIALS)]
    TooMany,
}

/// The materials of a map: index (as stored in voxels) to material, and name to index.
///
/// Invariant: index 0 is air, and names are unique. Materials are only ever added, so an index once
/// stored in a voxel keeps its meaning.
#[derive(Clone, Debug)]
pub struct MaterialTable {
    list: Vec<Material>,
    by_name: FxHashMap<String, MaterialId>,
}

impl MaterialTable {
    /// The game's own materials, in the order of `assets/materials.ron`.
    #[must_use]
    pub fn builtin() -> MaterialTable {
        // The embedded list is checked by a test, so this cannot fail in a built program.
        MaterialTable::from_ron(include_str!("../../assets/materials.ron"))
            .expect("the embedded material list is sound")
    }

    /// Reads a list of materials from RON text: `[(name: "air", ...), ...]`.
    ///
    /// # Errors
    /// The text is not such a list, or as for [`MaterialTable::from_list`].
    pub fn from_ron(text: &str) -> Result<MaterialTable, MaterialError> {
        let list: Vec<Material> = ron::from_str(text).map_err(Box::new)?;
        MaterialTable::from_list(list)
    }

    /// A table of these materials, by index. Air is a gas, whatever the list says of it.
    ///
    /// # Errors
    /// The first is not air, a name is there twice, one is brighter than 15, or there are too many.
    pub fn from_list(mut list: Vec<Material>) -> Result<MaterialTable, MaterialError> {
        match list.first_mut() {
            Some(first) if first.name == "air" => first.matter = Matter::Gas,
            first => return Err(MaterialError::FirstIsNotAir(first.map_or_else(String::new, |m| m.name.clone()))),
        }
        if list.len() > super::Voxel::MAX_MATERIALS {
            return Err(MaterialError::TooMany);
        }
        let mut by_name = FxHashMap::default();
        for (index, material) in list.iter().enumerate() {
            material.check()?;
            if by_name.insert(material.name.clone(), index as MaterialId).is_some() {
                return Err(MaterialError::Twice(material.name.clone()));
            }
        }
        Ok(MaterialTable { list, by_name })
    }

    /// How many materials there are, air counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Never true: air is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The material with this index; none for indices the map does not have.
    #[must_use]
    pub fn get(&self, id: MaterialId) -> Option<&Material> {
        self.list.get(usize::from(id))
    }

    /// The index of the material with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<MaterialId> {
        self.by_name.get(name).copied()
    }

    /// All materials by index, air first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (MaterialId, &Material)> {
        self.list.iter().enumerate().map(|(i, m)| (i as MaterialId, m))
    }

    /// The index of `material`'s name, added at the end if the table does not have it.
    ///
    /// # Errors
    /// The table is full, or the material is brighter than 15.
    pub fn add(&mut self, material: Material) -> Result<MaterialId, MaterialError> {
        if let Some(id) = self.find(&material.name) {
            return Ok(id);
        }
        material.check()?;
        if self.list.len() >= super::Voxel::MAX_MATERIALS {
            return Err(MaterialError::TooMany);
        }
        let id = self.list.len() as MaterialId;
        self.by_name.insert(material.name.clone(), id);
        self.list.push(material);
        Ok(id)
    }

    /// True if bodies cannot enter voxels of this material. Unknown indices, [`super::Voxel::NOT_LOADED`]
    /// among them, are solid.
    #[must_use]
    pub fn is_solid(&self, id: MaterialId) -> bool {
        self.get(id).is_none_or(Material::is_solid)
    }

    /// True if a full voxel of this material hides what is behind it. Unknown indices do, since they are drawn
    /// as plain cubes; [`super::Voxel::NOT_LOADED`] does not.
    #[must_use]
    pub fn is_opaque(&self, id: MaterialId) -> bool {
        match self.get(id) {
            Some(m) => m.opacity == Opacity::Opaque && m.shape == Shape::Cube && m.matter != Matter::Gas,
            None => id != super::Voxel::NOT_LOADED.material(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_list_is_sound() {
        let table = MaterialTable::builtin();
        assert!(table.len() > 32, "at least 32 materials beside air");
        assert_eq!(table.find("air"), Some(0));
        for (id, m) in table.iter() {
            assert_eq!(m.matter == Matter::Gas, id == 0, "{}", m.name);
        }
    }

    #[test]
    fn bad_lists_are_refused() {
        assert!(matches!(MaterialTable::from_ron("["), Err(MaterialError::Parse(_))));
        assert!(matches!(MaterialTable::from_list(vec![]), Err(MaterialError::FirstIsNotAir(_))));
        let twice = vec![Material::unknown("air"), Material::unknown("a"), Material::unknown("a")];
        assert!(matches!(MaterialTable::from_list(twice), Err(MaterialError::Twice(name)) if name == "a"));
        let bright = Material { light: 16, ..Material::unknown("a") };
        let error = MaterialTable::from_list(vec![Material::unknown("air"), bright]).unwrap_err();
        assert_eq!(error.to_string(), "the material \"a\" gives off light 16; 15 is the most");
    }

    #[test]
    fn air_is_nothing_whatever_the_list_says() {
        let table = MaterialTable::from_list(vec![Material::unknown("air"), Material::unknown("a")]).unwrap();
        assert!(!table.is_solid(0) && !table.is_opaque(0));
        assert!(table.is_solid(1) && table.is_opaque(1));
        let not_loaded = super::super::Voxel::NOT_LOADED.material();
        assert!(table.is_solid(not_loaded) && !table.is_opaque(not_loaded));
    }

    #[test]
    fn added_materials_keep_their_index() {
        let mut table = MaterialTable::builtin();
        let id = table.add(Material::unknown("minecraft:purpur_block")).unwrap();
        assert_eq!(table.add(Material::unknown("minecraft:purpur_block")).unwrap(), id);
        assert_eq!(table.find("minecraft:purpur_block"), Some(id));
    }
}
