//! Reading: small tactical questions about a board, each answered on its own page.

mod after;
mod ladder;
mod nakade;
mod pass_alive;
mod self_atari;

pub use after::{AfterPlay, after_play, liberties_after};
pub use ladder::LadderReader;
pub use nakade::{nakade_point, region_vital_point};
pub use pass_alive::{Living, pass_alive};
pub use self_atari::{is_bad_self_atari, safe_alternative};
