//! Single runs of a packed chunk.

use super::super::run::{BLOCK, BLOCKS, Run};
use super::PackedRef;
use crate::voxel::CHUNK_VOLUME;

/// Voxels `start..end` (linear indices) of one run, and the run's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct CodedSpan {
    pub start: usize,
    pub end: usize,
    pub code: usize,
}

impl PackedRef<'_> {
    /// The whole run that contains linear index `index`.
    pub(crate) fn span_at(self, index: usize) -> CodedSpan {
        let number = index / BLOCK;
        let low = index as u8;
        let last = |n: usize, upto: u8| self.last_start(n, upto).map(|start| n * BLOCK + start);
        let start = last(number, low).or_else(|| (0..number).rev().find_map(|n| last(n, u8::MAX)));
        // The first run starts at 0.
        CodedSpan { start: start.unwrap_or(0), ..self.span_from(index) }
    }

    /// Part of a run from linear index `index` to the run's end.
    pub(crate) fn span_from(self, index: usize) -> CodedSpan {
        let first =
            |n: usize, from: usize| self.first_start(n, from).map(|start| n * BLOCK + start);
        let number = index / BLOCK;
        let end = first(number, index % BLOCK + 1)
            .or_else(|| (number + 1..BLOCKS).find_map(|n| first(n, 0)));
        // The last run ends with the chunk.
        CodedSpan { start: index, end: end.unwrap_or(CHUNK_VOLUME), code: self.code_at(index) }
    }

    /// The run that contains linear index `index`.
    pub(crate) fn whole_run(self, index: usize) -> Run {
        let CodedSpan { start, end, code } = self.span_at(index);
        Run::spanning(start, end, self.voxel(code))
    }

    /// Finds the last start in block `number` at or before its voxel `low`.
    fn last_start(self, number: usize, low: u8) -> Option<usize> {
        let block = self.block(number);
        let count = self.at_or_before(&block, low).checked_sub(1)?;
        Some(match block.listed {
            Some(_) => self.bytes[block.at + count].into(),
            None => {
                let map = self.map(&block);
                (0..=usize::from(low)).rev().find(|&at| map[at / 64] >> (at % 64) & 1 == 1)?
            }
        })
    }

    /// Finds the first start in block `number` at or after its voxel `from`, which may be past its
    /// end.
    pub(super) fn first_start(self, number: usize, from: usize) -> Option<usize> {
        let block = self.block(number);
        match block.listed {
            Some(n) => self.bytes[block.at..block.at + n]
                .iter()
                .map(|&start| usize::from(start))
                .find(|&start| start >= from),
            None => {
                let map = self.map(&block);
                (from..BLOCK).find(|&at| map[at / 64] >> (at % 64) & 1 == 1)
            }
        }
    }
}
