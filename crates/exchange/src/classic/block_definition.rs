//! Block definitions in a ClassicWorld file.
//!
//! The textures of a block are in a separate texture file, so a defined block gets its colour from
//! its name or its tint.

use crate::error::FormatError;
use crate::minecraft::appearance;
use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::nbt_stream::NbtStream;
use stonerun_engine::voxel::{Faces, Likeness, Matter, Opacity, Shape, Voxel};

/// Maximum number of definitions in a file. ClassiCube's block numbers go up to 767.
const MAX_DEFINITIONS: usize = 4096;
/// Longest name of a defined block that is read, in bytes. The format itself limits names to 64.
const MAX_NAME_BYTES: usize = 128;

/// Reason why a defined block cannot be converted to a voxel.
#[derive(thiserror::Error, Debug)]
pub(super) enum DefinitionError {
    #[error("its name is {0} bytes long; at most {MAX_NAME_BYTES} are read")]
    NameLength(usize),
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// A block definition as stored in the file.
#[derive(Default)]
pub(super) struct BlockDefinition {
    /// `ID`: eight-bit number.
    id: Option<i64>,
    /// `ID2`: sixteen-bit number.
    id2: Option<i64>,
    /// Name of the block; empty if it is too long.
    name: String,
    name_bytes: usize,
    /// 0 for crossed sheets, as of plants.
    shape: Option<i64>,
    /// 0 opaque, 1 and 2 with holes, 3 translucent, 4 invisible.
    block_draw: Option<i64>,
    /// 0 passable; 1, 5 and 6 liquid; 7 climbable; else solid.
    collide_type: Option<i64>,
    full_bright: Option<i64>,
    /// Density, red, green, blue.
    fog: Option<[u8; 4]>,
    /// Least x, y, z, then greatest x, y, z, in sixteenths.
    coords: Option<[u8; 6]>,
}

/// Reads the definitions: the entries whose names begin with `Block`. Other entries, such as a
/// version, are skipped.
///
/// # Errors
/// The data is malformed, or there are too many definitions.
pub(super) fn read_definitions(
    stream: &mut NbtStream,
    tag: u8,
) -> Result<Vec<BlockDefinition>, FormatError> {
    let mut list = Vec::new();
    stream.compound(tag, &mut |stream, tag, name| {
        if !name.starts_with("Block") {
            return stream.skip(tag);
        }
        if list.len() == MAX_DEFINITIONS {
            return Err(stream.error(format!("more than {MAX_DEFINITIONS} blocks are defined")));
        }
        let mut definition = BlockDefinition::default();
        stream.compound(tag, &mut |stream, tag, name| definition.read_entry(stream, tag, name))?;
        list.push(definition);
        Ok(())
    })?;
    Ok(list)
}

impl BlockDefinition {
    fn read_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<(), FormatError> {
        match name {
            "ID" => self.id = Some(stream.integer(tag)?),
            "ID2" => self.id2 = Some(stream.integer(tag)?),
            "Name" => {
                self.name = stream.string(tag)?;
                self.name_bytes = self.name.len();
                if self.name_bytes > MAX_NAME_BYTES {
                    self.name = String::new();
                }
            }
            "Shape" => self.shape = Some(stream.integer(tag)?),
            "BlockDraw" => self.block_draw = Some(stream.integer(tag)?),
            "CollideType" => self.collide_type = Some(stream.integer(tag)?),
            "FullBright" => self.full_bright = Some(stream.integer(tag)?),
            "Fog" => self.fog = stream.first_bytes(tag)?,
            "Coords" => self.coords = stream.first_bytes(tag)?,
            _ => stream.skip(tag)?,
        }
        Ok(())
    }

    /// Number of the defined block: `ID2`, or `ID` in files without `ID2`.
    pub(super) fn id(&self) -> Option<u16> {
        self.id2.map(|id| id as u16).or(self.id.map(|id| u16::from(id as u8)))
    }

    /// True for a block that is not drawn, which becomes air.
    pub(super) fn is_invisible(&self) -> bool {
        self.block_draw == Some(4)
    }

    /// Adds the material of the block, and returns the voxel.
    ///
    /// # Errors
    /// The name is too long, or there are too many materials.
    pub(super) fn voxel(
        &self,
        id: u16,
        blocks: &mut BlockMapper,
    ) -> Result<Voxel, DefinitionError> {
        if self.is_invisible() {
            return Ok(Voxel::AIR);
        }
        if self.name_bytes > MAX_NAME_BYTES {
            return Err(DefinitionError::NameLength(self.name_bytes));
        }
        // A name that ends with `#` marks a block that is tinted with its fog colour.
        let plain = self.name.strip_suffix('#').unwrap_or(&self.name);
        let words: String = plain
            .chars()
            .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
            .collect();
        let words = words.trim_matches('_');
        let (mut material, _) = appearance::for_block(&format!("minecraft:{words}"));
        material.name = format!("classic:{words}");
        if words.is_empty() {
            material.name += &format!("_{id}");
        }
        // Several blocks may share a name, and the name with the number may be taken, too.
        while blocks.materials().find(&material.name).is_some() {
            material.name += &format!("_{id}");
        }
        if let (true, Some([_, red, green, blue])) = (self.name.ends_with('#'), self.fog) {
            material.tint = [red, green, blue];
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
        let has_sheets = material.shape.row().likeness == Likeness::Plant;
        if sheets != has_sheets {
            material.faces = Faces::Same(if sheets { "tall_grass" } else { "plain" }.to_owned());
        }
        material.shape = match material.shape {
            named if sheets && has_sheets => named,
            _ if sheets => Shape::Cross,
            _ => Shape::Cube,
        };
        if sheets {
            material.opacity = Opacity::CutOut;
        }
        // An occupancy fills a voxel from its bottom, so a block that begins higher becomes a full
        // voxel.
        let occupancy = match self.coords {
            Some([_, 0, _, _, top @ 1..=15, _]) if !sheets => top * 16 - 1,
            _ => 255,
        };
        Ok(Voxel::new(blocks.add_material(material)?, occupancy))
    }
}
