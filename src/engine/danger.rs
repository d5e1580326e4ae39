//! Which chains are in danger, by reading.

use crate::board::Board;
use crate::geometry::Point;
use crate::tactics::LadderReader;

/// What threatens a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Danger {
    /// In atari, and captured whatever its owner does.
    Caught,
    /// In atari, with a way out.
    Atari,
    /// Captured in a ladder that begins with this move of the opponent.
    Ladder(Point),
}

/// Every chain in danger, by its first stone.
pub(super) fn dangers(board: &Board) -> Vec<(Point, Danger)> {
    let mut reader = LadderReader::new();
    let mut danger = |head: Point| match board.liberty_count(head) {
        1 if reader.is_caught(board, head) => Some(Danger::Caught),
        1 => Some(Danger::Atari),
        2 => reader.capturing_move(board, head).map(Danger::Ladder),
        _ => None,
    };
    board.chain_heads().filter_map(|head| danger(head).map(|danger| (head, danger))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Danger, dangers};
    use crate::board::Board;

    #[test]
    fn chains_in_atari_and_in_ladders_are_found() {
        let board = Board::from_diagram(
            ". . . . . . X / . . X . . X O / . X O . . . . / . X . . . . . / . . . . . . . / O X . . . . . / . . . . . . .",
        )
        .expect("valid");
        let g = board.geometry();
        let found = dangers(&board);
        let of = |name: &str| {
            let point = g.parse_move(name).expect("valid").point().expect("no pass");
            found.iter().find(|(head, _)| board.chain_head(point) == *head).map(|(_, danger)| *danger)
        };
        assert!(matches!(of("C5"), Some(Danger::Ladder(_))), "{found:?}");
        assert_eq!(of("G6"), Some(Danger::Atari));
        assert_eq!(of("B2"), None);
    }
}
