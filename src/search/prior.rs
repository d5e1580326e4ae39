//! What is known of a move before it is tried.

use super::params::SearchParams;
use crate::board::Board;
use crate::color::Color;
use crate::features::FeatureReader;
use crate::geometry::{Move, Point};
use crate::move_model::{MoveModel, softmax};
use crate::net::Opinion;
use crate::playout::Recent;
use crate::rng::Rng;
use crate::tree::Prior;

/// Sum of the parameters of the Dirichlet distribution of noise: as for 19x19 in Silver and others (2017), where each point gets 0.03.
const NOISE_TOTAL: f64 = 10.0;

/// Finds the priors of the moves of one position. Reused from node to node.
#[derive(Debug)]
pub(super) struct PriorScratch {
    model: &'static MoveModel,
    reader: FeatureReader,
    points: Vec<Point>,
    probabilities: Vec<f32>,
    may_pass: bool,
    /// The priors of the position last looked at.
    pub(super) priors: Vec<Prior>,
}

impl PriorScratch {
    pub(super) fn new() -> PriorScratch {
        PriorScratch {
            model: MoveModel::shipped(),
            reader: FeatureReader::new(),
            points: Vec::new(),
            probabilities: Vec::new(),
            may_pass: true,
            priors: Vec::new(),
        }
    }

    /// Begins with the points of `color` for which `is_allowed` holds, and a pass if `may_pass` or if there are none.
    pub(super) fn begin(
        &mut self,
        board: &Board,
        color: Color,
        suicide: bool,
        mut is_allowed: impl FnMut(Point) -> bool,
        may_pass: bool,
    ) {
        let may_play =
            |&p: &Point| board.is_playable(p, color, suicide) && !board.around(p).is_eye(color) && is_allowed(p);
        self.points.clear();
        self.points.extend(board.geometry().points().filter(may_play));
        self.may_pass = may_pass || self.points.is_empty();
    }

    /// Fills `self.priors` by the move model.
    pub(super) fn by_model(&mut self, board: &Board, color: Color, recent: Recent, params: &SearchParams) {
        self.model.probabilities(&mut self.reader, board, color, recent, &self.points, &mut self.probabilities);
        self.finish(board, recent, params, 0.0);
    }

    /// Fills `self.priors` by the policy of a network.
    pub(super) fn by_network(&mut self, opinion: &Opinion, board: &Board, recent: Recent, params: &SearchParams) {
        self.probabilities.clear();
        self.probabilities.extend(self.points.iter().map(|&p| opinion.policy[p]));
        self.probabilities.push(opinion.pass);
        softmax(&mut self.probabilities);
        let pass = self.probabilities.pop().unwrap_or(0.0);
        self.finish(board, recent, params, pass);
    }

    /// Gives chance this share of the priors, so that games to learn from see moves nobody thought of.
    pub(super) fn stir(&mut self, share: f32, rng: &mut Rng) {
        let shape = NOISE_TOTAL / self.priors.len().max(1) as f64;
        self.probabilities.clear();
        self.probabilities.extend(self.priors.iter().map(|_| rng.gamma(shape) as f32));
        let sum = self.probabilities.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for (prior, noise) in self.priors.iter_mut().zip(&self.probabilities) {
            prior.probability += share * (noise / sum - prior.probability);
        }
    }

    /// The priors of the points by their probabilities, and of a pass.
    fn finish(&mut self, board: &Board, recent: Recent, params: &SearchParams, pass: f32) {
        self.priors.clear();
        for (&point, &probability) in self.points.iter().zip(&self.probabilities) {
            self.priors.push(Prior { mv: Move::Play(point), probability, value: 0.5 });
        }
        if !self.may_pass {
            return;
        }
        let natural =
            self.points.is_empty() || (recent.last.is_none() && board.empty_count() * 2 < board.geometry().area());
        let value = if natural { 0.5 } else { params.pass_value };
        self.priors.push(Prior { mv: Move::Pass, probability: pass, value });
    }
}
