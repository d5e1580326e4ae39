//! The network: a small convolutional net that judges a position at a glance.

mod kernel;
mod network;
mod planes;
mod source;
#[cfg(test)]
mod tests;
mod winograd;

pub use network::{Evaluator, Network, NetworkError, Opinion};
pub use planes::{Input, InputReader, PLANES, SCALARS};
pub use source::{NetSource, SourceError};
