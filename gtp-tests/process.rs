//! The real program as a child process.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A reply that takes longer counts as missing.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program whose output arrives in pieces.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    errors: JoinHandle<String>,
    received: Vec<u8>,
}

/// Starts the program with these arguments in that directory, with pipes to all its ends.
pub fn start<'a>(args: impl IntoIterator<Item = &'a str>, directory: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_keima"))
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

impl Engine {
    /// Starts the program with these arguments in that directory.
    pub fn start(args: &str, directory: &Path) -> Engine {
        let mut child = start(std::iter::once("gtp").chain(args.split_whitespace()), directory);
        let stdin = child.stdin.take();
        let mut stdout = child.stdout.take().expect("piped");
        let mut stderr = child.stderr.take().expect("piped");
        let errors = thread::spawn(move || {
            let mut text = String::new();
            // What is not text is no log either.
            let _ = stderr.read_to_string(&mut text);
            text
        });
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Engine { child, stdin, output, errors, received: Vec::new() }
    }

    /// Sends bytes; the program may have ended already.
    pub fn send(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// Waits until that many replies have arrived; false if they do not.
    pub fn wait_for_replies(&mut self, count: usize) -> bool {
        self.wait_for(|received| received.windows(2).filter(|pair| pair == b"\n\n").count() >= count)
    }

    /// Waits until a line of an analysis has arrived after that many replies; false if it does not.
    pub fn wait_for_analysis(&mut self, count: usize) -> bool {
        self.wait_for(|received| {
            let text = String::from_utf8_lossy(received);
            text.split("\n\n")
                .nth(count)
                .and_then(|reply| reply.split_once("\ninfo "))
                .is_some_and(|(_, line)| line.contains('\n'))
        })
    }

    fn wait_for(&mut self, has_arrived: impl Fn(&[u8]) -> bool) -> bool {
        let end = Instant::now() + PATIENCE;
        while !has_arrived(&self.received) {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.received.extend(bytes),
                Err(_) => return false,
            }
        }
        true
    }

    /// Sends a command and returns the text of its reply, which must not be a failure.
    pub fn ask(&mut self, command: &str) -> String {
        self.received.clear();
        self.send(format!("{command}\n").as_bytes());
        assert!(self.wait_for_replies(1), "no reply to {command:?}");
        let reply = String::from_utf8_lossy(&self.received);
        let text = reply.strip_prefix('=').unwrap_or_else(|| panic!("{command:?} failed: {reply}"));
        text.trim().to_string()
    }

    /// Closes the input and returns the whole output, with the reason why the end was not a good one: it did not come, it was a
    /// failure, or the program had logged an error.
    pub fn finish(mut self) -> (Vec<u8>, Option<String>) {
        drop(self.stdin.take());
        let end = Instant::now() + PATIENCE;
        let problem = loop {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.received.extend(bytes),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    break Some("the program does not end".to_string());
                }
            }
        };
        let status = self.child.wait().expect("the program was started here");
        let problem = problem.or_else(|| (!status.success()).then(|| format!("the program ended with {status}")));
        let errors = self.errors.join().unwrap_or_default();
        let logged = errors.lines().find(|line| line.contains(" ERROR ")).map(str::to_string);
        let problem = problem.or(logged);
        (self.received, problem)
    }
}
