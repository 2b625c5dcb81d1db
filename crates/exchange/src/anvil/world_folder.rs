//! Search for region files: a single file, or all files of a world folder.

use super::dimension::Dimension;
use super::region_file::REGION_SIDE;
use crate::error::ImportError;
use std::path::{Path, PathBuf};
use stonerun_engine::voxel::WORLD_LIMIT;

/// A region file and its coordinates, in regions of 512 x 512 blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RegionFile {
    pub path: PathBuf,
    pub x: i32,
    pub z: i32,
}

/// Region coordinates lie in `-MAX_COORDINATE..MAX_COORDINATE`, the range of the world.
const MAX_COORDINATE: i32 = WORLD_LIMIT / (16 * REGION_SIDE);

/// Maximum depth below `dimensions` of a data pack's dimension folder.
const MAX_DEPTH: usize = 6;
/// Maximum number of folders that are searched for dimensions.
const MAX_FOLDERS: usize = 1000;

/// Finds the region files of `path`, ordered by z, then x.
///
/// A file is returned as the only region. In a folder, the regions of `dimension` are searched;
/// with `None`, the overworld is searched, then the folder itself. Empty files, which Minecraft
/// leaves behind, are ignored. If there is a `.mca` file, `.mcr` files are ignored, because
/// Minecraft keeps them after it has converted a world.
///
/// # Errors
/// A folder cannot be read, or holds no region.
pub(super) fn find_regions(
    path: &Path,
    dimension: Option<&Dimension>,
) -> Result<Vec<RegionFile>, ImportError> {
    if !path.is_dir() {
        let (x, z) = region_coordinates(path).unwrap_or((0, 0));
        return Ok(vec![RegionFile { path: path.to_owned(), x, z }]);
    }
    let wanted = dimension.cloned().unwrap_or_default();
    let folders =
        wanted.region_folders().map(|folder| path.join(folder)).filter(|folder| folder.is_dir());
    for folder in folders.chain(dimension.is_none().then(|| path.to_owned())) {
        let regions = regions_in(&folder)?;
        if !regions.is_empty() {
            return Ok(regions);
        }
    }
    let folder = path.to_owned();
    let found = dimensions_in(path);
    if found.is_empty() {
        return Err(ImportError::NotAWorld { folder });
    }
    Err(ImportError::NoDimension { folder, wanted: wanted.to_string(), advice: advice(&found) })
}

/// Text that lists the dimensions of a world and says how to choose one.
fn advice(found: &[Dimension]) -> String {
    let name = |dimension: &Dimension| match dimension.to_string() {
        custom if custom.contains(':') => custom,
        own => format!("the {own}"),
    };
    let names: Vec<_> = found.iter().map(name).collect();
    let arguments: Vec<_> =
        found.iter().map(|dimension| format!("--dimension {}", dimension.argument())).collect();
    let it = if found.len() == 1 { "it" } else { "one" };
    format!("it has {}: choose {it} with {}", names.join(" and "), arguments.join(" or "))
}

/// The dimensions of a world that have regions, Minecraft's own first; empty for other folders.
#[must_use]
pub fn dimensions_in(world: &Path) -> Vec<Dimension> {
    let has_regions = |folder: &Path| regions_in(folder).is_ok_and(|regions| !regions.is_empty());
    let mut found: Vec<Dimension> = Dimension::all_own()
        .filter(|dimension| {
            dimension.region_folders().any(|folder| has_regions(&world.join(folder)))
        })
        .collect();
    // Folders to search, each with the parts of its dimension's name.
    let mut folders: Vec<(PathBuf, Vec<String>)> = vec![(world.join("dimensions"), vec![])];
    let mut next = 0;
    while next < folders.len().min(MAX_FOLDERS) {
        let (folder, names) = folders[next].clone();
        next += 1;
        if let [namespace, path @ ..] = names.as_slice()
            && let Ok(dimension) = format!("{namespace}:{}", path.join("/")).parse()
            && !found.contains(&dimension)
            && has_regions(&folder.join("region"))
        {
            found.push(dimension);
        }
        if names.len() < MAX_DEPTH
            && let Ok(entries) = std::fs::read_dir(&folder)
        {
            let mut inner: Vec<_> =
                entries.flatten().filter(|entry| entry.path().is_dir()).collect();
            inner.sort_unstable_by_key(std::fs::DirEntry::file_name);
            inner.truncate(MAX_FOLDERS);
            folders.extend(inner.into_iter().map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (entry.path(), names.iter().cloned().chain([name]).collect())
            }));
        }
    }
    found
}

