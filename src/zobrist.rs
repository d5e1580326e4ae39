//! Fingerprints of positions: one random key per color and point.

use crate::color::Color;
use crate::geometry::{MAP_LEN, Point};

/// Fingerprint of the stones on a board (Zobrist, "A new hashing method", 1970).
///
/// Neither the side to move nor the ko point enter: this is the equality that positional superko asks for.
pub type Hash = u64;

static KEYS: [[Hash; MAP_LEN]; 2] = keys();

/// The key of a stone.
#[inline]
pub fn key(point: Point, color: Color) -> Hash {
    KEYS[color.index()][point.index()]
}

/// Fills the table with the splitmix64 sequence (Steele, Lea and Flood, 2014).
const fn keys() -> [[Hash; MAP_LEN]; 2] {
    let mut table = [[0; MAP_LEN]; 2];
    let mut state: u64 = 0x4B65_696D_6121;
    let mut i = 0;
    while i < 2 * MAP_LEN {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        table[i / MAP_LEN][i % MAP_LEN] = z ^ (z >> 31);
        i += 1;
    }
    table
}
