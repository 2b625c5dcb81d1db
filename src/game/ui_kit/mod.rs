//! The parts that screens, panels and tools are made of. All egui, in one style.
//!
//! - [`theme`], [`text`], [`scale`]: colours and sizes, words, the size of everything.
//! - [`layout`]: the area of each part of the interface, so that none overlap.
//! - [`keyboard`]: key presses for egui.
//! - [`slider`], [`slots`], [`icons`], [`thumbnail`]: widgets. [`material_search`]: blocks by name.
//! - [`job`]: work on a thread of its own, with its progress. `file_chooser`.

pub mod file_chooser;
pub mod icons;
pub mod job;
pub mod keyboard;
pub mod layout;
pub mod material_search;
#[cfg(test)]
pub mod painted;
pub mod scale;
pub mod slider;
pub mod slots;
pub mod text;
pub mod theme;
pub mod thumbnail;
