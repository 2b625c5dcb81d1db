//! Lighting in a game without a window.

use super::*;
use crate::game::state::frame::caught::caught;
use crate::game::state::frame::chunk_messages;
use crate::game::state::session::Editor;
use crate::game::state::session::save_queue::tests::opened;
use bevy::app::TaskPoolPlugin;
use bevy::ecs::message::Messages;
use bevy::ecs::system::RunSystemOnce;
use stonerun_engine::voxel::Voxel;
use stonerun_engine::world::Chunk;

/// A game with an open map of 3 x 3 x 3 dark chunks of air, and their light.
fn game(folder: &std::path::Path) -> App {
    let (map, mut edits, saves) = opened(folder);
    let lights = ChunkLights::new(&map.materials, TerrainKind::Caverns);
    let mut app = App::new();
    app.add_plugins(TaskPoolPlugin::default()).add_systems(Update, light);
    chunk_messages::add(&mut app);
    let mut messages = app.world_mut().resource_mut::<Messages<ChunkLoaded>>();
    for pos in ChunkPos::default().moore_neighbourhood() {
        assert!(edits.load_chunk(pos, Chunk::uniform(Voxel::AIR)));
        messages.write(ChunkLoaded { pos, occlusion: None });
    }
    app.insert_resource(map).insert_resource(edits).insert_resource(saves).insert_resource(lights);
    app.init_resource::<WorkCounters>().init_resource::<FrameTimings>().init_resource::<Notices>();
    settle(&mut app);
    app
}

fn lights(app: &App) -> &ChunkLights {
    app.world().resource::<ChunkLights>()
}

fn settle(app: &mut App) {
    let start = Instant::now();
    app.update();
    while lights(app).waiting() > 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "the light does not settle");
        std::thread::sleep(Duration::from_millis(1));
        app.update();
    }
}

fn set(app: &mut App, at: IVec3, name: &str) {
    let name = name.to_owned();
    let edit = move |mut editor: Editor| {
        let material = editor.map().materials.find(&name).expect("a material of the game");
        assert!(editor.set(at, if material == 0 { Voxel::AIR } else { Voxel::full(material) }));
    };
    app.world_mut().run_system_once(edit).expect("resources are there");
}

/// The chunks whose light has changed since the last call, and for each whether it was lit at once.
fn changed(app: &mut App) -> Vec<(ChunkPos, bool)> {
    let mut messages = app.world_mut().resource_mut::<Messages<ChunkLit>>();
    let mut lit: Vec<(ChunkPos, bool)> =
        messages.drain().map(|message| (message.pos, message.at_once)).collect();
    lit.sort_unstable_by_key(|(pos, _)| (pos.x, pos.y, pos.z));
    lit
}

#[test]
fn lamp_is_lit_and_removed_in_the_frame_of_the_edit() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = game(folder.path());
    assert_eq!((lights(&app).size().chunks, lights(&app).size().runs), (27, 27));
    changed(&mut app);
    // Near the western side of the middle chunk: its light reaches one other chunk.
    let lamp = IVec3::new(5, 16, 16);
    set(&mut app, lamp, "lamp");
    app.update();
    let level = |app: &App, at: IVec3| lights(app).at(at).map(|levels| levels.get(Channel::Red));
    assert_eq!([0, 3, 6].map(|away| level(&app, lamp - IVec3::X * away)), [14, 11, 8].map(Some));
    assert_eq!(
        changed(&mut app),
        [ChunkPos::new(-1, 0, 0), ChunkPos::default()].map(|pos| (pos, true))
    );
    assert!(lights(&app).size().runs > 500);
    set(&mut app, lamp, "air");
    app.update();
    assert_eq!((level(&app, lamp), lights(&app).size().runs), (Some(0), 27));
    assert_eq!(changed(&mut app).len(), 2);
    let work = lights(&app).work;
    assert_eq!(work.edits, 2);
    assert_eq!(app.world().resource::<WorkCounters>().get(VoxelTask::Lighting), work.ops);
}

#[test]
fn light_of_an_unloaded_chunk_goes_out_in_the_background() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = game(folder.path());
    let lamp = IVec3::new(1, 16, 16);
    set(&mut app, lamp, "lamp");
    app.update();
    changed(&mut app);
    // The lamp is unloaded with its chunk, so its light in the neighbours goes out.
    let pos = ChunkPos::default();
    app.world_mut().resource_mut::<Edits>().unload_chunk(pos);
    app.world_mut().write_message(ChunkUnloaded { pos });
    settle(&mut app);
    assert_eq!((lights(&app).at(lamp), lights(&app).size().chunks), (None, 26));
    assert_eq!(
        lights(&app).at(lamp - IVec3::X * 3).map(|levels| levels.get(Channel::Red)),
        Some(0)
    );
    let lit = changed(&mut app);
    assert!(
        lit.contains(&(ChunkPos::new(-1, 0, 0), false)) && lit.iter().all(|(_, at_once)| !at_once),
        "{lit:?}"
    );
}

