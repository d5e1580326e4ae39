//! Convolutions of 3x3 taps with a third of the multiplications: tiles of 3x3 points, whose sums are products in another basis.
//!
//! A tile of outputs depends on 5x5 inputs. Both are polynomials; where they are evaluated at the points 0, 1, -1, 2 and infinity, a convolution is
//! a product value by value: 25 products for 9 outputs instead of 81. After Winograd ("Arithmetic complexity of computations", 1980) and, for networks,
//! Lavin and Gray ("Fast algorithms for convolutional neural networks", 2016), whose tiles have other sizes; 3x3 divides 9x9 without rest.
//!
//! The products of all tiles at one place of the basis are a product of matrices, and nearly all of the work.

// Loops over constant ranges become straight code; iterators would not.
#![allow(clippy::needless_range_loop)]

use super::kernel::{Grid, add_scaled, fast};

/// Side of a tile of outputs.
const TILE: usize = 3;
/// Side of the inputs that a tile depends on.
const REACH: usize = 5;
/// Values of a tile in the other basis.
const BASIS: usize = REACH * REACH;
/// Output channels that are computed together: four AVX registers.
pub const WIDE: usize = 32;
/// Tiles that are computed together: with [`WIDE`] twelve registers of sums, which leaves four of AVX's sixteen for factors.
const TOGETHER: usize = 3;
/// Channels that are transformed together: one AVX register.
const LANES: usize = 8;
/// Registers in a group of outputs.
const QUARTERS: usize = WIDE / LANES;

type Lanes = [f32; LANES];

/// The weights of a convolution of 3x3 taps, in the other basis.
#[derive(Clone, Debug)]
pub struct Winograd {
    inputs: usize,
    outputs: usize,
    /// For each place of the basis, group of [`WIDE`] outputs and input: a row of weights.
    weights: Vec<[Lanes; QUARTERS]>,
    bias: Vec<f32>,
}

/// Where the tiles of a board lie, and memory for their values.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    /// For each tile the places of the inputs, row by row; off the board a place of zeros.
    reach: Vec<[usize; BASIS]>,
    /// For each tile the places of the outputs; nothing off the board.
    outputs: Vec<[Option<usize>; TILE * TILE]>,
    /// By place of the basis, tile and channel.
    values: Vec<f32>,
    products: Vec<f32>,
}

impl Tiles {
    /// The tiles of a grid, for layers of at most this many channels.
    pub fn new(grid: Grid, channels: usize) -> Tiles {
        let along = grid.size().div_ceil(TILE);
        let mut tiles = Tiles::default();
        for (ty, tx) in (0..along).flat_map(|ty| (0..along).map(move |tx| (ty * TILE, tx * TILE))) {
            // One row and column before the tile, which the grid's coordinates do not have.
            let input = |i: usize| Some(((ty + i / REACH).checked_sub(1)?, (tx + i % REACH).checked_sub(1)?));
            let place = |at: Option<(usize, usize)>| at.and_then(|(y, x)| grid.place(y, x));
            tiles.reach.push(std::array::from_fn(|i| place(input(i)).unwrap_or(Grid::ZERO)));
            tiles.outputs.push(std::array::from_fn(|i| grid.place(ty + i / TILE, tx + i % TILE)));
        }
        let length = BASIS * tiles.padded() * channels;
        (tiles.values, tiles.products) = (vec![0.0; length], vec![0.0; length]);
        tiles
    }

    /// Number of tiles, filled up to whole groups of [`TOGETHER`]; what is filled up stays zero.
    fn padded(&self) -> usize {
        self.reach.len().next_multiple_of(TOGETHER)
    }
}

impl Winograd {
    /// From weights by tap, input and output; `None` where the channels do not fit the groups.
    pub fn new(inputs: usize, outputs: usize, weights: &[f32], bias: &[f32]) -> Option<Winograd> {
        if !inputs.is_multiple_of(LANES) || !outputs.is_multiple_of(WIDE) {
            return None;
        }
        let groups = outputs / WIDE;
        let mut rows = vec![[[0.0; LANES]; QUARTERS]; BASIS * groups * inputs];
        for (input, output) in (0..inputs).flat_map(|i| (0..outputs).map(move |o| (i, o))) {
            let tap = |t: usize| f64::from(weights[(t * inputs + input) * outputs + output]);
            let transformed = both_ways(std::array::from_fn(|y| std::array::from_fn(|x| tap(3 * y + x))));
            for (place, value) in transformed.iter().flatten().enumerate() {
                let row = &mut rows[(place * groups + output / WIDE) * inputs + input];
                row.as_flattened_mut()[output % WIDE] = *value as f32;
            }
        }
        Some(Winograd { inputs, outputs, weights: rows, bias: bias.to_vec() })
    }

