//! The import of regions and worlds, chunk by chunk.

use super::chunk_extras::ChunkExtras;
use super::chunk_nbt::{FinishedChunk, read_column};
use super::dimension::Dimension;
use super::region_file::{ChunkBounds, REGION_SIDE, RegionReader};
use super::sections::SectionColumn;
use super::world_folder::{RegionFile, find_regions};
use super::{chunk_assembly, forge_registry, liquid_surfaces};
use crate::chunk_store::{ImportSummary, ImportTarget};
use crate::error::{FormatError, ImportError};
use crate::losses::ImportLosses;
use crate::minecraft::block_mapper::{BlockMapper, NumberNames};
use crate::minecraft::liquid::LiquidSurfaces;
use crate::minecraft::numeric_ids;
use crate::progress::{Progress, report};
use crate::unread_parts::UnreadParts;
use glam::{I64Vec2, IVec2, IVec3};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use stonerun_engine::metrics::thousands;
use stonerun_engine::voxel::ChunkPos;

/// Maximum number of damaged chunks that are reported.
const MAX_WARNINGS: usize = 10_000;

/// Imports a region file, which holds one dimension only.
///
/// # Errors
/// Returns the errors of [`import_world`].
pub(crate) fn import_region(
    path: &Path,
    _: Option<&Dimension>,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    import_world(path, None, target, progress)
}

/// Imports a region file, or a dimension of a world folder. With `None`, a folder is a world with
/// an overworld, or a folder of regions.
///
/// # Errors
/// Nothing can be read, all chunks are damaged, everything is air, the target has no room, or
/// `progress` cancels.
pub(crate) fn import_world(
    path: &Path,
    dimension: Option<&Dimension>,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    let regions = find_regions(path, dimension)?;
    let mut import =
        WorldImport::new(target, centring_offset(regions.iter().filter_map(chunk_bounds)));
    match forge_registry::read_names(path) {
        Ok(names) => import.blocks.name_numbers(NumberNames::Registry, names),
        Err(error) => import.registry_error = Some(error),
    }
    for (done, file) in regions.iter().enumerate() {
        let mut region_progress = |part: f32| progress((done as f32 + part) / regions.len() as f32);
        let opened = File::open(&file.path);
        let opened = opened.map_err(|source| ImportError::Read { file: file.path.clone(), source });
        match opened.and_then(|opened| {
            RegionReader::open(opened).map_err(|error| error.in_file(&file.path))
        }) {
            Ok(region) => {
                let region = region.with_external_chunks(&file.path, file.x, file.z);
                import
                    .region(region, file, &mut region_progress)
                    .map_err(|error| error.in_file(path))?;
                import.losses.entities += stored_entities(file, &mut import.blocks.unread);
            }
            Err(error) => import.damaged.push(error),
        }
    }
    import.finish(path)
}

/// Number of entities of a region, which Minecraft stores in a file of their own since 1.17.
/// Unreadable parts of that file are noted in `unread`.
fn stored_entities(region: &RegionFile, unread: &mut UnreadParts) -> u64 {
    let folder = region.path.parent().filter(|folder| folder.ends_with("region"));
    let (Some(folder), Some(name)) = (folder.and_then(Path::parent), region.path.file_name())
    else {
        return 0;
    };
    let path = folder.join("entities").join(name);
    // Reading a pipe would never end. Minecraft leaves empty files behind.
    if !path.is_file() || path.metadata().is_ok_and(|metadata| metadata.len() == 0) {
        return 0;
    }
    let Some(Ok(reader)) = File::open(&path).ok().map(RegionReader::open) else {
        unread.note("file of entities", 1);
        return 0;
    };
    let mut reader = reader.with_external_chunks(&path, region.x, region.z);
    let mut entities = 0;
    for index in 0..REGION_SIDE * REGION_SIDE {
        match reader.chunk(index % REGION_SIDE, index / REGION_SIDE) {
            Ok(None) => {}
            Ok(Some(chunk)) => match ChunkExtras::read(&chunk.nbt) {
                Ok(extras) => entities += extras.entities,
                Err(_) => unread.note("entities of a chunk", 1),
            },
            Err(_) => unread.note("entities of a chunk", 1),
        }
    }
    entities
}

/// Bounds of the Minecraft chunks in a region's table; `None` if the table is empty or cannot be
/// read. The import opens the file again, and reports why.
fn chunk_bounds(file: &RegionFile) -> Option<ChunkBounds> {
    let bounds = RegionReader::open(File::open(&file.path).ok()?).ok()?.bounds()?;
    Some(bounds.offset(IVec2::new(file.x, file.z) * REGION_SIDE))
}

/// Offset, in chunks, that moves the centre of these bounds near 0.
pub(super) fn centring_offset(regions: impl Iterator<Item = ChunkBounds>) -> IVec3 {
    // In i64, because the sum of two distant positions overflows i32. Divided by 4: by 2 for the
    // middle, by 2 because two Minecraft chunks make one chunk.
    let middle = |all: ChunkBounds| {
        (all.min.as_i64vec2() + all.max.as_i64vec2() + 1).div_euclid(I64Vec2::splat(4)).as_ivec2()
    };
    let middle = regions.reduce(ChunkBounds::union).map_or(IVec2::ZERO, middle);
    -IVec3::new(middle.x, 0, middle.y)
}

