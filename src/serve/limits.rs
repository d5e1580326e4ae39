//! How much one address may ask for: buckets that fill with time, and streams that are counted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::call::CallError;
use super::queue::Client;

/// Addresses remembered; beyond them those with full buckets are forgotten.
const REMEMBERED: usize = 50_000;

/// A limit: so many at once, and so many more each second. A school class shares one address, so that these are for thirty people.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// What a bucket holds.
    pub burst: f64,
    /// What flows in each second.
    pub per_second: f64,
}

/// Moves and everything else that writes.
pub const WRITES: Rate = Rate { burst: 120.0, per_second: 12.0 };
/// Questions without a write: states, pages, assets.
pub const READS: Rate = Rate { burst: 600.0, per_second: 60.0 };
/// New games.
pub const GAMES: Rate = Rate { burst: 40.0, per_second: 10.0 / 60.0 };
/// Hints and other looks at a position.
pub const HINTS: Rate = Rate { burst: 30.0, per_second: 1.0 };
/// Tries of an invitation.
pub const INVITATIONS: Rate = Rate { burst: 60.0, per_second: 1.0 };
/// Streams and long polls of one address at the same time.
pub const STREAMS: usize = 100;

#[derive(Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

/// A limit with the buckets of all addresses.
#[derive(Debug)]
pub struct Limit {
    rate: Rate,
    buckets: Mutex<HashMap<Client, Bucket>>,
}

impl Limit {
    /// A limit that nobody has touched yet.
    pub fn new(rate: Rate) -> Limit {
        Limit { rate, buckets: Mutex::default() }
    }

    /// Takes one out of the bucket of an address.
    ///
    /// # Errors
    /// When it is empty.
    pub fn take(&self, client: Client, now: Instant) -> Result<(), CallError> {
        let Rate { burst, per_second } = self.rate;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let level = |bucket: &Bucket| {
            (bucket.left + now.saturating_duration_since(bucket.at).as_secs_f64() * per_second).min(burst)
        };
        if buckets.len() >= REMEMBERED && !buckets.contains_key(&client) {
            buckets.retain(|_, bucket| level(bucket) < burst);
            if buckets.len() >= REMEMBERED {
                return Err(CallError::TooFast(60));
            }
        }
        let left = buckets.get(&client).map_or(burst, level);
        if left < 1.0 {
            return Err(CallError::TooFast(((1.0 - left) / per_second).ceil() as u64));
        }
        buckets.insert(client, Bucket { left: left - 1.0, at: now });
        Ok(())
    }
}

/// The streams that are open, by address.
#[derive(Debug, Default)]
pub struct Streams(Mutex<HashMap<Client, usize>>);

/// A place among the streams; dropping it gives it back.
#[derive(Debug)]
pub struct StreamPlace {
    streams: Arc<Streams>,
    client: Client,
}

impl Streams {
    /// A place for one more stream.
    ///
    /// # Errors
    /// When the address has too many.
    pub fn take(self: &Arc<Streams>, client: Client) -> Result<StreamPlace, CallError> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(client).or_default();
        if *count >= STREAMS {
            return Err(CallError::Unavailable("too-many-streams"));
        }
        *count += 1;
        Ok(StreamPlace { streams: Arc::clone(self), client })
    }

    /// How many are open.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::{Limit, Rate, STREAMS, Streams};
    use crate::serve::call::CallError;
    use crate::serve::queue::Client;

    #[test]
    fn a_bucket_empties_fills_again_and_is_nobody_elses() {
        let limit = Limit::new(Rate { burst: 3.0, per_second: 0.5 });
        let (a, b) = (Client::at([192, 0, 2, 1].into()), Client::at([192, 0, 2, 2].into()));
        let begin = Instant::now();
        let take = |client, seconds| limit.take(client, begin + Duration::from_secs(seconds));
        assert!((0..3).all(|_| take(a, 0).is_ok()));
        assert_eq!(take(a, 0), Err(CallError::TooFast(2)));
        assert!(take(b, 0).is_ok());
        assert!(take(a, 2).is_ok() && take(a, 2).is_err());
    }

    #[test]
    fn streams_are_counted_while_they_are_open() {
        let streams = Arc::new(Streams::default());
        let client = Client::at([192, 0, 2, 1].into());
        let open: Vec<_> = (0..STREAMS).map(|_| streams.take(client).expect("room")).collect();
        assert!(streams.take(client).is_err() && streams.count() == STREAMS);
        drop(open);
        assert!(streams.take(client).is_ok() && streams.count() == 0);
    }
}
