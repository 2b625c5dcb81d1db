//! The layout of a chunk's words, and writes of words.

/// Words of a unit of ranges: draw records name a chunk by its first unit.
pub const UNIT_WORDS: u32 = 16;
/// Words before the quads of a chunk.
pub const HEADER: usize = 8;

/// Quads of each list: opaque, cut-out, translucent.
pub type QuadCounts = [u32; 3];

/// Index of the translucent list.
pub const TRANSLUCENT: usize = 2;

/// A write of words into the buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordWrite {
    /// Index of the first word to write, in the buffer.
    pub at: u32,
    /// Content to write.
    pub words: Vec<u32>,
}
