//! The search: one tree, grown by simulations on all threads.
//!
//! [`Search::think`] finds the node of the current position, or starts a new tree there, lets every worker thread run
//! simulations (`search/simulate.rs`) until a limit is reached, and reports what the tree says. Nothing is printed and no clock is
//! read but through [`Limits`].

mod decide;
pub mod params;
mod prior;
mod question;
mod report;
mod select;
mod simulate;
#[cfg(test)]
mod tests;

pub use decide::{Choice, Situation, decide, is_tempted_to_pass};
pub use params::{NumberError, SearchParams};
pub use question::{Limits, Listener, Question, Restriction};
pub use report::{Report, RootMove, Variation};

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::color::Color;
use crate::game::Turn;
use crate::geometry::{Geometry, Move, Point, PointMap};
use crate::net::Network;
use crate::playout::Recent;
use crate::rng::Rng;
use crate::rules::{DeadStones, Rules, Scoring};
use crate::score::Komi;
use crate::time::StopFlag;
use crate::tree::{NodeId, Tree};
use crate::zobrist::Hash;

use simulate::Worker;

/// The position a search starts from, and what it must know of the game.
#[derive(Debug)]
struct Root {
    board: Board,
    color: Color,
    recent: Recent,
    /// Passes in a row before this position.
    passes: usize,
    rules: Rules,
    /// What White receives in all.
    komi: Komi,
    /// Stones that Black has placed less those that White has, by territory; 0 by area.
    placed: i32,
    /// Hashes of the game so far, for superko.
    history: HashSet<Hash>,
    /// For each point, the colors that ever stood there: only such a stone can repeat a position.
    ever: PointMap<u8>,
    /// Stones that come off when the game ends here.
    dead: Vec<Point>,
    restrictions: Vec<Restriction>,
    node: NodeId,
}

/// What the tree was built for: it serves every continuation of these moves.
#[derive(Debug)]
struct Origin {
    geometry: Geometry,
    rules: Rules,
    komi: Komi,
    set_up: Vec<(Point, Color)>,
    turns: Vec<Turn>,
    color: Color,
    restrictions: Vec<Restriction>,
}

/// Counters that all workers of one search share.
#[derive(Debug)]
struct Shared {
    started: AtomicU64,
    /// The search is over.
    stop: AtomicBool,
    /// The listener is to be told.
    pause: AtomicBool,
    /// The tree has no room left.
    full: AtomicBool,
    begin: Instant,
}

impl Shared {
    /// Whether no further simulation is to begin for now.
    fn is_interrupted(&self) -> bool {
        [&self.stop, &self.pause, &self.full].iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

/// The search with its tree and its threads.
#[derive(Debug)]
pub struct Search {
    params: SearchParams,
    seed: u64,
    tree: Tree,
    origin: Option<Origin>,
    workers: Vec<Worker>,
    pool: Option<rayon::ThreadPool>,
    network: Option<Arc<Network>>,
}

impl Search {
    /// A search on `threads` threads with a tree of at most `memory` bytes.
    pub fn new(params: SearchParams, threads: usize, memory: usize, seed: u64) -> Search {
        let threads = threads.max(1);
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
        let count = pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        Search {
            params,
            seed,
            // A quarter is kept free for the copy that compaction makes.
            tree: Tree::new(memory / 4 * 3),
            origin: None,
            workers: (0..count).map(|_| Worker::new()).collect(),
            pool,
            network: None,
        }
    }

    /// Searches with this network from now on, or without one. The tree is forgotten if that is a change.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        let same = match (&self.network, &network) {
            (None, None) => true,
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            _ => false,
        };
        if !same {
            self.network = network;
            self.clear();
        }
    }

    /// The parameters, to be changed between searches.
    pub fn params_mut(&mut self) -> &mut SearchParams {
        &mut self.params
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.origin = None;
        self.tree.clear();
    }

    /// Searches a position.
    pub fn think(&mut self, question: &Question<'_>, stop: &StopFlag) -> Report {
        self.think_aloud(question, stop, None)
    }

