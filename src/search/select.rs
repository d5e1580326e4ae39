//! Which child a simulation goes to.

use super::params::SearchParams;
use crate::tree::{Children, Node, Tree, VALUE_ONE};

/// Everything about a node's children that one choice among them needs.
pub(super) struct Selector<'s> {
    params: &'s SearchParams,
    log_visits: f32,
    root_visits: f32,
    /// Where a network gave the priors: the value of the node for the player to move.
    own_value: Option<f32>,
}

impl<'s> Selector<'s> {
    /// A choice below this node. `by_policy` says that the priors are a network's.
    pub(super) fn new(params: &'s SearchParams, node: &Node, by_policy: bool) -> Selector<'s> {
        let visits = node.visits().max(1) as f32;
        let own_value = by_policy.then(|| 1.0 - node.mean().unwrap_or(0.5) as f32);
        Selector { params, log_visits: visits.ln(), root_visits: visits.sqrt(), own_value }
    }

    /// Place of the most urgent child in its block. The first of equals wins, so the choice is reproducible.
    pub(super) fn best(&self, tree: &Tree, children: Children) -> usize {
        let nodes = tree.nodes(children);
        let unvisited = self.own_value.map(|value| self.value_of_unvisited(nodes, value));
        let mut best = 0;
        let mut best_urgency = f32::NEG_INFINITY;
        for (i, child) in nodes.iter().enumerate() {
            let urgency = match unvisited {
                None => self.urgency(child),
                Some(value) => self.urgency_by_policy(child, value),
            };
            if urgency > best_urgency {
                (best, best_urgency) = (i, urgency);
            }
        }
        best
    }

    /// Mean of real and prior visits, blended with RAVE, plus exploration. Threads below the child count as losses here, and only here:
    /// nothing virtual is ever stored.
    #[inline]
    fn urgency(&self, child: &Node) -> f32 {
        const UNIT: f32 = 1.0 / VALUE_ONE as f32;
        let (root_of_probability, even_value) = child.prior();
        let good = self.params.prior_wins * root_of_probability;
        let prior_visits = self.params.prior_even + good;
        let prior_wins = self.params.prior_even * even_value + good;
        let visits = child.visits() as f32 + child.pending() as f32 + prior_visits;
        let mean = (child.value_sum() as f32 * UNIT + prior_wins) / visits.max(1e-3);
        let (rave_count, rave_sum) = child.rave();
        let rave_visits = rave_count as f32 + prior_visits;
        let rave_mean = (rave_sum as f32 * UNIT + prior_wins) / rave_visits.max(1e-3);
        let beta = rave_visits / (rave_visits + visits + rave_visits * visits / self.params.rave_equivalence);
        let explore = self.params.exploration * (self.log_visits / (visits + 1.0)).sqrt();
        mean + beta * (rave_mean - mean) + explore
    }

    /// First-play urgency after KataGo (Wu, 2019): moves nobody tried are worth less than the node the more of the policy was tried.
    fn value_of_unvisited(&self, nodes: &[Node], own_value: f32) -> f32 {
        let tried: f32 = nodes.iter().filter(|node| node.visits() > 0).map(|node| node.prior().0.powi(2)).sum();
        own_value - self.params.first_play_reduction * tried.sqrt()
    }

    /// PUCT after Silver and others ("Mastering the game of Go without human knowledge", 2017). Threads below the child count as losses.
    #[inline]
    fn urgency_by_policy(&self, child: &Node, unvisited: f32) -> f32 {
        const UNIT: f32 = 1.0 / VALUE_ONE as f32;
        let probability = child.prior().0.powi(2);
        let visits = (child.visits() + child.pending()) as f32;
        let value = if visits > 0.0 { child.value_sum() as f32 * UNIT / visits } else { unvisited };
        value + self.params.puct * probability * self.root_visits / (1.0 + visits)
    }
}
