//! The overlay *edits*: the voxels that the last steps of the history changed, by age, and a box
//! around each step.

use crate::game::drawing::paint::Paint;
use crate::game::inspect::overlay::changed_voxels::{
    ChangeTally, ChangedVoxels, MAX_STEPS, age_position,
};
use crate::game::inspect::overlay::chunk::OverlayCanvas;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::inspect::overlay::source::PAUSE;
use crate::game::state::format;
use crate::game::state::frame::picture_target::PictureTarget;
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::views::OverlayKind;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use std::sync::Arc;
use stonerun_engine::history::{History, StepHandle};
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::World as VoxelWorld;

/// Key of the drawn overlay: the player's chunk, and the revision of the loaded chunks.
type EditsKey = (ChunkPos, u64);

/// The drawn overlay, and the input it was built from.
#[derive(Resource, Default)]
pub(super) struct EditsOverlay {
    drawn: Option<EditsKey>,
    /// The overlay being built in the background.
    building: Option<Task<BuiltEdits>>,
    /// Seconds since the drawn overlay was built.
    age: f32,
    legend: Option<Legend>,
    /// Entities that draw the overlay.
    parts: Vec<Entity>,
}

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<EditsOverlay>(app);
    app.add_systems(PostUpdate, (draw, place).chain().before(TransformSystems::Propagate));
}

impl Explained for EditsOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.legend.as_ref()
    }
}

/// A built overlay.
struct BuiltEdits {
    key: EditsKey,
    meshes: Vec<(Mesh, Paint)>,
    legend: Legend,
}

/// Input of the overlay. Chunks and steps are shared, so nothing is copied.
struct EditsInput {
    key: EditsKey,
    world: VoxelWorld,
    steps: Vec<StepHandle>,
    /// Numbers of steps that can be undone, and redone.
    counts: [usize; 2],
    face_materials: Arc<FaceMaterials>,
}

impl EditsInput {
    fn new(
        key: EditsKey,
        world: &VoxelWorld,
        history: &History,
        face_materials: &Arc<FaceMaterials>,
    ) -> EditsInput {
        EditsInput {
            key,
            world: world.clone(),
            steps: last_steps(history),
            counts: [history.undo_count(), history.redo_count()],
            face_materials: Arc::clone(face_materials),
        }
    }

    fn build(self) -> BuiltEdits {
        let centre = self.key.0;
        let changed = ChangedVoxels::new(&self.steps, centre);
        let ([sides, edges], tally) = changed.draw(&self.world, &self.face_materials, centre);
        let painted = [(sides, Paint::Over), (edges, Paint::Frame)].into_iter();
        let meshes = painted.filter_map(|(mesh, paint)| Some((mesh.mesh()?, paint))).collect();
        BuiltEdits { key: self.key, meshes, legend: legend(self.steps.len(), self.counts, tally) }
    }
}

/// The last steps that are not undone, newest first.
pub(super) fn last_steps(history: &History) -> Vec<StepHandle> {
    let done = history.steps().rev().filter(|step| step.is_done).take(MAX_STEPS);
    done.filter_map(|step| history.step(step.number)).collect()
}

/// Ages under the gradient, in steps.
const TICKS: [(usize, &str); 5] =
    [(MAX_STEPS - 1, "64 back"), (15, "16"), (5, "6"), (2, "3"), (0, "last")];

fn legend(shown: usize, [undo, redo]: [usize; 2], tally: ChangeTally) -> Legend {
    let steps = if shown < undo {
        format!(
            "Last {} of {}, {} undone",
            format::count(shown as u64),
            steps(undo),
            format::count(redo as u64)
        )
    } else {
        format!("{}, {} undone", steps(undo), format::count(redo as u64))
    };
    Legend {
        title: "Edits: changed voxels, by steps back",
        key: ColourKey::ramp(TICKS.map(|(age, name)| (age_position(age), name.to_owned())).into()),
        lines: vec![
            steps,
            format!("{} in boxes", format::counted(tally.boxed, "voxel")),
            format!(
                "{} changed in {} nearby",
                format::count(tally.voxels),
                format::counted(tally.chunks, "chunk")
            ),
            match tally.left_out {
                0 => "Holes: on the matter around them".to_owned(),
                chunks => format!("{} not drawn: too many sides", format::counted(chunks, "chunk")),
            },
        ],
    }
}

fn steps(count: usize) -> String {
    format::counted(count as u64, "step")
}

impl EditsOverlay {
    fn show(&mut self, built: BuiltEdits, canvas: &mut OverlayCanvas) {
        canvas.remove(self.parts.drain(..));
        self.parts.extend(built.meshes.into_iter().map(|(mesh, paint)| canvas.show(mesh, paint)));
        self.drawn = Some(built.key);
        self.legend = Some(built.legend);
        self.age = 0.0;
    }
}

/// Rebuilds the overlay when its input changes: in the background, or at once for a picture.
fn draw(
    time: Res<Time<Real>>,
    to_draw: OverlayToDraw,
    map: Option<Res<OpenMap>>,
    edits: Option<Res<Edits>>,
    player: Res<Player>,
    picture: Option<Res<PictureTarget>>,
    mut overlay: ResMut<EditsOverlay>,
    mut canvas: OverlayCanvas,
) {
    let Some(((map, edits), OverlayKind::Edits)) = map.zip(edits).zip(to_draw.kind()) else {
        canvas.remove(std::mem::take(&mut *overlay).parts);
        return;
    };
    overlay.age += time.delta_secs();
    if let Some(built) = overlay.building.as_mut().and_then(check_ready) {
        overlay.building = None;
        overlay.show(built, &mut canvas);
    }
    let key = (player.chunk(), edits.revision());
    let rested = overlay.drawn.is_none() || overlay.age >= PAUSE || picture.is_some();
    if overlay.drawn == Some(key) || overlay.building.is_some() || !rested {
        return;
    }
    let input = EditsInput::new(key, edits.world(), edits.history(), &map.face_materials);
    if picture.is_some() {
        overlay.show(input.build(), &mut canvas);
    } else {
        overlay.building = Some(AsyncComputeTaskPool::get().spawn(async move { input.build() }));
    }
}

/// Moves the drawn overlay with the render origin.
fn place(
    overlay: Res<EditsOverlay>,
    origin: Res<RenderOrigin>,
    mut transforms: Query<&mut Transform>,
) {
    let Some((centre, _)) = overlay.drawn else { return };
    let at = Transform::from_translation(origin.relative(centre.origin().as_dvec3()));
    for part in &overlay.parts {
        if let Ok(mut transform) = transforms.get_mut(*part) {
            transform.set_if_neq(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legend_counts_steps_and_voxels() {
        let tally = ChangeTally { voxels: 1234, chunks: 2, left_out: 0, boxed: 5000 };
        let lines = legend(64, [100, 3], tally).lines;
        assert_eq!(lines[0], "Last 64 of 100 steps, 3 undone");
        assert_eq!(
            (&*lines[1], &*lines[2]),
            ("5,000 voxels in boxes", "1,234 changed in 2 chunks nearby")
        );
        let lines = legend(1, [1, 0], ChangeTally { left_out: 1, ..tally }).lines;
        assert_eq!(
            (&*lines[0], &*lines[3]),
            ("1 step, 0 undone", "1 chunk not drawn: too many sides")
        );
    }
}
