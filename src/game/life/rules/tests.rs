//! Tests of sand and edits in a small open map, frame by frame.

use super::clock::RulesClock;
use super::systems;
use super::work::WorldRules;
use crate::game::editing::edit_jobs::EditJobs;
use crate::game::state::frame::chunk_messages;
use crate::game::state::frame::frame_timings::FrameTimings;
use crate::game::state::notices::Notices;
use crate::game::state::panel_page::PanelState;
use crate::game::state::session::save_queue::tests::opened;
use crate::game::state::session::{Editor, Edits, OpenMap, SaveQueue, WorkCounters};
use crate::game::state::settings::Settings;
use crate::game::state::settings::rules_speed::RulesSpeed;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};
use stonerun_engine::edit::{BoxPatch, Edit};
use stonerun_engine::voxel::{Box3, ChunkPos, Voxel};
use stonerun_engine::world::Chunk;

/// A map with a floor of stone at y = -1 and 32 voxels of air above it, and its rules.
fn app(folder: &Path) -> App {
    let (map, mut edits, saves) = opened(folder);
    let stone = Voxel::full(map.materials.find("stone").unwrap());
    for (y, voxel) in [(-1, stone), (0, Voxel::AIR)] {
        for index in 0..9 {
            edits.load_chunk(ChunkPos::new(index % 3 - 1, y, index / 3 - 1), Chunk::uniform(voxel));
        }
    }
    let mut app = App::new();
    chunk_messages::add(&mut app);
    app.insert_resource(map)
        .insert_resource(edits)
        .insert_resource(saves)
        .init_resource::<WorkCounters>()
        .init_resource::<Settings>()
        .init_resource::<Notices>()
        .init_resource::<FrameTimings>()
        .init_resource::<EditJobs>()
        .init_resource::<PanelState>()
        .init_resource::<Time<Real>>()
        .add_systems(Update, (systems::notice, systems::apply, systems::begin).chain());
    app.world_mut().run_system_once(systems::open).unwrap();
    app
}

/// Runs frames of 50 ms until the world is at rest.
fn settle(app: &mut App) {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(60), "the rules never come to rest");
        app.world_mut().resource_mut::<Time<Real>>().advance_by(Duration::from_millis(50));
        app.update();
        if app.world().resource::<WorldRules>().is_at_rest() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn material(app: &App, name: &str) -> Voxel {
    Voxel::full(app.world().resource::<OpenMap>().materials.find(name).unwrap())
}

fn voxel(app: &App, at: IVec3) -> Voxel {
    app.world().resource::<Edits>().world().get(at)
}

fn set(app: &mut App, at: IVec3, voxel: Voxel) {
    let set = move |mut editor: Editor| assert!(editor.set(at, voxel));
    app.world_mut().run_system_once(set).unwrap();
}

#[test]
fn fallen_sand_is_saved_and_undone_with_its_edit() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    let sand = material(&app, "sand");
    let [top, floor] = [20, 0].map(|y| IVec3::new(5, y, 5));
    set(&mut app, top, sand);
    app.world_mut().resource_mut::<SaveQueue>().forget_unsaved();
    settle(&mut app);
    assert_eq!([voxel(&app, top), voxel(&app, floor)], [Voxel::AIR, sand]);
    assert!(app.world().resource::<SaveQueue>().is_unsaved(ChunkPos::new(0, 0, 0)));
    let figures = &app.world().resource::<WorldRules>().figures;
    assert!(figures.steps >= 20 && figures.totals.iter().sum::<u64>() >= 20, "{figures:?}");
    app.world_mut().run_system_once(|mut editor: Editor| assert!(editor.undo().unwrap())).unwrap();
    settle(&mut app);
    assert_eq!([voxel(&app, top), voxel(&app, floor)], [Voxel::AIR, Voxel::AIR]);
    app.world_mut().run_system_once(|mut editor: Editor| assert!(editor.redo().unwrap())).unwrap();
    settle(&mut app);
    assert_eq!([voxel(&app, top), voxel(&app, floor)], [Voxel::AIR, sand]);
}

#[test]
fn edits_between_and_during_steps_take_effect() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    let sand = material(&app, "sand");
    // One column of sand is added per frame, while the steps for the others run.
    for x in 0..12 {
        set(&mut app, IVec3::new(2 * x, 9, 3), sand);
        app.world_mut().resource_mut::<Time<Real>>().advance_by(Duration::from_millis(50));
        app.update();
    }
    settle(&mut app);
    for x in 0..12 {
        assert_eq!([9, 0].map(|y| voxel(&app, IVec3::new(2 * x, y, 3))), [Voxel::AIR, sand], "{x}");
    }
}

