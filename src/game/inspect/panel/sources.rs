//! The resources that the panel's pages read.

use crate::game::drawing::chunk_drawing::{ChunkScene, DrawCounters};
use crate::game::drawing::lighting::ChunkLights;
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::drawing::render::textures::BlockTextures;
use crate::game::editing::edit_jobs::EditJobs;
use crate::game::inspect::panel::figures::Figures;
use crate::game::inspect::panel::file_usage::FileUsageCount;
use crate::game::inspect::panel::head::Head;
use crate::game::inspect::panel::last_minute::LastMinute;
use crate::game::inspect::panel::light_stores::MeasuredLight;
use crate::game::inspect::panel::loading::LoadingFigures;
use crate::game::inspect::panel::measured::Measured;
use crate::game::inspect::panel::memory_owners::MemoryOwners;
use crate::game::inspect::panel::mesh_counts::CountedMesh;
use crate::game::inspect::panel::rates::Rates;
use crate::game::inspect::panel::run_counts::RunCounts;
use crate::game::inspect::panel::visibility_counts::Counted;
use crate::game::inspect::panel::{creatures, edits, frame, light, mesh, rules, storage, work, world};
use crate::game::life::creatures::CreatureLife;
use crate::game::life::rules::{RulesClock, WorldRules};
use crate::game::map::streaming::ChunkStream;
use crate::game::platform::memory;
use crate::game::player::crosshair::Crosshair;
use crate::game::state::frame::frame_timings::FrameTimings;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap, SaveQueue, WorkCounters};
use crate::game::state::settings::Settings;
use bevy::ecs::entity::Entities;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use wgpu::DeviceType;

/// Everything the pages read.
#[derive(SystemParam)]
pub(super) struct Sources<'w> {
    map: Option<Res<'w, OpenMap>>,
    pub(super) edits: Option<Res<'w, Edits>>,
    pub(super) saves: Option<Res<'w, SaveQueue>>,
    work: Res<'w, WorkCounters>,
    stream: Option<Res<'w, ChunkStream>>,
    meshes: Option<Res<'w, ChunkMeshes>>,
    lights: Option<Res<'w, ChunkLights>>,
    player: Res<'w, Player>,
    history: Res<'w, LastMinute>,
    measured: Res<'w, Measured>,
    rates: Res<'w, Rates>,
    crosshair: Res<'w, Crosshair>,
    pub(super) counted: Res<'w, Counted>,
    counted_mesh: Res<'w, CountedMesh>,
    run_counts: Res<'w, RunCounts>,
    measured_light: Res<'w, MeasuredLight>,
    pub(super) file_usage: Res<'w, FileUsageCount>,
    entities: &'w Entities,
    scene: Res<'w, ChunkScene>,
    adapter: Res<'w, RenderAdapterInfo>,
    textures: Res<'w, BlockTextures>,
    jobs: Res<'w, EditJobs>,
    rules: Option<Res<'w, WorldRules>>,
    life: Option<Res<'w, CreatureLife>>,
    clock: Option<Res<'w, RulesClock>>,
    settings: Res<'w, Settings>,
}

