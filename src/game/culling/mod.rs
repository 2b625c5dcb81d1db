//! Culling: which chunks are drawn. What the player's cell cannot see is not, and of the rest what the camera's frustum holds.
//!
//! The set of the cell is kept by [`PvsCache`]; here it hears of every chunk that comes, changes or goes, before the frame in which
//! that is drawn, and here its word is carried out. What the map has baked stands in until a set is refined. `behind` does that
//! on other threads, `keys` freezes and switches, `figures` counts what the panel's page shows, `rows` what the set costs in each codec.

mod behind;
mod keys;

pub mod figures;
pub mod rows;

use crate::game::flow::{self, Screen};
use crate::game::meshing::{self, ChunkPart, Meshes};
use crate::game::player::{self, Player};
use crate::game::session::Session;
use crate::game::settings::Settings;
use crate::game::shot;
use crate::game::stages::{Stage, Stages};
use crate::game::streaming::Stream;
use crate::visibility::graph_walk;
use crate::visibility::{CellId, ChunkOcclusion, PvsCache, RefineResult, SetSource, ToroidalIndex, bitset};
use crate::voxel::ChunkPos;
use crate::world::view::in_reach;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// What decides which chunks are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Nothing: all chunks are that are there.
    Nothing,
    /// View distance and the camera's frustum.
    Frustum,
    /// It, and the first-visit graph walk that voxel games use: the rival. What it misses is not drawn.
    GraphWalk,
    /// It, and the potentially visible set of the player's cell.
    #[default]
    Pvs,
}

impl Mode {
    /// All, in the order of their switch.
    pub const ALL: [Mode; 4] = [Mode::Nothing, Mode::Frustum, Mode::GraphWalk, Mode::Pvs];

    /// Its name in the panel.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Nothing => "none",
            Mode::Frustum => "frustum",
            Mode::GraphWalk => "graph walk",
            Mode::Pvs => "PVS",
        }
    }
}

/// A set of chunks, and the cell that it belongs to.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Where the bits belong.
    pub places: ToroidalIndex,
    /// A bit for each chunk, by place.
    pub chunks: Vec<u64>,
    /// The cell.
    pub place: CellId,
    /// How far it sees, in chunks.
    pub view: i32,
    /// How the set was made.
    pub made: SetSource,
}

impl Shown {
    /// True if the set holds a chunk.
    #[must_use]
    pub fn holds(&self, pos: ChunkPos) -> bool {
        self.places.slot(pos).is_some_and(|index| bitset::contains(&self.chunks, index))
    }
}

/// The state of culling.
#[derive(Resource)]
pub struct Culling {
    /// What decides.
    pub mode: Mode,
    around: Option<PvsCache>,
    /// What is shown; none where the player is in rock. And of which mode and revision it is.
    shown: Option<Shown>,
    of: Option<(Mode, u64)>,
    /// From where, and how far.
    from: (ChunkPos, i32),
    /// What is shown stays so, wherever the player goes.
    frozen: bool,
    /// When sets were last tidied.
    tidied: Instant,
    /// The cell whose set was last looked for in the map.
    asked: Option<CellId>,
    sender: mpsc::Sender<RefineResult>,
    receiver: Mutex<mpsc::Receiver<RefineResult>>,
    /// Chunks that were changed since the map was opened: what is baked of them may not be right.
    changed: Arc<FxHashSet<ChunkPos>>,
}

impl Default for Culling {
    fn default() -> Culling {
        let (sender, receiver) = mpsc::channel();
        Culling {
            mode: Mode::default(),
            around: None,
            shown: None,
            of: None,
            from: (ChunkPos::default(), 0),
            frozen: false,
            tidied: Instant::now(),
            asked: None,
            sender,
            receiver: Mutex::new(receiver),
            changed: Arc::default(),
        }
    }
}

impl Culling {
    /// The set that is shown; none where the player is in rock.
    #[must_use]
    pub fn shown(&self) -> Option<&Shown> {
        self.shown.as_ref()
    }

    /// True while it stays, wherever the player goes.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// The player's surroundings, once the map is open.
    #[must_use]
    pub fn around(&self) -> Option<&PvsCache> {
        self.around.as_ref()
    }

