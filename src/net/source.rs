//! Where a network comes from: the program itself, a file that the user names, or nowhere.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::network::{Network, NetworkError};
use crate::geometry::Geometry;

/// The word for playing without a network.
const NONE: &str = "none";
/// The word for the networks that are part of the program.
const BUILT_IN: &str = "built-in";
/// The weights that are part of the program, each with the boards on which it plays; the README says what they were learnt from.
const SHIPPED: [(RangeInclusive<usize>, &[u8]); 2] =
    [(9..=9, include_bytes!("weights/small.bin")), (10..=25, include_bytes!("weights/large.bin"))];

/// A network by the name under which it was asked for.
#[derive(Clone, Debug)]
pub struct NetSource {
    name: String,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    Nowhere,
    BuiltIn,
    File(Arc<Network>),
}

impl Default for NetSource {
    /// The built-in networks.
    fn default() -> NetSource {
        NetSource { name: BUILT_IN.to_string(), origin: Origin::BuiltIn }
    }
}

/// Why a network could not be had.
#[derive(Debug)]
pub enum SourceError {
    /// The file could not be read.
    File(String, std::io::Error),
    /// The file holds no network that can be used.
    Network(String, NetworkError),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::File(name, error) => write!(f, "cannot read the network {name}: {error}"),
            SourceError::Network(name, error) => write!(f, "{name}: {error}"),
        }
    }
}

impl std::error::Error for SourceError {}

impl NetSource {
    /// No network.
    pub fn none() -> NetSource {
        NetSource { name: NONE.to_string(), origin: Origin::Nowhere }
    }

    /// Gets the network of this name: `built-in`, `none`, or a file.
    ///
    /// # Errors
    /// When the file cannot be read or is no weight file.
    pub fn load(name: &str) -> Result<NetSource, SourceError> {
        match name.to_ascii_lowercase().as_str() {
            NONE => return Ok(NetSource::none()),
            BUILT_IN => return Ok(NetSource::default()),
            _ => {}
        }
        let bytes = std::fs::read(Path::new(name)).map_err(|error| SourceError::File(name.to_string(), error))?;
        let network = Network::from_bytes(&bytes).map_err(|error| SourceError::Network(name.to_string(), error))?;
        Ok(NetSource { name: name.to_string(), origin: Origin::File(Arc::new(network)) })
    }

    /// The network for a board, if there is one: that of a file serves all boards.
    pub fn network(&self, geometry: Geometry) -> Option<&Arc<Network>> {
        match &self.origin {
            Origin::File(network) => Some(network),
            Origin::BuiltIn => shipped(geometry.size()),
            Origin::Nowhere => None,
        }
    }
}

/// The built-in network for boards of this size, read when first asked for.
fn shipped(size: usize) -> Option<&'static Arc<Network>> {
    static NETWORKS: [LazyLock<Arc<Network>>; 2] = [LazyLock::new(|| read(0)), LazyLock::new(|| read(1))];
    SHIPPED.iter().position(|(sizes, _)| sizes.contains(&size)).map(|place| &*NETWORKS[place])
}

fn read(place: usize) -> Arc<Network> {
    Arc::new(Network::from_bytes(SHIPPED[place].1).expect("the weights in the program are tested"))
}

impl fmt::Display for NetSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
