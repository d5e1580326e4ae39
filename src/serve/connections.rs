//! Connections: how many there may be, how long each may take, and who has to go when there are too many.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future as _;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::{Sleep, sleep};

use super::http::{App, answer};

/// How long the head of a request may take, and a connection without a request.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// How long somebody may take none of what is sent.
const WRITE_PATIENCE: Duration = Duration::from_secs(20);
/// Bytes of the head of a request.
const HEAD_MOST: usize = 16 << 10;

struct Connection {
    abort: AbortHandle,
    /// Since when it has had no complete request.
    idle_since: Instant,
    /// Whether a complete request is being answered, or a stream is open.
    is_working: bool,
}

/// The connections that are open.
#[derive(Default)]
struct Open(Mutex<HashMap<u64, Connection>>);

impl Open {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_working(&self, number: u64, is_working: bool) {
        if let Some(connection) = self.lock().get_mut(&number) {
            connection.is_working = is_working;
            connection.idle_since = Instant::now();
        }
    }

    /// Makes room for one more: of those that have asked for nothing yet, the one that has been idle longest goes. False if all are at work.
    fn make_room(&self, most: usize) -> bool {
        let mut open = self.lock();
        if open.len() < most {
            return true;
        }
        let idle = open.iter().filter(|(_, connection)| !connection.is_working);
        let Some(number) = idle.min_by_key(|(_, connection)| connection.idle_since).map(|(&number, _)| number) else {
            return false;
        };
        if let Some(connection) = open.remove(&number) {
            connection.abort.abort();
        }
        true
    }
}

/// A place among the connections that is given back when the connection ends, however it ends.
struct Place {
    open: Arc<Open>,
    number: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.lock().remove(&self.number);
    }
}

/// Accepts connections for ever, `most` at a time.
pub async fn accept(listener: TcpListener, app: Arc<App>, most: usize) {
    let open = Arc::new(Open::default());
    let mut number = 0;
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of descriptors, or a client that has gone already: neither ends the site.
                log::warn!("a connection could not be accepted: {error}");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        if !open.make_room(most) {
            continue;
        }
        number += 1;
        let place = Place { open: Arc::clone(&open), number };
        // Entered before the task can run to its end, which removes it.
        let mut connections = open.lock();
        let task = tokio::spawn(serve(stream, peer, Arc::clone(&app), place));
        let connection = Connection { abort: task.abort_handle(), idle_since: Instant::now(), is_working: false };
        connections.insert(number, connection);
    }
}

async fn serve(stream: TcpStream, peer: SocketAddr, app: Arc<App>, place: Place) {
    // Moves are small and wanted at once.
    let _ = stream.set_nodelay(true);
    let (open, number) = (&place.open, place.number);
    let service = service_fn(|request: Request<Incoming>| {
        let app = &app;
        async move {
            let response = answer(app, request, peer.ip(), || open.set_working(number, true)).await;
            if !matches!(response.body(), super::body::Body::Events(_)) {
                open.set_working(number, false);
            }
            Ok::<_, Infallible>(response)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(HEAD_MOST)
        .serve_connection(TokioIo::new(Patient { stream, stalled: None }), service);
    // What goes wrong on a connection is the client's affair.
    if let Err(error) = connection.await {
        log::debug!("a connection ended: {error}");
    }
}

/// A connection that ends when nothing of what is sent is taken for a while.
struct Patient {
    stream: TcpStream,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn watched<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(WRITE_PATIENCE)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.watched(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, pieces);
        this.watched(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
