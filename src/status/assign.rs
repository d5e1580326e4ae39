//! From evidence point by point to dead stones that agree with one another.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Point, PointMap};
use crate::scoring;

/// What a dead stone that nobody could take off counts for in the disagreement: more than all points together.
const ABSURD: f32 = 2000.0;
/// What each dead stone adds to the disagreement: in doubt, stones stay on the board. One of a fight that both players left open, where
/// whoever moves takes the other, is not dead.
const DOUBT: f32 = 0.8;

/// Chains of one color that lie together: connected by their own stones and empty points, so that they live or die by each other's help.
struct Group {
    heads: Vec<Point>,
}

/// The chains that are dead, each by its head, such that the owners of all points once they are off differ least from the evidence (1 Black,
/// -1 White). What `settled` says stands: its owner's stones there live and others are dead.
///
/// A stone is not judged by itself: one that stays on the board makes everything around it neutral, which the evidence must bear out.
pub(super) fn assign(board: &Board, evidence: &PointMap<f32>, settled: &PointMap<Option<Color>>) -> Vec<Point> {
    let color_of = |head: Point| board.cell(head).color();
    let mean = |head: Point| {
        let sign = color_of(head).map_or(0.0, |color| color.sign() as f32);
        board.chain(head).map(|p| evidence[p] * sign).sum::<f32>() / board.chain_size(head) as f32
    };
    let is_open = |head: &Point| settled[*head].is_none();
    let mut is_dead = PointMap::new(false);
    for head in board.chain_heads() {
        is_dead[head] = match settled[head] {
            Some(owner) => color_of(head) != Some(owner),
            None => mean(head) < 0.0,
        };
    }
    let groups: Vec<Group> = groups(board)
        .into_iter()
        .map(|heads| Group { heads: heads.into_iter().filter(is_open).collect() })
        .filter(|group| !group.heads.is_empty())
        .collect();
    let mut cost = disagreement(board, &is_dead, evidence);
    // Each round makes the disagreement smaller, so this ends; the bound is for peace of mind about rounding.
    for _ in 0..100 {
        let mut best = (cost - 1e-3, is_dead);
        let mut consider = |trial: PointMap<bool>| {
            let cost = disagreement(board, &trial, evidence);
            if cost < best.0 {
                best = (cost, trial);
            }
        };
        for group in &groups {
            for dead in [true, false] {
                let mut trial = is_dead;
                group.heads.iter().for_each(|&head| trial[head] = dead);
                consider(trial);
            }
            for &head in &group.heads {
                let mut trial = is_dead;
                trial[head] = !trial[head];
                consider(trial);
            }
        }
        if best.0 >= cost - 1e-3 {
            break;
        }
        (cost, is_dead) = best;
    }
    board.chain_heads().filter(|&head| is_dead[head]).collect()
}

/// The sum over all points of the difference between their owner, without the dead, and the evidence.
fn disagreement(board: &Board, is_dead: &PointMap<bool>, evidence: &PointMap<f32>) -> f32 {
    let dead: Vec<Point> =
        board.chain_heads().filter(|&head| is_dead[head]).flat_map(|head| board.chain(head)).collect();
    let owner = scoring::ownership(board, &dead);
    let sign = |p: Point| owner[p].map_or(0.0, |color| color.sign() as f32);
    let difference: f32 = board.geometry().points().map(|p| (sign(p) - evidence[p]).abs()).sum();
    // Stones come off only where their opponent then owns the place, whatever the evidence says.
    let absurd = dead.iter().filter(|&&p| owner[p] != board.cell(p).color().map(Color::opponent)).count();
    difference + DOUBT * dead.len() as f32 + ABSURD * absurd as f32
}

/// The chains of each color by connected sets of its stones and empty points.
fn groups(board: &Board) -> Vec<Vec<Point>> {
    let g = board.geometry();
    let mut found = Vec::new();
    for color in Color::BOTH {
        let mut seen = PointMap::new(false);
        for start in board.chain_heads().filter(|&head| board.cell(head).color() == Some(color)) {
            if seen[start] {
                continue;
            }
            let joins = |n| board.cell(n) == Cell::Empty || board.cell(n) == Cell::of(color);
            let points = g.connected(start, &mut seen, joins);
            let is_head = |p: &Point| board.cell(*p).color().is_some() && board.chain_head(*p) == *p;
            found.push(points.into_iter().filter(is_head).collect());
        }
    }
    found
}
