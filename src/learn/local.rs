//! Fits the weights of local moves in playouts: where to answer next to the last two moves, or whether to play elsewhere.
//!
//! The same log-linear model as for the move model, with two features a move: its 3x3 surroundings at its place. Positions where the playout policy
//! has something tactical to do first are left out, since it does not ask for shape there.

use std::collections::HashMap;

use super::{Fit, LearnError, LearnOptions, Position, each_position, read_lines, shuffle};
use crate::board::Surroundings;
use crate::move_model::softmax;
use crate::playout::candidates::{self, Suggestions};
use crate::playout::local::{PLACES, Place, UNIT, canonical, seen_by};
use crate::rng::Rng;

/// Times a surroundings must have been seen, played or not, to get a weight.
const MIN_SEEN: f32 = 0.5;

/// Learns and writes the weights; progress goes to `report`.
///
/// # Errors
/// When a file cannot be read or written, or there is nothing to learn from.
pub fn learn_local(options: &LearnOptions, mut report: impl FnMut(&str)) -> Result<(), LearnError> {
    let mut games = read_lines(&options.games)?;
    let validation = read_lines(&options.validation)?;
    let mut rng = Rng::new(options.seed);
    let mut learner = LocalLearner { rate: options.rate, ..LocalLearner::default() };
    for epoch in 0..options.epochs {
        shuffle(&mut games, &mut rng);
        let mut fit = Fit::default();
        for game in &games {
            each_position(game, options.share, &mut rng, |position| learner.learn_from(position, &mut fit));
        }
        report(&format!("epoch {epoch}: {fit}"));
        let mut fit = Fit::default();
        for game in &validation {
            each_position(game, options.share, &mut rng, |position| {
                learner.predict(position, &mut fit);
            });
        }
        report(&format!("epoch {epoch}, validation: {fit}, {} surroundings", learner.weights.len()));
    }
    if learner.weights.is_empty() {
        return Err(LearnError::NoPositions);
    }
    std::fs::write(&options.output, learner.to_bytes()).map_err(|error| LearnError::File(options.output.clone(), error))
}

/// A weight and the sum of the squares of its gradients.
type Weight = (f32, f32);

#[derive(Default)]
struct LocalLearner {
    weights: HashMap<u16, Weight>,
    places: [Weight; PLACES],
    rate: f32,
    suggestions: Suggestions,
    /// Surroundings and place of each candidate; the first is to play elsewhere and has none.
    candidates: Vec<Option<(u16, Place)>>,
    probabilities: Vec<f32>,
}

impl LocalLearner {
    fn predict(&mut self, position: &Position<'_>, fit: &mut Fit) -> Option<usize> {
        let &Position { board, color, recent, played } = position;
        let last = recent.last?;
        self.suggestions.clear();
        candidates::atari_answers(board, color, last, &mut self.suggestions);
        candidates::two_liberty_moves(board, color, last, &mut self.suggestions);
        candidates::nakade_moves(board, color, last, &mut self.suggestions);
        if !self.suggestions.as_slice().is_empty() {
            return None;
        }
        self.candidates.clear();
        self.candidates.push(None);
        let mut target = 0;
        let mut seen = Vec::new();
        for (half, center) in [recent.last, recent.before].into_iter().enumerate() {
            let Some(center) = center else { continue };
            for (i, n) in board.geometry().ring(center).into_iter().enumerate() {
                if seen.contains(&n) || !board.is_playable(n, color, false) {
                    continue;
                }
                seen.push(n);
                let place = Place::of(half == 0, i);
                if n == played {
                    target = self.candidates.len();
                }
                let name: Surroundings = canonical(seen_by(board.around(n), color));
                self.candidates.push(Some((name.0, place)));
            }
        }
        self.probabilities.clear();
        for candidate in &self.candidates {
            self.probabilities.push(candidate.map_or(0.0, |(name, place)| {
                self.weights.get(&name).map_or(0.0, |w| w.0) + self.places[place as usize].0
            }));
        }
        softmax(&mut self.probabilities);
        fit.add(&self.probabilities, target);
        Some(target)
    }

    fn learn_from(&mut self, position: &Position<'_>, fit: &mut Fit) {
        let Some(target) = self.predict(position, fit) else { return };
        for (i, candidate) in self.candidates.iter().enumerate() {
            let Some((name, place)) = *candidate else { continue };
            let gradient = f32::from(i == target) - self.probabilities[i];
            for (weight, squares) in [self.weights.entry(name).or_default(), &mut self.places[place as usize]] {
                *squares += gradient * gradient;
                *weight += self.rate * gradient / (1.0 + *squares).sqrt();
            }
        }
    }

    /// The weights as the playouts read them: for each surroundings its weight at each place.
    fn to_bytes(&self) -> Vec<u8> {
        let mut names: Vec<(&u16, &Weight)> = self.weights.iter().filter(|(_, w)| w.1 >= MIN_SEEN).collect();
        names.sort_unstable_by_key(|(name, _)| **name);
        let mut bytes = Vec::new();
        for (name, weight) in names {
            let units = self.places.map(|place| ((weight.0 + place.0).exp() / UNIT).round().clamp(0.0, 255.0) as u8);
            if units.iter().any(|&u| u > 0) {
                bytes.extend(name.to_le_bytes());
                bytes.extend(units);
            }
        }
        bytes
    }
}
