//! Van Waveren's table (section 5), measured on any input: what the visibility of all cells costs in each codec.
//!
//! Bytes are those of all rows, each row packed by itself, as in the text; ours packs the whole matrix, and its index is counted.
//! (The text's "New" column leaves out each map's last row; here no column does.) Times are of one core, in nanoseconds a row,
//! all rows one after the other: *decode* makes bits of a row, *iterate* goes through its visible cells.

mod baked;
mod bsp;
mod bytes;
mod pvs_file;

use crate::lab::input::name_of;
use crate::save::catalogue::EXTENSION;
use crate::visibility::Matrix;
use crate::visibility::codec::{PackedMatrix, Quake, RowCodec, SevenBit, ZeroOne};
use bytes::Flaw;
use serde::Serialize;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// One line of the table, under the names it has as JSON.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// Cells.
    pub cells: u64,
    /// The part of all pairs of cells that do not see each other, from 0 to 1.
    pub occluded: f64,
    /// Bytes of the rows as they are.
    pub raw: u64,
    /// Bytes in Quake's codec.
    pub quake: u64,
    /// Bytes in the 12/4 codec.
    pub zero_one: u64,
    /// Bytes in the text's new codec.
    pub new: u64,
    /// Bytes in ours.
    pub ours: u64,
    /// Nanoseconds a row to decode, in the order of the columns above.
    pub decode_ns: Times,
    /// Nanoseconds a row to go through the visible cells, straight from the packed bytes.
    pub iterate_ns: Times,
}

/// A time for each codec.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Times {
    /// Quake's.
    pub quake: f64,
    /// The 12/4 codec.
    pub zero_one: f64,
    /// The text's new one.
    pub new: f64,
    /// Ours.
    pub ours: f64,
}

/// The largest file that is read.
const LARGEST_FILE: u64 = 1 << 30;

/// Steps of walking within which cells count as reachable.
const STEPS: usize = 8;

/// What there is to measure in a file: of a baked map what its cells see and what can be reached from them; else [`matrix_of`]
/// alone. Each with its name in the table.
///
/// # Errors
/// As [`matrix_of`]; the map is not baked, or not all of it, or has too many cells: one line.
pub fn matrices_of(path: &Path) -> Result<Vec<(String, Matrix)>, String> {
    let name = name_of(path);
    if path.extension().is_none_or(|e| e != EXTENSION) {
        return Ok(vec![(name, matrix_of(path)?)]);
    }
    let map = baked::Baked::open(path)?;
    let reachable = format!("{name}, {STEPS} steps");
    Ok(vec![(name, map.visible()?), (reachable, map.reachable(STEPS)?)])
}

/// The visibility in a file: `.pvs`, or `.bsp` of Quake, Half-Life and Quake III.
///
/// # Errors
/// The extension is another, the file cannot be read, or its content is malformed or too large: one line.
pub fn matrix_of(path: &Path) -> Result<Matrix, String> {
    let told = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
    let read: fn(&[u8]) -> Result<Matrix, Flaw> = match path.extension().and_then(|e| e.to_str()) {
        Some(e) if e.eq_ignore_ascii_case("pvs") => pvs_file::read,
        Some(e) if e.eq_ignore_ascii_case("bsp") => bsp::read,
        _ => {
            return Err(told(
                &"not a file with visibility in it; known are baked maps, .pvs and .bsp (Quake, Half-Life, Quake III)",
            ));
        }
    };
    let length = path.metadata().map_err(|e| told(&e))?.len();
    if length > LARGEST_FILE {
        return Err(told(&format!("{length} bytes are more than the {LARGEST_FILE} that are read")));
    }
    let file = std::fs::read(path).map_err(|e| told(&e))?;
    read(&file).map_err(|e| told(&e))
}

/// Times are the median of so many.
const REPEATS: usize = 5;

/// Packs a matrix with each codec, and takes the times. `progress` is told how much is done, from 0 to 1.
#[must_use]
pub fn measure(name: String, matrix: &Matrix, progress: &mut dyn FnMut(f32)) -> Row {
    let cells = matrix.cells();
    let quake = measure_rows::<Quake>(matrix);
    progress(0.2);
    let zero_one = measure_rows::<ZeroOne>(matrix);
    progress(0.4);
    let new = measure_rows::<SevenBit>(matrix);
    progress(0.6);
    let ours = measure_ours(matrix);
    progress(1.0);
    let times =
        |of: fn(&Measured) -> f64| Times { quake: of(&quake), zero_one: of(&zero_one), new: of(&new), ours: of(&ours) };
    Row {
        name,
        cells: cells as u64,
        occluded: matrix.occlusion_ratio(),
        raw: (cells * matrix.row_bytes()) as u64,
        quake: quake.bytes,
        zero_one: zero_one.bytes,
        new: new.bytes,
        ours: ours.bytes,
        decode_ns: times(|measured| measured.decode_ns),
        iterate_ns: times(|measured| measured.iterate_ns),
    }
}

