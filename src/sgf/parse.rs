//! From bytes to nodes of the main line, and from these to a [`Record`].

use super::{Record, SgfError, SgfErrorKind};
use crate::color::{Color, PerColor};
use crate::geometry::{Geometry, Move};
use crate::score::Komi;

/// A property with its values, escapes resolved.
pub(super) struct Property {
    name: String,
    values: Vec<Vec<u8>>,
    line: usize,
}

pub(super) type Node = Vec<Property>;

/// The nodes of the main line of every game.
///
/// The main line is the path that takes the first branch everywhere; it ends at the first closing parenthesis.
pub(super) fn main_lines(bytes: &[u8]) -> Result<Vec<Vec<Node>>, SgfError> {
    let mut reader = Reader { bytes, at: 0, line: 1 };
    let mut games = Vec::new();
    while reader.find_game() {
        games.push(reader.game()?);
    }
    if games.is_empty() {
        return Err(reader.error(SgfErrorKind::NoGame));
    }
    Ok(games)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl Reader<'_> {
    fn error(&self, kind: SgfErrorKind) -> SgfError {
        SgfError { line: self.line, kind }
    }

    /// The next byte without taking it.
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes one byte; a carriage return counts as a line end only where no line feed follows.
    fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        if byte == b'\n' || (byte == b'\r' && self.peek() != Some(b'\n')) {
            self.line += 1;
        }
        Some(byte)
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0x0B) {
            self.take();
        }
    }

    /// Moves to the next `(` that is followed by `;`, past mail headers and the like.
    fn find_game(&mut self) -> bool {
        while let Some(byte) = self.peek() {
            if byte == b'(' {
                let rest = &self.bytes[self.at + 1..];
                if rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b';') {
                    return true;
                }
            }
            self.take();
        }
        false
    }

    /// Reads one game tree, the reader being at its opening parenthesis.
    fn game(&mut self) -> Result<Vec<Node>, SgfError> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut depth = 0usize;
        let mut on_main_line = true;
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'(') => depth += 1,
                Some(b')') => {
                    on_main_line = false;
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.take();
                        return Ok(nodes);
                    }
                }
                Some(b';') if on_main_line => nodes.push(Node::new()),
                Some(b';') => {}
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    if on_main_line {
                        nodes.last_mut().ok_or_else(|| self.error(SgfErrorKind::UnexpectedByte(byte)))?.push(property);
                    }
                    continue;
                }
                Some(byte) => return Err(self.error(SgfErrorKind::UnexpectedByte(byte))),
                // Closing parentheses missing at the end of a file are a common slip with only one reading.
                None => return Ok(nodes),
            }
            self.take();
        }
    }

    fn property(&mut self) -> Result<Property, SgfError> {
        let line = self.line;
        let start = self.at;
        // Later formats allow digits: LizzieYzy writes LZ2.
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.at += 1;
        }
        let name = short_name(&self.bytes[start..self.at]);
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'[') {
                break;
            }
            self.take();
            values.push(self.value()?);
        }
        if values.is_empty() {
            return Err(self.error(SgfErrorKind::MissingValue(name)));
        }
        Ok(Property { name, values, line })
    }

    /// Reads a value up to its closing bracket, resolving escapes and making every line end a line feed.
    fn value(&mut self) -> Result<Vec<u8>, SgfError> {
        let mut value = Vec::new();
        loop {
            match self.take() {
                None => return Err(self.error(SgfErrorKind::UnterminatedValue)),
                Some(b']') => return Ok(value),
                Some(b'\\') => match self.take() {
                    // An escaped line end joins two lines of text.
                    Some(b'\r') if self.peek() == Some(b'\n') => {
                        self.take();
                    }
                    Some(b'\n' | b'\r') | None => {}
                    Some(byte) => value.push(byte),
                },
                Some(b'\r') => {
                    if self.peek() != Some(b'\n') {
                        value.push(b'\n');
                    }
                }
                Some(byte) => value.push(byte),
            }
        }
    }
}

