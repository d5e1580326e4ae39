//! The network itself: its weights, and how they are read from a file. [`Evaluator`](super::Evaluator) has the way from a position to an opinion.
//!
//! A residual tower of 3x3 convolutions with global pooling in every second block, after KataGo (Wu, "Accelerating self-play learning in Go", 2019);
//! fully convolutional, so that one set of weights serves every board. `scripts/train` has the same in PyTorch.

use std::fmt;

use super::conv3::Conv3;
use super::kernel::{Conv, LANES};
use super::planes::{PLANES, SCALARS};

/// First bytes of a weight file.
const MAGIC: &[u8; 8] = b"KEIMANET";
/// The only version of the format.
const VERSION: u32 = 1;

/// A dense layer: weights by input and output, and a bias.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) first: Conv3,
    pub(super) pooling: Option<Dense>,
    pub(super) second: Conv3,
}

/// A network with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) channels: usize,
    pub(super) head: usize,
    /// By tap, plane and channel.
    pub(super) input_weights: Vec<f32>,
    pub(super) scalars: Dense,
    pub(super) blocks: Vec<Block>,
    pub(super) policy: Conv,
    pub(super) policy_pooled: Conv,
    pub(super) policy_dense: Dense,
    pub(super) policy_out: Vec<f32>,
    pub(super) pass: Dense,
    pub(super) value: Conv,
    pub(super) value_dense: Dense,
    pub(super) value_out: Dense,
    pub(super) owner: Vec<f32>,
    pub(super) owner_bias: f32,
}

/// Why a file holds no network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// It does not begin as a weight file does.
    NoWeights,
    /// It is of a version that this program does not know.
    Version(u32),
    /// The network has a shape that this program cannot use; says which number is wrong.
    Shape(&'static str),
    /// It is shorter or longer than its shape demands.
    Length,
    /// The bytes are not those that were written.
    Checksum,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NoWeights => f.write_str("not a file of network weights"),
            NetworkError::Version(version) => write!(f, "network weights of version {version}, not {VERSION}"),
            NetworkError::Shape(what) => write!(f, "a network of another shape: {what}"),
            NetworkError::Length => f.write_str("the network weights are cut off or have something behind them"),
            NetworkError::Checksum => f.write_str("the network weights are damaged"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// Takes numbers from a file of weights, one layer after the other.
struct Numbers<'b>(std::slice::Iter<'b, f32>);

impl Numbers<'_> {
    fn take(&mut self, count: usize) -> Vec<f32> {
        self.0.by_ref().take(count).copied().collect()
    }

    fn conv(&mut self, taps: usize, inputs: usize, outputs: usize) -> Conv {
        let weights = self.take(taps * inputs * outputs);
        let bias = self.take(outputs);
        Conv::new(taps, inputs, outputs, &weights, bias)
    }

    fn conv3(&mut self, channels: usize) -> Conv3 {
        let weights = self.take(9 * channels * channels);
        let bias = self.take(channels);
        Conv3::new(channels, channels, &weights, bias)
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Dense {
        Dense { weights: self.take(inputs * outputs), bias: self.take(outputs) }
    }
}

impl Network {
    /// Reads a file of weights. `scripts/train/README.md` has the format.
    ///
    /// # Errors
    /// When the bytes are no such file, or of a network that this program cannot run.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let header = bytes.get(..MAGIC.len()).ok_or(NetworkError::NoWeights)?;
        if header != MAGIC {
            return Err(NetworkError::NoWeights);
        }
        let number = |i: usize| -> Result<u32, NetworkError> {
            let bytes =
                bytes.get(MAGIC.len() + 4 * i..).and_then(|rest| rest.first_chunk()).ok_or(NetworkError::Length)?;
            Ok(u32::from_le_bytes(*bytes))
        };
        if number(0)? != VERSION {
            return Err(NetworkError::Version(number(0)?));
        }
        if (number(1)? as usize, number(2)? as usize) != (PLANES, SCALARS) {
            return Err(NetworkError::Shape("planes and scalars"));
        }
        let [channels, blocks, head, width, count] = [number(3)?, number(4)?, number(5)?, number(6)?, number(7)?];
        let in_lanes = |count: u32| (1..=512).contains(&count) && (count as usize).is_multiple_of(LANES);
        if !in_lanes(channels) || !in_lanes(head) {
            return Err(NetworkError::Shape("channels"));
        }
        if blocks > 100 || !(1..=512).contains(&width) {
            return Err(NetworkError::Shape("blocks or width"));
        }
        let data = bytes.get(MAGIC.len() + 4 * 9..).ok_or(NetworkError::Length)?;
        let [channels, blocks, head, width] = [channels, blocks, head, width].map(|n| n as usize);
        let expected = number_count(channels, blocks, head, width);
        if count as usize != expected || data.len() != 4 * expected {
            return Err(NetworkError::Length);
        }
        if crc32fast::hash(data) != number(8)? {
            return Err(NetworkError::Checksum);
        }
        let values: Vec<f32> = data.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        Ok(Network::from_numbers(&mut Numbers(values.iter()), channels, blocks, head, width))
    }

    fn from_numbers(n: &mut Numbers<'_>, channels: usize, blocks: usize, head: usize, width: usize) -> Network {
        let input_weights = n.take(9 * PLANES * channels);
        let input_bias = n.take(channels);
        let scalars = Dense { weights: n.take(SCALARS * channels), bias: input_bias };
        let blocks = (0..blocks)
            .map(|i| Block {
                first: n.conv3(channels),
                pooling: (i % 2 == 1).then(|| n.dense(3 * channels, channels)),
                second: n.conv3(channels),
            })
            .collect();
        let policy = n.conv(1, channels, head);
        let policy_pooled = n.conv(1, channels, head);
        let policy_dense = Dense { weights: n.take(3 * head * head), bias: vec![0.0; head] };
        let policy_out = n.take(head);
        let pass = n.dense(3 * head, 1);
        let value = n.conv(1, channels, head);
        let value_dense = n.dense(3 * head, width);
        let value_out = n.dense(width, 2);
        let owner = n.take(head);
        let owner_bias = n.take(1)[0];
        Network {
            channels,
            head,
            input_weights,
            scalars,
            blocks,
            policy,
            policy_pooled,
            policy_dense,
            policy_out,
            pass,
            value,
            value_dense,
            value_out,
            owner,
            owner_bias,
        }
    }
}

pub(super) fn number_count(channels: usize, blocks: usize, head: usize, width: usize) -> usize {
    let conv = |taps: usize, inputs: usize, outputs: usize| taps * inputs * outputs + outputs;
    let tower: usize = (0..blocks)
        .map(|i| 2 * conv(9, channels, channels) + if i % 2 == 1 { conv(3, channels, channels) } else { 0 })
        .sum();
    let policy = 2 * conv(1, channels, head) + 3 * head * head + head + 3 * head + 1;
    let value = conv(1, channels, head) + conv(1, 3 * head, width) + conv(1, width, 2) + head + 1;
    9 * PLANES * channels + channels + SCALARS * channels + tower + policy + value
}
