//! Builds the cut when its input changes, and draws it in the world.

use super::cells::ChunkLayer;
use super::chunks::{self, CutChunk};
use super::content::CutContent;
use super::figures::CutTotals;
use super::picture;
use super::section::{CutColours, CutSection, section};
use crate::game::drawing::lighting::{ChunkLights, LightSize};
use crate::game::drawing::paint::Paint;
use crate::game::inspect::overlay::chunk::OverlayCanvas;
use crate::game::inspect::overlay::source::PAUSE;
use crate::game::state::cutaway::{CutPlane, Cutaway};
use crate::game::state::frame::caught::{Panicked, caught};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::frame::picture_target::PictureTarget;
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::notices::Notices;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use bevy::color::Srgba;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use std::sync::Arc;
use stonerun_engine::mesh::TextureStrip;
use stonerun_engine::voxel::{ChunkPos, MaterialTable};

/// The input that a cut depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
struct CutKey {
    content: CutContent,
    plane: CutPlane,
    /// The player's chunk.
    centre: ChunkPos,
    /// View distance, in chunks.
    view: i32,
    /// Revision of the loaded chunks.
    revision: u64,
    /// Size of the stored light, if light is shown. It stands for a revision of the light, because
    /// nearly every change of light changes it.
    light: Option<LightSize>,
}

impl CutKey {
    /// True if both show the same content of the same part of the world, even if its chunks have
    /// changed.
    fn is_same_view(&self, other: &CutKey) -> bool {
        let view = |key: &CutKey| (key.content, key.plane, key.centre, key.view);
        view(self) == view(other)
    }
}

/// A built cut.
pub(super) struct BuiltCut {
    key: CutKey,
    /// The cut through each chunk.
    pub(super) sections: Vec<CutSection>,
    /// Totals of the sections.
    pub(super) totals: CutTotals,
    mesh: Option<Mesh>,
}

impl BuiltCut {
    /// Content that the cut shows.
    pub(super) fn content(&self) -> CutContent {
        self.key.content
    }

    /// Plane that the cut was built for.
    pub(super) fn plane(&self) -> CutPlane {
        self.key.plane
    }
}

/// Builds a cut.
fn build(key: CutKey, chunks: &[CutChunk], colours: &CutColours) -> BuiltCut {
    let layer = ChunkLayer::new(key.plane);
    let sections: Vec<CutSection> =
        chunks.iter().map(|chunk| section(key.content, layer, chunk, colours)).collect();
    let totals = CutTotals::new(&sections, key.content.bins());
    let mesh = picture::draw(key.plane, key.centre, &sections).mesh();
    BuiltCut { key, sections, totals, mesh }
}

/// The drawn cut.
#[derive(Resource, Default)]
pub(in crate::game) struct CutOverlay {
    building: Option<Task<Result<BuiltCut, Panicked>>>,
    /// The cut on the screen.
    pub(super) built: Option<BuiltCut>,
    entity: Option<Entity>,
    /// Entity of the previous picture. It stays for a frame, because a new mesh is drawn a frame
    /// late.
    outdated: Option<Entity>,
    /// Seconds since the cut was built.
    age: f32,
    /// Mean colour of each material, by material number.
    colours: Arc<Vec<Srgba>>,
}

impl CutOverlay {
    fn hide(&mut self, canvas: &mut OverlayCanvas) {
        let CutOverlay { entity, outdated, .. } = std::mem::take(self);
        canvas.remove(entity.into_iter().chain(outdated));
    }

    fn show(&mut self, mut built: BuiltCut, canvas: &mut OverlayCanvas) {
        self.outdated = std::mem::replace(
            &mut self.entity,
            built.mesh.take().map(|mesh| canvas.show(mesh, Paint::Over)),
        );
        self.built = Some(built);
        self.age = 0.0;
    }

