//! Who holds what against any number of moves in a row: unconditional life on the whole board.

use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Point, PointMap};
use crate::tactics::Living;

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

    /// As [`Held::of`], and what is taken for granted besides: the owners of points whose stones stay.
    pub fn given(board: &Board, granted: &PointMap<Option<Color>>) -> Held {
        let mut held = Held::of(board);
        for point in board.geometry().points() {
            held.by[point] = held.by[point].or(granted[point]);
        }
        held
    }

    /// Whether there is a stone here that can never be captured.
    pub fn is_alive_stone(&self, board: &Board, point: Point) -> bool {
        board.cell(point).color().is_some_and(|color| self.by[point] == Some(color))
    }
}

fn add_held(board: &Board, color: Color, by: &mut PointMap<Option<Color>>) {
    let living = Living::of(board, color);
    living.stones(board).for_each(|stone| by[stone] = Some(color));
    for region in living.regions.iter().filter(|region| !region.border.is_empty()) {
        let geometry = board.geometry();
        let touches = |point: Point| geometry.neighbors(point).iter().any(|&p| board.cell(p).color() == Some(color));
        // Two eyes need two points that the enclosing stones do not touch.
        if region.points.iter().filter(|&&point| !touches(point)).take(2).count() <= 1 {
            region.points.iter().for_each(|&point| by[point] = Some(color));
        }
    }
}
