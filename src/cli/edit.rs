//! `stonerun edit MAP COMMAND...`: builds in a map without the game, with the commands of the
//! console.
//!
//! All commands are read before the first one runs, and one transaction saves what they did: a
//! command that fails, or a process that is killed, leaves the map as it was.

use super::{Outcome, line, map_path, open_for_writing, output};
use crate::edit::console::{Console, ConsoleCommand, ConsoleTask};
use crate::edit::{EditableWorld, JobProgress, MapSnapshot, PreparedEdit};
use crate::history::{Direction, History};
use crate::save::{MapChanges, MapFile};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use glam::DVec3;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `edit`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// Commands, each as one argument, such as '//pos1 0,10,0'
    #[arg(required = true, value_name = "COMMAND")]
    commands: Vec<String>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// What a command did. Field names appear in the JSON output.
#[derive(Serialize, Debug)]
struct CommandResult {
    /// The command, as it was given.
    command: String,
    /// Voxels that it changed or counted; 0 for others.
    voxels: u64,
    /// Its answer.
    answer: String,
}

/// A map that is edited.
struct EditedMap {
    file: MapFile,
    generator: Arc<Generator>,
    world: EditableWorld,
    changed: FxHashSet<ChunkPos>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let file = open_for_writing(&path, "editing")?;
    let header = file.header().clone();
    let parse = |text: &String| {
        ConsoleCommand::parse(text, file.materials()).map_err(|error| format!("{}: {text}: {error}", path.display()))
    };
    let commands: Vec<ConsoleCommand> = args.commands.iter().map(parse).collect::<Result<_, _>>()?;
    let history = file.history().map_err(|error| format!("{}: {error}", path.display()))?;
    let history = History::from_saved(history, file.materials().len(), usize::MAX, file.reader().map_err(line)?);
    let kind = header.terrain.parse().unwrap_or(TerrainKind::Void);
    let generator = Arc::new(Generator::new(header.seed, kind, file.materials()));
    let mut map = EditedMap { file, generator, world: EditableWorld::new(history), changed: FxHashSet::default() };
    let mut console = Console::new(DVec3::from_array(header.player.position).floor().as_ivec3());
    let mut results = Vec::new();
    for (command, text) in commands.into_iter().zip(&args.commands) {
        let (voxels, answer) = console
            .task(text, command)
            .map_err(|error| error.to_string())
            .and_then(|task| map.run(&mut console, task))
            .map_err(|error| format!("{}: {text}: {error}", path.display()))?;
        results.push(CommandResult { command: text.clone(), voxels, answer });
    }
    map.save()?;
    if args.json {
        return output::print_json(&results);
    }
    results.iter().try_for_each(|result| output::print(&format!("{}: {}", result.command, result.answer)))
}

impl EditedMap {
    /// Carries out a task. Returns the voxels that it changed or counted, and its answer.
    fn run(&mut self, console: &mut Console, task: ConsoleTask) -> Result<(u64, String), String> {
        Ok(match task {
            ConsoleTask::Job(job) => {
                let revision = self.world.revision();
                let outcome = job.run(&self.snapshot()?, revision, &JobProgress::default()).map_err(line)?;
                console.accept(&outcome);
                if let Some(edit) = outcome.edit {
                    self.commit(edit)?;
                }
                (outcome.voxels, outcome.answer)
            }
            ConsoleTask::Undo(steps) => (0, format!("{} undone", steps_text(self.step(steps, Direction::Undo)?))),
            ConsoleTask::Redo(steps) => (0, format!("{} redone", steps_text(self.step(steps, Direction::Redo)?))),
            ConsoleTask::Answer(answer) => (0, answer),
        })
    }

    /// The map with the edits that are not saved yet.
    fn snapshot(&self) -> Result<MapSnapshot, String> {
        let (reader, generator) = (self.file.reader().map_err(line)?, Arc::clone(&self.generator));
        Ok(MapSnapshot { loaded: self.world.world().clone(), reader, generator })
    }

    fn commit(&mut self, edit: PreparedEdit) -> Outcome {
        let change = self.world.commit(edit, |pos| self.file.load(pos)).map_err(line)?;
        self.changed.extend(change.parts.iter().map(|part| part.pos));
        Ok(())
    }

    /// Undoes or redoes steps. Returns how many there were.
    fn step(&mut self, steps: u32, direction: Direction) -> Result<u32, String> {
        for done in 0..steps {
            let Some(change) = self.world.step(direction, |pos| self.file.load(pos)).map_err(line)? else {
                return Ok(done);
            };
            self.changed.extend(change.parts.iter().map(|part| part.pos));
        }
        Ok(steps)
    }

    /// Saves everything in one transaction.
    fn save(mut self) -> Outcome {
        let chunk = |pos: &ChunkPos| Some((*pos, self.world.world().chunk(*pos)?.clone()));
        let chunks: Vec<(ChunkPos, Chunk)> = self.changed.iter().filter_map(chunk).collect();
        let history = self.world.take_history_change();
        if !chunks.is_empty() || history.is_some() {
            let changes = MapChanges::new(chunks, self.file.header().clone(), self.file.materials().clone());
            self.file.save(&MapChanges { history, ..changes }).map_err(line)?;
        }
        self.file.close().map_err(line)
    }
}

fn steps_text(steps: u32) -> String {
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}
