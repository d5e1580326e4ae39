//! What is known of a move before it is tried.

use super::params::SearchParams;
use crate::board::Board;
use crate::color::Color;
use crate::features::FeatureReader;
use crate::geometry::{Move, Point};
use crate::move_model::MoveModel;
use crate::playout::Recent;
use crate::tree::Prior;

/// Finds the priors of the moves of one position. Reused from node to node.
#[derive(Debug)]
pub(super) struct PriorScratch {
    model: &'static MoveModel,
    reader: FeatureReader,
    points: Vec<Point>,
    probabilities: Vec<f32>,
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
            priors: Vec::new(),
        }
    }

    /// Fills `self.priors` for all moves of `color` for which `is_allowed` holds, and a pass.
    pub(super) fn compute(
        &mut self,
        board: &Board,
        color: Color,
        recent: Recent,
        params: &SearchParams,
        suicide: bool,
        mut is_allowed: impl FnMut(Point) -> bool,
    ) {
        let may_play =
            |&p: &Point| board.is_playable(p, color, suicide) && !board.around(p).is_eye(color) && is_allowed(p);
        self.points.clear();
        self.points.extend(board.geometry().points().filter(may_play));
        self.model.probabilities(&mut self.reader, board, color, recent, &self.points, &mut self.probabilities);
        self.priors.clear();
        for (&point, &probability) in self.points.iter().zip(&self.probabilities) {
            self.priors.push(Prior { mv: Move::Play(point), probability, value: 0.5 });
        }
        let natural =
            self.points.is_empty() || (recent.last.is_none() && board.empty_count() * 2 < board.geometry().area());
        let value = if natural { 0.5 } else { params.pass_value };
        self.priors.push(Prior { mv: Move::Pass, probability: 0.0, value });
    }
}