    /// Writes the convolution of `input` to the board's places of `output`; `add` is added first where there is one, and negative sums become
    /// zero if `rectify`. Layers are as [`super::kernel::Conv::apply`] has them, and `tiles` are the grid's.
    pub fn apply(&self, tiles: &mut Tiles, input: &[f32], add: Option<&[f32]>, output: &mut [f32], rectify: bool) {
        debug_assert!(tiles.values.len() >= BASIS * tiles.padded() * self.inputs.max(self.outputs));
        fast::winograd(self, tiles, input, add, output, rectify);
    }

    /// The work of [`Winograd::apply`], inlined into a function for each set of instructions.
    #[inline(always)]
    pub(super) fn apply_with<const FUSED: bool>(
        &self,
        tiles: &mut Tiles,
        input: &[f32],
        add: Option<&[f32]>,
        output: &mut [f32],
        rectify: bool,
    ) {
        self.transform_inputs(tiles, input);
        self.multiply::<FUSED>(tiles);
        self.transform_outputs(tiles, add, output, rectify);
    }

    #[inline(always)]
    fn transform_inputs(&self, tiles: &mut Tiles, input: &[f32]) {
        let n = self.inputs;
        let plane = tiles.padded() * n;
        for (tile, reach) in tiles.reach.iter().enumerate() {
            for first in (0..n).step_by(LANES) {
                let mut rows = [[[0.0; LANES]; REACH]; REACH];
                for y in 0..REACH {
                    for x in 0..REACH {
                        rows[y][x].copy_from_slice(&input[reach[y * REACH + x] * n + first..][..LANES]);
                    }
                    rows[y] = input_line(rows[y]);
                }
                for x in 0..REACH {
                    let column = input_line([rows[0][x], rows[1][x], rows[2][x], rows[3][x], rows[4][x]]);
                    for y in 0..REACH {
                        let at = (y * REACH + x) * plane + tile * n + first;
                        tiles.values[at..at + LANES].copy_from_slice(&column[y]);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn multiply<const FUSED: bool>(&self, tiles: &mut Tiles) {
        let (n, m, padded) = (self.inputs, self.outputs, tiles.padded());
        let groups = m / WIDE;
        for (row, weights) in self.weights.chunks_exact(n).enumerate() {
            let (place, group) = (row / groups, row % groups);
            let values = &tiles.values[place * padded * n..(place + 1) * padded * n];
            let products = &mut tiles.products[place * padded * m..(place + 1) * padded * m];
            for (three, values) in values.chunks_exact(TOGETHER * n).enumerate() {
                let (v0, v1, v2) = (&values[..n], &values[n..2 * n], &values[2 * n..3 * n]);
                let (mut s0, mut s1, mut s2) =
                    ([[0.0; LANES]; QUARTERS], [[0.0; LANES]; QUARTERS], [[0.0; LANES]; QUARTERS]);
                for i in 0..n {
                    let (x0, x1, x2) = (v0[i], v1[i], v2[i]);
                    // One register of weights at a time: all four would leave too few for the sums.
                    for quarter in 0..QUARTERS {
                        let weights = &weights[i][quarter];
                        add_scaled::<FUSED, LANES>(&mut s0[quarter], x0, weights);
                        add_scaled::<FUSED, LANES>(&mut s1[quarter], x1, weights);
                        add_scaled::<FUSED, LANES>(&mut s2[quarter], x2, weights);
                    }
                }
                let at = three * TOGETHER * m + group * WIDE;
                products[at..at + WIDE].copy_from_slice(s0.as_flattened());
                products[at + m..at + m + WIDE].copy_from_slice(s1.as_flattened());
                products[at + 2 * m..at + 2 * m + WIDE].copy_from_slice(s2.as_flattened());
            }
        }
    }

    #[inline(always)]
    fn transform_outputs(&self, tiles: &Tiles, add: Option<&[f32]>, output: &mut [f32], rectify: bool) {
        let m = self.outputs;
        let plane = tiles.padded() * m;
        for (tile, places) in tiles.outputs.iter().enumerate() {
            for first in (0..m).step_by(LANES) {
                let mut rows = [[[0.0; LANES]; TILE]; REACH];
                for y in 0..REACH {
                    let mut line = [[0.0; LANES]; REACH];
                    for x in 0..REACH {
                        let at = (y * REACH + x) * plane + tile * m + first;
                        line[x].copy_from_slice(&tiles.products[at..at + LANES]);
                    }
                    rows[y] = output_line(line);
                }
                for x in 0..TILE {
                    let column = output_line([rows[0][x], rows[1][x], rows[2][x], rows[3][x], rows[4][x]]);
                    for y in 0..TILE {
                        let Some(place) = places[y * TILE + x] else { continue };
                        let at = place * m + first;
                        let mut sums = column[y];
                        add_lanes(&mut sums, &self.bias[first..first + LANES]);
                        if let Some(add) = add {
                            add_lanes(&mut sums, &add[at..at + LANES]);
                        }
                        if rectify {
                            for lane in 0..LANES {
                                sums[lane] = if sums[lane] < 0.0 { 0.0 } else { sums[lane] };
                            }
                        }
                        output[at..at + LANES].copy_from_slice(&sums);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn add_lanes(sums: &mut Lanes, values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Five inputs in a line as coefficients of the other basis.
#[inline(always)]
fn input_line(d: [Lanes; REACH]) -> [Lanes; REACH] {
    let mut t = [[0.0; LANES]; REACH];
    for i in 0..LANES {
        let [d0, d1, d2, d3, d4] = [d[0][i], d[1][i], d[2][i], d[3][i], d[4][i]];
        t[0][i] = 2.0 * (d0 - d2) + (d3 - d1);
        t[1][i] = d3 - d2 - 2.0 * d1;
        t[2][i] = d3 + 2.0 * d1 - 3.0 * d2;
        t[3][i] = d3 - d1;
        t[4][i] = 2.0 * (d1 - d3) + (d4 - d2);
    }
    t
}

/// Three outputs in a line from five products.
#[inline(always)]
fn output_line(m: [Lanes; REACH]) -> [Lanes; TILE] {
    let mut y = [[0.0; LANES]; TILE];
    for i in 0..LANES {
        let [m0, m1, m2, m3, m4] = [m[0][i], m[1][i], m[2][i], m[3][i], m[4][i]];
        y[0][i] = m0 + m1 + m2 + m3;
        y[1][i] = m1 - m2 + 2.0 * m3;
        y[2][i] = m1 + m2 + 4.0 * m3 + m4;
    }
    y
}

/// Three taps in a line as values at 0, 1, -1, 2 and infinity, each divided by what the inputs' transform has too much.
fn tap_line(g: [f64; TILE]) -> [f64; REACH] {
    let [a, b, c] = g;
    [a / 2.0, -(a + b + c) / 2.0, -(a - b + c) / 6.0, (a + 2.0 * b + 4.0 * c) / 6.0, c]
}

/// [`tap_line`] along the rows and then along the columns.
fn both_ways(taps: [[f64; TILE]; TILE]) -> [[f64; REACH]; REACH] {
    let rows = taps.map(tap_line);
    let columns: [[f64; REACH]; REACH] = std::array::from_fn(|x| tap_line([rows[0][x], rows[1][x], rows[2][x]]));
    std::array::from_fn(|y| std::array::from_fn(|x| columns[x][y]))
}

#[cfg(test)]
mod tests {
    use super::super::kernel::tests::{grid, layer, random, slow};
    use super::{Tiles, WIDE, Winograd};
    use crate::rng::Rng;

    #[test]
    fn tiles_give_what_the_definition_of_a_convolution_says_in_every_version() {
        let mut rng = Rng::new(2);
        for size in [2, 5, 9, 13, 19, 25] {
            for (inputs, outputs) in [(32, 32), (16, 64)] {
                let grid = grid(size);
                let weights = random(9 * inputs * outputs, &mut rng);
                let bias = random(outputs, &mut rng);
                let conv = Winograd::new(inputs, outputs, &weights, &bias).expect("whole groups");
                let input = layer(grid, inputs, &mut rng);
                let add = layer(grid, outputs, &mut rng);
                let expected = slow(size, 9, inputs, outputs, &weights, &bias, &input);
                let mut tiles = Tiles::new(grid, outputs.max(inputs));
                let (mut fast, mut plain) = (vec![0.0; grid.cells() * outputs], vec![0.0; grid.cells() * outputs]);
                conv.apply(&mut tiles, &input, Some(&add), &mut fast, true);
                conv.apply_with::<false>(&mut tiles, &input, None, &mut plain, false);
                for (i, place) in grid.places().enumerate() {
                    for output in 0..outputs {
                        let (sum, at) = (expected[i * outputs + output], place * outputs + output);
                        assert!((f64::from(plain[at]) - sum).abs() < 1e-4);
                        assert!((f64::from(fast[at]) - (sum + f64::from(add[at])).max(0.0)).abs() < 1e-4);
                    }
                }
                let on_board: Vec<usize> = grid.places().collect();
                let beside = (0..grid.cells()).filter(|place| !on_board.contains(place));
                for place in beside {
                    assert!(plain[place * outputs..][..outputs].iter().all(|&v| v == 0.0), "nothing beside the board");
                }
            }
        }
        assert!(Winograd::new(16, WIDE / 2, &[], &[]).is_none());
    }
}
