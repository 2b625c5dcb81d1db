//! Tests of the command line as users meet it: commands, exit codes and error lines.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod edit;
mod export;
mod formats;
mod import;
#[cfg(feature = "lab")]
mod lab;
#[cfg(feature = "lab")]
mod lab_surface;
mod region;
mod time;
