//! The command line as a user meets it: every command, exit code and error line.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod edit;
mod export;
mod formats;
mod import;
#[cfg(feature = "lab")]
mod lab;
mod region;
mod time;
