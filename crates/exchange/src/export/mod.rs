//! Export of worlds to other programs' files.
//!
//! One writer per format, chosen by the target's extension; each gets the same [`Scene`]. Files are
//! written under temporary names and renamed once complete, so an export that fails leaves the
//! target as it was.
//!
//! Export a box of stone as a MagicaVoxel file:
//!
//! ```
//! use glam::IVec3;
//! use stonerun_exchange::export::{Export, SceneBuilder};
//! use stonerun_exchange::ignore_progress;
//! use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
//! use stonerun_engine::world::{Chunk, World};
//!
//! let materials = MaterialTable::builtin();
//! let stone = Voxel::full(materials.find("stone").expect("a built-in material"));
//! let bounds = Box3 { min: IVec3::ZERO, max: IVec3::new(4, 2, 3) };
//! let mut world = World::new();
//! for pos in bounds.chunks() {
//!     world.insert(pos, Chunk::uniform(Voxel::AIR));
//! }
//! world.fill(bounds, stone);
//!
//! let mut scene = SceneBuilder::new(Some(bounds));
//! for (pos, chunk) in world.chunks() {
//!     scene.add(pos, chunk.clone());
//! }
//! let scene = scene.finish(materials).expect("there is stone");
//!
//! let folder = tempfile::tempdir()?;
//! let target = folder.path().join("box.vox");
//! let exported = Export::begin(&target, false)?.write(&scene, &mut ignore_progress)?;
//! assert_eq!(exported.files, [target]);
//! assert_eq!((exported.figures[0].name, exported.figures[0].count), ("voxels", 24));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use super::scene::{ExportError, ExportFigure, ExportLosses, Scene, SceneBuilder};

use super::minecraft::block_names;
use super::progress::Progress;
use super::scene::{OutputFiles, WriterError, WriterReport};
use super::schematic::{litematica, sponge};
use super::{anvil, meshes, vox, voxel_box};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use stonerun_engine::voxel::Box3;

/// A finished export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// Counts, `voxels` first.
    pub figures: Vec<ExportFigure>,
    /// The target, followed by the files written next to it.
    pub files: Vec<PathBuf>,
    /// Total size of the files.
    pub bytes: u64,
    /// The exported box.
    pub bounds: Box3,
    /// Parts of the scene that the format cannot hold.
    pub losses: ExportLosses,
    /// Hints for programs that read the file, one line each.
    pub warnings: Vec<String>,
}

impl From<sponge::WriteError> for WriterError {
    fn from(error: sponge::WriteError) -> WriterError {
        match error {
            sponge::WriteError::Io(error) => WriterError::Io(error),
            sponge::WriteError::Cancelled => WriterError::Cancelled,
            unfit => WriterError::Unfit(unfit.to_string()),
        }
    }
}

/// Maximum number of mods that a warning lists.
const MAX_LISTED_MODS: usize = 8;

/// Function that writes one format.
type Exporter = fn(&Scene, &mut OutputFiles, &mut Progress) -> Result<WriterReport, WriterError>;

/// A format that can be exported.
#[derive(Clone, Copy, Debug)]
pub struct ExportFormat {
    /// Name of the format or of its program.
    pub name: &'static str,
    /// Extension of the format's files, lower case, without a dot.
    pub extension: &'static str,
    /// Name of the format with a few more words, for the help of the command.
    pub help: &'static str,
    write: Exporter,
}

/// Two formats are equal if their files have the same extension.
impl PartialEq for ExportFormat {
    fn eq(&self, other: &ExportFormat) -> bool {
        self.extension == other.extension
    }
}

impl Eq for ExportFormat {}

/// Table of the formats that can be exported, one row each.
const FORMATS: &[ExportFormat] = &[
    ExportFormat { name: "MagicaVoxel", extension: "vox", help: "MagicaVoxel", write: write_vox },
    ExportFormat { name: "glTF", extension: "glb", help: "glTF", write: write_glb },
    ExportFormat {
        name: "Wavefront",
        extension: "obj",
        help: "Wavefront, with .mtl and .png files",
        write: meshes::obj::write,
    },
    ExportFormat {
        name: "Sponge schematic",
        extension: "schem",
        help: "Sponge schematic for Minecraft",
        write: write_schematic,
    },
    ExportFormat {
        name: "Litematica schematic",
        extension: "litematic",
        help: "Litematica schematic for Minecraft",
        write: write_litematic,
    },
    ExportFormat {
        name: "Minecraft region",
        extension: "mca",
        help: "region of a Minecraft world, as r.X.Z.mca at its place",
        write: write_regions,
    },
];

fn write_vox(
    scene: &Scene,
    output: &mut OutputFiles,
    progress: &mut Progress,
) -> Result<WriterReport, WriterError> {
    output.write_target(|out| vox::write(scene, progress, out))
}

fn write_glb(
    scene: &Scene,
    output: &mut OutputFiles,
    progress: &mut Progress,
) -> Result<WriterReport, WriterError> {
    output.write_target(|out| meshes::glb::write(scene, progress, out))
}

