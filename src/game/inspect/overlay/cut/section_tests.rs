//! Tests of [`super::section`].

use super::*;
use crate::game::inspect::overlay::cut::chunks;
use crate::game::state::cutaway::{CutAxis, CutPlane};
use glam::{DVec3, IVec3};
use stonerun_engine::voxel::{MaterialTable, linear_index};
use stonerun_engine::world::{Chunk, World};

/// Layer of the tests' cuts.
const LAYER: i32 = 9;

fn planes() -> impl Iterator<Item = CutPlane> {
    [CutAxis::X, CutAxis::Y, CutAxis::Z]
        .into_iter()
        .map(|axis| CutPlane::seen_from(axis, LAYER, DVec3::splat(900.0)))
}

/// A chunk with layers, a mixed row, holes, and air above, in a world of its own.
fn world() -> World {
    let mut chunk = Chunk::uniform(Voxel::AIR);
    chunk.set_range(0..14 * 1024 + 300, Voxel::full(1));
    for index in (LAYER as usize * 1024..LAYER as usize * 1024 + 640).step_by(3) {
        chunk.set(index, Voxel::full(2));
    }
    chunk.set(linear_index(IVec3::splat(LAYER)), Voxel::AIR);
    let mut world = World::new();
    world.insert(ChunkPos::default(), chunk);
    world
}

fn colours() -> CutColours {
    let table = MaterialTable::builtin();
    CutColours {
        face_materials: Arc::new(FaceMaterials::new(&table)),
        materials: Arc::new(vec![Srgba::WHITE; table.len()]),
    }
}

fn cut(content: CutContent, plane: CutPlane, centre: ChunkPos) -> CutSection {
    let world = world();
    let chunks = chunks::crossed(content, plane, centre, 9, &world, None);
    section(content, ChunkLayer::new(plane), &chunks[0], &colours())
}

#[test]
fn bars_of_runs_have_the_length_and_value_of_the_run_at_each_cell() {
    let world = world();
    let tree = world.chunk(ChunkPos::default()).expect("inserted");
    for plane in planes() {
        let section = cut(CutContent::Runs, plane, ChunkPos::default());
        let layer = ChunkLayer::new(plane);
        assert_eq!(
            (section.runs, section.bytes),
            (tree.run_count() as u64, tree.heap_bytes() as u64)
        );
        for (column, row) in (0..32).flat_map(|column| (0..32).map(move |row| (column, row))) {
            let run = tree.run_at(linear_index(layer.offset(column, row)));
            let bars: Vec<&CutBar> =
                section.bars.iter().filter(|bar| bar.rect.contains(column, row)).collect();
            assert_eq!(bars.len(), 1, "{plane} {column} {row}");
            assert_eq!(
                (bars[0].figure, bars[0].voxel),
                (run.len, run.voxel),
                "{plane} {column} {row}"
            );
            assert_eq!(bars[0].colour[3] < 1.0, run.voxel.is_air());
        }
    }
}

#[test]
fn fused_runs_are_at_least_as_many_as_runs() {
    for plane in planes() {
        let runs = cut(CutContent::Runs, plane, ChunkPos::default());
        let fused = cut(CutContent::Neighbourhoods, plane, ChunkPos::default());
        assert!(fused.runs > runs.runs && fused.bars.len() > runs.bars.len(), "{plane}");
    }
}

#[test]
fn bytes_of_rows_add_up_to_those_of_the_chunk() {
    let all: u32 = (0..32)
        .flat_map(|layer| {
            let plane = CutPlane::seen_from(CutAxis::Z, layer, DVec3::splat(900.0));
            let bars = cut(CutContent::Bytes, plane, ChunkPos::default()).bars;
            // Where a row holds matter and air, it has two bars with the same figure, which counts
            // once.
            let mut rows = [0; 32];
            for bar in bars {
                rows[usize::from(bar.rect.low)] = bar.figure;
            }
            rows
        })
        .sum();
    let bytes = cut(CutContent::Bytes, planes().next().expect("three"), ChunkPos::default()).bytes;
    // The figure of each of the 1,024 rows is rounded by at most a half.
    assert!((i64::from(all) - bytes as i64).abs() <= 512, "{all} of {bytes}");
}

#[test]
fn far_chunks_show_their_matter_in_one_colour() {
    for plane in planes() {
        let section = cut(CutContent::Runs, plane, ChunkPos::new(8, 0, 8));
        let near = cut(CutContent::Runs, plane, ChunkPos::default());
        assert!(
            section.bars.iter().all(|bar| bar.is_mean && bar.figure == 32_768 / near.runs as u32)
        );
        assert!(
            section.bars.len() < near.bars.len() && section.histogram == near.histogram,
            "{plane}"
        );
    }
}

#[test]
fn equal_light_is_one_bar_and_dark_matter_another() {
    use stonerun_engine::light::ChunkLight;
    for plane in planes() {
        let world = world();
        let mut chunk =
            chunks::crossed(CutContent::Light, plane, ChunkPos::default(), 9, &world, None)
                .remove(0);
        chunk.light = Some(ChunkLight::uniform(LightLevels::SUNLIT));
        let section = section(CutContent::Light, ChunkLayer::new(plane), &chunk, &colours());
        let [dark, lit]: [Vec<&CutBar>; 2] =
            [0, 15].map(|level| section.bars.iter().filter(|bar| bar.figure == level).collect());
        assert_eq!(dark.len() + lit.len(), section.bars.len());
        assert!(!dark.is_empty() && !lit.is_empty(), "{plane}");
        assert_eq!(section.histogram.heights().iter().filter(|height| **height > 0.0).count(), 1);
    }
}

#[test]
fn levels_of_light_survive_packing() {
    let levels =
        LightLevels::DARK.with(Channel::Sun, 3).with(Channel::Red, 15).with(Channel::Blue, 7);
    assert_eq!(unpacked(packed(levels)), levels);
    assert_eq!(strongest(levels), 15);
}
