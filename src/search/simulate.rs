//! One simulation: descend, expand, play out, update.

use super::Root;
use super::params::SearchParams;
use super::prior::PriorScratch;
use super::select::Selector;
use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Geometry, Move, Point, PointMap};
use crate::net::{Evaluator, InputReader, Network};
use crate::playout::{FirstPlays, Policy, Recent, final_owner, play_out};
use crate::rng::Rng;
use crate::rules::{Repetition, Scoring};
use crate::score::{Komi, Score};
use crate::scoring;
use crate::tree::{LEAD_POINT, NodeId, Tree, VALUE_ONE};
use crate::zobrist::Hash;

/// A move on the way down, and the node it led to.
#[derive(Clone, Copy, Debug)]
struct Step {
    color: Color,
    mv: Move,
    node: NodeId,
}

/// Who owned the board at the end of playouts that followed one move of the root.
#[derive(Clone, Debug)]
pub(super) struct OwnedAfter {
    pub(super) playouts: u32,
    pub(super) sums: PointMap<i32>,
}

/// One thread's scratch memory and its share of the statistics.
#[derive(Debug)]
pub(super) struct Worker {
    rng: Rng,
    board: Box<Board>,
    first_plays: FirstPlays,
    priors: PriorScratch,
    inputs: InputReader,
    evaluator: Evaluator,
    path: Vec<Step>,
    /// Positions on the way down, for superko.
    path_hashes: Vec<Hash>,
    owned: PointMap<i32>,
    /// The same for each move of the root, by its place, if anybody wants to know.
    owned_after: Option<Vec<Option<Box<OwnedAfter>>>>,
    simulations: u64,
    playout_moves: u64,
    black_wins: f64,
    black_lead: f64,
    /// Stones that Black has placed less those that White has, by territory; 0 by area.
    placed: i32,
    lead_squares: f64,
}

/// Where a descent stopped.
struct Leaf {
    color: Color,
    recent: Recent,
    passes: usize,
    /// The tree had no room for the children it should have got.
    refused: bool,
    /// What a network said of it.
    opinion: Option<Judged>,
}

/// What a network said of a position.
struct Judged {
    /// Chance to win and lead of the player to move.
    win: f32,
    lead: f32,
    /// How much that counts beside a playout, 0 to 1.
    share: f64,
}

impl Leaf {
    /// The position that is searched.
    fn of(root: &Root) -> Leaf {
        Leaf {
            color: root.color,
            recent: root.recent,
            passes: root.passes.min(root.rules.passes - 1),
            refused: false,
            opinion: None,
        }
    }
}

/// What a simulation, or a network, says of a game: Black's chance to win and lead in points.
struct Outcome {
    win: f64,
    lead: f64,
}

impl Outcome {
    /// From the chance and the lead of `color`.
    fn for_black(color: Color, win: f64, lead: f64) -> Outcome {
        if color == Color::Black { Outcome { win, lead } } else { Outcome { win: 1.0 - win, lead: -lead } }
    }

    /// The mean with another that has this share.
    fn mixed_with(&self, other: &Outcome, share: f64) -> Outcome {
        let mix = |own: f64, other: f64| own + share * (other - own);
        Outcome { win: mix(self.win, other.win), lead: mix(self.lead, other.lead) }
    }
}

impl Worker {
    pub(super) fn new() -> Worker {
        let geometry = Geometry::new(2).expect("2 is an accepted size");
        Worker {
            rng: Rng::new(0),
            board: Box::new(Board::new(geometry)),
            first_plays: FirstPlays::new(),
            priors: PriorScratch::new(),
            inputs: InputReader::new(),
            evaluator: Evaluator::new(),
            path: Vec::new(),
            path_hashes: Vec::new(),
            owned: PointMap::new(0),
            owned_after: None,
            simulations: 0,
            playout_moves: 0,
            black_wins: 0.0,
            black_lead: 0.0,
            placed: 0,
            lead_squares: 0.0,
        }
    }

    /// Gets ready for a search, to count owners for each move of the root as well if `moves_ownership`.
    pub(super) fn begin(&mut self, rng: Rng, geometry: Geometry, moves_ownership: bool) {
        self.rng = rng;
        *self.board = Board::new(geometry);
        self.owned = PointMap::new(0);
        self.owned_after = moves_ownership.then(Vec::new);
        (self.simulations, self.playout_moves) = (0, 0);
        (self.black_wins, self.black_lead, self.lead_squares) = (0.0, 0.0, 0.0);
    }

    pub(super) fn simulations(&self) -> u64 {
        self.simulations
    }

    pub(super) fn playout_moves(&self) -> u64 {
        self.playout_moves
    }

    /// Sum of Black's chances to win, over the simulations.
    pub(super) fn black_wins(&self) -> f64 {
        self.black_wins
    }

    /// Sum of Black's leads in points, over the simulations.
    pub(super) fn black_lead(&self) -> f64 {
        self.black_lead
    }

    /// Sum of the squares of those leads.
    pub(super) fn lead_squares(&self) -> f64 {
        self.lead_squares
    }

    pub(super) fn owned(&self, point: Point) -> i32 {
        self.owned[point]
    }

