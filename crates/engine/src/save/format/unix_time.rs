//! Times as records hold them: seconds since 1970 UTC.

use std::time::SystemTime;

/// Seconds since 1970 UTC; 0 if the clock is set before 1970.
#[must_use]
pub fn unix_now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}
