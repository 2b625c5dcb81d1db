//! Conversion of block states to voxels: the material and the occupancy.
//!
//! A block with an equivalent among the built-in materials becomes that material. Every other block
//! becomes a material with the block's name. Only four things are read from a block's properties:
//! the occupancy, the water around the block, whether grass is under snow, and the wall of a torch.
//! A voxel has no orientation, so torches have a material for each wall.
//!
//! Two trade-offs. An upper slab becomes a full voxel, because half a voxel would lie at the bottom
//! and open a gap. Plants that grow only under water (kelp, seagrass) become water; any other block
//! keeps as much of the water around it as its voxel leaves free.

use super::block_error::{BlockError, MAX_NAME_BYTES};
use super::block_state::{BlockProperties, BlockState};
use super::{
    appearance, block_names, block_state, block_table, block_versions, numeric_ids, old_names,
};
use crate::unread_parts::UnreadParts;
use rustc_hash::FxHashMap;
use stonerun_engine::voxel::{
    Face, Material, MaterialId, MaterialTable, SurfaceRule, TorchMount, Voxel,
};

/// Rule that derives a voxel from a block's properties.
#[derive(Clone, Copy, Debug)]
enum OccupancyRule {
    /// Always this occupancy.
    Fixed(u8),
    /// `type` selects half (the default) or full.
    Slab,
    /// `layers` is the occupancy in eighths.
    Layers,
    /// `level` is the number of eighths missing at the top.
    Liquid,
    /// Full; `snowy` selects this material instead.
    Snowy(MaterialId),
    /// Full; `facing`, by default north, points away from the wall and selects the material.
    WallTorch,
}

/// Maps blocks to voxels, and collects their materials.
pub(crate) struct BlockMapper {
    materials: MaterialTable,
    known_names: FxHashMap<String, (MaterialId, OccupancyRule)>,
    /// Built-in materials by block name without `minecraft:`.
    equivalents: FxHashMap<&'static str, &'static str>,
    /// Voxels that were computed before, by block number and data.
    known_ids: FxHashMap<(u32, u8), Voxel>,
    /// Meaning of the block numbers that the file names.
    named_ids: FxHashMap<u32, NamedId>,
    /// Lower halves of plants two blocks high, except grasses.
    tall_plants: Vec<Voxel>,
    /// Parts of the file that are unknown, such as states and data.
    pub(crate) unread: UnreadParts,
}

/// Meaning that the file gives to a block number.
#[derive(Clone, PartialEq, Eq, Debug)]
enum NamedId {
    /// The block of this number in Minecraft before 1.13; data selects the variant.
    Numbered(u32),
    /// The default state of this block; its data has no known meaning.
    Block(String),
}

/// Source of names for block numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NumberNames {
    /// The registry of a world before 1.13, with the block names of that time.
    Registry,
    /// The mapping of a schematic. One block with a name from 1.13 or later shows that all names
    /// are new.
    Mapping,
}

impl BlockMapper {
    pub(crate) fn new() -> BlockMapper {
        BlockMapper {
            materials: MaterialTable::builtin(),
            known_names: FxHashMap::default(),
            equivalents: block_table::equivalents().collect(),
            known_ids: FxHashMap::default(),
            named_ids: FxHashMap::default(),
            tall_plants: vec![],
            unread: UnreadParts::default(),
        }
    }

    /// Gives block numbers the meaning that the file states. Numbers outside 0 to 2^24 - 1 and
    /// names that cannot be read are noted as unread.
    pub(crate) fn name_numbers(
        &mut self,
        source: NumberNames,
        names: impl IntoIterator<Item = (i64, String)>,
    ) {
        let names: Vec<(i64, String)> = names.into_iter().collect();
        let is_new = |name: &str| {
            old_names::number(name).is_none() && block_versions::first_data_version(name).is_some()
        };
        let is_modern = source == NumberNames::Mapping
            && names.iter().any(|(_, name)| plain_vanilla_name(name).is_some_and(is_new));
        for (id, name) in names {
            let Some(id) = u32::try_from(id).ok().filter(|id| *id < MAX_ID) else {
                self.unread.note("named block number out of range", 1);
                continue;
            };
            if !(1..=MAX_NAME_BYTES).contains(&name.len()) {
                self.unread.note("name of a block number", 1);
                continue;
            }
            let old = plain_vanilla_name(&name).and_then(|short| {
                let is_today = block_versions::first_data_version(short).is_some();
                old_names::number(short).filter(|_| !(is_modern && is_today))
            });
            self.named_ids.insert(id, old.map_or(NamedId::Block(name), NamedId::Numbered));
        }
    }

