//! Building blocks of screens, panels and tools, drawn by egui in one style.
//!
//! - [`theme`], [`text`], [`scale`]: colours and sizes, words, the scale of the interface.
//! - [`layout`]: the area of each part of the interface, so that no two overlap.
//! - [`keyboard`]: key presses for egui.
//! - [`slider`], [`slots`], [`icons`], [`thumbnail`]: widgets. [`material_search`]: blocks by name.
//! - [`job`]: work on a thread of its own, with its progress. `file_chooser`: chooses a file.

pub mod file_chooser;
pub mod icons;
pub mod job;
pub mod keyboard;
pub mod layout;
pub mod material_search;
#[cfg(test)]
pub mod painted;
pub mod ring;
pub mod scale;
pub mod slider;
pub mod slots;
pub mod text;
pub mod theme;
pub mod thumbnail;
