//! Tests of jobs and previews in a game without a window.

use super::*;
use crate::game::state::frame::chunk_messages;
use crate::game::state::frame::frame_timings::FrameTimings;
use crate::game::state::notices::Notices;
use crate::game::state::screens::Menu;
use crate::game::state::session::save_queue::tests::opened;
use crate::game::state::session::{Editor, Edits, OpenMap, ReadOnlyReason, WorkCounters};
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use std::time::{Duration, Instant};
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{EditError, Mask, Pattern, VoxelEdit};
use stonerun_engine::history::{ChunkChange, Direction};
use stonerun_engine::voxel::{Box3, ChunkPos, Voxel};
use stonerun_engine::world::Chunk;

/// A game with an open map of one chunk of air.
fn game(folder: &std::path::Path) -> App {
    let (map, mut edits, saves) = opened(folder);
    assert!(edits.load_chunk(ChunkPos::default(), Chunk::uniform(Voxel::AIR)));
    let mut app = App::new();
    chunk_messages::add(&mut app);
    app.insert_resource(map).insert_resource(edits).insert_resource(saves);
    app.init_resource::<WorkCounters>().init_resource::<Notices>().init_resource::<Menu>();
    app.init_resource::<UndoQuestion>().init_resource::<FrameTimings>();
    app.init_resource::<EditJobs>().init_resource::<EditPreview>().add_message::<EditJobEnded>();
    app.add_systems(Update, update::update);
    app
}

/// Fills a row of voxels from the origin along x.
fn fill(len: i32) -> EditWork {
    Box::new(move |edit: &mut VoxelEdit<'_>| {
        let row = Region::from_shape(&Box3 { min: IVec3::ZERO, max: IVec3::new(len, 1, 1) });
        let voxels = edit.fill(&row, &Mask::Any, &Pattern::Voxel(Voxel::full(1)))?;
        Ok(format!("{voxels} voxels"))
    })
}

fn commit(name: &str, work: EditWork) -> EditRequest {
    EditRequest { name: name.to_owned(), work, when_done: WhenDone::Commit }
}

/// Runs frames until no job is left.
fn finish(app: &mut App) {
    let start = Instant::now();
    loop {
        app.update();
        if !app.world().resource::<EditJobs>().is_busy() {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "the jobs do not end");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn filled(app: &App) -> usize {
    let world = app.world().resource::<Edits>().world();
    (0..99).take_while(|&x| world.get(IVec3::new(x, 0, 0)) == Voxel::full(1)).count()
}

fn notices(app: &mut App) -> Vec<String> {
    app.world_mut().resource_mut::<Notices>().list.drain(..).map(|notice| notice.text).collect()
}

#[test]
fn each_job_sees_the_edits_of_those_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    let ids = [jobs.start(commit("five", fill(5))), jobs.start(commit("nine", fill(9)))];
    assert!(ids[0] != ids[1] && jobs.jobs().count() == 2 && jobs.jobs().all(|job| !job.is_running));
    finish(&mut app);
    assert_eq!(
        (filled(&app), notices(&mut app)),
        (9, vec!["5 voxels".to_owned(), "4 voxels".to_owned()])
    );
    assert_eq!(app.world().resource::<Edits>().history().undo_count(), 2);
}

#[test]
fn cancelled_failed_and_panicking_jobs_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let endless: EditWork = Box::new(|edit| {
        while !edit.progress().is_cancelled() {
            std::thread::yield_now();
        }
        fill(3)(edit)
    });
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    let running = jobs.start(commit("endless", endless));
    let waiting = jobs.start(commit("waiting", fill(2)));
    app.update();
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    jobs.cancel(waiting);
    jobs.cancel(running);
    assert!(jobs.jobs().count() == 1 && jobs.jobs().all(|job| job.is_cancelled));
    finish(&mut app);
    assert_eq!(
        (filled(&app), notices(&mut app)),
        (0, ["waiting: cancelled", "endless: cancelled"].map(str::to_owned).to_vec())
    );
    let fails: EditWork = Box::new(|_| Err(EditError::Cancelled));
    let panics: EditWork = Box::new(|_| std::panic::resume_unwind(Box::new("mistake")));
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    jobs.start(commit("fails", fails));
    jobs.start(commit("panics", panics));
    finish(&mut app);
    let said = notices(&mut app);
    assert!(
        said.len() == 2 && said[0].starts_with("fails: ") && said[1].contains("bug"),
        "{said:?}"
    );
    assert_eq!(app.world().resource::<Edits>().history().undo_count(), 0);
}

