//! Where a network comes from: nowhere, or a file that the user names.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::network::{Network, NetworkError};

/// The word for playing without a network.
const NONE: &str = "none";

/// A network by the name under which it was asked for.
#[derive(Clone, Debug)]
pub struct NetSource {
    name: String,
    network: Option<Arc<Network>>,
}

impl Default for NetSource {
    fn default() -> NetSource {
        NetSource { name: NONE.to_string(), network: None }
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
    /// Gets the network of this name: `none`, or a file.
    ///
    /// # Errors
    /// When the file cannot be read or is no weight file.
    pub fn load(name: &str) -> Result<NetSource, SourceError> {
        if name.eq_ignore_ascii_case(NONE) {
            return Ok(NetSource::default());
        }
        let bytes = std::fs::read(Path::new(name)).map_err(|error| SourceError::File(name.to_string(), error))?;
        let network = Network::from_bytes(&bytes).map_err(|error| SourceError::Network(name.to_string(), error))?;
        Ok(NetSource { name: name.to_string(), network: Some(Arc::new(network)) })
    }

    /// The network, if there is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }
}

impl fmt::Display for NetSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
