//! The limit of requests for each client, by its address.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

/// How many clients are remembered before those that sent nothing lately are forgotten.
const CLIENTS: usize = 10_000;

/// A limit of requests a minute. They may come at once, and then as fast as the minute allows.
pub(crate) struct RateLimit<C: Clock = DefaultClock> {
    limiter: RateLimiter<IpAddr, HashMapStateStore<IpAddr>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
}

impl RateLimit {
    /// A limit of so many requests a minute.
    pub(crate) fn per_minute(requests: NonZeroU32) -> RateLimit {
        RateLimit::by(requests, DefaultClock::default())
    }
}

impl<C: Clock + Clone> RateLimit<C> {
    fn by(requests: NonZeroU32, clock: C) -> RateLimit<C> {
        let (store, quota) = (HashMapStateStore::default(), Quota::per_minute(requests));
        RateLimit { limiter: RateLimiter::new(quota, store, clock.clone()), clock }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The seconds to wait, where there were too many.
    pub(super) fn count(&self, client: IpAddr) -> Result<(), u64> {
        if self.limiter.len() > CLIENTS {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&network(client)).map_err(|refused| {
            let wait = refused.wait_time_from(self.clock.now());
            wait.as_millis().div_ceil(1_000).max(1) as u64
        })
    }
}

/// What counts as one client: an address, or in IPv6 the network of 64 bits that one household has.
fn network(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use governor::clock::FakeRelativeClock;

    use super::*;

    #[test]
    fn each_client_has_its_requests_a_minute() {
        let clock = FakeRelativeClock::default();
        let limit = RateLimit::by(NonZeroU32::new(3).unwrap(), clock.clone());
        let count = |client: &str| limit.count(client.parse().unwrap());
        assert_eq!([count("10.0.0.1"), count("10.0.0.1"), count("10.0.0.1")], [Ok(()); 3]);
        assert_eq!(count("10.0.0.1"), Err(20));
        assert_eq!(count("10.0.0.2"), Ok(()));
        clock.advance(Duration::from_secs(5));
        assert_eq!(count("10.0.0.1"), Err(15));
        clock.advance(Duration::from_secs(15));
        assert_eq!(count("10.0.0.1"), Ok(()));
        assert_eq!(count("10.0.0.1"), Err(20));
    }

    #[test]
    fn a_client_is_an_address_or_a_network() {
        for (client, expected) in
            [("10.0.0.1", "10.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::")]
        {
            assert_eq!(network(client.parse().unwrap()).to_string(), expected);
        }
    }
}
