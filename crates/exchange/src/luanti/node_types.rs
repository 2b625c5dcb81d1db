//! Conversion of Luanti's node names to voxels.
//!
//! Mods define nodes, and a schematic has only their names. Nodes of Minetest Game (`default:...`)
//! with an equivalent Minecraft block are imported like that block. All others keep their name;
//! their colour and shape come from the words in it.
//!
//! Slabs and flowing liquids have an occupancy. A torch on a wall becomes the torch material for
//! that wall. Other param2 bytes, such as levels of `leveled` nodes, are only counted, because only
//! the mod knows their meaning.

use super::node_table::equivalent;
use crate::minecraft::appearance;
use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_state::{BlockProperties, BlockState};
use stonerun_engine::voxel::{Material, MaterialId, TorchMount, Voxel};

/// Longest name that is read, in bytes. A map stores each name.
const MAX_NAME_BYTES: usize = 256;

/// Reason why a name cannot be converted to a node type.
#[derive(thiserror::Error, Debug)]
pub(super) enum NodeTypeError {
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("a node's name is {0} bytes long; 1 to {MAX_NAME_BYTES} are read")]
    NameLength(usize),
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// Meaning of a node's param2 byte.
#[derive(Clone, Copy, Debug)]
enum Param2Rule {
    Ignored,
    /// Orientation: a slab lies at the bottom or the top, or stands at a side.
    Slab,
    /// Level of a flowing liquid.
    Flowing,
    /// Side of the wall, from value 2 on.
    WallTorch([MaterialId; 4]),
}

/// A part of a node that its voxel does not keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LostPart {
    /// A slab does not lie at the bottom.
    Shape,
    /// The param2 of a node whose meaning only the mod knows.
    Param2,
}

/// Mounts of torches by param2, from value 2 on. Luanti's z grows to the north.
const WALLS: [TorchMount; 4] =
    [TorchMount::East, TorchMount::West, TorchMount::North, TorchMount::South];

/// A type of node, determined by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeType {
    voxel: Voxel,
    param2: Param2Rule,
}

impl NodeType {
    /// The node type for this name.
    ///
    /// # Errors
    /// The name is empty or too long, or there are too many materials.
    pub(super) fn new(name: &str, blocks: &mut BlockMapper) -> Result<NodeType, NodeTypeError> {
        if name.is_empty() || name.len() > MAX_NAME_BYTES {
            return Err(NodeTypeError::NameLength(name.len()));
        }
        if ["air", "ignore", "vacuum:vacuum"].contains(&name) {
            return Ok(NodeType { voxel: Voxel::AIR, param2: Param2Rule::Ignored });
        }
        let short = name.strip_prefix("default:").unwrap_or(name);
        let (mod_name, words) = name.split_once(':').unwrap_or(("", name));
        let param2 = match words {
            _ if words.starts_with("slab_") || words.ends_with("_slab") => Param2Rule::Slab,
            _ if short.ends_with("water_flowing") || short.ends_with("lava_flowing") => {
                Param2Rule::Flowing
            }
            _ => Param2Rule::Ignored,
        };
        let voxel = match equivalent(short) {
            Some(block) => block_voxel(block, blocks)?,
            None if short == "snow" => block_voxel("snow", blocks)?,
            None => {
                // `stairs:slab_stone` looks like stone, `wool:teal` like teal_wool.
                let shapes = ["slab_", "stair_", "stair_inner_", "stair_outer_"];
                let base = shapes.iter().find_map(|shape| words.strip_prefix(shape));
                let words = base.map_or(words, |base| equivalent(base).unwrap_or(base));
                let block =
                    if mod_name == "wool" { format!("{words}_wool") } else { words.to_owned() };
                let block = format!("minecraft:{block}");
                let (mut material, occupancy) = appearance::for_block(&block);
                if material.tint == Material::unknown(&block).tint {
                    material.tint = Material::unknown(name).tint;
                }
                material.name = name.to_owned();
                Voxel::new(blocks.add_material(material)?, occupancy)
            }
        };
        let torch = |mount| blocks.materials().with_mount(voxel.material(), mount);
        let param2 = match WALLS.map(torch) {
            [Some(a), Some(b), Some(c), Some(d)] if words.ends_with("_wall") => {
                Param2Rule::WallTorch([a, b, c, d])
            }
            _ => param2,
        };
        Ok(NodeType { voxel, param2 })
    }

    /// True for nodes that become air.
    pub(super) fn is_air(&self) -> bool {
        self.voxel.is_air()
    }

    /// Part that the voxel of a node with this param2 does not keep.
    pub(super) fn lost_part(&self, param2: u8) -> Option<LostPart> {
        match self.param2 {
            _ if self.is_air() => None,
            Param2Rule::Slab if param2 & 31 >= 4 => Some(LostPart::Shape),
            Param2Rule::Ignored if param2 != 0 => Some(LostPart::Param2),
            _ => None,
        }
    }

