//! What is a move here: a part of the board cut out for exact reading, its positions as bit sets, and the moves of each text.
//!
//! A [`Local`] has up to [`MAX_POINTS`] points, numbered from zero. All around it stand unconditionally alive stones or
//! the edge of the board, so a stone that touches an alive stone of its own color outside (an *anchored* chain) can
//! never be captured.

use super::Text;
use crate::color::{Color, PerColor};
use crate::geometry::Point;

/// Most points of a local position: a bit for each in 64, and one for the side to move.
pub const MAX_POINTS: usize = 63;

/// A set of local points, one bit each.
pub type Set = u64;

/// The bit of [`State::ko`] that says that White is to move.
const WHITE_TO_MOVE: u64 = 1 << MAX_POINTS;

/// The points of a set, lowest first.
pub fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let i = set.trailing_zeros() as usize;
            set &= set - 1;
            i
        })
    })
}

/// How a ko is retaken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ko {
    /// After a pass for it, of those there may be several ([`Text::Japanese`]).
    AfterPass,
    /// A move later ([`Text::Draft`]).
    MoveLater,
    /// At once by this color, as if it had threats without end, and a move later by the other.
    AtOnceBy(Color),
}

impl From<Text> for Ko {
    fn from(text: Text) -> Ko {
        match text {
            Text::Japanese => Ko::AfterPass,
            Text::Draft => Ko::MoveLater,
        }
    }
}

/// A local position: stones, what the ko rule bars, and who is to move. Compared in full, never by a fingerprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct State {
    /// The stones of Black and of White.
    pub stones: [Set; 2],
    /// What the ko rule bars, and in the highest bit who is to move. With [`Ko::AfterPass`] the stones that may not be
    /// retaken until their opponent has passed for them; else the point barred to the side to move.
    ko: u64,
}

impl State {
    /// The position of these stones with nothing barred.
    pub fn new(stones: [Set; 2], to_move: Color) -> State {
        State { stones, ko: if to_move == Color::White { WHITE_TO_MOVE } else { 0 } }
    }

    /// Whose turn it is.
    pub fn to_move(self) -> Color {
        if self.ko & WHITE_TO_MOVE == 0 { Color::Black } else { Color::White }
    }

    /// The points that the ko rule is about.
    pub fn barred(self) -> Set {
        self.ko & !WHITE_TO_MOVE
    }

    /// The points with a stone.
    pub fn occupied(self) -> Set {
        self.stones[0] | self.stones[1]
    }

    fn next(stones: [Set; 2], barred: Set, to_move: Color) -> State {
        let mut state = State::new(stones, to_move);
        state.ko |= barred;
        state
    }
}

/// A move in a local position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A stone on a local point.
    Play(u8),
    /// No stone.
    Pass,
    /// No stone: a pass for the ko in which this stone of the opponent was placed (article 7-2).
    PassForKo(u8),
}

/// A part of the board as a graph of points.
#[derive(Clone, Debug)]
pub struct Local {
    /// The points of the board, by local number.
    pub points: Vec<Point>,
    /// For each point, its neighbours in the part.
    pub near: Vec<Set>,
    /// For each color, the points next to an unconditionally alive stone of it outside.
    pub edge: [Set; 2],
}

impl Local {
    /// Every point.
    pub fn all(&self) -> Set {
        (1 << self.near.len()) - 1
    }

    /// The points next to some point of the set, members of the set included where they touch.
    pub fn around(&self, set: Set) -> Set {
        members(set).fold(0, |sum, i| sum | self.near[i])
    }

    /// The points of `within` that are connected with `seed`, which is taken to be part of it.
    pub fn connected(&self, seed: Set, within: Set) -> Set {
        let mut found = seed;
        let mut fresh = seed;
        while fresh != 0 {
            fresh = self.around(fresh) & within & !found;
            found |= fresh;
        }
        found
    }

    /// Whether a chain of this color is joined to alive stones outside.
    pub fn is_anchored(&self, chain: Set, color: Color) -> bool {
        chain & self.edge[color.index()] != 0
    }

    /// The position after a stone of the side to move on `point`, or `None` where that is not allowed.
    pub fn play(&self, ko: Ko, state: &State, point: usize) -> Option<State> {
        let side = state.to_move();
        let bit = 1 << point;
        if state.occupied() & bit != 0 || (ko != Ko::AfterPass && state.barred() & bit != 0) {
            return None;
        }
        let mut own = state.stones[side.index()] | bit;
        let mut other = state.stones[side.opponent().index()];
        let mut captured = 0;
        let mut near = self.near[point] & other;
        while near != 0 {
            let chain = self.connected(near & near.wrapping_neg(), other);
            near &= !chain;
            let liberties = self.around(chain) & !(own | other);
            if liberties == 0 && !self.is_anchored(chain, side.opponent()) {
                captured |= chain;
            }
        }
        other &= !captured;
        let chain = self.connected(bit, own);
        let liberties = self.around(chain) & !(own | other);
        let anchored = self.is_anchored(chain, side);
        if liberties == 0 && !anchored {
            return None;
        }
        let takes_ko = captured.count_ones() == 1 && chain == bit && liberties == captured && !anchored;
        own &= self.all();
        let stones = if side == Color::Black { [own, other] } else { [other, own] };
        let barred = match ko {
            Ko::AfterPass if takes_ko && state.barred() & captured != 0 => return None,
            // A stone that is no longer alone cannot be taken in a ko.
            Ko::AfterPass => {
                let left = state.barred() & !captured;
                if takes_ko { left | bit } else { left & !if chain == bit { 0 } else { chain } }
            }
            Ko::AtOnceBy(color) if color != side => 0,
            _ if takes_ko => captured,
            _ => 0,
        };
        Some(State::next(stones, barred, side.opponent()))
    }

