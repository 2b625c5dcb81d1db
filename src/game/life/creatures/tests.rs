//! Tests of creatures in a small open map, frame by frame.

use super::command::{CreatureAnswer, CreatureCommand};
use super::life::CreatureLife;
use super::parts::DrawnParts;
use super::systems;
use crate::game::drawing::lighting::{ChunkLights, light};
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::state::frame::chunk_messages::{self, ChunkLoaded};
use crate::game::state::frame::frame_timings::FrameTimings;
use crate::game::state::notices::Notices;
use crate::game::state::overlay_kind::ShownOverlay;
use crate::game::state::player::Player;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::save_queue::tests::opened;
use crate::game::state::session::{OpenMap, SaveQueue, WorkCounters};
use crate::game::state::settings::Settings;
use bevy::app::TaskPoolPlugin;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use glam::DVec3;
use std::path::Path;
use std::time::{Duration, Instant};
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{ChunkPos, Voxel};
use stonerun_engine::world::Chunk;

/// A map with a floor of stone at y = -1 and air above it, lit, with the player at the origin.
fn app(folder: &Path) -> App {
    let (map, mut edits, saves) = opened(folder);
    let stone = Voxel::full(map.materials.find("stone").unwrap());
    let lights = ChunkLights::new(&map.materials, TerrainKind::Flat);
    let mut app = App::new();
    app.add_plugins(TaskPoolPlugin::default());
    chunk_messages::add(&mut app);
    for (y, voxel) in [(-1, stone), (0, Voxel::AIR)] {
        for index in 0..9 {
            let pos = ChunkPos::new(index % 3 - 1, y, index / 3 - 1);
            assert!(edits.load_chunk(pos, Chunk::uniform(voxel)));
            app.world_mut().write_message(ChunkLoaded { pos, occlusion: None });
        }
    }
    let mut player = Player::default();
    player.walker.position = DVec3::new(0.5, 0.0, 0.5);
    app.insert_resource(map)
        .insert_resource(edits)
        .insert_resource(saves)
        .insert_resource(lights)
        .insert_resource(player)
        .insert_resource(State::new(Screen::Playing))
        .init_resource::<WorkCounters>()
        .add_message::<CreatureAnswer>()
        .init_resource::<Settings>()
        .init_resource::<Notices>()
        .init_resource::<FrameTimings>()
        .init_resource::<ShownOverlay>()
        .init_resource::<Menu>()
        .init_resource::<DrawnParts>()
        .init_resource::<ChunkMeshes>()
        .init_resource::<Time<Real>>()
        .add_systems(
            Update,
            (light, systems::notice, systems::take_in, systems::begin, systems::pose).chain(),
        );
    app.world_mut().run_system_once(systems::open).unwrap();
    app
}

fn life(app: &App) -> &CreatureLife {
    app.world().resource::<CreatureLife>()
}

fn command(app: &mut App, command: CreatureCommand) {
    app.world_mut().resource_mut::<CreatureLife>().command(command);
}

/// Runs frames of 50 ms until a condition holds.
fn wait(app: &mut App, what: &str, holds: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !holds(app) {
        assert!(start.elapsed() < Duration::from_secs(60), "never: {what}");
        app.world_mut().resource_mut::<Time<Real>>().advance_by(Duration::from_millis(50));
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn count(app: &App) -> u32 {
    life(app).figures.by_kind.iter().sum()
}

#[test]
fn creatures_are_placed_live_are_drawn_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    wait(&mut app, "all chunks are known", |app| life(app).figures.known_chunks == 18);
    let kind = life(&app).find("deer").unwrap();
    let at = IVec3::new(12, 0, -9);
    command(&mut app, CreatureCommand::Place { kind, at, count: 4 });
    wait(&mut app, "the answer", |app| {
        let answers = app.world().resource::<Messages<CreatureAnswer>>();
        answers.iter_current_update_messages().any(|answer| answer.0 == "deer: 4 placed")
    });
    wait(&mut app, "four deer", |app| life(app).figures.by_kind.get(kind) == Some(&4));
    let boxes = 4 * life(&app).kinds()[kind].body.len();
    let show = |app: &mut App, y: i32| {
        let mut meshes = app.world_mut().resource_mut::<ChunkMeshes>();
        for index in 0..9 {
            meshes.show_empty(ChunkPos::new(index % 3 - 1, y, index / 3 - 1));
        }
    };
    show(&mut app, 0);
    app.update();
    assert!(app.world().resource::<DrawnParts>().0.is_empty(), "their ground is not drawn");
    show(&mut app, -1);
    wait(&mut app, "their bodies", |app| app.world().resource::<DrawnParts>().0.len() >= boxes);
    let before: Vec<DVec3> = life(&app).poses.iter().map(|live| live.pose.position).collect();
    wait(&mut app, "they move", |app| {
        life(app).poses.iter().any(|live| !before.contains(&live.pose.position))
    });
    // All of them stand on the floor or above it.
    assert!(life(&app).poses.iter().all(|live| live.pose.position.y >= 0.0));

    command(&mut app, CreatureCommand::Pin { at, within: 40, is_pinned: true });
    wait(&mut app, "they are pinned", |app| life(app).poses.iter().any(|live| live.pose.is_pinned));
    let kept = app
        .world()
        .resource::<SaveQueue>()
        .creatures()
        .expect("a builder has changed them")
        .to_vec();
    let map = app.world().resource::<OpenMap>();
    let kinds = stonerun_engine::creatures::CreatureKinds::builtin(&map.materials).unwrap();
    let (again, problem) = super::thread::creatures(Some(&kept), kinds, map.header.seed);
    assert_eq!((again.len() as u32, problem), (count(&app), None));
    // A menu is open, so the creatures are encoded without a command.
    *app.world_mut().resource_mut::<Menu>() = Menu::Pause;
    wait(&mut app, "all is handed over", |app| {
        !life(app).may_encode()
            && app.world().resource::<SaveQueue>().creatures() != Some(&kept[..])
    });
    *app.world_mut().resource_mut::<Menu>() = Menu::None;

    // Creatures that are switched off are not drawn, but stay in the map.
    app.world_mut().resource_mut::<Settings>().creatures = false;
    app.update();
    assert!(app.world().resource::<DrawnParts>().0.is_empty());
    command(&mut app, CreatureCommand::Remove { at, within: 1000 });
    wait(&mut app, "they are removed", |app| count(app) == 0);
}

#[test]
fn creatures_that_cannot_be_read_stay_in_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    app.world_mut().resource_mut::<OpenMap>().creatures = Some(vec![9, 9, 9]);
    app.world_mut().run_system_once(systems::open).unwrap();
    wait(&mut app, "all chunks are known", |app| life(app).figures.known_chunks == 18);
    let kind = life(&app).find("deer").unwrap();
    command(&mut app, CreatureCommand::Place { kind, at: IVec3::new(9, 0, 9), count: 1 });
    wait(&mut app, "one deer", |app| life(app).figures.by_kind.get(kind) == Some(&1));
    let ticks = life(&app).figures.ticks;
    wait(&mut app, "two seconds", |app| life(app).figures.ticks > ticks + 50);
    assert_eq!(app.world().resource::<SaveQueue>().creatures(), None);
}
