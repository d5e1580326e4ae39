//! Memory of the search: nodes with atomic counters in an arena, shared by all threads without locks.
//!
//! **Storage.** Nodes live in chunks that are allocated when first needed, so an idle process stays small. The children
//! of a node are one contiguous block within one chunk. Nothing is freed singly: when the arena is full, the search stops for a
//! moment and [`Tree::compacted`] copies the part worth keeping into a new arena.
//!
//! **Publication.** A thread that wants to expand a node claims it by a compare-exchange on the node's `children` word. It then writes
//! the block and stores (first, count) in the same word with `Release`. Readers load the word with `Acquire`: whoever sees the
//! block sees its contents. All counters are `Relaxed`.
//!
//! **What may race.** Every counter is changed by atomic addition, so no update is lost. Sum and visits of a node are two
//! counters; a reader may see one without the other, an error of one visit in what it computes. RAVE visits and
//! sum share one word and are always consistent.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

use crate::geometry::{Move, Point};

/// A result between 0 (loss) and 1 (win) in fixed point: sums of it are exact and independent of their order.
pub const VALUE_ONE: u64 = 4096;

/// A point of lead in fixed point.
pub const LEAD_POINT: i64 = 256;

/// Bits of the sum in a RAVE word; the visits are above.
const RAVE_SUM_BITS: u32 = 38;
/// RAVE visits beyond this are not counted: 2^25 times [`VALUE_ONE`] fits the sum.
const RAVE_MAX_VISITS: u64 = 1 << 25;

const CHUNK_BITS: u32 = 15;
const CHUNK_LEN: u32 = 1 << CHUNK_BITS;

/// The `children` word of a node that no thread has expanded.
const UNEXPANDED: u64 = 0;
/// The `children` word while one thread is writing the block.
const CLAIMED: u64 = 1;

/// Encoding of a pass in a node's move; no point of a board has this index.
const PASS: u32 = 0;

/// Index of a node in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(u32);

/// A block of sibling nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Children {
    first: u32,
    count: u32,
}

impl Children {
    /// Number of children.
    pub fn len(self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The child at this place of the block.
    pub fn get(self, index: usize) -> NodeId {
        NodeId(self.first + index as u32)
    }

    /// The place of a node of this block.
    pub fn place(self, node: NodeId) -> usize {
        node.0.wrapping_sub(self.first) as usize
    }
}

/// What a new node knows before its first visit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prior {
    /// The move that leads to the node.
    pub mv: Move,
    /// How likely a strong player is to choose it, 0 to 1.
    pub probability: f32,
    /// Value expected of it for the player who makes the move, 0 to 1.
    pub value: f32,
}

/// A node: the position after its move, seen by the player who made that move.
#[derive(Debug, Default)]
pub struct Node {
    /// Move in the low half, threads currently below this node in the high half.
    move_and_pending: AtomicU32,
    visits: AtomicU32,
    value_sum: AtomicU64,
    /// Sum of Black's leads, in units of [`LEAD_POINT`].
    lead_sum: AtomicI64,
    rave: AtomicU64,
    /// Square root of the prior probability in the low half, prior value in the high half, both in 1/65535.
    prior: AtomicU32,
    /// Visits that ended here because the node was not expanded yet.
    own_visits: AtomicU32,
    children: AtomicU64,
}

impl Node {
    fn reset(&self, prior: Prior) {
        let code = prior.mv.point().map_or(PASS, |p| p.index() as u32);
        self.move_and_pending.store(code, Ordering::Relaxed);
        self.visits.store(0, Ordering::Relaxed);
        self.value_sum.store(0, Ordering::Relaxed);
        self.lead_sum.store(0, Ordering::Relaxed);
        self.rave.store(0, Ordering::Relaxed);
        self.set_prior(prior);
        self.own_visits.store(0, Ordering::Relaxed);
        self.children.store(UNEXPANDED, Ordering::Relaxed);
    }

    /// Replaces the prior; the move stays what it is.
    pub fn set_prior(&self, prior: Prior) {
        let root = (prior.probability.clamp(0.0, 1.0).sqrt() * 65535.0) as u32;
        let value = (prior.value.clamp(0.0, 1.0) * 65535.0) as u32;
        self.prior.store(root | value << 16, Ordering::Relaxed);
    }

