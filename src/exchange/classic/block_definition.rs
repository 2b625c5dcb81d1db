//! Blocks that a ClassicWorld file defines.
//!
//! The pictures of a block are in a texture file elsewhere, so a defined block gets its colour from
//! its name or its tint.

use crate::exchange::minecraft::appearance;
use crate::exchange::minecraft::block_error::BlockError;
use crate::exchange::minecraft::block_mapper::BlockMapper;
use crate::voxel::{Faces, Matter, Opacity, Shape, Voxel};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::borrow::Cow;

/// Most definitions in a file. ClassiCube has numbers up to 767.
const MAX_DEFINITIONS: usize = 4096;
/// Longest name of a defined block that is read, in bytes. The format has 64.
const MAX_NAME_BYTES: usize = 128;

/// Reason why a block has no voxel.
#[derive(thiserror::Error, Debug)]
pub(super) enum DefinitionError {
    #[error("its name is {0} bytes long; at most {MAX_NAME_BYTES} are read")]
    NameLength(usize),
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// A definition as the file has it.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct BlockDefinition<'a> {
    /// Number of eight bits.
    #[serde(rename = "ID")]
    id: Option<i64>,
    /// Number of sixteen bits.
    #[serde(rename = "ID2")]
    id2: Option<i64>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    /// 0 for crossed sheets.
    shape: Option<i64>,
    /// 0 opaque, 1 and 2 with holes, 3 translucent, 4 invisible.
    block_draw: Option<i64>,
    /// 0 passable; 1, 5 and 6 liquid; 7 climbable; else solid.
    collide_type: Option<i64>,
    full_bright: Option<i64>,
    /// Density, red, green, blue.
    #[serde(borrow)]
    fog: Option<&'a [u8]>,
    /// Least x, y, z, then greatest x, y, z, in sixteenths.
    #[serde(borrow)]
    coords: Option<&'a [u8]>,
}

/// Deserialises the entries whose names begin with `Block`; another entry is the version.
pub(super) fn block_definitions<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<BlockDefinition<'a>>, D::Error> {
    struct DefinitionVisitor;
    impl<'de> Visitor<'de> for DefinitionVisitor {
        type Value = Vec<BlockDefinition<'de>>;

        fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
            formatter.write_str("definitions of blocks")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut list = Vec::new();
            while let Some(name) = map.next_key::<Cow<str>>()? {
                if !name.starts_with("Block") {
                    map.next_value::<IgnoredAny>()?;
                } else if list.len() == MAX_DEFINITIONS {
                    return Err(serde::de::Error::custom(format!("more than {MAX_DEFINITIONS} blocks are defined")));
                } else {
                    list.push(map.next_value()?);
                }
            }
            Ok(list)
        }
    }
    deserializer.deserialize_map(DefinitionVisitor)
}

impl BlockDefinition<'_> {
    /// The number that is defined.
    pub(super) fn id(&self) -> Option<u16> {
        self.id2.map(|id| id as u16).or(self.id.map(|id| u16::from(id as u8)))
    }

    /// The voxel of the block, whose material is added.
    ///
    /// # Errors
    /// The name is too long, or there are too many materials.
    pub(super) fn voxel(&self, id: u16, blocks: &mut BlockMapper) -> Result<Voxel, DefinitionError> {
        if self.block_draw == Some(4) {
            return Ok(Voxel::AIR);
        }
        if self.name.len() > MAX_NAME_BYTES {
            return Err(DefinitionError::NameLength(self.name.len()));
        }
        // The ending `#` marks a block that is tinted with its fog colour.
        let plain = self.name.strip_suffix('#').unwrap_or(&self.name);
        let words: String =
            plain.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
        let words = words.trim_matches('_');
        let (mut material, _) = appearance::for_block(&format!("minecraft:{words}"));
        material.name = format!("classic:{words}");
        if words.is_empty() {
            material.name += &format!("_{id}");
        }
        // Several blocks may share a name, and another block may have the name with the number.
        while blocks.materials().find(&material.name).is_some() {
            material.name += &format!("_{id}");
        }
        if let (true, Some([_, red, green, blue, ..])) = (self.name.ends_with('#'), self.fog) {
            material.tint = [*red, *green, *blue];
        }
        material.light = if self.full_bright.is_some_and(|bright| bright != 0) { 15 } else { 0 };
        material.opacity = match self.block_draw {
            Some(1 | 2) => Opacity::CutOut,
            Some(3) => Opacity::Translucent,
            _ => Opacity::Opaque,
        };
        material.matter = match self.collide_type {
            Some(0 | 7) => Matter::Plant,
            Some(1 | 5 | 6) => Matter::Liquid,
            _ => Matter::Solid,
        };
        let sheets = self.shape == Some(0);
        if sheets != (material.shape == Shape::Cross) {
            material.faces = Faces::Same(if sheets { "tall_grass" } else { "plain" }.to_owned());
        }
        material.shape = if sheets { Shape::Cross } else { Shape::Cube };
        if sheets {
            material.opacity = Opacity::CutOut;
        }
        // A voxel is filled from its bottom. A block that does not begin there fills its voxel.
        let occupancy = match self.coords {
            Some(&[_, 0, _, _, top @ 1..=15, ..]) if !sheets => top * 16 - 1,
            _ => 255,
        };
        Ok(Voxel::new(blocks.add_material(material)?, occupancy))
    }
}
