//! The layout of a chunk's words, and writes of words.

/// Words of a unit of ranges: draw records name a chunk by its first unit.
pub const UNIT_WORDS: u32 = 16;
/// Words before the parts of a chunk.
pub const HEADER: usize = 10;
/// Word of the header that gives the place of the light bricks.
pub const LIGHT_WORD: u32 = 7;

/// Quads of each list: opaque, cut-out, translucent, surface.
pub type QuadCounts = [u32; 4];

/// A part of a chunk's words. Parts follow each other in the order of their numbers; those of quads
/// are numbered as their lists.
pub mod part {
    /// Opaque quads.
    pub const OPAQUE: usize = 0;
    /// Cut-out quads.
    pub const CUTOUT: usize = 1;
    /// Translucent quads.
    pub const TRANSLUCENT: usize = 2;
    /// Quads of the surface.
    pub const SURFACE: usize = 3;
    /// Vertices of the surface.
    pub const VERTICES: usize = 4;
    /// Dark bricks.
    pub const DARK: usize = 5;
    /// Light bricks, last, so that they may use what is left of the range.
    pub const LIGHT: usize = 6;
    /// Number of parts.
    pub const COUNT: usize = 7;
}

/// A write of words into the buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordWrite {
    /// Index of the first word to write, in the buffer.
    pub at: u32,
    /// Content to write.
    pub words: Vec<u32>,
}
