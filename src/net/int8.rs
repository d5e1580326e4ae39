//! Convolutions of 3x3 taps in whole numbers of eight bits, for processors that multiply and add four of them at once in each lane (VNNI).
//!
//! Weights are numbers from -127 to 127 times a step of each output, fixed when they are read. What goes into a layer becomes numbers from 0 to 255
//! times a step of the layer, found anew for each position from its least and greatest value, so that nothing has to be calibrated. Sums are exact;
//! what comes out is 32-bit floating point again. After Jacob et al., "Quantization and training of neural networks for efficient
//! integer-arithmetic-only inference" (2018), whose scheme this is but for the fixed steps.
//!
//! On processors without these instructions [`Winograd`](super::winograd) in floating point is faster, and used.

// Loops over constant ranges become straight code; iterators would not.
#![allow(clippy::needless_range_loop)]

use super::kernel::Grid;

/// Output channels that are computed together.
const WIDE: usize = 32;
/// Inputs that one instruction multiplies and adds in each lane.
const DEEP: usize = 4;
/// The weights of a group of outputs for [`DEEP`] inputs.
type Rows = [[i8; DEEP]; WIDE];

/// What a convolution reads and writes: see [`super::kernel::Conv::apply`].
pub struct Layers<'a> {
    /// Where the points lie.
    pub grid: Grid,
    /// What goes in, zero beside the board.
    pub input: &'a [f32],
    /// What is added, if anything.
    pub add: Option<&'a [f32]>,
    /// What comes out.
    pub output: &'a mut [f32],
    /// Whether negative values become zero.
    pub rectify: bool,
}

/// A layer in whole numbers.
#[derive(Clone, Debug, Default)]
pub struct Quantized {
    /// By place and channel, as the layer.
    values: Vec<[u8; DEEP]>,
    /// What one more means.
    step: f32,
    /// The number that means zero.
    zero: u8,
}

impl Quantized {
    /// Room for layers of a grid with this many channels.
    pub fn new(grid: Grid, channels: usize) -> Quantized {
        Quantized { values: vec![[0; DEEP]; grid.cells() * channels / DEEP], step: 1.0, zero: 0 }
    }

    /// Takes over a layer, which is zero beside the board.
    #[inline(always)]
    fn fill(&mut self, layer: &[f32]) {
        const LANES: usize = 16;
        let (mut least, mut most) = ([0.0_f32; LANES], [0.0_f32; LANES]);
        let (chunks, rest) = layer.as_chunks::<LANES>();
        for chunk in chunks {
            for lane in 0..LANES {
                least[lane] = if chunk[lane] < least[lane] { chunk[lane] } else { least[lane] };
                most[lane] = if chunk[lane] > most[lane] { chunk[lane] } else { most[lane] };
            }
        }
        let least = least.iter().chain(rest).copied().fold(0.0, f32::min);
        let most = most.iter().chain(rest).copied().fold(0.0, f32::max);
        self.step = ((most - least) / 255.0).max(f32::MIN_POSITIVE);
        let scale = 1.0 / self.step;
        let zero = (-least * scale).round();
        self.zero = zero as u8;
        for (value, number) in layer.iter().zip(self.values.as_flattened_mut()) {
            *number = (value * scale + (zero + ROUNDER)).to_bits() as u8;
        }
    }
}

/// Three times 2 to the power of 22: whatever is added is rounded to a whole number, which stands in the low bits. Conversions do not compile to code for
/// many numbers at once.
const ROUNDER: f32 = 12_582_912.0;

/// The weights of a convolution of 3x3 taps in whole numbers.
#[derive(Clone, Debug)]
pub struct Int8 {
    inputs: usize,
    outputs: usize,
    /// By group of [`WIDE`] outputs, tap and [`DEEP`] inputs.
    weights: Vec<Rows>,
    /// For each output, what one more means, and the sum of its weights.
    steps: Vec<f32>,
    sums: Vec<i32>,
    bias: Vec<f32>,
}

impl Int8 {
    /// From weights by tap, input and output; `None` where the channels do not fit the groups.
    pub fn new(inputs: usize, outputs: usize, weights: &[f32], bias: &[f32]) -> Option<Int8> {
        if !inputs.is_multiple_of(DEEP) || !outputs.is_multiple_of(WIDE) {
            return None;
        }
        let deep = inputs / DEEP;
        let mut conv = Int8 {
            inputs,
            outputs,
            weights: vec![[[0; DEEP]; WIDE]; outputs / WIDE * 9 * deep],
            steps: vec![f32::MIN_POSITIVE; outputs],
            sums: vec![0; outputs],
            bias: bias.to_vec(),
        };
        for row in weights.chunks_exact(outputs) {
            for (step, weight) in conv.steps.iter_mut().zip(row) {
                *step = step.max(weight.abs() / 127.0);
            }
        }
        for (at, row) in weights.chunks_exact(outputs).enumerate() {
            let (tap, input) = (at / inputs, at % inputs);
            for (output, weight) in row.iter().enumerate() {
                let number = (weight / conv.steps[output]).round() as i8;
                conv.weights[(output / WIDE * 9 + tap) * deep + input / DEEP][output % WIDE][input % DEEP] = number;
                conv.sums[output] += i32::from(number);
            }
        }
        Some(conv)
    }

