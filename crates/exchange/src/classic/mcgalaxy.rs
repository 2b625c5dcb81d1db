//! Levels of MCGalaxy and its predecessors (`.lvl`).
//!
//! ```text
//! 1874 (version), width x, length z, height y: 2 bytes each
//! spawn x, z, y: 2 bytes each; yaw, pitch, permissions to visit and build: 1 byte each
//! blocks: 1 byte each, x fastest, then z, then y
//! ```
//!
//! The file is compressed with gzip; numbers are little-endian. Custom blocks, physics and zones
//! follow. Numbers from 66 on are blocks with a behaviour, such as doors, portals and birds; each
//! looks like a block of Classic. Custom blocks are defined by the server, outside the file, so all
//! become one material.
//!
//! Source: `LvlImporter` and `Block.Convert` of MCGalaxy.

use super::classic_ids;
use super::level::{BlockKeys, KeyVoxels, fill};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::FormatError;
use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::nbt_file::NbtFile;
use crate::minecraft::nbt_stream::ArraySpan;
use crate::progress::Progress;
use crate::voxel_box::VoxelBox;
use glam::I64Vec3;
use stonerun_engine::voxel::{Material, Voxel};

/// The version number that begins a file.
const VERSION: u16 = 1874;
/// Bytes before the blocks.
const HEADER_BYTES: usize = 18;

/// Numbers that stand for blocks defined by the server; the level stores their actual numbers after
/// the blocks.
const CUSTOM_BLOCKS: [u16; 3] = [163, 198, 199];
/// Lowest block number that neither Classic nor the clients' extension has.
const FIRST_SPECIAL: u16 = 66;
/// Entry of [`LOOKS`] for a number without a block of Classic that it looks like.
const NONE: u8 = 255;
/// The block of Classic that each special block looks like, from number 66 on.
#[rustfmt::skip]
const LOOKS: [u8; 190] = [
    // 66: closed and open doors, flags, explosives.
    0, 0, 0, 0, 39, 36, 36, 10, 46, 21, NONE, NONE, NONE, NONE, 4, 0, NONE, 21, 0, 22, 23, 24, NONE, 26,
    // 90: coloured doors.
    27, 28, 30, 31, 32, 33, 34, 35, 36, NONE,
    // 100: blocks that only operators break.
    20, 49, 45, 1, 4, 0, 9, 11, 4, 19, 5,
    // 111: doors.
    17, 10, 49, 20, 1, 18, 12, 5, 25, 46, 44, 17, 49, 20, 1, 18, 12, 5, 25,
    // 130: messages, doors, liquids that fall or end.
    36, 34, 0, 9, 11, 46, 44, 0, 9, 11, 8, 10, NONE, 27, 22, 8, 10, 28,
    // 148: doors that open by themselves.
    17, 49, 20, 1, 18, 12, 5, 25, 46, 44, 11, 9,
    // 160: portals and doors of air, water or lava; 163 is a custom block.
    0, 9, 11, NONE, 0, 0, 9, 11, 0, 0, 0, 0, 0, 0, 0, 28, 22, 21, 11, 0, 0, 0,
    // 182: explosions and fireworks.
    46, 46, 10, 10, 46, 20, 41, 42,
    // 190: deadly blocks; 198 and 199 are custom blocks.
    11, 9, 0, 8, 10, 10, 8, 0, NONE, NONE,
    // 200: open doors.
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 21, 10, 0, 0, 0, 0, 0, NONE, NONE,
    // 220: doors.
    42, 3, 2, 29, 47, 0, 0, 0, 0, 0,
    // 230: a train, monsters, birds and fish.
    27, 46, 48, 24, NONE, 36, 34, 8, 10, 21, 29, NONE, 10, NONE, NONE, 41, 19, 35, 21, 29, 49, 34, 16, 41, 0, NONE,
];

/// Imports a `.lvl` file. Warnings do not name the file.
///
/// # Errors
/// The file is malformed or too large, or holds nothing but air; or `progress` cancels.
pub(crate) fn read(
    file: &NbtFile,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let header: [u8; HEADER_BYTES] =
        file.first_bytes()?.ok_or_else(|| FormatError::new("header", "the file is cut off"))?;
    let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    if short(0) != VERSION {
        let reason = format!(
            "this is not a level of MCGalaxy: it begins with {}, not with {VERSION}",
            short(0)
        );
        return Err(FormatError::new("header", reason));
    }
    let size = I64Vec3::new(short(2).into(), short(6).into(), short(4).into());
    let voxel_box = VoxelBox::new(size, target)?;
    // `VoxelBox::new` has limited the product. The gzip checksum is not verified.
    let first =
        ArraySpan { start: HEADER_BYTES as u64, bytes: size.element_product() as u64, checksum: 0 };
    let keys = BlockKeys { file, first, second: None, key: |id, _| u16::from(id) };
    let mut blocks = BlockMapper::new();
    let mut voxels = KeyVoxels::new();
    for id in keys.used(progress)? {
        if CUSTOM_BLOCKS.contains(&id) {
            blocks.unread.note(&format!("kind of custom blocks {id}"), 1);
        }
        let voxel = level_voxel(&mut blocks, id);
        voxels.set(
            id,
            voxel.map_err(|error| FormatError::new(format!("block {id}"), error.to_string()))?,
        );
    }
    fill(voxel_box, blocks, keys, &voxels, progress)
}

fn level_voxel(blocks: &mut BlockMapper, id: u16) -> Result<Voxel, BlockError> {
    let special =
        id.checked_sub(FIRST_SPECIAL).and_then(|index| LOOKS.get(usize::from(index)).copied());
    let name = match special {
        None | Some(0..NONE) => {
            let looks_like = special.map_or(id, u16::from);
            return Ok(classic_ids::voxel(blocks, looks_like)?.unwrap_or(Voxel::AIR));
        }
        Some(NONE) if CUSTOM_BLOCKS.contains(&id) => "classic:custom_block".to_owned(),
        Some(NONE) => format!("mcgalaxy:id_{id}"),
    };
    blocks.add_material(Material::unknown(&name)).map(Voxel::full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_blocks_look_like_blocks_of_classic() {
        let mut blocks = BlockMapper::new();
        let mut name = |id: u16| {
            let voxel = level_voxel(&mut blocks, id).unwrap();
            blocks.materials().get(voxel.material()).unwrap().name.clone()
        };
        for (id, expected) in [
            (1, "stone"),
            (65, "stone_bricks"),
            (80, "cobblestone"),
            (100, "glass"),
            (111, "oak_log"),
            (130, "wool_white"),
            (148, "oak_log"),
            (160, "air"),
            (163, "classic:custom_block"),
            (175, "minecraft:cyan_wool"),
            (182, "minecraft:tnt"),
            (193, "water"),
            (199, "classic:custom_block"),
            (211, "wool_red"),
            (220, "iron_block"),
            (230, "classic:aqua_wool"),
            (245, "gold_block"),
            (250, "obsidian"),
            (254, "air"),
            (255, "mcgalaxy:id_255"),
        ] {
            assert_eq!(name(id), expected, "{id}");
        }
        assert!(LOOKS.iter().all(|looks| *looks == NONE || u16::from(*looks) < FIRST_SPECIAL));
    }
}
