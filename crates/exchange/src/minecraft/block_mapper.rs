//! Conversion of block states to voxels: the material and the occupancy.
//!
//! A block with an equivalent among the built-in materials becomes that material. Every other block
//! becomes a material with the block's name. A block keeps its state as a part of that name:
//! `minecraft:oak_stairs[facing=east,half=top]`, `oak_log[axis=x]`. Only what the voxel itself says
//! is left out: that a slab is a lower or a double one, layers of snow, the level of a liquid, the
//! wall of a torch, and the water around a block.
//!
//! A trade-off: plants that grow only under water (kelp, seagrass) become water. Any other block
//! keeps as much of the water around it as its voxel leaves free.

mod number_names;
mod numbers;

pub(crate) use number_names::NumberNames;

use super::block_error::{BlockError, MAX_NAME_BYTES};
use super::block_state::{BlockProperties, BlockState};
use super::forms::FormRule;
use super::{appearance, block_names, block_state, block_table, forms, hewn};
use crate::unread_parts::UnreadParts;
use number_names::NamedId;
use rustc_hash::FxHashMap;
use stonerun_engine::voxel::{
    Face, Faces, HewnEighths, LyingAxis, Material, MaterialId, MaterialTable, Matter, Shape,
    SurfaceRule, TorchMount, Voxel,
};

/// Rule that derives a voxel from a block's properties.
#[derive(Clone, Copy)]
enum VoxelRule {
    /// Always this occupancy.
    Fixed(u8),
    /// `type` selects the lower half (the default), the upper half or a full block.
    Slab,
    /// `layers` is the occupancy in eighths.
    Layers,
    /// `level` is the number of eighths missing at the top.
    Liquid,
    /// Full, whatever the state is.
    Water,
    /// Full; `snowy` selects this material instead.
    Snowy(MaterialId),
    /// `facing`, `half` and `shape` select the eighths.
    Stairs,
    /// Full; `facing`, by default north, points away from the wall and selects the material.
    WallTorch,
    /// A model by the table of shapes; this occupancy for states without one.
    Form(&'static FormRule, u8),
}

/// A block, as far as its name tells.
#[derive(Clone)]
struct KnownBlock {
    /// Material of its default state, with the name of the block or of the built-in material.
    material: Material,
    /// The state of the material without a state in its name.
    plain_state: &'static str,
    rule: VoxelRule,
}

/// Maps blocks to voxels, and collects their materials.
pub(crate) struct BlockMapper {
    materials: MaterialTable,
    known_names: FxHashMap<String, KnownBlock>,
    /// Built-in materials by block name without `minecraft:`.
    equivalents: FxHashMap<&'static str, &'static str>,
    /// Voxels that were computed before, by block number and data.
    known_ids: FxHashMap<(u32, u8), Voxel>,
    /// Meaning of the block numbers that the file names.
    named_ids: FxHashMap<u32, NamedId>,
    /// Number and data of halves of doors.
    doors: FxHashMap<Voxel, (u32, u8)>,
    /// Lower halves of plants two blocks high, except grasses.
    tall_plants: Vec<Voxel>,
    /// Parts of the file that are unknown, such as states and data.
    pub(crate) unread: UnreadParts,
}

impl BlockMapper {
    pub(crate) fn new() -> BlockMapper {
        BlockMapper {
            materials: MaterialTable::builtin(),
            known_names: FxHashMap::default(),
            equivalents: block_table::equivalents().collect(),
            known_ids: FxHashMap::default(),
            named_ids: FxHashMap::default(),
            doors: FxHashMap::default(),
            tall_plants: vec![],
            unread: UnreadParts::default(),
        }
    }

