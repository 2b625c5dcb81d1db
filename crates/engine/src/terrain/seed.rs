//! Seeds: parsed from text, or random.

use std::hash::{BuildHasher, Hasher, RandomState};

/// The seed for `text`: its value if it is an integer, else its hash (FNV-1a, stable across
/// machines and versions); `None` if it is blank.
#[must_use]
pub fn from_text(text: &str) -> Option<u64> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let number =
        text.parse::<u64>().ok().or_else(|| text.parse::<i64>().ok().map(i64::cast_unsigned));
    Some(number.unwrap_or_else(|| fnv(text.as_bytes())))
}

/// The seed as a number that [`from_text`] accepts: negative numbers stay negative.
#[must_use]
pub fn to_text(seed: u64) -> String {
    seed.cast_signed().to_string()
}

/// The trimmed text if [`from_text`] hashes it; `None` for a number or blank text.
#[must_use]
pub fn word(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_number = text.parse::<u64>().is_ok() || text.parse::<i64>().is_ok();
    (!text.is_empty() && !is_number).then_some(text)
}

/// A random seed, with at most nine digits so it is easy to share. Comes from the random keys of
/// the standard library's hash maps instead of a clock, which may stand still.
#[must_use]
pub fn random() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_parses_to_number_or_hash() {
        assert_eq!(from_text("  "), None);
        assert_eq!(from_text(" 42 "), Some(42));
        assert_eq!(from_text("-1"), Some(u64::MAX));
        assert_eq!(from_text("18446744073709551615"), Some(u64::MAX));
        assert_eq!([0, 42, u64::MAX, u64::MAX - 4].map(to_text), ["0", "42", "-1", "-5"]);
        let words = from_text("granite");
        assert_eq!(words.map(to_text).and_then(|text| from_text(&text)), words);
        // FNV-1a of "a", from its authors' test vectors.
        assert_eq!(from_text("a"), Some(0xaf63_dc4c_8601_ec8c));
        assert_ne!(from_text("granite"), from_text("Granite"));
        assert!(random() < 1_000_000_000);
        assert!((0..10).any(|_| random() != random()));
        assert_eq!(
            [" granite ", "42", "-1", " ", "4 2"].map(word),
            [Some("granite"), None, None, None, Some("4 2")]
        );
    }
}
