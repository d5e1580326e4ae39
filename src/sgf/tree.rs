//! A game record as a tree of nodes with all their properties, side lines and unknown properties included, in and out.
//!
//! Values are kept as they were written, escapes and all, so that writing a tree loses nothing. The parser needs no recursion and keeps line
//! numbers.

use std::borrow::Cow;

use super::{SgfError, SgfErrorKind};

/// A property as it was written.
#[derive(Clone, Debug)]
pub struct Property<'t> {
    /// The name as it is written.
    pub name: Cow<'t, str>,
    /// The values with their escapes, without brackets.
    pub values: Vec<Cow<'t, str>>,
    /// Line on which it begins, counted from 1; 0 for what was added.
    pub line: usize,
}

/// A node: properties, and the nodes that follow it, the main line first.
#[derive(Clone, Debug, Default)]
pub struct Node<'t> {
    /// What the node says, in the order of the file.
    pub properties: Vec<Property<'t>>,
    /// What follows.
    pub children: Vec<usize>,
}

/// One game with all its variations.
#[derive(Clone, Debug)]
pub struct GameTree<'t> {
    /// The nodes; the first one is the root.
    pub nodes: Vec<Node<'t>>,
    /// Line on which the game begins, counted from 1.
    pub line: usize,
    /// The text of this game.
    pub source: &'t str,
}

impl<'t> Property<'t> {
    /// The FF\[4\] name: FF\[3\] allowed lower-case letters between those that count (`SiZe`).
    pub fn short_name(&self) -> Cow<'_, str> {
        if !self.name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            return Cow::Borrowed(&self.name);
        }
        let short: String = self.name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        Cow::Owned(if short.is_empty() { self.name.to_ascii_uppercase() } else { short })
    }

    /// A property with one text, to be added to a node.
    pub fn with_text(name: &'static str, text: &str) -> Property<'t> {
        Property { name: Cow::Borrowed(name), values: vec![Cow::Owned(escaped(text))], line: 0 }
    }
}

impl<'t> Node<'t> {
    /// The property of this short name.
    pub fn get(&self, name: &str) -> Option<&Property<'t>> {
        self.properties.iter().find(|property| property.short_name() == name)
    }

    /// Replaces the property of this name, or adds it.
    pub fn set(&mut self, property: Property<'t>) {
        let name = property.short_name().into_owned();
        match self.properties.iter_mut().find(|old| old.short_name() == name) {
            Some(old) => *old = property,
            None => self.properties.push(property),
        }
    }
}

impl<'t> GameTree<'t> {
    /// The nodes of the main line: the first branch everywhere.
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = vec![0];
        let mut node = 0;
        while let Some(&next) = self.nodes[node].children.first() {
            line.push(next);
            node = next;
        }
        line
    }

    /// For each move of the main line, the node that makes it: one node may make several.
    pub fn move_nodes(&self) -> Vec<usize> {
        let moves = |node: &usize| -> usize {
            let properties = self.nodes[*node].properties.iter();
            properties.filter(|p| matches!(&*p.short_name(), "B" | "W")).map(|p| p.values.len()).sum()
        };
        self.main_line().into_iter().flat_map(|node| std::iter::repeat_n(node, moves(&node))).collect()
    }

    /// The line on which the move of this number, counted from 1, is written.
    pub fn line_of_move(&self, number: usize) -> Option<usize> {
        let node = *self.move_nodes().get(number.checked_sub(1)?)?;
        self.nodes[node].properties.iter().map(|property| property.line).next()
    }

    /// Adds a node with these properties after `parent`, behind what follows it already.
    pub fn add(&mut self, parent: usize, properties: Vec<Property<'t>>) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node { properties, children: Vec::new() });
        self.nodes[parent].children.push(node);
        node
    }

    /// The text of the record, ending in a line feed.
    pub fn write(&self) -> String {
        enum Step {
            Node(usize),
            Branch(usize),
            Close,
        }
        let mut text = String::new();
        let mut steps = vec![Step::Branch(0)];
        let mut since_break = 0;
        while let Some(step) = steps.pop() {
            match step {
                Step::Branch(node) => {
                    if !text.is_empty() {
                        text.push('\n');
                    }
                    text.push('(');
                    steps.push(Step::Close);
                    steps.push(Step::Node(node));
                    since_break = 0;
                }
                Step::Close => text.push(')'),
                Step::Node(node) => {
                    since_break += 1;
                    if since_break > 10 {
                        text.push('\n');
                        since_break = 1;
                    }
                    let node = &self.nodes[node];
                    write_node(node, &mut text);
                    match node.children.as_slice() {
                        [next] => steps.push(Step::Node(*next)),
                        branches => steps.extend(branches.iter().rev().map(|&branch| Step::Branch(branch))),
                    }
                }
            }
        }
        text.push('\n');
        text
    }
}

fn write_node(node: &Node<'_>, text: &mut String) {
    text.push(';');
    for property in &node.properties {
        text.push_str(&property.name);
        for value in &property.values {
            text.push('[');
            text.push_str(value);
            text.push(']');
        }
    }
}

/// Text as a value of a property.
fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            value.push('\\');
        }
        value.push(c);
    }
    value
}

/// What a value means: escapes resolved, and every line end a line feed.
pub fn unescaped(value: &str) -> Vec<u8> {
    let mut bytes = value.bytes().peekable();
    let mut meant = Vec::with_capacity(value.len());
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.next() {
                // An escaped line end joins two lines of text.
                Some(b'\r') => drop(bytes.next_if_eq(&b'\n')),
                Some(b'\n') | None => {}
                Some(byte) => meant.push(byte),
            },
            b'\r' => {
                bytes.next_if_eq(&b'\n');
                meant.push(b'\n');
            }
            byte => meant.push(byte),
        }
    }
    meant
}