    /// The voxel of a block state. A property that is not stated has the value of the block's
    /// default state. So has a property with an unknown value; where it would turn the block, or
    /// decide its occupancy, it is noted as unread.
    ///
    /// # Errors
    /// The name is empty or too long, or there are too many materials.
    pub(crate) fn voxel_for_state(&mut self, state: &BlockState) -> Result<Voxel, BlockError> {
        let KnownBlock { material, plain_state, rule } = self.known_block(&state.name)?;
        let properties = state.properties();
        if let Some(unknown) = &properties.unknown {
            self.unread.note(&format!("property {unknown} of {}", state.name), 1);
        }
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u8>().ok());
        let get = |name| properties.get(name);
        let whole = |occupancy| (material.shape, occupancy);
        // Shape, occupancy, true if they say all of the state, and the name of a property whose
        // value is unknown.
        let ((shape, occupancy), says_all, unknown) = match rule {
            _ if material.matter == Matter::Gas => return Ok(Voxel::AIR),
            VoxelRule::Fixed(occupancy) => (whole(occupancy), false, None),
            VoxelRule::Slab => match get("type") {
                None | Some("bottom") => (whole(eighths(4)), true, None),
                Some("top") => (hewn_shape(HewnEighths::slab(Face::Up)), false, None),
                Some("double") => (whole(u8::MAX), true, None),
                Some(_) => (whole(eighths(4)), false, Some("type")),
            },
            VoxelRule::Stairs => {
                let (stairs, unknown) = hewn::stairs(&properties);
                (hewn_shape(stairs), false, unknown)
            }
            VoxelRule::Form(rule, occupancy) => match rule.form(&properties) {
                (Some(form), unknown) => {
                    ((Shape::Model(form), form.row().fill.unwrap_or(occupancy)), false, unknown)
                }
                (None, unknown) => (whole(occupancy), false, unknown),
            },
            VoxelRule::Layers => {
                let stated = number(get("layers"));
                let is_known = get("layers").is_none() || matches!(stated, Some(1..=8));
                let layers = stated.unwrap_or(1).clamp(1, 8);
                // A full block is a block of snow.
                (whole(eighths(layers)), layers < 8, (!is_known).then_some("layers"))
            }
            VoxelRule::Liquid => {
                let stated = number(get("level"));
                let is_known = get("level").is_none() || matches!(stated, Some(0..=15));
                let occupancy = match stated {
                    Some(level @ 1..=7) => eighths(8 - level),
                    _ => u8::MAX,
                };
                (whole(occupancy), true, (!is_known).then_some("level"))
            }
            VoxelRule::Water => (whole(u8::MAX), true, None),
            VoxelRule::Snowy(under_snow) => {
                let is_snowy = get("snowy").is_some_and(block_state::is_true);
                let is_known = is_snowy || matches!(get("snowy"), None | Some("false" | "0"));
                if is_snowy {
                    return Ok(Voxel::full(under_snow));
                }
                (whole(u8::MAX), true, (!is_known).then_some("snowy"))
            }
            VoxelRule::WallTorch => {
                let torch = self.wall_torch(&state.name, &material, &properties)?;
                let is_known = properties.facing().is_some() || get("facing").is_none();
                if !is_known {
                    self.unread.note(&format!("value of facing of {}", state.name), 1);
                }
                return Ok(torch);
            }
        };
        if let Some(unknown) = unknown {
            self.unread.note(&format!("value of {unknown} of {}", state.name), 1);
        }
        let is_wet = properties.is_waterlogged();
        // A full block says itself that it stands in water, because its voxel holds none.
        let holds_water = occupancy < u8::MAX;
        let is_extra = |(name, _): (&str, &str)| match rule {
            VoxelRule::Slab => !matches!(name, "type" | "waterlogged"),
            _ => false,
        };
        let is_said = says_all && (holds_water || !is_wet) && !properties.pairs().any(is_extra);
        let text = if is_said { String::new() } else { properties.in_brackets(holds_water) };
        let faces = match get("axis") {
            Some("x") => material.faces.lying(LyingAxis::X),
            Some("z") => material.faces.lying(LyingAxis::Z),
            _ => material.faces,
        };
        let matter = match shape {
            Shape::Model(form) if form.is_passable() => Matter::Plant,
            _ => material.matter,
        };
        let light = if get("lit") == Some("false") { 0 } else { material.light };
        let material = Material { faces, matter, light, ..material };
        let id = self.material_of_state(material, plain_state, &text, shape)?;
        let voxel = Voxel::new(id, occupancy);
        Ok(if is_wet { self.with_liquid(voxel, u8::MAX) } else { voxel })
    }

    /// The material of a block's state.
    fn material_of_state(
        &mut self,
        block: Material,
        plain_state: &str,
        state: &str,
        shape: Shape,
    ) -> Result<MaterialId, BlockError> {
        if state.is_empty() || state == plain_state {
            return self.add_material(Material { shape, ..block });
        }
        let name = format!("{}{state}", block.name);
        if name.len() > MAX_NAME_BYTES {
            self.unread.note(&format!("long state of {}", block.name), 1);
            return self.add_material(Material { shape, ..block });
        }
        self.add_material(Material { name, shape, ..block })
    }

