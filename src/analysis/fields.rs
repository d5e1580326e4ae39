//! Fields of a query read one by one, and what is said of one that is wrong.

use serde_json::{Map, Value};

use crate::color::Color;
use crate::geometry::{Geometry, Move};

/// What is wrong with a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The field, where it is about one.
    pub field: Option<String>,
    pub text: String,
    /// Whether the query is not answered.
    pub is_fatal: bool,
}

impl Complaint {
    pub fn general(text: impl Into<String>) -> Complaint {
        Complaint { field: None, text: text.into(), is_fatal: true }
    }

    pub fn error(field: &str, text: impl Into<String>) -> Complaint {
        Complaint { field: Some(field.to_string()), text: text.into(), is_fatal: true }
    }

    pub fn warning(field: &str, text: impl Into<String>) -> Complaint {
        Complaint { field: Some(field.to_string()), text: text.into(), is_fatal: false }
    }
}

/// The fields of a query; each reader gives nothing where there is none.
#[derive(Clone, Copy)]
pub struct Fields<'q>(pub &'q Map<String, Value>);

impl<'q> Fields<'q> {
    pub fn get(self, field: &str) -> Option<&'q Value> {
        self.0.get(field)
    }

    pub fn has(self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    pub fn integer(self, field: &str, min: i64, max: i64) -> Result<Option<i64>, Complaint> {
        let Some(value) = self.0.get(field) else { return Ok(None) };
        let number = value.as_i64().filter(|number| (min..=max).contains(number));
        number.map(Some).ok_or_else(|| Complaint::error(field, format!("must be an integer from {min} to {max}")))
    }

    pub fn number(self, field: &str, min: f64, max: f64) -> Result<Option<f64>, Complaint> {
        let Some(value) = self.0.get(field) else { return Ok(None) };
        let number = value.as_f64().filter(|number| (min..=max).contains(number));
        number.map(Some).ok_or_else(|| Complaint::error(field, format!("must be a number from {min} to {max}")))
    }

    pub fn boolean(self, field: &str) -> Result<bool, Complaint> {
        match self.0.get(field) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(Complaint::error(field, "must be true or false")),
        }
    }
}

/// What a list of moves or stones is.
pub const PAIRS: &str = "an array of pairs of a player, \"B\" or \"W\", and a point such as \"D4\"";

pub fn pairs(field: &str, value: &Value, geometry: Geometry) -> Result<Vec<(Color, Move)>, Complaint> {
    let wrong = || Complaint::error(field, format!("must be {PAIRS}"));
    let pair = |value: &Value| {
        let [color, name] = value.as_array().map(Vec::as_slice).ok_or_else(wrong)? else { return Err(wrong()) };
        let name = name.as_str().ok_or_else(wrong)?;
        Ok((player(field, color)?, vertex(field, name, geometry)?))
    };
    value.as_array().ok_or_else(wrong)?.iter().map(pair).collect()
}

pub fn vertex(field: &str, name: &str, geometry: Geometry) -> Result<Move, Complaint> {
    geometry.parse_move(name).map_err(|_| {
        let name: String = name.chars().take(20).collect();
        Complaint::error(field, format!("could not parse board location: {name}"))
    })
}

pub fn player(field: &str, value: &Value) -> Result<Color, Complaint> {
    match value.as_str().map(str::to_ascii_lowercase).as_deref() {
        Some("b" | "black") => Ok(Color::Black),
        Some("w" | "white") => Ok(Color::White),
        _ => Err(Complaint::error(field, "a player must be \"B\" or \"W\"")),
    }
}
