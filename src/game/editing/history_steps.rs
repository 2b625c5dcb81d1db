//! Steps of the undo history that the player chooses in the list: go to a step, or take one back.

use crate::game::editing::edit_jobs::{self, EditJobEnded, EditJobs, JobId, Stepped, WhenDone};
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::notices::Notices;
use crate::game::state::session::{Editor, OpenMap};
use bevy::prelude::*;
use std::time::{Duration, Instant};
use stonerun_engine::edit::region::Region;
use stonerun_engine::voxel::{Box3, SurfaceChange};

/// Time per frame for undoing or redoing steps. A single step may take longer.
const BUDGET: Duration = Duration::from_millis(12);

/// A request of the player about the history.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub enum HistoryRequest {
    /// Undoes or redoes steps until this one is the last that is not undone; 0 undoes all.
    GoTo(u64),
    /// Takes back one step, and keeps what later steps have changed.
    TakeBack {
        /// Number of the step.
        number: u64,
        /// Box to which the change is limited; `None` for all of the step.
        inside: Option<Box3>,
    },
}

/// Adds the handling of [`HistoryRequest`].
pub struct HistoryStepsPlugin;

impl Plugin for HistoryStepsPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<HistoryRequest>().add_systems(Update, carry_out.in_set(FrameSet::Edit));
    }
}

/// The step of a `GoTo` request that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Target {
    number: u64,
    /// Total number of steps at the request. If it changes, an edit was made meanwhile, and the
    /// request ends.
    steps: usize,
    /// The job that undoes or redoes the next step. If it fails, the request ends.
    job: Option<JobId>,
}

/// Carries out the player's requests to the history. A move to a distant step takes several frames,
/// because each frame spends at most [`BUDGET`] on it.
fn carry_out(
    map: Res<OpenMap>,
    mut requests: MessageReader<HistoryRequest>,
    mut ended: MessageReader<EditJobEnded>,
    mut editor: Editor,
    mut jobs: ResMut<EditJobs>,
    mut notices: ResMut<Notices>,
    mut target: Local<Option<Target>>,
) {
    if map.is_added() {
        *target = None;
    }
    for &request in requests.read() {
        if map.read_only.is_some() {
            notices.replace_info("Read-only", "the history cannot be changed");
            continue;
        }
        match request {
            HistoryRequest::GoTo(number) => {
                // The step may have been dropped since the list was drawn.
                let is_known = number == 0 || editor.edits().history().step(number).is_some();
                *target = is_known.then(|| Target { number, steps: steps(&editor), job: None });
            }
            HistoryRequest::TakeBack { number, inside } => {
                *target = None;
                take_back(number, inside, &mut editor, &mut jobs, &mut notices);
            }
        }
    }
    for job in ended.read().filter(|job| job.outcome.is_err()) {
        target.take_if(|target| target.job == Some(job.id));
    }
    let start = Instant::now();
    while let Some(Target { number, steps: expected, job }) = &mut *target {
        match editor.edits().history().direction_to(*number).filter(|_| steps(&editor) == *expected)
        {
            // A running job may change which step is next.
            Some(_) if jobs.is_busy() => return,
            Some(direction) => match edit_jobs::step(&mut editor, &mut jobs, direction) {
                Ok(Stepped::Started(id)) => *job = Some(id),
                Ok(_) => {}
                Err(error) => {
                    notices.warn(format!("History: {error}"));
                    *target = None;
                }
            },
            None => *target = None,
        }
        if start.elapsed() > BUDGET {
            return;
        }
    }
}

fn steps(editor: &Editor) -> usize {
    let history = editor.edits().history();
    history.undo_count() + history.redo_count()
}

/// Starts a job that takes back one step.
fn take_back(
    number: u64,
    inside: Option<Box3>,
    editor: &mut Editor,
    jobs: &mut EditJobs,
    notices: &mut Notices,
) {
    if let Some(change) = editor.edits().surface_taken_back(number) {
        return take_back_surface(change, editor, notices);
    }
    let name = editor.edits().history().step(number).map(|step| step.step().name().to_owned());
    let Some((job, name)) = editor.take_back_job(number).zip(name) else {
        return notices.info("This step is not done");
    };
    let name = format!("undo of {name}");
    let work = move |world: &dyn stonerun_engine::edit::ChunkSource,
                     _: u64,
                     progress: &stonerun_engine::edit::JobProgress| {
        let region = inside.map(|area| Region::from_shape(&area));
        let edit = job.run(world, region.as_ref(), progress)?;
        let answer = match edit.volume() {
            0 => "Nothing to take back: later edits have changed all of it".to_owned(),
            voxels => {
                format!("{}: {}", edit.name, crate::game::state::format::counted(voxels, "voxel"))
            }
        };
        Ok((edit, answer))
    };
    jobs.start_prepared(name, Box::new(work), WhenDone::Commit);
}

