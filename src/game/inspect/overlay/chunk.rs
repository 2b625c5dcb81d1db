//! The overlays of the chunk under the crosshair: builds them when their input changes, and draws
//! them.

use crate::game::drawing::box_mesh::BoxMesh;
use crate::game::drawing::paint::{Paint, Paints};
use crate::game::inspect::overlay::bars::Stretch;
use crate::game::inspect::overlay::chunk_selection::ChunkSelection;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::inspect::overlay::source::{OverlaySource, PAUSE};
use crate::game::inspect::overlay::{bars, neighbourhoods, ramp, runs};
use crate::game::player::crosshair;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::format;
use crate::game::state::frame::picture_target::{PictureTarget, not_in_pictures};
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use crate::views::OverlayKind;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use std::sync::Arc;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::runs::RunTree;
use stonerun_engine::voxel::{
    CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, MOORE_CENTRE, MaterialTable, linear_index, local,
};
use stonerun_engine::world::{ChunkNeighbourhood, World as VoxelWorld};

/// Maximum number of runs of a chunk that is read in the requesting frame. This takes a few
/// milliseconds, and draws an edit together with its bars. Most chunks have fewer runs.
const MAX_RUNS_AT_ONCE: usize = 4000;

/// The drawn overlay, and the input it was built from.
#[derive(Resource, Default)]
pub(super) struct ChunkOverlay {
    selection: ChunkSelection,
    source: Option<OverlaySource>,
    /// The overlay being built in the background.
    building: Option<Task<BuiltOverlay>>,
    /// Seconds since the drawn overlay was built.
    age: f32,
    stretches: Vec<Stretch>,
    /// Index of the stretch under the crosshair. The outer `Option` is `None` until it is first
    /// computed.
    pointed: Option<Option<usize>>,
    legend: Option<Legend>,
    /// Entities that draw the overlay. They are respawned on each rebuild, because an entity that
    /// was already drawn sometimes ignored a new mesh.
    parts: Vec<Entity>,
    outline: Option<Entity>,
}

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<ChunkOverlay>(app);
    app.add_systems(PostUpdate, (draw, place).chain().before(TransformSystems::Propagate));
}

impl Explained for ChunkOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.legend.as_ref()
    }
}

/// The built overlay of one chunk.
struct BuiltOverlay {
    source: OverlaySource,
    stretches: Vec<Stretch>,
    /// The legend; `None` if the chunk is not loaded.
    legend: Option<Legend>,
    meshes: Vec<(Mesh, Paint)>,
}

/// Builds the overlay of the chunk in the middle of `neighbourhood`.
fn build(
    source: OverlaySource,
    neighbourhood: &ChunkNeighbourhood,
    face_materials: &FaceMaterials,
) -> BuiltOverlay {
    let Some(tree) = &neighbourhood.chunks[MOORE_CENTRE] else {
        return BuiltOverlay { source, stretches: Vec::new(), legend: None, meshes: Vec::new() };
    };
    let (stretches, lines) = if source.kind == OverlayKind::Runs {
        let stretches = runs::stretches(tree);
        let lines = runs::lines(tree, &stretches);
        (stretches, lines)
    } else {
        let stretches = neighbourhoods::stretches(&neighbourhood.borrowed(), face_materials);
        let lines = neighbourhoods::lines(tree.run_count(), &stretches);
        (stretches, lines)
    };
    let bars = bars::draw(tree, face_materials, &stretches);
    let painted = [(bars, Paint::Over), (frame(tree), Paint::Frame)].into_iter();
    let meshes = painted.filter_map(|(box_mesh, paint)| Some((box_mesh.mesh()?, paint))).collect();
    BuiltOverlay { legend: Some(legend(source.kind, lines)), source, stretches, meshes }
}

/// Half the thickness of the chunk's frame, in voxels.
const FRAME: f32 = 0.08;

