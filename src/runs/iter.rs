//! Walking the runs of a chunk.

use super::Run;
use super::packed::Packed;
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
    Table {
        view: View<'a>,
        /// The number of the next run, and the block it starts in or a later one.
        run: usize,
        block: usize,
    },
    Packed(Packed<'a>),
}

impl<'a> Runs<'a> {
    pub(super) fn new(form: &'a Form, range: Range<usize>) -> Runs<'a> {
        let source = match form {
            Form::Uniform(voxel) => Source::Uniform(*voxel),
            Form::Runs(table) => {
                let view = View::of(table);
                // An empty range may lie past the end.
                let run = if range.is_empty() { 0 } else { view.find(range.start) };
                Source::Table { view, run, block: range.start / BLOCK }
            }
            Form::Packed(bytes) => Source::Packed(Packed::of(bytes)),
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
            Source::Table { view, run, block } => {
                let voxel = view.voxel(view.code(*run));
                *run += 1;
                self.at = self.end.min(view.start_from(*run, block));
                voxel
            }
            Source::Packed(packed) => {
                let (_, end, code) = packed.run_at(start);
                self.at = self.end.min(end);
                packed.voxel(code)
            }
        };
        Some(Run { start: start as u32, len: (self.at - start) as u32, voxel })
    }

    /// The same in one loop, which need not ask each time what form the tree has.
    #[inline]
    fn fold<B, F: FnMut(B, Run) -> B>(self, init: B, mut f: F) -> B {
        match self.source {
            Source::Table { view, run, block } if view.is_sparse() => {
                walk(view, run, self.at..self.end, block, |next, block| view.start_from_sparse(next, block), init, f)
            }
            Source::Table { view, run, block } => {
                walk(view, run, self.at..self.end, block, |next, block| view.start_from(next, block), init, f)
            }
            Source::Packed(packed) => {
                let mut folded = Some(init);
                packed.for_each(self.at..self.end, |start, end, code| {
                    let run = Run { start: start as u32, len: (end - start) as u32, voxel: packed.voxel(code) };
                    // There always is one.
                    folded = folded.take().map(|before| f(before, run));
                });
                folded.expect("it is put back each time")
            }
            Source::Uniform(_) => {
                let mut folded = init;
                for run in self {
                    folded = f(folded, run);
                }
                folded
            }
        }
    }
}

/// Folds the runs of `range`, from the one with the number `run` on; `start` tells where a run starts, given a block at
/// or before that.
#[inline]
fn walk<B>(
    view: View<'_>,
    run: usize,
    range: Range<usize>,
    mut block: usize,
    start: impl Fn(usize, &mut usize) -> usize,
    init: B,
    mut f: impl FnMut(B, Run) -> B,
) -> B {
    let (mut folded, mut at) = (init, range.start);
    for (i, &pair) in view.pairs()[run..].iter().enumerate() {
        if at >= range.end {
            break;
        }
        let from = at;
        at = range.end.min(start(run + i + 1, &mut block));
        let voxel = view.voxel(pair >> 8);
        folded = f(folded, Run { start: from as u32, len: (at - from) as u32, voxel });
    }
    folded
}
