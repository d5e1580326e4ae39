//! The curve of a game: Black's chance to win above, Black's lead below, move by move.

use super::{Anchor, BLACK, BLUE, GRAY, Ink, Picture, RED, Shape, WHITE};
use crate::review::Review;

const WIDTH: f32 = 800.0;
const HEIGHT: f32 = 360.0;
const LEFT: f32 = 56.0;
const RIGHT: f32 = 16.0;
/// Top and bottom of the two parts.
const UPPER: (f32, f32) = (16.0, 176.0);
const LOWER: (f32, f32) = (196.0, 326.0);
const BAND: Ink = [0xE4, 0xE8, 0xEE];
/// Points lost from which a move is marked.
const MARKED: f64 = 2.0;

/// The curve of a review.
pub fn curve(review: &Review) -> Picture {
    let mut picture = Picture {
        width: WIDTH,
        height: HEIGHT,
        title: format!(
            "{} against {}: chance to win and lead of Black",
            review.name(crate::color::Color::Black),
            review.name(crate::color::Color::White)
        ),
        shapes: vec![Shape::Rectangle { at: (0.0, 0.0), size: (WIDTH, HEIGHT), fill: WHITE }],
    };
    let first = review.positions.first().map_or(0, |position| position.turn);
    let last = review.positions.last().map_or(0, |position| position.turn).max(first + 1);
    let x = |turn: usize| LEFT + (WIDTH - LEFT - RIGHT) * (turn - first) as f32 / (last - first) as f32;
    let span = review.positions.iter().map(|position| position.black_lead.abs()).fold(10.0, f64::max);
    let span = (span / 10.0).ceil() * 10.0;
    let upper = |win_rate: f64| UPPER.1 - (UPPER.1 - UPPER.0) * win_rate as f32;
    let lower = |lead: f64| LOWER.1 - (LOWER.1 - LOWER.0) * ((lead / span + 1.0) / 2.0) as f32;
    let shapes = &mut picture.shapes;

    let mut area: Vec<(f32, f32)> = vec![(x(first), UPPER.1)];
    area.extend(review.positions.iter().map(|position| (x(position.turn), upper(position.black_win_rate))));
    area.push((x(review.positions.last().map_or(first, |position| position.turn)), UPPER.1));
    shapes.push(Shape::Area { points: area, fill: BAND });
    for percent in [0, 25, 50, 75, 100] {
        level(shapes, upper(f64::from(percent) / 100.0), &format!("{percent}%"), percent == 50);
    }
    for share in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let lead = span * share;
        let letter = if lead < 0.0 { "W+" } else { "B+" };
        let text = if share == 0.0 { "0".to_string() } else { format!("{letter}{}", lead.abs()) };
        level(shapes, lower(lead), &text, share == 0.0);
    }
    let step =
        [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|step| (last - first) / step <= 14).unwrap_or(1000);
    for turn in (first..=last).filter(|turn| turn % step == 0) {
        let text = turn.to_string();
        shapes.push(Shape::Text { at: (x(turn), HEIGHT - 16.0), text, anchor: Anchor::Middle, ink: BLACK });
    }
    let line = |y: &dyn Fn(&crate::review::Look) -> f32| review.positions.iter().map(|p| (x(p.turn), y(p))).collect();
    shapes.push(Shape::Line { points: line(&|p| upper(p.black_win_rate)), ink: BLACK, width: 1.6 });
    shapes.push(Shape::Line { points: line(&|p| lower(p.black_lead)), ink: BLUE, width: 1.6 });
    for judgement in review.moves.iter().filter(|judgement| judgement.points_lost >= MARKED) {
        let fill = if judgement.player == 'B' { BLACK } else { WHITE };
        let mark =
            |y| Shape::Circle { at: (x(judgement.number), y), radius: 3.0, fill: Some(fill), line: Some((RED, 1.4)) };
        shapes.push(mark(upper(judgement.black_win_rate)));
        shapes.push(mark(lower(judgement.black_lead)));
    }
    picture
}

/// A horizontal line with its value.
fn level(shapes: &mut Vec<Shape>, y: f32, text: &str, is_middle: bool) {
    let width = if is_middle { 1.2 } else { 0.5 };
    shapes.push(Shape::Line { points: vec![(LEFT, y), (WIDTH - RIGHT, y)], ink: GRAY, width });
    shapes.push(Shape::Text { at: (LEFT - 6.0, y), text: text.to_string(), anchor: Anchor::End, ink: BLACK });
}
