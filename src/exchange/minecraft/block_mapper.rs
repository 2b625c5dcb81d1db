//! Block states to voxels: the material and the occupancy.
//!
//! A block with an equivalent among the built-in materials becomes that material. Every other block
//! becomes a material with the block's name. The only properties read are those that change the
//! occupancy, whether grass is under snow, and at which wall a torch hangs. A voxel has no
//! orientation; torches are a material for each wall.
//!
//! Two decisions. An upper slab becomes a full voxel: half a voxel would lie at the bottom and open
//! a gap. Plants that grow only under water (kelp, seagrass) become water; any other block keeps its
//! place and loses the water around it.

use super::block_error::{BlockError, MAX_NAME_BYTES};
use super::block_state::{BlockProperties, BlockState};
use super::{appearance, block_names, block_table, numeric_ids};
use crate::voxel::{Material, MaterialId, MaterialTable, TorchMount, Voxel};
use rustc_hash::FxHashMap;

/// How a block's properties decide its voxel.
#[derive(Clone, Copy, Debug)]
enum OccupancyRule {
    /// Always this occupancy.
    Fixed(u8),
    /// `type` decides between half and full.
    Slab,
    /// `layers` counts eighths.
    Layers,
    /// `level` counts eighths from the top.
    Liquid,
    /// Full; `snowy` selects this material instead.
    Snowy(MaterialId),
    /// Full; `facing` selects the torch of the same kind at the wall behind it.
    WallTorch,
}

/// Maps blocks to voxels and collects the materials they need.
pub(in crate::exchange) struct BlockMapper {
    materials: MaterialTable,
    known_names: FxHashMap<String, (MaterialId, OccupancyRule)>,
    /// Built-in materials by block name without `minecraft:`.
    equivalents: FxHashMap<&'static str, &'static str>,
    /// Keys are `id << 4 | data`.
    known_ids: FxHashMap<u16, Voxel>,
    /// Names of mods' blocks by number.
    mod_names: FxHashMap<u16, String>,
    /// Lower halves of plants two blocks high, except grasses.
    tall_plants: Vec<Voxel>,
}

impl BlockMapper {
    pub(in crate::exchange) fn new() -> BlockMapper {
        BlockMapper {
            materials: MaterialTable::builtin(),
            known_names: FxHashMap::default(),
            equivalents: block_table::equivalents().collect(),
            known_ids: FxHashMap::default(),
            mod_names: FxHashMap::default(),
            tall_plants: vec![],
        }
    }

    /// Names mods' blocks by their numbers, which differ from world to world. Names of Minecraft's
    /// own blocks are ignored: they are names of that time (`minecraft:planks`), which mean nothing
    /// without number and data. So are numbers above 4095 and names that cannot be read.
    pub(in crate::exchange) fn name_numbers(&mut self, names: impl IntoIterator<Item = (i64, String)>) {
        for (id, name) in names {
            if let Ok(id @ ..4096) = u16::try_from(id)
                && !name.starts_with("minecraft:")
                && (1..=MAX_NAME_BYTES).contains(&name.len())
            {
                self.mod_names.insert(id, name);
            }
        }
    }

