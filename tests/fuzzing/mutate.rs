//! Changes inputs as damage or an attacker would. The same seed makes the same changes.

use super::repack;
use stonerun_lab::input::Random;

/// Maximum size of a changed input, in bytes.
const MAX_INPUT_BYTES: usize = 1 << 16;

/// A random number below `end`, which must not be 0.
fn below(random: &mut Random, end: usize) -> usize {
    (random.draw() >> 8) as usize % end
}

/// A random offset in a list of this length, end included. Offsets near the beginning, where
/// headers are, are more frequent.
fn place(random: &mut Random, length: usize) -> usize {
    let end = if random.draw() >> 60 < 6 { length.min(64) } else { length };
    below(random, end + 1)
}

/// A random range of a list.
fn stretch(random: &mut Random, length: usize) -> std::ops::Range<usize> {
    let start = place(random, length);
    let most = [4, 64, 4096][below(random, 3)];
    start..(start + below(random, most) + 1).min(length)
}

/// A number near which counts and sizes often go wrong.
fn number(random: &mut Random) -> Vec<u8> {
    let width = [1, 2, 4, 8][below(random, 4)];
    let bits = width as u32 * 8;
    let most = u64::MAX >> (64 - bits);
    let value = match below(random, 8) {
        0 => 0,
        1 => 1,
        2 => most,
        3 => most / 2,
        4 => most / 2 + 1,
        5 => most - 1,
        6 => 1 << below(random, bits as usize),
        _ => random.draw() >> below(random, 64),
    };
    let mut bytes = value.to_le_bytes()[..width].to_vec();
    if random.draw() >> 63 == 0 {
        bytes.reverse();
    }
    bytes
}

/// Makes one change to `bytes`. `other` is a second valid input.
fn change(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let longest = MAX_INPUT_BYTES.max(bytes.len());
    let at = place(random, bytes.len());
    match below(random, 10) {
        0 => bytes.truncate(at),
        1 | 2 if at < bytes.len() => bytes[at] ^= 1 << below(random, 8),
        3 if at < bytes.len() => {
            bytes[at] = bytes[at].wrapping_add([1, 255, 16, 128][below(random, 4)])
        }
        4 | 5 => {
            let number = number(random);
            let end = (at + number.len()).min(bytes.len());
            bytes[at..end].copy_from_slice(&number[..end - at]);
        }
        6 => drop(bytes.drain(stretch(random, bytes.len()))),
        7 => {
            let copied = bytes[stretch(random, bytes.len())].to_vec();
            let times = [1, 1, 2, 50][below(random, 4)];
            bytes.splice(at..at, copied.repeat(times));
        }
        8 => {
            let copied = other[stretch(random, other.len())].to_vec();
            let end = (at + copied.len()).min(bytes.len());
            bytes.splice(at..end, copied);
        }
        _ => {
            let inserted =
                if random.draw() >> 63 == 0 { number(random) } else { vec![0; below(random, 300)] };
            bytes.splice(at..at, inserted);
        }
    }
    bytes.truncate(longest);
}

/// `file` with some changes, usually one or two. If a format packs its content or has checksums,
/// the content is changed more often than the file, because otherwise nearly all inputs would fail
/// the first check.
pub fn mutated(random: &mut Random, kind: &str, file: &[u8], other: &[u8]) -> Vec<u8> {
    let count = 1 + random.draw().leading_zeros() % 6;
    let is_file = random.draw() >> 62 == 0;
    let mut changes = |bytes: &mut Vec<u8>, other: &[u8]| {
        for _ in 0..count {
            change(random, bytes, other);
        }
    };
    if is_file {
        let mut bytes = file.to_vec();
        changes(&mut bytes, other);
        return bytes;
    }
    repack::changed(kind, file, other, &mut changes)
}
