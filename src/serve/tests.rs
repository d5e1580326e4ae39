//! The site from within: whole games by requests, without a socket.

mod fuzz;
mod games;
mod refusals;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::Parser;
use hyper::body::Body as HttpBody;
use hyper::{Method, Request, Response};
use serde_json::{Value, json};

use super::body::Body;
use super::hall::Hall;
use super::http::{App, Limits, answer};
use super::options::ServeOptions;
use super::queue::{Answer, Queue, Task};
use super::seats::draw_seed;
use super::store::Store;
use super::{app, worker};
use crate::geometry::Move;
use crate::rng::Rng;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    options: ServeOptions,
}

/// Who plays for Keima.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Engine {
    Real,
    /// Answers at once with any legal move, now and then with a pass.
    Quick,
}

/// A site in a folder of its own, which goes with it.
struct Site {
    app: Arc<App>,
    folder: PathBuf,
    runtime: tokio::runtime::Runtime,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.app.hall.queue.close();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// An answer read to its end.
struct Reply {
    status: u16,
    head: Response<()>,
    text: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// One player's way to a game.
#[derive(Clone)]
struct Player {
    id: String,
    token: String,
}

fn new_folder() -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = format!("keima-serve-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    std::env::temp_dir().join(name)
}

fn quick_worker(queue: &Queue) {
    let mut rng = Rng::new(draw_seed().expect("random"));
    while let Some(job) = queue.next() {
        let number = job.number();
        let found = match &job.task {
            Task::Move { game, .. } => {
                let points: Vec<_> = game.board().empty_points().to_vec();
                let legal = points.into_iter().map(Move::Play).filter(|&mv| game.check(game.to_move(), mv).is_ok());
                let legal: Vec<Move> = legal.collect();
                let passes = legal.is_empty() || rng.percent(10);
                Answer::Move(if passes { Move::Pass } else { legal[rng.below(legal.len())] })
            }
            Task::Judgement(_) => Answer::Dead(Vec::new()),
            Task::Hint { .. } => Answer::Hints(vec![(Move::Pass, 1.0)]),
        };
        drop(job.answer.send(found));
        queue.finish(number);
    }
}

impl Site {
    fn new(arguments: &str, engine: Engine) -> Site {
        Site::in_folder(new_folder(), arguments, engine)
    }

    fn in_folder(folder: PathBuf, arguments: &str, engine: Engine) -> Site {
        let arguments = std::iter::once("serve").chain(arguments.split_whitespace());
        let options = Cli::try_parse_from(arguments).expect("valid options").options;
        let store = Store::open(&folder).expect("a folder");
        let queue = Arc::new(Queue::new(usize::from(options.queue)));
        let waiting = Arc::clone(&queue);
        std::thread::spawn(move || match engine {
            Engine::Real => worker::work(&waiting),
            Engine::Quick => quick_worker(&waiting),
        });
        let hall = Arc::new(Hall::new(store, queue, options.rules()).expect("readable"));
        let mut app = app(&options, options.listen, hall);
        app.delay = Duration::ZERO;
        app.limits = Limits::none();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        Site { app: Arc::new(app), folder, runtime }
    }

    /// The same games after a restart.
    fn restarted(self) -> Site {
        let folder = self.folder.clone();
        let aside = folder.with_extension("moved");
        std::fs::rename(&folder, &aside).expect("moved");
        drop(self);
        std::fs::rename(&aside, &folder).expect("moved back");
        Site::in_folder(folder, "", Engine::Quick)
    }

    fn send(&self, request: Request<Body>) -> Reply {
        let response = self.runtime.block_on(answer(&self.app, request, [127, 0, 0, 1].into(), || {}));
        let (head, body) = response.into_parts();
        let text = match body {
            Body::Full(bytes) => String::from_utf8(bytes.unwrap_or_default().to_vec()).expect("text"),
            // Until the first event; the retry comes before it.
            Body::Events(mut events) => {
                let first = self.runtime.block_on(async { (events.recv().await, events.recv().await) });
                first.1.map_or(String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
            }
        };
        Reply { status: head.status.as_u16(), head: Response::from_parts(head, ()), text }
    }

    fn request(method: Method, path: &str, token: Option<&str>, body: Option<&str>) -> Request<Body> {
        let mut request = Request::builder().method(method).uri(path).header("host", "127.0.0.1:8361");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        request.body(Body::from(body.unwrap_or_default().as_bytes().to_vec())).expect("a request")
    }

    fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Reply {
        let path = format!("/api/v1/{path}");
        self.send(Site::request(Method::POST, &path, token, Some(&body.to_string())))
    }

    fn get(&self, path: &str, token: Option<&str>) -> Reply {
        self.send(Site::request(Method::GET, &format!("/api/v1/{path}"), token, None))
    }

    /// Makes a game, and gives its maker and the invitation.
    fn make(&self, game: &Value) -> (Player, Option<String>) {
        let reply = self.post("games", None, game);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let made = reply.json();
        let text = |name: &str| made[name].as_str().map(str::to_string);
        (Player { id: text("id").expect("an id"), token: text("token").expect("a token") }, text("invitation"))
    }

    /// Two friends at a game.
    fn friends(&self, game: &Value) -> (Player, Player) {
        let mut wanted = json!({"size": 5, "black": "human", "white": "human", "seat": "black"});
        for (name, value) in game.as_object().expect("fields") {
            wanted[name] = value.clone();
        }
        let (host, invitation) = self.make(&wanted);
        let joined = self.post("join", None, &json!({"invitation": invitation}));
        assert_eq!(joined.status, 200, "{}", joined.text);
        let token = joined.json()["token"].as_str().expect("a token").to_string();
        let guest = Player { id: host.id.clone(), token };
        (host, guest)
    }

    fn state(&self, player: &Player) -> Value {
        self.get(&format!("games/{}", player.id), Some(&player.token)).json()
    }

    /// Does something with the version seen last.
    fn act(&self, player: &Player, action: &str, fields: &Value) -> Reply {
        let mut body = json!({"version": self.state(player)["version"]});
        for (name, value) in fields.as_object().expect("fields") {
            body[name] = value.clone();
        }
        self.post(&format!("games/{}/{action}", player.id), Some(&player.token), &body)
    }

    /// Plays moves one after the other, by whoever is to move.
    fn play(&self, black: &Player, white: &Player, moves: &str) {
        for mv in moves.split_whitespace() {
            let is_black = self.state(black)["to_move"] == "black";
            let reply = self.act(if is_black { black } else { white }, "moves", &json!({"move": mv}));
            assert_eq!(reply.status, 200, "{mv}: {}", reply.text);
        }
    }

    /// The state as soon as it is as wished.
    fn wait_for(&self, player: &Player, wished: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..6000 {
            let state = self.state(player);
            if wished(&state) {
                return state;
            }
            self.runtime.block_on(async { tokio::time::sleep(Duration::from_millis(5)).await });
        }
        panic!("never so: {}", self.state(player));
    }
}

/// Whether a body is one that ends.
fn ends(body: &Body) -> bool {
    body.size_hint().exact().is_some()
}