    /// The voxel of a block state.
    ///
    /// # Errors
    /// The name is empty or too long, or there are too many materials.
    pub(in crate::exchange) fn voxel_for_state(&mut self, state: &BlockState) -> Result<Voxel, BlockError> {
        let (material, rule) = self.material_and_rule(&state.name)?;
        let none = BlockProperties::default();
        let BlockProperties { r#type, layers, level, snowy, facing, .. } = state.properties.as_deref().unwrap_or(&none);
        let number = |text: &Option<Box<str>>| text.as_ref().and_then(|t| t.parse::<u8>().ok());
        let is_true = |text: &Option<Box<str>>| text.as_deref() == Some("true");
        Ok(match rule {
            OccupancyRule::Fixed(occupancy) => Voxel::new(material, occupancy),
            OccupancyRule::Slab if r#type.as_deref() == Some("bottom") => Voxel::new(material, eighths(4)),
            OccupancyRule::Slab => Voxel::full(material),
            OccupancyRule::Layers => Voxel::new(material, eighths(number(layers).unwrap_or(1).clamp(1, 8))),
            OccupancyRule::Liquid => match number(level) {
                Some(level @ 1..=7) => Voxel::new(material, eighths(8 - level)),
                _ => Voxel::full(material),
            },
            OccupancyRule::Snowy(under_snow) => Voxel::full(if is_true(snowy) { under_snow } else { material }),
            OccupancyRule::WallTorch => {
                // It leans away from the wall that carries it.
                let mount = facing.and_then(TorchMount::on_face);
                Voxel::full(mount.and_then(|mount| self.materials.with_mount(material, mount)).unwrap_or(material))
            }
        })
    }

    /// The voxel of a block before Minecraft 1.13: its number (0 to 4095) and four bits of data.
    ///
    /// # Errors
    /// There are too many materials.
    pub(in crate::exchange) fn voxel_for_id(&mut self, id: u16, data: u8) -> Result<Voxel, BlockError> {
        let key = id << 4 | u16::from(data & 15);
        if let Some(&voxel) = self.known_ids.get(&key) {
            return Ok(voxel);
        }
        if let Some(name) = self.mod_names.get(&id) {
            let voxel = self.voxel_for_state(&BlockState { name: name.clone().into(), properties: None })?;
            self.known_ids.insert(key, voxel);
            return Ok(voxel);
        }
        let slab = if data & 8 == 0 && !numeric_ids::is_double_slab(id) { "bottom" } else { "top" };
        let properties = Some(Box::new(BlockProperties {
            r#type: Some(slab.into()),
            layers: Some((data % 8 + 1).to_string().into()),
            level: Some(data.to_string().into()),
            facing: numeric_ids::torch_facing(id, data),
            ..BlockProperties::default()
        }));
        let voxel = self.voxel_for_state(&BlockState { name: numeric_ids::name(id, data).into(), properties })?;
        self.known_ids.insert(key, voxel);
        if numeric_ids::is_tall_flower(id, data) {
            self.tall_plants.push(voxel);
        }
        Ok(voxel)
    }

    /// True if a plant of two blocks in height begins with this voxel. Grasses, which look alike in
    /// both halves, are left out.
    pub(in crate::exchange) fn is_tall_plant(&self, voxel: Voxel) -> bool {
        self.tall_plants.contains(&voxel)
    }

    /// True if a block with this number is turned or shaped, which its voxel does not keep.
    pub(in crate::exchange) fn id_loses_shape(&self, id: u16, data: u8) -> bool {
        !self.mod_names.contains_key(&id) && numeric_ids::loses_shape(id, data)
    }

    fn material_and_rule(&mut self, name: &str) -> Result<(MaterialId, OccupancyRule), BlockError> {
        if let Some(&known) = self.known_names.get(name) {
            return Ok(known);
        }
        let new = self.new_material_and_rule(name)?;
        self.known_names.insert(name.to_owned(), new);
        Ok(new)
    }

    fn new_material_and_rule(&mut self, name: &str) -> Result<(MaterialId, OccupancyRule), BlockError> {
        let exported = block_names::exported_material(name);
        let length = exported.as_deref().unwrap_or(name).len();
        if length == 0 || length > MAX_NAME_BYTES {
            return Err(BlockError::NameLength(length));
        }
        if let Some(exported) = exported {
            return Ok((self.materials.add(Material::unknown(&exported))?, OccupancyRule::Fixed(255)));
        }
        if block_table::is_air(name) {
            return Ok((0, OccupancyRule::Fixed(0)));
        }
        let short = name.strip_prefix("minecraft:");
        let builtin = short.and_then(|short| self.equivalents.get(short)).and_then(|name| self.materials.find(name));
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
            Some("grass_block") => self.materials.find("snowy_grass").map_or(fixed(255), OccupancyRule::Snowy),
            _ if block_table::is_wall_torch(name) => OccupancyRule::WallTorch,
            _ if name.ends_with("_slab") => OccupancyRule::Slab,
            _ => fixed(occupancy),
        };
        Ok((material, rule))
    }

    /// Adds the material of a block that the file itself describes.
    ///
    /// # Errors
    /// There are too many materials.
    pub(in crate::exchange) fn add_material(&mut self, material: Material) -> Result<MaterialId, BlockError> {
        Ok(self.materials.add(material)?)
    }

    /// The materials, built-in ones first.
    pub(in crate::exchange) fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    /// Names of the blocks met so far that are air here, but are no air in Minecraft, in alphabetical
    /// order.
    pub(in crate::exchange) fn invisible_blocks(&self) -> Vec<&str> {
        let names = self.known_names.iter().filter(|(_, (material, _))| *material == 0).map(|(name, _)| name.as_str());
        let mut names: Vec<&str> = names.filter(|name| !name.ends_with("air")).collect();
        names.sort_unstable();
        names
    }

    pub(in crate::exchange) fn into_materials(self) -> MaterialTable {
        self.materials
    }
}

