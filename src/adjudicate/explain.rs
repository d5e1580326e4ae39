//! Who won a game, in a line.

use crate::engine::Engine;

/// The result in a line. A game that was resigned or lost by time is decided by that, whatever the board says.
pub(super) fn result(engine: &mut Engine, recorded: Option<&str>) -> String {
    let counted = if engine.game().has_no_result() {
        "no result, since neither player breaks the cycle".to_string()
    } else {
        engine.final_score().to_string()
    };
    // SGF: R for resignation, T for time, F for forfeit.
    let is_decided = |text: &&str| {
        let end = text.split_once('+').map(|(_, end)| end.trim().to_ascii_uppercase());
        end.is_some_and(|end| end.starts_with(['R', 'T', 'F']))
    };
    match recorded.filter(is_decided) {
        Some(text) => format!("{text} as recorded; the board as it stands would be {counted}"),
        None => counted,
    }
}

#[cfg(test)]
mod tests {
    use super::result;
    use crate::engine::{Engine, Settings};
    use crate::sgf::read_games;

    fn engine(text: &str) -> Engine {
        let record = read_games(text.as_bytes()).expect("readable").remove(0);
        let mut engine = Engine::new(&Settings::default());
        engine.set_game(record.to_game(record.rules().unwrap_or_default()).expect("playable"));
        engine
    }

    const GAME: &str = "(;SZ[5]KM[0.5]RU[Japanese]AB[ba][bb][bc][bd][be][ab]AW[da][db][dc][dd][de][eb][ad];B[];W[])";

    #[test]
    fn a_game_ended_by_resignation_or_time_is_won_by_that_whatever_the_board_says() {
        let mut engine = engine(GAME);
        assert_eq!(result(&mut engine, None), "B+0.5");
        assert_eq!(result(&mut engine, Some("B+0.5")), "B+0.5");
        assert_eq!(
            result(&mut engine, Some("W+Resign")),
            "W+Resign as recorded; the board as it stands would be B+0.5"
        );
        assert_eq!(result(&mut engine, Some("W+T")), "W+T as recorded; the board as it stands would be B+0.5");
        assert_eq!(result(&mut engine, Some("?")), "B+0.5");
    }
}
