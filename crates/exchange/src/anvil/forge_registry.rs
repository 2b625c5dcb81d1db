//! The numbers of mods' blocks, from the `level.dat` of a world before 1.13.
//!
//! | Forge for | place of the list in the NBT data |
//! |---|---|
//! | 1.7 | `FML.ItemData[]`: `K` is the name after a byte 1 for blocks, 2 for items |
//! | 1.8 to 1.12 | `FML.Registries."minecraft:blocks".ids[]` (`fml:blocks` in early versions) |
//!
//! `V` is the number.

use crate::bounded_read::{gunzip, read_whole};
use crate::error::{FormatError, ImportError};
use crate::minecraft::nbt_check::deserialize;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Largest `level.dat` that is read, in bytes, compressed or not. With hundreds of mods a file has
/// a few megabytes.
const MAX_BYTES: u64 = 64 << 20;
/// Longest list of blocks and items.
const MAX_NAMES: usize = 1 << 20;

#[derive(Deserialize)]
struct LevelDatNbt {
    #[serde(rename = "FML")]
    forge: Option<ForgeNbt>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ForgeNbt {
    item_data: Option<Vec<NameNbt>>,
    registries: Option<BTreeMap<String, RegistryNbt>>,
}

#[derive(Deserialize)]
struct RegistryNbt {
    ids: Option<Vec<NameNbt>>,
}

#[derive(Deserialize)]
struct NameNbt {
    #[serde(rename = "K")]
    name: String,
    #[serde(rename = "V")]
    number: i64,
}

/// Numbers and names of all blocks in the registry of the world at `path`, or of the world that
/// contains `path`; empty if the world has no registry.
///
/// # Errors
/// The `level.dat` of the world cannot be read.
pub(super) fn read_names(path: &Path) -> Result<Vec<(i64, String)>, ImportError> {
    // `path` may be the world, its folder `region` or `DIM-1`, the dimension's `region`, or a
    // region file.
    let levels = path.ancestors().take(4).map(|folder| folder.join("level.dat"));
    let Some(file) = levels.into_iter().find(|file| file.is_file()) else { return Ok(vec![]) };
    let data = gunzip(read_whole(&file, MAX_BYTES)?, MAX_BYTES);
    data.and_then(|data| names(&data)).map_err(|error| error.in_file(&file))
}

fn names(data: &[u8]) -> Result<Vec<(i64, String)>, FormatError> {
    let level: LevelDatNbt = deserialize(data, MAX_NAMES)?;
    let Some(ForgeNbt { item_data, registries }) = level.forge else { return Ok(vec![]) };
    let old = item_data.into_iter().flatten().filter_map(|NameNbt { name, number }| {
        let name = name.strip_prefix('\u{1}')?;
        Some((number, name.to_owned()))
    });
    let blocks = |(registry, content): (String, RegistryNbt)| {
        content.ids.filter(|_| matches!(registry.as_str(), "minecraft:blocks" | "fml:blocks"))
    };
    let new = registries.into_iter().flatten().filter_map(blocks).flatten();
    Ok(old.chain(new.map(|NameNbt { name, number }| (number, name))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastnbt::nbt;

    #[test]
    fn names_are_found_in_both_layouts() {
        let old = nbt!({ "Data": { "x": 1 }, "FML": { "ItemData": [
            { "K": "\u{1}mod:engine", "V": 300 }, { "K": "\u{2}mod:wrench", "V": 5000 }
        ] } });
        let new = nbt!({ "FML": { "Registries": {
            "minecraft:blocks": { "ids": [{ "K": "mod:engine", "V": 300 }], "aliases": [] },
            "minecraft:items": { "ids": [{ "K": "mod:wrench", "V": 5000 }] }
        } } });
        for level in [old, new] {
            let world = tempfile::tempdir().unwrap();
            assert_eq!(read_names(world.path()).unwrap(), []);
            std::fs::write(world.path().join("level.dat"), fastnbt::to_bytes(&level).unwrap())
                .unwrap();
            for path in ["", "region", "region/r.0.0.mca", "DIM-1/region/r.0.0.mca"] {
                assert_eq!(
                    read_names(&world.path().join(path)).unwrap(),
                    [(300, "mod:engine".to_owned())],
                    "{path}"
                );
            }
        }
        let vanilla = fastnbt::to_bytes(&nbt!({ "Data": { "x": 1 } })).unwrap();
        assert_eq!(names(&vanilla), Ok(vec![]));
        assert!(names(b"hello").is_err());
    }
}
