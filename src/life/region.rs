//! Which part of the board matters: what unconditional life leaves open, cut into parts that do not touch.

use super::benson::Held;
use super::local::{Local, MAX_POINTS, Set};
use crate::board::Board;
use crate::geometry::{Point, PointMap};

/// A connected part of the board that unconditional life does not settle.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its points, in the order in which the local ones are numbered.
    pub points: Vec<Point>,
    /// The position there, unless it has too many points for exact reading.
    pub local: Option<(Local, [Set; 2])>,
}

/// Every part, in the order of its first point.
pub fn parts(board: &Board, held: &Held) -> Vec<Part> {
    let geometry = board.geometry();
    let mut seen = PointMap::new(false);
    let mut parts = Vec::new();
    for start in geometry.points() {
        if seen[start] || held.by[start].is_some() {
            continue;
        }
        let is_open = |near| is_on_board(board, near) && held.by[near].is_none();
        let mut points = geometry.connected(start, &mut seen, is_open);
        points.sort_unstable();
        let local = (points.len() <= MAX_POINTS).then(|| cut_out(board, held, &points));
        parts.push(Part { points, local });
    }
    parts
}

fn is_on_board(board: &Board, point: Point) -> bool {
    board.is_empty(point) || board.cell(point).color().is_some()
}

fn cut_out(board: &Board, held: &Held, points: &[Point]) -> (Local, [Set; 2]) {
    let mut local = Local { points: points.to_vec(), near: vec![0; points.len()], edge: [0; 2] };
    let mut stones = [0; 2];
    for (i, &point) in points.iter().enumerate() {
        if let Some(color) = board.cell(point).color() {
            stones[color.index()] |= 1 << i;
        }
        for near in board.geometry().neighbors(point) {
            if let Ok(j) = points.binary_search(&near) {
                local.near[i] |= 1 << j;
            } else if let Some(holder) = board.cell(near).color().filter(|_| held.is_alive_stone(board, near)) {
                local.edge[holder.index()] |= 1 << i;
            }
        }
    }
    (local, stones)
}
