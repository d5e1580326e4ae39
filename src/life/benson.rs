//! Who holds what against any number of moves in a row: unconditional life on the whole board.
//!
//! The algorithm is that of D. B. Benson, "Life in the game of Go" (1976): a chain lives if it has two vital regions,
//! enclosed by chains that live, and all empty points of a vital region are its liberties.

use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Point, PointMap};

/// For every point, who holds it unconditionally: the owner of an unconditionally alive stone, or of an area enclosed by
/// such stones in which the opponent has no room for two eyes (dead stones in it included).
#[derive(Clone, Debug)]
pub struct Held {
    /// The holder of each point.
    pub by: PointMap<Option<Color>>,
}

impl Held {
    /// What the position settles.
    pub fn of(board: &Board) -> Held {
        let mut held = Held { by: PointMap::new(None) };
        for color in Color::BOTH {
            add_held(board, color, &mut held.by);
        }
        held
    }

    /// Whether there is a stone here that can never be captured.
    pub fn is_alive_stone(&self, board: &Board, point: Point) -> bool {
        board.cell(point).color().is_some_and(|color| self.by[point] == Some(color))
    }
}

/// A connected area without stones of the color in question.
struct Region {
    points: Vec<Point>,
    /// Heads of the chains around it.
    border: Vec<Point>,
}

fn add_held(board: &Board, color: Color, by: &mut PointMap<Option<Color>>) {
    let mut chains: Vec<Point> = board.chain_heads().filter(|&head| board.cell(head).color() == Some(color)).collect();
    let mut regions = regions(board, color);
    loop {
        let before = (chains.len(), regions.len());
        chains.retain(|&chain| regions.iter().filter(|region| is_vital(board, region, chain)).take(2).count() == 2);
        regions.retain(|region| region.border.iter().all(|head| chains.contains(head)));
        if before == (chains.len(), regions.len()) {
            break;
        }
    }
    for &chain in &chains {
        board.chain(chain).for_each(|stone| by[stone] = Some(color));
    }
    for region in regions.iter().filter(|region| !region.border.is_empty()) {
        let geometry = board.geometry();
        let touches = |point: Point| geometry.neighbors(point).iter().any(|&p| board.cell(p).color() == Some(color));
        // Two eyes need two points that the enclosing stones do not touch.
        if region.points.iter().filter(|&&point| !touches(point)).take(2).count() <= 1 {
            region.points.iter().for_each(|&point| by[point] = Some(color));
        }
    }
}

fn is_vital(board: &Board, region: &Region, chain: Point) -> bool {
    let mut empty = region.points.iter().filter(|&&point| board.is_empty(point));
    region.border.contains(&chain) && empty.all(|&point| board.is_liberty(chain, point))
}

fn regions(board: &Board, color: Color) -> Vec<Region> {
    let geometry = board.geometry();
    let is_foreign = |point: Point| board.is_empty(point) || board.cell(point).color() == Some(color.opponent());
    let mut seen = PointMap::new(false);
    let mut regions = Vec::new();
    for start in geometry.points() {
        if seen[start] || !is_foreign(start) {
            continue;
        }
        seen[start] = true;
        let mut region = Region { points: vec![start], border: Vec::new() };
        let mut next = 0;
        while let Some(&point) = region.points.get(next) {
            next += 1;
            for near in geometry.neighbors(point) {
                if is_foreign(near) {
                    if !seen[near] {
                        seen[near] = true;
                        region.points.push(near);
                    }
                } else if board.cell(near).color() == Some(color) {
                    let head = board.chain_head(near);
                    if !region.border.contains(&head) {
                        region.border.push(head);
                    }
                }
            }
        }
        regions.push(region);
    }
    regions
}
