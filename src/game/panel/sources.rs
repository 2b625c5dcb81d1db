//! What the pages of the panel read.

use crate::game::common::frame_timings::FrameTimings;
use crate::game::crosshair::Crosshair;
use crate::game::meshing::{ChunkMeshes, ChunkPart};
use crate::game::panel::figures::Figures;
use crate::game::panel::file_usage::FileUsageCount;
use crate::game::panel::last_minute::LastMinute;
use crate::game::panel::measured::Measured;
use crate::game::panel::rates::Rates;
use crate::game::panel::visibility_counts::Counted;
use crate::game::panel::{frame, storage, work, world};
use crate::game::player::Player;
use crate::game::session::Session;
use crate::game::streaming::ChunkStream;
use bevy::ecs::entity::Entities;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// All that the pages read.
#[derive(SystemParam)]
pub(super) struct Sources<'w, 's> {
    pub(super) session: Option<Res<'w, Session>>,
    pub(super) stream: Option<Res<'w, ChunkStream>>,
    pub(super) meshes: Option<Res<'w, ChunkMeshes>>,
    pub(super) player: Res<'w, Player>,
    pub(super) history: Res<'w, LastMinute>,
    pub(super) measured: Res<'w, Measured>,
    pub(super) rates: Res<'w, Rates>,
    pub(super) crosshair: Res<'w, Crosshair>,
    pub(super) counted: Res<'w, Counted>,
    pub(super) file_usage: Res<'w, FileUsageCount>,
    pub(super) entities: &'w Entities,
    pub(super) parts: Query<'w, 's, &'static ViewVisibility, With<ChunkPart>>,
}

impl Sources<'_, '_> {
    pub(super) fn world(&self) -> Option<world::World<'_>> {
        let (session, meshes) = (self.session.as_deref()?, self.meshes.as_deref()?);
        Some(world::World {
            world: Figures::of_world(session, meshes, &self.measured),
            crosshair: *self.crosshair,
            chunk: Figures::of_chunk(session, meshes, &self.measured, self.crosshair.chunk),
            history: &self.history,
            last_save: session.last_save,
            save_failed: session.save_failed.is_some(),
        })
    }

    pub(super) fn storage(&self) -> Option<storage::Storage> {
        Some(storage::Storage {
            world: self.measured.sum(),
            loaded: self.session.as_deref()?.stats.chunks,
            crosshair: *self.crosshair,
            chunk: self.measured.of_chunk(self.crosshair.chunk),
        })
    }

    pub(super) fn work(&self) -> Option<work::Shown<'_>> {
        Some(work::Shown { work: self.session.as_deref()?.work, rates: &self.rates })
    }

    pub(super) fn frame(&self, timings: &FrameTimings) -> Option<frame::Frame> {
        let (session, meshes) = (self.session.as_deref()?, self.meshes.as_deref()?);
        let waiting = self.stream.as_deref()?.waiting;
        Some(frame::Frame {
            to_load: (waiting != usize::MAX).then_some(waiting as u64),
            to_mesh: meshes.waiting() as u64,
            saving: !session.saving.is_empty(),
            entities: u64::from(self.entities.count_spawned()),
            meshes: (self.parts.iter().filter(|v| v.get()).count() as u64, self.parts.iter().len() as u64),
            quads: meshes.quads as u64,
            whereabouts: frame::whereabouts(&self.player, &session.materials),
            ..frame::Frame::times(timings)
        })
    }
}
