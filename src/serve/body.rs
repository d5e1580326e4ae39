//! Bodies of requests and answers.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::call::CallError;

/// How long the body of a request may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The body of an answer: a text, or events as they come.
#[derive(Debug)]
pub enum Body {
    /// All at once.
    Full(Option<Bytes>),
    /// Piece by piece, until whoever sends them goes.
    Events(mpsc::Receiver<Bytes>),
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Body {
        Body::Full(Some(bytes.into()))
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Body::Full(bytes) => {
                Poll::Ready(bytes.take().filter(|bytes| !bytes.is_empty()).map(|b| Ok(Frame::data(b))))
            }
            Body::Events(events) => events.poll_recv(context).map(|next| next.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Body::Full(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Body::Full(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Body::Events(_) => SizeHint::default(),
        }
    }
}

/// Reads the body of a request.
///
/// # Errors
/// When it has more than `most` bytes, does not come in time or breaks off.
pub async fn read<B: HttpBody>(body: B, most: usize) -> Result<Vec<u8>, CallError> {
    if body.size_hint().lower() > most as u64 {
        return Err(CallError::TooLarge);
    }
    let mut body = pin!(body);
    let whole = async {
        let mut bytes = Vec::new();
        while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
            let frame = frame.map_err(|_| CallError::BadRequest("body".to_string()))?;
            let Ok(mut data) = frame.into_data() else { continue };
            while hyper::body::Buf::has_remaining(&data) {
                let piece = hyper::body::Buf::chunk(&data);
                let length = piece.len();
                if bytes.len() + length > most {
                    return Err(CallError::TooLarge);
                }
                bytes.extend_from_slice(piece);
                hyper::body::Buf::advance(&mut data, length);
            }
        }
        Ok(bytes)
    };
    timeout(PATIENCE, whole).await.unwrap_or(Err(CallError::Slow))
}