    /// True if there is nothing to refine in the player's own cell.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.made == SetSource::Refined)
    }

    /// A number that is another one whenever what is shown is.
    #[must_use]
    pub fn revision(&self) -> Option<u64> {
        self.of.map(|(_, revision)| revision)
    }

    /// Lets another way of culling decide. While what is drawn is frozen none does, and it is refused: one line that says so.
    ///
    /// # Errors
    /// It is frozen.
    pub fn choose(&mut self, mode: Mode) -> Result<(), String> {
        if self.frozen {
            return Err(format!("Frozen, culling stays {}: F5 brings you back, then switch", self.mode.name()));
        }
        self.mode = mode;
        Ok(())
    }

    /// True if the chunk is drawn where the frustum holds it.
    fn draws(&self, pos: ChunkPos) -> bool {
        // Chunks farther than that are kept a while, for who turns back; they were not drawn before either.
        let (centre, view) = self.from;
        let in_view = || in_reach(pos.as_ivec3() - centre.as_ivec3(), view);
        match self.mode {
            Mode::Nothing => true,
            Mode::Frustum => in_view(),
            Mode::GraphWalk | Mode::Pvs => self.shown.as_ref().map_or_else(in_view, |shown| shown.holds(pos)),
        }
    }
}

/// Adds culling.
pub struct CullingPlugin;

impl Plugin for CullingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Culling>()
            .init_resource::<figures::Counted>()
            .add_systems(OnEnter(Screen::Title), forget)
            .add_systems(
                Update,
                (
                    (keys::freeze, keys::switch).run_if(flow::in_play),
                    (learn, apply).chain().after(meshing::mesh).after(player::motion::follow),
                )
                    .chain()
                    .run_if(resource_exists::<Session>.and_then(resource_exists::<Meshes>)),
            )
            .add_systems(Last, figures::count.run_if(resource_exists::<Session>));
    }
}

/// The map was closed.
fn forget(mut culling: ResMut<Culling>) {
    *culling = Culling { mode: culling.mode, ..Culling::default() };
}

/// Brings the sets up to date with the world and the player.
fn learn(
    mut session: ResMut<Session>,
    mut stream: ResMut<Stream>,
    mut culling: ResMut<Culling>,
    mut stages: ResMut<Stages>,
    state: (Res<Player>, Res<Settings>, Res<Meshes>, Option<Res<shot::Target>>),
) {
    let (session, stream, culling) = (&mut *session, &mut *stream, &mut *culling);
    let (player, settings, meshes, picture) = state;
    let eye = player.body().eyes().floor().as_ivec3();
    stages.time(Stage::Visibility, || {
        hear(session, stream, culling, ChunkPos::containing(eye), settings.view_distance);
        let settled = stream.waiting == 0 && meshes.waiting() == 0;
        refine(culling, session, settled, picture.is_some());
        look(culling, eye, settled);
    });
}

/// Tells [`PvsCache`] which chunks came, changed and went.
fn hear(session: &mut Session, stream: &mut Stream, culling: &mut Culling, centre: ChunkPos, view: i32) {
    let (heard, changed) = (std::mem::take(&mut stream.sighted), std::mem::take(&mut session.changed));
    let remade = std::mem::take(&mut stream.remade);
    if !changed.is_empty() || !remade.is_empty() {
        Arc::make_mut(&mut culling.changed).extend(changed.iter().chain(&remade));
    }
    let looks = session.looks.clone();
    let sight =
        |pos| session.world.chunk(pos).map(|chunk| ChunkOcclusion::from_chunk(chunk, |voxel| looks.hides(voxel)));
    if let Some(around) = culling.around.as_mut() {
        heard.into_iter().for_each(|(pos, sight)| around.set_chunk(pos, sight));
        changed.into_iter().for_each(|pos| around.set_chunk(pos, sight(pos)));
        remade.into_iter().for_each(|pos| around.invalidate_baked(pos));
        around.move_to(centre, sight);
    }
    if culling.around.as_ref().is_none_or(|around| around.view() != view) {
        // What is known already need not be looked at again.
        let before = culling.around.take();
        let known = before.as_ref().map(PvsCache::occlusion);
        let again = |pos| match known.and_then(|known| Some((known, known.index().slot(pos)?))) {
            Some((known, index)) if session.world.is_loaded(pos) => Some(known.chunk(index).clone()),
            Some(_) => None,
            None => sight(pos),
        };
        let around = PvsCache::new(centre, view, again);
        culling.around = Some(match &before {
            Some(before) => around.replacing(before),
            None => around,
        });
        culling.asked = None;
        // What is being refined belongs to the one before.
        let (sender, receiver) = mpsc::channel();
        (culling.sender, culling.receiver) = (sender, Mutex::new(receiver));
    }
}

