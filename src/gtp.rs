//! The Go Text Protocol, version 2: one engine, one controller, lines in and replies out.
//!
//! This module translates between text and the [`Engine`]; it knows no Go. [`serve`] runs a session over any reader and
//! writer. Nothing but replies is ever written to the output, and nothing that comes in can end the session except
//! `quit` and the end of the input: a command that fails changes nothing, and even a panic is answered with an error.
//!
//! The protocol is described in Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2" (2002).
//! Where that is silent, GNU Go's behavior is followed, and the clients' extensions are their own authors'.

mod analysis;
mod clock;
mod commands;
mod confirm;
mod glance;
mod gogui;
mod inbox;
mod info;
mod params;
mod parse;
mod play;
mod records;
mod reply;
mod rules;
mod set_up;

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::color::Color;
use crate::engine::{Decision, Engine, Settings, StopFlag, TimeBudget};
use crate::time::Clock;
use crate::zobrist::Hash;
use commands::Action;
use inbox::{Inbox, Line, Next};
use parse::Request;
use reply::{Failure, Stream};

pub use commands::help;
pub use params::{
    ParamError, check_komi, check_memory, check_name, check_playouts, check_search, check_size, check_threads,
    check_time, set_search,
};

/// Answers everything that comes in until `quit` or the end of the input.
///
/// # Errors
/// When the output cannot be written for another reason than that nobody reads it any more; that ends the session
/// quietly, as it happens whenever a controller is closed.
pub fn serve(settings: &Settings, input: impl BufRead + Send + 'static, output: &mut impl Write) -> io::Result<()> {
    match Session::new(settings, Inbox::fill_from(input)).run(output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// What ends a search before its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// The comment `# interrupt`, if it came in since the command.
    Interrupt,
    /// Any line, and the end of the input.
    AnyLine,
    /// `stop`, and any line that comes in when it has been at work for [`PATIENCE`].
    LaterLine,
}

/// How long a solution of life and death is at work before any line ends it.
const PATIENCE: Duration = Duration::from_millis(500);

/// The conversation with one controller.
#[derive(Debug)]
struct Session {
    engine: Engine,
    clock: Clock,
    inbox: Arc<Inbox>,
    /// Number of the line that is being answered.
    line: u64,
    /// When the engine's time for the current line began.
    begun: Instant,
    /// Time spent on choosing moves since the start.
    thought: Duration,
    /// Whether the opponent is expected to move after a move of the engine, so that thinking meanwhile makes sense.
    may_ponder: bool,
    /// What the engine thought of its moves: the number of moves before, and the position after.
    comments: Vec<(usize, Hash, String)>,
    /// Whether GoGui is to draw what the engine thinks.
    live_graphics: bool,
    quit: bool,
}

impl Session {
    fn new(settings: &Settings, inbox: Arc<Inbox>) -> Session {
        Session {
            engine: Engine::new(settings),
            clock: Clock::new(),
            inbox,
            line: 0,
            begun: Instant::now(),
            thought: Duration::ZERO,
            may_ponder: false,
            comments: Vec::new(),
            live_graphics: false,
            quit: false,
        }
    }

    fn run(&mut self, output: &mut impl Write) -> io::Result<()> {
        while !self.quit {
            let next = match self.inbox.poll() {
                Next::Idle if self.may_ponder && self.engine.settings().ponder => {
                    self.ponder();
                    self.inbox.wait()
                }
                Next::Idle => self.inbox.wait(),
                next => next,
            };
            let Next::Line(line) = next else { break };
            self.answer(&line, output)?;
            self.begun = Instant::now();
        }
        Ok(())
    }

    /// Thinks on the opponent's time until the next line comes in.
    fn ponder(&mut self) {
        let inbox = Arc::clone(&self.inbox);
        let outcome = self.contained(|session| {
            session.engine.ponder(inbox.stop());
            Ok(String::new())
        });
        self.may_ponder &= outcome.is_ok();
    }

    /// Writes the reply to a line; nothing where the line asks for nothing.
    fn answer(&mut self, line: &Line, output: &mut impl Write) -> io::Result<()> {
        log::info!("> {}", String::from_utf8_lossy(&line.bytes).trim_end());
        let Some(request) = Request::parse(&line.bytes) else { return Ok(()) };
        self.line = line.number;
        // A line that waited for earlier ones to be answered starts its clock when they are done.
        self.begun = self.begun.max(line.arrived);
        let inbox = Arc::clone(&self.inbox);
        let mut stream = Stream::new(output, request.id, inbox.stop());
        let result = match commands::find(&request.name).map(|command| command.action) {
            _ if !line.is_whole => Err(Failure::other("the line is too long")),
            Some(Action::Aloud(handler)) => {
                let outcome = self.contained(|session| handler(session, &request.args, &mut stream));
                return stream.finish(outcome);
            }
            Some(Action::Reply(handler)) => self.contained(|session| handler(session, &request.args)),
            None => Err(Failure::UnknownCommand),
        };
        let reply = reply::frame(request.id, &result);
        for text in reply.trim_end_matches('\n').lines() {
            log::info!("< {text}");
        }
        output.write_all(reply.as_bytes())?;
        output.flush()
    }

    /// Runs a handler; when it panics, the engine is made anew with the position from before.
    fn contained<T>(&mut self, handler: impl FnOnce(&mut Session) -> Result<T, Failure>) -> Result<T, Failure> {
        let before = (self.engine.settings().clone(), self.engine.game().clone());
        // Nothing of the session that a handler may have left half changed is used again: the engine is replaced, and
        // the other fields are plain values.
        catch_unwind(AssertUnwindSafe(|| handler(self))).unwrap_or_else(|_| {
            log::error!("a command panicked; the position before it is restored");
            self.engine = Engine::new(&before.0);
            self.engine.set_game(before.1);
            Err(Failure::Internal)
        })
    }

    /// Prepares the stop flag for a search that the command being answered asks for.
    fn begin_search(&self, ending: Ending) {
        match ending {
            Ending::Interrupt => self.inbox.begin_search(self.line),
            Ending::AnyLine => self.inbox.begin_yielding_search(),
            Ending::LaterLine => self.inbox.begin_patient_work(self.line, PATIENCE),
        }
    }

    /// Lets the engine think about a move.
    fn think(
        &mut self,
        budget: Option<TimeBudget>,
        ending: Ending,
        choose: impl FnOnce(&mut Engine, Option<TimeBudget>, &StopFlag) -> Decision,
    ) -> Decision {
        self.begin_search(ending);
        let begun = Instant::now();
        let decision = choose(&mut self.engine, budget, self.inbox.stop());
        self.thought += begun.elapsed();
        decision
    }

    /// As [`Session::think`], with what the clock of `color` allows, and charged to it.
    fn think_on_the_clock(
        &mut self,
        color: Color,
        ending: Ending,
        choose: impl FnOnce(&mut Engine, Option<TimeBudget>, &StopFlag) -> Decision,
    ) -> Decision {
        let board = self.engine.game().board();
        let budget = self.clock.budget(color, board.empty_count(), board.geometry().area());
        let decision = self.think(budget, ending, choose);
        self.clock.charge(color, self.begun.elapsed());
        decision
    }
}

#[cfg(test)]
mod tests;
