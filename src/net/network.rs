//! The network itself: its weights, and the way from a position to an opinion.
//!
//! A residual tower of 3x3 convolutions with global pooling in every second block, after KataGo (Wu, "Accelerating self-play learning in Go", 2019);
//! fully convolutional, so that one set of weights serves every board. `scripts/train` has the same in PyTorch.

use std::fmt;

use super::kernel::{Conv, Grid, LANES, dense, pool};
use super::planes::{Input, PLANES, SCALARS};
use super::winograd::{Tiles, Winograd};
use crate::geometry::{Geometry, PointMap};

/// First bytes of a weight file.
const MAGIC: &[u8; 8] = b"KEIMANET";
/// The only version of the format.
const VERSION: u32 = 1;
/// Points of lead that the network's output of 1 means.
const LEAD_UNIT: f32 = 10.0;

/// A dense layer: weights by input and output, and a bias.
#[derive(Clone, Debug)]
struct Dense {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// A convolution of 3x3 taps, the faster way where the number of channels allows it.
#[derive(Clone, Debug)]
enum Conv3 {
    Tiled(Winograd),
    Direct(Conv),
}

impl Conv3 {
    fn apply(
        &self,
        grid: Grid,
        tiles: &mut Tiles,
        input: &[f32],
        add: Option<&[f32]>,
        output: &mut [f32],
        rectify: bool,
    ) {
        match self {
            Conv3::Tiled(conv) => conv.apply(tiles, input, add, output, rectify),
            Conv3::Direct(conv) => conv.apply(grid, input, add, output, rectify),
        }
    }
}

#[derive(Clone, Debug)]
struct Block {
    first: Conv3,
    pooling: Option<Dense>,
    second: Conv3,
}

/// A network with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    channels: usize,
    head: usize,
    /// By tap, plane and channel.
    input_weights: Vec<f32>,
    scalars: Dense,
    blocks: Vec<Block>,
    policy: Conv,
    policy_pooled: Conv,
    policy_dense: Dense,
    policy_out: Vec<f32>,
    pass: Dense,
    value: Conv,
    value_dense: Dense,
    value_out: Dense,
    owner: Vec<f32>,
    owner_bias: f32,
}

/// The network's opinion of a position, for the player to move.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// For each point, the logarithm of how likely a stone there is, but for a common constant; meaningless where none may be played.
    pub policy: PointMap<f32>,
    /// The same of a pass.
    pub pass: f32,
    /// Probability of winning.
    pub win: f32,
    /// Expected lead in points, komi counted.
    pub lead: f32,
    /// Expected owner of each point: 1 for the player to move, -1 for the opponent.
    pub owner: PointMap<f32>,
}

impl Opinion {
    fn add(&mut self, other: &Opinion, geometry: Geometry) {
        self.pass += other.pass;
        self.win += other.win;
        self.lead += other.lead;
        for point in geometry.points() {
            self.policy[point] += other.policy[point];
            self.owner[point] += other.owner[point];
        }
    }

    fn divide(&mut self, count: f32, geometry: Geometry) {
        self.pass /= count;
        self.win /= count;
        self.lead /= count;
        for point in geometry.points() {
            self.policy[point] /= count;
            self.owner[point] /= count;
        }
    }

    /// The opinion of the position as it was before a symmetry turned it: see [`Geometry::turned`].
    pub fn turned_back(&self, geometry: Geometry, symmetry: u8) -> Opinion {
        let mut back = self.clone();
        for point in geometry.points() {
            let turned = geometry.turned(point, symmetry);
            (back.policy[point], back.owner[point]) = (self.policy[turned], self.owner[turned]);
        }
        back
    }
}

impl Default for Opinion {
    fn default() -> Opinion {
        Opinion { policy: PointMap::new(0.0), pass: 0.0, win: 0.5, lead: 0.0, owner: PointMap::new(0.0) }
    }
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
        match Winograd::new(channels, channels, &weights, &bias) {
            Some(conv) => Conv3::Tiled(conv),
            None => Conv3::Direct(Conv::new(9, channels, channels, &weights, bias)),
        }
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

/// A network's scratch memory and its last opinion.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    /// What the memory fits: a grid, and the network's channels, head channels and width.
    fits: Option<(Grid, [usize; 3])>,
    trunk: Vec<f32>,
    inner: Vec<f32>,
    next: Vec<f32>,
    head: Vec<f32>,
    pooled: Vec<f32>,
    vector: Vec<f32>,
    wide: Vec<f32>,
    tiles: Tiles,
    /// What [`Evaluator::evaluate`] found.
    pub opinion: Opinion,
}

