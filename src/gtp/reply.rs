//! What goes out: the reasons for which a command fails, and the framing of replies.

use std::fmt;
use std::io::{self, Write};

use crate::engine::StopFlag;

/// Why a command failed. The standard texts are exact, since some controllers compare them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// No command has this name.
    UnknownCommand,
    /// Wrong number or kind of arguments.
    Syntax,
    /// A board size outside the accepted range.
    UnacceptableSize,
    /// The rules forbid the move.
    IllegalMove,
    /// No handicap is defined for this number of stones.
    InvalidStones,
    /// Handicap stones need an empty board.
    BoardNotEmpty,
    /// The vertices cannot be handicap stones.
    BadVertexList,
    /// There are not so many moves.
    CannotUndo,
    /// The handler panicked.
    Internal,
    /// Anything that the protocol has no text for.
    Other(String),
}

impl Failure {
    /// A failure with its own text.
    pub(super) fn other(text: impl fmt::Display) -> Failure {
        Failure::Other(text.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::UnknownCommand => "unknown command",
            Failure::Syntax => "syntax error",
            Failure::UnacceptableSize => "unacceptable size",
            Failure::IllegalMove => "illegal move",
            Failure::InvalidStones => "invalid number of stones",
            Failure::BoardNotEmpty => "board not empty",
            Failure::BadVertexList => "bad vertex list",
            Failure::CannotUndo => "cannot undo",
            Failure::Internal => "internal error",
            Failure::Other(text) => text,
        })
    }
}

impl std::error::Error for Failure {}

/// A reply that is written while its command is at work: the status with the first line, each line at once.
pub(super) struct Stream<'o> {
    output: &'o mut dyn Write,
    id: Option<u32>,
    begun: bool,
    /// Raised when nobody reads any more.
    stop: &'o StopFlag,
    result: io::Result<()>,
}

impl<'o> Stream<'o> {
    pub(super) fn new(output: &'o mut dyn Write, id: Option<u32>, stop: &'o StopFlag) -> Stream<'o> {
        Stream { output, id, begun: false, stop, result: Ok(()) }
    }

    /// Writes the status, after which the command can fail no more.
    pub(super) fn begin(&mut self) {
        self.begun = true;
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        self.write(&format!("={id} \n"));
    }

    /// Writes one line, which must not be empty.
    pub(super) fn line(&mut self, text: &str) {
        self.write(&format!("{text}\n"));
    }

    /// Whether nothing can be written any more.
    pub(super) fn is_broken(&self) -> bool {
        self.result.is_err()
    }

    /// Ends the reply, or writes a failure if nothing was written yet.
    ///
    /// # Errors
    /// Whatever went wrong since the beginning.
    pub(super) fn finish(mut self, result: Result<(), Failure>) -> io::Result<()> {
        let end = if self.begun { "\n".to_string() } else { frame(self.id, &result.map(|()| String::new())) };
        self.write(&end);
        self.result
    }

    fn write(&mut self, text: &str) {
        if self.result.is_ok() {
            log::info!("< {}", text.trim_end());
            self.result = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
        }
        if self.result.is_err() {
            self.stop.raise();
        }
    }
}

/// The bytes of a reply: status, id, a space whatever follows, the text, and the empty line that ends it.
///
/// Empty lines inside the text are left out, since the first one would end the reply; only a text that begins with a
/// line break keeps that one, which leaves a picture's first line undisturbed by the status.
pub(super) fn frame(id: Option<u32>, result: &Result<String, Failure>) -> String {
    let failure;
    let (status, text) = match result {
        Ok(text) => ('=', text),
        Err(error) => {
            failure = error.to_string();
            ('?', &failure)
        }
    };
    let id = id.map(|id| id.to_string()).unwrap_or_default();
    let mut framed = format!("{status}{id} ");
    if text.starts_with('\n') {
        framed.push('\n');
    }
    let clean = |line: &str| line.replace(char::is_control, " ").trim_end().to_string();
    let lines: Vec<String> = text.lines().map(clean).filter(|line| !line.is_empty()).collect();
    framed.push_str(&lines.join("\n"));
    // A picture without a line would leave an empty line too many.
    while framed.ends_with('\n') {
        framed.pop();
    }
    framed + "\n\n"
}

#[cfg(test)]
mod tests {
    use super::{Failure, frame};

    #[test]
    fn replies_have_a_space_after_the_id_and_one_empty_line_at_the_end() {
        assert_eq!(frame(None, &Ok(String::new())), "= \n\n");
        assert_eq!(frame(Some(7), &Ok("2".into())), "=7 2\n\n");
        assert_eq!(frame(Some(0), &Err(Failure::IllegalMove)), "?0 illegal move\n\n");
    }

    #[test]
    fn nothing_in_a_text_can_end_the_reply_early() {
        assert_eq!(frame(None, &Ok("a\n\n \nb\t\u{1}c\r\n\n".into())), "= a\nb  c\n\n");
        assert_eq!(frame(None, &Ok("\n  A\n".into())), "= \n  A\n\n");
        assert_eq!(frame(None, &Ok("\n\n".into())), "= \n\n");
    }
}