    /// The voxel of a node with this param2.
    pub(super) fn voxel(&self, param2: u8) -> Voxel {
        let filled =
            |eighths: u8| Voxel::new(self.voxel.material(), (u16::from(eighths) * 32 - 1) as u8);
        match self.param2 {
            // Six axes with four rotations each; axis 0 is upright.
            Param2Rule::Slab if param2 & 31 < 4 => filled(4),
            // Bit 3 marks falling liquid.
            Param2Rule::Flowing if param2 & 8 == 0 => filled((param2 & 7) + 1),
            Param2Rule::WallTorch(torches) if (2..6).contains(&param2) => {
                Voxel::full(torches[usize::from(param2) - 2])
            }
            _ => self.voxel,
        }
    }
}

/// The voxel of a Minecraft block. Thin snow is a quarter of a node high.
fn block_voxel(block: &str, blocks: &mut BlockMapper) -> Result<Voxel, BlockError> {
    let is_snow = block == "snow";
    let properties = is_snow.then(|| Box::new(BlockProperties::new([("layers", "2")])));
    blocks.voxel_for_state(&BlockState { name: format!("minecraft:{block}").into(), properties })
}

#[cfg(test)]
mod tests {
    use super::super::node_table::EQUIVALENTS;
    use super::*;

    /// Material name, occupancy and tint of a node with this param2.
    fn node(name: &str, param2: u8) -> (String, u8, [u8; 3]) {
        let mut blocks = BlockMapper::new();
        let voxel = NodeType::new(name, &mut blocks).unwrap().voxel(param2);
        let material = blocks.materials().get(voxel.material()).unwrap();
        (material.name.clone(), voxel.occupancy(), material.tint)
    }

    #[test]
    fn name_maps_to_builtin_or_named_material() {
        for (name, expected, occupancy) in [
            ("air", "air", 0),
            ("ignore", "air", 0),
            ("default:stone", "stone", 255),
            ("default:dirt_with_grass", "grass", 255),
            ("default:water_source", "water", 255),
            ("default:wood", "oak_planks", 255),
            ("default:tree", "oak_log", 255),
            ("default:glass", "glass", 255),
            ("default:snow", "snow", 63),
            ("default:junglewood", "minecraft:jungle_planks", 255),
            ("wool:violet", "wool_purple", 255),
            ("mymod:stone", "mymod:stone", 255),
            ("default:nyan", "default:nyan", 255),
        ] {
            let (material, filled, _) = node(name, 0);
            assert_eq!((&*material, filled), (expected, occupancy), "{name}");
        }
        let stone = node("mymod:diorite", 0).2;
        let unknown = node("mymod:gork", 0).2;
        assert_eq!(stone, appearance::for_block("minecraft:diorite").0.tint);
        assert_eq!(unknown, Material::unknown("mymod:gork").tint);
    }

    #[test]
    fn equivalents_are_known_blocks_and_unique() {
        for (node_name, block) in EQUIVALENTS {
            let name = if node_name.contains(':') {
                (*node_name).to_owned()
            } else {
                format!("default:{node_name}")
            };
            let material = node(&name, 0);
            // A block that looks like a built-in material has the colours of that.
            assert!(
                !material.0.starts_with("minecraft:")
                    || [appearance::for_block(&material.0).0.tint, [255; 3]].contains(&material.2),
                "{node_name}"
            );
            assert_ne!(
                material.2,
                Material::unknown(&format!("minecraft:{block}")).tint,
                "{node_name}"
            );
        }
        let mut names: Vec<_> = EQUIVALENTS.iter().map(|(node_name, _)| node_name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), EQUIVALENTS.len(), "a node is listed twice");
    }

    #[test]
    fn param2_decides_occupancy_of_slabs_and_liquids() {
        // Upright in two of four rotations, upside down, and standing at two sides.
        assert_eq!(
            [0, 3, 20, 4, 12].map(|p| node("stairs:slab_stone", p).1),
            [127, 127, 255, 255, 255]
        );
        assert_eq!(
            node("stairs:slab_cobble", 0).2,
            appearance::for_block("minecraft:cobblestone").0.tint
        );
        assert_eq!(node("stairs:slab_cobble", 0).0, "stairs:slab_cobble");
        assert_eq!([0, 3, 7, 15].map(|p| node("default:water_flowing", p).1), [31, 127, 255, 255]);
        assert_eq!(node("default:stone", 3).1, 255);
        assert_eq!(
            [1, 2, 4].map(|p| node("default:torch_wall", p).0),
            ["torch", "torch_wall_east", "torch_wall_north"]
        );
    }

    #[test]
    fn empty_and_too_long_names_are_refused() {
        assert!(NodeType::new("", &mut BlockMapper::new()).is_err());
        assert!(NodeType::new(&"x".repeat(257), &mut BlockMapper::new()).is_err());
    }
}
