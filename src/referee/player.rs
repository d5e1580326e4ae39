//! Someone who can be asked GTP commands: the referee's view of an engine.

use std::fmt;
use std::time::Duration;

/// An engine. In matches a [`Program`](super::program::Program); in tests anything that answers.
pub(super) trait Player {
    /// Whether the engine lists this command among those it knows.
    fn knows(&self, command: &str) -> bool;

    /// Sends a command and waits for the text of the answer.
    fn ask(&mut self, command: &str, limit: Duration) -> Result<String, AskError>;
}

/// Why a command has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskError {
    /// The engine replied with an error.
    Refused(String),
    /// What came is no GTP reply.
    Garbage(String),
    /// The engine has ended or closed its pipes.
    Died(String),
    /// Nothing came in time.
    Late(Duration),
}

impl AskError {
    /// Whether nothing more can be asked of this process.
    pub(super) fn is_fatal(&self) -> bool {
        !matches!(self, AskError::Refused(_))
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskError::Refused(text) => write!(f, "answered \"? {text}\""),
            AskError::Garbage(text) => write!(f, "wrote what is not GTP: {text:?}"),
            AskError::Died(how) => f.write_str(how),
            AskError::Late(limit) => write!(f, "no answer within {:.1} s", limit.as_secs_f64()),
        }
    }
}

impl std::error::Error for AskError {}