#[test]
fn preview_waits_for_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    app.world_mut().resource_mut::<EditPreview>().request("five", fill(5));
    finish(&mut app);
    let state = app.world().resource::<EditPreview>().state();
    let PreviewState::Ready {
        voxels_added, voxels_removed, voxels_changed, runs, undo_bytes, ..
    } = state
    else {
        panic!("{state:?}")
    };
    assert_eq!((voxels_added, voxels_removed, voxels_changed, runs), (5, 0, 0, [1, 2]));
    assert!(undo_bytes > 0 && filled(&app) == 0);
    assert_eq!(app.world().resource::<EditPreview>().drawn(), Some((6, 1)));
    // A preview that replaces it is applied before it is ready.
    let mut preview = app.world_mut().resource_mut::<EditPreview>();
    preview.request("nine", fill(9));
    preview.apply();
    finish(&mut app);
    assert_eq!((filled(&app), notices(&mut app)), (9, vec!["9 voxels".to_owned()]));
    assert_eq!(app.world().resource::<EditPreview>().state(), PreviewState::Nothing);
    app.world_mut().resource_mut::<EditPreview>().request("twelve", fill(12));
    finish(&mut app);
    app.world_mut().resource_mut::<EditPreview>().discard();
    finish(&mut app);
    assert_eq!(
        (filled(&app), app.world().resource::<EditPreview>().state()),
        (9, PreviewState::Nothing)
    );
    // This preview is discarded while it is computed.
    app.world_mut().resource_mut::<EditPreview>().request("thirteen", fill(13));
    app.update();
    app.world_mut().resource_mut::<EditPreview>().discard();
    finish(&mut app);
    assert_eq!(app.world().resource::<EditPreview>().state(), PreviewState::Nothing);
}

#[test]
fn applied_preview_is_committed_even_if_another_one_replaces_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let mut preview = app.world_mut().resource_mut::<EditPreview>();
    preview.request("five", fill(5));
    preview.apply();
    app.update();
    app.world_mut().resource_mut::<EditPreview>().request("nine", fill(9));
    finish(&mut app);
    assert_eq!((filled(&app), notices(&mut app)), (5, vec!["5 voxels".to_owned()]));
    let state = app.world().resource::<EditPreview>().state();
    assert!(matches!(state, PreviewState::Ready { voxels_added: 4, .. }), "{state:?}");
}

#[test]
fn applied_preview_is_committed_even_if_it_was_ready_or_only_requested() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    app.world_mut().resource_mut::<EditPreview>().request("five", fill(5));
    finish(&mut app);
    let mut preview = app.world_mut().resource_mut::<EditPreview>();
    assert!(preview.edit().is_some(), "it is ready");
    preview.apply();
    preview.request("nine", fill(9));
    finish(&mut app);
    assert_eq!((filled(&app), notices(&mut app)), (5, vec!["5 voxels".to_owned()]));
    let mut preview = app.world_mut().resource_mut::<EditPreview>();
    preview.request("twelve", fill(12));
    preview.apply();
    preview.request("thirteen", fill(13));
    finish(&mut app);
    assert_eq!((filled(&app), notices(&mut app)), (12, vec!["7 voxels".to_owned()]));
    let state = app.world().resource::<EditPreview>().state();
    assert!(matches!(state, PreviewState::Ready { .. }), "{state:?}");
}