/// Takes better sets in, and has the next one made: once all chunks in view are there it is refined; until then the map is
/// asked for that of the player's cell. For a picture only that one is made.
fn refine(culling: &mut Culling, session: &Session, settled: bool, only_here: bool) {
    let Some(around) = culling.around.as_mut() else { return };
    if let Some(done) = culling.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok()) {
        around.finish_job(done);
    }
    let here = around.current_cell();
    let due = match around.current_set().map(|set| set.source) {
        // Rooms, and with them cells, are known of chunks that are there only.
        Some(SetSource::Swept) if !settled => {
            culling.asked != here && here.is_some_and(|place| session.world.is_loaded(place.chunk))
        }
        Some(SetSource::Swept | SetSource::Baked) => settled,
        Some(SetSource::Refined) | None => settled && !only_here,
    };
    if !due {
        return;
    }
    if let Some(job) = around.next_job() {
        culling.asked = here;
        let (sender, reader, changed) = (culling.sender.clone(), session.reader.clone(), Arc::clone(&culling.changed));
        // Fails only when nobody wants it any more.
        let task = async move { drop(sender.send(behind::done(job, &reader, &changed, settled))) };
        AsyncComputeTaskPool::get().spawn(task).detach();
    }
}

/// Shortest time between two sweeps that only make a set smaller: while chunks stream in it could be smaller every frame.
const TIDY: Duration = Duration::from_millis(250);

/// Looks what can be seen from a voxel.
fn look(culling: &mut Culling, eye: IVec3, settled: bool) {
    let Some(around) = culling.around.as_mut() else { return };
    let tidy = settled || culling.tidied.elapsed() >= TIDY;
    if tidy {
        culling.tidied = Instant::now();
    }
    let place = around.select(eye, tidy);
    let now = (culling.mode, around.revision());
    if culling.frozen && culling.of.is_some() || culling.of == Some(now) {
        return;
    }
    culling.of = Some(now);
    culling.from = (ChunkPos::containing(eye), around.view());
    let set = place.zip(around.current_set());
    culling.shown = set.map(|(place, set)| {
        let (places, view) = (around.index(), around.view());
        let chunks = if culling.mode == Mode::GraphWalk {
            graph_walk(around.occlusion(), place.chunk, &place.cell, view)
        } else {
            set.chunks.to_vec()
        };
        Shown { places, chunks, place, view, made: set.source }
    });
}

/// Shows and hides what is to be drawn of the chunks.
fn apply(
    culling: Res<Culling>,
    mut before: Local<Option<(Mode, u64, bool)>>,
    mut parts: Query<(Entity, Ref<ChunkPart>, &mut Visibility, Has<NoFrustumCulling>)>,
    mut commands: Commands,
) {
    let now = culling.of.map(|(mode, revision)| (mode, revision, culling.frozen));
    let all = *before != now;
    *before = now;
    for (entity, part, mut visibility, unculled) in &mut parts {
        if !all && !part.is_added() {
            continue;
        }
        let wanted = if culling.draws(part.pos) { Visibility::Inherited } else { Visibility::Hidden };
        visibility.set_if_neq(wanted);
        match (culling.mode == Mode::Nothing, unculled) {
            (true, false) => drop(commands.entity(entity).insert(NoFrustumCulling)),
            (false, true) => drop(commands.entity(entity).remove::<NoFrustumCulling>()),
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_frozen_stays_culled_as_it_is() {
        let mut culling = Culling { frozen: true, ..Culling::default() };
        let refused = culling.choose(Mode::Nothing).unwrap_err();
        assert!(refused.starts_with("Frozen, culling stays PVS") && culling.mode == Mode::Pvs, "{refused}");
        culling.frozen = false;
        assert_eq!((culling.choose(Mode::Nothing), culling.mode), (Ok(()), Mode::Nothing));
    }
}
