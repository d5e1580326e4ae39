//! The `keima` program.

use std::process::ExitCode;

use clap::Parser as _;
use keima::cli::{self, Cli};

fn main() -> ExitCode {
    cli::run(Cli::parse_from(cli::with_double_dashes(std::env::args_os())))
}