    /// What was counted of the playouts after the move at this place among the children of the root.
    pub(super) fn owned_after(&self, place: usize) -> Option<&OwnedAfter> {
        self.owned_after.as_ref()?.get(place)?.as_deref()
    }

    /// Goes to the position that is searched, and forgets the path that led elsewhere.
    fn return_to(&mut self, root: &Root) {
        self.board.copy_from(&root.board);
        self.placed = root.placed;
        self.first_plays.clear();
        self.path.clear();
        self.path_hashes.clear();
    }

    /// Gives the children of a root that was once a position like others the priors of a root.
    pub(super) fn renew_priors(&mut self, tree: &Tree, root: &Root, params: &SearchParams, network: &Network) {
        let Some(children) = tree.node(root.node).children().filter(|_| params.root_symmetries > 1) else { return };
        self.return_to(root);
        let mut leaf = Leaf::of(root);
        self.ask(network, root, &mut leaf, params);
        self.compute_priors(root, &leaf, params);
        for child in (0..children.len()).map(|place| tree.node(children.get(place))) {
            if let Some(&prior) = self.priors.priors.iter().find(|prior| prior.mv == child.mv()) {
                child.set_prior(prior);
            }
        }
    }

    /// Runs one simulation; false when the tree was too full to grow, which it then was not.
    pub(super) fn simulate(
        &mut self,
        tree: &Tree,
        root: &Root,
        params: &SearchParams,
        network: Option<&Network>,
    ) -> bool {
        self.return_to(root);
        tree.node(root.node).enter();
        let leaf = self.descend(tree, root, params, network);
        let before = self.owned_after.is_some().then(|| Box::new(self.owned));
        let score = if leaf.passes >= root.rules.passes {
            Score::from_margin(self.settled_margin(root), root.komi)
        } else {
            let komi = self.area_komi(root, leaf.color);
            Score::from_margin(self.play_out_from(&leaf, params), komi)
        };
        let mut result = Outcome { win: score.black_win(), lead: f64::from(score.half_points()) / 2.0 };
        if let Some(Judged { win, lead, share }) = leaf.opinion {
            result = result.mixed_with(&Outcome::for_black(leaf.color, f64::from(win), f64::from(lead)), share);
        }
        self.simulations += 1;
        self.black_wins += result.win;
        self.black_lead += result.lead;
        self.lead_squares += result.lead * result.lead;
        if let Some(before) = before {
            self.count_owners_after(tree, root, &before);
        }
        self.update(tree, root, params, &result, network.is_none());
        !leaf.refused
    }

    /// Follows the most urgent moves to a node without children, and gives it children when it is due.
    fn descend(&mut self, tree: &Tree, root: &Root, params: &SearchParams, network: Option<&Network>) -> Leaf {
        let mut leaf = Leaf::of(root);
        let mut node = root.node;
        loop {
            if leaf.passes >= root.rules.passes {
                break;
            }
            let needed = if network.is_some() { params.net_visits } else { params.expand_visits };
            let due = node == root.node || tree.node(node).visits() >= needed;
            if due && tree.node(node).children().is_none() && tree.node(node).claim() {
                if let Some(network) = network {
                    self.ask(network, root, &mut leaf, params);
                }
                self.compute_priors(root, &leaf, params);
                leaf.refused = !tree.expand(node, &self.priors.priors);
                // What a network says of a node is worth so much that the simulation ends where it was asked.
                if network.is_some() {
                    break;
                }
            }
            let Some(children) = tree.node(node).children() else { break };
            let place = Selector::new(params, tree.node(node), network.is_some()).best(tree, children);
            node = children.get(place);
            tree.node(node).enter();
            let mv = tree.node(node).mv();
            self.play_step(root, mv, &mut leaf, node);
        }
        tree.node(node).count_own_visit();
        leaf
    }

    /// The komi with which a count by area of the game played out from here gives the score.
    fn area_komi(&self, root: &Root, to_move: Color) -> Komi {
        scoring::area_komi(root.komi, root.rules.scoring, self.placed, to_move)
    }

    fn ask(&mut self, network: &Network, root: &Root, leaf: &mut Leaf, params: &SearchParams) {
        self.inputs.read(&self.board, leaf.color, leaf.recent, leaf.passes > 0, self.area_komi(root, leaf.color));
        let (geometry, input) = (self.board.geometry(), &self.inputs.input);
        if self.path.is_empty() {
            self.evaluator.evaluate_by_symmetries(network, geometry, input, params.root_symmetries as u8);
        } else {
            let symmetry = self.board.hash() % u64::from(params.tree_symmetries);
            self.evaluator.evaluate_turned(network, geometry, input, symmetry as u8);
        }
        let opinion = &self.evaluator.opinion;
        leaf.opinion = Some(Judged { win: opinion.win, lead: opinion.lead, share: params.net_share_of(&self.board) });
    }