fn write_schematic(
    scene: &Scene,
    output: &mut OutputFiles,
    progress: &mut Progress,
) -> Result<WriterReport, WriterError> {
    output.write_target(|out| {
        let losses = sponge::write(&scene.world, &scene.materials, scene.bounds, progress, out)?;
        let warnings = too_large_to_import(scene).into_iter().chain(mods_needed(scene)).collect();
        Ok(WriterReport { losses, warnings, ..WriterReport::default() })
    })
}

fn write_litematic(
    scene: &Scene,
    output: &mut OutputFiles,
    progress: &mut Progress,
) -> Result<WriterReport, WriterError> {
    let name = output.sibling_name("");
    let mut report = output.write_target(|out| litematica::write(scene, &name, progress, out))?;
    report.warnings.extend(too_large_to_import(scene));
    report.warnings.extend(mods_needed(scene));
    Ok(report)
}

fn write_regions(
    scene: &Scene,
    output: &mut OutputFiles,
    progress: &mut Progress,
) -> Result<WriterReport, WriterError> {
    let mut report = anvil::write(scene, output, progress)?;
    report.warnings.extend(mods_needed(scene));
    Ok(report)
}

/// The warning about a schematic that is too large for an import.
fn too_large_to_import(scene: &Scene) -> Option<String> {
    let max = voxel_box::MAX_VOXELS;
    let warning = || format!("Stonerun itself imports schematics of at most {max} blocks");
    (scene.bounds.volume() > max as u64).then(warning)
}

/// The warning about blocks that Minecraft has only with mods.
fn mods_needed(scene: &Scene) -> Option<String> {
    let mut voxels = 0;
    let mut mods = BTreeSet::new();
    for (&id, count) in &scene.counts {
        let name = scene.materials.get(id).map_or("", |material| &material.name);
        if let Some(owner) = block_names::mod_of(name) {
            mods.insert(owner);
            voxels += count;
        }
    }
    let listed = mods.iter().take(MAX_LISTED_MODS).copied().collect::<Vec<_>>().join(", ");
    let more = match mods.len().saturating_sub(MAX_LISTED_MODS) {
        0 => String::new(),
        more => format!(" and {more} others"),
    };
    let blocks = ExportFigure { name: "", text: "voxels", count: voxels };
    (voxels > 0)
        .then(|| format!("{blocks} of mods, which Minecraft lacks without them: {listed}{more}"))
}

impl ExportFormat {
    /// The format of files with the extension of `path`, in any case; `None` if no writer handles
    /// it.
    #[must_use]
    pub fn for_path(path: &Path) -> Option<&'static ExportFormat> {
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        FORMATS.iter().find(|format| format.extension == extension)
    }
}

/// The formats that can be exported; there is at least one.
#[must_use]
pub fn formats() -> &'static [ExportFormat] {
    FORMATS
}

/// All formats in one line, for the help of the command: `.vox (MagicaVoxel), ..., or .schem
/// (...)`.
#[must_use]
pub fn format_help() -> String {
    let mut list: Vec<_> =
        FORMATS.iter().map(|format| format!(".{} ({})", format.extension, format.help)).collect();
    if let [_, .., last] = list.as_mut_slice() {
        last.insert_str(0, "or ");
    }
    list.join(", ")
}

fn known() -> String {
    let list: Vec<_> =
        FORMATS.iter().map(|format| format!(".{} ({})", format.extension, format.name)).collect();
    list.join(", ")
}

/// An export whose target has been checked: the folder is writable, and no file would be
/// overwritten unasked.
#[derive(Debug)]
pub struct Export {
    format: &'static ExportFormat,
    output: OutputFiles,
}

impl Export {
    /// Begins an export to `target`, whose extension, in any case, decides the format. With `force`
    /// an existing file is replaced when the export is complete.
    ///
    /// # Errors
    /// The extension is unknown, the target exists (without `force`) or is not a regular file,
    /// another export is writing it, or its folder cannot be written.
    pub fn begin(target: &Path, force: bool) -> Result<Export, ExportError> {
        let Some(format) = ExportFormat::for_path(target) else {
            return Err(ExportError::UnknownFormat { file: target.to_owned(), known: known() });
        };
        Ok(Export { format, output: OutputFiles::new(target, force)? })
    }

    /// Writes `scene`. On an error the target is unchanged.
    ///
    /// # Errors
    /// The format cannot hold the scene, a file cannot be written, or `progress` cancels.
    pub fn write(
        mut self,
        scene: &Scene,
        progress: &mut Progress,
    ) -> Result<Exported, ExportError> {
        let written = (self.format.write)(scene, &mut self.output, progress);
        let WriterReport { mut figures, losses, warnings } =
            written.map_err(|error| error.in_file(self.output.target()))?;
        figures.insert(0, ExportFigure { name: "voxels", text: "voxels", count: scene.voxels });
        let (files, bytes) = self.output.finish()?;
        Ok(Exported { figures, files, bytes, bounds: scene.bounds, losses, warnings })
    }
}

#[cfg(test)]
mod mesh_tests;
#[cfg(test)]
mod state_tests;
#[cfg(test)]
mod tests;
