//! Flights over generated and hand-made terrain.

use super::pilot::{Pilot, UnsavedEdits};
use super::*;
use glam::IVec3;
use stonerun_engine::metrics::VoxelTask;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::Voxel;

fn no_map() -> SaveError {
    SaveError::NotFound { path: "missing.stonerun".into() }
}

/// Flies over generated terrain whose chunks are `unsaved` or not.
fn over_continents(seconds: u32, unsaved: bool, progress: &mut dyn FnMut(f32)) -> FlightStats {
    let materials = MaterialTable::builtin();
    let generator = Generator::new(5, TerrainKind::Continents, &materials);
    let load_chunk = |pos| Ok(LoadedChunk { chunk: generator.chunk(pos), unsaved });
    let terrain = FlightTerrain {
        load_chunk: &load_chunk,
        materials: &materials,
        start: generator.spawn(),
        bounds: None,
        view: 2,
        sky: 0,
    };
    fly(&terrain, seconds, progress).expect("generated chunks")
}

#[test]
fn flight_counts_each_task() {
    let mut reported = Vec::new();
    let flight = over_continents(10, true, &mut |done| reported.push(done));
    assert_eq!(flight, over_continents(10, true, &mut |_| ()), "the same in every run");
    assert!(reported.len() == 600 && reported.is_sorted() && reported.last() == Some(&1.0));
    let counts = |task| flight.work.get(task);
    assert_eq!(flight.frames, 600);
    assert!((10..=20).contains(&flight.edits), "{flight:?}");
    assert!(flight.chunks > 100, "{flight:?}");
    let placing = counts(VoxelTask::Placing);
    assert_eq!(placing.random_writes, flight.edits);
    // Each placed block takes one read; a broken block takes none.
    assert!((5..=10).contains(&placing.random_reads), "{flight:?}");
    assert_eq!(counts(VoxelTask::Meshing).voxels_iterated, flight.meshes * 32768);
    assert!(counts(VoxelTask::Meshing).runs_iterated > 10 * flight.meshes);
    assert!(counts(VoxelTask::Lighting).voxels_iterated >= flight.chunks * 32768, "{flight:?}");
    assert!(counts(VoxelTask::Lighting).runs_iterated > 0);
    // Each frame reads at least the floor under the body.
    assert!(
        counts(VoxelTask::Collision).random_reads > 600 * 8
            && counts(VoxelTask::Picking).random_reads > 600
    );
    assert_eq!(counts(VoxelTask::Saving).voxels_iterated % 32768, 0);
    assert!(counts(VoxelTask::Saving).runs_iterated > 0);
}

#[test]
fn only_chunks_missing_in_the_map_are_saved() {
    let saved = |flight: FlightStats| flight.work.get(VoxelTask::Saving).voxels_iterated / 32768;
    let [loaded, generated] =
        [false, true].map(|unsaved| over_continents(10, unsaved, &mut |_| ()));
    assert_eq!(loaded.edits, generated.edits);
    assert!(0 < saved(loaded) && saved(loaded) <= loaded.edits, "{loaded:?}");
    assert!(saved(generated) > generated.edits, "{generated:?}");
}

#[test]
fn saves_follow_the_intervals_of_the_game() {
    let materials = MaterialTable::builtin();
    let load_chunk = |_| Err(no_map());
    let terrain = FlightTerrain {
        load_chunk: &load_chunk,
        materials: &materials,
        start: DVec3::ZERO,
        bounds: None,
        view: 2,
        sky: 0,
    };
    let mut pilot = Pilot::new(&terrain);
    let edits = |last| Some(UnsavedEdits { first: 0, last });
    for (edits, frame) in [(None, 1800), (edits(0), 121), (edits(100), 221), (edits(479), 481)] {
        pilot.unsaved_edits = edits;
        assert_eq!([frame - 1, frame].map(|f| pilot.is_save_due(f)), [false, true], "{edits:?}");
    }
    pilot.save(481);
    assert_eq!([481, 2280, 2281].map(|f| pilot.is_save_due(f)), [false, false, true]);
}

/// A chunk of a stone island of 64 x 64 voxels with its surface at y = 40.
fn island(pos: ChunkPos) -> Chunk {
    let within = |part: i32| (-1..1).contains(&part);
    match pos.y {
        0 if within(pos.x) && within(pos.z) => Chunk::uniform(Voxel::full(1)),
        1 if within(pos.x) && within(pos.z) => {
            Chunk::from_runs([(8 * 1024, Voxel::full(1)), (24 * 1024, Voxel::AIR)])
        }
        _ => Chunk::uniform(Voxel::AIR),
    }
}

#[test]
fn flight_stays_over_finite_terrain() {
    let materials = MaterialTable::builtin();
    let load_chunk = |pos| Ok(LoadedChunk { chunk: island(pos), unsaved: false });
    let bounds = Box3 { min: IVec3::new(-32, 0, -32), max: IVec3::new(32, 40, 32) };
    let start = DVec3::new(0.0, 40.0, 0.0);
    let flight = |bounds| {
        let terrain = FlightTerrain {
            load_chunk: &load_chunk,
            materials: &materials,
            start,
            bounds,
            view: 2,
            sky: 0,
        };
        fly(&terrain, 60, &mut |_| ()).expect("generated chunks")
    };
    let bounded = flight(Some(bounds));
    let unbounded = flight(None);
    assert!(unbounded.edits < 20, "without bounds the pilot leaves the island: {unbounded:?}");
    assert!(bounded.edits > 90, "{bounded:?}");
    assert_eq!(bounded, flight(Some(bounds)), "the same in every run");
}

#[test]
fn unreadable_chunk_ends_the_flight() {
    let materials = MaterialTable::builtin();
    let load_chunk = |_| Err(no_map());
    let terrain = FlightTerrain {
        load_chunk: &load_chunk,
        materials: &materials,
        start: DVec3::ZERO,
        bounds: None,
        view: 2,
        sky: 0,
    };
    let error = fly(&terrain, 1, &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), no_map().to_string());
}
