//! The program: reads the command line, does what it says, and turns the outcome into an exit code.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // clap itself leaves with code 2 where the command line is not understood.
    match stonerun::cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("stonerun: {reason}");
            ExitCode::FAILURE
        }
    }
}