struct Measured {
    bytes: u64,
    decode_ns: f64,
    iterate_ns: f64,
}

fn measure_rows<C: RowCodec>(matrix: &Matrix) -> Measured {
    let cells = matrix.cells();
    let (mut packed, mut starts) = (Vec::new(), Vec::with_capacity(cells));
    for row in matrix.rows() {
        starts.push(packed.len());
        C::encode(row, cells, &mut packed);
    }
    let mut row = vec![0; matrix.row_words()];
    // Rows that were just encoded are sound; were they not, the sums would show it.
    let decode_ns = time(cells, || {
        starts.iter().map(|&at| C::decode(&packed[at..], cells, &mut row).map_or(0, |read| read as u64)).sum()
    });
    let iterate_ns = time(cells, || {
        starts.iter().map(|&at| sum(C::cells(&packed[at..], cells).map(Result::unwrap_or_default))).sum()
    });
    Measured { bytes: packed.len() as u64, decode_ns, iterate_ns }
}

fn measure_ours(matrix: &Matrix) -> Measured {
    let packed = PackedMatrix::encode(matrix);
    let (cells, mut reader) = (matrix.cells(), packed.reader());
    let mut row = vec![0; matrix.row_words()];
    let decode_ns = time(cells, || {
        (0..cells)
            .map(|i| {
                reader.row(i, &mut row);
                row.first().copied().unwrap_or(0)
            })
            .fold(0, u64::wrapping_add)
    });
    let iterate_ns = time(cells, || (0..cells).map(|i| sum(reader.cells(i))).sum());
    Measured { bytes: packed.as_bytes().len() as u64, decode_ns, iterate_ns }
}

/// Something that needs each cell.
fn sum(cells: impl Iterator<Item = u32>) -> u64 {
    let mut sum = 0;
    for cell in cells {
        sum += u64::from(cell);
    }
    sum
}

/// Nanoseconds that `run` takes for each of so many rows; 0 where there are none.
fn time(rows: usize, mut run: impl FnMut() -> u64) -> f64 {
    let mut times = [0.0; REPEATS];
    for time in &mut times {
        let start = Instant::now();
        black_box(run());
        *time = start.elapsed().as_secs_f64();
    }
    times.sort_unstable_by(f64::total_cmp);
    if rows == 0 { 0.0 } else { times[REPEATS / 2] / rows as f64 * 1e9 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_the_table_is_what_the_codecs_give() {
        let mut matrix = Matrix::new(300);
        for i in 0..300 {
            (i..300.min(i + 40)).for_each(|j| matrix.set(i, j));
        }
        let mut done = Vec::new();
        let row = measure("test".to_owned(), &matrix, &mut |part| done.push(part));
        let bytes = |encode: fn(&[u64], usize, &mut Vec<u8>)| {
            let mut out = Vec::new();
            matrix.rows().for_each(|row| encode(row, 300, &mut out));
            out.len() as u64
        };
        assert_eq!((row.name.as_str(), row.cells, row.raw), ("test", 300, 300 * 38));
        assert_eq!([row.quake, row.zero_one, row.new], [Quake::encode, ZeroOne::encode, SevenBit::encode].map(bytes));
        assert_eq!(row.ours, PackedMatrix::encode(&matrix).as_bytes().len() as u64);
        assert!((row.occluded - matrix.occlusion_ratio()).abs() < 1e-12);
        assert!(done.is_sorted() && done.last() == Some(&1.0));
        let none = measure(String::new(), &Matrix::new(0), &mut |_| ());
        assert_eq!((none.raw, none.new, none.decode_ns.new, none.iterate_ns.ours), (0, 0, 0.0, 0.0));
    }

    #[test]
    fn files_without_visibility_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let refused = |name: &str, content: &[u8]| {
            let path = place.path().join(name);
            std::fs::write(&path, content).unwrap();
            let message = matrix_of(&path).unwrap_err();
            message.strip_prefix(&format!("{}: ", path.display())).map(str::to_owned).unwrap()
        };
        assert!(
            refused("model.vox", b"VOX ").starts_with("not a file with visibility in it; known are baked maps, .pvs")
        );
        assert_eq!(refused("map.PVS", &[1]), "byte 0: the file is cut off");
        assert!(refused("map.Bsp", &[1; 9]).starts_with("byte 0: not a map of Quake"));
        assert!(matrix_of(&place.path().join("none.pvs")).unwrap_err().contains("none.pvs: "));
    }
}
