//! Which region files there are: one, or those of a world's folder.

use super::region::SIDE;
use crate::exchange::{FormatError, ImportError};
use crate::voxel::WORLD_LIMIT;
use std::path::{Path, PathBuf};

/// A region file and its place, in regions of 512 x 512 blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RegionFile {
    pub path: PathBuf,
    pub x: i32,
    pub z: i32,
}

/// Regions this far out are at the world's end.
const FARTHEST: i32 = WORLD_LIMIT / (16 * SIDE);

/// The region files that `path` means: itself, or if it is a folder those in its folder `region` (the overworld), or in
/// itself, in the order of their places. Empty files, which Minecraft leaves behind, are left out, and so are those that it
/// read before it made a world anew in today's format: beside a `.mca` file no `.mcr` counts.
///
/// # Errors
/// A folder cannot be read, or holds no region.
pub(super) fn regions(path: &Path) -> Result<Vec<RegionFile>, ImportError> {
    if !path.is_dir() {
        let (x, z) = place(path).unwrap_or((0, 0));
        return Ok(vec![RegionFile { path: path.to_owned(), x, z }]);
    }
    let inside = path.join("region");
    let folder = if inside.is_dir() { inside } else { path.to_owned() };
    let read = |source| ImportError::Read { file: folder.clone(), source };
    let mut regions = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(read)? {
        let entry = entry.map_err(read)?;
        let file = entry.path();
        if let Some((x, z)) = place(&file)
            && std::fs::metadata(&file).is_ok_and(|m| m.is_file() && m.len() > 0)
        {
            regions.push(RegionFile { path: file, x, z });
        }
    }
    if regions.iter().any(|region| is_anvil(&region.path)) {
        regions.retain(|region| is_anvil(&region.path));
    }
    if regions.is_empty() {
        let reason = "it is no Minecraft world: there are no regions (region/r.0.0.mca) in it";
        return Err(FormatError::new("folder", reason).in_file(path));
    }
    // Where capitals count, two may be at one place: r.0.0.MCA comes before r.0.0.mca, and Minecraft knows the latter alone.
    regions.sort_unstable_by(|a, b| (a.z, a.x).cmp(&(b.z, b.x)).then_with(|| b.path.cmp(&a.path)));
    regions.dedup_by_key(|r| (r.x, r.z));
    Ok(regions)
}

/// True for `.mca`, false for `.mcr`.
fn is_anvil(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mca"))
}

/// The place in the name `r.X.Z.mca` or `r.X.Z.mcr`; none if the name is another, or the place is beyond the world's end. Numbers count only
/// as Minecraft writes them, so that `r.00.0.mca` beside `r.0.0.mca` is no second region at the same place.
fn place(file: &Path) -> Option<(i32, i32)> {
    let name = file.file_name()?.to_str()?.to_lowercase();
    let name = name.strip_suffix(".mca").or_else(|| name.strip_suffix(".mcr"))?;
    let (x, z) = name.strip_prefix("r.")?.split_once('.')?;
    let number =
        |text: &str| text.parse::<i32>().ok().filter(|n| (-FARTHEST..FARTHEST).contains(n) && n.to_string() == text);
    Some((number(x)?, number(z)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_names() {
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
            assert_eq!(place(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn folders_are_searched() {
        let world = tempfile::tempdir().unwrap();
        let region = world.path().join("region");
        assert!(
            regions(world.path()).unwrap_err().to_string().ends_with("there are no regions (region/r.0.0.mca) in it")
        );
        std::fs::create_dir(&region).unwrap();
        for (name, content) in
            [("r.1.0.mca", "x"), ("r.0.0.mca", "x"), ("r.5.-1.mca", "x"), ("r.9.9.mca", ""), ("a.mca", "x")]
        {
            std::fs::write(region.join(name), content).unwrap();
        }
        std::fs::create_dir(region.join("r.7.7.mca")).unwrap();
        let places = |path: &Path| regions(path).unwrap().iter().map(|r| (r.x, r.z)).collect::<Vec<_>>();
        assert_eq!(places(world.path()), [(5, -1), (0, 0), (1, 0)]);
        assert_eq!(places(&region), [(5, -1), (0, 0), (1, 0)]);
        assert_eq!(places(&region.join("r.5.-1.mca")), [(5, -1)]);
        assert_eq!(places(&region.join("a.mca")), [(0, 0)], "a name without a place");
        // Of two at one place, one counts; where the file system takes both for one there is but one.
        std::fs::write(region.join("r.0.0.MCA"), "x").unwrap();
        let found = regions(world.path()).unwrap();
        assert_eq!((found.len(), found[1].path.file_name().unwrap()), (3, "r.0.0.mca".as_ref()));
        if region.join("r.0.0.MCA").canonicalize().unwrap() != region.join("r.0.0.mca").canonicalize().unwrap() {
            std::fs::remove_file(region.join("r.0.0.MCA")).unwrap();
        }
        // What was there before the world was made anew.
        std::fs::write(region.join("r.3.3.mcr"), "x").unwrap();
        assert_eq!(places(world.path()), [(5, -1), (0, 0), (1, 0)]);
        assert_eq!(places(&region.join("r.3.3.mcr")), [(3, 3)]);
        for (x, z) in [(5, -1), (0, 0), (1, 0)] {
            std::fs::write(region.join(format!("r.{x}.{z}.mca")), "").unwrap();
        }
        assert_eq!(places(world.path()), [(3, 3)]);
    }
}
