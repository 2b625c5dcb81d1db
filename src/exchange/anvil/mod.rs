//! Minecraft Java Edition worlds: region files (`.mca`, since 1.2; `.mcr`, since Beta 1.3) and world folders.
//!
//! A region is read 2 x 2 chunks of Minecraft's at a time, which make one column of our chunks, so beside the run
//! trees made so far no more than that is held. The NBT data is deserialized by `fastnbt` and packed indices are unpacked by
//! `fastanvil`; what these take on trust is checked before: the container in [`region`], the data's structure in
//! [`nbt`](super::minecraft::nbt).
//!
//! Heights stay as they are (sea level is at 62 or 63), and north stays north: x and z are moved by whole chunks only, so
//! that the middle comes near 0. One damaged chunk among many is left out and reported; what Minecraft itself has not finished
//! making is left out without a word.

mod chunk;
mod column;
mod folder;
mod region;

use super::minecraft::blocks::Blocks;
use super::{Flaw, ImportError, Imported, Progress, report};
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World, WorldStats, matter_bounds};
use chunk::Column;
use folder::RegionFile;
use glam::IVec3;
use region::{Region, SIDE};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// The most memory that the chunks may take. A region of 512 x 512 blocks of land takes some 10 MiB.
const MOST_BYTES: usize = 2 << 30;
/// What a chunk takes beside its run tree.
const BYTES_BESIDE: usize = 64;
/// The most chunks that are reported; any more are as bad.
const MOST_WARNINGS: usize = 10_000;

/// Imports a region file or a world's folder.
///
/// # Errors
/// Nothing can be read, no chunk is sound, there is nothing but air, there is too much, or it was cancelled.
pub fn import(path: &Path, progress: &mut Progress) -> Result<Imported, ImportError> {
    let regions = folder::regions(path)?;
    let mut reading = Reading::new(MOST_BYTES);
    for (done, file) in regions.iter().enumerate() {
        let mut within = |part: f32| progress((done as f32 + part) / regions.len() as f32);
        let opened = File::open(&file.path);
        let opened = opened.map_err(|source| ImportError::Read { file: file.path.clone(), source });
        match opened.and_then(|opened| Region::open(opened).map_err(|flaw| flaw.of(&file.path))) {
            Ok(region) => reading.region(region, file, &mut within).map_err(|flaw| flaw.of(path))?,
            Err(error) => reading.bad.push(error),
        }
    }
    reading.finish(path)
}

/// What has been read so far.
struct Reading {
    blocks: Blocks,
    /// At their places in Minecraft's world.
    chunks: Vec<(ChunkPos, Chunk)>,
    /// Bytes of `chunks`.
    bytes: usize,
    most_bytes: usize,
    bad: Vec<ImportError>,
    unfinished: u64,
    liquids: Vec<Voxel>,
}

impl Reading {
    fn new(most_bytes: usize) -> Reading {
        let blocks = Blocks::new();
        let liquids =
            ["water", "lava"].iter().filter_map(|name| blocks.materials().find(name)).map(Voxel::full).collect();
        Reading { blocks, chunks: vec![], bytes: 0, most_bytes, bad: vec![], unfinished: 0, liquids }
    }

    /// Reads all of one region.
    ///
    /// # Errors
    /// There is too much, or it was cancelled; a damaged chunk is only noted.
    fn region<F: Read + Seek>(
        &mut self,
        mut region: Region<F>,
        file: &RegionFile,
        progress: &mut Progress,
    ) -> Result<(), Flaw> {
        for pair in 0..SIDE * SIDE / 4 {
            let (x, z) = (pair % (SIDE / 2), pair / (SIDE / 2));
            let columns = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(east, south)| {
                let (x, z) = (2 * x + east, 2 * z + south);
                self.column(&mut region, x, z).unwrap_or_else(|flaw| {
                    let place = format!("chunk ({}, {}) at {}", file.x * SIDE + x, file.z * SIDE + z, flaw.place);
                    if self.bad.len() < MOST_WARNINGS {
                        self.bad.push(Flaw { place, ..flaw }.of(&file.path));
                    }
                    Column::new()
                })
            });
            for (y, chunk) in column::chunks(&columns) {
                self.bytes += chunk.heap_bytes() + BYTES_BESIDE;
                if self.bytes > self.most_bytes {
                    let reason =
                        format!("its chunks need more than {} bytes; import some of its regions", self.most_bytes);
                    return Err(Flaw::new("size", reason));
                }
                self.chunks.push((ChunkPos::new(file.x * SIDE / 2 + x, y, file.z * SIDE / 2 + z), chunk));
            }
            report(progress, (pair + 1) as f32 / (SIDE * SIDE / 4) as f32)?;
        }
        Ok(())
    }

    /// The sections of the chunk at `x`, `z` of a region; none where there is no finished chunk.
    fn column<F: Read + Seek>(&mut self, region: &mut Region<F>, x: i32, z: i32) -> Result<Column, Flaw> {
        let Some((start, data)) = region.chunk(x, z)? else { return Ok(Column::new()) };
        let column = chunk::column(&data, &mut self.blocks)
            .map_err(|flaw| Flaw { place: format!("byte {start}, {}", flaw.place), ..flaw })?;
        self.unfinished += u64::from(column.is_none());
        let mut column = column.unwrap_or_default();
        column::settle(&mut column, &self.liquids);
        Ok(column)
    }

    fn finish(self, path: &Path) -> Result<Imported, ImportError> {
        let union = |a: Box3, b: Box3| Box3 { min: a.min.min(b.min), max: a.max.max(b.max) };
        let all = self.chunks.iter().filter_map(|(pos, chunk)| matter_bounds(*pos, chunk)).reduce(union);
        let Some(all) = all else {
            let nothing = || Flaw::new("chunks", "there is no finished chunk with anything but air").of(path);
            // What is wrong with the first says more than that there is none.
            return Err(self.bad.into_iter().next().unwrap_or_else(nothing));
        };
        // In i64: the middle of two far places.
        let middle = (all.min.as_i64vec3() + all.max.as_i64vec3()) / 2;
        let shift = -IVec3::new((middle.x >> 5) as i32, 0, (middle.z >> 5) as i32);
        let mut world = World::new();
        for (pos, chunk) in self.chunks {
            world.insert(pos.offset(shift), chunk);
        }
        let bounds = Box3 { min: all.min + shift * 32, max: all.max + shift * 32 };
        let voxels = WorldStats::of(&world).sum.nonempty;
        let warnings = self.bad.iter().map(|error| format!("{error}; it is left out")).collect();
        Ok(Imported {
            world,
            materials: self.blocks.into_materials(),
            bounds,
            voxels,
            unfinished: self.unfinished,
            warnings,
        })
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
