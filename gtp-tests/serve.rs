//! `keima serve` from the outside: the real program, killed and started again, with patient and impatient clients.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// Kills of one run; the variable `KEIMA_KILLS` asks for more.
const KILLS: u64 = 8;

/// The running program; it is killed when this goes.
struct Site {
    child: Child,
    address: SocketAddr,
    errors: Option<std::thread::JoinHandle<String>>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Site {
    fn start(data: &std::path::Path, options: &[&str]) -> Site {
        let mut child = Command::new(env!("CARGO_BIN_EXE_keima"))
            .args(["serve", "--listen", "127.0.0.1:0", "--delay", "0", "--data"])
            .arg(data)
            .args(options)
            .env("RUST_LOG", "trace")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        output.read_line(&mut line).expect("a greeting");
        let address = line.split("http://").nth(1).and_then(|rest| rest.trim().trim_end_matches('/').parse().ok());
        let mut errors = child.stderr.take().expect("piped");
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        Site { address: address.unwrap_or_else(|| panic!("an address: {line}")), child, errors: Some(errors) }
    }

    /// Ends the program at once (SIGKILL where there are signals), and gives what it wrote to standard error.
    fn kill(&mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.errors.take().map_or(String::new(), |errors| errors.join().unwrap_or_default())
    }
}

/// Sends a request and reads the answer, if there is one: status and body.
fn ask(address: SocketAddr, method: &str, path: &str, token: &str, body: &str) -> Option<(u16, Value)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let authorization = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    let head = format!(
        "{method} /api/v1/{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{authorization}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).ok()?;
    let mut answer = Vec::new();
    // An answer that breaks off is none.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, serde_json::from_str(body).ok()?))
}

fn new_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("keima-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// A small generator for instants and moves.
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

/// [`ask`], again for as long as the site says that it is too fast: a quick machine comes to the limit of one client's calls.
fn ask_patiently(address: SocketAddr, method: &str, path: &str, token: &str, body: &str) -> Option<(u16, Value)> {
    loop {
        let answer = ask(address, method, path, token, body)?;
        if answer.0 != 429 {
            return Some(answer);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A game that somebody plays, and what they know of it for certain.
#[derive(Clone, Debug, Default)]
struct Known {
    id: String,
    token: String,
    /// The last state that was answered.
    state: Value,
    /// A write without an answer.
    pending: Option<Value>,
}

fn make(address: SocketAddr, white: &str) -> Known {
    let seat = if white == "human" { "both" } else { "black" };
    let game = json!({"size": 9, "black": "human", "white": white, "seat": seat}).to_string();
    let (status, made) = ask(address, "POST", "games", "", &game).expect("an answer");
    assert_eq!(status, 201, "{made}");
    let text = |name: &str| made[name].as_str().expect("text").to_string();
    Known { id: text("id"), token: text("token"), state: made["state"].clone(), pending: None }
}

fn moves(state: &Value) -> Vec<String> {
    let moves = state["moves"].as_array().expect("moves").iter();
    moves.map(|mv| mv.as_str().expect("a name").to_string()).collect()
}

/// An open point of a state.
fn some_move(state: &Value, random: &mut u64) -> String {
    let rows = state["board"].as_array().expect("rows");
    let size = rows.len();
    let mut open = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for (x, cell) in row.as_str().expect("a row").chars().enumerate() {
            let name = format!("{}{}", char::from(b"ABCDEFGHJKLMNOPQRST"[x]), size - i);
            if cell == '.' && state["closed"].get(&name).is_none() {
                open.push(name);
            }
        }
    }
    if open.is_empty() { "pass".to_string() } else { open.swap_remove(next(random) as usize % open.len()) }
}

/// Plays on until the site does not answer any more.
fn play_on(address: SocketAddr, known: &Mutex<Known>, stop: &AtomicBool, mut random: u64) {
    while !stop.load(Ordering::Relaxed) {
        let mut game = known.lock().expect("not poisoned").clone();
        if game.state["can"]["move"] == true && game.pending.is_none() {
            let mv = some_move(&game.state, &mut random);
            game.pending = Some(json!({"version": game.state["version"], "move": mv}));
            known.lock().expect("not poisoned").pending.clone_from(&game.pending);
        }
        let answer = match &game.pending {
            Some(write) => {
                ask_patiently(address, "POST", &format!("games/{}/moves", game.id), &game.token, &write.to_string())
            }
            None => ask_patiently(address, "GET", &format!("games/{}", game.id), &game.token, ""),
        };
        let Some((status, answer)) = answer else { return };
        let state = if game.pending.is_some() { answer["state"].clone() } else { answer.clone() };
        assert!(status == 200, "{status}: {answer}");
        let mut known = known.lock().expect("not poisoned");
        known.pending = None;
        known.state = state;
        if known.state["phase"] != "playing" {
            return;
        }
    }
}

#[test]
fn whatever_instant_it_is_killed_at_no_move_that_was_answered_is_lost() {
    let kills = std::env::var("KEIMA_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let folder = new_folder("killed");
    let mut random = 0x9E37_79B9_7F4A_7C15;
    let mut site = Site::start(&folder, &[]);
    let mut games: Vec<Arc<Mutex<Known>>> = Vec::new();
    let (mut answered, mut repeated) = (0, 0);
    for kill in 0..kills {
        // A few new games each time, and those that are still going on.
        games.retain(|game| game.lock().expect("not poisoned").state["phase"] == "playing");
        for white in ["human", "human", "cpu:beginner"] {
            if games.len() < 6 {
                games.push(Arc::new(Mutex::new(make(site.address, white))));
            }
        }
        let stop = Arc::new(AtomicBool::new(false));
        let players: Vec<_> = games
            .iter()
            .map(|game| {
                let (game, stop, seed) = (Arc::clone(game), Arc::clone(&stop), next(&mut random));
                let address = site.address;
                std::thread::spawn(move || play_on(address, &game, &stop, seed))
            })
            .collect();
        std::thread::sleep(Duration::from_micros(next(&mut random) % 120_000));
        site.kill();
        stop.store(true, Ordering::Relaxed);
        players.into_iter().for_each(|player| player.join().expect("no answer was wrong"));
        site = Site::start(&folder, &[]);
        for game in &games {
            let mut game = game.lock().expect("not poisoned");
            let path = format!("games/{}", game.id);
            let (status, state) = ask(site.address, "GET", &path, &game.token, "").expect("an answer");
            assert_eq!(status, 200, "kill {kill}: {state}");
            let (before, after) = (moves(&game.state), moves(&state));
            assert!(after.starts_with(&before), "kill {kill}: {before:?} was answered, {after:?} is left");
            assert!(state["version"].as_u64() >= game.state["version"].as_u64(), "kill {kill}");
            answered += before.len();
            game.state = state;
            // The page sends again what it had no answer to: done before or now, but once.
            if let Some(write) = game.pending.take() {
                let path = format!("{path}/moves");
                let (status, answer) =
                    ask(site.address, "POST", &path, &game.token, &write.to_string()).expect("an answer");
                assert_eq!(status, 200, "kill {kill}: {answer}");
                let now = moves(&answer["state"]);
                assert_eq!(now.get(before.len()).map(String::as_str), write["move"].as_str(), "kill {kill}: {now:?}");
                repeated += 1;
                game.state = answer["state"].clone();
            }
        }
    }
    assert!(
        !folder.join("broken").exists()
            || std::fs::read_dir(folder.join("broken")).expect("a folder").count() <= kills as usize * 3
    );
    println!("{kills} kills: {answered} answered moves found again, {repeated} writes sent again");
    drop(site);
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn hundreds_of_idle_and_slow_clients_do_not_stop_a_game() {
    let folder = new_folder("crowd");
    let site = Site::start(&folder, &["--connections", "64"]);
    let mut crowd = Vec::new();
    let begin = |text: &str| {
        let mut stream = TcpStream::connect(site.address).expect("a connection");
        let _ = stream.write_all(text.as_bytes());
        stream
    };
    let mut random = 1;
    let mut game = make(site.address, "human");
    let path = format!("games/{}/moves", game.id);
    for round in 0..30 {
        // Silent ones, ones that never end their head, and ones that never send their body.
        crowd.extend((0..4).map(|_| begin("")));
        crowd.extend((0..3).map(|_| begin("GET / HTTP/1.1\r\nHost: ")));
        let head = format!(
            "POST /api/v1/games HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
            site.address
        );
        crowd.extend((0..3).map(|_| begin(&head)));
        let write = json!({"version": game.state["version"], "move": some_move(&game.state, &mut random)});
        let (status, answer) =
            ask_patiently(site.address, "POST", &path, &game.token, &write.to_string()).expect("an answer");
        assert_eq!(status, 200, "round {round}: {answer}");
        game.state = answer["state"].clone();
    }
    assert_eq!((crowd.len(), moves(&game.state).len()), (300, 30));
    drop(site);
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn tokens_and_invitations_are_in_no_log_and_in_no_file() {
    let folder = new_folder("secrets");
    let mut site = Site::start(&folder, &[]);
    let post = |path: &str, token: &str, body: Value| {
        ask(site.address, "POST", path, token, &body.to_string()).expect("an answer").1
    };
    let text = |value: &Value, name: &str| value[name].as_str().expect("text").to_string();
    let made = post("games", "", json!({"size": 9, "black": "human", "white": "human", "seat": "black"}));
    let (id, host, invitation) = (text(&made, "id"), text(&made, "token"), text(&made, "invitation"));
    post("invitation", "", json!({"invitation": invitation}));
    let guest = text(&post("join", "", json!({"invitation": invitation})), "token");
    post(&format!("games/{id}/moves"), &host, json!({"version": 0, "move": "C3"}));
    post(&format!("games/{id}/moves"), &guest, json!({"version": 0, "move": "C3"}));
    ask(site.address, "GET", &format!("games/{id}"), "nonsense-token", "");
    let logged = site.kill();
    assert!(logged.contains("moves 200"), "{logged}");
    let mut kept = HashMap::new();
    for shelf in std::fs::read_dir(folder.join("games")).expect("a folder") {
        for file in std::fs::read_dir(shelf.expect("a folder").path()).expect("files") {
            let path = file.expect("a file").path();
            kept.insert(path.clone(), std::fs::read_to_string(path).expect("text"));
        }
    }
    assert_eq!(kept.len(), 2);
    for secret in [&host, &guest, &invitation, &"nonsense-token".to_string()] {
        assert!(!logged.contains(secret) && kept.values().all(|text| !text.contains(secret)));
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_folder_is_used_by_one_program_and_the_outside_needs_a_name() {
    let folder = new_folder("used");
    let _site = Site::start(&folder, &[]);
    let fails = |options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_keima")).arg("serve").args(options).output().expect("it runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let data = folder.display().to_string();
    assert!(fails(&["--listen", "127.0.0.1:0", "--data", &data]).contains("another keima serve"));
    assert!(fails(&["--listen", "0.0.0.0:0", "--data", &data]).contains("--public-url"));
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn events_come_as_the_game_goes_on() {
    static VERSION: AtomicU64 = AtomicU64::new(0);
    let folder = new_folder("events");
    let site = Site::start(&folder, &[]);
    let game = make(site.address, "human");
    let mut stream = TcpStream::connect(site.address).expect("a connection");
    let head = format!("GET /api/v1/games/{}/events HTTP/1.1\r\nHost: {}\r\n\r\n", game.id, site.address);
    stream.write_all(head.as_bytes()).expect("sent");
    let reader = BufReader::new(stream.try_clone().expect("a stream"));
    let mut last = String::new();
    for line in reader.lines().map_while(Result::ok) {
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let state: Value = serde_json::from_str(data).expect("a state");
        last = state["last"].as_str().unwrap_or_default().to_string();
        if last == "C3" {
            break;
        }
        if VERSION.fetch_add(1, Ordering::Relaxed) == 0 {
            let write = json!({"version": 0, "move": "C3"}).to_string();
            ask(site.address, "POST", &format!("games/{}/moves", game.id), &game.token, &write).expect("an answer");
        }
    }
    assert_eq!(last, "C3");
    let _ = stream.shutdown(Shutdown::Both);
    drop(site);
    let _ = std::fs::remove_dir_all(&folder);
}
