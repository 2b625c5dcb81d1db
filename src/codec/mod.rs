//! Codecs: chunks as bytes, for the map file, the history, the storage table and the network.
//!
//! - [`byte_rle`]: whole bytes per run, made for a compressor behind it (Roblox text, "Disk format").
//! - [`predicted`]: each run as its difference from the runs before it, in fixed prefix codes.
//! - [`bit_rle`]: bit-packed runs, with no compressor behind it (Roblox text, "network replication").

pub mod bit_rle;
mod bits;
pub mod byte_rle;
pub mod predicted;
