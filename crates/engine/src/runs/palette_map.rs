//! Changes of a chunk's palette that leave its runs unchanged.

use super::RunTree;
use super::packed;
use super::repr::Repr;
use super::table;
use crate::voxel::Voxel;
use std::sync::Arc;

impl RunTree {
    /// Returns a copy with another palette: voxel `i` of [`RunTree::values`] becomes `palette[i]`.
    /// Copies the runs without reading them.
    ///
    /// `None` if the tree has to be rebuilt, because runs would merge or air would become matter or
    /// the reverse, which changes the mips.
    pub(super) fn with_values(&self, palette: &[Voxel]) -> Option<RunTree> {
        let keeps_air =
            self.values().zip(palette).all(|(before, after)| before.is_air() == after.is_air());
        if !keeps_air || has_duplicates(palette) {
            return None;
        }
        match &self.0 {
            Repr::Uniform(_) => Some(RunTree::uniform(palette[0])),
            Repr::Table(words) => {
                let mut copy: Arc<[u16]> = Arc::from(&words[..]);
                let words = Arc::get_mut(&mut copy).expect("a new table is not shared");
                table::set_palette(words, palette);
                Some(RunTree(Repr::Table(copy)))
            }
            Repr::Packed(bytes) => {
                let mut copy: Arc<[u8]> = Arc::from(&bytes[..]);
                let bytes = Arc::get_mut(&mut copy).expect("new bytes are not shared");
                packed::set_palette(bytes, palette);
                Some(RunTree(Repr::Packed(copy)))
            }
        }
    }

    /// True if both trees have the same runs, apart from their values, in the same representation.
    /// The values of a run then have the same palette index in both.
    pub(super) fn has_same_runs(&self, other: &RunTree) -> bool {
        match (&self.0, &other.0) {
            (Repr::Table(a), Repr::Table(b)) => {
                let a = table::TableRef::new(a);
                let b = table::TableRef::new(b);
                a.palette_len() == b.palette_len()
                    && a.block_ends() == b.block_ends()
                    && a.pairs() == b.pairs()
            }
            (Repr::Packed(a), Repr::Packed(b)) => packed::have_same_runs(a, b),
            _ => false,
        }
    }
}

fn has_duplicates(palette: &[Voxel]) -> bool {
    const SEARCHED: usize = 16;
    if palette.len() <= SEARCHED {
        return palette.iter().enumerate().any(|(i, voxel)| palette[..i].contains(voxel));
    }
    let mut sorted = palette.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
