//! The command line: from arguments to settings, and the choice of what to run.
//!
//! Everything that can be wrong with an argument is found here, before anything starts, and ends the program with exit
//! code 2. What comes after is either done (0) or failed (1).

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use log::Log;

use crate::adjudicate::{AdjudicateError, ScoreOptions, adjudicate};
pub use crate::analysis::with_double_dashes;
use crate::analysis::{self, AnalysisOptions};
use crate::bench;
use crate::collection::{self, REVIEW_EXAMPLES, ReviewOptions};
use crate::engine::Settings;
use crate::geometry::Geometry;
use crate::gtp;
use crate::judge::{JudgeError, JudgeOptions, judge};
use crate::learn::{LearnError, LearnOptions, learn, learn_local};
use crate::level::Level;
use crate::net::NetSource;
use crate::referee::{self, MatchOptions};
use crate::rules::Rules;
use crate::score::Komi;
use crate::selfplay::{SelfPlayError, SelfPlayOptions, self_play};
#[cfg(feature = "serve")]
use crate::serve::{self, ServeOptions};
use crate::shards::{ShardError, ShardOptions, write_shard};
use crate::terminal::{self, PlayError, PlayOptions};

/// How Keima can be called.
#[derive(Parser, Debug)]
#[command(
    name = "keima",
    version,
    about = "A Go engine that plays at three levels",
    long_about = "Keima plays Go (baduk, weiqi) on boards from 2x2 to 25x25.\n\n\
        A graphical program such as Sabaki or GoGui shows the game and talks to Keima in \
        the Go Text Protocol (GTP). Without a subcommand Keima speaks GTP, so that giving a graphical program the path \
        of this executable is all there is to set up.",
    after_help = "Examples:\n  \
        keima                               speak GTP at full strength\n  \
        keima --level beginner --size 9     an easy opponent on a small board\n  \
        echo 'genmove b' | keima --time 2   one move, thinking for two seconds\n  \
        keima play                          a game in this terminal\n  \
        keima serve                         a board in the browser\n  \
        keima score game.sgf                who won a finished game, and why\n  \
        keima match --help                  let two engines play each other\n\n\
        'keima gtp --help' explains every option and command.",
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    gtp: GtpArgs,
}

/// What to do.
#[derive(Subcommand, Debug)]
enum Command {
    /// Speak the Go Text Protocol on standard input and output (the default)
    #[command(
        long_about = "Speaks the Go Text Protocol, version 2, on standard input and output.\n\n\
            This is what graphical programs start; 'keima' without a subcommand does the same. Every option can also be \
            changed while Keima runs, with the command keima-param or the standard command for it.",
        after_long_help = gtp_help()
    )]
    Gtp(GtpArgs),
    Play(PlayOptions),
    #[cfg(feature = "serve")]
    Serve(ServeOptions),
    /// Answer KataGo's JSON analysis queries, for KaTrain and others
    #[command(
        long_about = "Speaks KataGo's JSON analysis protocol on standard input and output: a query a line, answered as positions finish.\n\n\
            KaTrain starts an engine like this; give it the path of this executable. Options of KataGo are accepted with one dash as well. Of a \
            configuration file the settings reportAnalysisWinratesAs, maxVisits, maxTime and analysisPVLen are used."
    )]
    Analysis(AnalysisOptions),
    #[command(after_long_help = REVIEW_EXAMPLES)]
    Analyze(Box<ReviewOptions>),
    #[command(after_long_help = MATCH_EXAMPLES)]
    Match(Box<MatchOptions>),
    /// Say who won the games of records, and why
    Score(ScoreOptions),
    /// Print how fast this machine is, and a signature of how Keima plays
    Bench(BenchArgs),
    /// Learn the weights of the move model from game records
    #[command(
        long_about = "Learns the weights of the move model, which tells how likely a strong player is to choose each \
            move, from game records.\n\n\
            The weights in the program were made like this; after replacing src/move_model/weights.bin, build again. Each line of \
            a file is one game in SGF. Where only one player of a game has a name (PB or PW), only that player's moves are learnt."
    )]
    Learn(LearnOptions),
    /// Compare what playouts or searches say of positions with what a stronger player says
    Judge(JudgeOptions),
    /// Play games with itself, and write them with what the searches found, for training
    #[command(
        name = "selfplay",
        long_about = "Plays games with itself on all cores and writes them as labelled games, a line each, for 'keima shards' and 'keima judge'.\n\n\
            Games begin with some moves drawn from the policy and a komi that makes them even, mostly; then each move is drawn by the visits of a search with \
            noise at its root. The same command goes on where it was stopped: game N depends on the seed and N alone."
    )]
    SelfPlay(SelfPlayOptions),
    /// Write labelled positions as the network sees them, for training
    Shards(ShardOptions),
}

