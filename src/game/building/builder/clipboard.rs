//! The clipboard of the builder mode: filled by jobs, read by the paste tool.

use crate::game::building::builder::placement::foot;
use crate::game::building::console::GameConsole;
use crate::game::editing::edit_jobs::{EditJobEnded, EditJobs, EditRequest, JobId, WhenDone};
use crate::game::state::session::growing_materials::GrowingMaterials;
use bevy::prelude::{Local, MessageReader, Res, ResMut, Resource};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use stonerun_engine::edit::clipboard::{Clipboard, Transform};
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{Mask, Pattern};
use stonerun_engine::metrics::counted;
use stonerun_engine::voxel::{Box3, Voxel};

/// The clipboard, shared with the jobs that fill it.
#[derive(Resource, Clone, Default)]
pub struct BuilderClipboard(Arc<Mutex<Copied>>);

/// State of the clipboard.
#[derive(Default)]
struct Copied {
    clipboard: Option<Clipboard>,
    /// Number of changes of the clipboard.
    revision: u64,
    /// Jobs of the cuts that have not ended.
    cuts: VecDeque<JobId>,
    /// Clipboard that the running cut has replaced, to restore if the cut is not committed.
    before_cut: Option<ReplacedClipboard>,
    /// Number of maps closed so far. Results of jobs of an earlier map are ignored, because its
    /// materials have other numbers.
    map: u64,
}

/// Clipboard that a cut has replaced.
struct ReplacedClipboard {
    clipboard: Option<Clipboard>,
    /// Revision of the clipboard after the cut. A later one means that something was copied since.
    revision: u64,
}

impl BuilderClipboard {
    /// The clipboard with its revision, which increases with each change.
    #[must_use]
    pub fn get(&self) -> (Option<Clipboard>, u64) {
        // Nothing panics while it holds the lock.
        let copied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (copied.clipboard.clone(), copied.revision)
    }

    /// Replaces the clipboard.
    pub fn set(&self, clipboard: Option<Clipboard>) {
        let mut copied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        copied.clipboard = clipboard;
        copied.revision += 1;
    }

    /// Empties the clipboard and ignores the results of jobs that still run, because their map was
    /// closed.
    pub fn forget_map(&self) {
        let mut copied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *copied =
            Copied { revision: copied.revision + 1, map: copied.map + 1, ..Copied::default() };
    }

    /// Number of the open map.
    fn map(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).map
    }

    /// Replaces the clipboard, unless the map was closed since its number was read. For a cut,
    /// keeps the replaced clipboard.
    fn set_in_map(&self, map: u64, clipboard: Clipboard, is_cut: bool) {
        let mut copied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if copied.map == map {
            let before = copied.clipboard.replace(clipboard);
            copied.revision += 1;
            if is_cut {
                let revision = copied.revision;
                copied.before_cut = Some(ReplacedClipboard { clipboard: before, revision });
            }
        }
    }

    /// Handles the end of a job: a cut that was not committed restores the clipboard before it.
    fn end(&self, job: JobId, is_cut: bool) {
        let mut copied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(index) = copied.cuts.iter().position(|cut| *cut == job) else { return };
        copied.cuts.remove(index);
        // Jobs run one after the other: only the first can have replaced the clipboard.
        if index > 0 {
            return;
        }
        if let Some(before) = copied.before_cut.take()
            && !is_cut
            && before.revision == copied.revision
        {
            copied.clipboard = before.clipboard;
            copied.revision += 1;
        }
    }

    /// Copies a box in the background. With `cuts`, air takes its place, as a step of the history.
    pub fn copy(&self, jobs: &mut EditJobs, area: Box3, cuts: bool) {
        let shared = self.clone();
        let map = self.map();
        let name = if cuts { "cut" } else { "copy" };
        let work = move |edit: &mut stonerun_engine::edit::VoxelEdit<'_>| {
            let region = Region::from_shape(&area);
            let clipboard = if cuts {
                edit.cut(&region, &Mask::Any, foot(area), &Pattern::Voxel(Voxel::AIR))?.0
            } else {
                edit.copy(&region, &Mask::Any, foot(area))?
            };
            let answer = format!("{} copied", counted(clipboard.volume(), "voxel"));
            shared.set_in_map(map, clipboard, cuts);
            Ok(answer)
        };
        let id = jobs.start(EditRequest {
            name: name.into(),
            work: Box::new(work),
            when_done: WhenDone::Commit,
        });
        jobs.hold_commands(id);
        if cuts {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).cuts.push_back(id);
        }
    }

    /// Turns or flips the clipboard in the background.
    pub fn transform(
        &self,
        jobs: &mut EditJobs,
        transform: Transform,
        materials: GrowingMaterials,
    ) {
        let shared = self.clone();
        let map = self.map();
        let work = move |edit: &mut stonerun_engine::edit::VoxelEdit<'_>| {
            if let (Some(clipboard), _) = shared.get() {
                let turned = materials.transformed(&clipboard, &transform, edit.progress())?;
                shared.set_in_map(map, turned, false);
            }
            Ok(String::new())
        };
        let id = jobs.start(EditRequest {
            name: "turn".into(),
            work: Box::new(work),
            when_done: WhenDone::Commit,
        });
        jobs.hold_commands(id);
    }
}