    /// As [`super::kernel::Conv::apply`]; the processor must have instructions for it, and `scratch` be of the grid and as many channels.
    pub fn apply(&self, scratch: &mut Quantized, layers: Layers<'_>) {
        debug_assert_eq!(layers.input.len(), layers.grid.cells() * self.inputs);
        debug_assert_eq!(layers.output.len(), layers.grid.cells() * self.outputs);
        fast::apply(self, scratch, layers);
    }

    /// The work of [`Int8::apply`], inlined into a function for each set of instructions. `accumulate` gets the weights of a tap for a group
    /// of outputs and the numbers of `POINTS` places one after the other, and adds to the sums of these places.
    #[inline(always)]
    fn apply_with<const POINTS: usize>(
        &self,
        scratch: &mut Quantized,
        layers: Layers<'_>,
        accumulate: impl Fn(&[Rows], &[[u8; DEEP]], &mut [[i32; WIDE]; POINTS]),
    ) {
        let Layers { grid, input, add, output, rectify } = layers;
        scratch.fill(input);
        let (deep, taps) = (self.inputs / DEEP, grid.taps());
        for (group, weights) in self.weights.chunks_exact(9 * deep).enumerate() {
            let first = group * WIDE;
            let (mut steps, mut start, mut bias) = ([0.0; WIDE], [0; WIDE], [0.0; WIDE]);
            for i in 0..WIDE {
                steps[i] = self.steps[first + i] * scratch.step;
                // What stands for zero has been multiplied by every weight, on the board and beside it.
                start[i] = -self.sums[first + i] * i32::from(scratch.zero);
                bias[i] = self.bias[first + i];
            }
            for block in (grid.first()..grid.first() + grid.span()).step_by(POINTS) {
                let mut sums = [start; POINTS];
                for tap in 0..9 {
                    let numbers = &scratch.values[block.wrapping_add_signed(taps[tap]) * deep..][..POINTS * deep];
                    accumulate(&weights[tap * deep..(tap + 1) * deep], numbers, &mut sums);
                }
                for point in 0..POINTS {
                    let place = (block + point) * self.outputs + first;
                    let mut values = [0.0; WIDE];
                    for i in 0..WIDE {
                        values[i] = sums[point][i] as f32 * steps[i] + bias[i];
                    }
                    if let Some(add) = add {
                        let add = &add[place..place + WIDE];
                        for i in 0..WIDE {
                            values[i] += add[i];
                        }
                    }
                    if rectify {
                        for i in 0..WIDE {
                            values[i] = if values[i] < 0.0 { 0.0 } else { values[i] };
                        }
                    }
                    output[place..place + WIDE].copy_from_slice(&values);
                }
            }
        }
        grid.clear_beside(self.outputs, output);
    }

    /// The same without special instructions, to compare with.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn apply_slowly(&self, scratch: &mut Quantized, layers: Layers<'_>) {
        self.apply_with::<1>(scratch, layers, |weights, numbers, [sums]| {
            for (rows, numbers) in weights.iter().zip(numbers) {
                for (sum, weights) in sums.iter_mut().zip(rows) {
                    for (number, weight) in numbers.iter().zip(weights) {
                        *sum += i32::from(*number) * i32::from(*weight);
                    }
                }
            }
        });
    }
}

/// Whether this processor has the instructions for it.
pub fn is_fast() -> bool {
    fast::instructions().is_some()
}

/// No instructions are known.
#[cfg(not(target_arch = "x86_64"))]
mod fast {
    use super::{Int8, Layers, Quantized};

    pub(super) fn instructions() -> Option<()> {
        None
    }

    pub(super) fn apply(conv: &Int8, scratch: &mut Quantized, layers: Layers<'_>) {
        conv.apply_slowly(scratch, layers);
    }
}

