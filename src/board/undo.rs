//! Taking a move back: for readers that try many short lines, to whom the copy of a whole board is dear.

use super::{Board, Cell, LIBERTY_TABLE, Node};
use crate::color::Color;
use crate::geometry::Point;
use crate::zobrist;

/// Most words of a liberty set: those of 25x25.
const MOST_WORDS: usize = 11;

/// What [`Board::take_back`] needs to know of one move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    point: Point,
    color: Color,
    ko: Point,
    ko_color: Color,
    /// What lay at the point, and its place among the empty points.
    node: Node,
    place: u16,
    /// The chains that the stone joined.
    friends: [Friend; 4],
    friend_count: usize,
    /// Heads of the chains that it captured.
    captured: [Point; 4],
    captured_count: usize,
}

/// A chain as it was before a stone joined it.
#[derive(Clone, Copy, Debug)]
struct Friend {
    head: Point,
    node: Node,
    liberties: [u64; MOST_WORDS],
}

const NO_NODE: Node = Node { head: Point::NONE, next: Point::NONE, stone_count: 0, liberty_count: 0 };

impl Board {
    /// As [`Board::play`] for a move that is playable without suicide; says how to take it back.
    ///
    /// A copy of a board of 19x19 moves 30 KB, most of them liberty sets; this keeps half a kilobyte at most.
    pub fn play_recorded(&mut self, point: Point, color: Color) -> Undo {
        debug_assert!(self.is_playable(point, color, false), "the caller checks legality");
        let mut undo = Undo {
            point,
            color,
            ko: self.ko,
            ko_color: self.ko_color,
            node: self.nodes[point],
            place: self.empty_index[point],
            friends: [Friend { head: Point::NONE, node: NO_NODE, liberties: [0; MOST_WORDS] }; 4],
            friend_count: 0,
            captured: [Point::NONE; 4],
            captured_count: 0,
        };
        let around = self.around(point);
        for n in self.geometry.flagged_neighbors(point, around.stones(color)) {
            self.record_friend(self.nodes[n].head, &mut undo);
        }
        for n in self.geometry.flagged_neighbors(point, around.stones(color.opponent())) {
            let head = self.nodes[n].head;
            if self.nodes[head].liberty_count == 1 && !undo.captured.contains(&head) {
                undo.captured[undo.captured_count] = head;
                undo.captured_count += 1;
            }
        }
        self.play(point, color);
        undo
    }

    fn record_friend(&self, head: Point, undo: &mut Undo) {
        if undo.friends[..undo.friend_count].iter().any(|friend| friend.head == head) {
            return;
        }
        let friend = &mut undo.friends[undo.friend_count];
        (friend.head, friend.node) = (head, self.nodes[head]);
        let (base, words) = (self.liberty_base(head), self.geometry.words());
        friend.liberties[..words].copy_from_slice(&self.liberties[base..base + words]);
        undo.friend_count += 1;
    }

    /// Takes the last move back: the board is as it was, to the order of its lists. Moves are taken back in the reverse order.
    pub fn take_back(&mut self, undo: &Undo) {
        let Undo { point, color, .. } = *undo;
        for &head in undo.captured[..undo.captured_count].iter().rev() {
            self.bring_back(head, color.opponent());
        }
        self.part_from_friends(undo);
        self.take(point, color);
        self.swap_empty(usize::from(undo.place), self.empty_count() - 1);
        self.nodes[point] = undo.node;
        for n in self.geometry.flagged_neighbors(point, self.around(point).stones(color.opponent())) {
            self.add_liberty(self.nodes[n].head, point);
        }
        (self.ko, self.ko_color) = (undo.ko, undo.ko_color);
    }

    /// Puts a captured chain back, whose stones are the last in the list of empty points. It is left without liberty.
    fn bring_back(&mut self, head: Point, color: Color) {
        let mut stone = head;
        let mut count = 0;
        loop {
            self.cells[stone] = Cell::of(color);
            self.hash ^= zobrist::key(stone, color);
            self.toggle_surroundings(stone, color);
            self.take_liberty(stone);
            count += 1;
            stone = self.nodes[stone].next;
            if stone == head {
                break;
            }
        }
        self.on_board[color] += count;
        self.empty_count -= count;
        self.nodes[head].stone_count = count;
    }

    /// Restores the chains that the stone joined. Joining changed the rings of stones at the heads only, so that to restore the heads restores the rings.
    fn part_from_friends(&mut self, undo: &Undo) {
        let words = self.geometry.words();
        let base = self.liberty_base(undo.point);
        self.liberties[base..base + words].fill(0);
        let friends = &undo.friends[..undo.friend_count];
        for friend in friends {
            self.nodes[friend.head] = friend.node;
            let base = self.liberty_base(friend.head);
            self.liberties[base..base + words].copy_from_slice(&friend.liberties[..words]);
        }
        if friends.len() < 2 {
            return;
        }
        for &Friend { head, .. } in friends {
            self.relabel(head, head);
        }
    }
}

const _: () = assert!(LIBERTY_TABLE >= 703 * MOST_WORDS, "a set lies within the table");
