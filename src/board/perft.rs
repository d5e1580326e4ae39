//! Enumerations: how many legal positions there are, and how many ways to play from the empty board.
//!
//! The numbers of legal positions are Tromp and Farnebäck's ("Combinatorics of Go", 2007). A path is a sequence of
//! legal moves, passes included, under positional superko; a game that two passes have ended has no continuation, and
//! what is counted are the paths of exactly the given length.

use super::Board;
use super::reference::Reference;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move};
use crate::rules::Rules;
use crate::score::Komi;

/// Counts what can be set up stone by stone. Nothing is missed: without some of its stones a legal position is still
/// legal, because a chain that loses stones gains liberties.
fn positions_by_set_up(size: usize) -> u64 {
    let geometry = Geometry::new(size).expect("a board size");
    let mut boards = vec![Board::new(geometry); geometry.area() + 1];
    count_set_ups(&mut boards, 0)
}

/// Positions that agree with `boards[depth]` on the first `depth` points.
fn count_set_ups(boards: &mut [Board], depth: usize) -> u64 {
    let geometry = boards[depth].geometry();
    let Some(point) = geometry.points().nth(depth) else { return 1 };
    let (done, open) = boards.split_at_mut(depth + 1);
    open[0].copy_from(&done[depth]);
    let mut count = count_set_ups(boards, depth + 1);
    for color in Color::BOTH {
        let (done, open) = boards.split_at_mut(depth + 1);
        open[0].copy_from(&done[depth]);
        if open[0].set_up(point, color) {
            count += count_set_ups(boards, depth + 1);
        }
    }
    count
}

/// Counts the diagrams that `is_legal` accepts among all of this size, given as text.
fn positions_by_diagram(size: usize, is_legal: impl Fn(&str) -> bool) -> usize {
    let area = size * size;
    let picture = |mut code: usize| -> String {
        let mut text = String::new();
        for i in 0..area {
            if i > 0 && i % size == 0 {
                text.push('/');
            }
            text.push(['.', 'X', 'O'][code % 3]);
            code /= 3;
        }
        text
    };
    (0..3usize.pow(area as u32)).filter(|&code| is_legal(&picture(code))).count()
}

fn is_legal_by_reference(size: usize, text: &str) -> bool {
    let cells = text
        .chars()
        .filter_map(|c| match c {
            'X' => Some(Some(Color::Black)),
            'O' => Some(Some(Color::White)),
            '.' => Some(None),
            _ => None,
        })
        .collect();
    Reference::from_cells(size, false, cells).every_chain_has_a_liberty()
}

#[test]
fn legal_positions_of_tiny_boards_are_as_many_as_published() {
    // Boards start at 2x2 here; the reference has no such bound.
    assert_eq!(positions_by_diagram(1, |text| is_legal_by_reference(1, text)), 1);
    for (size, count) in [(2, 57), (3, 12_675)] {
        assert_eq!(positions_by_set_up(size), count as u64);
        assert_eq!(positions_by_diagram(size, |text| Board::from_diagram(text).is_ok()), count);
        assert_eq!(positions_by_diagram(size, |text| is_legal_by_reference(size, text)), count);
    }
}

#[test]
#[ignore = "five seconds"]
fn legal_positions_of_4x4_are_as_many_as_published() {
    assert_eq!(positions_by_set_up(4), 24_318_165);
}

/// Number of paths of exactly `depth` moves from here.
fn paths(game: &Game, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.is_over() {
        return 0;
    }
    let color = game.to_move();
    let plays = game.geometry().points().map(Move::Play);
    let legal = plays.chain([Move::Pass]).filter(|&mv| game.check(color, mv).is_ok());
    if depth == 1 {
        return legal.count() as u64;
    }
    legal
        .map(|mv| {
            let mut next = game.clone();
            next.play(color, mv).expect("checked");
            paths(&next, depth - 1)
        })
        .sum()
}

/// The path counts of depth 1, 2, ... from the empty board.
fn path_counts(size: usize, suicide: bool, depths: usize) -> Vec<u64> {
    let rules = if suicide { Rules::TROMP_TAYLOR } else { Rules::CHINESE };
    let game = Game::new(Geometry::new(size).expect("a board size"), rules, Komi::DEFAULT);
    (1..=depths).map(|depth| paths(&game, depth)).collect()
}

#[test]
fn paths_on_2x2_with_and_without_suicide() {
    let counts = [5, 21, 68, 156, 316, 604, 1_088];
    assert_eq!(path_counts(2, false, 7), counts);
    // On this board every suicide brings back the empty board, which superko forbids.
    assert_eq!(path_counts(2, true, 7), counts);
}

#[test]
fn paths_on_3x3_differ_by_suicide_from_the_sixth_move_on() {
    let counts = [10, 91, 738, 5_281, 33_384, 179_712];
    assert_eq!(path_counts(3, false, 6), counts);
    assert_eq!(path_counts(3, true, 6), [&counts[..5], &[180_768]].concat());
}

#[test]
fn paths_on_4x4_and_9x9() {
    assert_eq!(path_counts(4, false, 5), [17, 273, 4_112, 57_984, 764_016]);
    assert_eq!(path_counts(9, false, 3), [82, 6_643, 531_522]);
}
