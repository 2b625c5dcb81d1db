//! Walking the runs of a chunk.

use super::Run;
use super::table::{BLOCK, View};
use super::tree::Form;
use crate::voxel::Voxel;
use std::ops::Range;

/// Walks runs in linear order. Made by [`super::RunTree::runs`] and [`super::RunTree::runs_in`].
#[derive(Clone)]
pub struct Runs<'a> {
    source: Source<'a>,
    /// Linear index of the next voxel, and the one to stop before.
    at: usize,
    end: usize,
}

#[derive(Clone)]
enum Source<'a> {
    Uniform(Voxel),
    Narrow {
        view: View<'a>,
        /// The number of the next run, and the block it starts in or a later one.
        run: usize,
        block: usize,
    },
    Wide {
        view: View<'a>,
        run: usize,
    },
}

impl<'a> Runs<'a> {
    pub(super) fn new(form: &'a Form, range: Range<usize>) -> Runs<'a> {
        let source = match form {
            Form::Uniform(voxel) => Source::Uniform(*voxel),
            Form::Runs(table) => {
                let view = View::of(table);
                // An empty range may lie past the end.
                let run = if range.is_empty() { 0 } else { view.find(range.start) };
                match view.is_wide() {
                    true => Source::Wide { view, run },
                    false => Source::Narrow { view, run, block: range.start / BLOCK },
                }
            }
        };
        Runs { source, at: range.start, end: range.end }
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    #[inline]
    fn next(&mut self) -> Option<Run> {
        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        let voxel = match &mut self.source {
            Source::Uniform(voxel) => {
                self.at = self.end;
                *voxel
            }
            Source::Narrow { view, run, block } => {
                let voxel = view.voxel(view.code(*run));
                *run += 1;
                self.at = self.end.min(view.start_from(*run, block));
                voxel
            }
            Source::Wide { view, run } => {
                let voxel = view.voxel(view.code(*run));
                *run += 1;
                self.at = self.end.min(view.start(*run));
                voxel
            }
        };
        Some(Run { start: start as u32, len: (self.at - start) as u32, voxel })
    }
}
