//! A game: the board with its history, and the only place that calls a move illegal.

use std::fmt;

use crate::board::Board;
use crate::color::{Color, PerColor};
use crate::geometry::{Geometry, Move, Point, PointMap};
use crate::rules::{Repetition, Rules};
use crate::score::Komi;
use crate::zobrist::Hash;

/// A move that was played, with who played it and what it captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Who moved.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Opposing stones it captured.
    pub captured: usize,
}

/// The position, everything that led to it, and the rules in force.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    komi: Komi,
    /// Stones placed before the first move, in order.
    set_up: Vec<(Point, Color)>,
    handicap: usize,
    first_to_move: Color,
    turns: Vec<Turn>,
    board: Board,
    /// Hash of every position so far, the one before the first move included.
    positions: Vec<Hash>,
    captures: PerColor<usize>,
    /// Captured before this game began: see [`Game::edited`].
    captured_before: PerColor<usize>,
}

impl Game {
    /// A game about to begin on an empty board.
    pub fn new(geometry: Geometry, rules: Rules, komi: Komi) -> Game {
        let board = Board::new(geometry);
        Game {
            rules,
            komi,
            set_up: Vec::new(),
            handicap: 0,
            first_to_move: Color::Black,
            turns: Vec::new(),
            positions: vec![board.hash()],
            board,
            captures: PerColor([0; 2]),
            captured_before: PerColor([0; 2]),
        }
    }

    /// A game that begins with the stones of this board.
    ///
    /// # Errors
    /// When one of its chains has no liberty.
    pub fn from_board(board: &Board, rules: Rules, komi: Komi) -> Result<Game, SetUpError> {
        let mut game = Game::new(board.geometry(), rules, komi);
        let points = board.geometry().points();
        let stones: Vec<_> = points.filter_map(|p| board.cell(p).color().map(|color| (p, color))).collect();
        game.set_up(&stones)?;
        Ok(game)
    }

    /// A game that goes on from this position after somebody changed these points: it begins there, and keeps komi, rules, handicap, prisoners
    /// and who is to move.
    ///
    /// # Errors
    /// When a chain would be without liberty.
    pub fn edited(&self, points: &[(Point, Option<Color>)]) -> Result<Game, SetUpError> {
        let mut stones = PointMap::new(None);
        for point in self.geometry().points() {
            stones[point] = self.board.cell(point).color();
        }
        for &(point, stone) in points {
            stones[point] = stone;
        }
        let mut game = Game::new(self.geometry(), self.rules, self.komi);
        let all: Vec<_> = self.geometry().points().filter_map(|point| Some((point, stones[point]?))).collect();
        game.set_up(&all)?;
        game.handicap = self.handicap;
        game.first_to_move = self.to_move();
        (game.captures, game.captured_before) = (self.captures, self.captures);
        Ok(game)
    }

    /// The current position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The grid of the board.
    pub fn geometry(&self) -> Geometry {
        self.board.geometry()
    }

    /// The rules in force.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Changes the rules from now on; moves already made stand.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Points for White.
    pub fn komi(&self) -> Komi {
        self.komi
    }

    /// What White receives in all: komi, and what the rules give for handicap stones.
    pub fn compensation(&self) -> Komi {
        self.komi.plus_points(self.rules.for_handicap_stone * self.handicap as i32)
    }

    /// Changes the points for White.
    pub fn set_komi(&mut self, komi: Komi) {
        self.komi = komi;
    }

    /// The moves so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The stones placed before the first move.
    pub fn set_up_stones(&self) -> &[(Point, Color)] {
        &self.set_up
    }

    /// Number of handicap stones, 0 in an even game.
    pub fn handicap(&self) -> usize {
        self.handicap
    }

    /// Hash of every position so far, the current one last.
    pub fn positions(&self) -> &[Hash] {
        &self.positions
    }

    /// Opposing stones that `color` has captured.
    pub fn captures(&self, color: Color) -> usize {
        self.captures[color]
    }

    /// Who is expected to move: the opponent of whoever moved last.
    pub fn to_move(&self) -> Color {
        self.turns.last().map_or(self.first_to_move, |turn| turn.color.opponent())
    }

    /// Says who moves first; has no effect once a move was made.
    pub fn set_first_to_move(&mut self, color: Color) {
        self.first_to_move = color;
    }

    /// Number of passes in a row at the end of the game so far.
    pub fn passes(&self) -> usize {
        self.turns.iter().rev().take_while(|turn| turn.mv == Move::Pass).count()
    }

    /// Whether passes have ended the game. Moves remain possible: play may be resumed.
    pub fn is_over(&self) -> bool {
        self.passes() >= self.rules.passes
    }

    /// Whether the rules leave this game without a result: where superko does not forbid it, the position has come up for the third time
    /// with the same player to move and without a gain of prisoners, so that neither player breaks the cycle. Passes break it.
    pub fn has_no_result(&self) -> bool {
        if self.rules.repetition == Repetition::Superko {
            return false;
        }
        let now = self.positions.len() - 1;
        let (mut earlier, mut gain) = (0, 0);
        for (i, turn) in self.turns.iter().enumerate().rev().take_while(|(_, turn)| turn.mv != Move::Pass) {
            gain += turn.captured as i32 * turn.color.sign();
            let same = gain == 0 && turn.color == self.to_move() && self.positions[i] == self.positions[now];
            earlier += usize::from(same);
        }
        earlier >= 2
    }