impl Sources<'_> {
    pub(super) fn world(&self) -> Option<world::WorldPage<'_>> {
        let (edits, saves, meshes) = (self.edits.as_deref()?, self.saves.as_deref()?, self.meshes.as_deref()?);
        Some(world::WorldPage {
            world: Figures::of_world(edits, saves, meshes, &self.measured),
            crosshair: *self.crosshair,
            chunk: Figures::of_chunk(edits, saves, meshes, &self.measured, self.crosshair.chunk),
            history: &self.history,
            last_save: saves.last_save().map(|save| save.report),
            save_failed: saves.failure().is_some(),
        })
    }

    pub(super) fn storage(&self, visible_sets: u64) -> Option<storage::Storage> {
        let edits = self.edits.as_deref()?;
        let in_software = self.adapter.device_type == DeviceType::Cpu;
        Some(storage::Storage {
            memory: MemoryOwners {
                resident: memory::resident(),
                runs: edits.totals().heap_bytes,
                light: self.lights.as_deref().map_or(0, |lights| lights.size().bytes),
                visibility: visible_sets,
                history: edits.history().memory_bytes() as u64,
                index: self.map.as_deref().map_or(0, |map| map.reader.index_bytes()),
                textures: self.textures.bytes(in_software),
                meshes: DrawCounters::get(&self.scene.counters.buffer_bytes),
                in_software,
            },
            world: self.measured.sum(),
            loaded: edits.totals().chunks,
            crosshair: *self.crosshair,
            chunk: self.measured.of_chunk(self.crosshair.chunk),
        })
    }

    pub(super) fn mesh(&self) -> Option<mesh::MeshPage> {
        let (meshes, counters) = (self.meshes.as_deref()?, &self.scene.counters);
        Some(mesh::MeshPage {
            total: meshes.total,
            drawn_chunks: (DrawCounters::get(&counters.chunks), meshes.drawn().count() as u64),
            drawn_quads: (DrawCounters::get(&counters.quads), DrawCounters::get(&counters.all_quads)),
            draw_calls: DrawCounters::get(&counters.calls),
            memory: [&counters.used_bytes, &counters.buffer_bytes, &counters.budget_bytes].map(DrawCounters::get),
            written: DrawCounters::get(&counters.written_bytes),
            times: meshes.times,
            crosshair: *self.crosshair,
            chunk: self.counted_mesh.counts,
            runs: self.run_counts.sum(),
            meshed: self.run_counts.meshed(),
            chunk_runs: self.run_counts.of_chunk(self.crosshair.chunk),
        })
    }

    pub(super) fn light(&self) -> Option<light::LightPage> {
        let lights = self.lights.as_deref()?;
        Some(light::LightPage {
            size: lights.size(),
            work: lights.work,
            waiting: lights.waiting() as u64,
            at_eyes: lights.at(self.player.walker.eyes().floor().as_ivec3()),
            crosshair: *self.crosshair,
            chunk: self.measured_light.stores,
        })
    }

    pub(super) fn edits_page(&self) -> Option<edits::EditsPage<'_>> {
        let edits = self.edits.as_deref()?;
        Some(edits::EditsPage {
            jobs: self.jobs.jobs().collect(),
            history: edits.history(),
            materials: self.map.as_deref()?.materials.len(),
            last_took: edits.last_took(),
            keyboard: self.settings.keyboard,
        })
    }

    pub(super) fn rules(&self) -> Option<rules::RulesPage<'_>> {
        Some(rules::RulesPage {
            rules: self.rules.as_deref()?,
            clock: *self.clock.as_deref()?,
            speed: self.settings.rules,
            loaded: self.edits.as_deref()?.totals().chunks,
        })
    }

    pub(super) fn creatures(&self) -> Option<creatures::CreaturesPage<'_>> {
        Some(creatures::CreaturesPage { life: self.life.as_deref()?, is_on: self.settings.creatures })
    }

    pub(super) fn work(&self) -> Option<work::Shown<'_>> {
        self.map.as_deref()?;
        Some(work::Shown { work: self.work.0, rates: &self.rates })
    }

    pub(super) fn head(&self, timings: &FrameTimings) -> Option<Head> {
        Some(Head::new(&self.player, &self.map.as_deref()?.materials, timings))
    }

    pub(super) fn frame(&self, timings: &FrameTimings) -> Option<frame::FramePage> {
        let (map, saves, meshes) = (self.map.as_deref()?, self.saves.as_deref()?, self.meshes.as_deref()?);
        let (stream, lights, counters) = (self.stream.as_deref()?, self.lights.as_deref()?, &self.scene.counters);
        Some(frame::FramePage {
            loading: LoadingFigures::new(stream, lights, meshes),
            saving: saves.saving() > 0,
            entities: u64::from(self.entities.count_spawned()),
            drawn_chunks: (DrawCounters::get(&counters.chunks), meshes.drawn().count() as u64),
            draw_calls: DrawCounters::get(&counters.calls),
            quads: meshes.total.quads as u64,
            whereabouts: frame::whereabouts(&self.player, &map.materials),
            ..frame::FramePage::times(timings)
        })
    }
}