    /// As [`Search::think`], and tells a listener from time to time what is known so far. The last word is the report returned.
    pub fn think_aloud(
        &mut self,
        question: &Question<'_>,
        stop: &StopFlag,
        mut listener: Option<Listener<'_>>,
    ) -> Report {
        if question.limits.simulations.is_some() {
            self.clear();
        }
        let mut root = Root::new(question);
        root.node = self.root_node(question);
        let game = question.game;
        let moves_ownership = listener.as_ref().is_some_and(|listener| listener.moves_ownership);
        for (i, worker) in self.workers.iter_mut().enumerate() {
            let stream = game.board().hash() ^ game.turns().len() as u64;
            worker.begin(Rng::derived(self.seed ^ stream, i as u64), root.board.geometry(), moves_ownership);
        }
        if let (Some(network), Some(worker)) = (&self.network, self.workers.first_mut()) {
            worker.renew_priors(&self.tree, &root, &self.params, network);
        }
        let shared = Shared {
            started: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            pause: AtomicBool::new(false),
            full: AtomicBool::new(false),
            begin: Instant::now(),
        };
        let mut next = listener.as_ref().map(|listener| listener.first);
        loop {
            self.run_workers(&root, &question.limits, next, stop, &shared);
            if shared.stop.load(Ordering::Relaxed) {
                break;
            }
            if shared.full.swap(false, Ordering::Relaxed) {
                self.make_room(&mut root, question);
            }
            if shared.pause.swap(false, Ordering::Relaxed)
                && let Some(listener) = &mut listener
            {
                (listener.tell)(&self.report(&root));
                // Missed times are not made up for.
                next = next.map(|next| (next + listener.every).max(shared.begin.elapsed()));
            }
        }
        self.report(&root)
    }

    /// Runs simulations until the search is over, the tree is full, or it is time for a pause.
    fn run_workers(&mut self, root: &Root, limits: &Limits, pause: Option<Duration>, stop: &StopFlag, shared: &Shared) {
        let (tree, params, network) = (&self.tree, &self.params, self.network.as_deref());
        let run = |worker: &mut Worker, leader: bool| {
            loop {
                if shared.is_interrupted() {
                    break;
                }
                let number = shared.started.fetch_add(1, Ordering::Relaxed);
                if limits.simulations.is_some_and(|n| number >= n) || (number > 0 && stop.is_raised()) {
                    shared.stop.store(true, Ordering::Relaxed);
                    break;
                }
                if !worker.simulate(tree, root, params, network) {
                    shared.full.store(true, Ordering::Relaxed);
                }
                let check = leader && worker.simulations().is_multiple_of(8);
                if check && is_time_up(tree, root.node, limits, shared, number) {
                    shared.stop.store(true, Ordering::Relaxed);
                }
                if leader && pause.is_some_and(|pause| shared.begin.elapsed() >= pause) {
                    shared.pause.store(true, Ordering::Relaxed);
                }
            }
        };
        match &self.pool {
            None => self.workers.iter_mut().for_each(|worker| run(worker, true)),
            Some(pool) => pool.scope(|scope| {
                for (i, worker) in self.workers.iter_mut().enumerate() {
                    let run = &run;
                    scope.spawn(move |_| run(worker, i == 0));
                }
            }),
        }
    }

    /// The node of the position, in the tree at hand if that contains it.
    fn root_node(&mut self, question: &Question<'_>) -> NodeId {
        let found = self.origin.as_ref().and_then(|origin| origin.node_of(question, &self.tree));
        found.unwrap_or_else(|| {
            self.tree.clear();
            self.origin = Some(Origin::of(question));
            Tree::ROOT
        })
    }

    /// Keeps the better visited part below the current root and drops the rest.
    fn make_room(&mut self, root: &mut Root, question: &Question<'_>) {
        let before = self.tree.len();
        self.tree = self.tree.compacted(root.node, 4, self.tree.capacity() / Tree::COMPACTION);
        log::debug!("tree full: {before} nodes, {} kept", self.tree.len());
        self.origin = Some(Origin::of(question));
        root.node = Tree::ROOT;
    }
}

