//! The command line of the JSON analysis engine, as KataGo has it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::settings::{AnalysisSettings, ConfigError};
use crate::gtp;
use crate::net::NetSource;

/// Options of the JSON analysis engine; those of KataGo have its names.
#[derive(Args, Clone, Debug)]
pub struct AnalysisOptions {
    /// Positions searched at the same time; the number of processors if not given
    #[arg(long, visible_alias = "analysis-threads", value_name = "N", value_parser = gtp::check_threads)]
    threads: Option<usize>,
    /// Simulations of a position whose query names no number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 50))]
    visits: Option<u64>,
    /// Most memory that all search trees together may take; chosen by what is free if not given
    #[arg(long, value_name = "MIB", value_parser = gtp::check_memory)]
    memory: Option<usize>,
    /// Start of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Network: built-in (from 9x9 on), none, or a file of Keima's weights
    #[arg(long, value_name = "FILE", default_value_t = NetSource::default(), value_parser = NetSource::load)]
    net: NetSource,
    /// A configuration file of KataGo
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Settings that go before those of the configuration
    #[arg(long, value_name = "KEY=VALUE,...")]
    override_config: Vec<String>,
    /// Leave what was asked unanswered when the input ends
    #[arg(long)]
    quit_without_waiting: bool,
    /// A network of KataGo: not used, accepted because clients give one
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Not used either
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    human_model: Option<PathBuf>,
}

impl AnalysisOptions {
    /// The settings: those of the configurations, and over them those of the command line.
    ///
    /// # Errors
    /// When a configuration cannot be used.
    pub fn settings(&self) -> Result<AnalysisSettings, ConfigError> {
        let mut settings = AnalysisSettings::default();
        for path in &self.config {
            settings.read_config(path)?;
        }
        for text in &self.override_config {
            settings.read_overrides(text)?;
        }
        settings.threads = self.threads.unwrap_or(settings.threads);
        settings.visits = self.visits.unwrap_or(settings.visits);
        settings.memory_mib = self.memory;
        settings.seed = self.seed;
        settings.net = self.net.clone();
        settings.waits = !self.quit_without_waiting;
        Ok(settings)
    }
}

/// The arguments of a call of `keima analysis` with two dashes where KataGo, whose clients give them, has one; of any other call as they are.
pub fn with_double_dashes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|command| command == "analysis") {
        for argument in &mut arguments[2..] {
            let name = argument.to_str().and_then(|text| text.strip_prefix('-')).unwrap_or_default();
            if name.len() > 1 && name.starts_with(|c: char| c.is_ascii_lowercase()) {
                *argument = format!("--{name}").into();
            }
        }
    }
    arguments
}
