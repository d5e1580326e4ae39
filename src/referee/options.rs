//! The command line of `keima match`.

use std::path::PathBuf;
use std::time::Duration;

use super::clock::TimeControl;
use super::statistics::Sprt;
use crate::geometry::Geometry;
use crate::gtp;
use crate::rules::Rules;
use crate::score::Komi;

/// Longest time that may be asked for, so that sums of times never overflow: ten days.
const LONGEST_SECONDS: f64 = 864_000.0;

/// Play two GTP engines against each other
///
/// The two are called first (--black) and second (--white), because they exchange colors after each game. A referee
/// with its own board checks every move: an illegal move, an answer that cannot be understood, a crash or a time-out
/// loses the game. Progress goes to standard error, the result to standard output. The exit status is 1 if an engine did
/// any of these things, so that a match can serve as a test.
#[derive(Clone, Debug, clap::Args)]
pub struct MatchOptions {
    /// Command that starts the first engine, which has Black in the first game
    ///
    /// The program must speak GTP on its standard input and output. The command is split into words at blanks;
    /// quotes and backslashes work as in a shell, but no shell is started: for pipes or variables write a script, and let
    /// it start the engine with exec, so that the engine itself is ended when it hangs. Every %SEED in the command is
    /// replaced by the number of the game (see --seed).
    #[arg(long, value_name = "COMMAND")]
    pub black: String,

    /// Command that starts the second engine, which has White in the first game
    #[arg(long, value_name = "COMMAND")]
    pub white: String,

    /// Name of the first engine in tables and game records [default: what it calls itself]
    #[arg(long, value_name = "NAME")]
    pub name_black: Option<String>,

    /// Name of the second engine in tables and game records [default: what it calls itself]
    #[arg(long, value_name = "NAME")]
    pub name_white: Option<String>,

    /// Number of games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,

    /// Points along one side of the board
    #[arg(short, long, value_name = "SIZE", default_value = "9", value_parser = gtp::check_size)]
    pub size: Geometry,

    /// Points that White receives
    ///
    /// Overrides the komi of openings.
    #[arg(short, long, value_name = "POINTS", default_value = "6.5", value_parser = gtp::check_komi, allow_hyphen_values = true)]
    pub komi: Komi,

    /// Rules by which the referee judges moves and counts: chinese, as-is, tromp-taylor, japanese or japanese-draft
    ///
    /// The first three have area scoring and positional superko; only tromp-taylor allows suicide. Under chinese and the
    /// japanese rules, stones that the engines call dead come off before counting; under the others the board is counted as
    /// it stands. The engines are not told: give them matching rules in their own commands (GNU Go: --chinese-rules
    /// --positional-superko, or --japanese-rules).
    #[arg(long, value_name = "RULES", default_value = "chinese", value_parser = Rules::by_name)]
    pub rules: Rules,

    /// SGF file, or folder of SGF files, with positions to start from
    ///
    /// Each opening is used for two games in a row, with colors exchanged. Files are taken in the order of their
    /// names, games of one file in their order, and all over again when there are more games than openings.
    #[arg(long, value_name = "PATH")]
    pub openings: Option<PathBuf>,

    /// Begin with the opening of this index, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, requires = "openings")]
    pub opening_offset: usize,

    /// Let the first engine have Black in every game
    ///
    /// Each opening is then used for one game instead of two.
    #[arg(long)]
    pub no_alternate: bool,

    /// Number of games played at the same time
    ///
    /// Each has two processes of its own, which go on to the next game. More than half the processor cores, or more
    /// than all of them if engines do not think on the opponent's time, makes clocks unfair.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub concurrency: u32,

    /// Seconds that each player has for a whole game; whoever uses more loses
    #[arg(short, long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=864_000), conflicts_with = "byo")]
    pub time: Option<u32>,

    /// Main time and overtime of each player, such as 60+30/10
    ///
    /// After 60 seconds, 10 stones must be played in each 30 seconds ("Canadian" overtime).
    #[arg(long, value_name = "MAIN+PERIOD/STONES")]
    pub byo: Option<TimeControl>,

    /// Seconds by which a clock may be overdrawn, for the slowness of pipes and processor
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = parse_seconds)]
    pub grace: Duration,

    /// Seconds in which any command must be answered, clock or no clock
    ///
    /// An engine that has not chosen its move by then loses by time-out and is started anew for its next game.
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = parse_seconds)]
    pub move_limit: Duration,

    /// Number of moves after which a game is stopped and counted [default: three times the points of the board]
    #[arg(long, value_name = "N")]
    pub max_moves: Option<usize>,

    /// A third GTP engine that decides where the players disagree on the winner
    ///
    /// It is shown the whole game and asked for its final_score. Without it, only stones that both players call
    /// dead come off before counting.
    #[arg(long, value_name = "COMMAND")]
    pub scorer: Option<String>,

    /// Folder for game records and for what the engines write to their standard error
    ///
    /// It is made if it does not exist. Without it, standard error of the engines is discarded.
    #[arg(long, value_name = "FOLDER")]
    pub sgf: Option<PathBuf>,

    /// File of results, one line of tab-separated values per game
    ///
    /// If it exists, the match is resumed: the games in it count and are not played again. The settings of the match are
    /// in its first lines; other settings than those are refused.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Stop as soon as a sequential test decides between two Elo differences, such as 0,20
    ///
    /// The first engine is tested for being ELO1 rather than ELO0 stronger than the second, either error having a
    /// probability of 5 %. --games still is the largest number of games.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,

    /// Number added to the number of the game (from 0) in place of %SEED
    ///
    /// An engine with %SEED in its command is started anew for each game.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl MatchOptions {
    /// The clock of each player, if there is one.
    pub fn time_control(&self) -> Option<TimeControl> {
        self.byo.or_else(|| self.time.map(|seconds| TimeControl::sudden_death(Duration::from_secs(seconds.into()))))
    }

    /// Number of moves after which a game is stopped.
    pub fn move_cap(&self) -> usize {
        self.max_moves.unwrap_or(3 * self.size.area())
    }
}

fn parse_seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds| (0.0..=LONGEST_SECONDS).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("expected a number of seconds up to ten days")
}
