//! First impressions of a position: what playouts, the move model and the network think of it, without a search.

use super::Engine;
use crate::color::Color;
use crate::features::FeatureReader;
use crate::geometry::{Move, Point, PointMap};
use crate::move_model::{MoveModel, softmax};
use crate::net::{Evaluator, InputReader};
use crate::playout::candidates::Suggestion;
use crate::playout::{Policy, Recent};
use crate::rng::Rng;
use crate::scoring;

/// What the network thinks of a position at first sight.
#[derive(Clone, Debug)]
pub struct Glance {
    /// How likely it thinks each legal move, a pass among them; together 1.
    pub moves: Vec<(Move, f32)>,
    /// Chance of the player to move to win, 0 to 1.
    pub win: f32,
    /// Lead of the player to move, in points, komi counted.
    pub lead: f32,
    /// Who will own each point: from 1, the player to move, to -1, the opponent.
    pub owner: PointMap<f32>,
}

impl Engine {
    /// What the network thinks of the position with `color` to move when it sees the board turned by a symmetry: see
    /// [`crate::geometry::Geometry::turned`]. `None` where the advanced level has no network.
    pub fn glance(&self, color: Color, symmetry: u8) -> Option<Glance> {
        let geometry = self.game.geometry();
        let network = self.settings.net.network(geometry)?;
        let scoring = self.game.rules().scoring;
        let komi = scoring::area_komi(self.game.compensation(), scoring, self.game.placed_difference(), color);
        let recent = Recent::of_moves(self.game.turns().iter().map(|turn| turn.mv));
        let mut reader = InputReader::new();
        reader.read(self.game.board(), color, recent, self.game.passes() > 0, komi);
        let mut evaluator = Evaluator::new();
        evaluator.evaluate_turned(network, geometry, &reader.input, symmetry);
        let opinion = &evaluator.opinion;
        let plays = geometry.points().map(Move::Play).filter(|&mv| self.game.check(color, mv).is_ok());
        let moves: Vec<Move> = plays.chain([Move::Pass]).collect();
        let mut values: Vec<f32> =
            moves.iter().map(|mv| mv.point().map_or(opinion.pass, |point| opinion.policy[point])).collect();
        softmax(&mut values);
        let moves = moves.into_iter().zip(values).collect();
        Some(Glance { moves, win: opinion.win, lead: opinion.lead, owner: opinion.owner })
    }

    /// How often the playout policy chooses which move here, and for which reason, the most frequent first; `None` is a pass. The shares add up to 1.
    pub fn playout_moves(&self, color: Color) -> Vec<(Option<Suggestion>, f64)> {
        const DRAWS: u32 = 2000;
        let mut policy = Policy::new(&self.settings.search.playout);
        let mut rng = Rng::derived(self.game.board().hash(), 6);
        let mut board = self.game.board().clone();
        let recent = Recent::of_moves(self.game.turns().iter().map(|turn| turn.mv));
        let mut counts: Vec<(Option<Suggestion>, u32)> = Vec::new();
        for _ in 0..DRAWS {
            let drawn = policy.suggest(&mut board, color, recent, &mut rng);
            match counts.iter_mut().find(|(known, _)| *known == drawn) {
                Some((_, count)) => *count += 1,
                None => counts.push((drawn, 1)),
            }
        }
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts.into_iter().map(|(drawn, count)| (drawn, f64::from(count) / f64::from(DRAWS))).collect()
    }

    /// What the move model thinks of every legal move but a pass: its probability, the most likely first.
    pub fn move_probabilities(&self, color: Color) -> Vec<(Point, f32)> {
        let board = self.game.board();
        let recent = Recent::of_moves(self.game.turns().iter().map(|turn| turn.mv));
        let is_legal = |&p: &Point| self.game.check(color, Move::Play(p)).is_ok();
        let points: Vec<Point> = board.geometry().points().filter(is_legal).collect();
        let mut values = Vec::new();
        MoveModel::shipped().probabilities(&mut FeatureReader::new(), board, color, recent, &points, &mut values);
        let mut found: Vec<(Point, f32)> = points.into_iter().zip(values).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found
    }
}