impl Root {
    fn new(question: &Question<'_>) -> Root {
        let &Question { game, color, dead, restrictions, .. } = question;
        let mut ever = PointMap::new(0);
        for &(p, c) in game.set_up_stones() {
            ever[p] |= 1 << c.index();
        }
        let mut recent = Recent::NONE;
        for turn in game.turns() {
            if let Move::Play(p) = turn.mv {
                ever[p] |= 1 << turn.color.index();
            }
            recent = recent.after(turn.mv);
        }
        Root {
            board: game.board().clone(),
            color,
            recent,
            passes: game.passes(),
            rules: game.rules(),
            komi: game.compensation(),
            placed: if game.rules().scoring == Scoring::Territory { game.placed_difference() } else { 0 },
            history: game.positions().iter().copied().collect(),
            ever,
            dead: if game.rules().dead_stones == DeadStones::Removed { dead.to_vec() } else { Vec::new() },
            restrictions: restrictions.to_vec(),
            node: Tree::ROOT,
        }
    }
}

impl Origin {
    fn of(question: &Question<'_>) -> Origin {
        let &Question { game, color, restrictions, .. } = question;
        Origin {
            geometry: game.geometry(),
            rules: game.rules(),
            komi: game.compensation(),
            set_up: game.set_up_stones().to_vec(),
            turns: game.turns().to_vec(),
            color,
            restrictions: restrictions.to_vec(),
        }
    }

    /// The node of this game's position, if it continues the moves the tree was built for. What is left out is counted from the position
    /// searched: after a move such a tree is of no use.
    fn node_of(&self, question: &Question<'_>, tree: &Tree) -> Option<NodeId> {
        let &Question { game, color, restrictions, .. } = question;
        let same = self.geometry == game.geometry()
            && self.rules == game.rules()
            && self.komi == game.compensation()
            && self.set_up == game.set_up_stones()
            && self.restrictions == restrictions
            && game.turns().starts_with(&self.turns)
            && (restrictions.is_empty() || game.turns().len() == self.turns.len());
        if !same {
            return None;
        }
        let (mut node, mut to_move) = (Tree::ROOT, self.color);
        for turn in &game.turns()[self.turns.len()..] {
            if turn.color != to_move {
                return None;
            }
            node = tree.child_by_move(node, turn.mv)?;
            to_move = to_move.opponent();
        }
        (to_move == color).then_some(node)
    }
}

/// Whether the time is used up, or what is left of it cannot change the choice.
fn is_time_up(tree: &Tree, root: NodeId, limits: &Limits, shared: &Shared, simulations: u64) -> bool {
    let Some(budget) = limits.time else { return false };
    let elapsed = shared.begin.elapsed();
    if elapsed >= budget.limit {
        return true;
    }
    let Some(children) = tree.node(root).children() else { return false };
    let (mut best, mut second, mut best_value, mut top_value) = (0, 0, 0.0, 0.0_f64);
    for node in tree.nodes(children) {
        let (visits, value) = (node.visits(), node.mean().unwrap_or(0.0));
        if visits > best {
            (second, best, best_value) = (best, visits, value);
        } else {
            second = second.max(visits);
        }
        if visits > 100 {
            top_value = top_value.max(value);
        }
    }
    let rate = simulations as f64 / elapsed.as_secs_f64().max(1e-4);
    let remaining = |until: Duration| rate * until.saturating_sub(elapsed).as_secs_f64();
    let lead = f64::from(best - second);
    if elapsed >= budget.target {
        // Undecided: two moves close in visits, or the better one not the more visited. Worth more time while it may change the choice.
        let undecided = f64::from(best) < 1.5 * f64::from(second) || top_value > best_value + 0.01;
        return !undecided || lead > remaining(budget.limit);
    }
    elapsed * 20 > budget.target && lead > remaining(budget.target)
}
