//! Opening, saving and leaving maps, as menus and the command line request it.

use crate::game::app::session_switch::SessionSwitch;
use crate::game::map::saving::SavedState;
use crate::game::pictures::map_picture::MapPicture;
use crate::game::screens::title::screen as title;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::notices::Notices;
use crate::game::state::requests::{BlockedExit, Request};
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::opening::{self, OpenPurpose};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use std::path::Path;
use stonerun_engine::save::{Header, MapFile, SaveError, unix_now};
use stonerun_engine::terrain::TerrainKind;

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
pub struct Game<'w, 's> {
    switch: SessionSwitch<'w, 's>,
    notices: ResMut<'w, Notices>,
    next_screen: ResMut<'w, NextState<Screen>>,
}

/// Handles the last request of the frame: opens, creates, saves or leaves a map, or quits.
pub fn handle(
    mut requests: MessageReader<Request>,
    mut state: SavedState,
    mut menu: ResMut<Menu>,
    mut blocked: ResMut<BlockedExit>,
    mut exit: MessageWriter<AppExit>,
    mut game: Game,
    screen: Res<State<Screen>>,
    picture: Option<Res<MapPicture>>,
    mut postponed: Local<Option<Request>>,
) {
    // Of several requests in one frame the last one counts.
    let Some(request) = requests.read().last().cloned().or_else(|| postponed.take()) else {
        return;
    };
    // The pause menu, from which players leave, has begun a picture of the place. The request is
    // handled once that picture is finished.
    if matches!(request, Request::Leave | Request::Quit)
        && picture.is_some_and(|picture| picture.is_underway())
    {
        *postponed = Some(request);
        return;
    }
    match request {
        Request::Create { path, seed, seed_word, kind, ground } => {
            let header = Header::new(seed, kind.name(), unix_now());
            match create(&path, Header { seed_word, ground, ..header }) {
                Ok(()) => game.open(&path, OpenPurpose::Play),
                Err(error) => game.notices.warn(error.to_string()),
            }
        }
        // A double click on a map sends this request twice.
        Request::Open(path) if *screen.get() == Screen::Playing && state.path() == Some(&path) => {}
        Request::Open(path) => game.open(&path, OpenPurpose::Play),
        Request::OpenForPicture(path) => game.open(&path, OpenPurpose::Picture),
        Request::Save => {
            if let Some(mut saver) = state.saver(&game.switch.player, &mut game.notices) {
                saver.save_now();
            }
        }
        Request::Leave | Request::Quit | Request::Abandon { .. } => {
            let quit = matches!(request, Request::Quit | Request::Abandon { quit: true });
            let save = !matches!(request, Request::Abandon { .. });
            // Leaving the settings menu stores the settings.
            *menu = Menu::None;
            if let Some(mut saver) = state.saver(&game.switch.player, &mut game.notices) {
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
            Ok(session) => {
                for line in &session.warnings {
                    self.notices.report_data_loss(line);
                }
                let map = &session.map;
                if let Some(reason) = map.read_only {
                    self.notices.info(format!(
                        "{} {}: the map is read-only",
                        map.name,
                        reason.describe()
                    ));
                }
                // The title screen may show another map behind its menu.
                self.switch.remove();
                self.switch.insert(session);
                self.next_screen.set(Screen::Playing);
            }
            Err(error) => {
                self.notices.warn(error.to_string());
                // The list may be out of date: a map may have been deleted or restored.
                self.switch.commands.run_system_cached(title::reload_maps);
            }
        }
    }

    /// Closes the open map.
    fn close(&mut self) {
        self.switch.remove();
        self.next_screen.set(Screen::Title);
    }
}

/// Creates the file of a new map, with the player at the first view.
fn create(path: &Path, mut header: Header) -> Result<(), SaveError> {
    let materials = header.ground.materials();
    let view = header.generator(&materials).first_view(&materials);
    header.place_player(view);
    header.player.flying = header.terrain == TerrainKind::Void.name();
    MapFile::create(path, &header, &materials).and_then(MapFile::close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::terrain::Generator;
    use stonerun_engine::voxel::MaterialTable;

    #[test]
    fn created_map_begins_with_the_first_view() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.stonerun");
        create(&path, Header::new(11, TerrainKind::Continents.name(), 0)).unwrap();
        let map = MapFile::open(&path).unwrap().map;
        let materials = MaterialTable::builtin();
        let view = Generator::new(11, TerrainKind::Continents, &materials).first_view(&materials);
        let player = &map.header().player;
        assert_eq!(player.viewpoint(), view);
        assert_eq!(map.header().spawn, player.position);
    }
}