    /// The number in Minecraft before 1.13 of the block with this number in the file; `None` for
    /// other blocks.
    fn vanilla_id(&self, id: u32) -> Option<u32> {
        match self.named_ids.get(&id) {
            None => Some(id),
            Some(NamedId::Numbered(id)) => Some(*id),
            Some(NamedId::Block(_)) => None,
        }
    }

    /// The voxel of a block state. A property that is not stated has the value of the block's
    /// default state. So has a property with an unknown value, which is noted as unread.
    ///
    /// # Errors
    /// The name is empty or too long, or there are too many materials.
    pub(crate) fn voxel_for_state(&mut self, state: &BlockState) -> Result<Voxel, BlockError> {
        let (material, rule) = self.material_and_rule(&state.name)?;
        let none = BlockProperties::default();
        let properties = state.properties.as_deref().unwrap_or(&none);
        let BlockProperties { r#type, layers, level, snowy, facing, unknown, .. } = properties;
        if let Some(unknown) = unknown {
            self.unread.note(&format!("property {unknown} of {}", state.name), 1);
        }
        let number = |text: &Option<Box<str>>| text.as_ref().and_then(|t| t.parse::<u8>().ok());
        // The voxel, and the name of a property whose value is unknown.
        let (voxel, unknown) = match rule {
            OccupancyRule::Fixed(occupancy) => (Voxel::new(material, occupancy), None),
            OccupancyRule::Slab => {
                let (occupancy, unknown) = match r#type.as_deref() {
                    None | Some("bottom") => (eighths(4), None),
                    Some("top" | "double") => (255, None),
                    Some(_) => (eighths(4), Some("type")),
                };
                (Voxel::new(material, occupancy), unknown)
            }
            OccupancyRule::Layers => {
                let stated = number(layers);
                let is_known = layers.is_none() || matches!(stated, Some(1..=8));
                let layers = stated.unwrap_or(1).clamp(1, 8);
                (Voxel::new(material, eighths(layers)), (!is_known).then_some("layers"))
            }
            OccupancyRule::Liquid => {
                let stated = number(level);
                let is_known = level.is_none() || matches!(stated, Some(0..=15));
                let voxel = match stated {
                    Some(level @ 1..=7) => Voxel::new(material, eighths(8 - level)),
                    _ => Voxel::full(material),
                };
                (voxel, (!is_known).then_some("level"))
            }
            OccupancyRule::Snowy(under_snow) => {
                let stated = snowy.as_deref();
                let is_snowy = stated.is_some_and(block_state::is_true);
                let is_known = is_snowy || matches!(stated, None | Some("false" | "0"));
                (
                    Voxel::full(if is_snowy { under_snow } else { material }),
                    (!is_known).then_some("snowy"),
                )
            }
            OccupancyRule::WallTorch => {
                // `facing` points away from the wall: it is the face of the wall's block that
                // carries the torch.
                let mount = TorchMount::on_face(facing.unwrap_or(Face::North));
                let mounted = mount.and_then(|mount| self.materials.with_mount(material, mount));
                // In wall torches only `facing` can set `loses_shape`.
                let is_known = facing.is_some() || !properties.loses_shape;
                (Voxel::full(mounted.unwrap_or(material)), (!is_known).then_some("facing"))
            }
        };
        if let Some(unknown) = unknown {
            self.unread.note(&format!("value of {unknown} of {}", state.name), 1);
        }
        Ok(if properties.is_waterlogged { self.with_liquid(voxel, u8::MAX) } else { voxel })
    }

