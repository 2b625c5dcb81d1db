//! Opening, saving and leaving maps, as menus and the command line request it.

use crate::body::walking::Walker;
use crate::game::common::chunk_messages;
use crate::game::common::frame_order::FrameSet;
use crate::game::common::notices::Notices;
use crate::game::common::render_origin::RenderOrigin;
use crate::game::common::requests::{BlockedExit, Request};
use crate::game::common::screens::{Menu, Screen};
use crate::game::map_picture::MapPicture;
use crate::game::meshing::{ChunkMeshes, ChunkPart};
use crate::game::player::{Player, SLOTS};
use crate::game::render::chunk_material::MaterialMaker;
use crate::game::saving::SavedState;
use crate::game::session::opening::{self, OpenPurpose, OpenedSession};
use crate::game::session::{Edits, OpenMap, SaveQueue, WorkCounters};
use crate::game::streaming::ChunkStream;
use crate::game::ui::title;
use crate::save::{Header, MapFile, SaveError, unix_now};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{MaterialTable, WORLD_LIMIT};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use glam::DVec3;
use std::path::Path;

/// Adds the handling of requests.
pub struct MapRequestsPlugin;

impl Plugin for MapRequestsPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Request>()
            .init_resource::<BlockedExit>()
            .add_systems(Update, handle.in_set(FrameSet::Requests));
    }
}

/// Resources that opening and leaving a map changes.
#[derive(SystemParam)]
struct Game<'w, 's> {
    commands: Commands<'w, 's>,
    notices: ResMut<'w, Notices>,
    player: ResMut<'w, Player>,
    next_screen: ResMut<'w, NextState<Screen>>,
    materials: MaterialMaker<'w, 's>,
    parts: Query<'w, 's, Entity, With<ChunkPart>>,
}

/// Handles requests.
fn handle(
    mut requests: MessageReader<Request>,
    mut state: SavedState,
    mut menu: ResMut<Menu>,
    mut blocked: ResMut<BlockedExit>,
    mut exit: MessageWriter<AppExit>,
    mut game: Game,
) {
    // Of several requests in one frame the last one counts.
    let Some(request) = requests.read().last().cloned() else { return };
    match request {
        Request::Create { path, seed, seed_word, kind } => match create(&path, seed, seed_word, kind) {
            Ok(()) => game.open(&path, OpenPurpose::Play),
            Err(error) => game.notices.warn(error.to_string()),
        },
        Request::Open(path) => game.open(&path, OpenPurpose::Play),
        Request::OpenForPicture(path) => game.open(&path, OpenPurpose::Picture),
        Request::Save => {
            if let Some(mut saver) = state.saver(&game.player, &mut game.notices) {
                saver.save_now();
            }
        }
        Request::Leave | Request::Quit | Request::Abandon { .. } => {
            let quit = matches!(request, Request::Quit | Request::Abandon { quit: true });
            let save = !matches!(request, Request::Abandon { .. });
            // Leaving the settings menu stores the settings.
            *menu = Menu::None;
            if let Some(mut saver) = state.saver(&game.player, &mut game.notices) {
                if save && let Err(error) = saver.finish() {
                    *blocked = BlockedExit { error: error.to_string(), quit };
                    *menu = Menu::NotSaved;
                    return;
                }
                game.close();
            }
            if quit {
                exit.write(AppExit::Success);
            }
        }
    }
}

impl Game<'_, '_> {
    /// Opens a map and shows it.
    fn open(&mut self, path: &Path, purpose: OpenPurpose) {
        match opening::open(path, purpose) {
            Ok(OpenedSession { map, edits, saves, warnings }) => {
                warnings.into_iter().for_each(|line| self.notices.report_data_loss(line));
                if let Some(reason) = map.read_only {
                    self.notices.info(format!("{} {}: it can only be looked at", map.name, reason.describe()));
                }
                *self.player = player_from(&map.header, &map.materials);
                self.commands.insert_resource(self.materials.materials(&map));
                self.commands.insert_resource(RenderOrigin(self.player.chunk().origin()));
                self.commands.insert_resource(MapPicture::default());
                self.commands.insert_resource(ChunkStream::default());
                self.commands.insert_resource(ChunkMeshes::default());
                self.commands.insert_resource(WorkCounters::default());
                self.commands.insert_resource(edits);
                self.commands.insert_resource(saves);
                self.commands.insert_resource(map);
                self.next_screen.set(Screen::Playing);
            }
            Err(error) => {
                self.notices.warn(error.to_string());
                // The list may be out of date: a map may have been deleted or restored.
                self.commands.run_system_cached(title::reload_maps);
            }
        }
    }

    /// Closes the open map.
    fn close(&mut self) {
        self.commands.remove_resource::<OpenMap>();
        self.commands.remove_resource::<Edits>();
        self.commands.remove_resource::<SaveQueue>();
        self.commands.queue(chunk_messages::clear);
        self.commands.remove_resource::<ChunkStream>();
        self.commands.remove_resource::<ChunkMeshes>();
        self.parts.iter().for_each(|part| self.commands.entity(part).despawn());
        self.next_screen.set(Screen::Title);
    }
}

/// Creates the file of a new map.
fn create(path: &Path, seed: u64, seed_word: String, kind: TerrainKind) -> Result<(), SaveError> {
    let materials = MaterialTable::builtin();
    let mut header = Header { seed_word, ..Header::new(seed, kind.name(), unix_now()) };
    header.spawn = Generator::new(seed, kind, &materials).spawn().to_array();
    header.player.position = header.spawn;
    header.player.flying = kind == TerrainKind::Void;
    MapFile::create(path, &header, &materials).and_then(MapFile::close)
}

/// The player as the map's header describes it, with positions and angles that cannot be valid
/// replaced.
fn player_from(header: &Header, materials: &MaterialTable) -> Player {
    let saved = &header.player;
    let valid = |p: [f64; 3]| p.iter().all(|c| c.abs() < f64::from(WORLD_LIMIT)).then(|| DVec3::from_array(p));
    let mut walker = Walker::at(valid(saved.position).or(valid(header.spawn)).unwrap_or(DVec3::ZERO));
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
