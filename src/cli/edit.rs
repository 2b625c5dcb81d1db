//! `stonerun edit MAP COMMAND...`: builds in a map without the game, using the commands of the
//! console.
//!
//! All commands are parsed before the first one runs, and one transaction saves all edits: a
//! command that fails, or a process that is killed, leaves the map unchanged.

use super::{Outcome, line, map_path, open_for_writing, output};
use glam::DVec3;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use stonerun_engine::body::walking::voxel_of_feet;
use stonerun_engine::edit::console::{
    CommandError, Console, ConsoleCommand, ConsoleJob, ConsoleTask, RegionOutcome, RegionTask,
};
use stonerun_engine::edit::{Change, EditableWorld, JobProgress, MapSnapshot, PreparedEdit};
use stonerun_engine::history::{Direction, History};
use stonerun_engine::save::{Header, MapChanges, MapFile, RegionChange, read_text_file, unix_now};
use stonerun_engine::terrain::Generator;
use stonerun_engine::voxel::{ChunkPos, MaterialTable};
use stonerun_engine::world::Chunk;

/// Maximum size of a script, in bytes.
const MAX_SCRIPT_BYTES: usize = 16 << 20;
/// Time between two updates of the progress bar.
const BAR_INTERVAL: Duration = Duration::from_millis(64);

/// Arguments of `edit`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// Commands, each as one argument, such as '//pos1 0,10,0'
    #[arg(required_unless_present = "file", value_name = "COMMAND")]
    commands: Vec<String>,
    /// Run the commands of a text file first: one per line, '#' begins a comment
    #[arg(long, value_name = "SCRIPT")]
    file: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Result of a command. Field names appear in the JSON output.
#[derive(Serialize, Debug)]
struct CommandResult {
    /// The command, as it was given.
    command: String,
    /// Number of voxels that the command changed or counted; 0 for other commands.
    voxels: u64,
    /// Answer of the command.
    answer: String,
}

/// A map that is edited.
struct EditedMap {
    file: MapFile,
    /// The material table with the changes that are not saved yet.
    materials: MaterialTable,
    generator: Arc<Generator>,
    world: EditableWorld,
    changed: FxHashSet<ChunkPos>,
    regions: Vec<RegionChange>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let file = open_for_writing(&path, "editing")?;
    let header = file.header().clone();
    let commands = read_commands(args, &path, file.materials())?;
    let history = file.history().map_err(|error| format!("{}: {error}", path.display()))?;
    let history = History::from_saved(
        history,
        file.materials().len(),
        usize::MAX,
        file.reader().map_err(line)?,
    );
    let generator = Arc::new(header.generator(file.materials()));
    let awake = file.awake().map_err(|error| format!("{}: {error}", path.display()))?;
    let world = EditableWorld::new(history).with_awake(&awake, None);
    let mut map = EditedMap {
        materials: file.materials().clone(),
        file,
        generator,
        world,
        changed: FxHashSet::default(),
        regions: Vec::new(),
    };
    let mut console = Console::new(voxel_of_feet(DVec3::from_array(header.player.position)));
    let mut results = Vec::new();
    for SourceCommand { command, place } in commands {
        console.set_next_step(map.world.history().number_of_next_edit());
        let task = map.task(&mut console, &command);
        let (voxels, answer) = task
            .and_then(|task| map.run(&mut console, task))
            .map_err(|error| format!("{place}: {}: {error}", command.text()))?;
        results.push(CommandResult { command: command.text().to_owned(), voxels, answer });
    }
    map.save()?;
    if args.json {
        return output::print_json(&results);
    }
    for result in &results {
        output::print(&format!("{}: {}", result.command, result.answer))?;
    }
    Ok(())
}

/// A command with its origin for error messages.
struct SourceCommand {
    command: ConsoleCommand,
    /// The map, or the script and the line number.
    place: String,
}

/// Reads all commands, with the script's commands first.
fn read_commands(
    args: &Args,
    map: &Path,
    materials: &MaterialTable,
) -> Result<Vec<SourceCommand>, String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    if let Some(script) = &args.file {
        let unreadable = |error| format!("{}: {error}", script.display());
        let text = read_text_file(script, MAX_SCRIPT_BYTES).map_err(unreadable)?;
        let numbered = text
            .lines()
            .enumerate()
            .map(|(i, line)| (format!("{}:{}", script.display(), i + 1), line.trim()));
        let commands = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        lines.extend(commands.map(|(place, line)| (place, line.to_owned())));
    }
    lines.extend(args.commands.iter().map(|text| (map.display().to_string(), text.clone())));
    let parse = |(place, text): (String, String)| {
        let command = ConsoleCommand::parse(&text, materials)
            .map_err(|error| format!("{place}: {text}: {error}"))?;
        Ok(SourceCommand { command, place })
    };
    lines.into_iter().map(parse).collect()
}

impl EditedMap {
    /// The task of a command. Shapes and turned states of blocks that the map lacks are added to
    /// its material table.
    fn task(
        &mut self,
        console: &mut Console,
        command: &ConsoleCommand,
    ) -> Result<ConsoleTask, String> {
        loop {
            match console.task(command, &self.materials) {
                // Each round adds a material, and there is a limit.
                Err(CommandError::NeedsMaterials(missing)) => {
                    for material in missing {
                        self.materials.add(material).map_err(line)?;
                    }
                }
                task => return task.map_err(line),
            }
        }
    }

