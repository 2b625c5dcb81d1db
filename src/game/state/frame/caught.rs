//! Catches panics of background work, so that a result always arrives.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Error: background work has panicked, which is a bug.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("a bug in the program ({0})")]
pub struct Panicked(String);

/// Runs work and catches its panic. After a panic, the caller must drop all state that the work may
/// have left inconsistent.
///
/// # Errors
/// The work has panicked.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panicked(message(&*payload)))
}

/// First line of a panic's message.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.and_then(|text| text.lines().next()).unwrap_or("no reason is known").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_becomes_an_error_with_its_first_line() {
        assert_eq!(caught(|| 3), Ok(3));
        let number = 7;
        let error = caught(|| -> u8 { panic!("row {number}\nmore") }).unwrap_err();
        assert_eq!(error.to_string(), "a bug in the program (row 7)");
        assert_eq!(
            caught(|| -> u8 { panic!("plain") }).unwrap_err().to_string(),
            "a bug in the program (plain)"
        );
    }
}