/// Reads the games of a text, one after another; after a broken game the search for the next one goes on behind its beginning.
pub fn read_trees(text: &str) -> Vec<Result<GameTree<'_>, SgfError>> {
    let mut reader = Reader { text, at: 0, line: 1 };
    let mut games = Vec::new();
    let mut after_error = false;
    let mut read_in_vain = 0;
    while read_in_vain <= text.len() * PATIENCE && reader.find_game(after_error) {
        let (at, line) = (reader.at, reader.line);
        let game = reader.game();
        after_error = game.is_err();
        if after_error {
            read_in_vain += reader.at - at;
            (reader.at, reader.line) = (at, line);
            reader.take();
        }
        games.push(game);
    }
    if games.is_empty() {
        games.push(Err(reader.error(SgfErrorKind::NoGame)));
    }
    games
}

/// How often the length of a file may be read for games that turn out to be broken: against files made for nothing else.
const PATIENCE: usize = 32;

/// Properties with which the root of a game is likely to begin, and no variation is.
const ROOT_PROPERTIES: &[&str] =
    &["GM", "FF", "CA", "AP", "SZ", "ST", "PB", "PW", "KM", "RU", "EV", "GN", "DT", "HA", "RE", "SO", "US", "ID", "PC"];

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Reader<'t> {
    fn error(&self, kind: SgfErrorKind) -> SgfError {
        SgfError { line: self.line, kind }
    }

    /// The next byte without taking it.
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
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

    /// Moves to the next beginning of a game, past mail headers and the like.
    fn find_game(&mut self, after_error: bool) -> bool {
        while let Some(byte) = self.peek() {
            if byte == b'(' && self.is_game(after_error) {
                return true;
            }
            self.take();
        }
        false
    }

    /// Whether the parenthesis here begins a game: a node or, in some old files, a property follows. Within what is left of a broken game only
    /// the properties of a root tell a game from a variation.
    fn is_game(&self, after_error: bool) -> bool {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let rest = rest.trim_ascii_start();
        if !after_error && rest.first() == Some(&b';') {
            return true;
        }
        let rest = rest.strip_prefix(b";").unwrap_or(rest).trim_ascii_start();
        let name_length = rest.iter().take(9).take_while(|byte| byte.is_ascii_uppercase()).count();
        let (name, value) = rest.split_at(name_length);
        let is_property = value.trim_ascii_start().first() == Some(&b'[') && name_length > 0;
        is_property && (!after_error || ROOT_PROPERTIES.iter().any(|root| root.as_bytes() == name))
    }

    /// Reads one game tree, the reader being at its opening parenthesis.
    fn game(&mut self) -> Result<GameTree<'t>, SgfError> {
        let mut tree = GameTree { nodes: Vec::new(), line: self.line, source: &self.text[self.at..] };
        // Where the next node is attached, and where each open parenthesis was.
        let mut here: Option<usize> = None;
        let mut open: Vec<Option<usize>> = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'(') => open.push(here),
                Some(b')') => {
                    here = open.pop().flatten();
                    if open.is_empty() {
                        self.take();
                        return self.finished(tree);
                    }
                }
                Some(b';') => here = Some(Self::grow(&mut tree, here)),
                Some(byte) if byte.is_ascii_alphabetic() => {
                    // A game that begins without its semicolon.
                    let node = here.unwrap_or_else(|| Self::grow(&mut tree, None));
                    here = Some(node);
                    let property = self.property()?;
                    tree.nodes[node].properties.push(property);
                    continue;
                }
                Some(byte) => return Err(self.error(SgfErrorKind::UnexpectedByte(byte))),
                // Closing parentheses missing at the end of a file are a common slip with only one reading.
                None => return self.finished(tree),
            }
            self.take();
        }
    }

    fn grow(tree: &mut GameTree<'t>, parent: Option<usize>) -> usize {
        let node = tree.nodes.len();
        tree.nodes.push(Node::default());
        // A second root would be another game in the same parentheses: it is taken for a variation of the first.
        if let Some(parent) = parent.or((node > 0).then_some(0)) {
            tree.nodes[parent].children.push(node);
        }
        node
    }

    fn finished(&self, mut tree: GameTree<'t>) -> Result<GameTree<'t>, SgfError> {
        tree.source = &tree.source[..tree.source.len() + self.at - self.text.len()];
        if tree.nodes.is_empty() { Err(self.error(SgfErrorKind::NoGame)) } else { Ok(tree) }
    }

    fn property(&mut self) -> Result<Property<'t>, SgfError> {
        let (line, start) = (self.line, self.at);
        // Later formats allow digits: LizzieYzy writes LZ2.
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.at += 1;
        }
        let name = Cow::Borrowed(&self.text[start..self.at]);
        let mut property = Property { name, values: Vec::new(), line };
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'[') {
                break;
            }
            self.take();
            property.values.push(Cow::Borrowed(self.value()?));
        }
        if property.values.is_empty() {
            return Err(self.error(SgfErrorKind::MissingValue(property.short_name().into_owned())));
        }
        Ok(property)
    }

    /// Reads a value up to its closing bracket.
    fn value(&mut self) -> Result<&'t str, SgfError> {
        let start = self.at;
        loop {
            match self.take() {
                None => return Err(self.error(SgfErrorKind::UnterminatedValue)),
                // Only ASCII bytes are looked at, so that the ends are ends of characters.
                Some(b']') => return Ok(&self.text[start..self.at - 1]),
                Some(b'\\') => drop(self.take()),
                Some(_) => {}
            }
        }
    }
}