#[test]
fn chunk_that_is_unloaded_and_loaded_again_is_lit() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = game(folder.path());
    changed(&mut app);
    // Unloaded and loaded in one frame, as after a jump to a distant place and back.
    let pos = ChunkPos::default();
    let mut edits = app.world_mut().resource_mut::<Edits>();
    edits.unload_chunk(pos);
    assert!(edits.load_chunk(pos, Chunk::uniform(Voxel::AIR)));
    app.world_mut().write_message(ChunkUnloaded { pos });
    app.world_mut().write_message(ChunkLoaded { pos, occlusion: None });
    settle(&mut app);
    assert!(lights(&app).is_lit(pos));
    let messages = app.world().resource::<Messages<ChunkLit>>();
    let first: Vec<ChunkLit> =
        messages.iter_current_update_messages().copied().filter(|lit| lit.is_first).collect();
    assert_eq!(
        first.iter().map(|lit| (lit.pos, lit.sides)).collect::<Vec<_>>(),
        [(pos, DifferentSides::ALL)]
    );
}

#[test]
fn large_edit_is_lit_in_the_background() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = game(folder.path());
    for x in 2..8 {
        let pos = ChunkPos::new(x, 0, 0);
        assert!(
            app.world_mut().resource_mut::<Edits>().load_chunk(pos, Chunk::uniform(Voxel::AIR))
        );
        app.world_mut().write_message(ChunkLoaded { pos, occlusion: None });
    }
    settle(&mut app);
    changed(&mut app);
    let chunks: Vec<ChunkPos> = lights(&app).lights.keys().copied().collect();
    assert!(chunks.len() > MAX_EDITED_AT_ONCE);
    for pos in &chunks {
        set(&mut app, pos.origin() + 16, "lamp");
    }
    app.update();
    assert_eq!(changed(&mut app), []);
    let start = Instant::now();
    let mut lit = Vec::new();
    while lights(&app).waiting() > 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "the light does not settle");
        app.update();
        lit.extend(changed(&mut app));
    }
    assert!(lit.iter().all(|(_, at_once)| !at_once));
    assert!(chunks.iter().all(|chunk| lit.contains(&(*chunk, false))), "{lit:?}");
    let level =
        |pos: &ChunkPos| lights(&app).at(pos.origin() + 16).map(|levels| levels.get(Channel::Red));
    assert!(chunks.iter().all(|pos| level(pos) == Some(14)));
}

/// Simulates a panic of the task while it passes these chunks to the light map.
fn fail(app: &mut App, chunks: &[ChunkPos]) {
    let mut lights = app.world_mut().resource_mut::<ChunkLights>();
    lights.map = None;
    let reason = caught(|| -> u8 { panic!("no such plane") }).expect_err("it panics");
    lights
        .sender
        .send(LitChunks::failed(LightFailure { chunks: chunks.to_vec(), reason }))
        .expect("a receiver");
}

#[test]
fn light_of_all_chunks_is_made_again_after_a_panic_of_its_spreading() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = game(folder.path());
    fail(&mut app, &[]);
    settle(&mut app);
    // The lamp's light crosses the border only if the new light map holds the neighbours, too.
    set(&mut app, IVec3::new(1, 16, 16), "lamp");
    settle(&mut app);
    assert_eq!(
        lights(&app).at(IVec3::new(-2, 16, 16)).map(|levels| levels.get(Channel::Red)),
        Some(11)
    );
    assert!(app.world().resource::<Notices>().list.is_empty());
    fail(&mut app, &[]);
    settle(&mut app);
    let notices = &app.world().resource::<Notices>().list;
    assert!(
        notices.len() == 1 && notices[0].text.starts_with("light cannot be spread: a bug"),
        "{notices:?}"
    );
}

#[test]
fn lighting_goes_on_after_a_panic_without_the_chunk_that_caused_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = game(folder.path());
    set(&mut app, IVec3::new(40, 3, 3), "torch");
    settle(&mut app);
    let near = IVec3::new(42, 3, 3);
    let before = lights(&app).at(near);
    assert!(before.is_some_and(|levels| levels != LightLevels::DARK));
    // With several chunks, the cause of the panic is unknown: all are lit again.
    let bad = ChunkPos::new(-1, 0, 0);
    let other = ChunkPos::new(1, 0, 0);
    fail(&mut app, &[bad, other]);
    settle(&mut app);
    assert_eq!(lights(&app).at(near), before);
    assert!(app.world().resource::<Notices>().list.is_empty());
    fail(&mut app, &[bad]);
    settle(&mut app);
    assert_eq!(lights(&app).at(near), before);
    assert!(ChunkPos::default().moore_neighbourhood().all(|pos| lights(&app).is_lit(pos)));
    let notices = &app.world().resource::<Notices>().list;
    let [notice] = &notices[..] else { panic!("{notices:?}") };
    assert!(notice.text.starts_with("chunk (-1, 0, 0) cannot be lit: a bug"), "{}", notice.text);
    // An edit of the failed chunk lights it again.
    set(&mut app, IVec3::new(-20, 3, 3), "torch");
    settle(&mut app);
    assert!(
        lights(&app).at(IVec3::new(-22, 3, 3)).is_some_and(|levels| levels != LightLevels::DARK)
    );
    assert_eq!(app.world().resource::<Notices>().list.len(), 1);
}
