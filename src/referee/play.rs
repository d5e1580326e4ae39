//! One game between two players, on the referee's own board.

use std::time::{Duration, Instant};

use super::clock::{Clock, TimeControl};
use super::judge::{Scorer, judge};
use super::player::{AskError, Player};
use super::report::{Ending, Fault, Thinking};
use crate::color::{Color, PerColor};
use crate::game::{Game, IllegalMove};
use crate::geometry::Move;

/// The two players by color.
pub(super) type Players<'a> = PerColor<&'a mut dyn Player>;

/// The terms of a game beside its position, rules and komi.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) time: Option<TimeControl>,
    pub(super) grace: Duration,
    /// Longest wait for any answer.
    pub(super) limit: Duration,
    /// Number of moves after which the game is stopped.
    pub(super) move_cap: usize,
}

/// Something an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Incident {
    pub(super) color: Color,
    pub(super) fault: Fault,
    pub(super) detail: String,
}

/// A game that was played.
pub(super) struct Played {
    pub(super) game: Game,
    pub(super) ending: Ending,
    pub(super) winner: Option<Color>,
    /// As in SGF's `RE`.
    pub(super) result: String,
    pub(super) thinking: PerColor<Thinking>,
    pub(super) disputed: bool,
    pub(super) incidents: Vec<Incident>,
    pub(super) note: String,
    /// One comment per move of the game, empty for those of the opening.
    pub(super) comments: Vec<String>,
}

/// Plays a game from `start` to its end and judges it.
pub(super) fn play_game(start: &Game, players: &mut Players<'_>, terms: &Terms, scorer: &mut Scorer<'_>) -> Played {
    let mut table = Table {
        players,
        terms,
        game: start.clone(),
        clocks: terms.time.map(|control| PerColor([Clock::new(control); 2])),
        thinking: PerColor::default(),
        comments: vec![String::new(); start.turns().len()],
    };
    let outcome = table.set_up(start).and_then(|()| table.play_moves());
    let Table { game, thinking, comments, .. } = table;
    let played = Played {
        game,
        ending: Ending::Passes,
        winner: None,
        result: String::new(),
        thinking,
        disputed: false,
        incidents: Vec::new(),
        note: String::new(),
        comments,
    };
    match outcome {
        Ok(Stop::Resigned(loser)) => {
            let winner = loser.opponent();
            Played {
                ending: Ending::Resignation,
                winner: Some(winner),
                result: format!("{}+R", winner.letter()),
                ..played
            }
        }
        Ok(stop) => {
            let judgement = judge(&played.game, players, terms.limit, scorer);
            Played {
                ending: if matches!(stop, Stop::MoveCap) { Ending::MoveCap } else { Ending::Passes },
                winner: judgement.score.winner(),
                result: judgement.score.to_string(),
                disputed: judgement.disputed,
                incidents: judgement.incidents,
                note: judgement.note,
                ..played
            }
        }
        Err(incident) => {
            let winner = incident.color.opponent();
            // SGF: T for time, F for forfeit.
            let how = if incident.fault == Fault::Timeout { 'T' } else { 'F' };
            let result = format!("{}+{how}", winner.letter());
            Played { ending: Ending::Forfeit, winner: Some(winner), result, incidents: vec![incident], ..played }
        }
    }
}

/// Why no more moves are made.
enum Stop {
    Passes,
    MoveCap,
    Resigned(Color),
}

/// A game in progress.
struct Table<'p, 'a> {
    players: &'p mut Players<'a>,
    terms: &'p Terms,
    game: Game,
    clocks: Option<PerColor<Clock>>,
    thinking: PerColor<Thinking>,
    comments: Vec<String>,
}

impl Table<'_, '_> {
    /// Shows the position to both players, and the clock after it, as gogui-twogtp does.
    fn set_up(&mut self, start: &Game) -> Result<(), Incident> {
        for color in Color::BOTH {
            self.command(color, &format!("boardsize {}", start.geometry().size()))?;
            self.command(color, "clear_board")?;
            self.command(color, &format!("komi {}", start.komi()))?;
            for line in position_commands(start, self.players[color].knows("set_free_handicap")) {
                self.command(color, &line)?;
            }
            if let Some(control) = self.terms.time
                && self.players[color].knows("time_settings")
            {
                self.command(color, &format!("time_settings {control}"))?;
            }
        }
        Ok(())
    }