/// Takes back the change of a surface, as a new step, unless a later step has changed it.
fn take_back_surface(change: SurfaceChange, editor: &mut Editor, notices: &mut Notices) {
    if editor.surface(change.material) != Some(change.before) {
        return notices.info("Nothing to take back: a later step has changed the surface");
    }
    let material = editor.map().materials.get(change.material);
    let name = material.map_or_else(String::new, |material| material.name.clone());
    let name = format!("//surface {name} {}", change.after);
    match editor.change_surface(name.clone(), change) {
        Ok(()) => notices.info(name),
        Err(error) => notices.warn(format!("History: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::state::frame::chunk_messages;
    use crate::game::state::session::save_queue::tests::opened;
    use crate::game::state::session::{Edits, WorkCounters};
    use bevy::ecs::system::RunSystemOnce;
    use stonerun_engine::edit::BoxPatch;
    use stonerun_engine::voxel::{ChunkPos, Voxel};
    use stonerun_engine::world::Chunk;

    fn app(folder: &std::path::Path) -> App {
        let (map, mut edits, saves) = opened(folder);
        assert!(edits.load_chunk(ChunkPos::default(), Chunk::uniform(Voxel::full(1))));
        let mut app = App::new();
        chunk_messages::add(&mut app);
        app.insert_resource(map)
            .insert_resource(edits)
            .insert_resource(saves)
            .init_resource::<WorkCounters>();
        app.init_resource::<EditJobs>().init_resource::<Notices>();
        app.add_message::<HistoryRequest>()
            .add_message::<EditJobEnded>()
            .add_systems(Update, carry_out);
        app
    }

    fn fill(app: &mut App, x: i32, voxel: Voxel) {
        let area = Box3 { min: IVec3::new(x, 0, 0), max: IVec3::new(x + 1, 1, 1) };
        let edit = move |mut editor: Editor| editor.apply(&BoxPatch::fill(area, voxel).into());
        app.world_mut().run_system_once(edit).unwrap();
    }

    fn go_to(app: &mut App, number: u64) -> (usize, usize) {
        app.world_mut().write_message(HistoryRequest::GoTo(number));
        (0..50).for_each(|_| app.update());
        let history = app.world().resource::<Edits>().history();
        (history.undo_count(), history.redo_count())
    }

    #[test]
    fn chosen_step_is_the_last_that_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = app(folder.path());
        (0..6).for_each(|x| fill(&mut app, x, Voxel::AIR));
        let numbers: Vec<u64> =
            app.world().resource::<Edits>().history().steps().map(|step| step.number).collect();
        assert_eq!(go_to(&mut app, numbers[2]), (3, 3));
        assert_eq!(
            app.world().resource::<Edits>().world().get(IVec3::new(3, 0, 0)),
            Voxel::full(1)
        );
        assert_eq!(go_to(&mut app, numbers[4]), (5, 1));
        assert_eq!(app.world().resource::<Edits>().world().get(IVec3::new(3, 0, 0)), Voxel::AIR);
        assert_eq!(go_to(&mut app, numbers[4]), (5, 1), "it is there already");
        assert_eq!(go_to(&mut app, 0), (0, 6));
        fill(&mut app, 9, Voxel::AIR);
        assert_eq!(go_to(&mut app, numbers[5]), (1, 0), "steps that are gone");
    }

    #[test]
    fn one_step_is_taken_back_by_a_job() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = app(folder.path());
        (0..3).for_each(|x| fill(&mut app, x, Voxel::AIR));
        let number =
            app.world().resource::<Edits>().history().steps().next().expect("a step").number;
        app.world_mut().write_message(HistoryRequest::TakeBack { number, inside: None });
        app.update();
        let jobs: Vec<String> =
            app.world().resource::<EditJobs>().jobs().map(|job| job.name).collect();
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        assert!(jobs[0].starts_with("undo of"), "{jobs:?}");
    }
}
