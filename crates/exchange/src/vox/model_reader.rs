//! Reads the voxels of models from the file, block by block.

use super::layout::ModelSpan;
use crate::FormatError;
use crate::error::StreamError;
use glam::IVec3;
use std::io::{Read, Seek, SeekFrom};

/// Number of voxels in memory at a time, four bytes each.
const BLOCK_VOXELS: usize = 1 << 20;

/// A voxel of a model as the file stores it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ModelVoxel {
    /// x, y, z and the number of the colour, from 1.
    bytes: [u8; 4],
}

impl ModelVoxel {
    pub(super) fn position(self) -> IVec3 {
        IVec3::new(self.bytes[0].into(), self.bytes[1].into(), self.bytes[2].into())
    }

    /// Index into the palette, from 0 as in `dot_vox`; `None` for the number 0, which means no
    /// voxel in MagicaVoxel.
    pub(super) fn colour(self) -> Option<usize> {
        self.bytes[3].checked_sub(1).map(usize::from)
    }

    /// The 32^3 part of the model in which the voxel lies: z, y, x.
    fn chunk(&self) -> [u8; 3] {
        [self.bytes[2], self.bytes[1], self.bytes[0]].map(|part| part >> 5)
    }
}

/// Reads models, with one block of voxels in memory.
pub(super) struct ModelReader<'a, R> {
    source: &'a mut R,
    block: Vec<ModelVoxel>,
}

impl<'a, R: Read + Seek> ModelReader<'a, R> {
    pub(super) fn new(source: &'a mut R) -> ModelReader<'a, R> {
        ModelReader { source, block: vec![] }
    }

    /// Passes the voxels of a model to `visit`, block by block in file order.
    ///
    /// # Errors
    /// The file cannot be read, or `visit` fails.
    pub(super) fn for_each_block(
        &mut self,
        span: ModelSpan,
        visit: &mut dyn FnMut(&mut [ModelVoxel]) -> Result<(), FormatError>,
    ) -> Result<(), StreamError> {
        if span.voxels > 0 {
            self.source.seek(SeekFrom::Start(span.start))?;
        }
        let mut left = span.voxels as usize;
        while left > 0 {
            self.block.clear();
            for _ in 0..left.min(BLOCK_VOXELS) {
                let mut bytes = [0; 4];
                self.source.read_exact(&mut bytes)?;
                self.block.push(ModelVoxel { bytes });
            }
            visit(&mut self.block)?;
            left -= self.block.len();
        }
        Ok(())
    }
}

/// Sorts voxels by chunk if they are unordered, as some programs write them, because the collector
/// is fast for neighbours. The sort is stable: of two voxels at one position the later wins.
pub(super) fn sort_by_chunk(voxels: &mut [ModelVoxel]) {
    let jumps = voxels.windows(2).filter(|pair| pair[0].chunk() != pair[1].chunk()).count();
    // Ordered rows, in any direction, change the chunk only once in 32 voxels.
    if jumps > voxels.len() / 16 {
        voxels.sort_by_key(ModelVoxel::chunk);
    }
}

/// Properties of a model's voxels.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct ModelSummary {
    /// Lowest and highest voxel; `None` without voxels.
    pub(super) corners: Option<(IVec3, IVec3)>,
    /// Bit set of the colours in use, by the index of [`ModelVoxel::colour`].
    pub(super) colours: [u64; 4],
    /// Number of voxels with colour 0, which are not imported.
    pub(super) uncoloured: u64,
}

impl ModelSummary {
    /// Adds a voxel.
    pub(super) fn add(&mut self, voxel: ModelVoxel) {
        let at = voxel.position();
        let Some(colour) = voxel.colour() else {
            self.uncoloured += 1;
            return;
        };
        self.corners =
            Some(self.corners.map_or((at, at), |(low, high)| (low.min(at), high.max(at))));
        self.colours[colour / 64] |= 1 << (colour % 64);
    }
}
