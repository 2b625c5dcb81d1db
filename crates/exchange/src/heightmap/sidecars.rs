//! Files next to a heightmap that describe its heights. They are not read; a warning names each
//! file that would change the terrain.

use std::path::{Path, PathBuf};

/// Largest `.aux.xml` file that is searched for [`VALUE_ELEMENTS`], in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Elements of GDAL's `.aux.xml` that change heights.
const VALUE_ELEMENTS: [&str; 4] = ["<NoDataValue", "<Scale>", "<Offset>", "<UnitType>"];
/// Extensions of world files, whose six numbers place columns and rows on the Earth.
const WORLD_EXTENSIONS: [&str; 5] = ["tfw", "tifw", "tiffw", "pgw", "wld"];

/// Warnings about the files next to `path`.
pub(super) fn warnings(path: &Path) -> Vec<String> {
    let mut warnings = vec![];
    let mask = with_suffix(path, "msk");
    if mask.is_file() {
        warnings.push(format!("the mask {} next to it is not read", mask.display()));
    }
    let metadata = with_suffix(path, "aux.xml");
    let elements = short_text(&metadata).unwrap_or_default();
    let stated: Vec<&str> =
        VALUE_ELEMENTS.into_iter().filter(|element| elements.contains(element)).collect();
    if !stated.is_empty() {
        let names: Vec<&str> =
            stated.iter().map(|element| element.trim_matches(['<', '>'])).collect();
        warnings.push(format!(
            "{} in {} next to it is not read",
            names.join(", "),
            metadata.display()
        ));
    }
    let worlds = WORLD_EXTENSIONS.map(|extension| path.with_extension(extension));
    let turned =
        worlds.iter().find(|world| short_text(world).is_some_and(|text| !is_north_up(&text)));
    warnings.extend(
        turned.map(|world| {
            format!("{} next to it turns the terrain, and is not read", world.display())
        }),
    );
    warnings
}

/// The path with a second extension, such as `a.tif.msk`.
fn with_suffix(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// The text of a file of at most [`MAX_BYTES`]; `None` for others.
fn short_text(path: &Path) -> Option<String> {
    let length = path.metadata().ok().filter(|metadata| metadata.is_file())?.len();
    (length <= MAX_BYTES).then(|| std::fs::read_to_string(path).ok()).flatten()
}

/// True if a world file's columns run to the east and its rows to the south, or if the text is not
/// a world file.
fn is_north_up(text: &str) -> bool {
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [column_east, column_north, row_east, row_north, ..] => {
            column_east > 0.0 && row_north < 0.0 && column_north == 0.0 && row_east == 0.0
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_change_heights_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tif");
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.tif.aux.xml", "<PAMDataset><MDI key=\"STATISTICS_MEAN\">5</MDI></PAMDataset>");
        write("a.tfw", "30.0\n0.0\n0.0\n-30.0\n500000\n5000000\n");
        write("a.wld", "no numbers");
        assert_eq!(warnings(&path), Vec::<String>::new());
        write("a.tif.aux.xml", "<NoDataValue>-5</NoDataValue><Scale>0.1</Scale>");
        write("a.tfw", "30.0\n0.0\n0.0\n30.0\n500000\n5000000\n");
        write("a.tif.msk", "");
        let warnings = warnings(&path);
        let ends = [
            "a.tif.msk next to it is not read",
            "a.tif.aux.xml next to it is not read",
            "and is not read",
        ];
        assert_eq!(warnings.len(), ends.len(), "{warnings:?}");
        assert!(
            warnings.iter().zip(ends).all(|(warning, end)| warning.ends_with(end)),
            "{warnings:?}"
        );
        assert!(warnings[1].starts_with("NoDataValue, Scale in "), "{warnings:?}");
    }
}
