//! The arithmetic of the network: convolutions over a grid of points, compiled for the instructions that the processor has.
//!
//! A layer's values lie point by point, all channels of a point together. The grid has one column of zeros to the right of each row, which is at
//! the same time the column to the left of the next, a row of zeros below and above, and some points to spare, so that no convolution asks
//! whether a neighbour is on the board.

use crate::geometry::Geometry;

/// Output channels that are computed together: two AVX registers.
pub const LANES: usize = 16;
/// Points that are computed together. Six by two registers of sums leave four of AVX's sixteen for factors.
const POINTS: usize = 6;

/// Where the points of a board lie in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    size: usize,
}

impl Grid {
    /// The grid of a board.
    pub fn new(geometry: Geometry) -> Grid {
        Grid { size: geometry.size() }
    }

    /// A place that is zero in every layer.
    pub const ZERO: usize = 0;

    /// Points along one side.
    pub const fn size(self) -> usize {
        self.size
    }

    /// The place of the point in this row and column; `None` off the board.
    pub fn place(self, y: usize, x: usize) -> Option<usize> {
        (y < self.size && x < self.size).then(|| self.first() + y * self.stride() + x)
    }

    /// From a point to the one above it.
    pub const fn stride(self) -> usize {
        self.size + 1
    }

    /// The first point of the lowest row.
    pub const fn first(self) -> usize {
        self.stride() + 1
    }

    /// Points from the first to the end of the last row, columns of zeros included.
    pub const fn span(self) -> usize {
        self.size * self.stride()
    }

    /// Points of the whole grid. What lies behind the span is only read, or written by blocks that are not full.
    pub const fn cells(self) -> usize {
        self.first() + self.span() + self.stride() + POINTS
    }

    /// Places of all board points, row by row.
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..self.size).flat_map(move |y| (0..self.size).filter_map(move |x| self.place(y, x)))
    }

    /// Places of the columns of zeros that a convolution has written to.
    fn seams(self) -> impl Iterator<Item = usize> {
        (0..self.size).map(move |y| self.first() + y * self.stride() + self.size)
    }

    /// Zeros wherever blocks of points have written beside the board.
    pub fn clear_beside(self, channels: usize, layer: &mut [f32]) {
        for place in self.seams() {
            layer[place * channels..][..channels].fill(0.0);
        }
        layer[(self.first() + self.span()) * channels..].fill(0.0);
    }

    /// Distances from a point to its neighbours and itself, in the order of the taps of a convolution.
    pub fn taps(self) -> [isize; 9] {
        let stride = self.stride() as isize;
        [-stride - 1, -stride, -stride + 1, -1, 0, 1, stride - 1, stride, stride + 1]
    }
}

/// The weights of a convolution of 3x3 or 1x1 taps, in the order in which they are used.
#[derive(Clone, Debug)]
pub struct Conv {
    inputs: usize,
    outputs: usize,
    taps: usize,
    /// For each group of [`LANES`] outputs, tap and input: a row of weights.
    weights: Vec<[f32; LANES]>,
    bias: Vec<f32>,
}

impl Conv {
    /// From weights by tap, input and output.
    ///
    /// The number of outputs is a multiple of [`LANES`], and `weights` has a number for each tap, input and output.
    pub fn new(taps: usize, inputs: usize, outputs: usize, weights: &[f32], bias: Vec<f32>) -> Conv {
        let mut rows = Vec::with_capacity(taps * inputs * outputs / LANES);
        for group in 0..outputs / LANES {
            for row in weights.chunks_exact(outputs) {
                let mut lanes = [0.0; LANES];
                lanes.copy_from_slice(&row[group * LANES..][..LANES]);
                rows.push(lanes);
            }
        }
        Conv { inputs, outputs, taps, weights: rows, bias }
    }

    /// Writes the convolution of `input` to `output`; `add` is added first where there is one, and negative sums become zero if `rectify`.
    /// `add` may not be `output`; both have this layer's number of channels.
    pub fn apply(&self, grid: Grid, input: &[f32], add: Option<&[f32]>, output: &mut [f32], rectify: bool) {
        debug_assert_eq!(input.len(), grid.cells() * self.inputs);
        debug_assert_eq!(output.len(), grid.cells() * self.outputs);
        fast::conv(self, grid, input, add, output, rectify);
        grid.clear_beside(self.outputs, output);
    }

