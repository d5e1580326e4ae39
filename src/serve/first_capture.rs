//! How Keima plays the first game of many beginners, in which whoever captures enough stones first has won.
//!
//! The search plays for points; here a handful of rules goes before it: capture what wins, never leave what loses, chase what cannot escape. Whatever
//! is left open, the search decides.

use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Move, Point};
use crate::level::Level;
use crate::rng::Rng;
use crate::search::Restriction;
use crate::tactics::{LadderReader, after_play};

/// How often, in percent, a level overlooks that a move can be answered by a capture that loses, and a chase that would win.
const fn overlooks(level: Level) -> u32 {
    match level {
        Level::Beginner => 25,
        Level::Intermediate => 5,
        Level::Advanced => 0,
    }
}

/// The move of a level when `needed` captured stones win. `otherwise` is asked for a move among the sensible ones where none of the rules decides.
pub fn choose(
    game: &Game,
    needed: usize,
    level: Level,
    seed: u64,
    otherwise: impl FnOnce(&[Restriction]) -> Move,
) -> Move {
    let color = game.to_move();
    let mut rng = Rng::derived(seed ^ game.board().hash(), 78);
    let own_need = needed.saturating_sub(game.captures(color)).max(1);
    let their_need = needed.saturating_sub(game.captures(color.opponent())).max(1);
    let legal: Vec<Point> = game
        .board()
        .empty_points()
        .iter()
        .copied()
        .filter(|&point| game.check(color, Move::Play(point)).is_ok())
        .collect();
    if let Some(&winning) = legal.iter().find(|&&point| captured_by(game.board(), point, color) >= own_need) {
        return Move::Play(winning);
    }
    if rng.percent(overlooks(level)) {
        return sensible(otherwise(&[]), &legal);
    }
    let safe: Vec<Point> =
        legal.iter().copied().filter(|&point| !loses(game.board(), point, color, their_need)).collect();
    if safe.is_empty() {
        return sensible(otherwise(&[]), &legal);
    }
    if let Some(chase) = chase(game.board(), color, own_need).filter(|point| safe.contains(point)) {
        return Move::Play(chase);
    }
    let moves = safe.iter().map(|&point| Move::Play(point)).collect();
    sensible(otherwise(&[Restriction { color, moves, only: true, depth: 1 }]), &safe)
}

/// A pass gives the initiative away in a game in which every stone attacks: any of the moves is as good.
fn sensible(mv: Move, points: &[Point]) -> Move {
    match (mv, points.first()) {
        (Move::Pass, Some(&point)) => Move::Play(point),
        _ => mv,
    }
}

/// Stones that a move captures.
fn captured_by(board: &Board, point: Point, color: Color) -> usize {
    after_play(board, point, color, 1).captured
}

/// Whether the opponent can answer a move with a capture that wins.
fn loses(board: &Board, point: Point, color: Color, their_need: usize) -> bool {
    let mut after = board.clone();
    after.play(point, color);
    let opponent = color.opponent();
    let mut answers = after.empty_points().iter().copied();
    answers
        .any(|answer| captured_by(&after, answer, opponent) >= their_need && after.is_playable(answer, opponent, false))
}

/// The move that begins a chase at whose end enough stones are taken.
fn chase(board: &Board, color: Color, own_need: usize) -> Option<Point> {
    let mut reader = LadderReader::new();
    let prey = |head: &Point| board.cell(*head).color() == Some(color.opponent()) && board.liberty_count(*head) == 2;
    let heads: Vec<Point> = board.chain_heads().filter(prey).collect();
    // A chain grows by every move with which it tries to escape, so that two stones more are certain.
    let is_enough = |head: Point| board.chain_size(head) + 1 >= own_need;
    heads.into_iter().filter(|&head| is_enough(head)).find_map(|head| reader.capturing_move(board, head))
}

#[cfg(test)]
mod tests {
    use super::choose;
    use crate::board::Board;
    use crate::color::Color;
    use crate::game::Game;
    use crate::geometry::Move;
    use crate::level::Level;
    use crate::rules::Rules;
    use crate::score::Komi;

    /// The move of the advanced level for `color`, which needs one stone; `None` where the rules leave it to the search.
    fn chosen(diagram: &str, color: Color) -> Option<String> {
        let board = Board::from_diagram(diagram).expect("valid");
        let mut game = Game::from_board(&board, Rules::AS_IS, Komi::DEFAULT).expect("valid");
        game.set_first_to_move(color);
        let mut asked = false;
        let ask = |_: &[_]| {
            asked = true;
            Move::Pass
        };
        let mv = choose(&game, 1, Level::Advanced, 1, ask);
        (!asked).then(|| board.geometry().move_name(mv))
    }

    #[test]
    fn a_stone_that_can_be_taken_is_taken() {
        let atari = ". . . . . / . . X . . / . X O . . / . . X . . / . . . . .";
        assert_eq!(chosen(atari, Color::Black).as_deref(), Some("D3"));
    }

    #[test]
    fn a_stone_in_danger_is_saved_before_anything_else() {
        let atari = ". . . . . / . . X . . / . X O . . / . . X . . / . . . . .";
        let board = Board::from_diagram(atari).expect("valid");
        let mut game = Game::from_board(&board, Rules::AS_IS, Komi::DEFAULT).expect("valid");
        game.set_first_to_move(Color::White);
        let mut allowed = Vec::new();
        choose(&game, 1, Level::Advanced, 1, |restrictions| {
            allowed = restrictions[0].moves.iter().map(|&mv| board.geometry().move_name(mv)).collect();
            Move::Pass
        });
        assert_eq!(allowed, ["D3"]);
    }

    #[test]
    fn a_stone_that_cannot_escape_is_chased() {
        let ladder = ". . . . . . . / . . . . . . . / . . X . . . . / . X O . . . . / . X . . . . . / . . . . . . . / . . . . . . .";
        assert!(chosen(ladder, Color::Black).is_some());
    }
}
