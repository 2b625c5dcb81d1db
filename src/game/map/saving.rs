//! Saving: in the background for autosave and on request, in the foreground when the map is left.

use crate::game::state::day::MAX_FRAME_SECONDS;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::screens::Menu;
use crate::game::state::session::{Edits, OpenMap, SaveQueue, WorkCounters};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use std::path::Path;
use std::time::Duration;
use stonerun_engine::save::{SaveError, SavedPlayer};

/// Adds saving.
pub struct SavingPlugin;

impl Plugin for SavingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Last, save_at_exit.run_if(has_player));
    }
}

/// Resources of the open map that saves read and change; all `None` while no map is open.
#[derive(SystemParam)]
pub struct SavedState<'w> {
    map: Option<ResMut<'w, OpenMap>>,
    edits: Option<ResMut<'w, Edits>>,
    saves: Option<ResMut<'w, SaveQueue>>,
    work: ResMut<'w, WorkCounters>,
}

/// Saves the open map.
pub struct Saver<'a> {
    map: &'a mut OpenMap,
    edits: &'a mut Edits,
    saves: &'a mut SaveQueue,
    work: &'a mut WorkCounters,
    player: &'a Player,
    notices: &'a mut Notices,
}

impl SavedState<'_> {
    /// The file of the open map.
    pub fn path(&self) -> Option<&Path> {
        self.map.as_ref().map(|map| map.reader.path())
    }

    /// Resources for saving the open map, if one is open.
    pub fn saver<'a>(
        &'a mut self,
        player: &'a Player,
        notices: &'a mut Notices,
    ) -> Option<Saver<'a>> {
        let map = self.map.as_mut()?;
        let edits = self.edits.as_mut()?;
        let saves = self.saves.as_mut()?;
        Some(Saver { map, edits, saves, work: &mut self.work, player, notices })
    }
}

impl Saver<'_> {
    /// Starts a save that the player has requested, and reports its outcome when it has ended.
    pub fn save_now(&mut self) {
        if self.map.read_only.is_some() {
            return;
        }
        if self.saves.is_busy() {
            self.notices.info("Still saving");
            return;
        }
        self.start();
        self.saves.notify_player();
    }

    /// Saves everything, waits until it is on the disk, and closes the map.
    ///
    /// # Errors
    /// Part of the map could not be saved. Nothing is lost: the map stays open, and the player may
    /// try again.
    pub fn finish(&mut self) -> Result<(), SaveError> {
        self.note_player();
        let closed = self.saves.close(self.map, self.edits, self.work)?;
        if let Some(error) = closed.checkpoint_error {
            let name = &self.map.name;
            self.notices.info(format!(
                "{name} is saved; its log stays next to it until it is opened again: {error}"
            ));
        }
        if let Some(error) = closed.backup_error {
            self.notices.info(format!("No backup could be made: {error}"));
        }
        Ok(())
    }

    /// Starts a save in the background.
    fn start(&mut self) {
        // Reported first, so that they are not taken for the save that starts here.
        self.report_outcomes();
        self.note_player();
        self.saves.begin(self.map, self.edits, self.work);
    }

    /// Reports the saves that have ended, and the backups that failed.
    fn report_outcomes(&mut self) {
        while let Some(error) = self.saves.next_backup_failure() {
            self.notices.warn(format!("Saving without a backup, will try again: {error}"));
        }
        while let Some(outcome) = self.saves.next_outcome() {
            match outcome.result {
                Ok(report) => {
                    if report.recreated {
                        self.notices
                            .warn("The map's file was gone; the whole map was written again");
                    }
                    if outcome.player_waits {
                        self.notices.info("Saved");
                    }
                }
                Err(error) => self.notices.warn(format!("Not saved, will try again: {error}")),
            }
        }
    }

    /// Writes the player into the map's header.
    fn note_player(&mut self) {
        let player = self.player;
        let name = |&id: &u16| {
            self.map.materials.get(id).map_or_else(String::new, |material| material.name.clone())
        };
        let hotbar = player.hotbar.iter().map(name).collect();
        let [yaw, pitch] = player.body_look();
        self.map.header.player = SavedPlayer {
            position: player.body().position.to_array(),
            yaw,
            pitch,
            flying: player.body().flying,
            hotbar,
            selected: player.selected as u8,
        };
    }
}

/// Counts play time, saves when a save is due, and reports saves that have ended.
pub fn autosave(
    time: Res<Time<Real>>,
    player: Res<Player>,
    menu: Res<Menu>,
    mut state: SavedState,
    mut notices: ResMut<Notices>,
    mut timings: ResMut<FrameTimings>,
    mut played: Local<bool>,
    mut menu_save_owed: Local<bool>,
) {
    let Some(mut saver) = state.saver(&player, &mut notices) else { return };
    let delta = time.delta_secs().min(MAX_FRAME_SECONDS);
    let plays = !menu.covers_world();
    if plays {
        saver.map.header.played_seconds += f64::from(delta);
    }
    // Players leave from a menu, so opening a menu saves. If a save is running, this one waits for
    // its end.
    *menu_save_owed |= std::mem::replace(&mut *played, plays) && !plays;
    timings.time(FrameStage::Save, || {
        saver.report_outcomes();
        saver.saves.shrink_some(saver.edits);
        // Autosave goes on while a menu is open, so that changes made before are saved.
        let due = saver.saves.is_due(Duration::from_secs_f32(delta)) || *menu_save_owed;
        if due && !saver.saves.is_busy() {
            *menu_save_owed = false;
            saver.start();
        }
    });
}

/// Saves everything when the program ends, however it ends: Ctrl+C in the terminal bypasses the
/// menus.
fn save_at_exit(
    mut exits: MessageReader<AppExit>,
    player: Res<Player>,
    mut state: SavedState,
    mut notices: ResMut<Notices>,
) {
    if exits.read().next().is_none() {
        return;
    }
    let failure = state.saver(&player, &mut notices).and_then(|mut saver| saver.finish().err());
    if let Some(error) = failure {
        notices.warn(format!("Not saved: {error}"));
    }
}