/// The frame of the chunk, in the colour that the overlay *bytes* gives it.
fn frame(tree: &RunTree) -> BoxMesh {
    let position = ramp::ramp_position(tree.heap_bytes() as f64 / CHUNK_VOLUME as f64);
    let mut box_mesh = BoxMesh::default();
    let colour = LinearRgba::from(ramp::colour(position)).to_f32_array();
    box_mesh.edges(Vec3::splat(FRAME), Vec3::splat(CHUNK_SIDE as f32 - FRAME), FRAME, colour);
    box_mesh
}

/// Figures under the gradient, in voxels.
const TICKS: [u32; 7] = [128, 32, 16, 8, 4, 2, 1];

fn legend(kind: OverlayKind, mut lines: Vec<String>) -> Legend {
    let title = if kind == OverlayKind::Runs {
        "Runs: voxels per run of this chunk"
    } else {
        "Neighbourhoods: voxels per fused run"
    };
    // An empty line, which will describe the stretch under the crosshair.
    lines.push(String::new());
    let key =
        ColourKey::ramp(TICKS.map(|tick| (bars::bar_position(tick), tick.to_string())).into());
    Legend { title, key, lines }
}

/// Resources for drawing meshes of overlays.
#[derive(SystemParam)]
pub(in crate::game::inspect::overlay) struct OverlayCanvas<'w, 's> {
    commands: Commands<'w, 's>,
    meshes: ResMut<'w, Assets<Mesh>>,
    paints: Res<'w, Paints>,
}

impl OverlayCanvas<'_, '_> {
    pub(in crate::game::inspect::overlay) fn show(&mut self, mesh: Mesh, paint: Paint) -> Entity {
        let drawn = (Mesh3d(self.meshes.add(mesh)), MeshMaterial3d(self.paints.get(paint)));
        self.commands.spawn((drawn, Transform::default(), NoFrustumCulling, not_in_pictures())).id()
    }

    pub(in crate::game::inspect::overlay) fn remove(
        &mut self,
        parts: impl IntoIterator<Item = Entity>,
    ) {
        for part in parts {
            self.commands.entity(part).despawn();
        }
    }
}

impl ChunkOverlay {
    /// Replaces the drawn overlay with `built`.
    fn show(&mut self, built: BuiltOverlay, canvas: &mut OverlayCanvas) {
        canvas.remove(self.parts.drain(..).chain(self.outline.take()));
        self.parts.extend(built.meshes.into_iter().map(|(mesh, paint)| canvas.show(mesh, paint)));
        self.source = Some(built.source);
        self.stretches = built.stretches;
        self.legend = built.legend;
        self.age = 0.0;
        self.pointed = None;
    }

    /// Rebuilds an outdated overlay: chunks with few runs at once, others in the background.
    fn rebuild(
        &mut self,
        kind: OverlayKind,
        pos: ChunkPos,
        world: &VoxelWorld,
        face_materials: &Arc<FaceMaterials>,
        at_once: bool,
        canvas: &mut OverlayCanvas,
    ) {
        if let Some(built) = self.building.as_mut().and_then(check_ready) {
            self.building = None;
            // Drops the result if another overlay or chunk is wanted by now. If an edit has made
            // the result outdated, it is rebuilt below.
            if built.source.kind == kind && built.source.pos == pos {
                self.show(built, canvas);
            }
        }
        let neighbourhood = world.neighbourhood(pos);
        let rested = at_once || self.age >= PAUSE;
        let current = self
            .source
            .as_ref()
            .is_some_and(|source| source.is_current(kind, pos, &neighbourhood, rested));
        if current || self.building.is_some() {
            return;
        }
        let source = OverlaySource::new(kind, pos, &neighbourhood);
        if at_once
            || neighbourhood.chunks[MOORE_CENTRE]
                .as_ref()
                .is_none_or(|tree| tree.run_count() <= MAX_RUNS_AT_ONCE)
        {
            self.show(build(source, &neighbourhood, face_materials), canvas);
        } else {
            let face_materials = Arc::clone(face_materials);
            self.building = Some(
                AsyncComputeTaskPool::get()
                    .spawn(async move { build(source, &neighbourhood, &face_materials) }),
            );
        }
    }