    /// The voxel of a torch on a wall.
    fn wall_torch(
        &mut self,
        block: &str,
        material: &Material,
        properties: &BlockProperties,
    ) -> Result<Voxel, BlockError> {
        // `facing` points away from the wall: it is the face of the wall's block that carries the
        // torch.
        let id = self.add_material(material.clone())?;
        let mount = TorchMount::on_face(properties.facing().unwrap_or(Face::North));
        let mounted = mount.and_then(|mount| self.materials.with_mount(id, mount)).unwrap_or(id);
        let is_said =
            |(name, value): (&str, &str)| name == "facing" || (name, value) == ("lit", "true");
        let Some(torch) = self.materials.get(mounted).filter(|_| !properties.pairs().all(is_said))
        else {
            return Ok(Voxel::full(mounted));
        };
        // Its own state has no built-in material.
        let light = if properties.get("lit") == Some("false") { 0 } else { torch.light };
        let name = format!("{block}{}", properties.in_brackets(false));
        let torch = Material { name, light, ..torch.clone() };
        Ok(Voxel::full(self.add_material(torch)?))
    }

    /// The voxel with `liquid` 256ths of it under water, or as much as is free. Air, gases and
    /// liquids hold none.
    pub(crate) fn with_liquid(&self, voxel: Voxel, liquid: u8) -> Voxel {
        match self.materials.get(voxel.material()) {
            Some(material) if !material.is_fluid() => voxel.with_liquid(liquid),
            _ => voxel,
        }
    }

    fn known_block(&mut self, name: &str) -> Result<KnownBlock, BlockError> {
        if let Some(known) = self.known_names.get(name) {
            return Ok(known.clone());
        }
        let new = self.new_block(name)?;
        self.known_names.insert(name.to_owned(), new.clone());
        Ok(new)
    }

    fn new_block(&mut self, name: &str) -> Result<KnownBlock, BlockError> {
        let full_name = format!("minecraft:{name}");
        let name = if name.contains(':') || name.is_empty() { name } else { full_name.as_str() };
        let exported = block_names::exported_material(name);
        let length = exported.as_deref().unwrap_or(name).len();
        if length == 0 || length > MAX_NAME_BYTES {
            return Err(BlockError::NameLength(length));
        }
        let rule = VoxelRule::Fixed(u8::MAX);
        if let Some(exported) = exported {
            let known = self.materials.find(&exported).and_then(|id| self.materials.get(id));
            let material = known.cloned().unwrap_or_else(|| Material::unknown(&exported));
            return Ok(KnownBlock { material, plain_state: "", rule });
        }
        if block_table::is_air(name) {
            if !name.ends_with("air") {
                self.unread.note(&format!("invisible block {name}"), 1);
            }
            let material = Material { matter: Matter::Gas, ..Material::unknown("air") };
            return Ok(KnownBlock { material, plain_state: "", rule });
        }
        let short = name.strip_prefix("minecraft:");
        let builtin = short
            .and_then(|short| self.equivalents.get(short))
            .and_then(|name| self.materials.get(self.materials.find(name)?))
            .cloned();
        let (material, occupancy) = match builtin {
            // A block that looks like another one keeps its own name.
            Some(alike) if short.is_some_and(|short| !block_table::is_written(short)) => {
                let faces = match alike.faces {
                    // Bark on all sides.
                    Faces::Column { side, .. } if name.ends_with("_wood") => Faces::Same(side),
                    faces => faces,
                };
                (Material { name: name.to_owned(), faces, ..alike }, u8::MAX)
            }
            Some(builtin) => (builtin, u8::MAX),
            None => appearance::for_block(name),
        };
        let fixed = VoxelRule::Fixed;
        let rule = match short {
            Some("water" | "lava") => VoxelRule::Liquid,
            Some(block) if block_table::is_water(block) => VoxelRule::Water,
            Some("snow") => VoxelRule::Layers,
            Some("grass_block") => {
                self.materials.find("snowy_grass").map_or(fixed(u8::MAX), VoxelRule::Snowy)
            }
            _ if block_table::is_wall_torch(name) => VoxelRule::WallTorch,
            _ if name.ends_with("_slab") => VoxelRule::Slab,
            _ if name.ends_with("_stairs") => VoxelRule::Stairs,
            _ => forms::rule_for(name)
                .map_or(fixed(occupancy), |rule| VoxelRule::Form(rule, occupancy)),
        };
        let plain_state = short.map_or("", block_table::plain_state);
        Ok(KnownBlock { material, plain_state, rule })
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
            .filter(|(_, known)| known.material.matter == Matter::Gas)
            .map(|(name, _)| name.as_str());
        let mut names: Vec<&str> = names.filter(|name| !name.ends_with("air")).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn into_materials(self) -> MaterialTable {
        self.materials
    }
}

/// Shape and occupancy of a hewn block.
fn hewn_shape(eighths: HewnEighths) -> (Shape, u8) {
    (Shape::Hewn(eighths), eighths.occupancy())
}

/// The occupancy of `n` eighths (1 to 8).
const fn eighths(n: u8) -> u8 {
    (n as u16 * 32 - 1) as u8
}

#[cfg(test)]
mod tests;
