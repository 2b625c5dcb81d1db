//! Prefix codes of fixed lengths, and the bits they are written in.
//!
//! `lengths.txt` has a line for each context, in it for each symbol, and at last for the escape, the length of its code, 1
//! to 9. The codes are canonical: shorter before longer, of equal length in order of the symbols, counted up as in Deflate;
//! and, as there, a code's first bit is the lowest of those still to be written. A symbol of length 0 is too rare for a
//! code: the escape is written, and the symbol's number in seven bits. So there is no chunk that cannot be written.

use super::model::CONTEXTS;
use super::symbols::{COUNT, Symbol};
use std::sync::LazyLock;

/// The longest code, in bits. One table look-up decodes a symbol, and all tables stay in the nearest cache.
const LONGEST: u32 = 9;
/// The escape's place among the lengths.
const ESCAPE: usize = COUNT;
/// Symbols and the escape.
const CODED: usize = COUNT + 1;
/// Bits of a symbol that is written after the escape.
const PLAIN: u32 = 7;
/// Contexts, filled up to a power of two.
const ROWS: usize = CONTEXTS.next_power_of_two();

type Lengths = [[u8; CODED]; CONTEXTS];

/// The codes.
pub(super) struct Codes {
    lengths: Box<Lengths>,
    codes: Box<[[u16; CODED]; CONTEXTS]>,
    /// By the context and the next nine bits: the symbol, and, 8 bits lower, the length of its code.
    table: Box<[u16; ROWS << LONGEST]>,
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
        // The length is right by construction.
        let mut table: Box<[u16; ROWS << LONGEST]> =
            vec![0; ROWS << LONGEST].into_boxed_slice().try_into().expect("so many");
        for ((lengths, codes), row) in lengths.iter().zip(codes.iter_mut()).zip(table.chunks_mut(1 << LONGEST)) {
            let mut order: Vec<usize> = (0..CODED).filter(|&symbol| lengths[symbol] > 0).collect();
            order.sort_by_key(|&symbol| (lengths[symbol], symbol));
            let (mut next, mut last) = (0u32, 0);
            for symbol in order {
                let length = u32::from(lengths[symbol]);
                next <<= length - last;
                last = length;
                let code = next.reverse_bits() >> (32 - length);
                next += 1;
                codes[symbol] = code as u16;
                for entry in row[code as usize..].iter_mut().step_by(1 << length) {
                    *entry = (symbol as u16) << 8 | length as u16;
                }
            }
        }
        Codes { lengths, codes, table }
    }

    /// The code of a symbol, and its bits.
    pub(super) fn code(&self, context: usize, symbol: Symbol) -> (u32, u32) {
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

/// Zeros behind the bytes, so that eight can be read anywhere.
const PADDING: usize = 16;

/// Reads bits, the lowest first. Behind the last there are zeros without end; [`BitReader::finish`] tells.
pub(super) struct BitReader {
    table: &'static [u16; ROWS << LONGEST],
    bytes: Vec<u8>,
    /// The next byte for `bits`.
    at: usize,
    bits: u64,
    /// How many of `bits` are right.
    count: u32,
}

impl BitReader {
    pub(super) fn new(bytes: &[u8]) -> BitReader {
        let bytes = [bytes, &[0; PADDING]].concat();
        BitReader { table: &CODES.table, bytes, at: 0, bits: 0, count: 0 }
    }

    /// Takes in bytes, so that 56 bits can be read.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        let at = self.at.min(self.bytes.len() - 8);
        if let Some(eight) = self.bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            self.bits |= u64::from_le_bytes(*eight) << self.count;
        }
        self.at = at + ((63 - self.count) >> 3) as usize;
        self.count |= 56;
    }

    #[inline(always)]
    pub(super) fn symbol(&mut self, context: usize) -> Symbol {
        let entry = self.table[((context % ROWS) << LONGEST) | (self.bits as usize % (1 << LONGEST))];
        let length = u32::from(entry & 0xff);
        self.bits >>= length;
        self.count = self.count.wrapping_sub(length);
        let symbol = entry >> 8;
        if usize::from(symbol) == ESCAPE { self.escaped() } else { Symbol(symbol as u8) }
    }

    #[cold]
    fn escaped(&mut self) -> Symbol {
        Symbol(self.number(PLAIN) as u8)
    }

    /// A number of at most 32 bits.
    #[inline(always)]
    pub(super) fn number(&mut self, bits: u32) -> u32 {
        let number = self.bits & ((1 << bits) - 1);
        self.bits >>= bits;
        self.count = self.count.wrapping_sub(bits);
        number as u32
    }

    /// Makes sure that all was read, and no more.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn finish(&self) -> Result<(), String> {
        let there = (self.bytes.len() - PADDING) * 8;
        // At the padding's end `at` stays; it is more than there is even so.
        let used = self.at * 8 - self.count as usize;
        if used > there {
            return Err("the data ends too early".to_owned());
        }
        let rest = self.bytes[used / 8..].iter().enumerate();
        let rest: u32 = rest.map(|(i, &byte)| u32::from(if i == 0 { byte >> (used % 8) } else { byte })).sum();
        if there - used >= 8 || rest != 0 {
            return Err(format!("bits follow after the last voxel, from bit {used} on"));
        }
        Ok(())
    }
}

/// How often each symbol came.
pub(super) struct Counts([[u64; COUNT]; CONTEXTS]);

impl Counts {
    pub(super) fn new() -> Counts {
        Counts([[0; COUNT]; CONTEXTS])
    }

    pub(super) fn add(&mut self, context: usize, symbol: Symbol) {
        self.0[context][usize::from(symbol.0)] += 1;
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
        (0..COUNT as u8).for_each(|s| (0..1u64 << (s % 20)).for_each(|_| counts.add(usize::from(s % 30), Symbol(s))));
        assert!(parse(&counts.lengths()).is_some());
        assert!(parse(&Counts::new().lengths()).is_some());
    }

    #[test]
    fn bits_come_back() {
        let mut writer = BitWriter::after(vec![]);
        let mut written = vec![];
        for i in 0..20_000usize {
            let (context, symbol) = (i * 7 % CONTEXTS, Symbol((i * 31 % COUNT) as u8));
            let (number, bits) = ((i as u32).wrapping_mul(0x9e37_79b9) >> 1, (i % 32) as u32);
            let number = number & ((1u64 << bits) - 1) as u32;
            let (code, length) = CODES.code(context, symbol);
            writer.put(code, length);
            writer.put(number, bits);
            written.push((context, symbol, number, bits));
        }
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for (context, symbol, number, bits) in written {
            reader.refill();
            assert_eq!((reader.symbol(context), reader.number(bits)), (symbol, number));
        }
        assert_eq!(reader.finish(), Ok(()));
        reader.refill();
        reader.number(8);
        assert!(reader.finish().is_err_and(|e| e.contains("too early")));
    }
}