    /// The voxel with `liquid` 256ths of it under water, or as much as is free. Air, gases and
    /// liquids hold none.
    pub(crate) fn with_liquid(&self, voxel: Voxel, liquid: u8) -> Voxel {
        match self.materials.get(voxel.material()) {
            Some(material) if !material.is_fluid() => voxel.with_liquid(liquid),
            _ => voxel,
        }
    }

    /// The voxel of a block before Minecraft 1.13, by its number in the file and four bits of data.
    ///
    /// # Errors
    /// The number of materials exceeds its limit.
    pub(crate) fn voxel_for_id(&mut self, id: u32, data: u8) -> Result<Voxel, BlockError> {
        let data = data & 15;
        if let Some(&voxel) = self.known_ids.get(&(id, data)) {
            return Ok(voxel);
        }
        let voxel = match self.named_ids.get(&id) {
            None => self.voxel_for_vanilla_id(id, data)?,
            Some(&NamedId::Numbered(number)) => self.voxel_for_vanilla_id(number, data)?,
            Some(NamedId::Block(name)) => {
                let name = name.clone();
                self.voxel_for_named_block(&name, data)?
            }
        };
        self.known_ids.insert((id, data), voxel);
        Ok(voxel)
    }

    /// The voxel of a block that the file names and that has no number in Minecraft.
    fn voxel_for_named_block(&mut self, name: &str, data: u8) -> Result<Voxel, BlockError> {
        let mut state = BlockState::parse(name)?;
        let is_slab = state.name.ends_with("_slab");
        if data != 0 && !(is_slab && data == 8) {
            self.unread.note(&format!("data {data} of {name}"), 1);
        }
        if is_slab && data & 8 != 0 {
            state.properties.get_or_insert_default().r#type.get_or_insert_with(|| "top".into());
        }
        self.voxel_for_state(&state)
    }

    /// The voxel of a block by its number in Minecraft before 1.13, whatever the file calls that
    /// number.
    ///
    /// # Errors
    /// The number of materials exceeds its limit.
    pub(crate) fn voxel_for_vanilla_id(&mut self, id: u32, data: u8) -> Result<Voxel, BlockError> {
        if numeric_ids::is_unknown_data(id, data) {
            self.unread.note(&format!("data {data} of {}", numeric_ids::name(id, 0)), 1);
        }
        let slab = if data & 8 == 0 && !numeric_ids::is_double_slab(id) { "bottom" } else { "top" };
        let properties = Some(Box::new(BlockProperties {
            r#type: Some(slab.into()),
            layers: Some((data % 8 + 1).to_string().into()),
            level: Some(data.to_string().into()),
            facing: numeric_ids::torch_facing(id, data),
            ..BlockProperties::default()
        }));
        let voxel = self.voxel_for_state(&BlockState {
            name: numeric_ids::name(id, data).into(),
            properties,
        })?;
        if numeric_ids::is_tall_flower(id, data) && !self.tall_plants.contains(&voxel) {
            self.tall_plants.push(voxel);
        }
        Ok(voxel)
    }

    /// True for the voxel of a plant that is two blocks high. Grasses, which look alike in both
    /// halves, are left out.
    pub(crate) fn is_tall_plant(&self, voxel: Voxel) -> bool {
        self.tall_plants.contains(&voxel)
    }

    /// True for the upper half of a plant that is two blocks high, by its number in the file.
    pub(crate) fn is_upper_half(&self, id: u32, data: u8) -> bool {
        self.vanilla_id(id).is_some_and(|id| numeric_ids::is_upper_half(id, data))
    }

    /// True if a block with this number is turned or shaped, which its voxel cannot keep.
    pub(crate) fn id_loses_shape(&self, id: u32, data: u8) -> bool {
        match self.named_ids.get(&id) {
            Some(NamedId::Block(name)) => {
                BlockState::parse(name).is_ok_and(|state| state.loses_shape())
            }
            _ => self.vanilla_id(id).is_some_and(|id| numeric_ids::loses_shape(id, data)),
        }
    }

