//! KataGo's JSON analysis protocol: positions in, opinions out, one JSON object a line, answered as they finish.
//!
//! Fields, units and signs are those of KataGo's `Analysis_Engine.md` (version 1.17), so that its clients need not know the difference. What
//! Keima does not have is left out of an answer, and a query that asks for it gets a warning. Nothing that a client sends ends the
//! program: a line that cannot be understood is answered with an error, under the query's id where it has one.
//!
//! One thread reads, and each worker has an engine of one search thread: whoever analyzes games has many positions, and positions side by
//! side use processors better than threads on one tree.

mod answer;
mod fields;
mod options;
mod query;
mod queue;
mod rules;
mod settings;
#[cfg(test)]
mod tests;
mod worker;

pub use options::{AnalysisOptions, with_double_dashes};
pub use settings::{AnalysisSettings, ConfigError, Perspective};

use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use crate::lines::{LineRead, read_line};

use fields::Complaint;
use query::Reader;
use queue::Queue;

/// Longest line that is read; a game of 10,000 moves takes 150 kB.
const LONGEST_LINE: usize = 16 << 20;

/// Answers queries until the input ends and everything asked is answered, or until nobody reads the answers.
///
/// # Errors
/// When the input cannot be read or the output not be written, except that a reader who has gone away is no error.
pub fn serve(
    settings: &AnalysisSettings,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let queue = Arc::new(Queue::default());
    let voice = Arc::new(Voice { output: Mutex::new((Box::new(output), Ok(()))), queue: Arc::clone(&queue) });
    let workers: Vec<_> = (0..settings.threads.max(1))
        .map(|_| {
            let (settings, queue, voice) = (settings.clone(), Arc::clone(&queue), Arc::clone(&voice));
            std::thread::spawn(move || worker::work(&settings, &queue, &voice))
        })
        .collect();
    let reading = {
        let (settings, queue, voice) = (settings.clone(), Arc::clone(&queue), Arc::clone(&voice));
        // Nobody waits for this thread: it may be deaf in the middle of a line when the answers are no longer read.
        std::thread::spawn(move || {
            let result = read(&settings, input, &queue, &voice);
            queue.close(settings.waits);
            result
        })
    };
    for worker in workers {
        if worker.join().is_err() {
            return Err(io::Error::other("a worker has failed"));
        }
    }
    let written = voice.result();
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(error),
        Ok(()) => reading.join().unwrap_or_else(|_| Err(io::Error::other("the reader has failed"))),
    }
}

/// Where answers go; once nobody listens, the queue is abandoned.
pub(crate) struct Voice {
    output: Mutex<(Box<dyn Write + Send>, io::Result<()>)>,
    queue: Arc<Queue>,
}

impl Voice {
    /// Writes one line.
    pub(crate) fn say(&self, value: &Value) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if output.1.is_err() {
            return;
        }
        let line = format!("{value}\n");
        let written = output.0.write_all(line.as_bytes()).and_then(|()| output.0.flush());
        if written.is_err() {
            output.1 = written;
            drop(output);
            self.queue.abandon();
        }
    }

    fn complain(&self, id: Option<&str>, complaint: &Complaint) {
        let kind = if complaint.is_fatal { "error" } else { "warning" };
        let mut answer = Map::from_iter([(kind.to_string(), json!(complaint.text))]);
        if let Some(field) = &complaint.field {
            answer.insert("field".to_string(), json!(field));
        }
        if let Some(id) = id {
            answer.insert("id".to_string(), json!(id));
        }
        self.say(&Value::Object(answer));
    }

    fn result(&self) -> io::Result<()> {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut output.1, Ok(()))
    }
}

fn read(settings: &AnalysisSettings, mut input: impl BufRead, queue: &Queue, voice: &Voice) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let read = read_line(&mut input, &mut line, LONGEST_LINE)?;
        if read == LineRead::End || queue.is_abandoned() {
            return Ok(());
        }
        if read == LineRead::Cut {
            voice.complain(None, &Complaint::general("the line is too long"));
            continue;
        }
        hear(settings, line.trim_ascii(), queue, voice);
    }
}

/// Does what one line asks for.
fn hear(settings: &AnalysisSettings, line: &[u8], queue: &Queue, voice: &Voice) {
    if line.is_empty() {
        return;
    }
    let object = match serde_json::from_slice(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return voice.complain(None, &Complaint::general("a request must be a JSON object")),
        Err(error) => {
            return voice.complain(None, &Complaint::general(format!("could not parse the request as JSON: {error}")));
        }
    };
    let Some(id) = object.get("id").and_then(Value::as_str) else {
        return voice.complain(None, &Complaint::general("a request must have a string \"id\" field"));
    };
    if let Some(action) = object.get("action").filter(|action| action.is_string()) {
        match act(settings, action.as_str().unwrap_or_default(), &object, queue, voice) {
            Ok(answer) => voice.say(&Value::Object(answer)),
            Err(complaint) => voice.complain(Some(id), &complaint),
        }
        return;
    }
    let mut reader = Reader::new(settings, &object);
    let result = reader.jobs(id);
    for warning in reader.warnings() {
        voice.complain(Some(id), warning);
    }
    match result {
        Ok(jobs) => queue.add(jobs),
        Err(complaint) => voice.complain(Some(id), &complaint),
    }
}

/// Carries out an action; the answer is its request with what was asked for.
fn act(
    settings: &AnalysisSettings,
    action: &str,
    object: &Map<String, Value>,
    queue: &Queue,
    voice: &Voice,
) -> Result<Map<String, Value>, Complaint> {
    let mut answer = object.clone();
    match action {
        "query_version" => {
            answer.insert("version".to_string(), json!(env!("CARGO_PKG_VERSION")));
            answer.insert("git_hash".to_string(), json!("<omitted>"));
        }
        "query_models" => {
            let model = json!({
                "name": settings.net.to_string(), "internalName": "keima", "maxBatchSize": 1,
                "usesHumanSLProfile": false, "version": 0, "usingFP16": "false",
            });
            answer.insert("models".to_string(), json!([model]));
        }
        // Every search of this protocol starts afresh: there is nothing to forget.
        "clear_cache" => {}
        "terminate" | "terminate_all" => {
            let id = match (action, object.get("terminateId")) {
                ("terminate_all", _) => None,
                (_, Some(Value::String(id))) => Some(id.as_str()),
                _ => return Err(Complaint::error("terminateId", "must be a string, the id of the queries to end")),
            };
            let turns = query::turn_numbers(object)?;
            let chosen = |job: &query::Job| {
                id.is_none_or(|id| job.id == id) && turns.as_ref().is_none_or(|t| t.contains(&job.turn))
            };
            for job in queue.terminate(chosen) {
                voice.say(&answer::nothing(&job));
            }
        }
        _ => {
            let known = "query_version, query_models, clear_cache, terminate or terminate_all";
            return Err(Complaint::error("action", format!("must be {known}")));
        }
    }
    Ok(answer)
}
