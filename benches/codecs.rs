//! The codecs of visibility, side by side: packing, bits of all rows, and going through all visible cells.
//!
//! Beside the text's new codec stands its listing as the text has it, a bit at a time, its write past the row's end mended.
//!
//! The rows are those of a matrix as a voxel world gives it: cells are the 16^3 sections of caverns that hold air, along a Hilbert
//! curve, and two of them see each other if one of a few lines between points of both meets no full voxel. `CODECS_PVS` names a
//! `.pvs` file to measure instead.

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{DVec3, IVec3};
use rustc_hash::FxHashMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use stonerun::lab::input::{Random, generated};
use stonerun::lab::pvs::matrix_of;
use stonerun::terrain::TerrainKind;
use stonerun::visibility::codec::{PackedMatrix, Quake, RowCodec, SevenBit, ZeroOne, ones};
use stonerun::visibility::{Matrix, hilbert};
use stonerun::world::cast_ray;

/// Chunks around the origin, along and up or down.
const RADIUS: i32 = 7;
const HEIGHT: i32 = 6;
/// Side of a cell, in voxels.
const SIDE: i32 = 16;
/// How far a cell is seen, in cells.
const REACH: i32 = 8;
/// Points of a cell, and lines between two cells.
const POINTS: usize = 6;
const LINES: usize = 4;

fn caverns() -> Matrix {
    let world = generated(5, TerrainKind::Caverns, RADIUS, HEIGHT);
    let mut random = Random::new(1);
    let mut part = || (random.draw() >> 11) as f64 / (1u64 << 53) as f64;
    let mut cells: Vec<(IVec3, Vec<DVec3>)> = Vec::new();
    let (along, up) = (RADIUS * 32 / SIDE, HEIGHT * 32 / SIDE);
    for y in -up..up {
        for z in -along..along {
            for x in -along..along {
                let at = IVec3::new(x, y, z);
                let tried =
                    (0..POINTS * 4).map(|_| (at.as_dvec3() + DVec3::new(part(), part(), part())) * f64::from(SIDE));
                let points: Vec<_> =
                    tried.filter(|at| world.get(at.floor().as_ivec3()).is_air()).take(POINTS).collect();
                if !points.is_empty() {
                    cells.push((at, points));
                }
            }
        }
    }
    let positions: Vec<IVec3> = cells.iter().map(|(at, _)| *at).collect();
    let order = hilbert::order(&positions);
    let number: FxHashMap<IVec3, usize> =
        order.iter().enumerate().map(|(i, &cell)| (positions[cell as usize], i)).collect();
    let reach = -REACH..=REACH;
    let near: Vec<IVec3> = reach
        .clone()
        .flat_map(|y| reach.clone().flat_map(move |z| (-REACH..=REACH).map(move |x| IVec3::new(x, y, z))))
        .filter(|offset| offset.length_squared() <= REACH * REACH)
        .collect();
    let mut matrix = Matrix::new(cells.len());
    for (i, &cell) in order.iter().enumerate() {
        let (at, from) = &cells[cell as usize];
        for j in near.iter().filter_map(|offset| number.get(&(at + offset)).copied()).filter(|&j| j >= i) {
            let to = &cells[order[j] as usize].1;
            let is_open = |line: usize| {
                let (from, to) = (from[line % from.len()], to[(line * 7 + 3) % to.len()]);
                let full = |voxel: stonerun::voxel::Voxel| voxel.is_full().then_some(1.0);
                cast_ray(&world, from, to - from, from.distance(to), full).is_none()
            };
            if i == j || (0..LINES).any(is_open) {
                matrix.set(i, j);
                matrix.set(j, i);
            }
        }
    }
    matrix
}

/// The text's `DecompressPVS` of its new codec, bit by bit.
fn listing(row: &mut [u8], packed: &[u8]) -> usize {
    row.fill(0);
    let bits = row.len() * 8;
    let (mut offset, mut index) = (0, 0);
    while index < bits {
        let code = usize::from(packed[offset]);
        offset += 1;
        if code & 0x80 != 0 {
            let mut run = code & 0x3F;
            if code & 0x40 != 0 {
                run |= usize::from(packed[offset]) << 6;
                offset += 1;
            }
            index += run + 1;
        } else {
            for i in 0..7 {
                if index < bits {
                    row[index >> 3] |= ((code >> i & 1) << (index & 7)) as u8;
                }
                index += 1;
            }
        }
    }
    offset
}

