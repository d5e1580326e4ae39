//! What the command line, KataGo's configuration files and a query's `overrideSettings` can choose.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::engine;
use crate::net::NetSource;
use crate::search::SearchParams;

/// Who sees the values of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Perspective {
    /// Black, whoever is to move.
    Black,
    /// White, whoever is to move.
    White,
    /// The player to move.
    ToMove,
}

/// What holds for every query unless it says otherwise.
#[derive(Clone, Debug)]
pub struct AnalysisSettings {
    /// Positions searched at the same time, each by one thread.
    pub threads: usize,
    /// Most memory for all search trees together, in MiB; `None` to choose by what is free.
    pub memory_mib: Option<usize>,
    /// The network.
    pub net: NetSource,
    /// Start of the random numbers.
    pub seed: u64,
    /// Whether the end of the input leaves what was asked to be answered.
    pub waits: bool,
    /// Simulations of a position.
    pub visits: u64,
    /// Longest search of a position.
    pub time: Option<Duration>,
    /// Who sees the values.
    pub perspective: Perspective,
    /// Longest line told, the first move not counted.
    pub line: usize,
    /// The numbers of the search.
    pub search: SearchParams,
}

impl Default for AnalysisSettings {
    fn default() -> AnalysisSettings {
        AnalysisSettings {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mib: None,
            net: NetSource::default(),
            seed: 0,
            waits: true,
            visits: 500,
            time: None,
            // As in the configuration that KataGo comes with.
            perspective: Perspective::Black,
            line: 15,
            search: SearchParams::default(),
        }
    }
}

impl AnalysisSettings {
    /// Changes the setting that KataGo's configuration knows by this name; false where Keima has no such setting. The numbers of Keima's own
    /// search can be set by their names, too.
    ///
    /// # Errors
    /// What the value should have been.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        let value = value.trim();
        match key {
            "reportAnalysisWinratesAs" => {
                self.perspective = match value.to_ascii_uppercase().as_str() {
                    "BLACK" => Perspective::Black,
                    "WHITE" => Perspective::White,
                    "SIDETOMOVE" => Perspective::ToMove,
                    _ => return Err("BLACK, WHITE or SIDETOMOVE".to_string()),
                }
            }
            "maxVisits" | "maxPlayouts" => {
                let visits = value.parse().ok().filter(|visits| (1..=1 << 50).contains(visits));
                self.visits = visits.ok_or("an integer from 1 to 2^50")?;
            }
            "maxTime" => {
                let seconds: Option<f64> = value.parse().ok().filter(|s: &f64| s.is_finite() && *s > 0.0);
                let time = seconds.and_then(|s| Duration::try_from_secs_f64(s.min(1e9)).ok());
                self.time = Some(time.ok_or("a number of seconds above 0")?);
            }
            "analysisPVLen" => {
                let line = value.parse().ok().filter(|line| (1..=1000).contains(line));
                self.line = line.ok_or("an integer from 1 to 1000")?;
            }
            _ if self.search.numbers().any(|(name, _)| name == key) => {
                let number = value.parse().map_err(|_| "a number".to_string())?;
                self.search.set_number(key, number).map_err(|error| error.to_string())?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Memory for each worker's tree, in MiB.
    pub(super) fn memory_per_worker(&self) -> usize {
        engine::share_mib(self.memory_mib, self.threads)
    }

    /// Takes over what a configuration file of KataGo says of what Keima knows; everything else in it is passed over.
    ///
    /// # Errors
    /// When the file cannot be read or a value of a known setting makes no sense.
    pub fn read_config(&mut self, path: &Path) -> Result<(), ConfigError> {
        let text =
            std::fs::read(path).map_err(|error| ConfigError(format!("cannot read {}: {error}", path.display())))?;
        let text = String::from_utf8_lossy(&text);
        for line in text.lines().map(|line| line.split('#').next().unwrap_or_default()) {
            self.read_setting(line).map_err(|error| ConfigError(format!("{}: {error}", path.display())))?;
        }
        Ok(())
    }

    /// Takes over `key=value` pairs with commas between.
    ///
    /// # Errors
    /// When a value of a known setting makes no sense.
    pub fn read_overrides(&mut self, text: &str) -> Result<(), ConfigError> {
        text.split(',').try_for_each(|pair| self.read_setting(pair)).map_err(ConfigError)
    }

    fn read_setting(&mut self, text: &str) -> Result<(), String> {
        let Some((key, value)) = text.split_once('=') else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        match self.set(key, value) {
            Ok(true) => Ok(()),
            Ok(false) => {
                log::info!("the setting {key} has no meaning for Keima");
                Ok(())
            }
            Err(right) => Err(format!("{key} is {value:?}, must be {right}")),
        }
    }
}

/// Why a configuration cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}