/// Handles the ends of cuts.
pub fn take_in_cuts(clipboard: Res<BuilderClipboard>, mut ended: MessageReader<EditJobEnded>) {
    for job in ended.read() {
        clipboard.end(job.id, job.outcome.is_ok());
    }
}

/// Copies the clipboard of the tools to the console after a change, or that of the console to the
/// tools. `seen` are the revisions of both clipboards when they were equal last.
pub fn share_with_console(
    clipboard: Res<BuilderClipboard>,
    mut console: ResMut<GameConsole>,
    mut seen: Local<[u64; 2]>,
) {
    let (copied, revision) = clipboard.get();
    if revision != seen[0] {
        match copied {
            Some(copied) => {
                let origin = copied.origin();
                console.console.set_clipboard(copied, origin);
            }
            None => console.console.clear_clipboard(),
        }
    } else if console.console.clipboard_revision() != seen[1] {
        clipboard.set(console.console.clipboard().cloned());
    }
    *seen = [clipboard.get().1, console.console.clipboard_revision()];
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::*;
    use glam::IVec3;
    use stonerun_engine::edit::{JobProgress, VoxelEdit};
    use stonerun_engine::world::World;

    fn copied(side: i32) -> Clipboard {
        let world = World::new();
        let progress = JobProgress::default();
        let edit = VoxelEdit::new(&world, 0, &progress);
        let area = Box3 { min: IVec3::ZERO, max: IVec3::splat(side) };
        edit.copy(&Region::from_shape(&area), &Mask::Any, area.min).expect("in memory")
    }

    #[test]
    fn uncommitted_cut_restores_the_clipboard_before_it() {
        let volume = |clipboard: &BuilderClipboard| clipboard.get().0.map(|copied| copied.volume());
        let area = Box3 { min: IVec3::ZERO, max: IVec3::splat(3) };
        for (is_cut, expected) in [(true, 27), (false, 8)] {
            let clipboard = BuilderClipboard::default();
            let mut jobs = EditJobs::default();
            clipboard.set(Some(copied(2)));
            clipboard.copy(&mut jobs, area, true);
            let id = jobs.jobs().next().expect("the cut").id;
            // The job sets the clipboard when it runs.
            clipboard.set_in_map(clipboard.map(), copied(3), true);
            assert_eq!(volume(&clipboard), Some(27));
            clipboard.end(id, is_cut);
            assert_eq!(volume(&clipboard), Some(expected));
            // A later copy stays.
            clipboard.copy(&mut jobs, area, true);
            let id = jobs.jobs().last().expect("the cut").id;
            clipboard.set_in_map(clipboard.map(), copied(3), true);
            clipboard.set(Some(copied(4)));
            clipboard.end(id, is_cut);
            assert_eq!(volume(&clipboard), Some(64));
        }
    }

    #[test]
    fn tools_and_commands_share_one_clipboard() {
        let mut app = App::new();
        app.init_resource::<BuilderClipboard>().insert_resource(GameConsole::load());
        app.add_systems(Update, share_with_console);
        let volumes = |app: &App| {
            let console =
                app.world().resource::<GameConsole>().console.clipboard().map(Clipboard::volume);
            let tools =
                app.world().resource::<BuilderClipboard>().get().0.map(|copied| copied.volume());
            (tools, console)
        };
        app.update();
        assert_eq!(volumes(&app), (None, None));
        app.world().resource::<BuilderClipboard>().set(Some(copied(2)));
        app.update();
        assert_eq!(volumes(&app), (Some(8), Some(8)));
        app.world_mut().resource_mut::<GameConsole>().console.set_clipboard(copied(3), IVec3::ZERO);
        app.update();
        assert_eq!(volumes(&app), (Some(27), Some(27)));
        app.update();
        app.world_mut().resource_mut::<GameConsole>().console.clear_clipboard();
        app.update();
        assert_eq!(volumes(&app), (None, None));
    }
}
