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
//! All numbers are big endian; nodes are ordered x fastest, then y, then z. Sources: "Luanti
//! Schematic File Format" of Luanti's documentation, and the head of its `mg_schematic.h`.
//!
//! Luanti's z grows to the north, here to the south; both have x east and y up. So z is reversed,
//! and nothing is mirrored.
//!
//! Luanti rolls chances when it places a schematic. The import places every node with a chance. A
//! node without one leaves what was there, which is air here. A layer without one is left out and
//! the layers above move down, as in Luanti.
//!
//! Three decoders at three positions unpack the three arrays in parallel, so no array is held in
//! memory.

mod mts;
mod node_arrays;
mod node_table;
mod node_types;

pub(super) use mts::{MAX_FILE_BYTES, import};

#[cfg(test)]
mod tests;