    /// Carries out a task. Returns the number of voxels that it changed or counted, and its answer.
    fn run(&mut self, console: &mut Console, task: ConsoleTask) -> Result<(u64, String), String> {
        Ok(match task {
            ConsoleTask::Job(job) => self.run_job(console, job)?,
            ConsoleTask::Undo(steps) => {
                (0, format!("{} undone", steps_text(self.step(steps, Direction::Undo)?)))
            }
            ConsoleTask::Redo(steps) => {
                (0, format!("{} redone", steps_text(self.step(steps, Direction::Redo)?)))
            }
            ConsoleTask::Region(task) => self.run_region_task(console, task)?,
            ConsoleTask::Surface(task) => {
                let change = self.world.change_surface(task.name, task.change);
                self.take_change(&change)?;
                (0, task.answer)
            }
            ConsoleTask::Answer(answer) => (0, answer),
        })
    }

    /// Runs a job to its end, so that the next command sees its result. Returns the number of
    /// voxels that it changed or counted, and its answer.
    fn run_job(&mut self, console: &mut Console, job: ConsoleJob) -> Result<(u64, String), String> {
        let revision = self.world.revision();
        let snapshot = self.snapshot()?;
        let outcome =
            with_progress_bar(|progress| job.run(&snapshot, revision, progress)).map_err(line)?;
        console.accept(&outcome);
        let region_task = outcome.region_task().cloned();
        if let Some(edit) = outcome.edit {
            self.commit(edit)?;
        }
        match region_task {
            Some(task) => self.run_region_task(console, task),
            None => Ok((outcome.voxels, outcome.answer)),
        }
    }

    /// Saves, selects, lists or deletes named regions. Returns the same as [`EditedMap::run`].
    fn run_region_task(
        &mut self,
        console: &mut Console,
        task: RegionTask,
    ) -> Result<(u64, String), String> {
        match task.run(console, &self.file.reader().map_err(line)?).map_err(line)? {
            RegionOutcome::Done { answer, change } => {
                self.regions.extend(change);
                Ok((0, answer))
            }
            RegionOutcome::Job(job) => self.run_job(console, job),
        }
    }

    /// Snapshot of the map, including the edits that are not saved yet.
    fn snapshot(&self) -> Result<MapSnapshot, String> {
        let reader = self.file.reader().map_err(line)?;
        let generator = Arc::clone(&self.generator);
        Ok(MapSnapshot { loaded: self.world.world().clone(), reader, generator })
    }

    fn commit(&mut self, edit: PreparedEdit) -> Outcome {
        let change = self.world.commit(edit, |pos| self.file.load(pos)).map_err(line)?;
        self.take_change(&change)
    }

    /// Notes the chunks to save, and changes the material table.
    fn take_change(&mut self, change: &Change) -> Outcome {
        self.changed.extend(change.parts.iter().map(|part| part.pos));
        if let Some(surface) = change.surface {
            self.materials.set_surface(surface.material, surface.after).map_err(line)?;
        }
        Ok(())
    }

    /// Undoes or redoes steps. Returns their number.
    fn step(&mut self, steps: u32, direction: Direction) -> Result<u32, String> {
        for done in 0..steps {
            let Some(change) =
                self.world.step(direction, |pos| self.file.load(pos)).map_err(line)?
            else {
                return Ok(done);
            };
            self.take_change(&change)?;
        }
        Ok(steps)
    }

    /// Saves everything in one transaction.
    fn save(mut self) -> Outcome {
        let chunk = |pos: &ChunkPos| Some((*pos, self.world.world().chunk(*pos)?.clone()));
        let chunks: Vec<(ChunkPos, Chunk)> = self.changed.iter().filter_map(chunk).collect();
        let history = self.world.take_history_change();
        let awake = self.world.take_unsaved_awake();
        let regions = self.regions;
        if !chunks.is_empty() || !regions.is_empty() || history.is_some() {
            let header = Header { saved_unix: unix_now(), ..self.file.header().clone() };
            let changes = MapChanges::new(chunks, header, self.materials);
            self.file.save(&MapChanges { history, awake, regions, ..changes }).map_err(line)?;
        }
        self.file.close().map_err(line)
    }
}

/// Runs work on another thread, and shows a progress bar on a terminal if the work takes long.
/// Returns as soon as the work is done, because a script may have thousands of short commands.
fn with_progress_bar<T: Send>(work: impl FnOnce(&JobProgress) -> T + Send) -> T {
    let progress = JobProgress::default();
    let progress = &progress;
    let (finished, is_finished) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            // Dropping `finished` signals the end of the work, even after a panic.
            let _finished = finished;
            work(progress)
        });
        let mut bar = None;
        while is_finished.recv_timeout(BAR_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            let (done, total) = progress.chunks();
            let bar = bar.get_or_insert_with(|| output::progress("chunks", 0));
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn steps_text(steps: u32) -> String {
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "of the work")]
    fn panic_of_the_work_ends_the_wait() {
        with_progress_bar::<()>(|_| panic!("of the work"));
    }
}