struct Packed {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

fn packed<C: RowCodec>(matrix: &Matrix) -> Packed {
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for row in matrix.rows() {
        starts.push(bytes.len());
        C::encode(row, matrix.cells(), &mut bytes);
    }
    Packed { bytes, starts }
}

fn of_rows<C: RowCodec>(c: &mut Criterion, matrix: &Matrix) {
    let (cells, Packed { bytes, starts }) = (matrix.cells(), packed::<C>(matrix));
    println!("{}: {} bytes", C::NAME, bytes.len());
    c.bench_function(&format!("encode, {}", C::NAME), |b| b.iter(|| packed::<C>(black_box(matrix)).bytes.len()));
    let mut row = vec![0; matrix.row_words()];
    c.bench_function(&format!("decode, {}", C::NAME), |b| {
        b.iter(|| starts.iter().map(|&at| C::decode(&bytes[at..], cells, &mut row).expect("sound")).sum::<usize>());
    });
    c.bench_function(&format!("iterate, {}", C::NAME), |b| {
        let sum = |at: usize| C::cells(&bytes[at..], cells).map(|cell| u64::from(cell.expect("sound"))).sum::<u64>();
        b.iter(|| starts.iter().map(|&at| sum(at)).sum::<u64>());
    });
}

fn codecs(c: &mut Criterion) {
    let matrix = match std::env::var_os("CODECS_PVS") {
        Some(file) => matrix_of(Path::new(&file)).expect("a file with visibility"),
        None => caverns(),
    };
    let (cells, raw) = (matrix.cells(), matrix.cells() * matrix.row_bytes());
    println!("{cells} cells, {:.1}% occluded, {raw} bytes as they are", matrix.occlusion_ratio() * 100.0);
    of_rows::<Quake>(c, &matrix);
    of_rows::<ZeroOne>(c, &matrix);
    of_rows::<SevenBit>(c, &matrix);

    let new = packed::<SevenBit>(&matrix);
    let mut row = vec![0u8; matrix.row_bytes()];
    c.bench_function("decode, new, the listing", |b| {
        b.iter(|| new.starts.iter().map(|&at| listing(&mut row, &new.bytes[at..])).sum::<usize>());
    });

    let ours = PackedMatrix::encode(&matrix);
    println!("ours: {} bytes", ours.as_bytes().len());
    c.bench_function("encode, ours", |b| b.iter(|| PackedMatrix::encode(black_box(&matrix))));
    c.bench_function("check, ours", |b| {
        b.iter_with_setup(|| ours.as_bytes().to_vec(), |bytes| PackedMatrix::from_bytes(bytes).expect("sound"));
    });
    let (mut reader, mut row) = (ours.reader(), vec![0; matrix.row_words()]);
    c.bench_function("decode, ours", |b| {
        b.iter(|| (0..cells).for_each(|i| reader.row(black_box(i), &mut row)));
    });
    c.bench_function("iterate, ours", |b| {
        b.iter(|| (0..cells).map(|i| reader.cells(i).map(u64::from).sum::<u64>()).sum::<u64>());
    });
    c.bench_function("iterate runs, ours", |b| {
        b.iter(|| (0..cells).map(|i| reader.runs(i).map(|run| u64::from(run.start)).sum::<u64>()).sum::<u64>());
    });
    // No row's reference is among the last that were read.
    c.bench_function("iterate, ours, here and there", |b| {
        let far = |i: usize| i * 7919 % cells;
        b.iter(|| (0..cells).map(|i| reader.cells(far(i)).map(u64::from).sum::<u64>()).sum::<u64>());
    });
    // What reading from memory, unpacked, takes: 60 times the bytes.
    c.bench_function("iterate, plain rows", |b| {
        b.iter(|| matrix.rows().map(|row| ones(row).map(u64::from).sum::<u64>()).sum::<u64>());
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    targets = codecs
}
criterion_main!(benches);
