//! Lighting of chunks that are being loaded.

use super::{ChunkLights, light};
use crate::game::map::streaming::tests::{follow, game, loaded, settle};
use crate::game::state::player::Player;
use crate::game::state::session::{OpenMap, WorkCounters};
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use std::time::{Duration, Instant};

/// Mean number of times that each chunk is lit while a new map is loaded.
fn lightings_per_chunk(terrain: &str, view: i32) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path(), terrain);
    let map = app.world().resource::<OpenMap>();
    let lights = ChunkLights::new(&map.materials, map.terrain);
    let spawn = map.generator.spawn();
    app.world_mut().resource_mut::<Player>().walker.position = spawn;
    app.world_mut().resource_mut::<Settings>().view_distance = view;
    app.insert_resource(lights).init_resource::<WorkCounters>();
    app.add_systems(Update, light.after(follow));
    settle(&mut app);
    let start = Instant::now();
    while app.world().resource::<ChunkLights>().waiting() > 0 {
        assert!(start.elapsed() < Duration::from_secs(120), "the light does not settle");
        std::thread::sleep(Duration::from_millis(1));
        app.update();
    }
    let lights = app.world().resource::<ChunkLights>();
    assert_eq!(lights.size().chunks as usize, loaded(&app).len());
    lights.work.chunks as f64 / lights.size().chunks as f64
}

#[test]
fn chunks_of_a_new_map_are_lit_once_with_few_exceptions() {
    // In caverns, lamps shine across most chunk borders, so a chunk at the edge of the loaded world
    // is lit again when its outer neighbours are loaded.
    for (terrain, limit) in [("continents", 1.3), ("caverns", 2.6)] {
        let times = lightings_per_chunk(terrain, 6);
        assert!(times <= limit, "{terrain}: lit {times:.2} times");
    }
}
