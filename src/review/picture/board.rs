//! Boards: before a move, with the move that was made and the one that would have been better; and at the end, with who has what.

use super::{Anchor, BLACK, BLUE, GREEN, Ink, Picture, RED, Shape, WHITE, WOOD};
use crate::board::Board;
use crate::color::Color;
use crate::engine::Engine;
use crate::geometry::{Geometry, Move, Point};
use crate::scoring::Ownership;
use crate::status::{ChainStatus, Status};

/// Distance between two lines.
const CELL: f32 = 18.0;
/// Room for the names of lines.
const MARGIN: f32 = 30.0;

/// The board with the last move before, the move `played` by `color` (red) and the `better` one (green).
pub fn board(board: &Board, last: Option<Point>, color: Color, played: Move, better: Option<Move>) -> Picture {
    let g = board.geometry();
    let title = format!(
        "{} played {}{}",
        if color == Color::Black { "Black" } else { "White" },
        g.move_name(played),
        better.map_or(String::new(), |mv| format!(", better was {}", g.move_name(mv))),
    );
    let mut picture = empty(g, title);
    picture.shapes.extend(stones(board));
    if let Some(p) = last {
        let ink = if board.cell(p).color() == Some(Color::Black) { WHITE } else { BLACK };
        picture.shapes.push(ring(place(g, p), CELL * 0.22, ink));
    }
    if let Some(p) = better.and_then(Move::point) {
        picture.shapes.push(stone_at(place(g, p), color));
        picture.shapes.push(ring(place(g, p), CELL * 0.36, GREEN));
    }
    if let Some(p) = played.point() {
        picture.shapes.push(stone_at(place(g, p), color));
        picture.shapes.extend(cross(place(g, p)));
    }
    picture
}

fn outcome(board: &Board, statuses: &[ChainStatus], owner: &Ownership, title: String) -> Picture {
    let g = board.geometry();
    let mut picture = empty(g, title);
    picture.shapes.extend(stones(board));
    let of =
        |status: Status| statuses.iter().filter(move |chain| chain.status == status).flat_map(|chain| &chain.stones);
    picture.shapes.extend(of(Status::Seki).map(|&p| ring(place(g, p), CELL * 0.25, BLUE)));
    let dead: Vec<Point> = of(Status::Dead).copied().collect();
    picture.shapes.extend(dead.iter().flat_map(|&p| cross(place(g, p))));
    for p in g.points().filter(|p| board.is_empty(*p) || dead.contains(p)) {
        let Some(color) = owner[p] else { continue };
        let ((x, y), side) = (place(g, p), CELL * 0.36);
        let at = (x - side / 2.0, y - side / 2.0);
        picture.shapes.push(Shape::Rectangle { at, size: (side, side), fill: ink_of(color) });
    }
    picture
}

/// The board of an engine's game as if it were over: dead stones are crossed out, those in seki have a ring, and on every point that
/// somebody has beside living stones there is a square of that player's color.
pub fn outcome_of(engine: &mut Engine) -> Picture {
    let (owner, title) = (engine.final_ownership(), engine.final_score().to_string());
    let statuses = engine.final_status().to_vec();
    outcome(engine.game().board(), &statuses, &owner, title)
}

fn place(g: Geometry, point: Point) -> (f32, f32) {
    let (x, y) = g.xy(point);
    (MARGIN + CELL * x as f32, MARGIN + CELL * (g.size() - 1 - y) as f32)
}

/// The lines with their names.
fn empty(g: Geometry, title: String) -> Picture {
    let size = g.size();
    let side = MARGIN * 2.0 + CELL * (size - 1) as f32;
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
    shapes.extend(stars.into_iter().map(|p| disk(place(g, p), 2.2, BLACK)));
    Picture { width: side, height: side, title, shapes }
}

fn stones(board: &Board) -> impl Iterator<Item = Shape> + '_ {
    let g = board.geometry();
    g.points().filter_map(move |p| Some(stone_at(place(g, p), board.cell(p).color()?)))
}

fn cross((x, y): (f32, f32)) -> [Shape; 2] {
    let arm = CELL * 0.2;
    let stroke =
        |from: f32, to: f32| Shape::Line { points: vec![(x - arm, from), (x + arm, to)], ink: RED, width: 2.4 };
    [stroke(y - arm, y + arm), stroke(y + arm, y - arm)]
}

fn ink_of(color: Color) -> Ink {
    if color == Color::Black { BLACK } else { WHITE }
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
    let fill = ink_of(color);
    Shape::Circle { at, radius: CELL * 0.47, fill: Some(fill), line: Some((BLACK, 0.7)) }
}