/// Options of the benchmark.
#[derive(Args, Debug)]
struct BenchArgs {
    /// Measure on this board size only
    #[arg(long, value_name = "N", value_parser = gtp::check_size)]
    size: Option<Geometry>,
    /// Print the signature and nothing else
    #[arg(long)]
    signature_only: bool,
}

/// What `keima match --help` ends with.
const MATCH_EXAMPLES: &str = "Examples:
  keima match --black 'keima --level advanced' --white 'keima --level beginner' -n 20
  keima match --black 'keima --seed %SEED' \
      --white 'gnugo --mode gtp --chinese-rules --positional-superko' \
      --games 100 --komi 7.5 --time 60 --sgf games --output results.tsv

Exit status: 0 if all went well, 1 if an engine failed in some game, 2 if the match could not be played.";

/// Options of the GTP mode; each has a command that changes it later.
#[derive(Args, Debug)]
struct GtpArgs {
    /// Playing level: beginner, intermediate or advanced
    #[arg(long, value_name = "LEVEL", default_value = Level::Advanced.name())]
    level: Level,
    /// Points along one side of the first board, from 2 to 25
    #[arg(long, value_name = "N", default_value = "19", value_parser = gtp::check_size)]
    size: Geometry,
    /// Points for White, rounded to half points
    #[arg(long, value_name = "POINTS", default_value_t = Komi::DEFAULT, value_parser = gtp::check_komi, allow_hyphen_values = true)]
    komi: Komi,
    /// Rules: chinese (dead stones are taken off), as-is (they are not), tromp-taylor (nor is suicide forbidden), japanese or japanese-draft
    #[arg(long, value_name = "RULES", default_value = Rules::CHINESE.name, value_parser = Rules::by_name)]
    rules: Rules,
    /// Search threads; the number of processors if not given
    #[arg(long, value_name = "N", value_parser = gtp::check_threads)]
    threads: Option<usize>,
    /// Thinking time per move where no clock is set; the level's own if not given
    #[arg(long, value_name = "SECONDS", value_parser = gtp::check_time)]
    time: Option<Duration>,
    /// Exact number of playouts per move, whatever the clock says (the weak levels have their own number)
    #[arg(long, value_name = "N", value_parser = gtp::check_playouts)]
    playouts: Option<u64>,
    /// Start of the random numbers: with one thread and fixed playouts, the same moves every time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Most memory to take, from 40 MiB on; chosen by what is free if not given
    #[arg(long, value_name = "MIB", value_parser = gtp::check_memory)]
    memory: Option<usize>,
    /// Network of the advanced level: built-in (from 9x9 on), none, or a file of weights
    #[arg(long, value_name = "FILE", default_value_t = NetSource::default(), value_parser = NetSource::load)]
    net: NetSource,
    /// What to call itself: Lizzie and LizzieYzy treat an engine by its name
    #[arg(long, value_name = "NAME", default_value_t = Settings::default().name, value_parser = gtp::check_name)]
    name: String,
    /// Think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Play lost games to the end
    #[arg(long)]
    no_resign: bool,
    /// Change a number of the search, for tuning; the GTP command 'keima-param search' lists them
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = gtp::check_search, hide_short_help = true)]
    numbers: Vec<(String, f64)>,
    /// Add the conversation and everything else worth knowing to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl GtpArgs {
    fn settings(&self) -> Settings {
        let defaults = Settings::default();
        let mut search = defaults.search.clone();
        for (name, value) in &self.numbers {
            search.set_number(name, *value).unwrap_or_else(|_| unreachable!("checked when it was read"));
        }
        Settings {
            level: self.level,
            geometry: self.size,
            komi: self.komi,
            rules: self.rules,
            threads: self.threads.unwrap_or(defaults.threads),
            move_time: self.time,
            playouts: self.playouts,
            seed: self.seed,
            memory_mib: self.memory,
            ponder: self.ponder,
            resign: !self.no_resign,
            net: self.net.clone(),
            name: self.name.clone(),
            search,
        }
    }
}

