//! Why a move was chosen, in the words of a player.

use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Move, Point};
use crate::search::{Choice, Report};
use crate::tactics::{LadderReader, after_play, nakade_point};

/// Most moves of the expected line that are told.
const LINE: usize = 8;
/// Most reasons that are told.
const REASONS: usize = 3;

/// A few lines without blank ones: what the move does, what the search thinks of it and of the next best, and how it expects the game to go on.
pub(super) fn explain(game: &Game, color: Color, mv: Move, choice: Choice, report: &Report) -> String {
    let g = game.geometry();
    let why = match (choice, mv) {
        (Choice::Clean(_), _) => "takes dead stones off before the count".to_string(),
        (Choice::Fill(_), _) => "takes a neutral point, so that no doubt is left".to_string(),
        (Choice::Pass, _) | (_, Move::Pass) => "nothing is left to gain".to_string(),
        (Choice::Best(_), Move::Play(point)) => {
            let last = game.turns().last().and_then(|turn| turn.mv.point());
            reasons(game.board(), color, point, last)
        }
    };
    let mut text = format!(
        "{color} {}: {why}\nwin rate {:.1}%, score {:+.1} for {color}, {} simulations",
        g.move_name(mv),
        report.win_rate * 100.0,
        report.score,
        report.simulations,
    );
    let made = report.moves.iter().find(|m| m.mv == mv);
    let other = report.moves.iter().find(|m| m.mv != mv && m.visits > 0);
    if let (Some(made), Some(other)) = (made, other) {
        text.push_str(&format!(
            "\ncompared with {}: {:+.1} points, {:+.1}% to win",
            g.move_name(other.mv),
            made.lead - other.lead,
            (made.win_rate - other.win_rate) * 100.0,
        ));
    }
    let expected = made.map_or(&report.line, |made| &made.line.moves);
    let line: Vec<String> = expected.iter().take(LINE).map(|&m| g.move_name(m)).collect();
    text.push_str(&format!("\nexpected: {}", line.join(" ")));
    text
}

/// What a stone of `color` on the empty `point` does.
fn reasons(board: &Board, color: Color, point: Point, last: Option<Point>) -> String {
    let mut after = board.clone();
    after.play(point, color);
    let mut found = Vec::new();
    let captured = after_play(board, point, color, 2).captured;
    if captured > 0 && after.ko_point(color.opponent()).is_some() {
        found.push("takes the ko".to_string());
    } else if captured > 0 {
        found.push(format!("captures {}", stones(captured)));
    }
    let named =
        |stone: Point| format!("the {} at {}", stones(board.chain_size(stone)), board.geometry().point_name(stone));
    let chains = |of: Color| board.chain_heads().filter(move |&head| board.cell(head).color() == Some(of));
    let saved = chains(color).find(|&head| board.liberty_count(head) == 1 && after.liberty_count(head) > 1);
    found.extend(saved.map(|head| format!("saves {}", named(head))));
    for head in chains(color.opponent()) {
        // What was captured is no longer there.
        let is_new = board.liberty_count(head) > 1 && after.liberty_count(head) == 1;
        if is_new && after.cell(head).color().is_some() {
            let is_caught = LadderReader::new().is_caught(&after, head);
            let what = if is_caught { "catches" } else { "threatens to capture" };
            found.push(format!("{what} {}", named(head)));
        }
    }
    if found.is_empty() {
        found.extend(shape(board, color, point));
    }
    if found.is_empty() {
        found.push(place(board, color, point, last));
    }
    found.truncate(REASONS);
    found.join(" and ")
}

/// What the move means for chains and eyes around it.
fn shape(board: &Board, color: Color, point: Point) -> Option<String> {
    let g = board.geometry();
    if nakade_point(board, point, color.opponent()) == Some(point) {
        return Some("takes the vital point of an eye space".to_string());
    }
    if nakade_point(board, point, color) == Some(point) {
        return Some("makes eyes".to_string());
    }
    let mut own: Vec<Point> = Vec::new();
    for n in g.neighbors(point) {
        if board.cell(n).color() == Some(color) && !own.contains(&board.chain_head(n)) {
            own.push(board.chain_head(n));
        }
    }
    let liberties = after_play(board, point, color, 8).liberties;
    match own[..] {
        [first, second, ..] => Some(format!("connects {} and {}", g.point_name(first), g.point_name(second))),
        [only] if board.liberty_count(only) < 3 && liberties > board.liberty_count(only) => {
            Some(format!("gives the {} at {} more liberties", stones(board.chain_size(only)), g.point_name(only)))
        }
        _ => None,
    }
}