/// The FF\[4\] name of a property: FF\[3\] allowed lower-case letters between those that count (`SiZe`).
fn short_name(name: &[u8]) -> String {
    let short: String = name.iter().filter(|byte| !byte.is_ascii_lowercase()).map(|&byte| char::from(byte)).collect();
    if short.is_empty() { name.to_ascii_uppercase().into_iter().map(char::from).collect() } else { short }
}

impl Property {
    /// The first value as one line of text.
    fn text(&self) -> String {
        let value = self.values.first().map_or(&[][..], Vec::as_slice);
        let text = match std::str::from_utf8(value) {
            Ok(text) => text.to_string(),
            Err(_) => value.iter().map(|&byte| char::from(byte)).collect(),
        };
        text.replace(['\n', '\t'], " ").trim().to_string()
    }

    fn error(&self, kind: SgfErrorKind) -> SgfError {
        SgfError { line: self.line, kind }
    }
}

/// Gathers what the nodes of a main line say.
pub(super) fn record(nodes: &[Node]) -> Result<Record, SgfError> {
    let root = nodes.first().map_or(&[][..], Vec::as_slice);
    let geometry = match root.iter().find(|property| property.name == "SZ") {
        Some(property) => size(&property.text()).map_err(|kind| property.error(kind))?,
        None => Geometry::new(19).ok_or(SgfError { line: 1, kind: SgfErrorKind::BadSize(String::new()) })?,
    };
    let mut gathering = Gathering {
        record: Record {
            geometry,
            komi: None,
            rules_name: None,
            handicap: 0,
            set_up: Vec::new(),
            first_to_move: Color::Black,
            moves: Vec::new(),
            names: PerColor([None, None]),
            result: None,
        },
        stones: vec![None; geometry.area()],
        to_move: None,
    };
    for property in nodes.iter().flatten() {
        gathering.add(property).map_err(|kind| property.error(kind))?;
    }
    Ok(gathering.finish())
}

struct Gathering {
    record: Record,
    /// Color of the stone set up on each point, row by row from the top: bounded however often a file repeats itself.
    stones: Vec<Option<Color>>,
    to_move: Option<Color>,
}

impl Gathering {
    fn add(&mut self, property: &Property) -> Result<(), SgfErrorKind> {
        let record = &mut self.record;
        match property.name.as_str() {
            "GM" if !matches!(property.text().as_str(), "1" | "") => return Err(SgfErrorKind::NotGo(property.text())),
            "KM" => record.komi = komi(&property.text())?,
            "RU" => record.rules_name = Some(property.text()),
            "HA" => record.handicap = handicap(&property.text())?,
            "PB" => record.names[Color::Black] = Some(property.text()),
            "PW" => record.names[Color::White] = Some(property.text()),
            "RE" => record.result = Some(property.text()),
            "PL" if record.moves.is_empty() => {
                self.to_move = match property.text().bytes().next() {
                    Some(b'B' | b'b' | b'1') => Some(Color::Black),
                    Some(b'W' | b'w' | b'2') => Some(Color::White),
                    _ => self.to_move,
                }
            }
            "AB" => self.set_up(property, Some(Color::Black))?,
            "AW" => self.set_up(property, Some(Color::White))?,
            "AE" => self.set_up(property, None)?,
            "B" => self.moves(property, Color::Black)?,
            "W" => self.moves(property, Color::White)?,
            _ => {}
        }
        Ok(())
    }

    fn moves(&mut self, property: &Property, color: Color) -> Result<(), SgfErrorKind> {
        for value in &property.values {
            let mv = parse_move(self.record.geometry, value.trim_ascii()).ok_or_else(|| bad_point(value))?;
            self.record.moves.push((color, mv));
        }
        Ok(())
    }

