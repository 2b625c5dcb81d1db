//! Names that files give to block numbers.

/// Meaning that the file gives to a block number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NamedId {
    /// The block of this number in Minecraft before 1.13; data selects the variant.
    Numbered(u32),
    /// The default state of this block; its data has no known meaning.
    Block(String),
}

/// Source of names for block numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NumberNames {
    /// The registry of a world before 1.13, with the block names of that time.
    Registry,
    /// The mapping of a schematic. One block with a name from 1.13 or later shows that all names
    /// are new.
    Mapping,
}