#[test]
fn preview_cancelled_while_it_waits_is_discarded() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    app.world_mut().resource_mut::<EditJobs>().start(commit("five", fill(5)));
    app.world_mut().resource_mut::<EditPreview>().request("nine", fill(9));
    app.update();
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    let waiting = jobs.jobs().find(|job| !job.is_running).expect("the preview waits").id;
    jobs.cancel(waiting);
    finish(&mut app);
    assert_eq!(
        (filled(&app), app.world().resource::<EditPreview>().state()),
        (5, PreviewState::Nothing)
    );
}

#[test]
fn edit_after_the_one_in_question_waits_for_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let limit = |mut editor: Editor| editor.set_history_total_limit(1);
    app.world_mut().run_system_once(limit).unwrap();
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    jobs.start(commit("seven", fill(7)));
    jobs.start(commit("nine", fill(9)));
    let start = Instant::now();
    while app.world().resource::<UndoQuestion>().asked().is_none() {
        app.update();
        assert!(start.elapsed() < Duration::from_secs(120), "the player is not asked");
    }
    for _ in 0..20 {
        app.update();
    }
    let jobs: Vec<JobState> = app.world().resource::<EditJobs>().jobs().collect();
    assert!(filled(&app) == 0 && jobs.len() == 1 && !jobs[0].is_running, "{jobs:?}");
    app.world_mut().resource_mut::<UndoQuestion>().accept();
    *app.world_mut().resource_mut::<Menu>() = Menu::None;
    app.update();
    assert_eq!(filled(&app), 7);
}

#[test]
fn read_only_map_refuses_edits_and_allows_counts() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    app.world_mut().resource_mut::<OpenMap>().read_only = Some(ReadOnlyReason::Protected);
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    jobs.start(commit("five", fill(5)));
    jobs.start(commit(
        "count",
        Box::new(|edit| Ok(format!("{:?}", edit.voxel(IVec3::ZERO)?.is_air()))),
    ));
    finish(&mut app);
    assert_eq!(notices(&mut app), ["five: the map is read-only", "true"]);
    assert_eq!(filled(&app), 0);
}

/// Undoes a step. Returns the outcome, and the numbers of steps to undo and to redo afterwards.
fn undo(app: &mut App) -> (Stepped, (usize, usize)) {
    let undo = |mut editor: Editor, mut jobs: ResMut<EditJobs>| {
        let stepped = step(&mut editor, &mut jobs, Direction::Undo).unwrap();
        (stepped, (editor.edits().history().undo_count(), editor.edits().history().redo_count()))
    };
    app.world_mut().run_system_once(undo).unwrap()
}

#[test]
fn packed_step_of_many_chunks_is_undone_by_a_job() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let mut jobs = app.world_mut().resource_mut::<EditJobs>();
    jobs.start(commit("long", fill(32 * 80)));
    jobs.start(commit("short", fill(0)));
    finish(&mut app);
    notices(&mut app);
    assert_eq!(filled(&app), 99);
    let pack = |mut editor: Editor| {
        let history = editor.edits().history();
        for step in history.steps() {
            history.step(step.number).unwrap().step().pack();
        }
        editor.set_history_limit(0);
    };
    app.world_mut().run_system_once(pack).unwrap();
    let (Stepped::Started(_), counts) = undo(&mut app) else { panic!("80 chunks take a job") };
    assert_eq!((counts, filled(&app)), ((1, 0), 99));
    assert_eq!(undo(&mut app), (Stepped::Busy, (1, 0)));
    finish(&mut app);
    assert_eq!((filled(&app), notices(&mut app).len()), (0, 0));
    assert_eq!(undo(&mut app), (Stepped::Nothing, (0, 1)));
}