    /// Outlines the stretch that holds the voxel at `under`, if any.
    fn point(
        &mut self,
        under: Option<IVec3>,
        materials: &MaterialTable,
        canvas: &mut OverlayCanvas,
    ) {
        let shown = self.source.as_ref().map(|source| source.pos);
        let inside = under.filter(|at| shown == Some(ChunkPos::containing(*at)));
        let index = inside.map(|at| linear_index(local(at)) as u32);
        let pointed = index
            .and_then(|index| self.stretches.partition_point(|s| s.start <= index).checked_sub(1));
        if self.pointed == Some(pointed) {
            return;
        }
        self.pointed = Some(pointed);
        canvas.remove(self.outline.take());
        let stretch = pointed.map(|number| self.stretches[number]);
        let outline = stretch.and_then(|stretch| bars::outline(&stretch).mesh());
        self.outline = outline.map(|mesh| canvas.show(mesh, Paint::Through));
        if let Some(line) = self.legend.as_mut().and_then(|legend| legend.lines.last_mut()) {
            *line = pointed_at(stretch.as_ref(), materials);
        }
    }
}

/// Rebuilds the overlay when its input changes.
fn draw(
    time: Res<Time<Real>>,
    settings: Res<Settings>,
    to_draw: OverlayToDraw,
    map: Option<Res<OpenMap>>,
    edits: Option<Res<Edits>>,
    player: Res<Player>,
    cutaway: Res<Cutaway>,
    picture: Option<Res<PictureTarget>>,
    mut overlay: ResMut<ChunkOverlay>,
    mut canvas: OverlayCanvas,
) {
    let kind = to_draw
        .kind()
        .filter(|kind| matches!(kind, OverlayKind::Runs | OverlayKind::Neighbourhoods));
    // A cut shows the bars of all its chunks instead.
    let kind = kind.filter(|_| cutaway.choice.is_none());
    let Some(((map, edits), kind)) = map.zip(edits).zip(kind) else {
        let ChunkOverlay { parts, outline, .. } = std::mem::take(&mut *overlay);
        canvas.remove(parts.into_iter().chain(outline));
        return;
    };
    let at_once = picture.is_some();
    if at_once {
        overlay.selection = ChunkSelection::default();
    }
    overlay.age += time.delta_secs();
    let under =
        crosshair::hit(edits.world(), &map.materials, &player, map.view_distance(&settings))
            .map(|hit| hit.voxel_pos);
    let pos = overlay.selection.update(
        under.map(ChunkPos::containing),
        player.chunk(),
        time.delta_secs(),
    );
    overlay.rebuild(kind, pos, edits.world(), &map.face_materials, at_once, &mut canvas);
    overlay.point(under, &map.materials, &mut canvas);
}

/// Moves the drawn overlay with the render origin.
fn place(
    overlay: Res<ChunkOverlay>,
    origin: Res<RenderOrigin>,
    mut transforms: Query<&mut Transform>,
) {
    let Some(source) = &overlay.source else { return };
    let at = Transform::from_translation(origin.relative(source.pos.origin().as_dvec3()));
    for part in overlay.parts.iter().chain(&overlay.outline) {
        if let Ok(mut transform) = transforms.get_mut(*part) {
            transform.set_if_neq(at);
        }
    }
}

/// The legend's line about the stretch under the crosshair.
fn pointed_at(stretch: Option<&Stretch>, materials: &MaterialTable) -> String {
    let Some(Stretch { len, voxel, .. }) = stretch else {
        return format!("Crosshair: {}", format::NONE);
    };
    let name =
        materials.get(voxel.material()).map_or(format::NONE.into(), |m| m.name.replace('_', " "));
    format!("Crosshair: run of {} {name}", format::count(u64::from(*len)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::Voxel;

    #[test]
    fn stretch_under_the_crosshair_is_named() {
        let materials = MaterialTable::builtin();
        let voxel = Voxel::full(materials.find("oak_leaves").expect("oak leaves"));
        let stretch = Stretch { start: 3, len: 1234, voxel, drawn: true };
        assert_eq!(pointed_at(Some(&stretch), &materials), "Crosshair: run of 1,234 oak leaves");
        assert_eq!(pointed_at(None, &materials), "Crosshair: –");
    }
}
