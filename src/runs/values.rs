//! The value of each run: an index into the chunk's palette, one byte while 256 entries suffice.
//!
//! Real chunks hold 2 to 30 different voxels, so a byte a run is what is nearly always paid; the two-byte
//! form exists so that no chunk, however wild, loses anything.

use crate::voxel::Voxel;

/// Palette indices of runs, in run order.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Values {
    pub(super) fn get(&self, run: usize) -> usize {
        match self {
            Values::Narrow(v) => usize::from(v[run]),
            Values::Wide(v) => usize::from(v[run]),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Values::Narrow(v) => v.len(),
            Values::Wide(v) => v.len(),
        }
    }

    /// Replaces the runs `range` by `with`. Widens first if an index does not fit a byte.
    pub(super) fn splice(&mut self, range: std::ops::Range<usize>, with: &[u16]) {
        if let Values::Narrow(narrow) = self {
            if with.iter().all(|&i| i < 256) {
                narrow.splice(range, with.iter().map(|&i| i as u8));
                return;
            }
            *self = Values::Wide(narrow.iter().map(|&i| u16::from(i)).collect());
        }
        if let Values::Wide(wide) = self {
            wide.splice(range, with.iter().copied());
        }
    }

    /// The narrowest form of these indices.
    pub(super) fn from_indices(mut indices: Vec<u16>) -> Values {
        if indices.iter().all(|&i| i < 256) {
            Values::Narrow(indices.iter().map(|&i| i as u8).collect())
        } else {
            indices.shrink_to_fit();
            Values::Wide(indices)
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Values::Narrow(v) => v.capacity(),
            Values::Wide(v) => v.capacity() * size_of::<u16>(),
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        match self {
            Values::Narrow(v) => v.shrink_to_fit(),
            Values::Wide(v) => v.shrink_to_fit(),
        }
    }
}

/// A palette with only the entries that `indices` use, in order of first use, and `indices` renamed to it.
pub(super) fn compact(palette: &[Voxel], indices: &Values) -> (Vec<Voxel>, Values) {
    let mut renamed = vec![u16::MAX; palette.len()];
    let mut kept: Vec<Voxel> = Vec::new();
    let mut out = Vec::with_capacity(indices.len());
    for run in 0..indices.len() {
        let old = indices.get(run);
        if renamed[old] == u16::MAX {
            renamed[old] = kept.len() as u16;
            kept.push(palette[old]);
        }
        out.push(renamed[old]);
    }
    kept.shrink_to_fit();
    (kept, Values::from_indices(out))
}
