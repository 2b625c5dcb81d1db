//! Luanti (formerly Minetest) schematics (`.mts`).
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `MTSM` |
//! | 2 | version, 1 to 4 |
//! | 6 | size x, y, z |
//! | y | chance of each layer; from version 3 |
//! | 2 | number of names, then per name its length (2) and its bytes |
//! | rest | zlib: name index (2) of all nodes, then chance (1) of all, then param2 (1) of all |
//!
//! All numbers are big-endian; nodes are ordered x fastest, then y, then z. Sources: "Luanti
//! Schematic File Format" of Luanti's documentation, and the comment at the top of its
//! `mg_schematic.h`.
//!
//! Luanti's z grows to the north, Stonerun's to the south; both have x east and y up. So z is
//! reversed, which keeps the schematic from being mirrored.
//!
//! Luanti places a node with a chance at random; the import places every such node. A node with
//! chance 0 keeps the node that was there, which is air in an import. A layer with chance 0 is left
//! out and the layers above move down, as in Luanti.
//!
//! Three decoders at three positions unpack the three arrays in parallel, so that no array is held
//! in memory.

mod mts;
mod node_arrays;
mod node_table;
mod node_types;

pub(super) use mts::{MAX_FILE_BYTES, import};

#[cfg(test)]
mod tests;
