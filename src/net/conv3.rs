//! A convolution of 3x3 taps by the way that is fastest for its channels and the processor.

use super::int8::{self, Int8, Layers, Quantized};
use super::kernel::{Conv, Grid};
use super::winograd::{Tiles, Winograd};

/// How exactly convolutions are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// In floating point of 32 bits.
    Float,
    /// In whole numbers of eight bits, where the channels allow it; for processors with instructions for it only.
    Int8,
}

impl Default for Precision {
    /// What is fastest on this processor.
    fn default() -> Precision {
        if int8::is_fast() { Precision::Int8 } else { Precision::Float }
    }
}

/// The weights of a convolution in every form in which this processor can use them.
#[derive(Clone, Debug)]
pub struct Conv3 {
    float: Float,
    int8: Option<Int8>,
}

#[derive(Clone, Debug)]
enum Float {
    Tiled(Winograd),
    Direct(Conv),
}

/// Memory for the values in between.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    tiles: Tiles,
    numbers: Quantized,
}

impl Scratch {
    /// Memory for layers of a grid with this many channels.
    pub fn new(grid: Grid, channels: usize) -> Scratch {
        Scratch { tiles: Tiles::new(grid, channels), numbers: Quantized::new(grid, channels) }
    }
}

impl Conv3 {
    /// From weights by tap, input and output.
    pub fn new(inputs: usize, outputs: usize, weights: &[f32], bias: Vec<f32>) -> Conv3 {
        let int8 = if int8::is_fast() { Int8::new(inputs, outputs, weights, &bias) } else { None };
        let float = match Winograd::new(inputs, outputs, weights, &bias) {
            Some(conv) => Float::Tiled(conv),
            None => Float::Direct(Conv::new(9, inputs, outputs, weights, bias)),
        };
        Conv3 { float, int8 }
    }

    /// As [`Conv::apply`].
    pub fn apply(&self, precision: Precision, scratch: &mut Scratch, layers: Layers<'_>) {
        match (&self.int8, &self.float) {
            (Some(conv), _) if precision == Precision::Int8 => conv.apply(&mut scratch.numbers, layers),
            (_, Float::Tiled(conv)) => {
                let Layers { input, add, output, rectify, .. } = layers;
                conv.apply(&mut scratch.tiles, input, add, output, rectify);
            }
            (_, Float::Direct(conv)) => {
                let Layers { grid, input, add, output, rectify } = layers;
                conv.apply(grid, input, add, output, rectify);
            }
        }
    }
}
