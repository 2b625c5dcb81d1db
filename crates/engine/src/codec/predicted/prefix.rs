//! Prefix codes of symbols, fixed by the map format.
//!
//! `lengths.txt` has one line per context with the code length, 0 to 9, of each symbol and, last,
//! of the escape. The codes are canonical, as in Deflate: sorted by length and then by symbol, and
//! counted up. The first bit of a code is written first.
//! A symbol of length 0 is too rare for a code: it is written as the escape and the symbol's number
//! in seven bits, so every chunk can be encoded.

use super::context::{CONTEXTS, Context};
use super::symbols::{COUNT, Symbol};
use std::sync::LazyLock;

/// Maximum length of a code in bits.
pub(super) const MAX_CODE_BITS: u32 = 9;
/// Index of the escape among the lengths.
pub(super) const ESCAPE: usize = COUNT;
/// Number of symbols plus the escape.
const CODED: usize = COUNT + 1;
/// Number of bits of a symbol's number after the escape.
pub(super) const ESCAPED_BITS: u32 = 7;

type Lengths = [[u8; CODED]; CONTEXTS];

/// The codes of all contexts.
pub(super) struct PrefixCodes {
    lengths: Box<Lengths>,
    codes: Box<[[u16; CODED]; CONTEXTS]>,
}

/// Prefix code of a symbol in a context.
pub(super) struct PrefixCode {
    pub context: Context,
    /// Number of a symbol, or [`ESCAPE`].
    pub symbol: usize,
    /// The code; its first bit is the lowest.
    pub code: u32,
    /// Length of the code.
    pub bits: u32,
}

/// The codes of the map format. A change would make existing maps unreadable.
pub(super) static CODES: LazyLock<PrefixCodes> =
    // The text is embedded, and a test parses it, so this cannot fail.
    LazyLock::new(|| {
        PrefixCodes::new(parse(include_str!("lengths.txt")).expect("lengths.txt is valid"))
    });

fn parse(text: &str) -> Option<Box<Lengths>> {
    let digits: Vec<u8> = text
        .split_whitespace()
        .flat_map(str::chars)
        .map_while(|c| Some(c.to_digit(16)? as u8))
        .collect();
    let rows: Vec<[u8; CODED]> = digits.as_chunks().0.to_vec();
    let complete = |row: &[u8; CODED]| {
        let whole = 1u32 << MAX_CODE_BITS;
        let part = |&length: &u8| if length == 0 { 0 } else { whole >> length };
        row.iter().all(|&l| u32::from(l) <= MAX_CODE_BITS)
            && row[ESCAPE] > 0
            && row.iter().map(part).sum::<u32>() == whole
    };
    (digits.len() == CONTEXTS * CODED && rows.iter().all(complete)).then_some(())?;
    rows.into_boxed_slice().try_into().ok()
}

impl PrefixCodes {
    fn new(lengths: Box<Lengths>) -> PrefixCodes {
        let mut codes = Box::new([[0; CODED]; CONTEXTS]);
        for (lengths, codes) in lengths.iter().zip(codes.iter_mut()) {
            let mut order: Vec<usize> = (0..CODED).filter(|&symbol| lengths[symbol] > 0).collect();
            order.sort_by_key(|&symbol| (lengths[symbol], symbol));
            let mut next = 0u32;
            let mut last = 0;
            for symbol in order {
                let length = u32::from(lengths[symbol]);
                next <<= length - last;
                last = length;
                codes[symbol] = (next.reverse_bits() >> (32 - length)) as u16;
                next += 1;
            }
        }
        PrefixCodes { lengths, codes }
    }

    /// All codes.
    pub(super) fn all(&self) -> impl Iterator<Item = PrefixCode> {
        let each =
            (0..CONTEXTS).flat_map(|context| (0..CODED).map(move |symbol| (context, symbol)));
        each.filter(|&(context, symbol)| self.lengths[context][symbol] > 0).map(
            |(context, symbol)| {
                let code = self.codes[context][symbol].into();
                let bits = self.lengths[context][symbol].into();
                PrefixCode { context: Context(context), symbol, code, bits }
            },
        )
    }