    fn material_and_rule(&mut self, name: &str) -> Result<(MaterialId, OccupancyRule), BlockError> {
        if let Some(&known) = self.known_names.get(name) {
            return Ok(known);
        }
        let new = self.new_material_and_rule(name)?;
        self.known_names.insert(name.to_owned(), new);
        Ok(new)
    }

    fn new_material_and_rule(
        &mut self,
        name: &str,
    ) -> Result<(MaterialId, OccupancyRule), BlockError> {
        let full_name = format!("minecraft:{name}");
        let name = if name.contains(':') || name.is_empty() { name } else { full_name.as_str() };
        let exported = block_names::exported_material(name);
        let length = exported.as_deref().unwrap_or(name).len();
        if length == 0 || length > MAX_NAME_BYTES {
            return Err(BlockError::NameLength(length));
        }
        if let Some(exported) = exported {
            return Ok((
                self.materials.add(Material::unknown(&exported))?,
                OccupancyRule::Fixed(255),
            ));
        }
        if block_table::is_air(name) {
            if !name.ends_with("air") {
                self.unread.note(&format!("invisible block {name}"), 1);
            }
            return Ok((0, OccupancyRule::Fixed(0)));
        }
        let short = name.strip_prefix("minecraft:");
        let builtin = short
            .and_then(|short| self.equivalents.get(short))
            .and_then(|name| self.materials.find(name));
        let (material, occupancy) = match builtin {
            Some(builtin) => (builtin, 255),
            None => {
                let (material, occupancy) = appearance::for_block(name);
                (self.add_material(material)?, occupancy)
            }
        };
        let fixed = OccupancyRule::Fixed;
        let rule = match short {
            Some("water" | "lava") => OccupancyRule::Liquid,
            Some("snow") => OccupancyRule::Layers,
            Some("grass_block") => {
                self.materials.find("snowy_grass").map_or(fixed(255), OccupancyRule::Snowy)
            }
            _ if block_table::is_wall_torch(name) => OccupancyRule::WallTorch,
            _ if name.ends_with("_slab") => OccupancyRule::Slab,
            _ => fixed(occupancy),
        };
        Ok((material, rule))
    }

    /// Adds the material of a block that the file itself describes.
    ///
    /// # Errors
    /// The number of materials exceeds its limit.
    pub(crate) fn add_material(&mut self, material: Material) -> Result<MaterialId, BlockError> {
        Ok(self.materials.add(material)?)
    }

    /// Changes the surface of a material.
    pub(crate) fn set_surface(
        &mut self,
        id: MaterialId,
        surface: SurfaceRule,
    ) -> Result<(), BlockError> {
        Ok(self.materials.set_surface(id, surface).map(drop)?)
    }

    /// The materials, built-in ones first.
    pub(crate) fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    /// Names of the blocks seen so far that became air although they are not air in Minecraft, in
    /// alphabetical order.
    pub(crate) fn invisible_blocks(&self) -> Vec<&str> {
        let names = self
            .known_names
            .iter()
            .filter(|(_, (material, _))| *material == 0)
            .map(|(name, _)| name.as_str());
        let mut names: Vec<&str> = names.filter(|name| !name.ends_with("air")).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn into_materials(self) -> MaterialTable {
        self.materials
    }
}

/// Upper bound of block numbers, exclusive. Mods write up to 24 bits.
const MAX_ID: u32 = 1 << 24;

/// The name of one of Minecraft's own blocks, without its namespace and properties.
fn plain_vanilla_name(name: &str) -> Option<&str> {
    let short = name.strip_prefix("minecraft:").or_else(|| (!name.contains(':')).then_some(name));
    short.filter(|short| !short.contains('['))
}

/// The occupancy of `n` eighths (1 to 8).
const fn eighths(n: u8) -> u8 {
    (n as u16 * 32 - 1) as u8
}

#[cfg(test)]
mod tests;
