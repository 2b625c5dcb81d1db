//! Tests of commands that are entered in quick succession, in a game without a window.

use super::run;
use super::{ConsoleLine, GameConsole};
use crate::game::building::builder::clipboard::BuilderClipboard;
use crate::game::editing::edit_jobs::{
    EditJobEnded, EditJobs, EditPreview, UndoQuestion, update_jobs,
};
use crate::game::life::creatures::command::CreatureAnswer;
use crate::game::state::frame::chunk_messages;
use crate::game::state::frame::frame_timings::FrameTimings;
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::screens::Menu;
use crate::game::state::session::save_queue::tests::opened;
use crate::game::state::session::{
    Editor, Edits, OpenMap, ReadOnlyReason, SaveQueue, WorkCounters, surfaces,
};
use crate::game::state::settings::Settings;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use std::time::{Duration, Instant};
use stonerun_engine::edit::selection::Selection;
use stonerun_engine::save::MapFile;
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, SurfaceRule, Voxel};
use stonerun_engine::world::{Chunk, RayHit};

/// A game with an open map of one chunk of air, and a row of three voxels of dirt in the clipboard.
fn game(folder: &std::path::Path) -> App {
    let (map, mut edits, saves) = opened(folder);
    assert!(edits.load_chunk(ChunkPos::default(), Chunk::uniform(Voxel::AIR)));
    let mut app = App::new();
    chunk_messages::add(&mut app);
    app.insert_resource(map).insert_resource(edits).insert_resource(saves);
    app.init_resource::<WorkCounters>().init_resource::<Notices>().init_resource::<Menu>();
    app.init_resource::<UndoQuestion>().init_resource::<FrameTimings>();
    app.init_resource::<EditJobs>().init_resource::<EditPreview>().add_message::<EditJobEnded>();
    app.insert_resource(Player::default()).insert_resource(Settings::default());
    app.insert_resource(GameConsole::load()).add_message::<CreatureAnswer>();
    app.add_systems(Update, (update_jobs, run::run, surfaces::apply).chain());
    for line in ["//pos1 0,0,0", "//pos2 2,0,0", "//set dirt", "//copy"] {
        enter(&mut app, line);
        finish(&mut app);
    }
    app
}

fn enter(app: &mut App, line: &str) {
    app.world_mut().resource_mut::<GameConsole>().enter(line, false);
}

/// Moves the player, whose feet are at the origin at first.
fn stand_at(app: &mut App, y: f64) {
    app.world_mut().resource_mut::<Player>().walker.position = glam::DVec3::new(0.5, y, 0.5);
}

/// Runs frames until all entered lines are done.
fn finish(app: &mut App) {
    let start = Instant::now();
    loop {
        app.update();
        let console = app.world().resource::<GameConsole>();
        if console.queue.is_empty()
            && console.jobs.is_empty()
            && !app.world().resource::<EditJobs>().is_busy()
        {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "the commands do not end");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The row of three voxels at a height.
fn row(app: &App, y: i32) -> [Voxel; 3] {
    let world = app.world().resource::<Edits>().world();
    [0, 1, 2].map(|x| world.get(IVec3::new(x, y, 0)))
}

fn full(name: &str) -> Voxel {
    Voxel::full(MaterialTable::builtin().find(name).expect(name))
}

fn problems(app: &App) -> Vec<String> {
    let log = app.world().resource::<GameConsole>().log();
    let problems = log.filter_map(|line| match line {
        ConsoleLine::Problem(problem) => Some(problem.clone()),
        _ => None,
    });
    problems.collect()
}

fn undo_count(app: &App) -> usize {
    app.world().resource::<Edits>().history().undo_count()
}

#[test]
fn paste_waits_for_the_copy_and_keeps_the_position_of_its_entry() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    enter(&mut app, "//set stone");
    enter(&mut app, "//copy");
    app.update();
    stand_at(&mut app, 10.0);
    enter(&mut app, "//paste");
    enter(&mut app, "//rotate 90");
    app.update();
    stand_at(&mut app, 20.0);
    finish(&mut app);
    assert_eq!(problems(&app), [""; 0]);
    assert_eq!([row(&app, 10), row(&app, 20)], [[full("stone"); 3], [Voxel::AIR; 3]]);
    let clipboard = app.world().resource::<GameConsole>().console.clipboard().expect("a copy");
    assert_eq!(clipboard.size(), IVec3::new(1, 1, 3));
}

#[test]
fn commands_wait_for_jobs_that_change_the_selection() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    for line in ["//pos1 0,0,0", "//pos2 9,9,9", "//trim", "//set stone"] {
        enter(&mut app, line);
    }
    finish(&mut app);
    assert_eq!([row(&app, 0), row(&app, 1)], [[full("stone"); 3], [Voxel::AIR; 3]]);
    for line in
        ["//move 5 up -s", "//move 5 up -s", "//region save row", "//desel", "//region load row"]
    {
        enter(&mut app, line);
    }
    finish(&mut app);
    assert_eq!([row(&app, 5), row(&app, 10)], [[Voxel::AIR; 3], [full("stone"); 3]]);
    let selected = app.world().resource::<GameConsole>().console.selection().clone();
    let expected = Box3::spanning(IVec3::new(0, 10, 0), IVec3::new(2, 10, 0));
    assert_eq!((selected, problems(&app)), (Selection::from(expected), Vec::new()));
}