#[test]
fn step_that_runs_during_an_undo_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    let sand = material(&app, "sand");
    for height in [20, 13, 7] {
        set(&mut app, IVec3::new(5, 25, 5), sand);
        while !(0..=height).any(|y| voxel(&app, IVec3::new(5, y, 5)) == sand) {
            app.world_mut().resource_mut::<Time<Real>>().advance_by(Duration::from_millis(50));
            app.update();
        }
        // A step is under way from here on.
        app.world_mut().resource_mut::<Time<Real>>().advance_by(Duration::from_millis(50));
        app.update();
        app.world_mut()
            .run_system_once(|mut editor: Editor| assert!(editor.undo().unwrap()))
            .unwrap();
        // A new edit drops the undone step, so that it cannot be redone.
        set(&mut app, IVec3::new(20, 0, 20), sand);
        settle(&mut app);
        assert!((0..32).all(|y| voxel(&app, IVec3::new(5, y, 5)) == Voxel::AIR), "{height}");
    }
}

#[test]
fn rules_that_are_off_take_only_requested_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    app.world_mut().resource_mut::<Settings>().rules = RulesSpeed::Off;
    let sand = material(&app, "sand");
    set(&mut app, IVec3::new(5, 20, 5), sand);
    let frame = |app: &mut App| {
        app.world_mut().resource_mut::<Time<Real>>().advance_by(Duration::from_millis(50));
        app.update();
        std::thread::sleep(Duration::from_micros(200));
        app.world().resource::<WorldRules>().figures.steps
    };
    assert!((0..100).all(|_| frame(&mut app) == 0));
    assert_eq!(voxel(&app, IVec3::new(5, 20, 5)), sand);
    app.world_mut().resource_mut::<RulesClock>().ask(1);
    let start = Instant::now();
    while frame(&mut app) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "the step never ends");
    }
    assert!((0..100).all(|_| frame(&mut app) == 1));
    assert_eq!(voxel(&app, IVec3::new(5, 20, 5)), Voxel::AIR);
}

#[test]
fn step_is_repeated_after_a_large_edit() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    let [sand, stone] = ["sand", "stone"].map(|name| material(&app, name));
    let columns = || (0..49).map(|i| ChunkPos::new(i % 7 - 1, 0, i / 7 - 1));
    let load = move |mut edits: ResMut<Edits>| {
        for pos in columns() {
            edits.load_chunk(pos, Chunk::uniform(Voxel::AIR));
            edits.load_chunk(ChunkPos::new(pos.x, -1, pos.z), Chunk::uniform(stone));
        }
    };
    app.world_mut().run_system_once(load).unwrap();
    let place = move |app: &mut App, y: i32, voxel: Voxel| {
        let each = |pos: ChunkPos| {
            let min = pos.origin() + IVec3::new(5, y, 5);
            BoxPatch::fill(Box3 { min, max: min + 1 }, voxel)
        };
        let edit = Edit { patches: columns().map(each).collect() };
        app.world_mut().run_system_once(move |mut editor: Editor| editor.apply(&edit)).unwrap();
    };
    place(&mut app, 20, sand);
    let start = Instant::now();
    while app.world().resource::<WorldRules>().is_idle() {
        assert!(start.elapsed() < Duration::from_secs(60), "no step begins");
        app.world_mut().resource_mut::<Time<Real>>().advance_by(Duration::from_millis(50));
        app.update();
    }
    // The result of the running step is applied in the next frame at the earliest.
    place(&mut app, 30, stone);
    let before = app.world().resource::<Edits>().revision();
    while !app.world().resource::<WorldRules>().is_idle() {
        assert!(start.elapsed() < Duration::from_secs(60), "the step never ends");
        app.world_mut().run_system_once(systems::apply).unwrap();
    }
    assert_eq!(
        app.world().resource::<Edits>().revision(),
        before,
        "the step is not put into the world"
    );
    settle(&mut app);
    for pos in columns() {
        let at = |y| voxel(&app, pos.origin() + IVec3::new(5, y, 5));
        assert_eq!([at(30), at(20), at(0)], [stone, Voxel::AIR, sand], "{pos}");
    }
}