/// Chooses among the instructions that do it.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod fast {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_dpbusd_avx_epi32, _mm256_loadu_si256, _mm256_set1_epi32, _mm256_storeu_si256,
        _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_storeu_si512,
    };

    use super::{DEEP, Int8, Layers, Quantized, WIDE};

    /// Sets of instructions that multiply and add bytes.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Instructions {
        Avx512,
        Avx,
    }

    /// The best that this processor has.
    pub(super) fn instructions() -> Option<Instructions> {
        if has_avx512() {
            Some(Instructions::Avx512)
        } else if has_avx() {
            Some(Instructions::Avx)
        } else {
            None
        }
    }

    pub(super) fn has_avx512() -> bool {
        is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
    }

    pub(super) fn has_avx() -> bool {
        is_x86_feature_detected!("avxvnni") && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }

    pub(super) fn apply(conv: &Int8, scratch: &mut Quantized, layers: Layers<'_>) {
        match instructions() {
            // SAFETY: the only demand of these functions is that the processor has the instructions, which was just asked.
            Some(Instructions::Avx512) => unsafe { avx512(conv, scratch, layers) },
            // SAFETY: as above.
            Some(Instructions::Avx) => unsafe { avx(conv, scratch, layers) },
            None => unreachable!("nobody asks for it without the instructions"),
        }
    }

    /// Six points by two registers of sums; with four factors they leave room among the 32.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    pub(super) fn avx512(conv: &Int8, scratch: &mut Quantized, layers: Layers<'_>) {
        conv.apply_with::<6>(scratch, layers, |weights, numbers, sums| {
            let n = weights.len();
            let (p0, p1, p2) = (&numbers[..n], &numbers[n..2 * n], &numbers[2 * n..3 * n]);
            let (p3, p4, p5) = (&numbers[3 * n..4 * n], &numbers[4 * n..5 * n], &numbers[5 * n..6 * n]);
            let [mut s0, mut s1, mut s2] = [load_512(&sums[0]), load_512(&sums[1]), load_512(&sums[2])];
            let [mut s3, mut s4, mut s5] = [load_512(&sums[3]), load_512(&sums[4]), load_512(&sums[5])];
            for i in 0..n {
                let row = weights[i].as_ptr().cast::<__m512i>();
                // SAFETY: a row is two of these registers long, and may lie anywhere.
                let row = unsafe { [_mm512_loadu_si512(row), _mm512_loadu_si512(row.add(1))] };
                for (sums, number) in [
                    (&mut s0, p0[i]),
                    (&mut s1, p1[i]),
                    (&mut s2, p2[i]),
                    (&mut s3, p3[i]),
                    (&mut s4, p4[i]),
                    (&mut s5, p5[i]),
                ] {
                    let number = _mm512_set1_epi32(i32::from_le_bytes(number));
                    sums[0] = _mm512_dpbusd_epi32(sums[0], number, row[0]);
                    sums[1] = _mm512_dpbusd_epi32(sums[1], number, row[1]);
                }
            }
            for (sums, registers) in sums.iter_mut().zip([s0, s1, s2, s3, s4, s5]) {
                let to = sums.as_mut_ptr().cast::<__m512i>();
                // SAFETY: the sums of a point are two registers long.
                unsafe {
                    _mm512_storeu_si512(to, registers[0]);
                    _mm512_storeu_si512(to.add(1), registers[1]);
                }
            }
        });
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn load_512(sums: &[i32; WIDE]) -> [__m512i; 2] {
        let from = sums.as_ptr().cast::<__m512i>();
        // SAFETY: the sums of a point are two registers long.
        unsafe { [_mm512_loadu_si512(from), _mm512_loadu_si512(from.add(1))] }
    }

    /// Three points by four registers of sums; with the factors they fill the 16.
    #[target_feature(enable = "avx2,fma,avxvnni")]
    pub(super) fn avx(conv: &Int8, scratch: &mut Quantized, layers: Layers<'_>) {
        conv.apply_with::<3>(scratch, layers, |weights, numbers, sums| {
            let n = weights.len();
            let (p0, p1, p2) = (&numbers[..n], &numbers[n..2 * n], &numbers[2 * n..3 * n]);
            let [mut s0, mut s1, mut s2] = [load_256(&sums[0]), load_256(&sums[1]), load_256(&sums[2])];
            for i in 0..n {
                let row = weights[i].as_ptr().cast::<__m256i>();
                let number = |number: [u8; DEEP]| _mm256_set1_epi32(i32::from_le_bytes(number));
                let (x0, x1, x2) = (number(p0[i]), number(p1[i]), number(p2[i]));
                for quarter in 0..4 {
                    // SAFETY: a row is four of these registers long, and may lie anywhere.
                    let weights = unsafe { _mm256_loadu_si256(row.add(quarter)) };
                    s0[quarter] = _mm256_dpbusd_avx_epi32(s0[quarter], x0, weights);
                    s1[quarter] = _mm256_dpbusd_avx_epi32(s1[quarter], x1, weights);
                    s2[quarter] = _mm256_dpbusd_avx_epi32(s2[quarter], x2, weights);
                }
            }
            for (sums, registers) in sums.iter_mut().zip([s0, s1, s2]) {
                let to = sums.as_mut_ptr().cast::<__m256i>();
                for quarter in 0..4 {
                    // SAFETY: the sums of a point are four registers long.
                    unsafe { _mm256_storeu_si256(to.add(quarter), registers[quarter]) };
                }
            }
        });
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load_256(sums: &[i32; WIDE]) -> [__m256i; 4] {
        let from = sums.as_ptr().cast::<__m256i>();
        // SAFETY: the sums of a point are four registers long.
        unsafe {
            [
                _mm256_loadu_si256(from),
                _mm256_loadu_si256(from.add(1)),
                _mm256_loadu_si256(from.add(2)),
                _mm256_loadu_si256(from.add(3)),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernel::tests::{grid, layer, random, slow};
    use super::{Int8, Layers, Quantized, WIDE};
    use crate::rng::Rng;

    type Version<'a> = (&'a str, Box<dyn Fn(&Int8, &mut Quantized, Layers<'_>)>);

    /// The versions that this processor can run.
    #[allow(unsafe_code)]
    fn versions() -> Vec<Version<'static>> {
        let mut versions: Vec<Version<'_>> = vec![("slow", Box::new(Int8::apply_slowly))];
        #[cfg(target_arch = "x86_64")]
        {
            use super::fast::{avx, avx512, has_avx, has_avx512};
            if has_avx512() {
                // SAFETY: the processor was just asked for the instructions.
                versions.push(("AVX-512", Box::new(|conv, scratch, layers| unsafe { avx512(conv, scratch, layers) })));
            }
            if has_avx() {
                // SAFETY: as above.
                versions.push(("AVX", Box::new(|conv, scratch, layers| unsafe { avx(conv, scratch, layers) })));
            }
        }
        versions
    }

    #[test]
    fn every_version_is_near_the_definition_of_a_convolution_and_all_are_the_same() {
        let mut rng = Rng::new(3);
        for size in [2, 5, 9, 13, 19, 25] {
            for (inputs, outputs, only_positive) in [(32, 32, true), (16, 64, false)] {
                let grid = grid(size);
                let weights = random(9 * inputs * outputs, &mut rng);
                let bias = random(outputs, &mut rng);
                let conv = Int8::new(inputs, outputs, &weights, &bias).expect("whole groups");
                let mut input = layer(grid, inputs, &mut rng);
                if only_positive {
                    input.iter_mut().for_each(|value| *value = value.max(0.0));
                }
                let add = layer(grid, outputs, &mut rng);
                let expected = slow(size, 9, inputs, outputs, &weights, &bias, &input);
                let mut outcomes = Vec::new();
                for (name, version) in versions() {
                    let mut output = vec![9.0; grid.cells() * outputs];
                    let mut scratch = Quantized::new(grid, inputs);
                    let layers = Layers { grid, input: &input, add: Some(&add), output: &mut output, rectify: true };
                    version(&conv, &mut scratch, layers);
                    let on_board: Vec<usize> = grid.places().collect();
                    for (i, place) in on_board.iter().enumerate() {
                        for channel in 0..outputs {
                            let (sum, at) = (expected[i * outputs + channel], place * outputs + channel);
                            let difference = f64::from(output[at]) - (sum + f64::from(add[at])).max(0.0);
                            // Each of up to 288 products is wrong by half a step of a factor of at most 0.5, at random.
                            assert!(difference.abs() < 0.08, "{name} {size} {difference}");
                        }
                    }
                    // What lies before the first point is never written.
                    let beside = (grid.first()..grid.cells()).filter(|place| !on_board.contains(place));
                    for place in beside {
                        assert!(
                            output[place * outputs..][..outputs].iter().all(|&v| v == 0.0),
                            "zeros beside the board"
                        );
                    }
                    outcomes.push(output);
                }
                assert!(outcomes.windows(2).all(|two| two[0] == two[1]), "to the last bit");
            }
        }
        assert!(Int8::new(32, WIDE / 2, &[], &[]).is_none());
    }

    #[test]
    fn a_layer_of_zeros_and_one_of_huge_numbers_stay_what_they_are() {
        let grid = grid(5);
        for value in [0.0, 1e30] {
            let mut input = vec![0.0; grid.cells() * 4];
            grid.places().for_each(|place| input[4 * place..][..4].fill(value));
            let mut scratch = Quantized::new(grid, 4);
            scratch.fill(&input);
            for (number, expected) in scratch.values.as_flattened().iter().zip(&input) {
                let meant = (f32::from(*number) - f32::from(scratch.zero)) * scratch.step;
                assert!((meant - expected).abs() <= value * 1e-6);
            }
        }
    }
}
