//! A board in the browser: a site from the same program, on which people play Keima or one another.
//!
//! The server alone knows the rules: it sends every position with what is closed and why, and the page shows it. One thread waits for all clients; what
//! touches the disk and what thinks has threads of its own.
//!
//! | module | what it answers |
//! |---|---|
//! | `options` | What can be chosen, and what the start tells |
//! | `connections` | How many connections, how long each may take |
//! | `http`, `routes`, `writes`, `reply` | From a request to an answer |
//! | `guard`, `limits` | Whose requests are answered, and how many |
//! | `request`, `call`, `body` | What requests say, why they are refused, how both travel |
//! | `table` | One game as a machine of states: open, playing, counting, over |
//! | `charter`, `seats` | Who plays, and how that is proved |
//! | `notes`, `store` | How a game becomes two files, and how these survive anything |
//! | `room`, `hall` | A game with its watchers; all games |
//! | `view`, `count`, `events` | What is shown, and how whoever watches learns of it |
//! | `queue`, `worker`, `attend` | The engine's part: whose turn, the thinking, the answer carried out |
//! | `first_capture` | The first game of many beginners |
//! | `assets` | The files of the page |

mod assets;
mod attend;
mod body;
mod call;
mod charter;
mod connections;
mod count;
mod events;
mod first_capture;
mod guard;
mod hall;
mod http;
mod limits;
mod notes;
mod options;
mod queue;
mod reply;
mod request;
mod room;
mod routes;
mod seats;
mod store;
mod table;
#[cfg(test)]
mod tests;
mod view;
mod worker;
mod writes;

use std::fmt;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::net::TcpListener;

use assets::Assets;
use guard::Guard;
use hall::Hall;
use http::{About, App, Limits};
pub use options::ServeOptions;
use queue::Queue;
use store::{Store, StoreError};

/// How often games that have expired are looked for.
const SWEEP: Duration = Duration::from_secs(3600);
/// Requests that may wait for the disk at the same time.
const DISK_THREADS: usize = 16;

/// Why the site cannot be started.
#[derive(Debug)]
pub enum ServeError {
    /// An address of the outside without the name under which it is known.
    NoPublicUrl(SocketAddr),
    /// The address cannot be listened at.
    Listen(SocketAddr, io::Error),
    /// Games cannot be kept.
    Store(StoreError),
    /// The system does not give what is needed.
    System(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::NoPublicUrl(address) => write!(
                f,
                "others could reach {address}: say with --public-url which address they use, such as http://{address}"
            ),
            ServeError::Listen(address, error) => write!(f, "cannot listen at {address}: {error}"),
            ServeError::Store(error) => error.fmt(f),
            ServeError::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ServeError {}

/// Runs the site until the process ends. `output` is told where it is.
///
/// # Errors
/// When it cannot be started.
pub fn run(options: &ServeOptions, output: &mut impl Write) -> Result<(), ServeError> {
    if !options.listen.ip().is_loopback() && options.public_url.is_none() {
        return Err(ServeError::NoPublicUrl(options.listen));
    }
    let store = Store::open(&options.data).map_err(ServeError::Store)?;
    let queue = Arc::new(Queue::new(usize::from(options.queue)));
    for number in 0..options.workers() {
        let queue = Arc::clone(&queue);
        let thread = std::thread::Builder::new().name(format!("engine-{number}"));
        thread.spawn(move || worker::work(&queue)).map_err(ServeError::System)?;
    }
    let hall = Arc::new(Hall::new(store, queue, options.rules()).map_err(ServeError::Store)?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(DISK_THREADS)
        .build()
        .map_err(ServeError::System)?;
    runtime.block_on(async {
        let cannot_listen = |error| ServeError::Listen(options.listen, error);
        let listener = TcpListener::bind(options.listen).await.map_err(cannot_listen)?;
        let listen = listener.local_addr().map_err(cannot_listen)?;
        // Whoever does not read this can still play.
        let _ = write!(output, "{}", options.greeting(listen, hall.games(), hall.broken));
        let _ = output.flush();
        let app = Arc::new(app(options, listen, Arc::clone(&hall)));
        tokio::spawn(sweep(hall));
        connections::accept(listener, app, usize::from(options.connections)).await;
        Ok(())
    })
}

/// The site of these options.
fn app(options: &ServeOptions, listen: SocketAddr, hall: Arc<Hall>) -> App {
    App {
        hall,
        guard: Guard::new(listen, options.public_url.as_ref(), options.trust_proxy),
        assets: Assets::new(options.web_dir.clone(), options.lang),
        about: About {
            language: options.lang,
            public_url: options.public_url.clone(),
            claim_after: options.claim_after.as_secs(),
        },
        delay: options.delay,
        limits: Limits::default(),
        streams: Arc::default(),
        requests: AtomicU64::new(0),
    }
}

async fn sweep(hall: Arc<Hall>) {
    loop {
        let swept = Arc::clone(&hall);
        if let Ok(count @ 1..) = tokio::task::spawn_blocking(move || swept.sweep()).await {
            log::info!("{count} games have expired");
        }
        tokio::time::sleep(SWEEP).await;
    }
}
