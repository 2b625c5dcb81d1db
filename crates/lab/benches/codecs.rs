//! The visibility codecs: encoding, decoding all rows, and iterating over all visible cells.
//!
//! The visibility text's new codec is also measured as the text lists it, one bit at a time, except
//! that its write beyond the end of the row is fixed.
//!
//! The matrix is typical of a voxel world. Its cells are the 16^3 sections of caverns that contain
//! air, along a Hilbert curve. Two cells see each other if one of a few lines between them meets no
//! full voxel. `CODECS_PVS` names a `.pvs` file to measure instead.

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{DVec3, IVec3};
use rustc_hash::FxHashMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::visibility::codec::{PackedMatrix, Quake, RowCodec, SevenBit, ZeroOne, ones};
use stonerun_engine::visibility::{Matrix, hilbert};
use stonerun_engine::world::cast_ray;
use stonerun_lab::input::{Random, generated_world};
use stonerun_lab::pvs::read_matrix;

/// Distance from the origin to the ends of the world, horizontally and vertically, in chunks.
const RADIUS: i32 = 7;
const HEIGHT: i32 = 6;
/// Side of a cell, in voxels.
const SIDE: i32 = 16;
/// View distance, in cells.
const REACH: i32 = 8;
/// Number of sample points per cell, and of lines between two cells.
const POINTS: usize = 6;
const LINES: usize = 4;

fn caverns() -> Matrix {
    let world = generated_world(5, TerrainKind::Caverns, RADIUS, HEIGHT);
    let mut random = Random::new(1);
    let mut part = || (random.draw() >> 11) as f64 / (1u64 << 53) as f64;
    let mut cells: Vec<(IVec3, Vec<DVec3>)> = Vec::new();
    let along = RADIUS * 32 / SIDE;
    let up = HEIGHT * 32 / SIDE;
    for y in -up..up {
        for z in -along..along {
            for x in -along..along {
                let at = IVec3::new(x, y, z);
                let tried = (0..POINTS * 4).map(|_| {
                    (at.as_dvec3() + DVec3::new(part(), part(), part())) * f64::from(SIDE)
                });
                let points: Vec<_> = tried
                    .filter(|at| world.get(at.floor().as_ivec3()).is_air())
                    .take(POINTS)
                    .collect();
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
        .flat_map(|y| {
            reach.clone().flat_map(move |z| (-REACH..=REACH).map(move |x| IVec3::new(x, y, z)))
        })
        .filter(|offset| offset.length_squared() <= REACH * REACH)
        .collect();
    let mut matrix = Matrix::new(cells.len());
    for (i, &cell) in order.iter().enumerate() {
        let (at, from) = &cells[cell as usize];
        for j in
            near.iter().filter_map(|offset| number.get(&(at + offset)).copied()).filter(|&j| j >= i)
        {
            let to = &cells[order[j] as usize].1;
            let is_open = |line: usize| {
                let from = from[line % from.len()];
                let to = to[(line * 7 + 3) % to.len()];
                let full = |voxel: stonerun_engine::voxel::Voxel| voxel.is_full().then_some(1.0);
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

/// The visibility text's `DecompressPVS` for its new codec, which decodes bit by bit.
fn decode_as_listed(row: &mut [u8], packed: &[u8]) -> usize {
    row.fill(0);
    let bits = row.len() * 8;
    let mut offset = 0;
    let mut index = 0;
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

/// Encoded rows and their offsets.
struct PackedRows {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

fn encode<C: RowCodec>(matrix: &Matrix) -> PackedRows {
    let mut bytes = Vec::new();
    let mut starts = Vec::new();
    for row in matrix.rows() {
        starts.push(bytes.len());
        C::encode(row, matrix.cells(), &mut bytes);
    }
    PackedRows { bytes, starts }
}

fn bench_rows<C: RowCodec>(c: &mut Criterion, matrix: &Matrix) {
    let cells = matrix.cells();
    let PackedRows { bytes, starts } = encode::<C>(matrix);
    println!("{}: {} bytes", C::NAME, bytes.len());
    c.bench_function(&format!("encode, {}", C::NAME), |b| {
        b.iter(|| encode::<C>(black_box(matrix)).bytes.len())
    });
    let mut row = vec![0; matrix.row_words()];
    c.bench_function(&format!("decode, {}", C::NAME), |b| {
        b.iter(|| {
            starts
                .iter()
                .map(|&at| C::decode(&bytes[at..], cells, &mut row).expect("valid rows"))
                .sum::<usize>()
        });
    });
    c.bench_function(&format!("iterate, {}", C::NAME), |b| {
        let sum = |at: usize| {
            C::cells(&bytes[at..], cells)
                .map(|cell| u64::from(cell.expect("valid rows")))
                .sum::<u64>()
        };
        b.iter(|| starts.iter().map(|&at| sum(at)).sum::<u64>());
    });
}

fn codecs(c: &mut Criterion) {
    let matrix = match std::env::var_os("CODECS_PVS") {
        Some(file) => read_matrix(Path::new(&file)).expect("a file with visibility"),
        None => caverns(),
    };
    let cells = matrix.cells();
    let raw = matrix.cells() * matrix.row_bytes();
    println!(
        "{cells} cells, {:.1}% occluded, {raw} bytes unpacked",
        matrix.occlusion_ratio() * 100.0
    );
    bench_rows::<Quake>(c, &matrix);
    bench_rows::<ZeroOne>(c, &matrix);
    bench_rows::<SevenBit>(c, &matrix);

    let new = encode::<SevenBit>(&matrix);
    let mut row = vec![0u8; matrix.row_bytes()];
    c.bench_function("decode, new, as listed", |b| {
        b.iter(|| {
            new.starts.iter().map(|&at| decode_as_listed(&mut row, &new.bytes[at..])).sum::<usize>()
        });
    });

    let ours = PackedMatrix::encode(&matrix);
    println!("ours: {} bytes", ours.as_bytes().len());
    c.bench_function("encode, ours", |b| b.iter(|| PackedMatrix::encode(black_box(&matrix))));
    c.bench_function("check, ours", |b| {
        b.iter_with_setup(
            || ours.as_bytes().to_vec(),
            |bytes| PackedMatrix::from_bytes(bytes).expect("valid rows"),
        );
    });
    let mut reader = ours.reader();
    let mut row = vec![0; matrix.row_words()];
    c.bench_function("decode, ours", |b| {
        b.iter(|| {
            for i in 0..cells {
                reader.row(black_box(i), &mut row);
            }
        });
    });
    c.bench_function("iterate, ours", |b| {
        b.iter(|| (0..cells).map(|i| reader.cells(i).map(u64::from).sum::<u64>()).sum::<u64>());
    });
    c.bench_function("iterate runs, ours", |b| {
        b.iter(|| {
            (0..cells)
                .map(|i| reader.runs(i).map(|run| u64::from(run.start)).sum::<u64>())
                .sum::<u64>()
        });
    });
    // Cells in an order in which no reference row was read recently.
    c.bench_function("iterate, ours, scattered", |b| {
        let scattered = |i: usize| i * 7919 % cells;
        b.iter(|| {
            (0..cells).map(|i| reader.cells(scattered(i)).map(u64::from).sum::<u64>()).sum::<u64>()
        });
    });
    // For comparison: the unpacked rows, which take 60 times as many bytes.
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