/// The occupancy of `n` eighths (1 to 8).
const fn eighths(n: u8) -> u8 {
    (n as u16 * 32 - 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voxel(blocks: &mut BlockMapper, name: &str, properties: BlockProperties) -> (String, u8) {
        let state = BlockState { name: name.into(), properties: Some(Box::new(properties)) };
        let voxel = blocks.voxel_for_state(&state).unwrap();
        (blocks.materials().get(voxel.material()).unwrap().name.clone(), voxel.occupancy())
    }

    fn new_voxel(name: &str, properties: BlockProperties) -> (String, u8) {
        voxel(&mut BlockMapper::new(), name, properties)
    }

    fn some(text: &str) -> Option<Box<str>> {
        Some(text.into())
    }

    #[test]
    fn state_maps_to_builtin_or_named_material() {
        for (name, expected) in [
            ("minecraft:stone", ("stone", 255)),
            ("minecraft:spruce_log", ("pine_log", 255)),
            ("minecraft:cave_air", ("air", 0)),
            ("minecraft:kelp", ("water", 255)),
            ("minecraft:diorite", ("minecraft:diorite", 255)),
            ("mod:stone", ("mod:stone", 255)),
            ("stone", ("stone", 255)),
            ("minecraft:oak_trapdoor", ("minecraft:oak_trapdoor", 47)),
        ] {
            assert_eq!(new_voxel(name, BlockProperties::default()), (expected.0.to_owned(), expected.1), "{name}");
        }
    }

    #[test]
    fn properties_decide_occupancy_and_material() {
        let slab = |kind: &str| {
            new_voxel("minecraft:oak_slab", BlockProperties { r#type: some(kind), ..BlockProperties::default() }).1
        };
        assert_eq!(["bottom", "top", "double", "?"].map(slab), [127, 255, 255, 255]);
        let snow =
            |n: &str| new_voxel("minecraft:snow", BlockProperties { layers: some(n), ..BlockProperties::default() });
        assert_eq!(["1", "4", "8", "0", "99", "x"].map(|n| snow(n).1), [31, 127, 255, 31, 255, 31]);
        let water =
            |n: &str| new_voxel("minecraft:water", BlockProperties { level: some(n), ..BlockProperties::default() });
        assert_eq!(["0", "1", "7", "8", "15", "x"].map(|n| water(n).1), [255, 223, 31, 255, 255, 255]);
        let grass = |snowy: &str| {
            new_voxel("minecraft:grass_block", BlockProperties { snowy: some(snowy), ..BlockProperties::default() })
        };
        assert_eq!((grass("true").0, grass("false").0), ("snowy_grass".to_owned(), "grass".to_owned()));
        for name in ["tube_coral", "sea_pickle", "glow_lichen", "lantern", "oak_fence"] {
            let name = format!("minecraft:{name}");
            let mut wet = BlockProperties::default();
            wet.set("waterlogged", "true");
            assert_eq!(new_voxel(&name, wet), (name, 255), "a block in water stays");
        }
        let torch = |text: &str| {
            let mut facing = BlockProperties::default();
            facing.set("facing", text);
            new_voxel("minecraft:soul_wall_torch", facing).0
        };
        assert_eq!(["east", "north", "up"].map(torch), ["blue_torch_wall_west", "blue_torch_wall_south", "blue_torch"]);
        // Chests have a `type` as well.
        let chest =
            new_voxel("minecraft:chest", BlockProperties { r#type: some("bottom"), ..BlockProperties::default() });
        assert_eq!(chest, ("minecraft:chest".to_owned(), 255));
    }

    #[test]
    fn id_and_data_map_to_voxel() {
        let mut blocks = BlockMapper::new();
        let names = [(2000, "mod:engine".to_owned()), (54, "minecraft:box".to_owned()), (-1, "mod:b".to_owned())];
        blocks.name_numbers(names.into_iter().chain([(3000, "x".repeat(MAX_NAME_BYTES + 1))]));
        for (id, data, expected) in [
            (3000, 0, ("unknown:3000", 255)),
            (0, 0, ("air", 0)),
            (1, 0, ("stone", 255)),
            (1, 3, ("minecraft:diorite", 255)),
            (9, 0, ("water", 255)),
            (8, 3, ("water", 159)),
            (44, 3, ("minecraft:cobblestone_slab", 127)),
            (44, 11, ("minecraft:cobblestone_slab", 255)),
            (43, 3, ("minecraft:cobblestone_slab", 255)),
            (78, 1, ("snow", 63)),
            (80, 0, ("snow", 255)),
            (1234, 5, ("unknown:1234", 255)),
            (2000, 5, ("mod:engine", 255)),
            (54, 0, ("minecraft:chest", 255)),
            (50, 0, ("torch", 255)),
            (50, 1, ("torch_wall_west", 255)),
            (50, 4, ("torch_wall_south", 255)),
            (50, 5, ("torch", 255)),
            (76, 2, ("red_torch_wall_east", 255)),
        ] {
            for _ in 0..2 {
                let voxel = blocks.voxel_for_id(id, data).unwrap();
                let name = blocks.materials().get(voxel.material()).unwrap().name.as_str();
                assert_eq!((name, voxel.occupancy()), expected, "{id}:{data}");
            }
        }
    }

    #[test]
    fn bad_names_and_full_material_table_are_refused() {
        let mut blocks = BlockMapper::new();
        let mut state = |name: String| blocks.voxel_for_state(&BlockState { name: name.into(), properties: None });
        let error = state("x".repeat(257)).unwrap_err().to_string();
        assert_eq!(error, "a block's name is 257 bytes long; 1 to 256 are read");
        let error = state(String::new()).unwrap_err().to_string();
        assert_eq!(error, "a block's name is 0 bytes long; 1 to 256 are read");
        let refused = (0..70_000).find_map(|i| state(format!("mod:{i}")).err());
        assert_eq!(refused.unwrap().to_string(), "more than 65535 materials");
        assert!(state("mod:0".to_owned()).is_ok(), "a known name needs no new material");
    }
}
