//! The Minecraft block and state that are written for a shape of a block:
//! `oak_planks[stairs,north]` is an oak staircase there.
//!
//! The code of the import decides which state has a shape: of the states that a family of shapes
//! can be written as, the first one that is read back with the same shape is taken.

use super::block_mapper::BlockMapper;
use super::block_state::BlockState;
use super::block_versions;
use stonerun_engine::voxel::{Face, HewnEighths, Shape, TargetPart};

/// A block and state for a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ShapedBlock {
    /// Name of the block, without `minecraft:`.
    pub block: String,
    /// Properties in brackets.
    pub state: String,
    /// True if the state has the shape.
    pub has_shape: bool,
}

/// The four sides, as values of `facing`.
const SIDES: [&str; 4] = ["north", "east", "south", "west"];

/// The block that has a family of shapes in the material of the block `block` (without
/// `minecraft:`); `None` if Minecraft has none.
pub(super) fn name(family: &str, block: &str) -> Option<String> {
    let stem = ["_planks", "_block", "s"].into_iter().find_map(|end| match end {
        // Bricks and tiles have shapes named brick and tile.
        "s" if !block.ends_with("bricks") && !block.ends_with("tiles") => None,
        end => block.strip_suffix(end),
    });
    let glass = || block.ends_with("glass").then(|| format!("{block}_pane"));
    let colour = || block.strip_suffix("_wool").or_else(|| block.strip_suffix("_concrete"));
    let wood = || block.strip_suffix("_planks");
    let with_ending = |ending: &str| {
        let names = [stem, Some(block)].into_iter().flatten();
        names.map(|stem| format!("{stem}_{ending}")).find(|name| is_vanilla(name))
    };
    match family {
        "slab" | "stairs" | "fence" | "wall" | "button" => with_ending(family),
        "gate" => with_ending("fence_gate"),
        "panel" => with_ending("trapdoor"),
        "plate" => with_ending("pressure_plate"),
        "pane" if block == "iron_block" => Some("iron_bars".to_owned()),
        "pane" => glass(),
        "ladder" => wood().map(|_| family.to_owned()),
        "sign" | "wall_sign" => wood().map(|wood| format!("{wood}_{family}")),
        "bed" | "banner" => colour().map(|colour| format!("{colour}_{family}")),
        _ => None,
    }
    .filter(|name| is_vanilla(name))
}

/// The block of a family of shapes in the material nearest to any block, if [`name`] has none: a
/// family that Minecraft has in few materials, or none.
pub(super) fn usual_name(family: &str) -> Option<&'static str> {
    Some(match family {
        "fence" => "oak_fence",
        "gate" => "oak_fence_gate",
        "panel" => "oak_trapdoor",
        "pane" => "glass_pane",
        "wall" => "cobblestone_wall",
        "ladder" => "ladder",
        "plate" => "stone_pressure_plate",
        "button" => "stone_button",
        "lever" => "lever",
        "chain" => "chain",
        "rod" => "end_rod",
        "lantern" => "lantern",
        "pot" => "flower_pot",
        "bed" => "white_bed",
        "sign" => "oak_sign",
        "wall_sign" => "oak_wall_sign",
        "banner" => "white_banner",
        "rail" => "rail",
        _ => return None,
    })
}

/// The family as which a shape is written: steps and eighths as slabs, posts as walls, and hewn
/// blocks without a name as slabs or stairs.
pub(super) fn written_family(shape: Shape) -> Option<&'static str> {
    match shape.family()? {
        "step" | "eighth" => Some("slab"),
        "post" => Some("wall"),
        "hewn" => {
            shape.hewn_eighths().map(|eighths| if eighths.count() > 4 { "stairs" } else { "slab" })
        }
        family => Some(family),
    }
}

fn is_vanilla(block: &str) -> bool {
    block_versions::first_data_version(block).is_some()
}