fn gtp_help() -> String {
    format!(
        "Examples:\n  keima gtp --level intermediate --komi 7.5\n  keima gtp --threads 4 --time 10 --ponder\n  \
         keima gtp --playouts 1000 --seed 1 --threads 1   the same moves every time\n  \
         keima gtp --log game.log                         keep the conversation\n\n\
         Messages go to standard error, errors only; the environment variable RUST_LOG chooses others.\n\n\
         GTP commands:\n{}",
        gtp::help()
    )
}

/// Runs what the command line asks for.
pub fn run(cli: Cli) -> ExitCode {
    match cli.command.unwrap_or(Command::Gtp(cli.gtp)) {
        Command::Gtp(args) => exit_code(speak_gtp(&args)),
        Command::Score(options) => exit_code(run_score(&options)),
        Command::Bench(args) => exit_code(run_bench(&args)),
        Command::Learn(args) => exit_code(run_learn(&args)),
        Command::Judge(args) => exit_code(run_judge(&args)),
        Command::SelfPlay(args) => exit_code(run_self_play(&args)),
        Command::Shards(args) => exit_code(run_shards(&args)),
        Command::Analysis(args) => answer_queries(&args),
        Command::Analyze(options) => review_games(&options),
        Command::Match(options) => play_match(&options),
        Command::Play(options) => exit_code(play_in_terminal(&options)),
        #[cfg(feature = "serve")]
        Command::Serve(options) => {
            start_log(None);
            exit_code(serve::run(&options, &mut io::stdout()))
        }
    }
}

