//! Minecraft Java Edition worlds: region files (`.mca`, since 1.2; `.mcr`, since Beta 1.3) and world folders.
//!
//! A region is read 2 x 2 chunks of Minecraft's at a time, which make one column of our chunks, and no more than that is
//! held. The NBT data is deserialized by `fastnbt` and packed indices are unpacked by `fastanvil`; what these take on trust is
//! checked before: the container in `region`, the data's structure in `minecraft::nbt`.
//!
//! Heights stay as they are (sea level is at 62 or 63), and north stays north: x and z are moved by whole chunks only, so
//! that the middle comes near 0. That is the middle of all that the regions' tables name, finished or not: they are read
//! before the first chunk is made. One damaged chunk among many is left out and reported; what Minecraft itself has not finished
//! making is left out and counted.

mod chunk;
mod column;
mod folder;
mod region;

use super::minecraft::blocks::Blocks;
use super::{FormatError, ImportError, ImportSummary, ImportTarget, Progress, report};
use crate::voxel::{ChunkPos, Voxel};
use chunk::Column;
use folder::RegionFile;
use glam::{I64Vec2, IVec2, IVec3};
use region::{Region, SIDE};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// The most chunks that are reported; any more are as bad.
const MOST_WARNINGS: usize = 10_000;

/// Imports a region file or a world's folder.
///
/// # Errors
/// Nothing can be read, no chunk is sound, there is nothing but air, there is no room, or it was cancelled.
pub(super) fn import(path: &Path, target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, ImportError> {
    let regions = folder::regions(path)?;
    let mut reading = Reading::new(target, shift(regions.iter().filter_map(extent)));
    for (done, file) in regions.iter().enumerate() {
        let mut within = |part: f32| progress((done as f32 + part) / regions.len() as f32);
        let opened = File::open(&file.path);
        let opened = opened.map_err(|source| ImportError::Read { file: file.path.clone(), source });
        match opened.and_then(|opened| Region::open(opened).map_err(|flaw| flaw.in_file(&file.path))) {
            Ok(region) => reading.region(region, file, &mut within).map_err(|flaw| flaw.in_file(path))?,
            Err(error) => reading.bad.push(error),
        }
    }
    reading.finish(path)
}

/// The least and the greatest x and z of the Minecraft chunks in a region, by its table; none if it has none that can be read: why
/// is found out when its chunks are to be read.
fn extent(file: &RegionFile) -> Option<(IVec2, IVec2)> {
    let (min, max) = Region::open(File::open(&file.path).ok()?).ok()?.extent()?;
    let at = IVec2::new(file.x, file.z) * SIDE;
    Some((at + min, at + max))
}

/// How far all is moved, in our chunks, so that the middle of these Minecraft chunks comes near 0.
fn shift(extents: impl Iterator<Item = (IVec2, IVec2)>) -> IVec3 {
    let all = extents.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    // In i64: the middle of two far places. Two of Minecraft's are one of ours.
    let middle = |(min, max): (IVec2, IVec2)| (min.as_i64vec2() + max.as_i64vec2() + 1).div_euclid(I64Vec2::splat(4));
    let middle = all.map_or(I64Vec2::ZERO, middle).as_ivec2();
    -IVec3::new(middle.x, 0, middle.y)
}

/// What has been read so far.
struct Reading<'a> {
    blocks: Blocks,
    target: ImportTarget<'a>,
    /// How far all is moved, in chunks.
    shift: IVec3,
    bad: Vec<ImportError>,
    unfinished: u64,
    liquids: Vec<Voxel>,
}

impl<'a> Reading<'a> {
    fn new(target: ImportTarget<'a>, shift: IVec3) -> Reading<'a> {
        let blocks = Blocks::new();
        let liquids =
            ["water", "lava"].iter().filter_map(|name| blocks.materials().find(name)).map(Voxel::full).collect();
        Reading { blocks, target, shift, bad: vec![], unfinished: 0, liquids }
    }

    /// Reads all of one region.
    ///
    /// # Errors
    /// There is no room, or it was cancelled; a damaged chunk is only noted.
    fn region<F: Read + Seek>(
        &mut self,
        mut region: Region<F>,
        file: &RegionFile,
        progress: &mut Progress,
    ) -> Result<(), FormatError> {
        for pair in 0..SIDE * SIDE / 4 {
            let (x, z) = (pair % (SIDE / 2), pair / (SIDE / 2));
            let columns = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(east, south)| {
                let (x, z) = (2 * x + east, 2 * z + south);
                self.column(&mut region, x, z).unwrap_or_else(|flaw| {
                    let (x, z) = (file.x * SIDE + x, file.z * SIDE + z);
                    let flaw = flaw.map_place(|place| format!("chunk ({x}, {z}) at {place}"));
                    if self.bad.len() < MOST_WARNINGS {
                        self.bad.push(flaw.in_file(&file.path));
                    }
                    Column::new()
                })
            });
            for (y, chunk) in column::chunks(&columns) {
                let pos = ChunkPos::new(file.x * SIDE / 2 + x, y, file.z * SIDE / 2 + z).offset(self.shift);
                self.target.put(pos, chunk, 0, self.blocks.materials())?;
            }
            report(progress, (pair + 1) as f32 / (SIDE * SIDE / 4) as f32)?;
        }
        Ok(())
    }

    /// The sections of the chunk at `x`, `z` of a region; none where there is no finished chunk.
    fn column<F: Read + Seek>(&mut self, region: &mut Region<F>, x: i32, z: i32) -> Result<Column, FormatError> {
        let Some((start, data)) = region.chunk(x, z)? else { return Ok(Column::new()) };
        let column = chunk::column(&data, &mut self.blocks)
            .map_err(|flaw| flaw.map_place(|place| format!("byte {start}, {place}")))?;
        self.unfinished += u64::from(column.is_none());
        let mut column = column.unwrap_or_default();
        column::settle(&mut column, &self.liquids);
        Ok(column)
    }

    fn finish(self, path: &Path) -> Result<ImportSummary, ImportError> {
        let Some(made) = self.target.finish(self.blocks.into_materials()) else {
            let nothing =
                || FormatError::new("chunks", "there is no finished chunk with anything but air").in_file(path);
            // What is wrong with the first says more than that there is none.
            return Err(self.bad.into_iter().next().unwrap_or_else(nothing));
        };
        let warnings = self.bad.iter().map(|error| format!("{error}; it is left out")).collect();
        Ok(ImportSummary { unfinished: self.unfinished, warnings, ..made })
    }
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod real;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod writer;
