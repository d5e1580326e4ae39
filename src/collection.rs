//! Many games reviewed: what is read, what is done already, who does the rest, and where it goes.
//!
//! One thread reads games and hands out their positions, workers search these, and the calling thread puts them together and writes each review
//! as soon as it is complete, in the order of the input. Only a few games are held at a time, however many there are.
//!
//! Reviews are kept as JSON lines in the folder of the output. A game that is there, unchanged and searched as now, is not searched
//! again; so a run that was broken off goes on where it was.

mod inputs;
mod kept;
mod options;
mod outputs;
mod progress;
#[cfg(test)]
mod tests;

pub use options::{Format, REVIEW_EXAMPLES, ReviewOptions};

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::color::Color;
use crate::engine::{Engine, Settings, share_mib};
use crate::geometry::Move;
use crate::review::{Effort, Look, Review, judge, look};
use crate::rules::Rules;
use crate::sgf::Record;
use inputs::Item;
use kept::Kept;
use outputs::Outputs;
use progress::Progress;

/// How a run went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games that were reviewed, those found done included.
    pub reviewed: usize,
    /// Games and files that could not be.
    pub failed: usize,
}

/// Why a run could not begin or go on.
#[derive(Debug)]
pub enum RunError {
    /// The folder of the output, or a file in it, cannot be written.
    Output(PathBuf, io::Error),
    /// Standard output cannot be written.
    Standard(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Output(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            RunError::Standard(error) => write!(f, "cannot write: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

impl RunError {
    /// Whether the reader of standard output has gone away: nobody is to be told.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, RunError::Standard(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What has to be known of a game to search its positions.
#[derive(Debug)]
struct Plan {
    record: Record,
    rules: Rules,
    effort: Effort,
}

impl Plan {
    fn look(&self, engine: &mut Engine, turn: usize) -> Option<Look> {
        let game = self.record.game_at(self.rules, turn + 1).ok()?;
        let next = self.record.moves.get(turn);
        let color = next.map_or(game.to_move(), |&(color, _)| color);
        Some(look(engine, game, turn, color, next.map(|&(_, mv)| mv), self.effort))
    }
}

/// A game on its way.
#[derive(Debug)]
struct Loaded {
    item: Item,
    plan: Arc<Plan>,
    /// Numbers of the moves to judge.
    judged: Vec<usize>,
    /// Positions to search.
    turns: Vec<usize>,
    fingerprint: u32,
    /// The review, where it was done before.
    review: Option<Review>,
}

/// What happens while games are read and searched.
enum Event {
    Game(usize, Box<Loaded>),
    Broken(String),
    Looked(usize, Look),
}

/// A position for a worker.
struct Task {
    game: usize,
    turn: usize,
    plan: Arc<Plan>,
}

/// A game whose positions come in.
struct Open {
    loaded: Box<Loaded>,
    looks: Vec<Look>,
}

impl Open {
    fn is_complete(&self) -> bool {
        self.loaded.review.is_some() || self.looks.len() == self.loaded.turns.len()
    }

    fn review(mut self) -> (Item, Review, Arc<Plan>) {
        let Loaded { item, plan, judged, fingerprint, review, .. } = *self.loaded;
        self.looks.sort_by_key(|look| look.turn);
        let review = review.unwrap_or_else(|| put_together(&item, &plan, &judged, fingerprint, self.looks));
        (item, review, plan)
    }
}

fn put_together(item: &Item, plan: &Plan, judged: &[usize], fingerprint: u32, looks: Vec<Look>) -> Review {
    let record = &plan.record;
    let at = |turn: usize| looks.binary_search_by_key(&turn, |look| look.turn).ok().map(|i| &looks[i]);
    let judgement = |&number: &usize| {
        let (_, mv) = record.moves.get(number - 1)?;
        Some(judge(at(number - 1)?, at(number)?, &record.geometry.move_name(*mv)))
    };
    let komi = record.to_game(plan.rules).map_or(0.0, |game| game.komi().points());
    Review {
        source: item.label.clone(),
        game: item.number,
        fingerprint,
        keima: env!("CARGO_PKG_VERSION").to_string(),
        effort: plan.effort,
        size: record.geometry.size(),
        komi,
        rules: plan.rules.name.to_string(),
        handicap: record.handicap,
        black: record.names[Color::Black].clone(),
        white: record.names[Color::White].clone(),
        result: record.result.clone(),
        moves: judged.iter().filter_map(judgement).collect(),
        positions: looks,
    }
}

/// Reviews every game of the options' input; messages about single games go to standard error.
///
/// # Errors
/// When what was found cannot be written. What was written is complete, and the next run goes on from there.
pub fn run(options: &ReviewOptions) -> Result<Summary, RunError> {
    let kept = Kept::open(options)?;
    let outputs = Outputs::new(options);
    let progress = Progress::new(options);
    let jobs = options.jobs();
    let settings = Settings {
        threads: 1,
        memory_mib: Some(share_mib(options.memory, jobs)),
        seed: Some(options.seed),
        net: options.net.clone(),
        ..Settings::default()
    };
    let (tell, events) = sync_channel(4 * jobs);
    let (give, tasks) = sync_channel::<Task>(2 * jobs);
    // Owned by the workers alone: when they end, the reader learns that nobody takes anything.
    let tasks = Arc::new(Mutex::new(tasks));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (tell, tasks, settings) = (tell.clone(), Arc::clone(&tasks), &settings);
            scope.spawn(move || work(settings, &tasks, &tell));
        }
        drop(tasks);
        let (kept_ref, progress_ref) = (&kept, &progress);
        scope.spawn(move || read(options, kept_ref, progress_ref, &tell, &give));
        let result = collect(events, &kept, &outputs, &progress);
        // Workers and reader end when nobody takes what they have, or nobody gives them anything.
        progress.finish();
        result
    })
}

/// Searches positions until there are no more.
fn work(settings: &Settings, tasks: &Mutex<Receiver<Task>>, tell: &SyncSender<Event>) {
    let mut engine = Engine::new(settings);
    loop {
        let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = task else { return };
        let Some(look) = task.plan.look(&mut engine, task.turn) else { return };
        if tell.send(Event::Looked(task.game, look)).is_err() {
            return;
        }
    }
}

/// Reads games and hands out their positions.
fn read(options: &ReviewOptions, kept: &Kept, progress: &Progress, tell: &SyncSender<Event>, give: &SyncSender<Task>) {
    let (shard, shards) = options.shard.unwrap_or((1, 1));
    let mut count = 0;
    // False ends the reading: nobody listens any more.
    let mut hand_out = |found: Result<Item, String>| {
        let number = count;
        count += 1;
        if number % shards != shard - 1 {
            return true;
        }
        let loaded = match found.and_then(|item| load(options, kept, item)) {
            Ok(Some(loaded)) => loaded,
            Ok(None) => return true,
            Err(reason) => return tell.send(Event::Broken(reason)).is_ok(),
        };
        progress.begin(&loaded);
        let (plan, turns) = (Arc::clone(&loaded.plan), loaded.turns.clone());
        if tell.send(Event::Game(number, Box::new(loaded))).is_err() {
            return false;
        }
        turns.into_iter().all(|turn| give.send(Task { game: number, turn, plan: Arc::clone(&plan) }).is_ok())
    };
    inputs::each_game(options, &mut hand_out);
}

/// What is to be done for a game: `None` if nothing is.
fn load(options: &ReviewOptions, kept: &Kept, item: Item) -> Result<Option<Loaded>, String> {
    let (record, rules) = inputs::record(options, &item)?;
    let judged = options.judged(&record);
    if judged.is_empty() && options.player.is_some() {
        return Ok(None);
    }
    let turns = options.turns(&judged);
    let fingerprint = options.fingerprint(&item, rules);
    let review = kept.find(&item, fingerprint);
    let turns = if review.is_some() { Vec::new() } else { turns };
    let plan = Arc::new(Plan { record, rules, effort: options.effort() });
    Ok(Some(Loaded { item, plan, judged, turns, fingerprint, review }))
}

/// Puts positions together and writes reviews, in order.
fn collect(events: Receiver<Event>, kept: &Kept, outputs: &Outputs, progress: &Progress) -> Result<Summary, RunError> {
    let mut open: BTreeMap<usize, Open> = BTreeMap::new();
    let mut summary = Summary::default();
    for event in events {
        match event {
            Event::Game(number, loaded) => drop(open.insert(number, Open { loaded, looks: Vec::new() })),
            Event::Broken(reason) => {
                summary.failed += 1;
                progress.say(&format!("keima: {reason}"));
            }
            Event::Looked(game, look) => {
                if let Some(open) = open.get_mut(&game) {
                    progress.advance(&open.loaded);
                    open.looks.push(look);
                }
            }
        }
        while let Some(first) = open.first_entry().filter(|first| first.get().is_complete()) {
            let was_kept = first.get().loaded.review.is_some();
            let (item, review, plan) = first.remove().review();
            if !was_kept {
                kept.add(&review)?;
            }
            progress.suspend(|| outputs.write(&item, &review, &plan))?;
            progress.end(&item);
            summary.reviewed += 1;
        }
    }
    Ok(summary)
}

/// Moves of a game as the options choose them.
fn is_of_player(record: &Record, player: &str, color: Color) -> bool {
    let name = record.names[color].as_deref().unwrap_or_default();
    let (name, player) = (name.to_lowercase(), player.to_lowercase());
    match player.as_str() {
        "b" | "black" => color == Color::Black,
        "w" | "white" => color == Color::White,
        part => name.contains(part),
    }
}

impl ReviewOptions {
    /// Numbers of the moves to judge.
    fn judged(&self, record: &Record) -> Vec<usize> {
        let (first, last) = self.moves.unwrap_or((1, usize::MAX));
        let is_chosen = |&(number, (color, _)): &(usize, (Color, Move))| {
            // Where stones were set up behind a move, the next position says nothing of it.
            (first..=last).contains(&number)
                && !record.is_edited_after(number)
                && self.player.as_deref().is_none_or(|player| is_of_player(record, player, color))
        };
        (1..).zip(record.moves.iter().copied()).filter(is_chosen).map(|(number, _)| number).collect()
    }

    /// Positions to search for these moves: before and after each; that of an empty game for none.
    fn turns(&self, judged: &[usize]) -> Vec<usize> {
        let mut turns: Vec<usize> = judged.iter().flat_map(|&number| [number - 1, number]).collect();
        turns.dedup();
        if turns.is_empty() {
            turns.push(0);
        }
        turns
    }
}
