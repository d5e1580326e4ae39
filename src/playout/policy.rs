//! The playout policy: which suggestion is taken when, and what is never played.

use super::Recent;
use super::candidates::{self, Reason, Suggestion, Suggestions};
use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Move, Point};
use crate::pattern::Shapes;
use crate::rng::Rng;
use crate::tactics::{is_bad_self_atari, safe_alternative};

/// How often each part of the policy is asked, in percent.
///
/// Starting values follow the ranges that the search playbook reports from tuned engines (Pachi's and Matilda's published constants).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayoutParams {
    /// Uniform moves only: the baseline.
    pub light: bool,
    /// Answering atari.
    pub atari: u32,
    /// Moves around chains with two liberties.
    pub two_liberties: u32,
    /// Vital points of small eye spaces.
    pub nakade: u32,
    /// 3x3 shapes around the last two moves.
    pub shape: u32,
    /// Refusing a bad self-atari among random moves.
    pub refuse_self_atari: u32,
}

impl Default for PlayoutParams {
    fn default() -> PlayoutParams {
        PlayoutParams { light: false, atari: 90, two_liberties: 80, nakade: 80, shape: 95, refuse_self_atari: 95 }
    }
}

impl PlayoutParams {
    /// The uniform policy.
    pub fn light() -> PlayoutParams {
        PlayoutParams { light: true, ..PlayoutParams::default() }
    }

    /// Moves after which a playout is cut off: three boards full, which only repeated captures reach.
    pub const fn max_moves(&self, area: usize) -> usize {
        3 * area + 20
    }
}

/// A policy at work, with its scratch memory.
#[derive(Debug)]
pub struct Policy<'p> {
    params: &'p PlayoutParams,
    shapes: &'static Shapes,
    suggestions: Suggestions,
}

impl<'p> Policy<'p> {
    /// A policy with these parameters.
    pub fn new(params: &'p PlayoutParams) -> Policy<'p> {
        Policy { params, shapes: Shapes::table(), suggestions: Suggestions::new() }
    }

    /// The parameters.
    pub fn params(&self) -> &'p PlayoutParams {
        self.params
    }

    /// The next move of a playout.
    #[inline]
    pub fn choose(&mut self, board: &mut Board, color: Color, recent: Recent, rng: &mut Rng) -> Move {
        if self.params.light {
            return match random_point(board, color, rng, |_, _| true) {
                Some(point) => Move::Play(point),
                None => Move::Pass,
            };
        }
        match self.suggest(board, color, recent, rng) {
            Some(suggestion) => Move::Play(suggestion.point),
            None => Move::Pass,
        }
    }

    /// The next move with its reason; `None` for a pass.
    pub fn suggest(&mut self, board: &mut Board, color: Color, recent: Recent, rng: &mut Rng) -> Option<Suggestion> {
        let (p, shapes) = (self.params, self.shapes);
        if let Some(last) = recent.last {
            let suggestion = self
                .ask(p.atari, board, color, rng, |out| candidates::atari_answers(board, color, last, out))
                .or_else(|| {
                    self.ask(p.two_liberties, board, color, rng, |out| {
                        candidates::two_liberty_moves(board, color, last, out);
                    })
                })
                .or_else(|| {
                    self.ask(p.nakade, board, color, rng, |out| candidates::nakade_moves(board, color, last, out))
                })
                .or_else(|| {
                    self.ask(p.shape, board, color, rng, |out| {
                        candidates::shape_moves(board, color, recent, shapes, out)
                    })
                });
            if suggestion.is_some() {
                return suggestion;
            }
        }
        let refuse = rng.percent(p.refuse_self_atari);
        let point =
            random_point(board, color, rng, |board, point| !(refuse && is_bad_self_atari(board, point, color)))?;
        Some(Suggestion { point, reason: Reason::Random })
    }

    /// What one part of the policy suggests, if it is asked this time.
    #[inline]
    fn ask(
        &mut self,
        percent: u32,
        board: &Board,
        color: Color,
        rng: &mut Rng,
        suggest: impl FnOnce(&mut Suggestions),
    ) -> Option<Suggestion> {
        if !rng.percent(percent) {
            return None;
        }
        suggest(&mut self.suggestions);
        self.draw(board, color, rng)
    }

    /// One of the suggestions at random that is no blunder, or what saves it from being one; the list is empty afterwards.
    #[inline]
    fn draw(&mut self, board: &Board, color: Color, rng: &mut Rng) -> Option<Suggestion> {
        let list = self.suggestions.as_slice();
        let mut drawn = None;
        for _ in 0..list.len().min(3) {
            let chosen = list[rng.below(list.len())];
            if chosen.reason == Reason::Nakade || !is_bad_self_atari(board, chosen.point, color) {
                drawn = Some(chosen);
                break;
            }
            if let Some(point) = safe_alternative(board, chosen.point, color) {
                drawn = Some(Suggestion { point, ..chosen });
                break;
            }
        }
        self.suggestions.clear();
        drawn
    }
}

/// A point drawn uniformly from those that are playable, not an own eye, and acceptable.
#[inline]
fn random_point(
    board: &mut Board,
    color: Color,
    rng: &mut Rng,
    accept: impl Fn(&Board, Point) -> bool,
) -> Option<Point> {
    let mut left = board.empty_count();
    while left > 0 {
        let i = rng.below(left);
        let point = board.empty_points()[i];
        if !board.around(point).is_eye(color) && board.is_playable(point, color, false) && accept(board, point) {
            return Some(point);
        }
        left -= 1;
        board.swap_empty(i, left);
    }
    None
}