    fn play_step(&mut self, root: &Root, mv: Move, leaf: &mut Leaf, node: NodeId) {
        self.path.push(Step { color: leaf.color, mv, node });
        match mv {
            Move::Play(point) => {
                self.board.play(point, leaf.color);
                self.path_hashes.push(self.board.hash());
                self.placed += if root.rules.scoring == Scoring::Territory { leaf.color.sign() } else { 0 };
                leaf.passes = 0;
            }
            Move::Pass => {
                self.board.clear_ko();
                leaf.passes += 1;
            }
        }
        leaf.recent = leaf.recent.after(mv);
        leaf.color = leaf.color.opponent();
    }

    /// The moves worth a node here: playable, no own eye, and not repeating a position of the game or of the path.
    fn compute_priors(&mut self, root: &Root, leaf: &Leaf, params: &SearchParams) {
        let Worker { board, priors, path, path_hashes, evaluator, rng, .. } = self;
        let color = leaf.color;
        // Without suicide a move leaves its stone, so only a point where such a stone once stood can bring a position back.
        let repeats = |point: Point| {
            let is_superko = root.rules.repetition == Repetition::Superko;
            let possible = is_superko
                && ((root.rules.suicide && board.is_suicide(point, color))
                    || root.ever[point] >> color.index() & 1 != 0
                    || path.iter().any(|s| s.color == color && s.mv == Move::Play(point)));
            if !possible {
                return false;
            }
            let hash = board.hash_after(point, color);
            root.history.contains(&hash) || path_hashes.contains(&hash)
        };
        let left_out = |mv: Move| root.restrictions.iter().any(|r| r.forbids(color, mv, path.len()));
        let allowed = |point| !repeats(point) && !left_out(Move::Play(point));
        priors.begin(board, color, root.rules.suicide, allowed, !left_out(Move::Pass));
        match leaf.opinion {
            None => priors.by_model(board, color, leaf.recent, params),
            Some(_) => priors.by_network(&evaluator.opinion, board, leaf.recent, params),
        }
        if path.is_empty() && params.root_noise > 0.0 {
            priors.stir(params.root_noise, rng);
        }
    }

    fn play_out_from(&mut self, leaf: &Leaf, params: &SearchParams) -> i32 {
        let mut policy = Policy::new(&params.playout);
        let (margin, moves) =
            play_out(&mut self.board, leaf.color, leaf.recent, &mut policy, &mut self.rng, &mut self.first_plays);
        self.playout_moves += moves;
        for p in self.board.geometry().points() {
            self.owned[p] += final_owner(&self.board, p).map_or(0, Color::sign);
        }
        margin
    }

    /// The margin of a game ended by two passes in the tree: by the rules, with the dead stones that still stand taken off.
    fn settled_margin(&mut self, root: &Root) -> i32 {
        let board = &self.board;
        let dead: Vec<Point> = root.dead.iter().copied().filter(|&p| board.cell(p) == root.board.cell(p)).collect();
        let owner = scoring::counted_ownership(board, &dead, root.rules.scoring);
        let mut margin = 0;
        for p in board.geometry().points() {
            let sign = owner[p].map_or(0, Color::sign);
            self.owned[p] += sign;
            margin += sign;
        }
        match root.rules.scoring {
            Scoring::Area => margin,
            Scoring::Territory => scoring::territory_margin(board, &dead, &owner, self.placed),
        }
    }

    /// Counts what this simulation added to the owners for its first move, too.
    fn count_owners_after(&mut self, tree: &Tree, root: &Root, before: &PointMap<i32>) {
        let first = self.path.first().zip(tree.node(root.node).children());
        let (Some((step, children)), Some(moves)) = (first, &mut self.owned_after) else { return };
        let place = children.place(step.node);
        if moves.len() < children.len() {
            moves.resize(children.len(), None);
        }
        let Some(counted) = moves.get_mut(place) else { return };
        let counted = counted.get_or_insert_with(|| Box::new(OwnedAfter { playouts: 0, sums: PointMap::new(0) }));
        counted.playouts += 1;
        for p in root.board.geometry().points() {
            counted.sums[p] += self.owned[p] - before[p];
        }
    }

    /// Carries the result up the path: to each node's mean and, where the choice asks for it, to the RAVE of the moves that could have been
    /// played instead.
    fn update(&mut self, tree: &Tree, root: &Root, params: &SearchParams, result: &Outcome, with_rave: bool) {
        let black_value = (params.value(result.win, result.lead, root.board.geometry()) * VALUE_ONE as f64) as u64;
        let lead = (result.lead * LEAD_POINT as f64) as i64;
        let value_for = |color: Color| if color == Color::Black { black_value } else { VALUE_ONE - black_value };
        while let Some(step) = self.path.pop() {
            tree.node(step.node).leave_with(value_for(step.color), lead);
            if !with_rave {
                continue;
            }
            if let Move::Play(point) = step.mv {
                self.first_plays.note_earlier(point, step.color);
            }
            let parent = self.path.last().map_or(root.node, |s| s.node);
            let Some(children) = tree.node(parent).children() else { continue };
            for child in tree.nodes(children) {
                if self.first_plays.is_first(child.point_or_none(), step.color) {
                    child.add_rave(value_for(step.color));
                }
            }
        }
        tree.node(root.node).leave_with(value_for(root.color.opponent()), lead);
    }
}