/// The state of `block`, which has the family of shapes `family`, for a shape.
pub(super) fn state(
    reader: &mut BlockMapper,
    block: String,
    family: &str,
    shape: Shape,
) -> ShapedBlock {
    let states = states(family);
    let lower = HewnEighths::slab(Face::Down);
    let mut has_shape = |state: &String| {
        let text = format!("minecraft:{block}{state}");
        let voxel = BlockState::parse(&text).and_then(|parsed| reader.voxel_for_state(&parsed));
        voxel.is_ok_and(|voxel| {
            let found = reader.materials().get(voxel.material()).map(|material| material.shape);
            // The lower half of a block is a cube that is half full.
            let is_lower = found == Some(Shape::Cube) && voxel.occupancy() == lower.occupancy();
            found.is_some_and(|found| is_same(found, shape))
                || is_lower && shape == Shape::Hewn(lower)
        })
    };
    match states.iter().find(|state| has_shape(state)) {
        Some(state) => ShapedBlock { block, state: state.clone(), has_shape: true },
        None => {
            // Every family has a state.
            let state = states.into_iter().next().unwrap_or_default();
            ShapedBlock { block, state, has_shape: false }
        }
    }
}

/// True if two shapes consist of the same boxes: a button has several turns that look the same.
fn is_same(a: Shape, b: Shape) -> bool {
    let boxes = |shape: Shape| match shape.row().target {
        TargetPart::Boxes(boxes) => {
            let mut boxes: Vec<_> = boxes.iter().map(|one| (one.low, one.high)).collect();
            boxes.sort_unstable();
            Some(boxes)
        }
        _ => None,
    };
    a == b || a.family() == b.family() && boxes(a).is_some_and(|a| Some(a) == boxes(b))
}