    fn command(&mut self, color: Color, line: &str) -> Result<String, Incident> {
        self.players[color].ask(line, self.terms.limit).map_err(|error| Incident {
            color,
            fault: fault_of(&error),
            detail: format!("{line}: {error}"),
        })
    }

    fn play_moves(&mut self) -> Result<Stop, Incident> {
        while !self.game.is_over() {
            if self.game.turns().len() >= self.terms.move_cap {
                return Ok(Stop::MoveCap);
            }
            let color = self.game.to_move();
            let answer = self.ask_for_move(color)?;
            if answer.eq_ignore_ascii_case("resign") {
                return Ok(Stop::Resigned(color));
            }
            let mv = self.accept(color, &answer)?;
            let shown = format!("play {color} {}", self.game.geometry().move_name(mv));
            self.command(color.opponent(), &shown)?;
        }
        Ok(Stop::Passes)
    }

    /// Asks for a move, keeping time.
    fn ask_for_move(&mut self, color: Color) -> Result<String, Incident> {
        let mut limit = self.terms.limit;
        if let Some(clocks) = &self.clocks {
            let clock = clocks[color];
            limit = limit.min(clock.available() + self.terms.grace);
            if self.players[color].knows("time_left") {
                let (seconds, stones) = clock.time_left();
                self.command(color, &format!("time_left {color} {seconds} {stones}"))?;
            }
        }
        let line = format!("genmove {color}");
        let started = Instant::now();
        let answer = self.players[color].ask(&line, limit);
        let used = started.elapsed();
        self.thinking[color].add(used);
        let incident = |fault, detail: String| Incident { color, fault, detail: format!("{line}: {detail}") };
        let answer = answer.map_err(|error| match error {
            AskError::Refused(_) => incident(Fault::Malformed, error.to_string()),
            error => incident(fault_of(&error), error.to_string()),
        })?;
        let in_time = match &mut self.clocks {
            Some(clocks) => clocks[color].spend(used, self.terms.grace),
            None => true,
        };
        if !in_time {
            return Err(incident(Fault::Timeout, format!("took {:.2} s, which is past its time", used.as_secs_f64())));
        }
        self.comments.push(format!("{:.2} s", used.as_secs_f64()));
        Ok(answer)
    }

    /// Plays the move of an answer, if it is one.
    fn accept(&mut self, color: Color, answer: &str) -> Result<Move, Incident> {
        let number = self.game.turns().len() + 1;
        let incident = |fault, detail| Incident { color, fault, detail };
        let mv = self
            .game
            .geometry()
            .parse_move(answer)
            .map_err(|_| incident(Fault::Malformed, format!("move {number} is {answer:?}")))?;
        match self.game.play(color, mv) {
            Ok(_) => Ok(mv),
            Err(reason) => {
                let fault = if reason == IllegalMove::Superko { Fault::Superko } else { Fault::Illegal };
                Err(incident(fault, format!("move {number} at {answer}: {reason}")))
            }
        }
    }
}

/// The GTP commands that lead from an empty board to the position of `game`.
pub(super) fn position_commands(game: &Game, knows_handicap: bool) -> Vec<String> {
    let geometry = game.geometry();
    let stones = game.set_up_stones();
    let mut lines = Vec::new();
    if game.handicap() >= 2 && knows_handicap {
        let vertices: Vec<String> = stones.iter().map(|&(point, _)| geometry.point_name(point)).collect();
        lines.push(format!("set_free_handicap {}", vertices.join(" ")));
    } else {
        lines.extend(stones.iter().map(|&(point, color)| format!("play {color} {}", geometry.point_name(point))));
    }
    lines.extend(game.turns().iter().map(|turn| format!("play {} {}", turn.color, geometry.move_name(turn.mv))));
    lines
}

/// The fault of a player who failed to answer.
pub(super) fn fault_of(error: &AskError) -> Fault {
    match error {
        AskError::Refused(_) => Fault::Refused,
        AskError::Garbage(_) => Fault::Malformed,
        AskError::Died(_) => Fault::Crash,
        AskError::Late(_) => Fault::Timeout,
    }
}
