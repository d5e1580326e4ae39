//! What a search found, as its tree tells it.

use super::{Root, Search};
use crate::color::Color;
use crate::geometry::{Move, PointMap};
use crate::tree::NodeId;

/// The longest line told.
const LINE: usize = 30;

/// A line of moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// The moves, the first one the next to be made.
    pub moves: Vec<Move>,
    /// Simulations that went through each.
    pub visits: Vec<u32>,
}

/// One move of the root, as the search sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Simulations that began with it.
    pub visits: u32,
    /// Mean result for the player to move, 0 to 1, the score term included: what the search compares.
    pub value: f64,
    /// Chance of the player to move to win, 0 to 1.
    pub win_rate: f64,
    /// Mean score for the player to move, in points.
    pub lead: f64,
    /// How likely a strong player is to choose it, by the network or else the move model.
    pub prior: f64,
    /// The line of most visited moves that begins with it.
    pub line: Variation,
    /// For each point, the mean over the playouts of this search after the move of its final owner: 1 Black, -1 White. `None` unless the listener wants
    /// it, and where no playout of this search followed the move.
    pub ownership: Option<Box<PointMap<f32>>>,
}

impl RootMove {
    /// A cautious win rate: the lower end of the 95 % interval if each visit were an independent game.
    pub fn lower_bound(&self) -> f64 {
        let visits = f64::from(self.visits).max(1.0);
        let p = self.win_rate.clamp(0.0, 1.0);
        // One game is added to either side, so that a few wins are not taken for certainty.
        let spread = (p * (1.0 - p)).max(1.0 / (visits + 2.0)) / visits;
        (p - 1.96 * spread.sqrt()).max(0.0)
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Who is to move.
    pub color: Color,
    /// The moves of the root, most visited first.
    pub moves: Vec<RootMove>,
    /// Simulations of this search.
    pub simulations: u64,
    /// Simulations in the tree below the root, those of earlier searches included.
    pub visits: u32,
    /// Moves played in the playouts of this search.
    pub playout_moves: u64,
    /// Chance of the player to move to win, 0 to 1: mean over this search's simulations.
    pub win_rate: f64,
    /// Mean score for the player to move over this search's simulations, in points.
    pub score: f64,
    /// Standard deviation of the score over this search's simulations, in points.
    pub score_deviation: f64,
    /// For each point, the mean over this search's playouts of its final owner: 1 Black, -1 White.
    pub ownership: PointMap<f32>,
    /// The line of most visited moves.
    pub line: Vec<Move>,
    /// Nodes in the tree.
    pub nodes: usize,
}

impl Search {
    pub(super) fn report(&self, root: &Root) -> Report {
        let tree = &self.tree;
        let mut moves: Vec<RootMove> = tree.node(root.node).children().map_or(Vec::new(), |children| {
            let ids = (0..children.len()).map(|i| children.get(i));
            ids.enumerate().map(|(place, id)| self.root_move(root, place, id)).collect()
        });
        moves.sort_by_key(|m| std::cmp::Reverse(m.visits));
        let simulations: u64 = self.workers.iter().map(|w| w.simulations()).sum();
        let count = simulations.max(1) as f64;
        let mut ownership = PointMap::new(0.0);
        for p in root.board.geometry().points() {
            let owned: i32 = self.workers.iter().map(|w| w.owned(p)).sum();
            ownership[p] = owned as f32 / count as f32;
        }
        let black_wins = self.workers.iter().map(|w| w.black_wins()).sum::<f64>() / count;
        let black_lead = self.workers.iter().map(|w| w.black_lead()).sum::<f64>() / count;
        let squares = self.workers.iter().map(|w| w.lead_squares()).sum::<f64>() / count;
        Report {
            color: root.color,
            line: moves.first().map_or(Vec::new(), |best| best.line.moves.clone()),
            moves,
            simulations,
            visits: tree.node(root.node).visits(),
            playout_moves: self.workers.iter().map(|w| w.playout_moves()).sum(),
            win_rate: if root.color == Color::Black { black_wins } else { 1.0 - black_wins },
            score: black_lead * f64::from(root.color.sign()),
            score_deviation: (squares - black_lead * black_lead).max(0.0).sqrt(),
            ownership,
            nodes: tree.len(),
        }
    }

    fn root_move(&self, root: &Root, place: usize, id: NodeId) -> RootMove {
        let node = self.tree.node(id);
        let value = node.mean().unwrap_or(0.0);
        let lead = node.black_lead() * f64::from(root.color.sign());
        RootMove {
            mv: node.mv(),
            visits: node.visits(),
            value,
            win_rate: self.params.win_rate(value, lead, root.board.geometry()),
            lead,
            prior: f64::from(node.prior().0).powi(2),
            line: self.line(id),
            ownership: self.ownership_after(root, place),
        }
    }

    /// Mean final owners after the move at this place among the children of the root.
    fn ownership_after(&self, root: &Root, place: usize) -> Option<Box<PointMap<f32>>> {
        let counted = || self.workers.iter().filter_map(|w| w.owned_after(place));
        let playouts: u32 = counted().map(|owned| owned.playouts).sum();
        let mean = |p| counted().map(|owned| owned.sums[p]).sum::<i32>() as f32 / playouts as f32;
        let mut means = (playouts > 0).then(|| Box::new(PointMap::new(0.0)))?;
        for p in root.board.geometry().points() {
            means[p] = mean(p);
        }
        Some(means)
    }

    /// The most visited moves from this node on, its own first; nothing if it was not visited.
    fn line(&self, node: NodeId) -> Variation {
        let mut line = Variation::default();
        let mut next = Some(node);
        while let Some(id) = next.filter(|&id| self.tree.node(id).visits() > 0)
            && line.moves.len() < LINE
        {
            let node = self.tree.node(id);
            line.moves.push(node.mv());
            line.visits.push(node.visits());
            next = node.children().and_then(|children| {
                // Of equals the first.
                let best =
                    (0..children.len()).max_by_key(|&i| (self.tree.node(children.get(i)).visits(), usize::MAX - i));
                best.map(|i| children.get(i))
            });
        }
        line
    }
}
