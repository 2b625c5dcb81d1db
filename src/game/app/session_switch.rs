//! Puts an opened map into the game and removes it: all resources and entities that belong to it.

use crate::game::drawing::chunk_drawing::{ChunkScene, FaceMaterialWords};
use crate::game::drawing::culling;
use crate::game::drawing::lighting::ChunkLights;
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::drawing::render::textures::BlockTextures;
use crate::game::map::streaming::ChunkStream;
use crate::game::pictures::map_picture::MapPicture;
use crate::game::state::frame::chunk_messages;
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::player::{Player, SLOTS};
use crate::game::state::session::opening::OpenedSession;
use crate::game::state::session::{Edits, OpenMap, SaveQueue, WorkCounters};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::body::walking::Walker;
use stonerun_engine::save::Header;
use stonerun_engine::voxel::{MaterialTable, WORLD_LIMIT};

/// Everything that depends on the open map.
#[derive(SystemParam)]
pub struct SessionSwitch<'w, 's> {
    /// Commands of the system.
    pub commands: Commands<'w, 's>,
    /// The player. `insert` moves it to the place stored in the map.
    pub player: ResMut<'w, Player>,
    textures: Res<'w, BlockTextures>,
    scene: ResMut<'w, ChunkScene>,
}

impl SessionSwitch<'_, '_> {
    /// Shows a map. Another one must be removed first.
    pub fn insert(&mut self, session: OpenedSession) {
        let OpenedSession { map, edits, saves, .. } = session;
        *self.player = player_from(&map.header, &map.materials);
        self.commands.insert_resource(FaceMaterialWords::new(&self.textures, &map));
        self.commands.insert_resource(RenderOrigin(self.player.chunk().origin()));
        self.commands.insert_resource(MapPicture::default());
        self.commands.insert_resource(ChunkStream::default());
        self.commands.insert_resource(ChunkLights::new(&map.materials, map.terrain));
        self.commands.insert_resource(ChunkMeshes::default());
        self.commands.insert_resource(WorkCounters::default());
        self.commands.insert_resource(edits);
        self.commands.insert_resource(saves);
        self.commands.insert_resource(map);
    }

    /// Removes the map, if one is open, and its picture.
    pub fn remove(&mut self) {
        self.close_file();
        self.scene.clear();
    }

    /// Closes the map's file. Its last picture stays on the screen.
    pub fn close_file(&mut self) {
        // The visible sets of this map must not hide chunks of the next one.
        self.commands.run_system_cached(culling::reset);
        self.commands.remove_resource::<OpenMap>();
        self.commands.remove_resource::<Edits>();
        self.commands.remove_resource::<SaveQueue>();
        self.commands.queue(chunk_messages::clear);
        self.commands.remove_resource::<ChunkStream>();
        self.commands.remove_resource::<ChunkLights>();
        self.commands.remove_resource::<ChunkMeshes>();
    }
}

/// The player as the map's header describes it. Impossible positions and angles are replaced.
fn player_from(header: &Header, materials: &MaterialTable) -> Player {
    let saved = &header.player;
    let valid = |p: [f64; 3]| {
        p.iter().all(|c| c.abs() < f64::from(WORLD_LIMIT)).then(|| DVec3::from_array(p))
    };
    let mut walker =
        Walker::at(valid(saved.position).or(valid(header.spawn)).unwrap_or(DVec3::ZERO));
    walker.flying = saved.flying;
    let mut hotbar = [0; SLOTS];
    for (slot, name) in hotbar.iter_mut().zip(&saved.hotbar) {
        *slot = materials.find(name).unwrap_or(0);
    }
    let angle = |a: f32| if a.is_finite() { a } else { 0.0 };
    Player {
        walker,
        yaw: angle(saved.yaw),
        pitch: angle(saved.pitch).clamp(-1.553, 1.553),
        hotbar,
        selected: usize::from(saved.selected).min(SLOTS - 1),
        ..Player::default()
    }
}
