//! Why a request is refused, as the codes that the page puts into words.

use serde_json::{Value, json};

/// Why a point or a move is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// There is a stone.
    Occupied,
    /// The stone would stand without liberty.
    Suicide,
    /// Retakes a ko at once.
    Ko,
    /// Repeats an earlier position.
    Superko,
    /// The other player is to move.
    NotYourTurn,
    /// The game is over.
    Over,
    /// The board is being counted.
    Counting,
    /// The friend has not come yet.
    NotOpen,
}

impl Closed {
    /// The code.
    pub const fn code(self) -> &'static str {
        match self {
            Closed::Occupied => "occupied",
            Closed::Suicide => "suicide",
            Closed::Ko => "ko",
            Closed::Superko => "superko",
            Closed::NotYourTurn => "not-your-turn",
            Closed::Over => "over",
            Closed::Counting => "counting",
            Closed::NotOpen => "not-open",
        }
    }
}

impl From<crate::game::IllegalMove> for Closed {
    fn from(reason: crate::game::IllegalMove) -> Closed {
        use crate::game::IllegalMove;
        match reason {
            IllegalMove::Occupied => Closed::Occupied,
            IllegalMove::Suicide => Closed::Suicide,
            IllegalMove::Ko => Closed::Ko,
            IllegalMove::Superko => Closed::Superko,
        }
    }
}

/// Why a request is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallError {
    /// A field is missing, unknown or of the wrong kind; its name or what else is wrong.
    BadRequest(String),
    /// A value is not one of those allowed: the code says which.
    BadValue(&'static str),
    /// The record cannot be played on: line, and why in English.
    BadSgf(usize, String),
    /// The token is no seat of this game.
    BadToken,
    /// Only players may do this.
    Spectator,
    /// Not allowed: the code says what.
    Forbidden(&'static str),
    /// Nothing there: the code says what.
    NotFound(&'static str),
    /// Another method is needed.
    BadMethod,
    /// The body is too large.
    TooLarge,
    /// The body is not said to be JSON.
    NotJson,
    /// The body did not come in time.
    Slow,
    /// The game has gone on since.
    Stale,
    /// The move is not allowed; the point, if it is about one.
    Illegal(Closed, Option<String>),
    /// The game is not in a state for this: the code says what.
    NotNow(&'static str),
    /// It may be claimed in so many seconds.
    TooEarly(u64),
    /// The engine holds these stones for dead, and no others.
    NotAgreed(Vec<String>),
    /// Somebody sits there already; the game, to watch.
    SeatTaken(String),
    /// Too many requests: again in so many seconds.
    TooFast(u64),
    /// Too much to do or to keep: the code says what.
    Unavailable(&'static str),
    /// The disk did not take it: nothing has changed.
    NotStored,
    /// The system gives no random numbers.
    NoRandomNumbers,
}

/// How long to wait before asking a busy server again, in seconds.
const BUSY_WAIT: u64 = 5;

impl CallError {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            CallError::BadRequest(_) | CallError::BadValue(_) | CallError::BadSgf(..) => 400,
            CallError::BadToken => 401,
            CallError::Spectator | CallError::Forbidden(_) => 403,
            CallError::NotFound(_) => 404,
            CallError::BadMethod => 405,
            CallError::Slow => 408,
            CallError::TooLarge => 413,
            CallError::NotJson => 415,
            CallError::Stale
            | CallError::Illegal(..)
            | CallError::NotNow(_)
            | CallError::TooEarly(_)
            | CallError::NotAgreed(_)
            | CallError::SeatTaken(_) => 409,
            CallError::TooFast(_) => 429,
            CallError::NoRandomNumbers => 500,
            CallError::Unavailable(_) => 503,
            CallError::NotStored => 507,
        }
    }

    /// Seconds to wait, for the header `Retry-After`.
    pub fn wait(&self) -> Option<u64> {
        match self {
            CallError::TooFast(wait) => Some(*wait),
            CallError::Unavailable(_) => Some(BUSY_WAIT),
            _ => None,
        }
    }

    /// Whether the present state goes with it.
    pub fn needs_state(&self) -> bool {
        matches!(
            self,
            CallError::Stale
                | CallError::Illegal(..)
                | CallError::NotNow(_)
                | CallError::TooEarly(_)
                | CallError::NotAgreed(_)
        )
    }

    /// The body of the answer.
    pub fn body(&self) -> Value {
        let mut body = match self {
            CallError::BadRequest(field) => json!({"error": "bad-request", "field": field}),
            CallError::BadValue(code)
            | CallError::Forbidden(code)
            | CallError::NotFound(code)
            | CallError::NotNow(code)
            | CallError::Unavailable(code) => json!({"error": code}),
            CallError::BadSgf(line, message) => json!({"error": "bad-sgf", "line": line, "message": message}),
            CallError::BadToken => json!({"error": "bad-token"}),
            CallError::Spectator => json!({"error": "spectator"}),
            CallError::BadMethod => json!({"error": "bad-method"}),
            CallError::TooLarge => json!({"error": "too-large"}),
            CallError::NotJson => json!({"error": "not-json"}),
            CallError::Slow => json!({"error": "slow"}),
            CallError::Stale => json!({"error": "stale"}),
            CallError::Illegal(reason, point) => {
                json!({"error": "illegal", "reason": reason.code(), "point": point})
            }
            CallError::TooEarly(wait) => json!({"error": "too-early", "wait_s": wait}),
            CallError::NotAgreed(dead) => json!({"error": "not-agreed", "dead": dead}),
            CallError::SeatTaken(id) => json!({"error": "seat-taken", "id": id}),
            CallError::TooFast(_) => json!({"error": "too-fast"}),
            CallError::NotStored => json!({"error": "not-stored"}),
            CallError::NoRandomNumbers => json!({"error": "internal"}),
        };
        if let (Some(wait), Some(fields)) = (self.wait(), body.as_object_mut()) {
            fields.insert("wait_s".to_string(), json!(wait));
        }
        body
    }
}