#[test]
fn edit_beyond_the_limit_of_the_history_waits_for_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let limit = |mut editor: Editor| editor.set_history_total_limit(1);
    app.world_mut().run_system_once(limit).unwrap();
    for (is_wanted, expected) in [(false, 0), (true, 7)] {
        app.world_mut().resource_mut::<EditJobs>().start(commit("seven", fill(7)));
        finish(&mut app);
        assert_eq!((*app.world().resource::<Menu>(), filled(&app)), (Menu::UndoQuestion, 0));
        let mut question = app.world_mut().resource_mut::<UndoQuestion>();
        let asked = question.asked().expect("a question");
        assert!(asked.name() == "seven" && asked.cost.exceeds_limit && asked.limit == 1);
        if is_wanted {
            question.accept();
        }
        *app.world_mut().resource_mut::<Menu>() = Menu::None;
        app.update();
        assert_eq!(filled(&app), expected);
        assert_eq!(notices(&mut app), [if is_wanted { "7 voxels" } else { "seven: cancelled" }]);
    }
}

/// Number of chunks along x that rules change.
const ROW: i32 = 80;

/// Sets one voxel in each chunk of the row as rules do, next to the voxels that [`fill`] sets.
fn rules(app: &mut App, voxel: Voxel) {
    let apply = move |mut editor: Editor| {
        let world = editor.edits().world();
        let change = |x| {
            let pos = ChunkPos::new(x, 0, 0);
            let before = world.chunk(pos).expect("loaded").clone();
            let mut after = before.clone();
            after.set(5 + 32 + 1024, voxel);
            ChunkChange::new(pos, before, after).expect("a change")
        };
        let changes = (0..ROW).map(change).collect();
        let revision = editor.edits().revision();
        editor.apply_rules(changes, revision).unwrap();
    };
    app.world_mut().run_system_once(apply).unwrap();
}

/// Number of voxels that [`fill`] has set, and of those that [`rules`] has set.
fn rows(app: &App) -> [usize; 2] {
    let world = app.world().resource::<Edits>().world();
    let count = |of: IVec3, step: i32, voxel| {
        (0..ROW * 32).filter(|x| x % step == 0 && world.get(of + IVec3::X * *x) == voxel).count()
    };
    [count(IVec3::ZERO, 1, Voxel::full(1)), count(IVec3::new(5, 1, 1), 32, Voxel::full(2))]
}

#[test]
fn edit_and_undo_of_chunks_that_rules_have_changed_are_merged_by_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    for x in 1..ROW {
        let mut edits = app.world_mut().resource_mut::<Edits>();
        edits.load_chunk(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR));
    }
    let (release, wait) = std::sync::mpsc::channel::<()>();
    let waiting: EditWork = Box::new(move |edit| {
        wait.recv().expect("the test lets it go on");
        fill(32 * ROW)(edit)
    });
    app.world_mut().resource_mut::<EditJobs>().start(commit("row", waiting));
    app.update();
    rules(&mut app, Voxel::full(2));
    release.send(()).unwrap();
    let start = Instant::now();
    while !app.world().resource::<EditJobs>().holds_rules() {
        assert!(start.elapsed() < Duration::from_secs(60), "the edit is not merged by a job");
        assert_eq!(rows(&app)[0], 0);
        app.update();
    }
    finish(&mut app);
    assert_eq!((rows(&app), notices(&mut app)), ([32 * 80, 80], vec!["2560 voxels".to_owned()]));
    assert_eq!(app.world().resource::<Edits>().history().undo_count(), 1);
    // Later changes by rules follow the edit, so they are undone with it.
    rules(&mut app, Voxel::full(3));
    let (Stepped::Started(_), counts) = undo(&mut app) else {
        panic!("chunks that rules have changed take a job")
    };
    assert_eq!((counts, rows(&app)), ((1, 0), [32 * 80, 0]));
    assert!(app.world().resource::<EditJobs>().holds_rules());
    finish(&mut app);
    assert_eq!(rows(&app), [0, 80]);
    assert_eq!(undo(&mut app), (Stepped::Nothing, (0, 1)));
}
