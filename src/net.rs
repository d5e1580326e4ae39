//! The network: a small convolutional net that judges a position at a glance.

mod conv3;
mod evaluator;
mod int8;
mod kernel;
mod network;
mod planes;
mod source;
#[cfg(test)]
mod tests;
mod winograd;

pub use conv3::Precision;
pub use evaluator::{Evaluator, Opinion};
pub use network::{Network, NetworkError};
pub use planes::{Input, InputReader, PLANES, SCALARS};
pub use source::{NetSource, SourceError};
