//! First impressions of a position: what playouts and the move model would do, without a search.

use super::Engine;
use crate::color::Color;
use crate::features::FeatureReader;
use crate::geometry::{Move, Point};
use crate::move_model::MoveModel;
use crate::playout::candidates::Suggestion;
use crate::playout::{Policy, Recent};
use crate::rng::Rng;

impl Engine {
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
