//! Streaming in a game without a window.

use super::*;
use crate::game::state::frame::chunk_messages;
use crate::game::state::session::opening::{self, OpenedSession};
use bevy::app::TaskPoolPlugin;
use glam::DVec3;
use std::path::Path;
use stonerun_engine::save::{Header, MapFile};
use stonerun_engine::voxel::MaterialTable;

/// The loaded chunks as derived from messages.
#[derive(Resource, Default)]
pub(in crate::game) struct Reported(FxHashSet<ChunkPos>);

pub(in crate::game) fn follow(
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
pub(in crate::game) fn game(folder: &Path, terrain: &str) -> App {
    let path = folder.join("streamed.stonerun");
    let new = MapFile::create(&path, &Header::new(5, terrain, 0), &MaterialTable::builtin());
    new.and_then(MapFile::close).unwrap();
    let OpenedSession { map, edits, saves, warnings } =
        opening::open(&path, opening::OpenPurpose::Play).unwrap();
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

/// Runs frames until all wanted chunks are loaded and all others are unloaded.
pub(in crate::game) fn settle(app: &mut App) {
    let start = Instant::now();
    loop {
        app.update();
        let stream = app.world().resource::<ChunkStream>();
        if stream.waiting == 0 && stream.unloaded_for.is_some() {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "{} chunks are missing",
            stream.waiting
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(in crate::game) fn loaded(app: &App) -> FxHashSet<ChunkPos> {
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
fn chunk_whose_loading_panics_is_reported_and_no_longer_missing() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path(), "void");
    let pos = ChunkPos::new(1, 0, 0);
    let faces = Arc::new(FaceMaterials::new(&MaterialTable::builtin()));
    let failed = arrival(pos, &faces, || panic!("no such row"));
    assert!(matches!(failed.source, ChunkSource::Failed(_)) && failed.occlusion.is_none());
    app.world().resource::<ChunkStream>().sender.send(failed).unwrap();
    settle(&mut app);
    let stream = app.world().resource::<ChunkStream>();
    assert!(!loaded(&app).contains(&pos) && !stream.expects(pos));
    assert_eq!(loaded(&app).len(), view::load_offsets(3).len() - 1);
    let notices = &app.world().resource::<Notices>().list;
    let [notice] = &notices[..] else { panic!("{notices:?}") };
    assert!(notice.text.starts_with("chunk (1, 0, 0) cannot be loaded: a bug"), "{}", notice.text);
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

#[test]
fn chunks_are_loaded_while_no_frame_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path(), "flat");
    app.update();
    let wanted = view::load_offsets(3).len();
    let start = Instant::now();
    let stream = app.world().resource::<ChunkStream>();
    while stream.counts() != (LoadingCounts { queued: 0, in_work: 0, ready: wanted }) {
        assert!(start.elapsed() < Duration::from_secs(120), "{:?}", stream.counts());
        std::thread::sleep(Duration::from_millis(1));
    }
    // The time for adding chunks grows with the last frame, so this frame adds all of them.
    app.world_mut().resource_mut::<FrameTimings>().frames_ms.push_back(1000.0);
    app.update();
    let taken_in = loaded(&app).len();
    assert!(taken_in > 100, "{taken_in} of {wanted} chunks are loaded");
}

#[test]
fn chunks_ahead_of_the_player_are_loaded_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path(), "void");
    app.world_mut().resource_mut::<Player>().yaw = std::f32::consts::PI;
    app.world_mut().resource_mut::<Settings>().view_distance = 6;
    // During the pause, nothing is taken from the queue.
    app.world_mut().resource_mut::<ChunkStream>().pause_until =
        Some(Instant::now() + Duration::from_secs(3600));
    app.update();
    let order = app.world().resource::<ChunkStream>().queue.order();
    let key =
        |pos: &ChunkPos| load_order::cost(pos.as_ivec3(), Heading::from_yaw(std::f32::consts::PI));
    assert!(order.len() > 100 && order.is_sorted_by_key(key));
    let at = |pos: ChunkPos| order.iter().position(|&other| other == pos);
    assert!(at(ChunkPos::new(0, 0, 6)) < at(ChunkPos::new(0, 0, -6)), "the player looks south");
}
