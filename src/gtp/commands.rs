//! The table of commands, and those that are about commands.

use std::fmt::Write as _;

use super::parse::Args;
use super::reply::{Failure, Stream};
use super::{Session, analysis, clock, confirm, glance, gogui, info, params, play, records, rules, set_up};

/// What a command does when it is called.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// It returns its reply.
    Reply(fn(&mut Session, &Args) -> Result<String, Failure>),
    /// It writes its reply while it is at work.
    Aloud(fn(&mut Session, &Args, &mut Stream<'_>) -> Result<(), Failure>),
}

/// A command: everything that is said about it anywhere comes from here.
pub(super) struct Command {
    pub(super) name: &'static str,
    /// The arguments as help shows them.
    usage: &'static str,
    /// What it does, in a line.
    about: &'static str,
    pub(super) action: Action,
}

const fn command(
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    handler: fn(&mut Session, &Args) -> Result<String, Failure>,
) -> Command {
    Command { name, usage, about, action: Action::Reply(handler) }
}

const fn aloud(
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    handler: fn(&mut Session, &Args, &mut Stream<'_>) -> Result<(), Failure>,
) -> Command {
    Command { name, usage, about, action: Action::Aloud(handler) }
}

/// The arguments of an analysis.
const ANALYSIS: &str = "[COLOR] [INTERVAL] [KEY VALUE]...";

/// Every command, in the order in which they are listed. `protocol_version` is first because LizzieYzy begins to read
/// the list only there. Missing on purpose: `kgs-chat`, whose listing crashed kgsGtp; `gogui-rules_*`, which make GoGui
/// take the program for a referee of another game.
const TABLE: &[Command] = &[
    command("protocol_version", "", "The version of the protocol: 2", protocol_version),
    command("name", "", "The engine's name", name),
    command("version", "", "The engine's version", version),
    command("known_command", "NAME", "Whether there is a command of this name: true or false", known_command),
    command("list_commands", "", "The names of all commands, one a line", list_commands),
    command("quit", "", "Ends the session", quit),
    command("boardsize", "SIZE", "Sets the size, from 2 to 25, and clears the board", set_up::boardsize),
    command("clear_board", "", "Begins a new game; komi, rules and time limit stay", set_up::clear_board),
    command("komi", "POINTS", "Sets White's compensation, rounded to half points", set_up::komi),
    command("get_komi", "", "White's compensation", set_up::get_komi),
    command("play", "COLOR VERTEX", "Makes a move for either player", play::play),
    command("genmove", "COLOR", "Chooses a move and makes it: a vertex, pass or resign", play::genmove),
    command("reg_genmove", "COLOR", "Chooses a move without making it", play::reg_genmove),
    aloud("lz-analyze", ANALYSIS, "Thinks aloud until the next line comes in", analysis::lz_analyze),
    aloud("lz-genmove_analyze", ANALYSIS, "As genmove, thinking aloud", analysis::lz_genmove),
    aloud(
        "kata-analyze",
        ANALYSIS,
        "Thinks aloud until the next line comes in, in KataGo's words",
        analysis::kata_analyze,
    ),
    aloud("kata-genmove_analyze", ANALYSIS, "As genmove, thinking aloud in KataGo's words", analysis::kata_genmove),
    aloud("kata-search_analyze", ANALYSIS, "As kata-genmove_analyze, without making the move", analysis::kata_search),
    aloud(
        "kata-search_analyze_cancellable",
        ANALYSIS,
        "The same, ended without a move by any line",
        analysis::kata_search_cancellable,
    ),
    command("kata-search", "[COLOR]", "Chooses a move on the clock without making it", play::kata_search),
    command(
        "kata-search_cancellable",
        "[COLOR]",
        "The same, ended by any line with the answer cancelled",
        play::kata_search_cancellable,
    ),
    aloud(
        "cgos-genmove_analyze",
        "COLOR",
        "As genmove, with a line of JSON for the viewer of CGOS",
        analysis::cgos_genmove,
    ),
    command("undo", "", "Takes back the last move", play::undo),
    command("gg-undo", "[NUMBER]", "Takes back that many moves, or none of them", play::gg_undo),
    command("fixed_handicap", "NUMBER", "Places handicap stones on the usual points", set_up::fixed_handicap),
    command("place_free_handicap", "NUMBER", "Places handicap stones by choice", set_up::place_free_handicap),
    command("set_free_handicap", "VERTEX...", "Places handicap stones on these points", set_up::set_free_handicap),
    command("set_position", "[COLOR VERTEX]...", "Replaces the game by this position", set_up::set_position),
    command("gogui-setup", "[COLOR VERTEX]...", "Adds stones before the first move", set_up::gogui_setup),
    command("gogui-setup_player", "COLOR", "Says who moves first after a set-up", set_up::gogui_setup_player),
    command("gogui-play_sequence", "[COLOR VERTEX]...", "Makes all of these moves or none", play::play_sequence),
    command("loadsgf", "FILE [NUMBER]", "Loads a game up to before that move", records::loadsgf),
    command("printsgf", "[FILE]", "The game as an SGF record", records::printsgf),
    command("savesgf", "FILE", "Saves the game as an SGF record", records::savesgf),
    command("time_settings", "MAIN PERIOD STONES", "Sets the time limit in seconds", clock::time_settings),
    command("time_left", "COLOR TIME STONES", "Says what is left on a clock", clock::time_left),
    command("kgs-time_settings", "KIND [TIME]...", "none, absolute, byoyomi or canadian", clock::kgs_time_settings),
    command("kata-time_settings", "KIND [TIME]...", "The same, fischer and fischer-capped", clock::kata_time_settings),
    command("kata-list_time_settings", "", "The kinds of time limits", clock::kata_list_time_settings),
    command("final_score", "", "The score: B+3.5, W+12.0 or 0", info::final_score),
    command(
        "final_status_list",
        "STATUS",
        "Chains: alive, dead, seki; points: black_territory, white_territory, dame",
        info::final_status_list,
    ),
    command("showboard", "", "A picture of the board", info::showboard),
    command("list_stones", "COLOR", "Where that player's stones are", info::list_stones),
    command("is_legal", "COLOR VERTEX", "1 if the move is legal, 0 if not", info::is_legal),
    command("all_legal", "COLOR", "Every point on which that player may play", info::all_legal),
    command("last_move", "", "Who moved last, and where", info::last_move),
    command("move_history", "", "The moves so far, the latest first", info::move_history),
    command("captures", "COLOR", "How many stones that player has captured", info::captures),
    command("kgs-genmove_cleanup", "COLOR", "As genmove, capturing all dead stones first", play::genmove_cleanup),
    command("kgs-rules", "NAME", "Sets the rules", rules::kgs_rules),
    command(
        "kata-set-rules",
        "NAME|JSON",
        "Sets the rules by any program's name for them, or by KataGo's words",
        rules::kata_set_rules,
    ),
    command("kata-set-rule", "KEY VALUE", "Changes one of the rules", rules::kata_set_rule),
    command("kata-get-rules", "", "The rules as JSON", rules::kata_get_rules),
    command("kata-list-params", "", "Settings by KataGo's names", params::kata_list_params),
    command("kata-get-param", "NAME", "Shows one of them", params::kata_get_param),
    command("kata-set-param", "NAME VALUE", "Changes one of them", params::kata_set_param),
    command("lz-setoption", "name NAME [value VALUE]", "The same by Leela Zero's names", params::lz_setoption),
    command("kgs-game_over", "", "Stops thinking; the position stays", play::stop),
    command("stop", "", "Stops thinking on the opponent's time", play::stop),
    command("cgos-opponent_name", "NAME", "Accepted and ignored", play::ignored),
    command("cgos-opponent_rating", "RATING", "Accepted and ignored", play::ignored),
    command("cgos-gameover", "RESULT", "Stops thinking; the position stays", play::stop),
    command("clear_cache", "", "Forgets what was found out about the position", play::clear_cache),
    command("cputime", "", "Seconds spent on choosing moves", clock::cputime),
    command("gomill-cpu_time", "", "Seconds spent on choosing moves", clock::cputime),
    command("gomill-explain_last_move", "", "Why the last move was chosen", info::explain_last_move),
    command("gomill-describe_engine", "", "Version and settings", info::describe_engine),
    command("gogui-interrupt", "", "Shows that '# interrupt' ends a genmove early", play::interrupt),
    command("gogui-analyze_commands", "", "Commands for GoGui's menu", analyze_commands),
    command("gogui-title", "", "What to write above GoGui's window", gogui::title),
    command("top_moves", "[COLOR]", "The best moves with their shares of the simulations in percent", gogui::top_moves),
    command(
        "all_move_values",
        "[COLOR]",
        "Every move looked at with its expected score for that player",
        gogui::all_move_values,
    ),
    command("estimate_score", "", "The score expected by the search", gogui::estimate_score),
    command(
        "keima-gfx-moves",
        "[COLOR]",
        "Picture: the best moves and their shares of the simulations",
        gogui::best_moves,
    ),
    command(
        "keima-gfx-win-rates",
        "[COLOR]",
        "Picture: the best moves and their chances to win in percent",
        gogui::win_rates,
    ),
    command("keima-gfx-line", "[COLOR]", "Picture: how the game is expected to go on", gogui::line),
    command("keima-gfx-ladders", "", "Picture: what a ladder captures", gogui::ladders),
    command("keima-gfx-ataris", "", "Picture: chains in atari", gogui::ataris),
    command("keima-gfx-priors", "[COLOR]", "Picture: how likely the move model thinks each move", gogui::priors),
    command("keima-gfx-playouts", "[COLOR]", "Picture: what playouts choose here, how often", gogui::playout_moves),
    command("keima-line", "[COLOR]", "The moves expected", gogui::line_moves),
    command(
        "keima-expected-ownership",
        "[COLOR]",
        "How often each point ends as whose in playouts: 1 Black, -1 White",
        gogui::expected_ownership,
    ),
    command("keima-level", "[NAME]", "Shows or sets the level: beginner, intermediate, advanced", params::keima_level),
    command(
        "keima-rules",
        "[NAME]",
        "Shows or sets the rules: chinese, as-is, tromp-taylor, japanese, japanese-draft",
        params::keima_rules,
    ),
    command("keima-param", "[NAME [VALUE]]", "Shows or changes settings", params::keima_param),
    command(
        "kata-raw-nn",
        "SYMMETRY|all",
        "What the network thinks at first sight, in KataGo's words",
        glance::kata_raw_nn,
    ),
    command(
        "heatmap",
        "[SYMMETRY]",
        "What moves the network thinks of at first sight, in thousandths",
        glance::heatmap,
    ),
    command("keima-ownership", "", "The owner of every point at the end: 1 Black, -1 White", info::ownership),
    command("keima-priors", "COLOR", "How likely the move model thinks each move, without reading", info::priors),
    command("keima-playout-moves", "COLOR", "What playouts choose here, how often, and why", info::playout_moves),
    command(
        "keima-life",
        "[VERTEX] [RULES] [STATES]",
        "Status and proof of a chain, or of all, under japanese or japanese-draft",
        confirm::life,
    ),
    command(
        "keima-score",
        "[FILE]",
        "The count, why each chain lives or not, and the board, in FILE as SVG",
        confirm::score,
    ),
    command("keima-help", "[NAME]", "Explains one command or all", keima_help),
];

/// Commands that are understood and not listed: boards are square; Sabaki would take `analyze` before `kata-analyze`, and its versions differ about
/// the numbers.
const UNLISTED: &[Command] = &[
    command(
        "rectangular_boardsize",
        "WIDTH HEIGHT",
        "As boardsize; only squares are accepted",
        set_up::rectangular_boardsize,
    ),
    aloud("analyze", ANALYSIS, "As lz-analyze", analysis::lz_analyze),
    aloud("genmove_analyze", ANALYSIS, "As lz-genmove_analyze", analysis::lz_genmove),
];

/// What GoGui shows in its menu: type, label and command, separated by slashes.
const GOGUI_MENU: &[&str] = &[
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "plist/Black Territory/final_status_list black_territory",
    "plist/White Territory/final_status_list white_territory",
    "plist/Neutral Points/final_status_list dame",
    "plist/Legal Moves/all_legal %c",
    "gfx/Best Moves/keima-gfx-moves %m",
    "gfx/Win Rates/keima-gfx-win-rates %m",
    "gfx/Expected Line/keima-gfx-line %m",
    "varc/Expected Line of a Color/keima-line %c",
    "pspairs/Top Moves/top_moves %c",
    "dboard/Expected Ownership/keima-expected-ownership %m",
    "dboard/Final Ownership/keima-ownership",
    "gfx/Ladders/keima-gfx-ladders",
    "gfx/Ataris/keima-gfx-ataris",
    "gfx/Move Model/keima-gfx-priors %c",
    "gfx/Playout Policy/keima-gfx-playouts %c",
    "string/Network/kata-raw-nn 0",
    "string/Move Model in Numbers/keima-priors %c",
    "string/Playout Policy in Numbers/keima-playout-moves %c",
    "string/Expected Score/estimate_score",
    "string/Final Score/final_score",
    "hstring/Explain Last Move/gomill-explain_last_move",
    "string/Life and Death/keima-life %p",
    "string/Score with Reasons/keima-score",
    "string/Show Board/showboard",
    "string/Rules/kata-get-rules",
    "string/Help/keima-help",
    "none/Forget the Search/clear_cache",
    "param/Settings/keima-param",
    "param/Numbers of the Search/keima-param search",
    "none/Save Game/savesgf %w",
    "none/Load Game/loadsgf %r",
];

/// The command of this name: as written or, failing that, in lower case.
pub(super) fn find(name: &str) -> Option<&'static Command> {
    let named = |name: &str| TABLE.iter().chain(UNLISTED).find(|command| command.name == name);
    named(name).or_else(|| named(&name.to_ascii_lowercase()))
}

/// Every command with its arguments and what it does, one a line.
pub fn help() -> String {
    let mut text = String::new();
    for command in TABLE {
        let call = format!("{} {}", command.name, command.usage);
        let _ = writeln!(text, "  {call:36}  {}", command.about);
    }
    text
}

fn protocol_version(_: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok("2".to_string())
}

fn name(session: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(session.engine.settings().name.clone())
}

/// Lizzie freezes unless there is a second number, of 15 or more.
fn version(_: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(env!("CARGO_PKG_VERSION").to_string())
}

fn known_command(_: &mut Session, args: &Args) -> Result<String, Failure> {
    Ok(args.get(0).is_some_and(|name| find(name).is_some()).to_string())
}

fn list_commands(_: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(TABLE.iter().map(|command| command.name).collect::<Vec<_>>().join("\n"))
}

fn quit(session: &mut Session, _: &Args) -> Result<String, Failure> {
    session.quit = true;
    Ok(String::new())
}

fn analyze_commands(_: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(GOGUI_MENU.join("\n"))
}

fn keima_help(_: &mut Session, args: &Args) -> Result<String, Failure> {
    let Some(name) = args.get(0) else { return Ok(format!("\n{}", help())) };
    let command = find(name).ok_or(Failure::UnknownCommand)?;
    Ok(format!("{} {}\n{}", command.name, command.usage, command.about))
}

#[cfg(test)]
mod tests {
    use super::{GOGUI_MENU, TABLE, UNLISTED, find};

    #[test]
    fn names_are_unique_and_the_first_is_what_clients_wait_for() {
        assert_eq!(TABLE[0].name, "protocol_version");
        for (i, command) in TABLE.iter().enumerate() {
            assert!(TABLE[..i].iter().all(|other| other.name != command.name), "{}", command.name);
            assert!(command.name.bytes().all(|b| b.is_ascii_lowercase() || b"-_".contains(&b)), "{}", command.name);
            assert!(!command.about.is_empty() && !command.about.ends_with('.'));
        }
        for unwanted in ["kgs-chat", "gogui-sigint"] {
            assert!(find(unwanted).is_none(), "{unwanted}");
        }
        for command in UNLISTED {
            assert!(TABLE.iter().all(|listed| listed.name != command.name) && find(command.name).is_some());
        }
        assert!(TABLE.iter().all(|command| !command.name.starts_with("gogui-rules")));
    }

    #[test]
    fn the_menu_offers_only_what_exists() {
        for line in GOGUI_MENU {
            let fields: Vec<&str> = line.split('/').collect();
            assert_eq!(fields.len(), 3, "{line}");
            let name = fields[2].split(' ').next().unwrap_or_default();
            assert!(find(name).is_some(), "{line}");
        }
    }
}
