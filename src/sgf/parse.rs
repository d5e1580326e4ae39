//! From the nodes of a main line to a [`Record`].

use super::tree::{GameTree, unescaped};
use super::{Edit, MOST_EDITS, Record, SgfError, SgfErrorKind};
use crate::color::{Color, PerColor};
use crate::geometry::{Geometry, Move, Point};
use crate::score::Komi;

/// A property with its values, escapes resolved.
struct Property {
    name: String,
    values: Vec<Vec<u8>>,
    line: usize,
}

/// The properties that a record is made of.
const MEANT: &[&str] = &["GM", "KM", "RU", "HA", "PB", "PW", "RE", "PL", "AB", "AW", "AE", "B", "W"];

impl Property {
    fn of(written: &super::tree::Property<'_>) -> Property {
        let values = written.values.iter().map(|value| unescaped(value)).collect();
        Property { name: written.short_name().into_owned(), values, line: written.line }
    }

    /// The first value as one line of text.
    fn text(&self) -> String {
        let value = self.values.first().map_or(&[][..], Vec::as_slice);
        String::from_utf8_lossy(value).replace(['\n', '\t'], " ").trim().to_string()
    }

    fn error(&self, kind: SgfErrorKind) -> SgfError {
        SgfError { line: self.line, kind }
    }
}

/// Gathers what the nodes of a main line say.
pub(super) fn record(tree: &GameTree<'_>) -> Result<Record, SgfError> {
    let geometry = match tree.nodes[0].get("SZ").map(Property::of) {
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
            edits: Vec::new(),
            names: PerColor([None, None]),
            result: None,
        },
        edits: Vec::new(),
    };
    for property in tree.main_line().into_iter().flat_map(|node| &tree.nodes[node].properties) {
        // Most of a file can be comments.
        if MEANT.contains(&&*property.short_name()) {
            let property = Property::of(property);
            gathering.add(&property).map_err(|kind| property.error(kind))?;
        }
    }
    Ok(gathering.finish())
}

struct Gathering {
    record: Record,
    /// The changes of the board so far, the one before the first move among them.
    edits: Vec<BoardEdit>,
}

/// A change of the board, for which `AB`, `AW`, `AE` and `PL` between the same moves count together.
struct BoardEdit {
    after: usize,
    /// What is changed on each point, row by row from the top: bounded however often a file repeats itself.
    points: Vec<Option<Option<Color>>>,
    to_move: Option<Color>,
}

impl BoardEdit {
    fn points(&self, geometry: Geometry) -> impl Iterator<Item = (Point, Option<Color>)> {
        let size = geometry.size();
        geometry.points().filter_map(move |point| {
            let (x, y) = geometry.xy(point);
            Some((point, self.points[(size - 1 - y) * size + x]?))
        })
    }
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
            "PL" => {
                let color = match property.text().bytes().next() {
                    Some(b'B' | b'b' | b'1') => Color::Black,
                    Some(b'W' | b'w' | b'2') => Color::White,
                    _ => return Ok(()),
                };
                self.edit()?.to_move = Some(color);
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
        let size = self.record.geometry.size();
        let edit = self.edit()?;
        for value in property.values.iter().map(|value| value.trim_ascii()).filter(|value| !value.is_empty()) {
            let ((left, top), (right, bottom)) = rectangle(value, size).ok_or_else(|| bad_point(value))?;
            for row in top..=bottom {
                for column in left..=right {
                    edit.points[row * size + column] = Some(stone);
                }
            }
        }
        Ok(())
    }

    /// The change of the board that belongs between the last move and the next.
    fn edit(&mut self) -> Result<&mut BoardEdit, SgfErrorKind> {
        let after = self.record.moves.len();
        if self.edits.last().is_none_or(|last| last.after != after) {
            if self.edits.len() > MOST_EDITS {
                return Err(SgfErrorKind::TooManyEdits);
            }
            let points = vec![None; self.record.geometry.area()];
            self.edits.push(BoardEdit { after, points, to_move: None });
        }
        let last = self.edits.len() - 1;
        Ok(&mut self.edits[last])
    }

    fn finish(self) -> Record {
        let Gathering { mut record, edits } = self;
        let geometry = record.geometry;
        let mut to_move = None;
        for edit in edits {
            if edit.after == 0 {
                record.set_up = edit.points(geometry).filter_map(|(point, stone)| Some((point, stone?))).collect();
                to_move = edit.to_move;
            } else {
                let points: Vec<_> = edit.points(geometry).collect();
                // Who is to move alone changes nothing: each move has its color.
                if !points.is_empty() {
                    record.edits.push(Edit { after: edit.after, points, to_move: edit.to_move });
                }
            }
        }
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