    /// The work of [`Conv::apply`], inlined into a function for each set of instructions.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    fn apply_with<const FUSED: bool>(
        &self,
        grid: Grid,
        input: &[f32],
        add: Option<&[f32]>,
        output: &mut [f32],
        rectify: bool,
    ) {
        let taps = grid.taps();
        let taps = if self.taps == 9 { taps } else { [0; 9] };
        let group_rows = self.taps * self.inputs;
        for group in 0..self.outputs / LANES {
            let weights = &self.weights[group * group_rows..(group + 1) * group_rows];
            let mut bias = [0.0; LANES];
            bias.copy_from_slice(&self.bias[group * LANES..][..LANES]);
            let mut block = grid.first();
            while block < grid.first() + grid.span() {
                let mut sums = [bias; POINTS];
                for t in 0..self.taps {
                    let start = block.wrapping_add_signed(taps[t]) * self.inputs;
                    let n = self.inputs;
                    let x = &input[start..start + POINTS * n];
                    let points =
                        [&x[..n], &x[n..2 * n], &x[2 * n..3 * n], &x[3 * n..4 * n], &x[4 * n..5 * n], &x[5 * n..]];
                    accumulate::<FUSED>(&mut sums, &weights[t * n..(t + 1) * n], points);
                }
                for point in 0..POINTS {
                    let place = (block + point) * self.outputs + group * LANES;
                    let out = &mut output[place..place + LANES];
                    let mut sum = sums[point];
                    if let Some(add) = add {
                        let add = &add[place..place + LANES];
                        for lane in 0..LANES {
                            sum[lane] += add[lane];
                        }
                    }
                    for lane in 0..LANES {
                        out[lane] = if rectify && sum[lane] < 0.0 { 0.0 } else { sum[lane] };
                    }
                }
                block += POINTS;
            }
        }
    }
}

/// Adds to the sums of some points their inputs times the weights. Loops over constant ranges: iterators would not be inlined here.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn accumulate<const FUSED: bool>(
    sums: &mut [[f32; LANES]; POINTS],
    weights: &[[f32; LANES]],
    points: [&[f32]; POINTS],
) {
    let inputs = weights.len();
    let [p0, p1, p2, p3, p4, p5] = points;
    let (p0, p1, p2) = (&p0[..inputs], &p1[..inputs], &p2[..inputs]);
    let (p3, p4, p5) = (&p3[..inputs], &p4[..inputs], &p5[..inputs]);
    let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5] = *sums;
    for i in 0..inputs {
        let row = &weights[i];
        add_scaled::<FUSED, LANES>(&mut s0, p0[i], row);
        add_scaled::<FUSED, LANES>(&mut s1, p1[i], row);
        add_scaled::<FUSED, LANES>(&mut s2, p2[i], row);
        add_scaled::<FUSED, LANES>(&mut s3, p3[i], row);
        add_scaled::<FUSED, LANES>(&mut s4, p4[i], row);
        add_scaled::<FUSED, LANES>(&mut s5, p5[i], row);
    }
    *sums = [s0, s1, s2, s3, s4, s5];
}

#[inline(always)]
#[allow(clippy::needless_range_loop)]
pub(super) fn add_scaled<const FUSED: bool, const N: usize>(sums: &mut [f32; N], value: f32, weights: &[f32; N]) {
    for lane in 0..N {
        // Without the instruction a fused multiplication is a slow function call.
        sums[lane] = if FUSED { value.mul_add(weights[lane], sums[lane]) } else { value * weights[lane] + sums[lane] };
    }
}

/// `output = bias + input x weights` for one vector; weights by input and output.
pub fn dense(input: &[f32], weights: &[f32], bias: &[f32], output: &mut [f32]) {
    output.copy_from_slice(bias);
    for (value, row) in input.iter().zip(weights.chunks_exact(bias.len())) {
        for (out, weight) in output.iter_mut().zip(row) {
            *out += value * weight;
        }
    }
}

/// For each channel the mean over the board, the mean times a measure of the board's size, and the maximum.
pub fn pool(grid: Grid, channels: usize, layer: &[f32], output: &mut [f32]) {
    let (means, rest) = output.split_at_mut(channels);
    let (scaled, maxima) = rest.split_at_mut(channels);
    means.fill(0.0);
    maxima.fill(f32::NEG_INFINITY);
    for place in grid.places() {
        let values = &layer[place * channels..][..channels];
        for ((mean, max), value) in means.iter_mut().zip(maxima.iter_mut()).zip(values) {
            *mean += value;
            *max = max.max(*value);
        }
    }
    let area = (grid.size * grid.size) as f32;
    let scale = (grid.size as f32 - 10.0) / 10.0;
    for (mean, scaled) in means.iter_mut().zip(scaled) {
        *mean /= area;
        *scaled = *mean * scale;
    }
}

/// Chooses among versions of the same code for different instructions.
#[allow(unsafe_code)]
pub(super) mod fast {
    use super::super::winograd::{Tiles, Winograd};
    use super::{Conv, Grid};

    /// Whether products and sums are one instruction where nothing is asked of the processor.
    const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

