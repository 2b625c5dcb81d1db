//! Finding region files: a single one, or those of a world folder.

use super::region_file::REGION_SIDE;
use crate::exchange::error::{FormatError, ImportError};
use crate::voxel::WORLD_LIMIT;
use std::path::{Path, PathBuf};

/// A region file and its coordinates, in regions of 512 x 512 blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RegionFile {
    pub path: PathBuf,
    pub x: i32,
    pub z: i32,
}

/// Region coordinates lie in `-MAX_COORDINATE..MAX_COORDINATE`, the range of the world.
const MAX_COORDINATE: i32 = WORLD_LIMIT / (16 * REGION_SIDE);

/// Finds the region files of `path`, ordered by z, then x.
///
/// A file is its own region. A folder is searched in its `region` folder (the overworld), or itself
/// if there is none. Empty files, which Minecraft leaves behind, are ignored. If there is a `.mca`
/// file, `.mcr` files are ignored: Minecraft keeps them after it converts a world.
///
/// # Errors
/// A folder cannot be read, or holds no region.
pub(super) fn find_regions(path: &Path) -> Result<Vec<RegionFile>, ImportError> {
    if !path.is_dir() {
        let (x, z) = region_coordinates(path).unwrap_or((0, 0));
        return Ok(vec![RegionFile { path: path.to_owned(), x, z }]);
    }
    let inside = path.join("region");
    let folder = if inside.is_dir() { inside } else { path.to_owned() };
    let read_failed = |source| ImportError::Read { file: folder.clone(), source };
    let mut regions = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(read_failed)? {
        let entry = entry.map_err(read_failed)?;
        let file = entry.path();
        if let Some((x, z)) = region_coordinates(&file)
            && std::fs::metadata(&file).is_ok_and(|m| m.is_file() && m.len() > 0)
        {
            regions.push(RegionFile { path: file, x, z });
        }
    }
    if regions.iter().any(|region| is_anvil(&region.path)) {
        regions.retain(|region| is_anvil(&region.path));
    }
    if regions.is_empty() {
        let reason = "this is not a Minecraft world: there are no regions (region/r.0.0.mca) in it";
        return Err(FormatError::new("folder", reason).in_file(path));
    }
    // On a case-sensitive file system two files may share coordinates. The reversed path order
    // keeps r.0.0.mca, which Minecraft reads, not r.0.0.MCA.
    regions.sort_unstable_by(|a, b| (a.z, a.x).cmp(&(b.z, b.x)).then_with(|| b.path.cmp(&a.path)));
    regions.dedup_by_key(|r| (r.x, r.z));
    Ok(regions)
}

/// True for `.mca`, false for `.mcr`.
fn is_anvil(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mca"))
}

/// The coordinates (x, z) in the name `r.X.Z.mca` or `r.X.Z.mcr`; `None` for other names and
/// outside the world.
///
/// Accepts numbers only as Minecraft writes them, so that `r.00.0.mca` is not a second region at 0,
/// 0.
fn region_coordinates(file: &Path) -> Option<(i32, i32)> {
    let name = file.file_name()?.to_str()?.to_lowercase();
    let name = name.strip_suffix(".mca").or_else(|| name.strip_suffix(".mcr"))?;
    let (x, z) = name.strip_prefix("r.")?.split_once('.')?;
    let number = |text: &str| {
        text.parse::<i32>().ok().filter(|n| (-MAX_COORDINATE..MAX_COORDINATE).contains(n) && n.to_string() == text)
    };
    Some((number(x)?, number(z)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_name_gives_region_coordinates() {
        for (name, expected) in [
            ("r.0.0.mca", Some((0, 0))),
            ("a/b/r.-3.12.MCA", Some((-3, 12))),
            ("r.-3.12.mcr", Some((-3, 12))),
            ("r.0.0.mcx", None),
            ("r.0.mca", None),
            ("r.0.0.0.mca", None),
            ("r.x.0.mca", None),
            ("r.99999999999.0.mca", None),
            ("r.2097152.0.mca", None),
            ("r.2097151.-2097152.mca", Some((2_097_151, -2_097_152))),
            ("copy of r.0.0.mca", None),
            ("r.-0.0.mca", None),
            ("r.0.-0.mca", None),
            ("r.00.0.mca", None),
            ("r.+1.0.mca", None),
            ("r.1.-01.mca", None),
        ] {
            assert_eq!(region_coordinates(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn find_regions_searches_world_and_region_folders() {
        let world = tempfile::tempdir().unwrap();
        let region = world.path().join("region");
        assert!(
            find_regions(world.path())
                .unwrap_err()
                .to_string()
                .ends_with("there are no regions (region/r.0.0.mca) in it")
        );
        std::fs::create_dir(&region).unwrap();
        for (name, content) in
            [("r.1.0.mca", "x"), ("r.0.0.mca", "x"), ("r.5.-1.mca", "x"), ("r.9.9.mca", ""), ("a.mca", "x")]
        {
            std::fs::write(region.join(name), content).unwrap();
        }
        std::fs::create_dir(region.join("r.7.7.mca")).unwrap();
        let coordinates = |path: &Path| find_regions(path).unwrap().iter().map(|r| (r.x, r.z)).collect::<Vec<_>>();
        assert_eq!(coordinates(world.path()), [(5, -1), (0, 0), (1, 0)]);
        assert_eq!(coordinates(&region), [(5, -1), (0, 0), (1, 0)]);
        assert_eq!(coordinates(&region.join("r.5.-1.mca")), [(5, -1)]);
        assert_eq!(coordinates(&region.join("a.mca")), [(0, 0)], "a name without coordinates");
        // One of two files with the same coordinates is used. A case-insensitive file system has
        // only one.
        std::fs::write(region.join("r.0.0.MCA"), "x").unwrap();
        let found = find_regions(world.path()).unwrap();
        assert_eq!((found.len(), found[1].path.file_name().unwrap()), (3, "r.0.0.mca".as_ref()));
        if region.join("r.0.0.MCA").canonicalize().unwrap() != region.join("r.0.0.mca").canonicalize().unwrap() {
            std::fs::remove_file(region.join("r.0.0.MCA")).unwrap();
        }
        // Files from before a conversion.
        std::fs::write(region.join("r.3.3.mcr"), "x").unwrap();
        assert_eq!(coordinates(world.path()), [(5, -1), (0, 0), (1, 0)]);
        assert_eq!(coordinates(&region.join("r.3.3.mcr")), [(3, 3)]);
        for (x, z) in [(5, -1), (0, 0), (1, 0)] {
            std::fs::write(region.join(format!("r.{x}.{z}.mca")), "").unwrap();
        }
        assert_eq!(coordinates(world.path()), [(3, 3)]);
    }
}
