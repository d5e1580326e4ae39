//! Who may move: tokens that cannot be guessed, of which only digests are kept.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use super::call::CallError;
use crate::color::Color;

/// The symbols of identifiers and tokens, five bits each: digits and letters without those that look like others (Crockford's base 32).
const SYMBOLS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Symbols of a game's identifier: 75 bits, enough that nobody finds a game by trying.
pub const ID_LENGTH: usize = 15;
/// Symbols of a token: 130 bits.
const TOKEN_LENGTH: usize = 26;
/// Tokens that one seat may have: answers that were lost leave some behind.
pub const TOKENS_PER_SEAT: usize = 8;

/// Whoever shows it has the seat. It is never stored, and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Token {
    /// A new token from the system's generator.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn draw() -> Result<Token, CallError> {
        random_symbols(TOKEN_LENGTH).map(Token)
    }

    /// The text for the person who is to have it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Symbols from the system's generator.
fn random_symbols(count: usize) -> Result<String, CallError> {
    let mut bytes = vec![0; count];
    getrandom::fill(&mut bytes).map_err(|error| {
        log::error!("no random numbers: {error}");
        CallError::NoRandomNumbers
    })?;
    // 256 is a multiple of 32: every symbol is equally likely.
    Ok(bytes.into_iter().map(|byte| char::from(SYMBOLS[usize::from(byte) % 32])).collect())
}

/// A new identifier of a game, which is also the link for spectators.
///
/// # Errors
/// When the system gives no random numbers.
pub fn draw_id() -> Result<String, CallError> {
    random_symbols(ID_LENGTH)
}

/// A seed for the chance of one game.
///
/// # Errors
/// When the system gives no random numbers.
pub fn draw_seed() -> Result<u64, CallError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| CallError::NoRandomNumbers)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Whether this may be the identifier of a game: what else names a file never reaches the disk.
pub fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|byte| SYMBOLS.contains(&byte))
}

/// The digest (SHA-256) of a token, an invitation or a key.
#[derive(Clone, Copy, Debug)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of what somebody shows.
    pub fn of(text: &str) -> Digest {
        Digest(Sha256::digest(text.as_bytes()).into())
    }
}

impl PartialEq for Digest {
    /// In a time that does not depend on how much agrees.
    fn eq(&self, other: &Digest) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
    }
}

impl Eq for Digest {}

impl Hash for Digest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bad = || serde::de::Error::custom("a digest is 64 hexadecimal digits");
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(bad());
        }
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| bad())?;
        }
        Ok(Digest(bytes))
    }
}

/// The part that a person has in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// One color.
    One(Color),
    /// Both colors: two people at one device.
    Both,
}

impl Seat {
    /// Whether the stones of `color` are this seat's.
    pub fn has(self, color: Color) -> bool {
        match self {
            Seat::One(own) => own == color,
            Seat::Both => true,
        }
    }

    /// The place of this seat in a pair.
    pub fn index(self) -> usize {
        match self {
            Seat::One(color) => color.index(),
            Seat::Both => 0,
        }
    }

    /// The word of the interface.
    pub fn name(self) -> &'static str {
        match self {
            Seat::One(color) => color_name(color),
            Seat::Both => "both",
        }
    }
}

/// `black` or `white`.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, Token, draw_id, is_id};

    #[test]
    fn tokens_and_identifiers_differ_and_do_not_show_themselves() {
        let (a, b) = (Token::draw().expect("random"), Token::draw().expect("random"));
        assert!(a != b && a.reveal().len() == 26);
        assert!(!format!("{a:?}").contains(a.reveal()));
        assert!(is_id(&draw_id().expect("random")));
        for bad in ["", "../../etc/passwd", "0123456789ABCDE", "0123456789abcdefgh", "0123456789abcd/"] {
            assert!(!is_id(bad), "{bad}");
        }
    }

    #[test]
    fn digests_survive_being_written_and_read() {
        let digest = Digest::of("a token");
        let text = serde_json::to_string(&digest).expect("text");
        assert_eq!(serde_json::from_str::<Digest>(&text).expect("a digest"), digest);
        assert!(digest != Digest::of("another"));
        for bad in ["\"\"", "\"zz\"", "1", "\"éééééééééééééééééééééééééééééééé\""] {
            assert!(serde_json::from_str::<Digest>(bad).is_err(), "{bad}");
        }
    }
}