impl Evaluator {
    /// Scratch memory, made ready when first used.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    fn prepare(&mut self, network: &Network, grid: Grid) {
        let fits = Some((grid, [network.channels, network.head, network.value_dense.bias.len()]));
        if self.fits == fits {
            return;
        }
        self.fits = fits;
        for layer in [&mut self.trunk, &mut self.inner, &mut self.next] {
            *layer = vec![0.0; grid.cells() * network.channels];
        }
        self.head = vec![0.0; grid.cells() * network.head];
        self.pooled = vec![0.0; 3 * network.channels.max(network.head)];
        self.vector = vec![0.0; network.channels.max(network.head)];
        self.wide = vec![0.0; network.value_dense.bias.len()];
        self.tiles = Tiles::new(grid, network.channels);
    }

    /// Evaluates a position; the result is in `self.opinion`.
    pub fn evaluate(&mut self, network: &Network, geometry: Geometry, input: &Input) {
        let grid = Grid::new(geometry);
        self.prepare(network, grid);
        self.first_layer(network, geometry, grid, input);
        let channels = network.channels;
        for block in &network.blocks {
            block.first.apply(grid, &mut self.tiles, &self.trunk, None, &mut self.inner, true);
            if let Some(dense_layer) = &block.pooling {
                let pooled = &mut self.pooled[..3 * channels];
                pool(grid, channels, &self.inner, pooled);
                let vector = &mut self.vector[..channels];
                dense(pooled, &dense_layer.weights, &dense_layer.bias, vector);
                for place in grid.places() {
                    add_to(&mut self.inner[place * channels..][..channels], vector);
                }
            }
            block.second.apply(grid, &mut self.tiles, &self.inner, Some(&self.trunk), &mut self.next, true);
            std::mem::swap(&mut self.trunk, &mut self.next);
        }
        self.policy_head(network, geometry, grid);
        self.value_head(network, geometry, grid);
    }

    /// Evaluates a position as seen with the board turned by a symmetry; the opinion is of the board as it is.
    pub fn evaluate_turned(&mut self, network: &Network, geometry: Geometry, input: &Input, symmetry: u8) {
        if symmetry == 0 {
            return self.evaluate(network, geometry, input);
        }
        self.evaluate(network, geometry, &input.turned(geometry, symmetry));
        self.opinion = self.opinion.turned_back(geometry, symmetry);
    }

    /// Evaluates a position as seen by the first so many symmetries of the board; the mean opinion is in `self.opinion`.
    pub fn evaluate_by_symmetries(&mut self, network: &Network, geometry: Geometry, input: &Input, count: u8) {
        self.evaluate(network, geometry, input);
        if count <= 1 {
            return;
        }
        let mut mean = self.opinion.clone();
        for symmetry in 1..count {
            self.evaluate_turned(network, geometry, input, symmetry);
            mean.add(&self.opinion, geometry);
        }
        mean.divide(f32::from(count), geometry);
        self.opinion = mean;
    }

    /// The convolution of the planes: few are set, so each that is adds its weights to the points around.
    fn first_layer(&mut self, network: &Network, geometry: Geometry, grid: Grid, input: &Input) {
        let channels = network.channels;
        let bias = &mut self.vector[..channels];
        dense(&input.scalars, &network.scalars.weights, &network.scalars.bias, bias);
        self.trunk.fill(0.0);
        for place in grid.places() {
            self.trunk[place * channels..][..channels].copy_from_slice(bias);
        }
        let taps = grid.taps();
        for (place, point) in grid.places().zip(geometry.points()) {
            let mut planes = input.planes[point];
            while planes != 0 {
                let plane = planes.trailing_zeros() as usize;
                planes &= planes - 1;
                for (tap, &step) in taps.iter().enumerate() {
                    let weights = &network.input_weights[(tap * PLANES + plane) * channels..][..channels];
                    add_to(&mut self.trunk[place.wrapping_add_signed(-step) * channels..][..channels], weights);
                }
            }
        }
        // The sums next to the board are of no use, and those on it lose what is negative.
        let mut on_board = grid.places().peekable();
        for place in 0..grid.cells() {
            let values = &mut self.trunk[place * channels..][..channels];
            if on_board.next_if_eq(&place).is_some() {
                values.iter_mut().for_each(|value| *value = value.max(0.0));
            } else {
                values.fill(0.0);
            }
        }
    }

    fn policy_head(&mut self, network: &Network, geometry: Geometry, grid: Grid) {
        let head = network.head;
        let pooled = &mut self.pooled[..3 * head];
        network.policy_pooled.apply(grid, &self.trunk, None, &mut self.head, true);
        pool(grid, head, &self.head, pooled);
        let mut pass = [0.0];
        dense(pooled, &network.pass.weights, &network.pass.bias, &mut pass);
        self.opinion.pass = pass[0];
        let vector = &mut self.vector[..head];
        dense(pooled, &network.policy_dense.weights, &network.policy_dense.bias, vector);
        network.policy.apply(grid, &self.trunk, None, &mut self.head, false);
        for (place, point) in grid.places().zip(geometry.points()) {
            let values = self.head[place * head..][..head].iter().zip(&*vector).zip(&network.policy_out);
            self.opinion.policy[point] = values.map(|((value, bias), weight)| (value + bias).max(0.0) * weight).sum();
        }
    }

    fn value_head(&mut self, network: &Network, geometry: Geometry, grid: Grid) {
        let head = network.head;
        let pooled = &mut self.pooled[..3 * head];
        network.value.apply(grid, &self.trunk, None, &mut self.head, true);
        pool(grid, head, &self.head, pooled);
        dense(pooled, &network.value_dense.weights, &network.value_dense.bias, &mut self.wide);
        self.wide.iter_mut().for_each(|value| *value = value.max(0.0));
        let mut out = [0.0; 2];
        dense(&self.wide, &network.value_out.weights, &network.value_out.bias, &mut out);
        self.opinion.win = 1.0 / (1.0 + (-out[0]).exp());
        self.opinion.lead = out[1] * LEAD_UNIT;
        for (place, point) in grid.places().zip(geometry.points()) {
            let sum: f32 = self.head[place * head..][..head].iter().zip(&network.owner).map(|(v, w)| v * w).sum();
            self.opinion.owner[point] = (sum + network.owner_bias).tanh();
        }
    }
}

#[inline]
fn add_to(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}
