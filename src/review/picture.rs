//! Pictures: the curve of a game, the board before a mistake and at the end, as shapes that become SVG or PNG.

mod board;
mod curve;
mod png;

pub use board::{board, outcome_of};
pub use curve::curve;
pub use png::PngError;

use maud::{Markup, PreEscaped, html};

/// A color: red, green, blue.
type Ink = [u8; 3];

const BLACK: Ink = [0x20, 0x20, 0x20];
const WHITE: Ink = [0xFF, 0xFF, 0xFF];
const GRAY: Ink = [0xB0, 0xB0, 0xB0];
const RED: Ink = [0xD0, 0x30, 0x20];
const GREEN: Ink = [0x10, 0x90, 0x40];
const BLUE: Ink = [0x20, 0x60, 0xC0];
const WOOD: Ink = [0xE8, 0xC0, 0x78];

/// Where a text stands relative to its place.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Anchor {
    Middle,
    End,
}

/// Something to draw; places are counted from the top left.
#[derive(Clone, PartialEq, Debug)]
enum Shape {
    Rectangle {
        at: (f32, f32),
        size: (f32, f32),
        fill: Ink,
    },
    Line {
        points: Vec<(f32, f32)>,
        ink: Ink,
        width: f32,
    },
    Area {
        points: Vec<(f32, f32)>,
        fill: Ink,
    },
    Circle {
        at: (f32, f32),
        radius: f32,
        fill: Option<Ink>,
        line: Option<(Ink, f32)>,
    },
    /// The place is the middle of the text's height.
    Text {
        at: (f32, f32),
        text: String,
        anchor: Anchor,
        ink: Ink,
    },
}

/// A picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    width: f32,
    height: f32,
    /// What a reader is told who cannot see it.
    title: String,
    shapes: Vec<Shape>,
}

fn css(ink: Ink) -> String {
    format!("#{:02x}{:02x}{:02x}", ink[0], ink[1], ink[2])
}

fn path(points: &[(f32, f32)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

impl Shape {
    fn svg(&self) -> Markup {
        match self {
            Shape::Rectangle { at, size, fill } => {
                html! { rect x=(at.0) y=(at.1) width=(size.0) height=(size.1) fill=(css(*fill)) {} }
            }
            Shape::Line { points, ink, width } => {
                html! { polyline points=(path(points)) fill="none" stroke=(css(*ink)) stroke-width=(width) stroke-linejoin="round" {} }
            }
            Shape::Area { points, fill } => html! { polygon points=(path(points)) fill=(css(*fill)) {} },
            Shape::Circle { at, radius, fill, line } => {
                let fill = fill.map_or("none".to_string(), css);
                let (ink, width) = line.map_or(("none".to_string(), 0.0), |(ink, width)| (css(ink), width));
                html! { circle cx=(at.0) cy=(at.1) r=(radius) fill=(fill) stroke=(ink) stroke-width=(width) {} }
            }
            Shape::Text { at, text, anchor, ink } => {
                let anchor = match anchor {
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                html! { text x=(at.0) y=(at.1) text-anchor=(anchor) dominant-baseline="central" fill=(css(*ink)) { (text) } }
            }
        }
    }
}

impl Picture {
    /// The picture as an element of a page.
    pub fn svg(&self) -> Markup {
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {} {}", self.width, self.height))
                width=(self.width) height=(self.height) font-family="monospace" font-size="12" role="img" {
                title { (self.title) }
                @for shape in &self.shapes { (shape.svg()) }
            }
        }
    }

    /// The picture as a file of its own.
    pub fn svg_file(&self) -> String {
        html! { (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")) (self.svg()) (PreEscaped("\n")) }
            .into_string()
    }
}
