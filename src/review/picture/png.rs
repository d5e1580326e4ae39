//! Shapes as dots: PNG.

use std::fmt;

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use tiny_skia::{FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Rect, Stroke, Transform};

use super::{Anchor, Ink, Picture, Shape};

/// Dots for each unit of a picture.
const SCALE: f32 = 2.0;
/// Height of the letters in dots: 12 units, as in the SVG.
const LETTERS: RasterHeight = RasterHeight::Size24;

/// A picture could not be made.
#[derive(Debug)]
pub struct PngError(String);

impl fmt::Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot draw the picture: {}", self.0)
    }
}

impl std::error::Error for PngError {}

impl Picture {
    /// The picture as a PNG file. Letters that are not ASCII are drawn as question marks.
    ///
    /// # Errors
    /// When the picture is too large for memory.
    pub fn png(&self) -> Result<Vec<u8>, PngError> {
        let (width, height) = ((self.width * SCALE) as u32, (self.height * SCALE) as u32);
        let mut dots = Pixmap::new(width, height).ok_or_else(|| PngError(format!("{width} by {height} dots")))?;
        dots.fill(tiny_skia::Color::WHITE);
        for shape in &self.shapes {
            draw(&mut dots, shape);
        }
        dots.encode_png().map_err(|error| PngError(error.to_string()))
    }
}

fn draw(dots: &mut Pixmap, shape: &Shape) {
    match shape {
        Shape::Rectangle { at, size, fill } => {
            if let Some(rect) = Rect::from_xywh(at.0, at.1, size.0, size.1) {
                paint_in(dots, &PathBuilder::from_rect(rect), *fill);
            }
        }
        Shape::Line { points, ink, width } => {
            if let Some(path) = path(points, false) {
                paint_along(dots, &path, *ink, *width);
            }
        }
        Shape::Area { points, fill } => {
            if let Some(path) = path(points, true) {
                paint_in(dots, &path, *fill);
            }
        }
        Shape::Circle { at, radius, fill, line } => {
            let Some(path) = PathBuilder::from_circle(at.0, at.1, *radius) else { return };
            if let Some(fill) = fill {
                paint_in(dots, &path, *fill);
            }
            if let Some((ink, width)) = line {
                paint_along(dots, &path, *ink, *width);
            }
        }
        Shape::Text { at, text, anchor, ink } => write(dots, *at, text, *anchor, *ink),
    }
}

fn path(points: &[(f32, f32)], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let (&(x, y), rest) = points.split_first()?;
    builder.move_to(x, y);
    for &(x, y) in rest {
        builder.line_to(x, y);
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn paint(ink: Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(ink[0], ink[1], ink[2], 255);
    paint
}

fn paint_in(dots: &mut Pixmap, path: &Path, ink: Ink) {
    dots.fill_path(path, &paint(ink), FillRule::Winding, Transform::from_scale(SCALE, SCALE), None);
}

fn paint_along(dots: &mut Pixmap, path: &Path, ink: Ink, width: f32) {
    let stroke = Stroke { width, line_join: LineJoin::Round, ..Stroke::default() };
    dots.stroke_path(path, &paint(ink), &stroke, Transform::from_scale(SCALE, SCALE), None);
}

fn write(dots: &mut Pixmap, at: (f32, f32), text: &str, anchor: Anchor, ink: Ink) {
    let advance = get_raster_width(FontWeight::Regular, LETTERS);
    let length = (advance * text.chars().count()) as f32;
    let back = match anchor {
        Anchor::Middle => length / 2.0,
        Anchor::End => length,
    };
    let left = (at.0 * SCALE - back) as i64;
    let top = (at.1 * SCALE - LETTERS.val() as f32 / 2.0) as i64;
    let letters = text.chars().map(|c| if c == '\u{2212}' { '-' } else { c });
    for (i, c) in letters.enumerate() {
        let raster =
            get_raster(c, FontWeight::Regular, LETTERS).or_else(|| get_raster('?', FontWeight::Regular, LETTERS));
        let Some(raster) = raster else { continue };
        for (row, line) in raster.raster().iter().enumerate() {
            for (column, &strength) in line.iter().enumerate() {
                blend(dots, left + (i * advance + column) as i64, top + row as i64, ink, strength);
            }
        }
    }
}

/// Mixes an ink into a dot.
fn blend(dots: &mut Pixmap, x: i64, y: i64, ink: Ink, strength: u8) {
    let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
    let (width, height) = (dots.width() as usize, dots.height() as usize);
    if strength == 0 || x >= width || y >= height {
        return;
    }
    let dot = &mut dots.pixels_mut()[y * width + x];
    let mix = |old: u8, new: u8| {
        let strength = u32::from(strength);
        ((u32::from(old) * (255 - strength) + u32::from(new) * strength) / 255) as u8
    };
    // Pictures have no transparent dots: premultiplied or not is the same.
    let mixed = (mix(dot.red(), ink[0]), mix(dot.green(), ink[1]), mix(dot.blue(), ink[2]));
    if let Some(mixed) = PremultipliedColorU8::from_rgba(mixed.0, mixed.1, mixed.2, 255) {
        *dot = mixed;
    }
}
