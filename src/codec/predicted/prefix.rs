//! Prefix codes of fixed lengths, and the bits they are written in.
//!
//! `lengths.txt` has a line for each context, in it for each symbol, and at last for the escape, the length of its code, 1
//! to 9. The codes are canonical: shorter before longer, of equal length in order of the symbols, counted up as in Deflate;
//! and, as there, a code's first bit is the lowest of those still to be written. A symbol of length 0 is too rare for a
//! code: the escape is written, and the symbol's number in seven bits. So there is no chunk that cannot be written.

use super::context::{CONTEXTS, Context};
use super::symbols::{COUNT, Symbol};
use std::sync::LazyLock;

/// The longest code, in bits.
pub(super) const LONGEST: u32 = 9;
/// The escape's place among the lengths.
pub(super) const ESCAPE: usize = COUNT;
/// Symbols and the escape.
const CODED: usize = COUNT + 1;
/// Bits of a symbol that is written after the escape.
pub(super) const PLAIN: u32 = 7;

type Lengths = [[u8; CODED]; CONTEXTS];

/// The codes.
pub(super) struct Codes {
    lengths: Box<Lengths>,
    codes: Box<[[u16; CODED]; CONTEXTS]>,
}

/// The codes that maps are written in: they never change.
pub(super) static CODES: LazyLock<Codes> =
    // It is part of the program, and a test parses it.
    LazyLock::new(|| Codes::new(parse(include_str!("lengths.txt")).expect("lengths.txt is sound")));

fn parse(text: &str) -> Option<Box<Lengths>> {
    let digits: Vec<u8> =
        text.split_whitespace().flat_map(str::chars).map_while(|c| Some(c.to_digit(16)? as u8)).collect();
    let rows: Vec<[u8; CODED]> = digits.as_chunks().0.to_vec();
    let complete = |row: &[u8; CODED]| {
        let whole = 1u32 << LONGEST;
        let part = |&length: &u8| if length == 0 { 0 } else { whole >> length };
        row.iter().all(|&l| u32::from(l) <= LONGEST) && row[ESCAPE] > 0 && row.iter().map(part).sum::<u32>() == whole
    };
    (digits.len() == CONTEXTS * CODED && rows.iter().all(complete)).then_some(())?;
    rows.into_boxed_slice().try_into().ok()
}

impl Codes {
    fn new(lengths: Box<Lengths>) -> Codes {
        let mut codes = Box::new([[0; CODED]; CONTEXTS]);
        for (lengths, codes) in lengths.iter().zip(codes.iter_mut()) {
            let mut order: Vec<usize> = (0..CODED).filter(|&symbol| lengths[symbol] > 0).collect();
            order.sort_by_key(|&symbol| (lengths[symbol], symbol));
            let (mut next, mut last) = (0u32, 0);
            for symbol in order {
                let length = u32::from(lengths[symbol]);
                next <<= length - last;
                last = length;
                codes[symbol] = (next.reverse_bits() >> (32 - length)) as u16;
                next += 1;
            }
        }
        Codes { lengths, codes }
    }

    /// Each code there is: its context, its symbol or [`ESCAPE`], itself, and its bits.
    pub(super) fn all(&self) -> impl Iterator<Item = (Context, usize, u32, u32)> {
        let each = (0..CONTEXTS).flat_map(|context| (0..CODED).map(move |symbol| (context, symbol)));
        each.filter(|&(context, symbol)| self.lengths[context][symbol] > 0).map(|(context, symbol)| {
            (Context(context), symbol, self.codes[context][symbol].into(), self.lengths[context][symbol].into())
        })
    }

    /// The code of a symbol, and its bits.
    pub(super) fn code(&self, Context(context): Context, symbol: Symbol) -> (u32, u32) {
        let code = |place: usize| (u32::from(self.codes[context][place]), u32::from(self.lengths[context][place]));
        match code(usize::from(symbol.0)) {
            (_, 0) => {
                let (escape, length) = code(ESCAPE);
                (escape | u32::from(symbol.0) << length, length + PLAIN)
            }
            coded => coded,
        }
    }
}