/// All states that differ in shape, the most usual first.
fn states(family: &str) -> Vec<String> {
    let each = |values: &[&str], text: &dyn Fn(&str) -> String| -> Vec<String> {
        values.iter().map(|value| text(value)).collect()
    };
    let facing = |rest: &str| each(&SIDES, &|side| format!("[facing={side}{rest}]"));
    let dry = ",waterlogged=false";
    match family {
        "slab" => each(&["bottom", "top"], &|half| format!("[type={half}{dry}]")),
        "stairs" => {
            let corners = ["straight", "inner_left", "inner_right", "outer_left", "outer_right"];
            let forms = corners.iter().flat_map(|corner| {
                ["bottom", "top"].map(|half| format!(",half={half},shape={corner}{dry}"))
            });
            forms.flat_map(|form| facing(&form)).collect()
        }
        // `joined_sides` adds the sides.
        "fence" | "pane" | "wall" => vec!["[waterlogged=false]".to_owned()],
        "gate" => ["false", "true"]
            .iter()
            .flat_map(|open| facing(&format!(",in_wall=false,open={open},powered=false")))
            .collect(),
        "panel" => ["bottom,open=false", "top,open=false", "bottom,open=true"]
            .iter()
            .flat_map(|half| facing(&format!(",half={half},powered=false{dry}")))
            .collect(),
        "ladder" | "wall_sign" => facing(dry),
        "button" | "lever" => ["floor", "wall", "ceiling"]
            .iter()
            .flat_map(|face| {
                ["false", "true"].into_iter().flat_map(move |powered| {
                    each(&SIDES, &|side| format!("[face={face},facing={side},powered={powered}]"))
                })
            })
            .collect(),
        "chain" => each(&["y", "x", "z"], &|axis| format!("[axis={axis}{dry}]")),
        "rod" => each(&["up", "down", "north", "east", "south", "west"], &|face| {
            format!("[facing={face}]")
        }),
        "lantern" => each(&["false", "true"], &|hangs| format!("[hanging={hangs}{dry}]")),
        "bed" => ["head", "foot"]
            .iter()
            .flat_map(|part| facing(&format!(",occupied=false,part={part}")))
            .collect(),
        "sign" => each(&["8", "12", "0", "4"], &|turn| format!("[rotation={turn}{dry}]")),
        "banner" => each(&["8", "12", "0", "4"], &|turn| format!("[rotation={turn}]")),
        "rail" => each(
            &[
                "north_south",
                "east_west",
                "ascending_north",
                "ascending_east",
                "ascending_south",
                "ascending_west",
            ],
            &|shape| format!("[shape={shape}{dry}]"),
        ),
        _ => vec![String::new()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minecraft::substitute::BlockChooser;
    use stonerun_engine::voxel::{Material, MaterialTable};

    /// The state that is written for a shape of a built-in block, and whether it is a substitute.
    fn written(chooser: &BlockChooser, block: &str, words: &str) -> (String, bool) {
        let table = MaterialTable::builtin();
        let whole = table.get(table.find(block).unwrap()).unwrap();
        let shaped = whole.reshaped(Shape::from_words(words).unwrap()).unwrap();
        let written = chooser.block_for(&shaped);
        (format!("{}{}", written.block, written.state.unwrap_or_default()), written.is_substitute)
    }

    #[test]
    fn shapes_are_written_as_the_blocks_that_have_them() {
        let chooser = BlockChooser::default();
        for (block, words, state) in [
            ("oak_planks", "slab", "oak_slab[type=bottom,waterlogged=false]"),
            ("stone_bricks", "slab,top", "stone_brick_slab[type=top,waterlogged=false]"),
            (
                "pine_planks",
                "stairs,east,top",
                "spruce_stairs[facing=east,half=top,shape=straight,waterlogged=false]",
            ),
            (
                "bricks",
                "stairs,south,outer_left",
                "brick_stairs[facing=south,half=bottom,shape=outer_left,waterlogged=false]",
            ),
            ("oak_planks", "fence", "oak_fence[waterlogged=false]"),
            ("cobblestone", "wall", "cobblestone_wall[waterlogged=false]"),
            ("glass", "pane", "glass_pane[waterlogged=false]"),
            (
                "birch_planks",
                "gate,west,open",
                "birch_fence_gate[facing=west,in_wall=false,open=true,powered=false]",
            ),
            (
                "oak_planks",
                "panel,top",
                "oak_trapdoor[facing=north,half=top,open=false,powered=false,waterlogged=false]",
            ),
            (
                "oak_planks",
                "panel,south",
                "oak_trapdoor[facing=south,half=bottom,open=true,powered=false,waterlogged=false]",
            ),
            ("oak_planks", "ladder,east", "ladder[facing=east,waterlogged=false]"),
            ("stone", "button,down", "stone_button[face=ceiling,facing=north,powered=false]"),
            ("oak_planks", "plate", "oak_pressure_plate"),
            ("wool_red", "bed,south", "red_bed[facing=south,occupied=false,part=head]"),
            ("oak_planks", "wall_sign,west", "oak_wall_sign[facing=west,waterlogged=false]"),
        ] {
            let (found, is_substitute) = written(&chooser, block, words);
            assert_eq!(found, state, "{block} {words}");
            assert!(!is_substitute, "{block} {words}");
        }
    }

    #[test]
    fn shapes_that_minecraft_lacks_are_substituted_and_said_to_be() {
        let chooser = BlockChooser::default();
        for (block, words, start) in [
            ("oak_planks", "slab,north", "oak_slab["),
            ("oak_planks", "step,east", "oak_slab["),
            ("oak_planks", "hewn,150", "oak_slab["),
            ("dirt", "stairs", ""),
            ("glass", "slab", ""),
            ("stone", "gate", "oak_fence_gate["),
            ("oak_planks", "lantern,hanging", "lantern[hanging=true"),
        ] {
            let (found, is_substitute) = written(&chooser, block, words);
            assert!(found.starts_with(start) && is_substitute, "{block} {words}: {found}");
        }
        assert!(written(&chooser, "dirt", "stairs").0.contains("_stairs[facing=north"));
    }

    #[test]
    fn every_state_of_a_family_is_a_block_of_minecraft() {
        let mut reader = BlockMapper::new();
        for family in Shape::families() {
            let Some(block) = usual_name(family) else { continue };
            assert!(is_vanilla(block), "{block}");
            for state in states(family) {
                let text = format!("minecraft:{block}{state}");
                let parsed = BlockState::parse(&text).unwrap();
                let voxel = reader.voxel_for_state(&parsed).unwrap();
                let shape = reader.materials().get(voxel.material()).unwrap().shape;
                assert_eq!(shape.family(), Some(family), "{text}");
            }
        }
        let slab = Material {
            shape: Shape::Hewn(HewnEighths::slab(Face::Up)),
            ..Material::unknown("velvet[slab,top]")
        };
        assert_eq!(written_family(slab.shape), Some("slab"));
    }
}
