//! What exact reading settles where the ordinary evidence leaves doubt.

use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Point, PointMap};
use crate::life::{self, Allowance, By, Text, Verdict};
use crate::scoring;

/// Evidence (the mean share of playouts that a chain survives or not, from -1 to 1) from which on there is no doubt.
const SURE: f32 = 0.9;
/// Points of a part that is cut out at stones whose life playouts do not doubt: with more there is no hope at these budgets.
const POINTS: usize = 36;

/// How much it may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Care {
    /// When the game is over: every chain that is not settled is solved where it can be with nothing taken for granted.
    Final,
    /// While it is played, and by area: only chains in doubt, and only the easy ones.
    Passing,
}

impl Care {
    /// Positions that a chain is worth, and all chains together: half a second at most when the game is over.
    fn states(self) -> (u64, u64) {
        match self {
            Care::Final => (100_000, 160_000),
            Care::Passing => (8_000, 15_000),
        }
    }
}

/// A chain that was solved.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// What was found: that it lives or that it is dead.
    pub(super) verdict: Verdict,
    /// Whether it rests on stones around it whose life only playouts vouch for.
    pub(super) on_condition: bool,
}

/// Solves the parts of the board with a chain in doubt, first with nothing taken for granted, then between stones that the
/// evidence is sure of. `settled` chains need no solution. With [`Care::Final`] the first is done without any doubt, too.
///
/// In doubt is a chain of which the playouts are not sure, and one that looks like seki, for in playouts nobody ends a seki.
pub(super) fn solve(
    board: &Board,
    by: By,
    evidence: &PointMap<f32>,
    settled: &PointMap<Option<Color>>,
    care: Care,
) -> Vec<Solved> {
    let share = |head: Point| {
        let sign = board.cell(head).color().map_or(0.0, |color| color.sign() as f32);
        board.chain(head).map(|p| evidence[p] * sign).sum::<f32>() / board.chain_size(head) as f32
    };
    let fallen: Vec<Point> =
        board.chain_heads().filter(|&head| share(head) < -SURE).flat_map(|head| board.chain(head)).collect();
    let in_seki = scoring::seki(board, &fallen);
    let is_doubtful = |head: Point| settled[head].is_none() && (share(head).abs() < SURE || in_seki[head]);
    let is_worthy = |head: Point| is_doubtful(head) || (care == Care::Final && settled[head].is_none());
    if !board.chain_heads().any(is_worthy) {
        return Vec::new();
    }
    let mut granted = PointMap::new(None);
    let (states, total) = care.states();
    let allowance = Allowance { states, total, points: usize::MAX, stop: &|| false };
    let mut solved: Vec<Solved> = life::confirm_doubtful(board, by, &granted, &is_worthy, &allowance)
        .into_iter()
        .map(|verdict| Solved { verdict, on_condition: false })
        .collect();
    let spent: u64 = solved.iter().map(|solved| solved.verdict.states).sum();
    solved.retain(|solved| solved.verdict.lives.is_some());
    let is_solved = |solved: &[Solved], head: Point| solved.iter().any(|s| s.verdict.stones.contains(&head));
    let is_open = |head: Point| is_doubtful(head) && !is_solved(&solved, head);
    for head in board.chain_heads().filter(|&head| share(head) >= SURE && !in_seki[head]) {
        board.chain(head).for_each(|stone| granted[stone] = board.cell(head).color());
    }
    let allowance = Allowance { total: total.saturating_sub(spent), points: POINTS, ..allowance };
    let more = life::confirm_doubtful(board, by, &granted, &is_open, &allowance);
    let more: Vec<Verdict> = more.into_iter().filter(|v| v.lives.is_some()).collect();
    for verdict in more {
        if verdict
            .stones
            .first()
            .is_some_and(|&stone| granted[stone].is_none() && !is_solved(&solved, board.chain_head(stone)))
        {
            solved.push(Solved { verdict, on_condition: true });
        }
    }
    solved
}

/// Stones whose fate does not hang on who moves next, with those who have them in the end: chains that live though their opponent
/// begins, and chains that are dead though their owner does.
pub fn beyond_play(board: &Board, evidence: &PointMap<f32>) -> Vec<(Point, Color)> {
    let nothing = PointMap::new(None);
    let mut fates = Vec::new();
    for (text, lives) in [(Text::Japanese, true), (Text::Draft, false)] {
        for Solved { verdict, .. } in solve(board, By::Text(text), evidence, &nothing, Care::Passing) {
            if verdict.lives == Some(lives) {
                let owner = if lives { verdict.color } else { verdict.color.opponent() };
                fates.extend(verdict.stones.iter().map(|&stone| (stone, owner)));
            }
        }
    }
    fates
}

/// The stones that are dead by the rules of `text`, whatever playouts say, if the game ends as it stands.
pub fn proven_dead(board: &Board, text: Text, evidence: &PointMap<f32>) -> Vec<Point> {
    let solved = solve(board, By::Text(text), evidence, &PointMap::new(None), Care::Passing).into_iter();
    solved.filter(|solved| solved.verdict.lives == Some(false)).flat_map(|solved| solved.verdict.stones).collect()
}
