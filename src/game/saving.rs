//! Saving: in the background every half minute and when asked; to the end when leaving.

use crate::game::Notices;
use crate::game::player::Player;
use crate::game::session::Session;
use crate::game::stages::{Stage, Stages};
use bevy::prelude::*;

/// Seconds of play between two saves.
const EVERY: f32 = 30.0;

/// Writes the player into the map's header.
fn note_player(session: &mut Session, player: &Player) {
    let name = |&m: &u16| session.materials.get(m).map_or_else(String::new, |m| m.name.clone());
    let hotbar = player.hotbar.iter().map(name).collect();
    session.header.player = crate::save::Player {
        position: player.walker.position.to_array(),
        yaw: player.yaw,
        pitch: player.pitch,
        flying: player.walker.flying,
        hotbar,
        selected: player.selected as u8,
    };
}

/// Starts a save in the background, unless one is running.
pub fn start(session: &mut Session, player: &Player, notices: &mut Notices) {
    if session.writer.get().busy() {
        notices.info("still saving");
        return;
    }
    note_player(session, player);
    let changes = session.take_changes();
    session.writer.get().save(changes);
}

/// Saves everything, waits until it is on the disk, and closes the map.
///
/// # Errors
/// The reason, in one line; then nothing is lost, the map is open, and one may try again.
pub fn finish(session: &mut Session, player: &Player) -> Result<(), String> {
    note_player(session, player);
    let changes = session.take_changes();
    session.writer.get().save(changes);
    session.writer.get().close().map(drop).map_err(|e| e.to_string())
}

/// Takes in the result of a save that has ended: true if there was one.
fn collect(session: &mut Session) -> Result<bool, String> {
    match session.writer.get().poll() {
        None => Ok(false),
        Some(Ok(report)) => {
            session.saving.clear();
            session.last_save = Some(report);
            Ok(true)
        }
        Some(Err(error)) => {
            // What was not written is unsaved again.
            session.unsaved.extend(session.saving.drain());
            Err(error.to_string())
        }
    }
}

/// Lets time pass, saves every half minute, and tells how saves ended.
pub fn autosave(
    time: Res<Time<Real>>,
    player: Res<Player>,
    menu: Res<crate::game::flow::Menu>,
    mut session: ResMut<Session>,
    mut notices: ResMut<Notices>,
    mut stages: ResMut<Stages>,
    mut since: Local<f32>,
) {
    let session = &mut *session;
    let delta = time.delta_secs().min(0.5);
    if *menu == crate::game::flow::Menu::None {
        let days = f64::from(delta) / crate::game::render::sky::DAY_SECONDS;
        session.header.time_of_day = (session.header.time_of_day + days).rem_euclid(1.0);
        session.header.played_seconds += f64::from(delta);
    }
    stages.time(Stage::Save, || {
        match collect(session) {
            Ok(false) => {}
            Ok(true) => notices.info("saved"),
            Err(error) => notices.warn(format!("not saved, will try again: {error}")),
        }
        *since += delta;
        if *since >= EVERY && !session.writer.get().busy() {
            *since = 0.0;
            start(session, &player, &mut notices);
        }
    });
}
