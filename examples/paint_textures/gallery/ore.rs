//! Ores, drawn by hand on stone. Each has its own shape as well as its colour, so that players can
//! distinguish ores in the dark or without colour vision.
//!
//! In the pictures, `h` is the lit side, `l` and `m` the middle, `d` the dark side, and `s` the
//! shadow on the stone.

use super::canvas::Canvas;
use super::plan::Plan;
use super::rock::{STONE, stone};

fn set_in_stone(picture: &Plan, legend: &[(char, u32)]) -> Canvas {
    let mut canvas = stone();
    canvas.stamp(0, 0, picture, &[('s', 0x575B68), ('e', STONE[5])]);
    canvas.stamp(0, 0, picture, legend);
    canvas
}

/// Coal as rounded lumps.
pub fn coal() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "..hm......mm....",
        ".hmmd....hmmd...",
        ".mmdds..hmmdds..",
        "..dds...mmdds...",
        "...s.....dds....",
        "......hm........",
        ".....hmmd....hm.",
        ".....mmdds..hmmd",
        "......dds...mdds",
        ".mm....s.....ds.",
        "hmmd............",
        "mmdds...mm......",
        ".dds...hmmd..h..",
        "..s....mmdds.md.",
        "........dds...s.",
    ];
    set_in_stone(&PICTURE, &[('h', 0x5A5A63), ('m', 0x3B3A43), ('d', 0x24232C)])
}

/// Iron as horizontal bands.
pub fn iron() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "..hmm...........",
        ".hmmldd...hm....",
        "..dds....hmlmd..",
        "....s......dds..",
        ".....hm......s..",
        "...hmmlmd.......",
        "....ddlds...hm..",
        ".hm....s...hmlmd",
        "hmld........ddds",
        ".ds...hmm.....s.",
        ".s...hmllmd.....",
        "......dddds.....",
        ".hmm....ss...hm.",
        "hmllmd......mlds",
        ".ddds........ds.",
    ];
    set_in_stone(&PICTURE, &[('h', 0xE6C9AE), ('m', 0xCB9F82), ('l', 0xB9816A), ('d', 0x8C5F57)])
}

/// Copper as round grains that are weathered green in places.
pub fn copper() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "...hmm..........",
        "..hmmmd....hm...",
        "..mmgdd...hmmd..",
        "..dgmds..hmmgd..",
        "...dds...mmmds..",
        "..........dds...",
        ".hm.............",
        "hmmd....hm......",
        "mgdds..hmmmd....",
        ".dds...mmmmd..hm",
        "......mmmmgd.hmm",
        "..hm..dmmgds.dmm",
        ".hmgd..ddds...dd",
        ".ddds.........s.",
        "..ss............",
    ];
    set_in_stone(&PICTURE, &[('h', 0xEAA57A), ('m', 0xC9754C), ('d', 0x8F4A3E), ('g', 0x6FA287)])
}

/// Gold as small, bright nuggets.
pub fn gold() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "..hl.........h..",
        ".hlmd.......hld.",
        "..mds..h....lmds",
        "...s..hlmd...ds.",
        "......lmmds.....",
        ".h.....dds...hm.",
        "hld.........hlmd",
        ".mds..hl....dmds",
        "..s....ds....ss.",
        "....h......h....",
        "...hlm....hlmd..",
        "..hlmds...lmmds.",
        "...dds.....dds..",
        ".......hm.......",
        "........ds......",
    ];
    set_in_stone(&PICTURE, &[('h', 0xFFF0A0), ('l', 0xFBD95E), ('m', 0xEDB93C), ('d', 0xB07A2C)])
}

/// Crystals as upright shards.
pub fn crystal() -> Canvas {
    const PICTURE: Plan = [
        "................",
        "...h.......h....",
        "...hm.....hmd...",
        "..hlmd....lmd...",
        "..hlmd.h..lmds..",
        "...lmdhmd.mds...",
        "....dslmds.s....",
        ".....s.ds.......",
        "..h.........h...",
        ".hmd...h....lm..",
        ".lmd..hmd..hlmd.",
        ".lmdh.lmd..hlmd.",
        "..dslmlmds..lmds",
        "...smdsds....ds.",
        ".....s.s........",
        "................",
    ];
    set_in_stone(&PICTURE, &[('h', 0xE4F6FF), ('l', 0x9FD4FA), ('m', 0x7C97EE), ('d', 0x5B55B8)])
}