    fn set_up(&mut self, property: &Property, stone: Option<Color>) -> Result<(), SgfErrorKind> {
        if !self.record.moves.is_empty() {
            return Err(SgfErrorKind::SetUpAfterMove);
        }
        let size = self.record.geometry.size();
        for value in property.values.iter().map(|value| value.trim_ascii()).filter(|value| !value.is_empty()) {
            let ((left, top), (right, bottom)) = rectangle(value, size).ok_or_else(|| bad_point(value))?;
            for row in top..=bottom {
                for column in left..=right {
                    self.stones[row * size + column] = stone;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Record {
        let Gathering { mut record, stones, to_move } = self;
        let (geometry, size) = (record.geometry, record.geometry.size());
        record.set_up = geometry
            .points()
            .filter_map(|point| {
                let (x, y) = geometry.xy(point);
                stones[(size - 1 - y) * size + x].map(|color| (point, color))
            })
            .collect();
        let by_handicap = if record.handicap > 1 { Color::White } else { Color::Black };
        record.first_to_move = to_move.or_else(|| record.moves.first().map(|&(color, _)| color)).unwrap_or(by_handicap);
        record
    }
}

fn bad_point(value: &[u8]) -> SgfErrorKind {
    SgfErrorKind::BadPoint(String::from_utf8_lossy(value).chars().take(20).collect())
}

/// `9` or `9:9`.
fn size(text: &str) -> Result<Geometry, SgfErrorKind> {
    let bad = || SgfErrorKind::BadSize(text.chars().take(20).collect());
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    let width: usize = width.trim().parse().map_err(|_| bad())?;
    let height: usize = height.trim().parse().map_err(|_| bad())?;
    if width == height { Geometry::new(width).ok_or_else(bad) } else { Err(bad()) }
}

/// A number with decimal point or comma; nothing at all is no komi.
fn komi(text: &str) -> Result<Option<Komi>, SgfErrorKind> {
    if text.is_empty() {
        return Ok(None);
    }
    let points: Option<f64> = text.replace(',', ".").parse().ok();
    match points.and_then(Komi::from_points) {
        Some(komi) => Ok(Some(komi)),
        None => Err(SgfErrorKind::BadNumber("KM", text.chars().take(20).collect())),
    }
}

fn handicap(text: &str) -> Result<usize, SgfErrorKind> {
    match text {
        "" => Ok(0),
        _ => text.parse().map_err(|_| SgfErrorKind::BadNumber("HA", text.chars().take(20).collect())),
    }
}

/// A point, or a pass: nothing, or `tt` where the board is too small to have that point.
fn parse_move(geometry: Geometry, value: &[u8]) -> Option<Move> {
    if value.is_empty() || (value == b"tt" && geometry.size() <= 19) {
        return Some(Move::Pass);
    }
    let (column, row) = parse_point(value, geometry.size())?;
    geometry.point(column, geometry.size() - 1 - row).map(Move::Play)
}

/// Column from the left and row from the top, both from 0.
type Place = (usize, usize);

/// A point as two letters, column first.
fn parse_point(value: &[u8], size: usize) -> Option<Place> {
    let &[column, row] = value else { return None };
    let index = |byte: u8| {
        let index = usize::from(byte.to_ascii_lowercase().checked_sub(b'a')?);
        (index < size).then_some(index)
    };
    Some((index(column)?, index(row)?))
}

/// A point, or two opposite corners of a rectangle of them, as (left, top) and (right, bottom).
fn rectangle(value: &[u8], size: usize) -> Option<(Place, Place)> {
    let mut corners = value.splitn(2, |&byte| byte == b':');
    let (x, y) = parse_point(corners.next()?.trim_ascii(), size)?;
    let (u, v) = match corners.next() {
        Some(corner) => parse_point(corner.trim_ascii(), size)?,
        None => (x, y),
    };
    Some(((x.min(u), y.min(v)), (x.max(u), y.max(v))))
}