    /// [`Conv::apply_with`] by the best instructions there are.
    pub(super) fn conv(conv: &Conv, grid: Grid, input: &[f32], add: Option<&[f32]>, output: &mut [f32], rectify: bool) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the function's only demand is that the processor has these instructions, which was just asked.
            return unsafe { conv_avx2(conv, grid, input, add, output, rectify) };
        }
        conv.apply_with::<FUSED>(grid, input, add, output, rectify);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn conv_avx2(conv: &Conv, grid: Grid, input: &[f32], add: Option<&[f32]>, output: &mut [f32], rectify: bool) {
        conv.apply_with::<true>(grid, input, add, output, rectify);
    }

    /// [`Winograd::apply_with`] by the best instructions there are.
    pub(in super::super) fn winograd(
        conv: &Winograd,
        tiles: &mut Tiles,
        input: &[f32],
        add: Option<&[f32]>,
        output: &mut [f32],
        rectify: bool,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: as above.
            return unsafe { winograd_avx2(conv, tiles, input, add, output, rectify) };
        }
        conv.apply_with::<FUSED>(tiles, input, add, output, rectify);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn winograd_avx2(
        conv: &Winograd,
        tiles: &mut Tiles,
        input: &[f32],
        add: Option<&[f32]>,
        output: &mut [f32],
        rectify: bool,
    ) {
        conv.apply_with::<true>(tiles, input, add, output, rectify);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Conv, Grid, LANES, POINTS};
    use crate::geometry::Geometry;
    use crate::rng::Rng;

    pub(in super::super) fn random(count: usize, rng: &mut Rng) -> Vec<f32> {
        (0..count).map(|_| rng.unit() as f32 - 0.5).collect()
    }

    pub(in super::super) fn grid(size: usize) -> Grid {
        Grid::new(Geometry::new(size).expect("an accepted size"))
    }

    /// A layer of random numbers on the board and zeros beside it.
    pub(in super::super) fn layer(grid: Grid, channels: usize, rng: &mut Rng) -> Vec<f32> {
        let mut layer = vec![0.0; grid.cells() * channels];
        for place in grid.places() {
            layer[place * channels..][..channels].copy_from_slice(&random(channels, rng));
        }
        layer
    }

    /// The definition: for each point and output the sum over taps on the board and inputs.
    pub(in super::super) fn slow(
        size: usize,
        taps: usize,
        inputs: usize,
        outputs: usize,
        weights: &[f32],
        bias: &[f32],
        layer: &[f32],
    ) -> Vec<f64> {
        let grid = grid(size);
        let reach = if taps == 9 { 1 } else { 0_isize };
        let mut sums = Vec::new();
        for (y, x) in (0..size).flat_map(|y| (0..size).map(move |x| (y as isize, x as isize))) {
            for output in 0..outputs {
                let mut sum = f64::from(bias[output]);
                let steps = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dy, dx)));
                for (tap, (dy, dx)) in steps.enumerate() {
                    let on_board = [y + dy, x + dx].iter().all(|&c| (0..size as isize).contains(&c));
                    if on_board {
                        let place = grid.first() + (y + dy) as usize * grid.stride() + (x + dx) as usize;
                        for input in 0..inputs {
                            let weight = weights[(tap * inputs + input) * outputs + output];
                            sum += f64::from(layer[place * inputs + input]) * f64::from(weight);
                        }
                    }
                }
                sums.push(sum);
            }
        }
        sums
    }

    #[test]
    fn a_convolution_is_what_its_definition_says_in_every_version() {
        let mut rng = Rng::new(1);
        for size in [2, 5, 9, 13, 19, 25] {
            for (taps, inputs, outputs) in [(9, 16, 32), (1, 32, 16), (9, 3, LANES)] {
                let grid = grid(size);
                let weights = random(taps * inputs * outputs, &mut rng);
                let bias = random(outputs, &mut rng);
                let conv = Conv::new(taps, inputs, outputs, &weights, bias.clone());
                let input = layer(grid, inputs, &mut rng);
                let add = layer(grid, outputs, &mut rng);
                let expected = slow(size, taps, inputs, outputs, &weights, &bias, &input);
                let (mut fast, mut plain) = (vec![9.0; grid.cells() * outputs], vec![9.0; grid.cells() * outputs]);
                conv.apply(grid, &input, Some(&add), &mut fast, true);
                conv.apply_with::<false>(grid, &input, None, &mut plain, false);
                for (i, place) in grid.places().enumerate() {
                    for output in 0..outputs {
                        let (sum, at) = (expected[i * outputs + output], place * outputs + output);
                        assert!((f64::from(plain[at]) - sum).abs() < 1e-4);
                        assert!((f64::from(fast[at]) - (sum + f64::from(add[at])).max(0.0)).abs() < 1e-4);
                    }
                }
                for place in grid.seams() {
                    assert!(
                        fast[place * outputs..][..outputs].iter().all(|&v| v == 0.0),
                        "zeros beside the board stay"
                    );
                }
            }
        }
    }

    #[test]
    fn a_grid_has_room_for_the_last_block_and_its_neighbours() {
        for size in 2..=25 {
            let grid = grid(size);
            let last_block = grid.first() + grid.span().next_multiple_of(POINTS) - 1;
            assert!(last_block + grid.stride() + 1 < grid.cells());
            assert_eq!(grid.places().count(), size * size);
        }
    }
}
