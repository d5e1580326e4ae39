//! The search: one tree, grown by simulations on all threads.
//!
//! [`Search::think`] finds the node of the current position, or starts a new tree there, lets every worker thread run
//! simulations (`search/simulate.rs`) until a limit is reached, and reports what the tree says. Nothing is printed and no clock is
//! read but through [`Limits`].

mod decide;
pub mod params;
mod prior;
mod select;
mod simulate;
#[cfg(test)]
mod tests;

pub use decide::{Choice, Situation, decide, is_tempted_to_pass};
pub use params::{NumberError, SearchParams};

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Turn};
use crate::geometry::{Geometry, Move, Point, PointMap};
use crate::net::Network;
use crate::playout::Recent;
use crate::rng::Rng;
use crate::rules::{DeadStones, Rules, Scoring};
use crate::score::Komi;
use crate::time::{StopFlag, TimeBudget};
use crate::tree::{NodeId, Tree};
use crate::zobrist::Hash;

use simulate::Worker;

/// When a search ends. Without any limit it goes on until it is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Exact number of simulations. With it each search starts a tree of its own, so that the result depends on nothing that went before.
    pub simulations: Option<u64>,
    /// Time to aim at and never to exceed.
    pub time: Option<TimeBudget>,
}

/// One move of the root, as the search sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Simulations that began with it.
    pub visits: u32,
    /// Mean result for the player to move, 0 to 1, the score term included.
    pub value: f64,
    /// How likely a strong player is to choose it, by the move model.
    pub prior: f64,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The moves of the root, most visited first.
    pub moves: Vec<RootMove>,
    /// Simulations of this search.
    pub simulations: u64,
    /// Moves played in the playouts of this search.
    pub playout_moves: u64,
    /// Share of wins for the player to move, over this search's simulations.
    pub win_rate: f64,
    /// Mean score for the player to move, in points.
    pub score: f64,
    /// For each point, the mean over playouts of its final owner: 1 Black, -1 White.
    pub ownership: PointMap<f32>,
    /// The line of most visited moves.
    pub line: Vec<Move>,
    /// Nodes in the tree.
    pub nodes: usize,
}

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
}

/// Counters that all workers of one search share.
#[derive(Debug)]
struct Shared {
    started: AtomicU64,
    stop: AtomicBool,
    full: AtomicBool,
    begin: Instant,
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

    /// Searches the position with `color` to move. `dead` are the stones that would come off if the game ended now.
    pub fn think(&mut self, game: &Game, color: Color, dead: &[Point], limits: &Limits, stop: &StopFlag) -> Report {
        if limits.simulations.is_some() {
            self.clear();
        }
        let mut root = Root::new(game, color, dead);
        root.node = self.root_node(game, color);
        for (i, worker) in self.workers.iter_mut().enumerate() {
            let stream = game.board().hash() ^ game.turns().len() as u64;
            worker.begin(Rng::derived(self.seed ^ stream, i as u64), root.board.geometry());
        }
        let shared = Shared {
            started: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            full: AtomicBool::new(false),
            begin: Instant::now(),
        };
        loop {
            self.run_workers(&root, limits, stop, &shared);
            if !shared.full.load(Ordering::Relaxed) || shared.stop.load(Ordering::Relaxed) {
                break;
            }
            self.make_room(&mut root, game, color);
            shared.full.store(false, Ordering::Relaxed);
        }
        self.report(&root)
    }

    fn run_workers(&mut self, root: &Root, limits: &Limits, stop: &StopFlag, shared: &Shared) {
        let (tree, params, network) = (&self.tree, &self.params, self.network.as_deref());
        let run = |worker: &mut Worker, leader: bool| {
            loop {
                if shared.stop.load(Ordering::Relaxed) || shared.full.load(Ordering::Relaxed) {
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
    fn root_node(&mut self, game: &Game, color: Color) -> NodeId {
        let found = self.origin.as_ref().and_then(|origin| origin.node_of(game, color, &self.tree));
        found.unwrap_or_else(|| {
            self.tree.clear();
            self.origin = Some(Origin::of(game, color));
            Tree::ROOT
        })
    }

    /// Keeps the better visited part below the current root and drops the rest.
    fn make_room(&mut self, root: &mut Root, game: &Game, color: Color) {
        let before = self.tree.len();
        self.tree = self.tree.compacted(root.node, 4, self.tree.capacity() / 4);
        log::debug!("tree full: {before} nodes, {} kept", self.tree.len());
        self.origin = Some(Origin::of(game, color));
        root.node = Tree::ROOT;
    }

    fn report(&self, root: &Root) -> Report {
        let tree = &self.tree;
        let mut moves: Vec<RootMove> = tree.node(root.node).children().map_or(Vec::new(), |children| {
            let nodes = tree.nodes(children).iter();
            nodes
                .map(|node| RootMove {
                    mv: node.mv(),
                    visits: node.visits(),
                    value: node.mean().unwrap_or(0.0),
                    prior: f64::from(node.prior().0).powi(2),
                })
                .collect()
        });
        moves.sort_by_key(|m| std::cmp::Reverse(m.visits));
        let sum = |f: fn(&Worker) -> i64| self.workers.iter().map(f).sum::<i64>();
        let simulations = sum(|w| w.simulations() as i64);
        let count = simulations.max(1) as f64;
        let mut ownership = PointMap::new(0.0);
        for p in root.board.geometry().points() {
            let owned: i32 = self.workers.iter().map(|w| w.owned(p)).sum();
            ownership[p] = owned as f32 / count as f32;
        }
        let black_wins = sum(|w| w.black_wins() as i64) as f64 / count;
        let black_score = sum(Worker::black_half_points) as f64 / count / 2.0;
        Report {
            moves,
            simulations: simulations as u64,
            playout_moves: sum(|w| w.playout_moves() as i64) as u64,
            win_rate: if root.color == Color::Black { black_wins } else { 1.0 - black_wins },
            score: black_score * f64::from(root.color.sign()),
            ownership,
            line: self.line(root.node),
            nodes: tree.len(),
        }
    }

    fn line(&self, mut node: NodeId) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some(children) = self.tree.node(node).children()
            && line.len() < 30
        {
            let best = (0..children.len()).max_by_key(|&i| (self.tree.node(children.get(i)).visits(), usize::MAX - i));
            let Some(child) = best.map(|i| children.get(i)).filter(|&c| self.tree.node(c).visits() > 0) else { break };
            line.push(self.tree.node(child).mv());
            node = child;
        }
        line
    }
}

impl Root {
    fn new(game: &Game, color: Color, dead: &[Point]) -> Root {
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
            node: Tree::ROOT,
        }
    }
}

impl Origin {
    fn of(game: &Game, color: Color) -> Origin {
        Origin {
            geometry: game.geometry(),
            rules: game.rules(),
            komi: game.compensation(),
            set_up: game.set_up_stones().to_vec(),
            turns: game.turns().to_vec(),
            color,
        }
    }

    /// The node of this game's position, if it continues the moves the tree was built for.
    fn node_of(&self, game: &Game, color: Color, tree: &Tree) -> Option<NodeId> {
        let same = self.geometry == game.geometry()
            && self.rules == game.rules()
            && self.komi == game.compensation()
            && self.set_up == game.set_up_stones()
            && game.turns().starts_with(&self.turns);
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
