//! What is known of a move before it is tried.

use super::params::SearchParams;
use crate::board::Board;
use crate::color::Color;
use crate::features::FeatureReader;
use crate::geometry::{Move, Point};
use crate::move_model::{MoveModel, softmax};
use crate::net::Opinion;
use crate::playout::Recent;
use crate::tree::Prior;

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
