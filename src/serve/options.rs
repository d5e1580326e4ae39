//! The command line of `keima serve`, and what the start tells.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::guard::PublicUrl;
use super::hall::{Expiry, Rules};

/// A board in the browser: play Keima or a friend, nothing to install
///
/// Open the address that is printed. Without options only this machine can reach it. For others put a proxy with TLS in front (the README has a
/// tried example) and give the address that people use as --public-url.
#[derive(Args, Debug)]
pub struct ServeOptions {
    /// Address and port to listen at; other than this machine's own only together with --public-url
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8361")]
    pub listen: SocketAddr,
    /// Folder that keeps the games, one SGF file each
    #[arg(long, value_name = "DIR", default_value = "keima-games")]
    pub data: PathBuf,
    /// The address that people type or click, with https:// or http:// before it; no other is answered from outside
    #[arg(long, value_name = "URL")]
    pub public_url: Option<PublicUrl>,
    /// Engines at work at the same time; one less than there are processors if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: Option<u16>,
    /// Language of the page unless the reader chooses: ja, en or zh; the browser's if not given
    #[arg(long, value_name = "LANG", value_parser = language)]
    pub lang: Option<&'static str>,
    /// Take the last address in X-Forwarded-For for the client's: only behind a proxy that sets it
    #[arg(long)]
    pub trust_proxy: bool,
    /// Moves that may wait for an engine before others are asked to come back
    #[arg(long, value_name = "N", default_value = "32", value_parser = clap::value_parser!(u16).range(1..))]
    pub queue: u16,
    /// Connections at the same time; beyond them those without a request are closed
    #[arg(long, value_name = "N", default_value = "1024", value_parser = clap::value_parser!(u16).range(8..))]
    pub connections: u16,
    /// Games that are kept at most
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(1..))]
    pub most_games: u32,
    /// Days until an invitation that nobody took is forgotten; 0 for never
    #[arg(long, value_name = "DAYS", default_value = "7")]
    pub keep_open: u32,
    /// Days without a move until a game between people is forgotten; 0 for never
    #[arg(long, value_name = "DAYS", default_value = "60")]
    pub keep_friends: u32,
    /// Days without a move until a game against Keima is forgotten; 0 for never
    #[arg(long, value_name = "DAYS", default_value = "14")]
    pub keep_cpu: u32,
    /// Hours away after which a friend who is to move may be said to have left
    #[arg(long, value_name = "HOURS", default_value = "24", value_parser = hours)]
    pub claim_after: Duration,
    /// Shortest time in seconds from a move to Keima's answer, so that one sees what has changed
    #[arg(long, value_name = "SECONDS", default_value = "0.6", value_parser = seconds)]
    pub delay: Duration,
    /// Serve the files of the page from this folder, to work on them
    #[arg(long, value_name = "DIR", hide = true)]
    pub web_dir: Option<PathBuf>,
}

fn language(text: &str) -> Result<&'static str, String> {
    let known = ["ja", "en", "zh"].into_iter().find(|known| text.eq_ignore_ascii_case(known));
    known.ok_or_else(|| "expected ja, en or zh".to_string())
}

fn number(text: &str, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from 0 to {most}"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    number(text, 10.0).map(Duration::from_secs_f64)
}

fn hours(text: &str) -> Result<Duration, String> {
    number(text, 24.0 * 365.0).map(|hours| Duration::from_secs_f64(hours * 3600.0))
}

impl ServeOptions {
    /// Engines at work at the same time.
    pub fn workers(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        self.workers.map_or_else(|| processors.saturating_sub(1).max(1), usize::from)
    }

    /// What the hall allows.
    pub fn rules(&self) -> Rules {
        Rules {
            most_games: self.most_games as usize,
            claim_after: self.claim_after.as_secs(),
            expiry: Expiry {
                open: self.keep_open.into(),
                friends: self.keep_friends.into(),
                cpu: self.keep_cpu.into(),
            },
        }
    }

    /// What whoever starts the site should know: where it is, who can reach it, what is kept where.
    pub fn greeting(&self, listen: SocketAddr, games: usize, broken: usize) -> String {
        let mut text = String::new();
        let local = format!("http://{listen}/");
        match &self.public_url {
            Some(public) => {
                let _ = writeln!(text, "Keima's board: {public}/");
                let _ = writeln!(text, "  listening at {local}, answering only requests for {public} and this machine");
            }
            None => {
                let _ = writeln!(text, "Keima's board: {local}");
            }
        }
        let exposed = if listen.ip().is_loopback() && self.public_url.is_none() {
            "only programs on this machine can reach it"
        } else if listen.ip().is_loopback() {
            "whoever can reach the proxy can make games and play them; nothing else of this machine is served"
        } else {
            "EVERYBODY who can reach this machine can make games and play them, without TLS unless a proxy adds it; nothing else of this machine is served"
        };
        let _ = writeln!(text, "  {exposed}");
        let set_aside =
            if broken > 0 { format!(" ({broken} unreadable, set aside in broken/)") } else { String::new() };
        let _ = writeln!(text, "  games are kept in {}: {games} now{set_aside}", self.data.display());
        let forwarded = if self.trust_proxy { "the address in X-Forwarded-For" } else { "its address" };
        let _ = writeln!(
            text,
            "  {} engine(s), at most {} moves waiting; a client is known by {forwarded}",
            self.workers(),
            self.queue
        );
        if listen.ip().is_loopback() && self.public_url.is_some() && !self.trust_proxy {
            let _ = writeln!(
                text,
                "  with --trust-proxy it would know clients of a proxy apart, and not limit them all as one"
            );
        }
        let _ = writeln!(text, "  stop it with Ctrl-C: every acknowledged move is on the disk");
        text
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::ServeOptions;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        options: ServeOptions,
    }

    fn options(text: &str) -> Result<ServeOptions, clap::Error> {
        Cli::try_parse_from(std::iter::once("serve").chain(text.split_whitespace())).map(|cli| cli.options)
    }

    #[test]
    fn the_start_says_who_can_reach_the_site() {
        let greeting = |text: &str| {
            let options = options(text).expect("valid");
            options.greeting(options.listen, 3, 1)
        };
        assert!(greeting("").contains("only programs on this machine"));
        let proxied = greeting("--public-url https://go.example.org");
        assert!(
            proxied.contains("https://go.example.org/") && proxied.contains("whoever can reach the proxy"),
            "{proxied}"
        );
        assert!(greeting("--listen 0.0.0.0:80 --public-url http://a").contains("EVERYBODY"));
        assert!(greeting("").contains("3 now (1 unreadable"));
    }

    #[test]
    fn senseless_options_are_refused() {
        for bad in [
            "--listen here",
            "--lang de",
            "--delay -1",
            "--delay nan",
            "--workers 0",
            "--public-url x",
            "--claim-after inf",
        ] {
            assert!(options(bad).is_err(), "{bad}");
        }
        assert_eq!(options("--lang JA").expect("valid").lang, Some("ja"));
    }
}
