//! What is known of a move before it is tried, expressed as visits.

use super::params::SearchParams;
use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Move, Point, PointMap};
use crate::pattern;
use crate::playout::Recent;
use crate::playout::candidates::{self, Reason, Suggestions};
use crate::tactics::{LadderReader, is_bad_self_atari};
use crate::tree::Prior;

/// Visits won and lost that a move is credited with.
#[derive(Clone, Copy, Default)]
struct Credit {
    good: f32,
    bad: f32,
}

/// Collects priors for the moves of one position. Reused from node to node.
#[derive(Debug)]
pub(super) struct PriorScratch {
    suggestions: Suggestions,
    ladders: LadderReader,
    /// For each point, the bonus of the suggestions and of ladders.
    bonus: PointMap<f32>,
    /// The priors of the position last looked at.
    pub(super) priors: Vec<Prior>,
}

impl PriorScratch {
    pub(super) fn new() -> PriorScratch {
        PriorScratch {
            suggestions: Suggestions::new(),
            ladders: LadderReader::new(),
            bonus: PointMap::new(0.0),
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
        self.priors.clear();
        let cells = board.geometry().cells();
        self.bonus.prefix_mut(cells).fill(0.0);
        self.chain_bonuses(board, color);
        self.suggestion_bonuses(board, color, recent);
        for point in board.geometry().points() {
            if !board.is_playable(point, color, suicide) || board.around(point).is_eye(color) || !is_allowed(point) {
                continue;
            }
            let credit = self.credit(board, color, recent, point);
            self.priors.push(to_prior(Move::Play(point), credit, params));
        }
        let pass = pass_credit(board, recent, self.priors.is_empty());
        self.priors.push(to_prior(Move::Pass, pass, params));
    }

    /// Chains in atari and ladders anywhere on the board.
    fn chain_bonuses(&mut self, board: &Board, color: Color) {
        for point in board.chain_heads().filter(|&head| board.liberty_count(head) <= 2) {
            let Some(owner) = board.cell(point).color() else { continue };
            let size = board.chain_size(point).min(5) as f32;
            match (owner == color, board.liberty_count(point)) {
                (true, 1) => {
                    self.suggestions.clear();
                    candidates::save_chain(board, color, point, &mut self.suggestions);
                    if !self.suggestions.as_slice().is_empty() && self.ladders.is_caught(board, point) {
                        // Running only makes it worse; what saves by capture was read as an escape.
                        for s in self.suggestions.as_slice() {
                            self.bonus[s.point] -= 10.0;
                        }
                    } else {
                        for s in self.suggestions.as_slice() {
                            self.bonus[s.point] += if s.reason == Reason::Capture { 10.0 } else { 5.0 } + 5.0 * size;
                        }
                    }
                }
                (false, 1) => self.bonus[board.first_liberty(point)] += 10.0 + 5.0 * size,
                (false, _) => {
                    if let Some(start) = self.ladders.capturing_move(board, point) {
                        self.bonus[start] += 4.0 * size;
                    }
                }
                _ => {}
            }
        }
    }

    /// What the playouts would suggest here.
    fn suggestion_bonuses(&mut self, board: &Board, color: Color, recent: Recent) {
        let Some(last) = recent.last else { return };
        self.suggestions.clear();
        candidates::two_liberty_moves(board, color, last, &mut self.suggestions);
        candidates::nakade_moves(board, color, last, &mut self.suggestions);
        for s in self.suggestions.as_slice() {
            self.bonus[s.point] += match s.reason {
                Reason::Nakade => 30.0,
                Reason::Capture => 15.0,
                Reason::Strengthen => 8.0,
                _ => 6.0,
            };
        }
    }

    fn credit(&self, board: &Board, color: Color, recent: Recent, point: Point) -> Credit {
        let g = board.geometry();
        let mut credit = Credit::default();
        let bonus = self.bonus[point];
        if bonus > 0.0 {
            credit.good += bonus;
        } else {
            credit.bad -= bonus;
        }
        if is_bad_self_atari(board, point, color) {
            credit.bad += 20.0;
        }
        if pattern::is_shape(board.around(point), color) {
            credit.good += 10.0;
        }
        for (move_point, weights) in [(recent.last, [20.0, 16.0, 10.0, 6.0]), (recent.before, [8.0, 6.0, 4.0, 2.0])] {
            if let Some(m) = move_point {
                // Distances 2 to 5: neighbour, diagonal, jump and knight's move.
                if let Some(w) = g.distance(m, point).checked_sub(2).and_then(|d| weights.get(d)) {
                    credit.good += w * 0.6;
                }
            }
        }
        if is_quiet(board, point) {
            match g.line(point) {
                1 => credit.bad += 20.0,
                2 => credit.bad += 6.0,
                3 | 4 => credit.good += 8.0,
                _ => {}
            }
        }
        credit
    }
}

/// Whether no stone lies within the 5x5 area around the point.
fn is_quiet(board: &Board, point: Point) -> bool {
    let g = board.geometry();
    let (x, y) = g.xy(point);
    (x.saturating_sub(2)..=x + 2)
        .all(|qx| (y.saturating_sub(2)..=y + 2).all(|qy| g.point(qx, qy).is_none_or(|q| board.cell(q) == Cell::Empty)))
}

/// A pass looks bad while there is something to play, and natural as an answer to a pass or on a full board.
fn pass_credit(board: &Board, recent: Recent, nothing_else: bool) -> Credit {
    if nothing_else || (recent.last.is_none() && board.empty_count() * 2 < board.geometry().area()) {
        Credit::default()
    } else {
        Credit { good: 0.0, bad: 30.0 }
    }
}

fn to_prior(mv: Move, credit: Credit, params: &SearchParams) -> Prior {
    let (good, bad) = (credit.good * params.prior_scale, credit.bad * params.prior_scale);
    let visits = params.prior_even + good + bad;
    Prior { mv, visits, value: (params.prior_even * 0.5 + good) / visits }
}
