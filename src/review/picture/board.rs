//! The board before a move, with the move that was made and the one that would have been better.

use super::{Anchor, BLACK, GREEN, Ink, Picture, RED, Shape, WHITE, WOOD};
use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Move, Point};

/// Distance between two lines.
const CELL: f32 = 18.0;
/// Room for the names of lines.
const MARGIN: f32 = 30.0;

/// The board with the last move before, the move `played` by `color` (red) and the `better` one (green).
pub fn board(board: &Board, last: Option<Point>, color: Color, played: Move, better: Option<Move>) -> Picture {
    let g = board.geometry();
    let size = g.size();
    let side = MARGIN * 2.0 + CELL * (size - 1) as f32;
    let place = |p: Point| {
        let (x, y) = g.xy(p);
        (MARGIN + CELL * x as f32, MARGIN + CELL * (size - 1 - y) as f32)
    };
    let title = format!(
        "{} played {}{}",
        if color == Color::Black { "Black" } else { "White" },
        g.move_name(played),
        better.map_or(String::new(), |mv| format!(", better was {}", g.move_name(mv))),
    );
    let mut shapes = vec![Shape::Rectangle { at: (0.0, 0.0), size: (side, side), fill: WOOD }];
    let far = MARGIN + CELL * (size - 1) as f32;
    for i in 0..size {
        let at = MARGIN + CELL * i as f32;
        shapes.push(Shape::Line { points: vec![(MARGIN, at), (far, at)], ink: BLACK, width: 0.7 });
        shapes.push(Shape::Line { points: vec![(at, MARGIN), (at, far)], ink: BLACK, width: 0.7 });
        let Some(name) = g.point(i, 0).map(|p| g.point_name(p)) else { continue };
        let letter = name.chars().take(1).collect::<String>();
        let row = (size - i).to_string();
        for edge in [MARGIN / 2.0 - 4.0, side - MARGIN / 2.0 + 4.0] {
            shapes.push(text((at, edge), &letter));
            shapes.push(text((edge, at), &row));
        }
    }
    let stars = g.handicap_points(9).or_else(|| g.handicap_points(4)).unwrap_or_default();
    shapes.extend(stars.into_iter().map(|p| disk(place(p), 2.2, BLACK)));
    for p in g.points() {
        if let Some(stone) = board.cell(p).color() {
            shapes.push(stone_at(place(p), stone));
        }
    }
    if let Some(p) = last {
        let ink = if board.cell(p).color() == Some(Color::Black) { WHITE } else { BLACK };
        shapes.push(ring(place(p), CELL * 0.22, ink));
    }
    if let Some(p) = better.and_then(Move::point) {
        shapes.push(stone_at(place(p), color));
        shapes.push(ring(place(p), CELL * 0.36, GREEN));
    }
    if let Some(p) = played.point() {
        let (x, y) = place(p);
        let arm = CELL * 0.2;
        shapes.push(stone_at((x, y), color));
        shapes.push(Shape::Line { points: vec![(x - arm, y - arm), (x + arm, y + arm)], ink: RED, width: 2.4 });
        shapes.push(Shape::Line { points: vec![(x - arm, y + arm), (x + arm, y - arm)], ink: RED, width: 2.4 });
    }
    Picture { width: side, height: side, title, shapes }
}

fn text(at: (f32, f32), text: &str) -> Shape {
    Shape::Text { at, text: text.to_string(), anchor: Anchor::Middle, ink: BLACK }
}

fn disk(at: (f32, f32), radius: f32, fill: Ink) -> Shape {
    Shape::Circle { at, radius, fill: Some(fill), line: None }
}

fn ring(at: (f32, f32), radius: f32, ink: Ink) -> Shape {
    Shape::Circle { at, radius, fill: None, line: Some((ink, 2.2)) }
}

fn stone_at(at: (f32, f32), color: Color) -> Shape {
    let fill = if color == Color::Black { BLACK } else { WHITE };
    Shape::Circle { at, radius: CELL * 0.47, fill: Some(fill), line: Some((BLACK, 0.7)) }
}
