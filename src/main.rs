//! The program: parses the command line, runs the command, and sets the exit code.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // clap exits with code 2 on a usage error, before this point.
    match stonerun::cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("stonerun: {reason}");
            ExitCode::FAILURE
        }
    }
}
