//! An engine in a process of its own.
//!
//! A thread reads the engine's output and hands lines over through a channel of bounded length, so that waiting can
//! have a limit and an engine that writes without end blocks itself instead of filling the memory.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::player::{AskError, Player};

/// Longest line that is taken for text.
const LONGEST_LINE: u64 = 1 << 16;
/// Most lines of one answer, and most stray lines before it.
const MOST_LINES: usize = 4096;
/// Lines read ahead.
const LINES_AHEAD: usize = 64;
/// Time for the first answer: some engines load for long before they look at their input.
const START_LIMIT: Duration = Duration::from_secs(120);
/// Time to leave after `quit`.
const QUIT_LIMIT: Duration = Duration::from_secs(2);
/// Time for a process that has closed its output to end, so that its status can be told.
const STATUS_LIMIT: Duration = Duration::from_millis(300);

/// A running engine. Dropping it ends the process: politely where it still answers, by force where not.
pub(super) struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Output>,
    known: Vec<String>,
    name: String,
    version: String,
    stray_lines: usize,
    failed: bool,
}

enum Output {
    Line(String),
    TooLong,
}

impl Program {
    /// Starts a command and asks who it is.
    ///
    /// # Errors
    /// When there is no such program or it does not answer as GTP says.
    pub(super) fn start(words: &[String], stderr: Stdio) -> Result<Program, AskError> {
        let (first, rest) = words.split_first().ok_or_else(|| AskError::Died("no command".into()))?;
        let mut child = Command::new(first)
            .args(rest)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .map_err(|error| AskError::Died(format!("cannot be started: {error}")))?;
        let (sender, lines) = sync_channel(LINES_AHEAD);
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || read_lines(output, &sender));
        }
        let input = child.stdin.take();
        let mut program = Program {
            child,
            input,
            lines,
            known: Vec::new(),
            name: String::new(),
            version: String::new(),
            stray_lines: 0,
            failed: false,
        };
        program.name = program.ask("name", START_LIMIT)?;
        program.version = program.ask_optional("version")?;
        program.known = program.ask_optional("list_commands")?.split_whitespace().map(str::to_string).collect();
        Ok(program)
    }

    fn ask_optional(&mut self, command: &str) -> Result<String, AskError> {
        match self.ask(command, START_LIMIT) {
            Err(AskError::Refused(_)) => Ok(String::new()),
            other => other,
        }
    }

    /// What the engine calls itself.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The version it states; may be empty.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Whether the process can no longer be used.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Takes the number of lines since the last call that were no part of an answer.
    pub(super) fn take_stray_lines(&mut self) -> usize {
        std::mem::take(&mut self.stray_lines)
    }

    fn exchange(&mut self, command: &str, limit: Duration) -> Result<String, AskError> {
        // What came since the last answer belongs to no command.
        while let Ok(Output::Line(line)) = self.lines.try_recv() {
            self.stray_lines += usize::from(!line.trim().is_empty());
        }
        let sent = match &mut self.input {
            Some(input) => input.write_all(format!("{command}\n").as_bytes()).and_then(|()| input.flush()),
            None => return Err(AskError::Died("has ended".into())),
        };
        if sent.is_err() {
            return Err(self.death());
        }
        let deadline = Instant::now() + limit;
        let mut answer: Option<(bool, Vec<String>)> = None;
        let mut strays = 0;
        loop {
            let line = match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Output::Line(line)) => line,
                Ok(Output::TooLong) => return Err(AskError::Garbage("a line without end".into())),
                Err(RecvTimeoutError::Timeout) => return Err(AskError::Late(limit)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.death()),
            };
            match &mut answer {
                Some((good, lines)) if line.trim().is_empty() => {
                    let text = lines.join("\n").trim().to_string();
                    return if *good { Ok(text) } else { Err(AskError::Refused(text)) };
                }
                Some((_, lines)) => lines.push(line),
                None if line.starts_with(['=', '?']) => {
                    answer = Some((line.starts_with('='), vec![line[1..].to_string()]))
                }
                None if line.trim().is_empty() => {}
                None => strays += 1,
            }
            // Programs that print a banner or a warning are forgiven, as most front ends do.
            let length = answer.as_ref().map_or(strays, |(_, lines)| lines.len());
            if length > MOST_LINES {
                return Err(AskError::Garbage("thousands of lines".into()));
            }
            if answer.is_some() {
                self.stray_lines += std::mem::take(&mut strays);
            }
        }
    }

    /// How the process ended.
    fn death(&mut self) -> AskError {
        match self.wait(STATUS_LIMIT) {
            Some(status) => AskError::Died(format!("has ended: {status}")),
            None => AskError::Died("has closed its output".into()),
        }
    }

    fn wait(&mut self, limit: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Player for Program {
    fn knows(&self, command: &str) -> bool {
        self.known.iter().any(|known| known == command)
    }

    fn ask(&mut self, command: &str, limit: Duration) -> Result<String, AskError> {
        if self.failed {
            return Err(AskError::Died("has failed before".into()));
        }
        let answer = self.exchange(command, limit);
        self.failed = answer.as_ref().is_err_and(AskError::is_fatal);
        answer
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take()
            && !self.failed
        {
            let _ = input.write_all(b"quit\n");
        }
        // The input is closed by now, which tells engines behind a wrapper script to leave as well.
        let ended = !self.failed && self.wait(QUIT_LIMIT).is_some();
        if !ended {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Hands over the lines of an engine's output until it ends or nobody listens.
fn read_lines(output: ChildStdout, sender: &SyncSender<Output>) {
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(length) if length as u64 == LONGEST_LINE && !line.ends_with(b"\n") => {
                let _ = sender.send(Output::TooLong);
                return;
            }
            Ok(_) => {
                // GTP: control characters other than tab have no meaning, a tab is a blank.
                let text: String = String::from_utf8_lossy(&line)
                    .chars()
                    .map(|c| if c == '\t' { ' ' } else { c })
                    .filter(|c| !c.is_control())
                    .collect();
                if sender.send(Output::Line(text)).is_err() {
                    return;
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::Program;
    use crate::referee::player::{AskError, Player as _};

    const SHORT: Duration = Duration::from_millis(300);

    /// A shell script that answers the first three commands, and then does what `rest` says.
    fn program(rest: &str) -> Program {
        let script = format!("for t in Toy 1.2 'name\ngenmove'; do read c; echo \"= $t\"; echo; done; read c; {rest}");
        Program::start(&["sh".into(), "-c".into(), script], Stdio::null()).expect("a shell")
    }

    #[test]
    fn a_program_is_asked_and_answers() {
        let mut toy =
            program("printf 'noise\\r\\n=  A\\tB\\r\\nC\\001\\r\\n\\r\\n'; read c; printf '? no\\n\\n'; read c");
        assert_eq!((toy.name(), toy.version()), ("Toy", "1.2"));
        assert!(toy.knows("genmove") && !toy.knows("undo"));
        assert_eq!(toy.ask("x", SHORT), Ok("A B\nC".into()));
        assert_eq!(toy.take_stray_lines(), 1);
        assert_eq!(toy.ask("y", SHORT), Err(AskError::Refused("no".into())));
        assert!(!toy.has_failed());
    }

    #[test]
    fn misbehaving_programs_are_noticed_and_ended() {
        let ask = |rest: &str| {
            let started = Instant::now();
            let mut toy = program(rest);
            let answer = toy.ask("x", SHORT);
            assert!(toy.has_failed());
            assert!(matches!(toy.ask("y", SHORT), Err(AskError::Died(_))));
            drop(toy);
            assert!(started.elapsed() < Duration::from_secs(30));
            answer.expect_err("no answer")
        };
        assert_eq!(ask("exit 3"), AskError::Died("has ended: exit status: 3".into()));
        assert_eq!(ask("exec 1>&-; sleep 60"), AskError::Died("has closed its output".into()));
        assert_eq!(ask("sleep 60"), AskError::Late(SHORT));
        assert!(matches!(ask("exec yes"), AskError::Garbage(_) | AskError::Late(_)));
        assert!(matches!(ask("exec cat /dev/zero"), AskError::Garbage(_)));
        assert!(matches!(Program::start(&["/no/such/program".into()], Stdio::null()).err(), Some(AskError::Died(_))));
    }
}
