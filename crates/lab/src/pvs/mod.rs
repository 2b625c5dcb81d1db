//! The table of the visibility text (section 5): the size of the visibility of all cells in each
//! codec.
//!
//! Bytes are the sum of all rows, each packed by itself, as in the visibility text. The project's
//! codec packs the whole matrix, and its index counts too. (The visibility text's "New" column
//! omits each map's last row; no column here does.) Times are taken on one core, in nanoseconds per
//! row, with all rows read in order: *decode* produces the bits of a row, *iterate* visits its
//! visible cells.

mod baked_map;
mod bsp;
mod error;
mod file_error;
mod pvs_file;

pub use error::PvsError;
pub use file_error::MalformedFile;

use crate::input::{input_name, is_map};
use serde::Serialize;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use stonerun_engine::visibility::Matrix;
use stonerun_engine::visibility::codec::{PackedMatrix, Quake, RowCodec, SevenBit, ZeroOne};

/// Row of the table of codecs. Field names appear in the JSON output.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct PvsMeasurement {
    /// Name of the matrix.
    pub name: String,
    /// Number of cells.
    pub cells: u64,
    /// Share of the pairs of cells that do not see each other, from 0 to 1.
    pub occluded: f64,
    /// Bytes of the unpacked rows.
    pub raw: u64,
    /// Bytes in Quake's codec.
    pub quake: u64,
    /// Bytes in the 12/4 codec.
    pub zero_one: u64,
    /// Bytes in the visibility text's new codec.
    pub new: u64,
    /// Bytes in the project's codec.
    pub ours: u64,
    /// Nanoseconds to decode a row.
    pub decode_ns: CodecTimes,
    /// Nanoseconds to visit the visible cells of a row without unpacking it first.
    pub iterate_ns: CodecTimes,
}

/// Times of the codecs, in nanoseconds.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct CodecTimes {
    /// Quake's codec.
    pub quake: f64,
    /// The 12/4 codec.
    pub zero_one: f64,
    /// The visibility text's new codec.
    pub new: f64,
    /// The project's codec.
    pub ours: f64,
}

/// A matrix and its name in the table.
pub struct NamedMatrix {
    /// Name of the input, and of the relation between its cells.
    pub name: String,
    /// The matrix of cells by cells.
    pub matrix: Matrix,
}

/// Maximum size of `.pvs` and `.bsp` files, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Maximum number of steps to cells that count as reachable.
const REACHABLE_STEPS: usize = 8;

/// Reads all matrices of a file: visibility and reachability of a baked map, or else
/// [`read_matrix`] alone.
///
/// # Errors
/// Returns the errors of [`read_matrix`]. A map may also be incompletely baked, or have too many
/// cells.
pub fn read_matrices(path: &Path) -> Result<Vec<NamedMatrix>, PvsError> {
    let name = input_name(path);
    if !is_map(path) {
        return Ok(vec![NamedMatrix { name, matrix: read_matrix(path)? }]);
    }
    let map = baked_map::BakedMap::open(path)?;
    let reachable_name = format!("{name}, {REACHABLE_STEPS} steps");
    Ok(vec![
        NamedMatrix { name, matrix: map.visible()? },
        NamedMatrix { name: reachable_name, matrix: map.reachable(REACHABLE_STEPS)? },
    ])
}

/// Reads the visibility of a `.pvs` file, or of a `.bsp` file of Quake, Half-Life or Quake III.
///
/// # Errors
/// The extension is unknown, the file cannot be read, or its content is malformed or too large.
pub fn read_matrix(path: &Path) -> Result<Matrix, PvsError> {
    let file = || path.to_owned();
    let parse: fn(&[u8]) -> Result<Matrix, MalformedFile> =
        match path.extension().and_then(|e| e.to_str()) {
            Some(e) if e.eq_ignore_ascii_case("pvs") => pvs_file::read,
            Some(e) if e.eq_ignore_ascii_case("bsp") => bsp::read,
            _ => return Err(PvsError::UnknownFormat { file: file() }),
        };
    let read_error = |source| PvsError::Read { file: file(), source };
    let bytes = path.metadata().map_err(read_error)?.len();
    if bytes > MAX_FILE_BYTES {
        return Err(PvsError::TooLarge { file: file(), bytes });
    }
    let content = std::fs::read(path).map_err(read_error)?;
    parse(&content).map_err(|source| PvsError::Malformed { file: file(), source })
}

/// Number of repetitions of each measurement, the median of which counts.
const REPEATS: usize = 5;