/// An import in progress.
pub(super) struct WorldImport<'a> {
    blocks: BlockMapper,
    target: ImportTarget<'a>,
    /// Offset added to the position of every chunk, in chunks.
    offset: IVec3,
    /// Errors of the chunks and regions that are left out.
    pub(super) damaged: Vec<ImportError>,
    /// Error of reading the list of mods' blocks.
    registry_error: Option<ImportError>,
    /// Number of chunks that Minecraft has not finished.
    unfinished: u64,
    /// Number of complete chunks with a fault after their data.
    end_faults: u64,
    /// Place and reason of the first fault after a chunk's data.
    first_end_fault: Option<String>,
    losses: ImportLosses,
    liquid_surfaces: LiquidSurfaces,
}

impl<'a> WorldImport<'a> {
    pub(super) fn new(target: ImportTarget<'a>, offset: IVec3) -> WorldImport<'a> {
        let blocks = BlockMapper::new();
        WorldImport {
            liquid_surfaces: LiquidSurfaces::new(blocks.materials()),
            blocks,
            target,
            offset,
            damaged: vec![],
            registry_error: None,
            unfinished: 0,
            end_faults: 0,
            first_end_fault: None,
            losses: ImportLosses::default(),
        }
    }

    /// Imports all chunks of one region. A damaged chunk is recorded and left out.
    ///
    /// # Errors
    /// The target has no room, or `progress` cancels.
    pub(super) fn region<F: Read + Seek>(
        &mut self,
        mut region: RegionReader<F>,
        file: &RegionFile,
        progress: &mut Progress,
    ) -> Result<(), FormatError> {
        const CHUNKS: i32 = REGION_SIDE * REGION_SIDE / 4;
        for index in 0..CHUNKS {
            let x = index % (REGION_SIDE / 2);
            let z = index / (REGION_SIDE / 2);
            let columns = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(east, south)| {
                let x = 2 * x + east;
                let z = 2 * z + south;
                self.column(&mut region, file, x, z).unwrap_or_else(|error| {
                    let x = file.x * REGION_SIDE + x;
                    let z = file.z * REGION_SIDE + z;
                    let error = error.map_place(|place| format!("chunk ({x}, {z}) at {place}"));
                    if self.damaged.len() < MAX_WARNINGS {
                        self.damaged.push(error.in_file(&file.path));
                    }
                    SectionColumn::new()
                })
            });
            for (y, chunk) in chunk_assembly::chunks(&columns) {
                let pos =
                    ChunkPos::new(file.x * REGION_SIDE / 2 + x, y, file.z * REGION_SIDE / 2 + z);
                self.target.put(pos.offset(self.offset), chunk, 0, self.blocks.materials())?;
            }
            report(progress, (index + 1) as f32 / CHUNKS as f32)?;
        }
        Ok(())
    }

    /// The sections of the Minecraft chunk at `x`, `z` of a region; empty where there is no
    /// finished chunk.
    fn column<F: Read + Seek>(
        &mut self,
        region: &mut RegionReader<F>,
        file: &RegionFile,
        x: i32,
        z: i32,
    ) -> Result<SectionColumn, FormatError> {
        let Some(chunk) = region.chunk(x, z)? else { return Ok(SectionColumn::new()) };
        let column = read_column(&chunk.nbt, &mut self.blocks)
            .map_err(|error| error.map_place(|place| format!("byte {}, {place}", chunk.offset)))?;
        self.unfinished += u64::from(column.is_none());
        if let Some(fault) = chunk.end_fault {
            self.end_faults += 1;
            let x = file.x * REGION_SIDE + x;
            let z = file.z * REGION_SIDE + z;
            let place = || {
                format!(
                    "{}: chunk ({x}, {z}) at byte {}: {fault}",
                    file.path.display(),
                    chunk.offset
                )
            };
            self.first_end_fault.get_or_insert_with(place);
        }
        let FinishedChunk { mut sections, losses } = column.unwrap_or_default();
        self.losses += losses;
        liquid_surfaces::lower_liquid_surfaces(&mut sections, &self.liquid_surfaces);
        Ok(sections)
    }

    /// Completes the import of `path`.
    ///
    /// # Errors
    /// No chunk with matter was imported. If chunks are damaged, returns the error of the first.
    pub(super) fn finish(self, path: &Path) -> Result<ImportSummary, ImportError> {
        let unread = self.blocks.unread.clone();
        let Some(summary) = self.target.finish(self.blocks.into_materials()) else {
            let empty = || {
                FormatError::new("chunks", "there is no finished chunk with anything but air")
                    .in_file(path)
            };
            return Err(self.damaged.into_iter().next().unwrap_or_else(empty));
        };
        let damaged = self.damaged.iter().map(|error| format!("{error}; it is left out"));
        // A missing list of blocks affects only worlds with mods.
        let has_unknown = summary
            .materials
            .iter()
            .any(|(_, material)| material.name.starts_with(numeric_ids::UNKNOWN));
        let registry = self.registry_error.filter(|_| has_unknown);
        let registry =
            registry.map(|error| format!("{error}; blocks of mods are named by their numbers"));
        let others = match self.end_faults {
            0 | 1 => String::new(),
            faults => format!(" (also {} others)", thousands(faults - 1)),
        };
        let end_fault =
            self.first_end_fault.map(|fault| format!("{fault}; its content is complete{others}"));
        let mut summary =
            ImportSummary { unfinished: self.unfinished, losses: self.losses, ..summary };
        summary.report_unread(&unread);
        let mut summary = summary.in_file(path);
        summary.warnings =
            registry.into_iter().chain(end_fault).chain(damaged).chain(summary.warnings).collect();
        Ok(summary)
    }
}
