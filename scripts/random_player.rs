//! A GTP engine that plays uniformly at random and fills no eyes: the yardstick below the beginner level.
//!
//! Built with `cargo build --release --example random_player`; takes a seed as its only argument. It understands what `keima match`
//! needs of an engine, and passes when every legal move would fill an eye.

use std::io::{self, BufRead as _, Write as _};

use keima::color::Color;
use keima::game::Game;
use keima::geometry::{Geometry, Move, Point};
use keima::rng::Rng;
use keima::rules::Rules;
use keima::score::Komi;

const COMMANDS: [&str; 11] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "quit",
];

fn main() -> io::Result<()> {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut rng = Rng::new(seed);
    let mut game = new_game(19, Komi::DEFAULT).expect("19 is an accepted size");
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, args)) = words.split_first() else { continue };
        match answer(&mut game, &mut rng, command, args) {
            Ok(text) => println!("= {text}\n"),
            Err(text) => println!("? {text}\n"),
        }
        io::stdout().flush()?;
        if command == "quit" {
            break;
        }
    }
    Ok(())
}

fn new_game(size: usize, komi: Komi) -> Option<Game> {
    Some(Game::new(Geometry::new(size)?, Rules::CHINESE, komi))
}

fn answer(game: &mut Game, rng: &mut Rng, command: &str, args: &[&str]) -> Result<String, String> {
    let arg = |i: usize| args.get(i).copied().unwrap_or_default();
    let color = || match arg(0).to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        other => Err(format!("no such color: {other}")),
    };
    match command {
        "protocol_version" => return Ok("2".into()),
        "name" => return Ok("Random".into()),
        "version" => return Ok(env!("CARGO_PKG_VERSION").into()),
        "known_command" => return Ok(COMMANDS.contains(&arg(0)).to_string()),
        "list_commands" => return Ok(COMMANDS.join("\n")),
        "boardsize" => {
            let size = arg(0).parse().map_err(|_| "unacceptable size")?;
            *game = new_game(size, game.komi()).ok_or("unacceptable size")?;
        }
        "clear_board" => *game = Game::new(game.geometry(), game.rules(), game.komi()),
        "komi" => game.set_komi(keima::gtp::check_komi(arg(0)).map_err(|error| error.to_string())?),
        "play" => {
            let mv = game.geometry().parse_move(arg(1)).map_err(|error| error.to_string())?;
            game.play(color()?, mv).map_err(|error| error.to_string())?;
        }
        "genmove" => {
            let mv = random_move(game, color()?, rng);
            game.play(color()?, mv).map_err(|error| error.to_string())?;
            return Ok(game.geometry().move_name(mv));
        }
        "quit" => {}
        _ => return Err("unknown command".into()),
    }
    Ok(String::new())
}

/// A legal move that fills no eye, each with the same probability; a pass where there is none.
fn random_move(game: &Game, color: Color, rng: &mut Rng) -> Move {
    let board = game.board();
    let fits = |&p: &Point| !board.around(p).is_eye(color) && game.check(color, Move::Play(p)).is_ok();
    let points: Vec<Point> = game.geometry().points().filter(fits).collect();
    if points.is_empty() { Move::Pass } else { Move::Play(points[rng.below(points.len())]) }
}
