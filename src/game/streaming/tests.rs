//! Streaming in a game without a window.

use super::*;
use crate::game::common::chunk_messages;
use crate::game::session::opening::{self, OpenedSession};
use crate::save::{Header, MapFile};
use crate::voxel::MaterialTable;
use bevy::app::TaskPoolPlugin;
use glam::DVec3;
use std::path::Path;

/// The loaded chunks as messages report them.
#[derive(Resource, Default)]
struct Reported(FxHashSet<ChunkPos>);

fn follow(
    mut loaded: MessageReader<ChunkLoaded>,
    mut unloaded: MessageReader<ChunkUnloaded>,
    mut reported: ResMut<Reported>,
) {
    for message in loaded.read() {
        assert!(message.occlusion.is_some(), "{}: computed in the background", message.pos);
        assert!(reported.0.insert(message.pos), "{} is loaded twice", message.pos);
    }
    for message in unloaded.read() {
        assert!(reported.0.remove(&message.pos), "{} is unloaded, but was not loaded", message.pos);
    }
}

/// A game that streams a new map of a terrain.
fn game(folder: &Path, terrain: &str) -> App {
    let path = folder.join("streamed.stonerun");
    let new = MapFile::create(&path, &Header::new(5, terrain, 0), &MaterialTable::builtin());
    new.and_then(MapFile::close).unwrap();
    let OpenedSession { map, edits, saves, warnings } = opening::open(&path, opening::OpenPurpose::Play).unwrap();
    assert_eq!(warnings, [""; 0]);
    let mut app = App::new();
    chunk_messages::add(&mut app);
    app.add_plugins(TaskPoolPlugin::default())
        .insert_resource(map)
        .insert_resource(edits)
        .insert_resource(saves)
        .insert_resource(Settings { view_distance: 3, ..Settings::default() })
        .init_resource::<ChunkStream>()
        .init_resource::<FrameTimings>()
        .init_resource::<Notices>()
        .init_resource::<Player>()
        .init_resource::<Reported>()
        .add_systems(Update, (stream, follow).chain());
    app
}

/// Runs frames until all wanted chunks are loaded and none is left to unload.
fn settle(app: &mut App) {
    let start = Instant::now();
    loop {
        app.update();
        let stream = app.world().resource::<ChunkStream>();
        if stream.waiting == 0 && stream.unloaded_for.is_some() {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{} chunks are missing", stream.waiting);
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn loaded(app: &App) -> FxHashSet<ChunkPos> {
    app.world().resource::<Edits>().world().chunks().map(|(pos, _)| pos).collect()
}

#[test]
fn messages_report_every_loaded_and_unloaded_chunk() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path(), "void");
    settle(&mut app);
    let first = loaded(&app);
    assert!(first.len() >= view::load_offsets(3).len());
    assert_eq!(app.world().resource::<Reported>().0, first);
    app.world_mut().resource_mut::<Player>().walker.position = DVec3::new(3200.0, 0.0, 0.0);
    settle(&mut app);
    assert!(loaded(&app).is_disjoint(&first), "the player has gone far");
    assert_eq!(app.world().resource::<Reported>().0, loaded(&app));
}

#[test]
fn unsaved_chunks_stay_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path(), "flat");
    settle(&mut app);
    let generated = loaded(&app);
    app.world_mut().resource_mut::<Player>().walker.position = DVec3::new(3200.0, 0.0, 0.0);
    settle(&mut app);
    assert!(loaded(&app).is_superset(&generated), "the map does not hold them yet");
    assert_eq!(app.world().resource::<Reported>().0, loaded(&app));
}