    /// Returns the code of a symbol and its length in bits.
    pub(super) fn code(&self, Context(context): Context, symbol: Symbol) -> (u32, u32) {
        let code = |index: usize| {
            (u32::from(self.codes[context][index]), u32::from(self.lengths[context][index]))
        };
        match code(usize::from(symbol.0)) {
            (_, 0) => {
                let (escape, length) = code(ESCAPE);
                (escape | u32::from(symbol.0) << length, length + ESCAPED_BITS)
            }
            coded => coded,
        }
    }
}

/// Number of occurrences of each symbol, by context.
pub(super) struct SymbolCounts([[u64; COUNT]; CONTEXTS]);

impl SymbolCounts {
    pub(super) fn new() -> SymbolCounts {
        SymbolCounts([[0; COUNT]; CONTEXTS])
    }

    pub(super) fn add(&mut self, context: Context, symbol: Symbol) {
        self.0[context.0][usize::from(symbol.0)] += 1;
    }

    /// Returns the optimal code lengths as text, one line per context.
    pub(super) fn lengths(&self) -> String {
        let line = |counts: &[u64; COUNT]| -> String {
            lengths(counts).iter().filter_map(|&length| char::from_digit(length, 10)).collect()
        };
        self.0.iter().map(|counts| line(counts) + "\n").collect()
    }
}

/// Huffman code lengths of at most [`MAX_CODE_BITS`]. Symbols too rare for the longest code use the
/// escape. If a code is still too long, the same amount is added to all weights until the longest
/// one fits.
fn lengths(counts: &[u64; COUNT]) -> [u32; CODED] {
    let total: u64 = counts.iter().sum();
    let mut weights = [0; CODED];
    let mut rare = 1;
    for (weight, &count) in weights.iter_mut().zip(counts) {
        if count << MAX_CODE_BITS >= total && count > 0 {
            *weight = count;
        } else {
            rare += count;
        }
    }
    weights[ESCAPE] = rare;
    loop {
        let coded = weights.iter().enumerate().filter(|(_, weight)| **weight > 0);
        let mut nodes: Vec<(u64, Vec<usize>)> =
            coded.map(|(symbol, &weight)| (weight, vec![symbol])).collect();
        // A code has at least one bit: next to a lone escape, another symbol takes the other bit.
        if nodes.len() == 1 {
            nodes.push((0, vec![0]));
        }
        let mut lengths = [0; CODED];
        while nodes.len() > 1 {
            // Ties are broken by the first symbol, so the result is deterministic.
            nodes.sort_by_key(|(weight, symbols)| std::cmp::Reverse((*weight, symbols[0])));
            let rarest = nodes.split_off(nodes.len() - 2);
            let weight = rarest.iter().map(|(weight, _)| weight).sum();
            let symbols: Vec<usize> = rarest.into_iter().flat_map(|(_, symbols)| symbols).collect();
            for &symbol in &symbols {
                lengths[symbol] += 1;
            }
            nodes.push((weight, symbols));
        }
        if lengths.iter().all(|&length| length <= MAX_CODE_BITS) {
            return lengths;
        }
        let more = weights.iter().sum::<u64>() / (2 << MAX_CODE_BITS) + 1;
        for weight in weights.iter_mut().filter(|weight| **weight > 0) {
            *weight += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_and_trained_lengths_are_complete() {
        assert!(parse(include_str!("lengths.txt")).is_some());
        assert!(parse("").is_none());
        // Shortening or lengthening one code makes the set over-full or incomplete.
        let text = include_str!("lengths.txt");
        assert!(parse(&text.replacen('5', "4", 1)).is_none());
        assert!(parse(&text.replacen('5', "6", 1)).is_none());
        // Any counts give complete codes.
        let mut counts = SymbolCounts::new();
        (0..COUNT as u8).for_each(|s| {
            (0..1u64 << (s % 20)).for_each(|_| counts.add(Context(usize::from(s % 30)), Symbol(s)))
        });
        assert!(parse(&counts.lengths()).is_some());
        assert!(parse(&SymbolCounts::new().lengths()).is_some());
    }
}