    /// Colours of the materials. Recomputed when materials were added.
    fn colours(&mut self, materials: &MaterialTable) -> Arc<Vec<Srgba>> {
        if self.colours.len() != materials.len() {
            let strip = TextureStrip::embedded();
            let colour = |material| {
                let [red, green, blue] =
                    strip.as_ref().map_or([255; 3], |strip| strip.colour_of(material));
                Srgba::rgb_u8(red, green, blue)
            };
            self.colours =
                Arc::new(materials.iter().map(|(_, material)| colour(material)).collect());
        }
        Arc::clone(&self.colours)
    }
}

/// The open map, its light, and the state that decides the cut.
#[derive(SystemParam)]
pub(in crate::game) struct CutWorld<'w> {
    map: Option<Res<'w, OpenMap>>,
    edits: Option<Res<'w, Edits>>,
    lights: Option<Res<'w, ChunkLights>>,
    player: Res<'w, Player>,
    settings: Res<'w, Settings>,
    picture: Option<Res<'w, PictureTarget>>,
}

/// Rebuilds the cut when its input changes, and hides the world in front of it.
pub(in crate::game) fn update(
    time: Res<Time<Real>>,
    world: CutWorld,
    to_draw: OverlayToDraw,
    mut cutaway: ResMut<Cutaway>,
    mut overlay: ResMut<CutOverlay>,
    mut notices: ResMut<Notices>,
    mut canvas: OverlayCanvas,
    mut timings: ResMut<FrameTimings>,
) {
    let overlay = &mut *overlay;
    let choice = cutaway.choice.filter(|_| to_draw.is_playing());
    let Some(((map, edits), choice)) = world.map.zip(world.edits).zip(choice) else {
        if overlay.built.is_some() || overlay.building.is_some() || cutaway.shown.is_some() {
            overlay.hide(&mut canvas);
            cutaway.shown = None;
        }
        return;
    };
    timings.time(FrameStage::Interface, || {
        overlay.age += time.delta_secs();
        canvas.remove(overlay.outdated.take());
        let shown = overlay.built.as_ref().map(|built| built.key.plane);
        if cutaway.shown != shown {
            cutaway.shown = shown;
        }
        if let Some(built) = overlay.building.as_mut().and_then(check_ready) {
            overlay.building = None;
            match built {
                Ok(built) => overlay.show(built, &mut canvas),
                Err(bug) => {
                    cutaway.choice = None;
                    notices.warn(format!("The cut cannot be drawn: {bug}"));
                    return;
                }
            }
        }
        let eyes = world.player.walker.eyes();
        let content = CutContent::with_overlay(to_draw.kind());
        let key = CutKey {
            content,
            plane: CutPlane::seen_from(choice.axis, choice.layer, eyes),
            centre: world.player.chunk(),
            view: map.view_distance(&world.settings),
            revision: edits.revision(),
            light: world
                .lights
                .as_ref()
                .filter(|_| content == CutContent::Light)
                .map(|lights| lights.size()),
        };
        let at_once = world.picture.is_some();
        let is_current = overlay.built.as_ref().is_some_and(|built| {
            built.key == key || !at_once && overlay.age < PAUSE && built.key.is_same_view(&key)
        });
        if is_current || overlay.building.is_some() {
            return;
        }
        let lights = world.lights.as_deref();
        let chunks =
            chunks::crossed(content, key.plane, key.centre, key.view, edits.world(), lights);
        let face_materials = Arc::clone(&map.face_materials);
        let colours = CutColours { face_materials, materials: overlay.colours(&map.materials) };
        if at_once {
            overlay.show(build(key, &chunks, &colours), &mut canvas);
        } else {
            let task = async move { caught(|| build(key, &chunks, &colours)) };
            overlay.building = Some(AsyncComputeTaskPool::get().spawn(task));
        }
    });
}

/// Moves the picture with the render origin.
pub(in crate::game) fn place(
    overlay: Res<CutOverlay>,
    origin: Res<RenderOrigin>,
    mut transforms: Query<&mut Transform>,
) {
    let Some(built) = &overlay.built else { return };
    if let Some(mut transform) = overlay.entity.and_then(|entity| transforms.get_mut(entity).ok()) {
        let at = origin.relative(built.key.centre.origin().as_dvec3());
        transform.set_if_neq(Transform::from_translation(at));
    }
}
