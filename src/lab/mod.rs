//! The laboratory: the tables of the texts, measured on any input, with well-made rivals beside us.
//!
//! - [`rivals`]: the stores of the 0fps and the Roblox text, and ours, behind one trait.
//! - [`codecs`]: the codecs of the map file, beside LZ4 over the dense array.
//! - [`fly`]: what each task of a game does with voxels, counted on a scripted flight.
//! - [`input`]: what they hold: the 0fps text's benchmark world, a map, another program's file.
//! - [`iteration`]: the 0fps text's table: random access and iteration, in nanoseconds a voxel.
//! - [`pvs`]: the table of the visibility text: bytes of potentially visible sets in each codec.
//! - [`storage`]: the Roblox text's table: bytes in each format, in memory and packed.
//! - [`visibility`]: what cells see, judged by rays, beside the graph walk of other games.

pub mod codecs;
pub mod fly;
pub mod input;
pub mod iteration;
pub mod pvs;
pub mod rivals;
pub mod storage;
pub mod visibility;