/// The region files in a folder.
///
/// # Errors
/// The folder cannot be read.
fn regions_in(folder: &Path) -> Result<Vec<RegionFile>, ImportError> {
    let read_failed = |source| ImportError::Read { file: folder.to_owned(), source };
    let mut regions = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read_failed)? {
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
pub(super) fn region_coordinates(file: &Path) -> Option<(i32, i32)> {
    let name = file.file_name()?.to_str()?.to_lowercase();
    let name = name.strip_suffix(".mca").or_else(|| name.strip_suffix(".mcr"))?;
    let (x, z) = name.strip_prefix("r.")?.split_once('.')?;
    let number = |text: &str| {
        text.parse::<i32>()
            .ok()
            .filter(|n| (-MAX_COORDINATE..MAX_COORDINATE).contains(n) && n.to_string() == text)
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
        let error = find_regions(world.path(), None).unwrap_err().to_string();
        let reason = "not a Minecraft world: it has no region files (region/r.0.0.mca)";
        assert_eq!(error, format!("{}: {reason}", world.path().display()));
        std::fs::create_dir(&region).unwrap();
        for (name, content) in [
            ("r.1.0.mca", "x"),
            ("r.0.0.mca", "x"),
            ("r.5.-1.mca", "x"),
            ("r.9.9.mca", ""),
            ("a.mca", "x"),
        ] {
            std::fs::write(region.join(name), content).unwrap();
        }
        std::fs::create_dir(region.join("r.7.7.mca")).unwrap();
        let coordinates = |path: &Path| {
            find_regions(path, None).unwrap().iter().map(|r| (r.x, r.z)).collect::<Vec<_>>()
        };
        assert_eq!(coordinates(world.path()), [(5, -1), (0, 0), (1, 0)]);
        assert_eq!(coordinates(&region), [(5, -1), (0, 0), (1, 0)]);
        assert_eq!(coordinates(&region.join("r.5.-1.mca")), [(5, -1)]);
        assert_eq!(coordinates(&region.join("a.mca")), [(0, 0)], "a name without coordinates");
        // One of two files with the same coordinates is used. A case-insensitive file system has
        // only one.
        std::fs::write(region.join("r.0.0.MCA"), "x").unwrap();
        let found = find_regions(world.path(), None).unwrap();
        assert_eq!((found.len(), found[1].path.file_name().unwrap()), (3, "r.0.0.mca".as_ref()));
        if region.join("r.0.0.MCA").canonicalize().unwrap()
            != region.join("r.0.0.mca").canonicalize().unwrap()
        {
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

    #[test]
    fn find_regions_searches_dimensions_of_both_layouts() {
        let world = tempfile::tempdir().unwrap();
        let put = |folder: &str, name: &str| {
            std::fs::create_dir_all(world.path().join(folder)).unwrap();
            std::fs::write(world.path().join(folder).join(name), "x").unwrap();
        };
        let find = |dimension: Option<&str>| {
            let dimension = dimension.map(|name| name.parse().unwrap());
            let found = find_regions(world.path(), dimension.as_ref());
            found
                .map(|regions| regions.iter().map(|r| (r.x, r.z)).collect::<Vec<_>>())
                .map_err(|e| e.to_string())
        };
        let error = |reason: &str| Err(format!("{}: {reason}", world.path().display()));
        put("DIM-1/region", "r.1.0.mca");
        assert_eq!(
            find(None),
            error("no overworld; it has the Nether: choose it with --dimension nether")
        );
        assert_eq!(find(Some("nether")), Ok(vec![(1, 0)]));
        assert_eq!(
            find(Some("end")),
            error("no End; it has the Nether: choose it with --dimension nether")
        );
        put("dimensions/pack/deep/mine/region", "r.4.0.mca");
        assert_eq!(
            find(None),
            error(
                "no overworld; it has the Nether and pack:deep/mine: \
                 choose one with --dimension nether or --dimension pack:deep/mine"
            )
        );
        assert_eq!(find(Some("pack:deep/mine")), Ok(vec![(4, 0)]));
        put("region", "r.2.0.mca");
        assert_eq!((find(None), find(Some("overworld"))), (Ok(vec![(2, 0)]), Ok(vec![(2, 0)])));
        // The current layout wins over what an upgrade left behind.
        put("dimensions/minecraft/overworld/region", "r.3.0.mca");
        put("dimensions/minecraft/the_nether/region", "r.5.0.mca");
        put("dimensions/minecraft/the_end/region", "r.6.0.mca");
        let own = [None, Some("overworld"), Some("nether"), Some("end")]
            .map(|name| find(name).unwrap()[0]);
        assert_eq!(own, [(3, 0), (3, 0), (5, 0), (6, 0)]);
    }
}