    /// Every move from a position, except on the points of `settled`. Passes come first, then captures, then other moves.
    ///
    /// A pass for a ko lifts a bar that only binds the side that passes, so where one exists the plain pass is left out.
    pub fn steps(&self, ko: Ko, state: &State, settled: Set, found: &mut Vec<(Step, State)>) {
        found.clear();
        let side = state.to_move();
        let opponent = side.opponent();
        if ko == Ko::AfterPass {
            for stone in members(state.barred() & state.stones[opponent.index()]) {
                let barred = state.barred() & !(1 << stone);
                found.push((Step::PassForKo(stone as u8), State::next(state.stones, barred, opponent)));
            }
        }
        if found.is_empty() {
            let barred = if ko == Ko::AfterPass { state.barred() } else { 0 };
            found.push((Step::Pass, State::next(state.stones, barred, opponent)));
        }
        let passes = found.len();
        let mut captures = passes;
        for point in members(self.all() & !state.occupied() & !settled) {
            if let Some(next) = self.play(ko, state, point) {
                found.push((Step::Play(point as u8), next));
                if next.stones[opponent.index()] != state.stones[opponent.index()] {
                    let last = found.len() - 1;
                    found[captures..=last].rotate_right(1);
                    captures += 1;
                }
            }
        }
    }

    /// What the stones of `color` hold against any number of moves in a row of the opponent (Benson 1976, with the
    /// alive stones outside taken as given).
    pub fn unconditional(&self, state: &State, color: Color) -> Unconditional {
        let own = state.stones[color.index()];
        let edge = self.edge[color.index()];
        let foreign = self.edge[color.opponent().index()];
        let anchored = self.connected(own & edge, own);
        let mut regions = Vec::new();
        let mut rest = self.all() & !own;
        while rest != 0 {
            let region = self.connected(rest & rest.wrapping_neg(), rest);
            rest &= !region;
            // A region that reaches alive stones of the opponent holds their eyes as well.
            if region & foreign == 0 {
                regions.push((region, self.around(region) & own));
            }
        }
        if regions.is_empty() {
            return Unconditional { alive: anchored, settled: 0 };
        }
        let empty = self.all() & !state.occupied();
        let mut chains = Vec::new();
        let mut rest = own & !anchored;
        while rest != 0 {
            let chain = self.connected(rest & rest.wrapping_neg(), own);
            rest &= !chain;
            chains.push((chain, self.around(chain) & empty));
        }
        loop {
            let before = (chains.len(), regions.len());
            chains.retain(|&(chain, liberties)| {
                let vital = |&&(region, _): &&(Set, Set)| {
                    self.near_any(region, chain) && region & empty & !liberties == 0 && region & empty != 0
                };
                regions.iter().filter(vital).take(2).count() == 2
            });
            let alive = chains.iter().fold(anchored, |sum, (chain, _)| sum | chain);
            regions.retain(|&(_, border)| border & !alive == 0);
            if before == (chains.len(), regions.len()) {
                let mut settled = 0;
                let reach = self.around(alive) | edge;
                for &(region, border) in &regions {
                    let enclosed = border != 0 || region & edge != 0;
                    // Two eyes need two points that the enclosing stones do not touch.
                    if enclosed && (region & !reach).count_ones() <= 1 {
                        settled |= region;
                    }
                }
                return Unconditional { alive, settled };
            }
        }
    }

    /// What either side holds.
    pub fn holdings(&self, state: &State) -> Holdings {
        Holdings(PerColor(Color::BOTH.map(|color| self.unconditional(state, color))))
    }

    fn near_any(&self, region: Set, chain: Set) -> bool {
        self.around(region) & chain != 0
    }
}

/// What a color holds whatever the opponent does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unconditional {
    /// Stones that cannot be captured.
    pub alive: Set,
    /// Points around which these stones stand and on which the opponent cannot live; dead stones on them included.
    pub settled: Set,
}

/// What the two colors hold in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holdings(pub PerColor<Unconditional>);

impl Holdings {
    /// The stones of `color` that cannot be captured.
    pub fn alive(&self, color: Color) -> Set {
        self.0[color].alive
    }

    /// The points that `color` has settled.
    pub fn settled(&self, color: Color) -> Set {
        self.0[color].settled
    }

    /// Everything that `color` holds.
    pub fn all(&self, color: Color) -> Set {
        self.0[color].all()
    }

    /// The points that one side or the other has settled.
    pub fn settled_by_either(&self) -> Set {
        self.settled(Color::Black) | self.settled(Color::White)
    }

    /// A guess at how hard it is for `color` to hold everything: it doubles with each point out of reach of what it holds.
    pub fn distance(&self, local: &Local, color: Color) -> u32 {
        let reach = self.all(color) | local.around(self.alive(color)) | local.edge[color.index()];
        1 << (local.all() & !reach).count_ones().min(20)
    }
}

impl Unconditional {
    /// Stones and settled points together.
    pub fn all(&self) -> Set {
        self.alive | self.settled
    }
}
