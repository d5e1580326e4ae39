//! From a position to an opinion: what the network computes, layer by layer.

use super::conv3::{Precision, Scratch};
use super::int8::Layers;
use super::kernel::{Grid, dense, pool};
use super::network::Network;
use super::planes::{Input, PLANES};
use crate::geometry::{Geometry, PointMap};

/// Points of lead that the network's output of 1 means.
const LEAD_UNIT: f32 = 10.0;

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
    scratch: Scratch,
    precision: Precision,
    /// What [`Evaluator::evaluate`] found.
    pub opinion: Opinion,
}

impl Evaluator {
    /// Scratch memory, made ready when first used.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// The same, to compute with another precision than what is fastest here.
    pub fn with_precision(precision: Precision) -> Evaluator {
        Evaluator { precision, ..Evaluator::default() }
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
        self.scratch = Scratch::new(grid, network.channels);
    }

    /// Evaluates a position; the result is in `self.opinion`.
    pub fn evaluate(&mut self, network: &Network, geometry: Geometry, input: &Input) {
        let grid = Grid::new(geometry);
        self.prepare(network, grid);
        self.first_layer(network, geometry, grid, input);
        let channels = network.channels;
        for block in &network.blocks {
            let layers = Layers { grid, input: &self.trunk, add: None, output: &mut self.inner, rectify: true };
            block.first.apply(self.precision, &mut self.scratch, layers);
            if let Some(dense_layer) = &block.pooling {
                let pooled = &mut self.pooled[..3 * channels];
                pool(grid, channels, &self.inner, pooled);
                let vector = &mut self.vector[..channels];
                dense(pooled, &dense_layer.weights, &dense_layer.bias, vector);
                for place in grid.places() {
                    add_to(&mut self.inner[place * channels..][..channels], vector);
                }
            }
            let add = Some(&self.trunk[..]);
            let layers = Layers { grid, input: &self.inner, add, output: &mut self.next, rectify: true };
            block.second.apply(self.precision, &mut self.scratch, layers);
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