    fn copy_counters(&self, other: &Node) {
        self.move_and_pending.store(other.move_and_pending.load(Ordering::Relaxed) & 0xFFFF, Ordering::Relaxed);
        self.visits.store(other.visits.load(Ordering::Relaxed), Ordering::Relaxed);
        self.value_sum.store(other.value_sum.load(Ordering::Relaxed), Ordering::Relaxed);
        self.lead_sum.store(other.lead_sum.load(Ordering::Relaxed), Ordering::Relaxed);
        self.rave.store(other.rave.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prior.store(other.prior.load(Ordering::Relaxed), Ordering::Relaxed);
        self.own_visits.store(other.own_visits.load(Ordering::Relaxed), Ordering::Relaxed);
        self.children.store(UNEXPANDED, Ordering::Relaxed);
    }

    /// The move that leads here.
    #[inline]
    pub fn mv(&self) -> Move {
        match self.move_and_pending.load(Ordering::Relaxed) & 0xFFFF {
            PASS => Move::Pass,
            index => Move::Play(Point::from_index(index as usize)),
        }
    }

    /// The grid index of the move's point, 0 for a pass: cheaper than [`Node::mv`] in the innermost loops.
    #[inline]
    pub fn point_or_none(&self) -> Point {
        Point::from_index((self.move_and_pending.load(Ordering::Relaxed) & 0xFFFF) as usize)
    }

    /// Simulations that went through this node.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Simulations that ended here, before the node had children.
    pub fn own_visits(&self) -> u32 {
        self.own_visits.load(Ordering::Relaxed)
    }

    /// Threads currently below this node.
    #[inline]
    pub fn pending(&self) -> u32 {
        self.move_and_pending.load(Ordering::Relaxed) >> 16
    }

    /// Sum of the results, in units of [`VALUE_ONE`].
    #[inline]
    pub fn value_sum(&self) -> u64 {
        self.value_sum.load(Ordering::Relaxed)
    }

    /// Mean result for the player who moved here; `None` before the first visit.
    pub fn mean(&self) -> Option<f64> {
        let visits = self.visits();
        (visits > 0).then(|| self.value_sum() as f64 / (f64::from(visits) * VALUE_ONE as f64))
    }

    /// Mean lead of Black, in points; 0 before the first visit.
    pub fn black_lead(&self) -> f64 {
        self.lead_sum.load(Ordering::Relaxed) as f64 / (f64::from(self.visits().max(1)) * LEAD_POINT as f64)
    }

    /// RAVE visits and the sum of their results.
    #[inline]
    pub fn rave(&self) -> (u64, u64) {
        let word = self.rave.load(Ordering::Relaxed);
        (word >> RAVE_SUM_BITS, word & ((1 << RAVE_SUM_BITS) - 1))
    }

    /// Square root of the prior probability, and the prior value.
    #[inline]
    pub fn prior(&self) -> (f32, f32) {
        let word = self.prior.load(Ordering::Relaxed);
        ((word & 0xFFFF) as f32 * (1.0 / 65535.0), (word >> 16) as f32 * (1.0 / 65535.0))
    }

    /// Notes that a thread goes below this node.
    #[inline]
    pub fn enter(&self) {
        self.move_and_pending.fetch_add(1 << 16, Ordering::Relaxed);
    }

    /// Adds one result and Black's lead, and notes that the thread has left.
    #[inline]
    pub fn leave_with(&self, value: u64, black_lead: i64) {
        self.visits.fetch_add(1, Ordering::Relaxed);
        self.value_sum.fetch_add(value, Ordering::Relaxed);
        self.lead_sum.fetch_add(black_lead, Ordering::Relaxed);
        self.move_and_pending.fetch_sub(1 << 16, Ordering::Relaxed);
    }

    /// Counts a simulation that ended at this node.
    #[inline]
    pub fn count_own_visit(&self) {
        self.own_visits.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds one RAVE result.
    #[inline]
    pub fn add_rave(&self, value: u64) {
        if self.rave.load(Ordering::Relaxed) >> RAVE_SUM_BITS < RAVE_MAX_VISITS {
            self.rave.fetch_add((1 << RAVE_SUM_BITS) + value, Ordering::Relaxed);
        }
    }

    /// The children, once they are published.
    #[inline]
    pub fn children(&self) -> Option<Children> {
        let word = self.children.load(Ordering::Acquire);
        (word > CLAIMED).then_some(Children { first: (word >> 32) as u32, count: (word & 0xFFFF_FFFF) as u32 >> 1 })
    }

    /// Claims the right to expand this node; at most one thread ever gets it.
    pub fn claim(&self) -> bool {
        self.children.compare_exchange(UNEXPANDED, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Gives a claim back unused.
    pub fn unclaim(&self) {
        self.children.store(UNEXPANDED, Ordering::Relaxed);
    }

    fn publish(&self, children: Children) {
        let word = u64::from(children.first) << 32 | u64::from(children.count << 1 | 1);
        self.children.store(word, Ordering::Release);
    }
}

/// The arena. See the module's page.
#[derive(Debug)]
pub struct Tree {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    next: AtomicU32,
}

impl Tree {
    /// Memory of one node, in bytes.
    pub const NODE_BYTES: usize = size_of::<Node>();

    /// A tree of at most about `bytes` of memory that holds only a root.
    pub fn new(bytes: usize) -> Tree {
        let chunks = (bytes / (CHUNK_LEN as usize * Tree::NODE_BYTES)).clamp(1, (u32::MAX >> CHUNK_BITS) as usize);
        let tree = Tree { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), next: AtomicU32::new(1) };
        tree.node(Tree::ROOT).reset(Prior { mv: Move::Pass, probability: 0.0, value: 0.5 });
        tree
    }

    /// A full tree is copied to at most this part of its room, a fourth, and both exist for a moment.
    pub const COMPACTION: usize = 4;

    /// The first node of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// Forgets everything; the memory is kept for the next search.
    pub fn clear(&mut self) {
        self.next.store(1, Ordering::Relaxed);
        self.node(Tree::ROOT).reset(Prior { mv: Move::Pass, probability: 0.0, value: 0.5 });
    }

    /// Number of nodes in use, skipped chunk ends included.
    pub fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// Whether there is only the root.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// Number of nodes there is room for.
    pub fn capacity(&self) -> usize {
        self.chunks.len() << CHUNK_BITS
    }

    /// A node of this tree.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.chunk(id.0 >> CHUNK_BITS)[(id.0 & (CHUNK_LEN - 1)) as usize]
    }

    #[inline]
    fn chunk(&self, index: u32) -> &[Node] {
        self.chunks[index as usize].get_or_init(|| (0..CHUNK_LEN).map(|_| Node::default()).collect())
    }

    /// The nodes of a block.
    #[inline]
    pub fn nodes(&self, children: Children) -> &[Node] {
        let start = (children.first & (CHUNK_LEN - 1)) as usize;
        &self.chunk(children.first >> CHUNK_BITS)[start..start + children.count as usize]
    }

    /// The child of `node` by this move.
    pub fn child_by_move(&self, node: NodeId, mv: Move) -> Option<NodeId> {
        let children = self.node(node).children()?;
        (0..children.len()).map(|i| children.get(i)).find(|&id| self.node(id).mv() == mv)
    }

    /// Gives a claimed node its children. Returns false, and gives the claim back, when the arena is full.
    pub fn expand(&self, node: NodeId, priors: &[Prior]) -> bool {
        let count = priors.len() as u32;
        let Some(first) = self.allocate(count) else {
            self.node(node).unclaim();
            return false;
        };
        let children = Children { first, count };
        for (child, &prior) in self.nodes(children).iter().zip(priors) {
            child.reset(prior);
        }
        self.node(node).publish(children);
        true
    }

    /// Room for `count` nodes in a row within one chunk.
    fn allocate(&self, count: u32) -> Option<u32> {
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            let room = CHUNK_LEN - (next & (CHUNK_LEN - 1));
            let first = if count <= room { next } else { next + room };
            if first as usize + count as usize > self.capacity() {
                return None;
            }
            match self.next.compare_exchange_weak(next, first + count, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(first),
                Err(current) => next = current,
            }
        }
    }

    /// A tree of the same capacity holding the part below `root` whose nodes have at least `min_visits` visits, `min_visits` being raised
    /// until at most `max_nodes` are kept. Breadth first, so that what is near the root lies together.
    pub fn compacted(&self, root: NodeId, mut min_visits: u32, max_nodes: usize) -> Tree {
        while self.count_kept(root, min_visits) > max_nodes {
            min_visits = min_visits * 2 + 1;
        }
        let copy = Tree { chunks: (0..self.chunks.len()).map(|_| OnceLock::new()).collect(), next: AtomicU32::new(1) };
        copy.node(Tree::ROOT).copy_counters(self.node(root));
        let mut queue = std::collections::VecDeque::from([(root, Tree::ROOT)]);
        while let Some((from, to)) = queue.pop_front() {
            let Some(children) = self.node(from).children() else { continue };
            if self.node(from).visits() < min_visits && from != root {
                continue;
            }
            let Some(first) = copy.allocate(children.count) else { continue };
            let block = Children { first, count: children.count };
            for i in 0..children.len() {
                copy.node(block.get(i)).copy_counters(self.node(children.get(i)));
                queue.push_back((children.get(i), block.get(i)));
            }
            copy.node(to).publish(block);
        }
        copy
    }

    /// Number of nodes [`Tree::compacted`] would copy.
    fn count_kept(&self, root: NodeId, min_visits: u32) -> usize {
        let mut stack = vec![root];
        let mut count = 1;
        while let Some(id) = stack.pop() {
            if self.node(id).visits() < min_visits && id != root {
                continue;
            }
            if let Some(children) = self.node(id).children() {
                count += children.len();
                stack.extend((0..children.len()).map(|i| children.get(i)).filter(|&c| self.node(c).visits() > 0));
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAD_POINT, Prior, Tree, VALUE_ONE};
    use crate::geometry::{Move, Point};

    fn priors(count: usize) -> Vec<Prior> {
        (1..=count).map(|i| Prior { mv: Move::Play(Point::from_index(i)), probability: 0.25, value: 0.5 }).collect()
    }

    #[test]
    fn a_node_is_expanded_once_and_keeps_its_counters() {
        let tree = Tree::new(4 << 20);
        let root = tree.node(Tree::ROOT);
        assert!(root.claim() && !root.claim());
        assert!(tree.expand(Tree::ROOT, &priors(5)));
        let children = root.children().expect("published");
        assert_eq!(children.len(), 5);
        let child = tree.node(children.get(2));
        child.enter();
        child.leave_with(VALUE_ONE, -3 * LEAD_POINT);
        child.add_rave(VALUE_ONE / 2);
        assert_eq!((child.visits(), child.pending(), child.mean()), (1, 0, Some(1.0)));
        assert!((child.black_lead() + 3.0).abs() < 1e-9);
        assert_eq!(child.rave(), (1, VALUE_ONE / 2));
        assert_eq!(child.mv(), Move::Play(Point::from_index(3)));
        assert!((child.prior().0 - 0.5).abs() < 1e-4 && (child.prior().1 - 0.5).abs() < 1e-4);
    }

    #[test]
    fn a_full_arena_refuses_and_compaction_makes_room() {
        let tree = Tree::new(1);
        let mut node = Tree::ROOT;
        let mut path = vec![node];
        while tree.node(node).claim() && tree.expand(node, &priors(300)) {
            node = tree.node(node).children().expect("published").get(7);
            tree.node(node).enter();
            tree.node(node).leave_with(1, 0);
            path.push(node);
        }
        assert!(tree.len() > 30_000 && path.len() > 100);
        assert!(tree.node(node).children().is_none());
        let copy = tree.compacted(path[50], 1, 5_000);
        // One visit each: none reaches the raised threshold, so only the new root keeps its children.
        assert_eq!(copy.len(), 301);
        let whole = tree.compacted(path[50], 1, 1_000_000);
        assert_eq!(whole.len(), 1 + 300 * (path.len() - 51));
    }
}
