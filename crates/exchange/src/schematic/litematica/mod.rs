//! Litematica's `.litematic`: boxes of blocks ("regions"), each with a palette and packed indices.
//!
//! A region starts at its `Position` and extends over its `Size`. A negative side extends towards
//! lower coordinates; the blocks start at the lowest corner in any case. An index has as many bits
//! as the palette needs, at least two, and may continue in the next long. There is no
//! specification; source: `LitematicaBitArray` and `LitematicaBlockStateContainer` of the mod.

mod read;
mod write;

pub(super) use read::read;
pub(in super::super) use write::write;