fn exit_code<E: Display>(result: Result<(), E>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn review_games(options: &ReviewOptions) -> ExitCode {
    start_log(None);
    match collection::run(options) {
        Ok(summary) if summary.failed == 0 => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn answer_queries(options: &AnalysisOptions) -> ExitCode {
    start_log(None);
    match options.settings() {
        Ok(settings) => exit_code(analysis::serve(&settings, io::BufReader::new(io::stdin()), io::stdout())),
        Err(error) => {
            log::error!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Plays a match; its result goes to standard output, errors and progress to standard error.
fn play_match(options: &MatchOptions) -> ExitCode {
    start_log(None);
    let summary = match referee::run(options) {
        Ok(summary) => summary,
        Err(error) => {
            log::error!("{error}");
            return ExitCode::from(2);
        }
    };
    // Whoever closed the output knows that the result is lost; the exit status is still worth having.
    let _ = write!(io::stdout(), "{summary}");
    if summary.has_failures() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn run_score(options: &ScoreOptions) -> Result<(), AdjudicateError> {
    start_log(None);
    let mut out = io::stdout();
    adjudicate(options, |text| drop(writeln!(out, "{text}")))
}

fn run_bench(args: &BenchArgs) -> io::Result<()> {
    start_log(None);
    let options = bench::Options { size: args.size, signature_only: args.signature_only };
    bench::run(options, &mut io::stdout().lock())
}

fn run_learn(options: &LearnOptions) -> Result<(), LearnError> {
    start_log(None);
    let mut out = io::stdout();
    // Learning takes long; that nobody reads the progress is no reason to stop.
    let report = |line: &str| drop(writeln!(out, "{line}"));
    if options.local { learn_local(options, report) } else { learn(options, report) }
}

fn run_judge(options: &JudgeOptions) -> Result<(), JudgeError> {
    start_log(None);
    let mut out = io::stdout();
    judge(options, |line| drop(writeln!(out, "{line}")))
}

fn run_self_play(options: &SelfPlayOptions) -> Result<(), SelfPlayError> {
    start_log(None);
    self_play(options)
}

fn run_shards(options: &ShardOptions) -> Result<(), ShardError> {
    start_log(None);
    let positions = write_shard(options)?;
    drop(writeln!(io::stdout(), "{positions} positions"));
    Ok(())
}

fn play_in_terminal(options: &PlayOptions) -> Result<(), PlayError> {
    start_log(None);
    let asks = io::stdin().is_terminal();
    terminal::play(options, asks, &mut io::stdin().lock(), &mut io::stdout().lock())
}

fn speak_gtp(args: &GtpArgs) -> io::Result<()> {
    match args.log.as_deref().map(open_log).transpose() {
        Ok(file) => start_log(file),
        Err(error) => {
            start_log(None);
            return Err(error);
        }
    }
    gtp::serve(&args.settings(), io::BufReader::new(io::stdin()), &mut io::stdout().lock())
}

/// Opens a file to add to: what an earlier session wrote, or a file named by mistake, is not lost.
fn open_log(path: &Path) -> io::Result<File> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()));
    File::options().append(true).create(true).open(path).map_err(named)
}

/// Messages on their way to standard error and, where one was asked for, to a file.
struct Logger {
    stderr: env_logger::Logger,
    file: Option<env_logger::Logger>,
}

impl Log for Logger {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        self.stderr.enabled(metadata) || self.file.as_ref().is_some_and(|file| file.enabled(metadata))
    }

    fn log(&self, record: &log::Record<'_>) {
        self.stderr.log(record);
        if let Some(file) = &self.file {
            file.log(record);
        }
    }

    fn flush(&self) {
        self.stderr.flush();
        if let Some(file) = &self.file {
            file.flush();
        }
    }
}

/// Starts logging: errors to standard error unless `RUST_LOG` says otherwise, and everything worth knowing to `file`.
///
/// A panic becomes one line of the log, since clients show or even interpret what comes on standard error.
fn start_log(file: Option<File>) {
    let stderr = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).build();
    let file = file.map(|file| {
        let mut builder = env_logger::Builder::new();
        builder.filter_level(log::LevelFilter::Info);
        builder.target(env_logger::Target::Pipe(Box::new(file))).build()
    });
    let level = stderr.filter().max(file.as_ref().map_or(log::LevelFilter::Off, env_logger::Logger::filter));
    // Fails only where a logger runs already; that one is as good.
    if log::set_boxed_logger(Box::new(Logger { stderr, file })).is_ok() {
        log::set_max_level(level);
    }
    std::panic::set_hook(Box::new(|info| log::error!("{}", info.to_string().replace('\n', " "))));
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_match_takes_no_options_of_the_gtp_mode() {
        let engines = ["--black", "a", "--white", "b"];
        assert!(Cli::try_parse_from(["keima", "match"].into_iter().chain(engines)).is_ok());
        assert!(Cli::try_parse_from(["keima", "match"]).is_err());
        assert!(Cli::try_parse_from(["keima", "--ponder", "match"].into_iter().chain(engines)).is_err());
    }

    #[test]
    fn scoring_takes_files_and_perhaps_rules() {
        assert!(Cli::try_parse_from(["keima", "score", "a.sgf", "b.sgf", "--rules", "Japanese"]).is_ok());
        assert!(Cli::try_parse_from(["keima", "score"]).is_err());
        assert!(Cli::try_parse_from(["keima", "score", "a.sgf", "--rules", "korean"]).is_err());
    }

    #[test]
    fn learning_takes_no_nonsensical_numbers() {
        let learn = ["keima", "learn", "--games", "a", "--output", "b"];
        assert!(Cli::try_parse_from(learn).is_ok());
        for bad in [["--share", "0"], ["--share", "1.1"], ["--share", "nan"], ["--rate", "0"], ["--rate", "-1"]] {
            assert!(Cli::try_parse_from(learn.into_iter().chain(bad)).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn options_work_with_and_without_the_subcommand() {
        let alone = Cli::try_parse_from(["keima", "--komi", "-3,5", "--size", "9", "--no-resign"]).expect("valid");
        assert_eq!(alone.gtp.settings().komi.points(), -3.5);
        assert!(!alone.gtp.settings().resign);
        assert!(Cli::try_parse_from(["keima", "gtp", "--level", "Beginner", "--time", "0.5"]).is_ok());
        for bad in [
            ["--size", "1"],
            ["--size", "26"],
            ["--komi", "nan"],
            ["--rules", "korean"],
            ["--level", "dan"],
            ["--threads", "0"],
            ["--time", "-1"],
            ["--playouts", "0"],
            ["--memory", "0"],
            ["--seed", "x"],
            ["--set", "exploration"],
            ["--set", "exploration=-1"],
            ["--set", "nothing=1"],
            ["--net", "/no/such/file"],
            ["--name", "two words"],
        ] {
            let error = Cli::try_parse_from(["keima", bad[0], bad[1]]).expect_err("refused");
            assert_eq!(error.exit_code(), 2, "{bad:?}");
        }
    }
}