#[test]
fn commands_behind_a_cancelled_job_are_dropped_with_notice() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let steps = undo_count(&app);
    stand_at(&mut app, 10.0);
    for line in ["//copy", "//paste", "//pos1 7,7,7"] {
        enter(&mut app, line);
    }
    app.update();
    app.world_mut().resource_mut::<EditJobs>().cancel_all();
    finish(&mut app);
    let dropped = "not carried out, because //copy was not";
    assert_eq!(problems(&app), ["cancelled", dropped, dropped]);
    assert_eq!((row(&app, 10), undo_count(&app)), ([Voxel::AIR; 3], steps));
    // An undo behind it is dropped, too: it would undo an earlier step.
    enter(&mut app, "//set stone");
    enter(&mut app, "//undo");
    app.update();
    app.world_mut().resource_mut::<EditJobs>().cancel_all();
    finish(&mut app);
    assert_eq!((row(&app, 0), undo_count(&app)), ([full("dirt"); 3], steps));
    enter(&mut app, "//set stone");
    enter(&mut app, "//undo");
    finish(&mut app);
    assert_eq!((row(&app, 0), undo_count(&app)), ([full("dirt"); 3], steps));
}

#[test]
fn cancel_drops_waiting_commands_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    stand_at(&mut app, 10.0);
    for line in ["//copy", "//paste", "//cancel", "//size"] {
        enter(&mut app, line);
    }
    finish(&mut app);
    assert_eq!(problems(&app), ["cancelled", "cancelled"], "the last one is carried out");
    assert_eq!(row(&app, 10), [Voxel::AIR; 3]);
}

#[test]
fn random_commands_in_quick_succession_draw_different_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    for line in [
        "//pos1 0,0,0",
        "//pos2 31,31,31",
        "//set 50%stone,50%dirt",
        "//replace stone 50%glass,50%stone",
    ] {
        enter(&mut app, line);
    }
    finish(&mut app);
    let world = app.world().resource::<Edits>().world();
    let chunk = world.chunk(ChunkPos::default()).unwrap();
    let count = |voxel: Voxel| {
        chunk.runs().filter(|run| run.voxel == voxel).map(|run| run.len).sum::<u32>()
    };
    for name in ["stone", "glass"] {
        assert!((7000..9400).contains(&count(full(name))), "{name}: {}", count(full(name)));
    }
}

#[test]
fn cancelled_copy_of_a_tool_drops_the_paste_that_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    stand_at(&mut app, 10.0);
    let clipboard = BuilderClipboard::default();
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    clipboard.copy(&mut jobs, Box3::spanning(IVec3::ZERO, IVec3::new(0, 0, 0)), false);
    let copy = jobs.jobs().next().unwrap().id;
    enter(&mut app, "//paste");
    app.update();
    app.world_mut().resource_mut::<EditJobs>().cancel(copy);
    finish(&mut app);
    let problems = problems(&app);
    assert!(problems.len() == 1 && problems[0].contains("because copy was not"), "{problems:?}");
    assert_eq!(row(&app, 10), [Voxel::AIR; 3], "nothing that was copied before is pasted");
}

