//! The playout policy: which suggestion is taken when, and what is never played.

use super::Recent;
use super::candidates::{self, Reason, Suggestion, Suggestions};
use super::local::LocalWeights;
use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Move, Point};
use crate::rng::Rng;
use crate::tactics::{is_bad_self_atari, safe_alternative};

/// How often each part of the policy is asked, in percent.
///
/// Starting values are in the ranges of Pachi (Baudis and Gailly, 2012) and Matilda as published. Tried on 9x9 with 1000 playouts a move, 60 games each: refusing
/// self-atari 60 against 95 34-26, two liberties 60 against 80 32-28; 40 games each: elsewhere 12 against 30 20-20, 50 against 30 19-21.
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
    /// Weight of playing elsewhere than next to the last two moves, in percent of what people do.
    pub elsewhere: u32,
    /// Refusing a bad self-atari among random moves.
    pub refuse_self_atari: u32,
}

impl Default for PlayoutParams {
    fn default() -> PlayoutParams {
        PlayoutParams { light: false, atari: 90, two_liberties: 80, nakade: 80, elsewhere: 30, refuse_self_atari: 60 }
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
    local: &'static LocalWeights,
    suggestions: Suggestions,
}

impl<'p> Policy<'p> {
    /// A policy with these parameters.
    pub fn new(params: &'p PlayoutParams) -> Policy<'p> {
        Policy { params, local: LocalWeights::shipped(), suggestions: Suggestions::new() }
    }

    /// The parameters.
    pub fn params(&self) -> &'p PlayoutParams {
        self.params
    }

    /// The next move of a playout.
    #[inline]
    pub fn choose(&mut self, board: &mut Board, color: Color, recent: Recent, rng: &mut Rng) -> Move {
        self.suggest(board, color, recent, rng).map_or(Move::Pass, |suggestion| Move::Play(suggestion.point))
    }

    /// The next move of the baseline, which knows no more than that eyes are not filled.
    #[inline(always)]
    pub fn uniform(board: &mut Board, color: Color, _: Recent, rng: &mut Rng) -> Move {
        random_point(board, color, rng, |_, _| true).map_or(Move::Pass, Move::Play)
    }

    /// The next move with its reason; `None` for a pass.
    pub fn suggest(&mut self, board: &mut Board, color: Color, recent: Recent, rng: &mut Rng) -> Option<Suggestion> {
        let p = self.params;
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
                .or_else(|| self.local_move(board, color, recent, rng));
            if suggestion.is_some() {
                return suggestion;
            }
        }
        let refuse = rng.percent(p.refuse_self_atari);
        let point =
            random_point(board, color, rng, |board, point| !(refuse && is_bad_self_atari(board, point, color)))?;
        Some(Suggestion { point, reason: Reason::Random })
    }

    /// A move near the last two by learnt weights, unless it is a blunder that nothing mends.
    #[inline]
    fn local_move(&mut self, board: &Board, color: Color, recent: Recent, rng: &mut Rng) -> Option<Suggestion> {
        // In the units of the weights, one is 16.
        let elsewhere = self.params.elsewhere * 16 / 100;
        for _ in 0..2 {
            let point = self.local.draw(board, color, recent, elsewhere, rng)?;
            if let Some(point) = mended(board, point, color) {
                return Some(Suggestion { point, reason: Reason::Local });
            }
        }
        None
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
            if chosen.reason == Reason::Nakade {
                drawn = Some(chosen);
                break;
            }
            if let Some(point) = mended(board, chosen.point, color) {
                drawn = Some(Suggestion { point, ..chosen });
                break;
            }
        }
        self.suggestions.clear();
        drawn
    }
}

/// The point if a stone there is no blunder, or else what saves it from being one, if anything does.
#[inline]
fn mended(board: &Board, point: Point, color: Color) -> Option<Point> {
    if is_bad_self_atari(board, point, color) { safe_alternative(board, point, color) } else { Some(point) }
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
        // With an empty neighbour it is neither an eye nor forbidden: one look settles most draws.
        let around = board.around(point);
        let fit = around.has_empty_neighbor() || !around.is_eye(color) && board.is_playable(point, color, false);
        if fit && accept(board, point) {
            return Some(point);
        }
        left -= 1;
        board.swap_empty(i, left);
    }
    None
}
