//! The resources that the panel's pages read.

use crate::game::drawing::chunk_drawing::ChunkScene;
use crate::game::drawing::culling::state::Culling;
use crate::game::drawing::lighting::ChunkLights;
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::drawing::render::textures::BlockTextures;
use crate::game::editing::edit_jobs::EditJobs;
use crate::game::inspect::panel::file_usage::FileUsageCount;
use crate::game::inspect::panel::head::PanelHead;
use crate::game::inspect::panel::last_minute::LastMinute;
use crate::game::inspect::panel::light_stores::MeasuredLight;
use crate::game::inspect::panel::measured::MeasuredSizes;
use crate::game::inspect::panel::mesh_counts::CountedMesh;
use crate::game::inspect::panel::rates::Rates;
use crate::game::inspect::panel::run_counts::RunCounts;
use crate::game::inspect::panel::surface_counts::CountedSurface;
use crate::game::inspect::panel::visibility_counts::VisibilityCounts;
use crate::game::life::creatures::CreatureLife;
use crate::game::life::rules::{RulesClock, WorldRules};
use crate::game::map::streaming::ChunkStream;
use crate::game::player::crosshair::Crosshair;
use crate::game::state::frame::frame_timings::FrameTimings;
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap, SaveQueue, WorkCounters};
use crate::game::state::settings::Settings;
use bevy::ecs::entity::Entities;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;

/// The resources that the pages read.
#[derive(SystemParam)]
pub(super) struct Sources<'w> {
    pub(super) map: Option<Res<'w, OpenMap>>,
    pub(super) edits: Option<Res<'w, Edits>>,
    pub(super) saves: Option<Res<'w, SaveQueue>>,
    pub(super) work: Res<'w, WorkCounters>,
    pub(super) stream: Option<Res<'w, ChunkStream>>,
    pub(super) meshes: Option<Res<'w, ChunkMeshes>>,
    pub(super) lights: Option<Res<'w, ChunkLights>>,
    pub(super) player: Res<'w, Player>,
    pub(super) history: Res<'w, LastMinute>,
    pub(super) measured: Res<'w, MeasuredSizes>,
    pub(super) rates: Res<'w, Rates>,
    pub(super) crosshair: Res<'w, Crosshair>,
    pub(super) counted: Res<'w, VisibilityCounts>,
    pub(super) counted_mesh: Res<'w, CountedMesh>,
    pub(super) counted_surface: Res<'w, CountedSurface>,
    pub(super) run_counts: Res<'w, RunCounts>,
    pub(super) measured_light: Res<'w, MeasuredLight>,
    pub(super) file_usage: Res<'w, FileUsageCount>,
    pub(super) entities: &'w Entities,
    pub(super) scene: Res<'w, ChunkScene>,
    pub(super) adapter: Res<'w, RenderAdapterInfo>,
    pub(super) textures: Res<'w, BlockTextures>,
    pub(super) jobs: Res<'w, EditJobs>,
    pub(super) rules: Option<Res<'w, WorldRules>>,
    pub(super) life: Option<Res<'w, CreatureLife>>,
    pub(super) clock: Option<Res<'w, RulesClock>>,
    pub(super) settings: Res<'w, Settings>,
}

impl Sources<'_> {
    pub(super) fn head(&self, timings: &FrameTimings) -> Option<PanelHead> {
        Some(PanelHead::new(&self.player, &self.map.as_deref()?.materials, timings))
    }
}

/// State that a page may read and change while it is drawn.
pub(super) struct PageContext<'a, 'w> {
    pub sources: &'a Sources<'w>,
    /// Times of the stages, without the interface's time in this frame.
    pub timings: &'a FrameTimings,
    pub culling: &'a mut Culling,
    pub notices: &'a mut Notices,
}