/// Packs a matrix with each codec, and measures the times. `progress` receives the completed share,
/// from 0 to 1.
#[must_use]
pub fn measure(name: String, matrix: &Matrix, progress: &mut dyn FnMut(f32)) -> PvsMeasurement {
    let cells = matrix.cells();
    let quake = measure_rows::<Quake>(matrix);
    progress(0.2);
    let zero_one = measure_rows::<ZeroOne>(matrix);
    progress(0.4);
    let new = measure_rows::<SevenBit>(matrix);
    progress(0.6);
    let ours = measure_packed_matrix(matrix);
    progress(1.0);
    let times = |time: fn(&RowCodecMeasurement) -> f64| CodecTimes {
        quake: time(&quake),
        zero_one: time(&zero_one),
        new: time(&new),
        ours: time(&ours),
    };
    PvsMeasurement {
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

/// Size and times of one codec.
struct RowCodecMeasurement {
    bytes: u64,
    decode_ns: f64,
    iterate_ns: f64,
}

fn measure_rows<C: RowCodec>(matrix: &Matrix) -> RowCodecMeasurement {
    let cells = matrix.cells();
    let mut packed = Vec::new();
    let mut starts = Vec::with_capacity(cells);
    for row in matrix.rows() {
        starts.push(packed.len());
        C::encode(row, cells, &mut packed);
    }
    let mut row = vec![0; matrix.row_words()];
    // Decoding cannot fail on rows that were just encoded; an error would count as 0.
    let decode_ns = time_per_row(cells, || {
        starts
            .iter()
            .map(|&at| C::decode(&packed[at..], cells, &mut row).map_or(0, |read| read as u64))
            .sum()
    });
    let iterate_ns = time_per_row(cells, || {
        starts
            .iter()
            .map(|&at| sum(C::cells(&packed[at..], cells).map(Result::unwrap_or_default)))
            .sum()
    });
    RowCodecMeasurement { bytes: packed.len() as u64, decode_ns, iterate_ns }
}

fn measure_packed_matrix(matrix: &Matrix) -> RowCodecMeasurement {
    let packed = PackedMatrix::encode(matrix);
    let cells = matrix.cells();
    let mut reader = packed.reader();
    let mut row = vec![0; matrix.row_words()];
    let decode_ns = time_per_row(cells, || {
        (0..cells)
            .map(|i| {
                reader.row(i, &mut row);
                row.first().copied().unwrap_or(0)
            })
            .fold(0, u64::wrapping_add)
    });
    let iterate_ns = time_per_row(cells, || (0..cells).map(|i| sum(reader.cells(i))).sum());
    RowCodecMeasurement { bytes: packed.as_bytes().len() as u64, decode_ns, iterate_ns }
}

/// Sums the cell numbers, so that the compiler cannot skip a cell.
fn sum(cells: impl Iterator<Item = u32>) -> u64 {
    let mut sum = 0;
    for cell in cells {
        sum += u64::from(cell);
    }
    sum
}

/// Duration of `work` divided by `rows`, in nanoseconds; 0 if there are no rows.
fn time_per_row(rows: usize, mut work: impl FnMut() -> u64) -> f64 {
    let mut times = [0.0; REPEATS];
    for time in &mut times {
        let start = Instant::now();
        black_box(work());
        *time = start.elapsed().as_secs_f64();
    }
    times.sort_unstable_by(f64::total_cmp);
    if rows == 0 { 0.0 } else { times[REPEATS / 2] / rows as f64 * 1e9 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurement_has_the_sizes_of_the_codecs() {
        let mut matrix = Matrix::new(300);
        for i in 0..300 {
            for j in i..300.min(i + 40) {
                matrix.set(i, j);
            }
        }
        let mut reported = Vec::new();
        let row = measure("test".to_owned(), &matrix, &mut |done| reported.push(done));
        let bytes = |encode: fn(&[u64], usize, &mut Vec<u8>)| {
            let mut out = Vec::new();
            for row in matrix.rows() {
                encode(row, 300, &mut out);
            }
            out.len() as u64
        };
        assert_eq!((row.name.as_str(), row.cells, row.raw), ("test", 300, 300 * 38));
        assert_eq!(
            [row.quake, row.zero_one, row.new],
            [Quake::encode, ZeroOne::encode, SevenBit::encode].map(bytes)
        );
        assert_eq!(row.ours, PackedMatrix::encode(&matrix).as_bytes().len() as u64);
        assert!((row.occluded - matrix.occlusion_ratio()).abs() < 1e-12);
        assert!(reported.is_sorted() && reported.last() == Some(&1.0));
        let empty = measure(String::new(), &Matrix::new(0), &mut |_| ());
        assert_eq!(
            (empty.raw, empty.new, empty.decode_ns.new, empty.iterate_ns.ours),
            (0, 0, 0.0, 0.0)
        );
    }

    #[test]
    fn files_without_visibility_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let refused = |name: &str, content: &[u8]| {
            let path = place.path().join(name);
            std::fs::write(&path, content).unwrap();
            let message = read_matrix(&path).unwrap_err().to_string();
            message.strip_prefix(&format!("{}: ", path.display())).map(str::to_owned).unwrap()
        };
        assert!(
            refused("model.vox", b"VOX ")
                .starts_with("unknown format; supported: baked maps, .pvs")
        );
        assert_eq!(refused("map.PVS", &[1]), "byte 0: the file is cut off");
        assert!(refused("map.Bsp", &[1; 9]).starts_with("byte 0: not a map of Quake"));
        let missing = read_matrix(&place.path().join("none.pvs")).unwrap_err();
        assert!(missing.to_string().contains("none.pvs: "));
    }
}