/// Where the move is, for want of anything that it does at once.
fn place(board: &Board, color: Color, point: Point, last: Option<Point>) -> String {
    let g = board.geometry();
    let (x, y) = g.xy(point);
    let half = g.size() / 2;
    let is_in_corner = |p: Point| {
        let (px, py) = g.xy(p);
        (px < half) == (x < half) && (py < half) == (y < half)
    };
    let stones = || g.points().filter(|&p| !board.is_empty(p));
    if g.size() >= 9 && x != half && y != half && !stones().any(is_in_corner) {
        return "takes an empty corner".to_string();
    }
    // Twelve is far: three points away in both directions or more.
    if let Some(last) = last.filter(|&last| g.distance(last, point) <= 6) {
        return format!("answers {}", g.point_name(last));
    }
    let Some(nearest) = stones().min_by_key(|&p| g.distance(p, point)) else { return "opens the game".to_string() };
    let name = g.point_name(nearest);
    match (g.distance(nearest, point), board.cell(nearest).color() == Some(color)) {
        (..=12, true) => format!("extends from {name}"),
        (..=12, false) => format!("comes close to {name}"),
        _ => "takes open space".to_string(),
    }
}

/// A number of stones in words.
fn stones(count: usize) -> String {
    const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match (count, WORDS.get(count)) {
        (1, _) => "one stone".to_string(),
        (_, Some(word)) => format!("{word} stones"),
        _ => format!("{count} stones"),
    }
}

#[cfg(test)]
mod tests {
    use super::reasons;
    use crate::board::Board;
    use crate::color::Color;

    fn why(diagram: &str, color: Color, name: &str) -> String {
        let board = Board::from_diagram(diagram).expect("valid");
        let point = board.geometry().parse_move(name).expect("valid").point().expect("no pass");
        reasons(&board, color, point, None)
    }

    #[test]
    fn captures_rescues_and_threats_are_named() {
        let fight = ". . . . . / . X X . . / X O O X . / . X O X . / . . . . .";
        assert_eq!(why(fight, Color::Black, "C1"), "captures three stones");
        assert_eq!(why(fight, Color::White, "C1"), "saves the three stones at B3");
        let atari = ". . . . . / . . X . . / . X O . . / . . . . . / . . . . .";
        assert_eq!(why(atari, Color::Black, "D3"), "threatens to capture the one stone at C3");
        let ladder = ". . . . . . . / . . X . . . . / . X O . . . . / . X . . . . . / . . . . . . . / . . . . . . . / . . . . . . .";
        assert_eq!(why(ladder, Color::Black, "D5"), "catches the one stone at C5");
        let ko = ". . . . . . . / . . X O . . . / . X . X O . . / . . X O . . . / . . . . . . . / . . . . . . . / . . . . . . .";
        assert_eq!(why(ko, Color::White, "C5"), "takes the ko");
    }

    #[test]
    fn shape_and_place_are_named_where_nothing_is_at_stake() {
        let empty = [". . . . . . . . ."; 9].join("/");
        assert_eq!(why(&empty, Color::Black, "C3"), "takes an empty corner");
        let apart = ". . . . . / . . . . . / . X . X . / . . . . . / . . . . .";
        assert_eq!(why(apart, Color::Black, "C3"), "connects B3 and D3");
        let eyes = ". . . X . / X X X X . / . . . . . / . . . . . / . . . . .";
        assert_eq!(why(eyes, Color::White, "B5"), "takes the vital point of an eye space");
        assert_eq!(why(eyes, Color::Black, "B5"), "makes eyes");
    }
}
