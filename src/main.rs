//! The `keima` program.

use std::process::ExitCode;

use clap::Parser;
use keima::cli::{self, Cli};

fn main() -> ExitCode {
    cli::run(Cli::parse())
}
