//! What features want to put into a chunk, and the writing of ground and features as one stream of runs.
//!
//! Features come first, as a sorted list of wishes; then the ground is written in linear order and each
//! wish is granted or refused by what the ground holds there. Which wish wins is a matter of rank, not of
//! the order in which features were visited, so the chunks around a tree agree about it.

use super::palette::{Class, Palette};
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, ChunkPos, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;

/// What a wish may replace; the first named wins where two want one place, and of two of a kind the voxel whose
/// material is listed first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    /// Trunks and boulders: replace everything.
    Anything,
    /// Leaves: replace air and plants.
    Open,
    /// Snow on leaves: replaces air and plants, and gives way to leaves.
    OpenLast,
    /// Ores: replace rock.
    Rock,
}

/// The wishes for one chunk.
pub(super) struct Overlay {
    pos: ChunkPos,
    wishes: Vec<(u16, Rule, Voxel)>,
}

impl Overlay {
    pub(super) fn new(pos: ChunkPos) -> Overlay {
        Overlay { pos, wishes: Vec::new() }
    }

    /// Wishes `voxel` at world position `at`; what lies outside the chunk is dropped.
    pub(super) fn put(&mut self, at: IVec3, rule: Rule, voxel: Voxel) {
        if ChunkPos::containing(at) == self.pos {
            self.wishes.push((linear_index(local(at)) as u16, rule, voxel));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wishes.is_empty()
    }

    /// Closes the list; the ground can be written now.
    pub(super) fn into_writer(mut self, palette: &Palette) -> Writer<'_> {
        self.wishes.sort_unstable();
        Writer { palette, wishes: self.wishes, next: 0, builder: RunBuilder::new() }
    }
}

/// Takes the ground in linear order and writes it, features merged in.
pub(super) struct Writer<'a> {
    palette: &'a Palette,
    wishes: Vec<(u16, Rule, Voxel)>,
    next: usize,
    builder: RunBuilder,
}

impl Writer<'_> {
    /// Writes `len` voxels of ground.
    pub(super) fn push(&mut self, len: u32, ground: Voxel) {
        let end = self.builder.position() + len as usize;
        while let Some(&(index, ..)) = self.wishes.get(self.next)
            && usize::from(index) < end
        {
            let mut granted = None;
            while let Some(&(same, rule, voxel)) = self.wishes.get(self.next)
                && same == index
            {
                self.next += 1;
                let class = self.palette.class(ground);
                let fits = match rule {
                    Rule::Anything => true,
                    Rule::Open | Rule::OpenLast => class == Class::Open,
                    Rule::Rock => class == Class::Rock,
                };
                if fits {
                    granted = granted.or(Some(voxel));
                }
            }
            self.builder.push(u32::from(index) - self.builder.position() as u32, ground);
            self.builder.push(1, granted.unwrap_or(ground));
        }
        self.builder.push((end - self.builder.position()) as u32, ground);
    }

    /// Writes 32 voxels of ground along x.
    pub(super) fn push_row(&mut self, row: &[Voxel; 32]) {
        for same in row.chunk_by(|a, b| a == b) {
            self.push(same.len() as u32, same[0]);
        }
    }

    /// The chunk; what was not written is air.
    pub(super) fn finish(mut self) -> Chunk {
        self.push((CHUNK_VOLUME - self.builder.position()) as u32, Voxel::AIR);
        self.builder.finish()
    }
}
