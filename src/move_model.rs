//! The move model: how likely a strong player is to choose each move, before any reading.
//!
//! Log-linear: a move's features have weights, the sum of a move's weights is its logit, and a softmax over the moves of the position gives
//! probabilities. This is the generalised Bradley-Terry model of Coulom ("Computing Elo ratings of move patterns in the game of Go",
//! 2007), fitted by gradient descent instead of minorization. `keima learn` makes the weights; what they were learnt from and how well
//! they predict is in the README.

use std::sync::LazyLock;

use crate::board::Board;
use crate::color::Color;
use crate::features::{Feature, FeatureReader, PLAIN_FEATURES, PatternKey};
use crate::geometry::Point;
use crate::playout::Recent;

/// The weights that are part of the program.
const SHIPPED: &[u8] = include_bytes!("move_model/weights.bin");
/// First bytes of a file of weights.
const MAGIC: [u8; 4] = *b"KMM1";
/// Weights are stored as 16-bit integers in units of this.
const UNIT: f32 = 1.0 / 1024.0;

/// The weights of all features.
#[derive(Clone, Debug)]
pub struct MoveModel {
    plain: Vec<f32>,
    patterns: PatternTable,
}

/// A hash table from pattern keys to weights: open addressing, since a lookup is one cache miss and there are many.
#[derive(Clone, Debug)]
struct PatternTable {
    slots: Vec<(PatternKey, f32)>,
    mask: usize,
}

/// What an empty slot holds; a pattern with this key would be lost.
const NO_KEY: PatternKey = 0;

impl PatternTable {
    fn new(entries: &[(PatternKey, f32)]) -> PatternTable {
        let mask = (entries.len() * 2).next_power_of_two().max(2) - 1;
        let mut slots = vec![(NO_KEY, 0.0); mask + 1];
        for &(key, weight) in entries.iter().filter(|e| e.0 != NO_KEY) {
            let mut place = key as usize & mask;
            while slots[place].0 != NO_KEY && slots[place].0 != key {
                place = (place + 1) & mask;
            }
            slots[place] = (key, weight);
        }
        PatternTable { slots, mask }
    }

    #[inline]
    fn get(&self, key: PatternKey) -> Option<f32> {
        let mut place = key as usize & self.mask;
        loop {
            match self.slots[place] {
                (found, weight) if found == key => return Some(weight),
                (NO_KEY, _) => return None,
                _ => place = (place + 1) & self.mask,
            }
        }
    }
}

impl MoveModel {
    /// The model that is part of the program.
    pub fn shipped() -> &'static MoveModel {
        static MODEL: LazyLock<MoveModel> =
            LazyLock::new(|| MoveModel::from_bytes(SHIPPED).expect("a test reads the shipped weights"));
        &MODEL
    }

    /// A model with these weights of the plain features, in their order, and of patterns.
    pub fn new(plain: Vec<f32>, patterns: &[(PatternKey, f32)]) -> MoveModel {
        MoveModel { plain, patterns: PatternTable::new(patterns) }
    }

    /// Reads what [`MoveModel::to_bytes`] wrote; `None` if it is something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<MoveModel> {
        let mut words = bytes.strip_prefix(&MAGIC)?.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]]));
        let mut word = || words.next();
        let weight = |word: u16| f32::from(word.cast_signed()) * UNIT;
        let plain: Vec<f32> = (0..PLAIN_FEATURES).map(|_| word().map(weight)).collect::<Option<_>>()?;
        let mut patterns = Vec::new();
        while let Some(low) = word() {
            let key = u32::from(low) | u32::from(word()?) << 16;
            patterns.push((key, weight(word()?)));
        }
        Some(MoveModel::new(plain, &patterns))
    }

    /// The weights as a file: rounded to 16 bits, patterns in the order of their keys.
    pub fn to_bytes(&self) -> Vec<u8> {
        let round = |weight: f32| ((weight / UNIT).round().clamp(-32768.0, 32767.0) as i16).to_le_bytes();
        let mut bytes = MAGIC.to_vec();
        self.plain.iter().for_each(|&weight| bytes.extend(round(weight)));
        let mut patterns: Vec<_> = self.patterns.slots.iter().filter(|slot| slot.0 != NO_KEY).collect();
        patterns.sort_unstable_by_key(|slot| slot.0);
        for &&(key, weight) in &patterns {
            bytes.extend(key.to_le_bytes());
            bytes.extend(round(weight));
        }
        bytes
    }

    /// The probabilities of these playable moves of `color`, into `out`, in their order.
    pub fn probabilities(
        &self,
        reader: &mut FeatureReader,
        board: &Board,
        color: Color,
        recent: Recent,
        points: &[Point],
        out: &mut Vec<f32>,
    ) {
        reader.prepare(board, color, recent);
        out.clear();
        out.extend(points.iter().map(|&p| self.logit(reader, board, p)));
        softmax(out);
    }

    /// The logit of a playable move of the position that `reader` has been prepared for.
    #[inline]
    fn logit(&self, reader: &FeatureReader, board: &Board, point: Point) -> f32 {
        let mut sum = 0.0;
        reader.visit(board, point, |feature| match feature {
            Feature::Plain(index) => {
                sum += self.plain[index];
                true
            }
            Feature::Pattern(key) => {
                // A larger pattern is only known where all smaller ones in it are.
                let weight = self.patterns.get(key);
                sum += weight.unwrap_or(0.0);
                weight.is_some()
            }
        });
        sum
    }
}

/// Turns logits into probabilities that add up to one.
pub fn softmax(values: &mut [f32]) {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = (*value - most).exp();
        sum += *value;
    }
    for value in values {
        *value /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::{MoveModel, PLAIN_FEATURES, SHIPPED, softmax};

    #[test]
    fn the_shipped_weights_can_be_read_and_written() {
        let model = MoveModel::from_bytes(SHIPPED).expect("valid weights");
        assert_eq!(model.to_bytes(), SHIPPED);
    }

    #[test]
    fn something_else_is_refused() {
        assert!(MoveModel::from_bytes(b"").is_none());
        assert!(MoveModel::from_bytes(&SHIPPED[..2 * PLAIN_FEATURES]).is_none());
        assert!(MoveModel::from_bytes(&SHIPPED[..SHIPPED.len() - 2]).is_none());
    }

    #[test]
    fn probabilities_add_up_to_one_however_large_the_logits() {
        let mut values = [1000.0, 999.0, -1000.0];
        softmax(&mut values);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6 && values[0] > values[1] && values[2] >= 0.0);
    }
}