    /// Stones that Black has placed less those that White has, handicap and set-up stones included: what territory scoring gives less than
    /// area scoring.
    pub fn placed_difference(&self) -> i32 {
        // Every stone placed is on the board or was taken.
        let placed = |color: Color| (self.board.stones_on_board(color) + self.captures(color.opponent())) as i32;
        placed(Color::Black) - placed(Color::White)
    }

    /// Whether `color` may make this move, whoever moved last.
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let Move::Play(point) = mv else { return Ok(()) };
        if !self.board.is_empty(point) {
            return Err(IllegalMove::Occupied);
        }
        if !self.rules.suicide && self.board.is_suicide(point, color) {
            return Err(IllegalMove::Suicide);
        }
        if self.board.ko_point(color) == Some(point) {
            return Err(IllegalMove::Ko);
        }
        let is_superko = self.rules.repetition == Repetition::Superko;
        if is_superko && self.positions.contains(&self.board.hash_after(point, color)) {
            return Err(IllegalMove::Superko);
        }
        Ok(())
    }

    /// Makes a move and returns the number of stones it captured.
    ///
    /// # Errors
    /// When the move is illegal; the game is unchanged then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<usize, IllegalMove> {
        self.check(color, mv)?;
        Ok(self.play_checked(color, mv))
    }

    /// Makes a move that was already made elsewhere, perhaps under other rules: as [`Game::play`], but it may recreate an earlier position.
    ///
    /// # Errors
    /// When the move is impossible for another reason; the game is unchanged then.
    pub fn follow(&mut self, color: Color, mv: Move) -> Result<usize, IllegalMove> {
        match self.check(color, mv) {
            Ok(()) | Err(IllegalMove::Superko) => Ok(self.play_checked(color, mv)),
            Err(reason) => Err(reason),
        }
    }

    /// Makes a move known to be possible.
    fn play_checked(&mut self, color: Color, mv: Move) -> usize {
        let enemies = self.board.stones_on_board(color.opponent());
        let own = self.board.stones_on_board(color);
        match mv {
            Move::Play(point) => {
                self.board.play(point, color);
            }
            Move::Pass => self.board.clear_ko(),
        }
        let captured = enemies - self.board.stones_on_board(color.opponent());
        let placed = usize::from(mv != Move::Pass);
        self.captures[color] += captured;
        self.captures[color.opponent()] += own + placed - self.board.stones_on_board(color);
        self.turns.push(Turn { color, mv, captured });
        self.positions.push(self.board.hash());
        captured
    }

    /// Takes back the last move; returns false when there is none. Set-up stones stay.
    pub fn undo(&mut self) -> bool {
        if self.turns.is_empty() {
            return false;
        }
        let turns = std::mem::take(&mut self.turns);
        self.board = Board::new(self.geometry());
        for &(point, color) in &self.set_up {
            self.board.set_up(point, color);
        }
        self.captures = self.captured_before;
        self.positions.clear();
        self.positions.push(self.board.hash());
        for turn in &turns[..turns.len() - 1] {
            self.play_checked(turn.color, turn.mv);
        }
        true
    }

    /// Places stones before the first move, all of them or none.
    ///
    /// # Errors
    /// When moves were made already, a point is taken, or a chain would be without liberty.
    pub fn set_up(&mut self, stones: &[(Point, Color)]) -> Result<(), SetUpError> {
        if !self.turns.is_empty() {
            return Err(SetUpError::GameStarted);
        }
        let mut board = self.board.clone();
        // The order does not matter: fewer stones only leave more liberties, so what fits at last fits at every step.
        if !stones.iter().all(|&(point, color)| board.set_up(point, color)) {
            return Err(SetUpError::NoRoom);
        }
        self.set_up.extend_from_slice(stones);
        self.board = board;
        self.positions = vec![self.board.hash()];
        Ok(())
    }

    /// Places black handicap stones; White moves next.
    ///
    /// # Errors
    /// As for [`Game::set_up`], and when the board is not empty.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), SetUpError> {
        if self.board.empty_count() != self.geometry().area() {
            return Err(SetUpError::BoardNotEmpty);
        }
        let stones: Vec<_> = points.iter().map(|&point| (point, Color::Black)).collect();
        self.set_up(&stones)?;
        self.handicap = points.len();
        self.first_to_move = Color::White;
        Ok(())
    }
}

/// Why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// The point is not empty.
    Occupied,
    /// The move would leave its own chain without liberty.
    Suicide,
    /// The move retakes a ko at once.
    Ko,
    /// The move recreates an earlier position of the game.
    Superko,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalMove::Occupied => "the point is occupied",
            IllegalMove::Suicide => "suicide",
            IllegalMove::Ko => "retakes the ko at once",
            IllegalMove::Superko => "repeats an earlier position (superko)",
        })
    }
}

impl std::error::Error for IllegalMove {}

/// Why stones cannot be placed before the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetUpError {
    /// A move has been made.
    GameStarted,
    /// Handicap stones need an empty board.
    BoardNotEmpty,
    /// A point is taken twice, or a chain would be without liberty.
    NoRoom,
}

impl fmt::Display for SetUpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetUpError::GameStarted => "the game has started",
            SetUpError::BoardNotEmpty => "board not empty",
            SetUpError::NoRoom => "a point is taken or a chain has no liberty",
        })
    }
}

impl std::error::Error for SetUpError {}
