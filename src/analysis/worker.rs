//! A worker: an engine that searches one position after another and tells what it finds.

use std::time::{Duration, Instant};

use super::queue::{Queue, Ticket};
use super::settings::AnalysisSettings;
use super::{Voice, answer};
use crate::engine::{Engine, Settings};
use crate::search::{Limits, Listener, Report};

/// How often a search with a time limit looks at the clock.
const GLANCE: Duration = Duration::from_millis(50);

/// How long to wait where nobody wants to be told.
const NEVER: Duration = Duration::from_secs(1 << 40);

/// Searches positions until there are no more.
pub fn work(settings: &AnalysisSettings, queue: &Queue, voice: &Voice) {
    let mut engine = Engine::new(&Settings {
        threads: 1,
        memory_mib: Some(settings.memory_per_worker()),
        seed: Some(settings.seed),
        net: settings.net.clone(),
        search: settings.search.clone(),
        ..Settings::default()
    });
    while let Some(ticket) = queue.next() {
        search(&mut engine, &ticket, voice);
        queue.finish(&ticket);
    }
}

fn search(engine: &mut Engine, ticket: &Ticket, voice: &Voice) {
    let (job, wanted) = (&ticket.job, &ticket.job.wanted);
    engine.set_game(job.game());
    if engine.settings().search != wanted.search {
        engine.change_settings(|settings| settings.search = wanted.search.clone());
    }
    let begin = Instant::now();
    let mut due = wanted.report.map(|(first, _)| first);
    let mut tell = |report: &Report| {
        let spent = begin.elapsed();
        if wanted.time.is_some_and(|time| spent >= time) {
            ticket.stop.raise();
        } else if let (Some(time), Some((_, every))) = (due, wanted.report)
            && spent >= time
            && !ticket.stop.is_raised()
        {
            voice.say(&answer::opinion(job, report, true));
            due = Some((time + every).max(spent));
        }
    };
    let every = [wanted.report.map(|(first, every)| first.min(every)), wanted.time.map(|time| time.min(GLANCE))];
    let every = every.into_iter().flatten().min().or(wanted.moves_ownership.then_some(NEVER));
    let moves_ownership = wanted.moves_ownership;
    let listener = every.map(|every| Listener { first: every, every, moves_ownership, tell: &mut tell });
    let limits = Limits { simulations: Some(wanted.visits), time: None };
    let report = engine.analyze(job.color(), limits, &wanted.restrictions, listener, &ticket.stop);
    voice.say(&answer::opinion(job, &report, false));
}
