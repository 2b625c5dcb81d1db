//! ClassicWorld (`.cw`): what ClassiCube and the servers of its kind write.
//!
//! From "ClassicWorld file format" of the Minecraft developers' wiki, and ClassiCube's own additions: `BlockArray2` holds the
//! upper eight bits of each number, and `Metadata.CPE.BlockDefinitions` says what numbers mean that Classic did not have,
//! or what it had means now. A block's pictures are in a texture file elsewhere, so a defined block is coloured by its name,
//! or by its tint.

use super::{
    FormatError, ImportError, ImportSummary, ImportTarget, Progress, VoxelBox, check_length, filled, from_nbt,
    import_nbt, names,
};
use crate::exchange::minecraft::blocks::Blocks;
use crate::exchange::minecraft::look::look;
use crate::voxel::{Faces, Material, Matter, Opacity, Shape, Voxel};
use glam::I64Vec3;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::borrow::Cow;
use std::path::Path;

/// The most blocks a file defines. ClassiCube has numbers up to 767.
const MOST_DEFINITIONS: usize = 4096;
/// The longest name of a defined block that is read. The format has 64.
const LONGEST_NAME: usize = 128;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct World<'a> {
    format_version: i64,
    x: i64,
    y: i64,
    z: i64,
    #[serde(borrow)]
    block_array: &'a [u8],
    #[serde(borrow)]
    block_array2: Option<&'a [u8]>,
    #[serde(borrow)]
    metadata: Option<Metadata<'a>>,
}

#[derive(Deserialize)]
struct Metadata<'a> {
    #[serde(borrow, rename = "CPE")]
    cpe: Option<Cpe<'a>>,
}

#[derive(Deserialize)]
struct Cpe<'a> {
    #[serde(borrow, rename = "BlockDefinitions", default, deserialize_with = "definitions")]
    definitions: Vec<Definition<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Definition<'a> {
    #[serde(rename = "ID")]
    id: Option<i64>,
    /// The same with more than eight bits.
    #[serde(rename = "ID2")]
    id2: Option<i64>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    /// 0 for crossed sheets.
    shape: Option<i64>,
    /// How it is drawn: 0 opaque, 1 and 2 with holes, 3 translucent, 4 not at all.
    block_draw: Option<i64>,
    /// 0 nothing, 1, 5 and 6 liquids, 7 a rope, else solid.
    collide_type: Option<i64>,
    full_bright: Option<i64>,
    /// Density, red, green, blue.
    #[serde(borrow)]
    fog: Option<&'a [u8]>,
    /// The least x, y, z, then the greatest, in sixteenths.
    #[serde(borrow)]
    coords: Option<&'a [u8]>,
}

/// The entries whose names begin with `Block`; beside them is the version.
fn definitions<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Definition<'a>>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<Definition<'de>>;

        fn expecting(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
            to.write_str("definitions of blocks")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut list = Vec::new();
            while let Some(name) = map.next_key::<Cow<str>>()? {
                if !name.starts_with("Block") {
                    map.next_value::<IgnoredAny>()?;
                } else if list.len() == MOST_DEFINITIONS {
                    return Err(serde::de::Error::custom(format!("more than {MOST_DEFINITIONS} blocks are defined")));
                } else {
                    list.push(map.next_value()?);
                }
            }
            Ok(list)
        }
    }
    deserializer.deserialize_map(Entries)
}

/// Imports a `.cw` file.
///
/// # Errors
/// The file cannot be read, is malformed or too large, holds nothing but air, or it was cancelled.
pub(in crate::exchange) fn import(
    path: &Path,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    import_nbt(path, target, progress, parse)
}

pub(super) fn parse(data: &[u8], target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, FormatError> {
    let world: World = from_nbt(data)?;
    if world.format_version != 1 {
        let reason = format!("its version is {}; version 1 is read", world.format_version);
        return Err(FormatError::new("FormatVersion", reason));
    }
    // Shorts, that count without a sign.
    let size = I64Vec3::new(world.x, world.y, world.z) & 0xFFFF;
    let model = VoxelBox::new(size, target)?;
    check_length("BlockArray", world.block_array.len(), size)?;
    if let Some(upper) = world.block_array2 {
        check_length("BlockArray2", upper.len(), size)?;
    }
    let id = |index: usize| {
        let upper = world.block_array2.map_or(0, |upper| upper[index]);
        u16::from_be_bytes([upper, world.block_array[index]])
    };
    let definitions = world.metadata.and_then(|metadata| metadata.cpe).map_or(vec![], |cpe| cpe.definitions);
    let mut used = vec![false; 1 << 16];
    (0..world.block_array.len()).for_each(|index| used[usize::from(id(index))] = true);
    let mut blocks = Blocks::new();
    let mut voxels = vec![Voxel::AIR; 1 << 16];
    // As in the client, the last that defines it counts; air stays air.
    let defined = |id: u16| definitions.iter().rev().find(|definition| id > 0 && definition.number() == Some(id));
    // Those with a name of Classic's first, so that none that is defined here takes it from them.
    let (named, own): (Vec<_>, Vec<_>) =
        (0..=u16::MAX).filter(|id| used[usize::from(*id)]).map(|id| (id, defined(id))).partition(|(_, d)| d.is_none());
    for (id, defined) in named.into_iter().chain(own) {
        let flaw = |reason| FormatError::new(format!("block {id}"), reason);
        voxels[usize::from(id)] = match defined {
            Some(definition) => definition.voxel(id, &mut blocks),
            None => match names::voxel(&mut blocks, id).map_err(flaw)? {
                Some(voxel) => Ok(voxel),
                None => blocks.add(Material::unknown(&format!("classic:id_{id}"))).map(Voxel::full),
            },
        }
        .map_err(flaw)?;
    }
    filled(model, blocks.into_materials(), |index| voxels[usize::from(id(index))], progress)
}

impl Definition<'_> {
    fn number(&self) -> Option<u16> {
        self.id2.map(|id| id as u16).or(self.id.map(|id| u16::from(id as u8)))
    }

    /// The voxel it says, and its material.
    fn voxel(&self, id: u16, blocks: &mut Blocks) -> Result<Voxel, String> {
        if self.block_draw == Some(4) {
            return Ok(Voxel::AIR);
        }
        if self.name.len() > LONGEST_NAME {
            return Err(format!("its name is {} bytes long", self.name.len()));
        }
        // A name that ends so is tinted with the colour of its fog.
        let plain = self.name.strip_suffix('#').unwrap_or(&self.name);
        let words: String =
            plain.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
        let words = words.trim_matches('_');
        let mut material = look(&format!("minecraft:{words}")).0;
        material.name = format!("classic:{words}");
        if words.is_empty() {
            material.name += &format!("_{id}");
        }
        // Many blocks of a build may have one name, and another the name that comes of that.
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
        // A voxel is filled from its bottom; what hangs in the air fills it.
        let occupancy = match self.coords {
            Some(&[_, 0, _, _, top @ 1..=15, ..]) if !sheets => top * 16 - 1,
            _ => 255,
        };
        blocks.add(material).map(|material| Voxel::new(material, occupancy))
    }
}
