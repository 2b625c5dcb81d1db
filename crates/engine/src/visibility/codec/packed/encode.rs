//! The encoder of packed matrices.

use super::exp_golomb::{self, CodeWriter};
use super::layout::{
    EQUAL_ORDER, HEADER, KIND_ORDER, MAX_CELLS, MatrixLayout, ORDERS, RowRecordKind,
};
use super::packed_matrix::PackedMatrix;
use super::references::{self, RowChanges};
use crate::visibility::Matrix;
use crate::visibility::codec::ones;
use rustc_hash::FxHashMap;

impl PackedMatrix {
    /// Packs a matrix. Cells that are near in space should have near numbers. Panics if there are
    /// more than 2^20 cells.
    #[must_use]
    pub fn encode(matrix: &Matrix) -> PackedMatrix {
        assert!(matrix.cells() <= MAX_CELLS, "{} cells", matrix.cells());
        let rows: Vec<RowRecord> = rows(matrix);
        let orders = CodeOrders::best_for(&rows);
        let mut writer = CodeWriter::default();
        let starts: Vec<usize> =
            rows.iter().enumerate().map(|(i, row)| row.write(i, &orders, &mut writer)).collect();
        let records = writer.finish();

        let entry_bits = starts.last().map_or(0, |&last| usize::BITS - last.leading_zeros());
        let [[g0, g1], [g2, g3]] = orders.gaps;
        let mut bytes = Vec::with_capacity(
            HEADER + (rows.len() * entry_bits as usize).div_ceil(8) + records.len(),
        );
        bytes.extend((rows.len() as u32).to_le_bytes());
        // Both fit into a byte: an entry has at most the bits of a `usize`, an order is at most 15.
        bytes.push(entry_bits as u8);
        bytes.extend::<[u8; ORDERS]>([g0, g1, g2, g3, orders.counts].map(|order| order as u8));
        extend_packed(&mut bytes, &starts, entry_bits);
        let layout = MatrixLayout {
            cells: rows.len(),
            entry_bits,
            gaps: orders.gaps,
            counts: orders.counts,
            records: bytes.len(),
        };
        bytes.extend(records);
        PackedMatrix { bytes, layout }
    }
}

/// Size in bytes of a row of `cells` cells that is packed alone, without reference and index.
#[must_use]
pub fn lone_row_bytes(row: &[u64], cells: usize) -> usize {
    let changes = RowChanges::from_row(row, cells);
    let mut next = 0;
    let gaps = ones(changes.bits()).map(|change| change - std::mem::replace(&mut next, change + 1));
    let row = RowRecord { kind: RowRecordKind::Plain, gaps: gaps.collect() };
    let mut writer = CodeWriter::default();
    row.write(0, &CodeOrders::best_for(std::slice::from_ref(&row)), &mut writer);
    writer.finish().len()
}

/// Appends numbers of `bits` bits each, lowest bit first.
fn extend_packed(out: &mut Vec<u8>, numbers: &[usize], bits: u32) {
    let mut pending = 0u128;
    let mut count = 0;
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

/// The record of a row.
struct RowRecord {
    kind: RowRecordKind,
    gaps: Vec<u32>,
}

/// Computes the record of each row.
fn rows(matrix: &Matrix) -> Vec<RowRecord> {
    let cells = matrix.cells();
    let mut first_of: FxHashMap<&[u64], usize> = FxHashMap::default();
    let first: Vec<usize> =
        matrix.rows().enumerate().map(|(i, row)| *first_of.entry(row).or_insert(i)).collect();
    let is_first: Vec<bool> = first.iter().enumerate().map(|(i, &first)| i == first).collect();
    let changes: Vec<RowChanges> =
        matrix.rows().map(|row| RowChanges::from_row(row, cells)).collect();
    let references = references::choose(&changes, &is_first);
    let mut both = vec![0; matrix.row_words()];
    let row = |i: usize| {
        if first[i] != i {
            return RowRecord { kind: RowRecordKind::Equal(first[i]), gaps: Vec::new() };
        }
        both.copy_from_slice(changes[i].bits());
        let kind = references[i].map_or(RowRecordKind::Plain, |to| {
            both.iter_mut().zip(changes[to].bits()).for_each(|(word, other)| *word ^= other);
            RowRecordKind::ChangeOf(to)
        });
        let mut next = 0;
        let gap = |change| {
            let gap = change - next;
            next = change + 1;
            gap
        };
        RowRecord { kind, gaps: ones(&both).map(gap).collect() }
    };
    (0..cells).map(row).collect()
}

/// The Exp-Golomb orders that make the records shortest.
struct CodeOrders {
    gaps: [[u32; 2]; 2],
    counts: u32,
}

impl CodeOrders {
    fn best_for(rows: &[RowRecord]) -> CodeOrders {
        let mut gaps = [[[0; ORDERS_TRIED]; 2]; 2];
        let mut counts = [0; ORDERS_TRIED];
        for row in rows.iter().filter(|row| !matches!(row.kind, RowRecordKind::Equal(_))) {
            add(&mut counts, row.gaps.len() as u32);
            let gaps = &mut gaps[usize::from(row.kind != RowRecordKind::Plain)];
            for (i, &gap) in row.gaps.iter().enumerate() {
                add(&mut gaps[i % 2], gap);
            }
        }
        CodeOrders { gaps: gaps.map(|gaps| gaps.map(|bits| best(&bits))), counts: best(&counts) }
    }
}

const ORDERS_TRIED: usize = exp_golomb::MAX_ORDER as usize + 1;

/// Adds the length of a number's code to `bits`, for each order.
fn add(bits: &mut [u64; ORDERS_TRIED], number: u32) {
    (0..).zip(bits).for_each(|(order, bits)| *bits += u64::from(exp_golomb::length(number, order)));
}

fn best(bits: &[u64; ORDERS_TRIED]) -> u32 {
    (0..=exp_golomb::MAX_ORDER).min_by_key(|&order| bits[order as usize]).unwrap_or(0)
}

impl RowRecord {
    /// Appends the record of row `i`. Returns the byte at which it begins.
    fn write(&self, i: usize, orders: &CodeOrders, out: &mut CodeWriter) -> usize {
        let start = out.align();
        let kind = match self.kind {
            RowRecordKind::Plain => 0,
            RowRecordKind::Equal(_) => 1,
            RowRecordKind::ChangeOf(to) => 2 * to.abs_diff(i) as u32 + u32::from(to > i),
        };
        out.put(kind, KIND_ORDER);
        if let RowRecordKind::Equal(to) = self.kind {
            out.put((i - to) as u32 - 1, EQUAL_ORDER);
            return start;
        }
        out.put(self.gaps.len() as u32, orders.counts);
        let gaps = orders.gaps[usize::from(self.kind != RowRecordKind::Plain)];
        for (k, &gap) in self.gaps.iter().enumerate() {
            out.put(gap, gaps[k % 2]);
        }
        start
    }
}