#[test]
fn unanswered_preview_delays_no_commands() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    enter(&mut app, "//set stone");
    finish(&mut app);
    app.world_mut().resource_mut::<GameConsole>().enter("//cut", true);
    enter(&mut app, "//size");
    let start = Instant::now();
    while app.world().resource::<EditPreview>().ready_job().is_none() {
        app.update();
        assert!(start.elapsed() < Duration::from_secs(120), "the preview is not ready");
    }
    app.update();
    app.update();
    assert!(app.world().resource::<GameConsole>().queue.is_empty());
    // Once it is applied, commands wait for it again.
    app.world_mut().resource_mut::<EditPreview>().apply();
    stand_at(&mut app, 10.0);
    enter(&mut app, "//paste");
    finish(&mut app);
    assert_eq!((row(&app, 0), row(&app, 10)), ([Voxel::AIR; 3], [full("stone"); 3]));
}

#[test]
fn hpos_uses_the_target_at_the_time_of_entry() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let at = IVec3::new(2, 0, 0);
    let hit = RayHit {
        voxel_pos: at,
        voxel: full("dirt"),
        face: None,
        distance: 3.0,
        ground_normal: None,
    };
    app.world_mut().resource_mut::<Player>().target = Some(hit);
    enter(&mut app, "//hpos1");
    app.update();
    // A later target does not matter.
    app.world_mut().resource_mut::<Player>().target = None;
    enter(&mut app, "//pos2 2,3,0");
    finish(&mut app);
    let selected = app.world().resource::<GameConsole>().console.selection().clone();
    assert_eq!(
        (selected.bounds(), problems(&app)),
        (Ok(Box3::spanning(at, at.with_y(3))), Vec::new())
    );
}

fn stone_surface(materials: &MaterialTable) -> SurfaceRule {
    materials.get(full("stone").material()).unwrap().surface
}

/// Surface of stone in the material table and the one from which faces are drawn.
fn surfaces_of_stone(app: &App) -> [SurfaceRule; 2] {
    let map = app.world().resource::<OpenMap>();
    let drawn = map.face_materials.contour().rule(full("stone").material());
    [stone_surface(&map.materials), drawn]
}

#[test]
fn surfaces_are_changed_saved_and_undone_in_order_with_edits() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let steps = undo_count(&app);
    for line in ["//set stone", "//surface stone facet", "//surface stone rough 9", "//set dirt"] {
        enter(&mut app, line);
    }
    finish(&mut app);
    assert_eq!((problems(&app), undo_count(&app)), (Vec::new(), steps + 4));
    assert_eq!(surfaces_of_stone(&app), [SurfaceRule::Rough(9); 2]);
    enter(&mut app, "//undo 2");
    finish(&mut app);
    assert_eq!(
        (row(&app, 0), surfaces_of_stone(&app)),
        ([full("stone"); 3], [SurfaceRule::Facet; 2])
    );
    enter(&mut app, "//undo 2");
    finish(&mut app);
    assert_eq!(
        (row(&app, 0), surfaces_of_stone(&app)),
        ([full("dirt"); 3], [SurfaceRule::Cube; 2])
    );
    enter(&mut app, "//redo 3");
    finish(&mut app);
    assert_eq!(surfaces_of_stone(&app), [SurfaceRule::Rough(9); 2]);
    // A save between the step and the table holds both.
    app.world_mut()
        .run_system_once(|mut editor: Editor, mut commands: Commands| {
            assert!(editor.undo().unwrap());
            commands.run_system_cached(close);
        })
        .unwrap();
    let path = folder.path().join("stone.stonerun");
    let file = MapFile::open_read_only(&path).unwrap().map;
    assert_eq!(stone_surface(file.materials()), SurfaceRule::Facet);
    let history = file.history().unwrap();
    let done = history.steps.iter().filter(|step| step.number <= history.last_done).count();
    assert_eq!(done, steps + 2);
}

/// Saves the map and closes its file.
fn close(
    mut map: ResMut<OpenMap>,
    mut edits: ResMut<Edits>,
    mut saves: ResMut<SaveQueue>,
    mut work: ResMut<WorkCounters>,
) {
    assert!(edits.has_surfaces_to_apply());
    saves.close(&mut map, &mut edits, &mut work).unwrap();
}

#[test]
fn read_only_map_keeps_its_surfaces() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    app.world_mut().resource_mut::<OpenMap>().read_only = Some(ReadOnlyReason::InUse);
    for line in ["//surface stone", "//surface stone smooth"] {
        enter(&mut app, line);
        finish(&mut app);
    }
    assert_eq!(problems(&app), ["the map is read-only"]);
    assert_eq!(surfaces_of_stone(&app), [SurfaceRule::Cube; 2]);
}
