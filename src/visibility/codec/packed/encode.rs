//! Packing a matrix.

use super::code::{self, Writer};
use super::references::{self, Changes};
use super::{EQUAL_ORDER, HEADER, KIND_ORDER, Kind, Layout, MOST_CELLS, ORDERS, PackedMatrix};
use crate::visibility::Matrix;
use crate::visibility::codec::ones;
use rustc_hash::FxHashMap;

impl PackedMatrix {
    /// Packs a matrix. Its cells should be numbered so that those near in space are near in number. Panics where it has more
    /// than 2^20 cells.
    #[must_use]
    pub fn encode(matrix: &Matrix) -> PackedMatrix {
        assert!(matrix.cells() <= MOST_CELLS, "{} cells", matrix.cells());
        let rows: Vec<Row> = rows(matrix);
        let orders = Orders::of(&rows);
        let mut writer = Writer::default();
        let starts: Vec<usize> = rows.iter().enumerate().map(|(i, row)| row.write(i, &orders, &mut writer)).collect();
        let records = writer.finish();

        let entry_bits = starts.last().map_or(0, |&last| usize::BITS - last.leading_zeros());
        let [[g0, g1], [g2, g3]] = orders.gaps;
        let mut bytes = Vec::with_capacity(HEADER + (rows.len() * entry_bits as usize).div_ceil(8) + records.len());
        bytes.extend((rows.len() as u32).to_le_bytes());
        // Entries have at most as many bits as a length in memory, orders are at most 15.
        bytes.push(entry_bits as u8);
        bytes.extend::<[u8; ORDERS]>([g0, g1, g2, g3, orders.counts].map(|order| order as u8));
        extend_packed(&mut bytes, &starts, entry_bits);
        let layout =
            Layout { cells: rows.len(), entry_bits, gaps: orders.gaps, counts: orders.counts, records: bytes.len() };
        bytes.extend(records);
        PackedMatrix { bytes, layout }
    }
}

/// Bytes that the row of so many cells takes by itself, without a reference to another one, and without an index.
#[must_use]
pub fn lone_row_bytes(row: &[u64], cells: usize) -> usize {
    let changes = Changes::of(row, cells);
    let mut next = 0;
    let gaps = ones(changes.bits()).map(|change| change - std::mem::replace(&mut next, change + 1));
    let row = Row { kind: Kind::Plain, gaps: gaps.collect() };
    let mut writer = Writer::default();
    row.write(0, &Orders::of(std::slice::from_ref(&row)), &mut writer);
    writer.finish().len()
}

/// Appends numbers of so many bits each.
fn extend_packed(out: &mut Vec<u8>, numbers: &[usize], bits: u32) {
    let (mut pending, mut count) = (0u128, 0);
    for &number in numbers {
        pending |= (number as u128) << count;
        count += bits;
        while count >= 8 {
            out.push(pending as u8);
            pending >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        out.push(pending as u8);
    }
}

/// What is written of a row.
struct Row {
    kind: Kind,
    gaps: Vec<u32>,
}

fn rows(matrix: &Matrix) -> Vec<Row> {
    let cells = matrix.cells();
    let mut first_of: FxHashMap<&[u64], usize> = FxHashMap::default();
    let first: Vec<usize> = matrix.rows().enumerate().map(|(i, row)| *first_of.entry(row).or_insert(i)).collect();
    let is_first: Vec<bool> = first.iter().enumerate().map(|(i, &first)| i == first).collect();
    let changes: Vec<Changes> = matrix.rows().map(|row| Changes::of(row, cells)).collect();
    let references = references::choose(&changes, &is_first);
    let mut both = vec![0; matrix.row_words()];
    let row = |i: usize| {
        if first[i] != i {
            return Row { kind: Kind::Equal(first[i]), gaps: Vec::new() };
        }
        both.copy_from_slice(changes[i].bits());
        let kind = references[i].map_or(Kind::Plain, |to| {
            both.iter_mut().zip(changes[to].bits()).for_each(|(word, other)| *word ^= other);
            Kind::Of(to)
        });
        let mut next = 0;
        let gap = |change| {
            let gap = change - next;
            next = change + 1;
            gap
        };
        Row { kind, gaps: ones(&both).map(gap).collect() }
    };
    (0..cells).map(row).collect()
}

/// The orders with which rows are shortest.
struct Orders {
    gaps: [[u32; 2]; 2],
    counts: u32,
}

impl Orders {
    fn of(rows: &[Row]) -> Orders {
        let mut gaps = [[[0; ORDERS_TRIED]; 2]; 2];
        let mut counts = [0; ORDERS_TRIED];
        for row in rows.iter().filter(|row| !matches!(row.kind, Kind::Equal(_))) {
            add(&mut counts, row.gaps.len() as u32);
            let gaps = &mut gaps[usize::from(row.kind != Kind::Plain)];
            row.gaps.iter().enumerate().for_each(|(i, &gap)| add(&mut gaps[i % 2], gap));
        }
        Orders { gaps: gaps.map(|gaps| gaps.map(|bits| best(&bits))), counts: best(&counts) }
    }
}

const ORDERS_TRIED: usize = code::MOST_ORDER as usize + 1;

/// Adds the bits of a number, by order.
fn add(bits: &mut [u64; ORDERS_TRIED], number: u32) {
    (0..).zip(bits).for_each(|(order, bits)| *bits += u64::from(code::length(number, order)));
}

fn best(bits: &[u64; ORDERS_TRIED]) -> u32 {
    (0..=code::MOST_ORDER).min_by_key(|&order| bits[order as usize]).unwrap_or(0)
}

impl Row {
    /// Appends the record of row `i`. Where it begins.
    fn write(&self, i: usize, orders: &Orders, out: &mut Writer) -> usize {
        let start = out.align();
        let kind = match self.kind {
            Kind::Plain => 0,
            Kind::Equal(_) => 1,
            Kind::Of(to) => 2 * to.abs_diff(i) as u32 + u32::from(to > i),
        };
        out.put(kind, KIND_ORDER);
        if let Kind::Equal(to) = self.kind {
            out.put((i - to) as u32 - 1, EQUAL_ORDER);
            return start;
        }
        out.put(self.gaps.len() as u32, orders.counts);
        let gaps = orders.gaps[usize::from(self.kind != Kind::Plain)];
        self.gaps.iter().enumerate().for_each(|(k, &gap)| out.put(gap, gaps[k % 2]));
        start
    }
}