/// Writes bits, the lowest first.
pub(super) struct BitWriter {
    out: Vec<u8>,
    bits: u64,
    count: u32,
}

impl BitWriter {
    /// Writes after these bytes.
    pub(super) fn after(out: Vec<u8>) -> BitWriter {
        BitWriter { out, bits: 0, count: 0 }
    }

    /// The lowest `count` bits, at most 32.
    pub(super) fn put(&mut self, bits: u32, count: u32) {
        self.bits |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.bits as u8);
            self.bits >>= 8;
            self.count -= 8;
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.out.push(self.bits as u8);
        }
        self.out
    }
}

/// How often each symbol came.
pub(super) struct Counts([[u64; COUNT]; CONTEXTS]);

impl Counts {
    pub(super) fn new() -> Counts {
        Counts([[0; COUNT]; CONTEXTS])
    }

    pub(super) fn add(&mut self, context: Context, symbol: Symbol) {
        self.0[context.0][usize::from(symbol.0)] += 1;
    }

    /// Lengths of codes for these, as lines.
    pub(super) fn lengths(&self) -> String {
        let line = |counts: &[u64; COUNT]| -> String {
            lengths(counts).iter().filter_map(|&length| char::from_digit(length, 10)).collect()
        };
        self.0.iter().map(|counts| line(counts) + "\n").collect()
    }
}

/// Huffman's lengths. What comes less often than the longest code is for is left to the escape; and where a code would be
/// longer than [`LONGEST`] all the same, all are made more frequent until none is.
fn lengths(counts: &[u64; COUNT]) -> [u32; CODED] {
    let total: u64 = counts.iter().sum();
    let (mut weights, mut rare) = ([0; CODED], 1);
    for (weight, &count) in weights.iter_mut().zip(counts) {
        match count << LONGEST >= total && count > 0 {
            true => *weight = count,
            false => rare += count,
        }
    }
    weights[ESCAPE] = rare;
    loop {
        let coded = weights.iter().enumerate().filter(|(_, weight)| **weight > 0);
        let mut nodes: Vec<(u64, Vec<usize>)> = coded.map(|(symbol, &weight)| (weight, vec![symbol])).collect();
        // A code has a bit at least: where there is only the escape, another symbol has the other.
        if nodes.len() == 1 {
            nodes.push((0, vec![0]));
        }
        let mut lengths = [0; CODED];
        while nodes.len() > 1 {
            // By the first symbol where weights are equal: the same counts give the same codes anywhere.
            nodes.sort_by_key(|(weight, symbols)| std::cmp::Reverse((*weight, symbols[0])));
            let rarest = nodes.split_off(nodes.len() - 2);
            let weight = rarest.iter().map(|(weight, _)| weight).sum();
            let symbols: Vec<usize> = rarest.into_iter().flat_map(|(_, symbols)| symbols).collect();
            symbols.iter().for_each(|&symbol| lengths[symbol] += 1);
            nodes.push((weight, symbols));
        }
        if lengths.iter().all(|&length| length <= LONGEST) {
            return lengths;
        }
        let more = weights.iter().sum::<u64>() / (2 << LONGEST) + 1;
        weights.iter_mut().filter(|weight| **weight > 0).for_each(|weight| *weight += more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lengths_are_sound() {
        assert!(parse(include_str!("lengths.txt")).is_some());
        assert!(parse("").is_none());
        // One code too short, one too long.
        let text = include_str!("lengths.txt");
        assert!(parse(&text.replacen('5', "4", 1)).is_none());
        assert!(parse(&text.replacen('5', "6", 1)).is_none());
        // Whatever was counted, the codes are complete.
        let mut counts = Counts::new();
        (0..COUNT as u8)
            .for_each(|s| (0..1u64 << (s % 20)).for_each(|_| counts.add(Context(usize::from(s % 30)), Symbol(s))));
        assert!(parse(&counts.lengths()).is_some());
        assert!(parse(&Counts::new().lengths()).is_some());
    }
}
