//! The table of import formats. Its rows decide which files are recognised, and the lists of
//! formats in errors, help, file dialogs, fuzz tests and the test of the documentation.

use super::chunk_store::{ImportSummary, ImportTarget};
use super::error::ImportError;
use super::format_reader::{BytesReader, FormatReader, NbtReader};
use super::import_options::ImportOptions;
use super::minecraft::nbt_file::NbtFile;
use super::progress::Progress;
use super::{anvil, classic, heightmap, luanti, schematic, vox};
use SourceContent::{Heightmap, Model, World};
use std::path::Path;

/// A format that can be imported.
#[derive(Clone, Copy, Debug)]
pub struct ImportFormat {
    /// Name of the format or of its program.
    pub name: &'static str,
    /// Extensions of the format's files, in lower case and without a dot. All but the first are
    /// other spellings of the first. Empty for a format of folders.
    pub extensions: &'static [&'static str],
    /// Content of a source.
    pub content: SourceContent,
    reader: FormatReader,
}

/// Content of a source, which decides the options that apply to its import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceContent {
    /// A model or a copied part of a world, small enough to paste.
    Model,
    /// A world, or a part of one as its program stores it.
    World,
    /// Heights without blocks.
    Heightmap,
}

/// Table of the formats that can be imported, one row each.
const FORMATS: &[ImportFormat] = &[
    file("MagicaVoxel", &["vox"], Model, FormatReader::Stream(vox::import)),
    file("Minecraft region", &["mca"], World, FormatReader::Files(anvil::import_region)),
    file("Sponge schematic", &["schem"], Model, nbt(schematic::import)),
    file("MCEdit schematic", &["schematic"], Model, nbt(schematic::import)),
    file("Litematica schematic", &["litematic"], Model, nbt(schematic::import)),
    file("Minecraft Beta region", &["mcr"], World, FormatReader::Files(anvil::import_region)),
    file("ClassiCube", &["cw"], World, nbt(classic::import_cw)),
    file("Minecraft Indev", &["mclevel"], World, nbt(classic::import_mclevel)),
    file("MCGalaxy", &["lvl"], World, nbt(classic::import_lvl)),
    file(
        "Minecraft Bedrock structure",
        &["mcstructure"],
        Model,
        bedrock_nbt(schematic::import_mcstructure),
    ),
    file("Luanti schematic", &["mts"], Model, bytes(luanti::MAX_FILE_BYTES, luanti::import)),
    file(
        "heights as a grey picture",
        &["png"],
        Heightmap,
        FormatReader::Heights(heightmap::read_png),
    ),
    file("raw heights", &["r16"], Heightmap, FormatReader::Heights(heightmap::read_raw)),
    file("SRTM heights", &["hgt"], Heightmap, FormatReader::Heights(heightmap::read_hgt)),
    file(
        "GeoTIFF heights",
        &["tif", "tiff"],
        Heightmap,
        FormatReader::Heights(heightmap::read_geotiff),
    ),
    folder("Minecraft world", World, FormatReader::Files(anvil::import_world)),
];

/// A format of files with these extensions. All but the first are other spellings of the first.
const fn file(
    name: &'static str,
    extensions: &'static [&'static str],
    content: SourceContent,
    reader: FormatReader,
) -> ImportFormat {
    ImportFormat { name, extensions, content, reader }
}

/// A format of folders.
const fn folder(name: &'static str, content: SourceContent, reader: FormatReader) -> ImportFormat {
    ImportFormat { name, extensions: &[], content, reader }
}

/// A reader of whole files of at most `max_bytes`.
const fn bytes(max_bytes: u64, read: BytesReader) -> FormatReader {
    FormatReader::Bytes { max_bytes, read }
}

/// A reader of the Java Edition's NBT data.
const fn nbt(read: NbtReader) -> FormatReader {
    FormatReader::Nbt { open: NbtFile::new, read }
}

/// A reader of the Bedrock Edition's NBT data.
const fn bedrock_nbt(read: NbtReader) -> FormatReader {
    FormatReader::Nbt { open: NbtFile::little_endian, read }
}

impl ImportFormat {
    /// The format of a file or folder, by its extension or because it is a folder; `None` if there
    /// is no importer.
    #[must_use]
    pub fn for_path(path: &Path) -> Option<&'static ImportFormat> {
        if path.is_dir() {
            return FORMATS.iter().find(|format| format.is_folder());
        }
        ImportFormat::for_extension(path)
    }

    /// The format of files with the extension of `path`, in any case. Does not access the disk, so
    /// it suits filtering long lists of files.
    #[must_use]
    pub fn for_extension(path: &Path) -> Option<&'static ImportFormat> {
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str()))
    }

    /// True for a format of folders.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.extensions.is_empty()
    }

    /// Imports the source at `path`.
    ///
    /// # Errors
    /// Returns the errors of [`FormatReader::import`].
    pub(super) fn import(
        &self,
        path: &Path,
        options: &ImportOptions,
        target: ImportTarget,
        progress: &mut Progress,
    ) -> Result<ImportSummary, ImportError> {
        self.reader.import(path, options, target, progress)
    }
}

/// The formats that can be imported.
#[must_use]
pub fn formats() -> &'static [ImportFormat] {
    FORMATS
}

/// All formats in one line: `.vox (MagicaVoxel), .mca (Minecraft region), ...`.
#[must_use]
pub fn format_list() -> String {
    let files = FORMATS.iter().flat_map(|format| {
        format.extensions.iter().map(|extension| format!(".{extension} ({})", format.name))
    });
    let folders = FORMATS.iter().filter(|format| format.is_folder());
    let folders = folders.map(|format| format!("and folders ({})", format.name));
    files.chain(folders).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_belongs_to_one_format() {
        let mut extensions: Vec<_> = FORMATS.iter().flat_map(|format| format.extensions).collect();
        let count = extensions.len();
        extensions.sort_unstable();
        extensions.dedup();
        assert_eq!(extensions.len(), count);
        assert!(extensions.iter().all(|extension| **extension == extension.to_lowercase()));
        assert_eq!(FORMATS.iter().filter(|format| format.is_folder()).count(), 1);
    }

    #[test]
    fn format_is_found_by_extension_in_any_case() {
        let name = |path: &str| ImportFormat::for_path(Path::new(path)).map(|format| format.name);
        assert_eq!(name("a/b.TIFF"), Some("GeoTIFF heights"));
        assert_eq!(name("b.tif"), name("a.tiff"));
        assert_eq!((name("vox"), name("a.vox.bak"), name("")), (None, None, None));
        let folder = tempfile::tempdir().expect("a folder");
        let world = folder.path().join("world.vox");
        std::fs::create_dir(&world).expect("a folder");
        assert!(ImportFormat::for_path(&world).is_some_and(ImportFormat::is_folder));
    }
}
