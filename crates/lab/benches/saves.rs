//! Saving of ten thousand changed chunks, including the sync to the disk.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use glam::IVec3;
use std::time::Duration;
use stonerun_engine::save::{Header, MapChanges, MapFile, unix_now};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable};
use stonerun_engine::world::Chunk;

/// Box of 50 x 8 x 25 chunks of terrain around the surface.
const AREA: Box3 = Box3 { min: IVec3::new(-25, -4, -12), max: IVec3::new(25, 4, 13) };

fn saves(c: &mut Criterion) {
    let materials = MaterialTable::builtin();
    let generator = Generator::new(5, TerrainKind::Continents, &materials);
    let positions = (AREA.min.y..AREA.max.y).flat_map(|y| {
        (AREA.min.z..AREA.max.z).flat_map(move |z| (AREA.min.x..AREA.max.x).map(move |x| (x, y, z)))
    });
    let chunks: Vec<(ChunkPos, Chunk)> = positions
        .map(|(x, y, z)| ChunkPos::new(x, y, z))
        .map(|pos| (pos, generator.chunk(pos)))
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = Header::new(5, "continents", unix_now());
    let changes = MapChanges::new(chunks, header.clone(), materials.clone());
    let mut number = 0;
    let mut new_map = || {
        number += 1;
        let path = folder.path().join(format!("{number}.stonerun"));
        MapFile::create(&path, &header, &materials).expect("a new map")
    };
    let mut group = c.benchmark_group("10,000 chunks");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    // One map at a time, because each takes about 20 MB.
    let size = BatchSize::PerIteration;
    group.bench_function("new", |b| {
        b.iter_batched_ref(&mut new_map, |map| map.save(&changes).expect("saved"), size);
    });
    let mut map = new_map();
    map.save(&changes).expect("saved");
    group.bench_function("changed", |b| b.iter(|| map.save(&changes).expect("saved")));
    let report = map.save(&changes).expect("saved");
    println!("{} chunks, {} bytes of records", report.chunks_written, report.bytes_written);
    group.finish();
}

criterion_group!(benches, saves);
criterion_main!(benches);
