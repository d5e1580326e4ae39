//! Keima, a Go engine: the game, a Monte Carlo tree search that plays it, and front ends that speak to people's programs.
//!
//! This page is the map. What a user needs (starting it, options, commands, strength) is in `README.md`.
//!
//! # Modules
//!
//! In the order of dependency: a module may use those above it in its own layer and everything in the layers above, and
//! nothing below. `scripts/check-layers.sh` states and enforces the order.
//!
//! | layer | module | what it answers |
//! |---|---|---|
//! | vocabulary | [`color`] | Who: Black, White, and a pair of values indexed by them |
//! | | [`geometry`] | Where: points, moves, the padded grid, names such as D4, handicap points |
//! | | [`score`] | How much: komi and results in half points, so that they are exact |
//! | | [`rng`] | Chance: a seeded generator with the same numbers everywhere |
//! | the game | [`zobrist`] | Fingerprints of positions |
//! | | [`board`] | Stones, chains, true liberties, simple ko; fast, and ignorant of every other rule |
//! | | [`rules`] | The rule sets, as values |
//! | | [`game`] | Board, history, superko or cycles, prisoners, undo; the only place that calls a move illegal |
//! | | [`scoring`] | Whose points they are with given stones taken off, by area or by territory, and what is in seki |
//! | reading | [`tactics`] | Small questions with exact answers: ladder, nakade, self-atari, unconditional life, what a move leaves behind |
//! | | [`life`] | Life and death under Japanese rules, confirmed exactly and with proof |
//! | simulation | [`playout`] | A game played to its end by a fast policy, and what it leaves behind |
//! | first impressions | [`features`] | What a move looks like: captures, ladders, distances, patterns of several sizes |
//! | | [`move_model`] | How likely a strong player is to choose each move, by weights learnt from games |
//! | | [`net`] | A small convolutional network: policy, winner, lead and owners at a glance |
//! | search | `tree` | Nodes with atomic counters in an arena that threads share without locks |
//! | | `search` | The search: `simulate` (one simulation, the textbook page), `select` (which child), `prior` (what is known before trying), `params` (the numbers), `decide` (move, pass or resign) |
//! | | [`time`] | How long: the clocks of a game and the budget of a move |
//! | | [`status`] | Who lives: the fate of every chain when the game is over |
//! | the player | [`level`] | How strong: the playing levels |
//! | | [`engine`] | Game, level, clock and search behind one interface; all that front ends call |
//! | the outside | [`lines`] | Lines and files from outside, however long |
//! | | [`sgf`] | Game records, in and out |
//! | | [`review`] | A game judged move by move, and how that is shown; pictures of boards |
//! | | [`gtp`] | The Go Text Protocol: text to types and back, no Go |
//! | | [`terminal`] | A game against a person in the terminal |
//! | | [`analysis`] | KataGo's JSON protocol: positions in, opinions out |
//! | | [`collection`] | Many games reviewed: inputs, shards, what is done already, outputs |
//! | | [`referee`] | Two engines play each other, and what the result means |
//! | | [`learn`] | How the weights of the move model are fitted to game records |
//! | | [`teacher`] | Positions with the labels of a stronger player |
//! | | [`adjudicate`] | Who won the games of records, and why |
//! | | [`judge`] | How near playouts, searches and networks come to those labels |
//! | | [`selfplay`] | Games that Keima plays with itself to learn from |
//! | | [`shards`] | Those positions as the network sees them, for the training scripts |
//! | | [`serve`] | A board in the browser: games of people with Keima or with one another |
//! | | `bench` | Fixed searches of fixed positions: a signature of how Keima plays, and its speed |
//! | | [`cli`] | The command line: arguments to settings |
//!
//! What the layers may not do: `tactics` and `playout` take a board, never a game. The search prints nothing
//! and knows no GTP; it stops at a deadline or a flag that it is handed. Only the outside reads standard input or writes
//! standard output.
//!
//! # Where to begin reading
//!
//! - **A Go player**: [`playout::candidates`] is what Keima knows of good shape and necessity, one function an idea, in
//!   the order of urgency. Then [`tactics`] (reading), [`playout::local`] (the attraction of each 3x3 surroundings), `search/prior.rs` (the
//!   same ideas as first impressions in the tree), [`rules`] and [`scoring`].
//! - **A programmer**: [`board`], with `board/reference.rs` beside it, which does the same slowly and is the measure of
//!   it; then [`game`], [`engine`] and, at the other end, the command table in `gtp/commands.rs`. Every test is named as
//!   the sentence that it checks.
//! - **A search person**: `search/simulate.rs` is one page from descent to update. Then `tree.rs` (storage, publication,
//!   what may race), `search/select.rs`, `search/prior.rs`, `search/params.rs` (every number with its origin),
//!   `search/decide.rs`, and `playout/policy.rs`.
//!
//! # Glossary
//!
//! One word per thing, in the source as here.
//!
//! | word | meaning |
//! |---|---|
//! | **point** | A place on the board, empty or not |
//! | **vertex** | GTP's text for a point or a pass |
//! | **move** | A stone on a point, or a pass; a decision may also be to resign |
//! | **chain** | Stones of one color connected along lines: they live and die together |
//! | **liberty** | An empty point next to a chain, counted once however many stones touch it |
//! | **atari** | One liberty left: the next move may capture |
//! | **self-atari** | A move that leaves one's own chain in atari |
//! | **ladder** | A chase in which every move is an atari and every answer an extension |
//! | **eye** | An empty point that the opponent cannot take; *eye-like* where only its shape has been looked at |
//! | **nakade** | The point in the middle of a small eye space, which makes it one eye or two |
//! | **seki** | Chains that live without two eyes because whoever attacks first loses |
//! | **dame** | A point that is nobody's at the end |
//! | **simple ko** | The point on which an immediate recapture would repeat the position |
//! | **superko** | No earlier position of the whole board may come back: *positional* whoever is to move |
//! | **komi** | What White receives for moving second |
//! | **handicap** | Stones that Black has on the board before the first move |
//! | **dead** | On the board at the end, but taken off before counting |
//! | **area** | A player's stones and the empty points that only they reach: what is counted |
//! | **territory** | The empty points that only a player's living stones reach, eyes in seki excepted; the points under dead stones too |
//! | **prisoner** | A stone that was captured, or that is dead and comes off inside territory |
//! | **ownership** | For each point, whose it is at the end, or how often in playouts |
//! | **playout** | A game continued to its end by the playout policy |
//! | **simulation** | One cycle of the search: descend the tree, expand it, play out, update |
//! | **visits, wins** | How often simulations went through a node, and with what result |
//! | **RAVE** | Statistics of a move from all simulations in which it was made later as well ("all moves as first", AMAF) |
//! | **prior** | Visits and wins that a node is given when it is made, by what is known of its move |
//! | **level** | A strength that the user chooses |
//!
//! # Contract: threads
//!
//! - [`Board`] is plain data without references: a thread copies it and owns the copy. So it is with the playout policy,
//!   the generator and the memory of first plays; they are never shared.
//! - What search threads share is the tree, whose fields are atomic, and a flag that says stop. There is no lock in a
//!   simulation; the tree's own page says what may race, and why that does no harm. The only `unsafe` calls, in `net/kernel.rs`, pick
//!   code for the instructions that the processor has.
//! - [`engine::Engine`] belongs to one thread. Another may end its thinking through [`engine::StopFlag`], and nothing else.
//! - [`gtp`] reads its input in a thread of its own, so as to notice an interruption; commands are carried out in order.
//! - [`referee`] has a thread per concurrent game and one per engine process; they share no state but a counter and a flag.
//!
//! # Contract: determinism
//!
//! - The same seed, one thread, a fixed number of playouts and the same commands give the same moves, in every build of
//!   the same source on the same system. The signature in `benches/signature.txt` holds us to it.
//! - That is why the generator is named ([`rng`]), bounded numbers are drawn by our own code, no iteration order of a hash
//!   table reaches a move, and scores are integers. What may differ between systems is the last bit of the
//!   logarithm in `search/select.rs` and of the exponentials in [`move_model`]; all else is basic arithmetic, which is exact everywhere.
//! - A network's sums are rounded differently by processors with fused multiplication and those without, so that from 9x9 on the
//!   promise holds on one kind of processor. The signature leaves the network out; a test compares its answers with those of its training.
//! - With several threads or a clock, nothing is promised: the order of updates and the number of playouts vary.
//! - Without a seed each session draws one.

pub mod adjudicate;
pub mod analysis;
pub mod bench;
pub mod board;
pub mod cli;
pub mod collection;
pub mod color;
pub mod engine;
pub mod features;
pub mod game;
pub mod geometry;
pub mod gtp;
pub mod judge;
pub mod learn;
pub mod level;
pub mod life;
pub mod lines;
pub mod move_model;
pub mod net;
pub mod playout;
pub mod referee;
pub mod review;
pub mod rng;
pub mod rules;
pub mod score;
pub mod scoring;
pub mod search;
pub mod selfplay;
#[cfg(feature = "serve")]
pub mod serve;
pub mod sgf;
pub mod shards;
pub mod status;
pub mod tactics;
pub mod teacher;
pub mod terminal;
pub mod time;
pub mod tree;
pub mod zobrist;

pub use board::Board;
