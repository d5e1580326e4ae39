//! Text in and out: whatever is read, nothing panics, and what was written is read back.

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};

use crate::board::Board;
use crate::board::reference::{Cells, Reference};
use crate::color::Color;
use crate::geometry::{Geometry, MAX_SIZE, MIN_SIZE, Move};

/// Cells of a square board, not necessarily legal: mostly small boards, now and then any size.
fn any_cells() -> impl Strategy<Value = (usize, Cells)> {
    let cell = prop_oneof![2 => Just(None), 1 => Just(Some(Color::Black)), 1 => Just(Some(Color::White))];
    prop_oneof![4 => MIN_SIZE..=6, 1 => MIN_SIZE..=MAX_SIZE]
        .prop_flat_map(move |size| (Just(size), prop::collection::vec(cell.clone(), size * size)))
}

fn picture(size: usize, cells: &Cells) -> String {
    let letter = |cell: &Option<Color>| match cell {
        None => '.',
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
    };
    let rows: Vec<String> = cells.chunks(size).rev().map(|row| row.iter().map(letter).collect()).collect();
    rows.join("\n")
}

/// A printed board without its coordinates and mark.
fn without_frame(text: &str, size: usize) -> String {
    let rows = text.lines().skip(1).take(size);
    let bare = rows.map(|row| row.chars().filter(|c| !c.is_ascii_digit() && !"()".contains(*c)).collect::<String>());
    bare.collect::<Vec<_>>().join("\n")
}

proptest! {
    #[test]
    fn diagrams_are_legal_when_each_chain_has_a_liberty_and_round_trip((size, cells) in any_cells(), mark in any::<u16>()) {
        let slow = Reference::from_cells(size, false, cells.clone());
        let read = Board::from_diagram(&picture(size, &cells));
        assert_eq!(read.is_ok(), slow.every_chain_has_a_liberty());
        if let Ok(board) = read {
            board.check_invariants().expect("invariants");
            assert!(board.geometry().points().map(|p| board.cell(p).color()).eq(cells));
            let mark = board.geometry().points().nth(usize::from(mark) % (2 * size * size));
            let again = Board::from_diagram(&without_frame(&board.to_diagram(mark), size)).expect("was legal");
            assert_eq!(again.hash(), board.hash());
        }
    }

    #[test]
    fn diagrams_from_any_text_are_read_or_refused(text in prop_oneof![any::<String>(), "[XO.#+ /\n]{0,120}"]) {
        if let Ok(board) = Board::from_diagram(&text) {
            board.check_invariants().expect("invariants");
        }
    }

    #[test]
    fn moves_from_any_text_are_read_or_refused(
        size in MIN_SIZE..=MAX_SIZE,
        text in prop_oneof![any::<String>(), "[A-Za-z]?[0-9]{0,25}", "(?i)pass"],
    ) {
        let geometry = Geometry::new(size).expect("a board size");
        if let Ok(mv) = geometry.parse_move(&text) {
            assert_eq!(geometry.parse_move(&geometry.move_name(mv)), Ok(mv));
            if let Move::Play(point) = mv {
                assert!(geometry.points().any(|p| p == point));
            }
        }
    }
}
