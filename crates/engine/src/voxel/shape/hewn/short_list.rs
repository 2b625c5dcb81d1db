//! Lists that constants can fill.

/// A list of up to `N` values, which constants can fill.
#[derive(Clone, Copy)]
pub(super) struct ShortList<T, const N: usize> {
    values: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> ShortList<T, N> {
    /// A list without values. `blank` fills the places that hold none.
    pub const fn new(blank: T) -> ShortList<T, N> {
        ShortList { values: [blank; N], len: 0 }
    }

    pub const fn push(&mut self, value: T) {
        self.values[self.len] = value;
        self.len += 1;
    }

    pub const fn as_slice(&self) -> &[T] {
        self.values.split_at(self.len).0
    }
}
