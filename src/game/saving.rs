//! Saving: in the background soon after an edit, every half minute, and when asked; to the end when leaving.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::notices::Notices;
use crate::game::common::picture_target::PictureTarget;
use crate::game::common::screens::Menu;
use crate::game::player::Player;
use crate::game::session::Session;
use crate::save::unix_now;
use bevy::prelude::*;
use std::time::Duration;

/// Seconds of play between two saves.
const EVERY: f32 = 30.0;
/// An edit is saved when none has followed for so long, and after a while in any case.
const PAUSE: Duration = Duration::from_secs(2);
const AT_LATEST: Duration = Duration::from_secs(8);

/// Writes the player into the map's header.
fn note_player(session: &mut Session, player: &Player) {
    let name = |&m: &u16| session.materials.get(m).map_or_else(String::new, |m| m.name.clone());
    let [yaw, pitch] = player.body_look();
    let hotbar = player.hotbar.iter().map(name).collect();
    session.header.player = crate::save::SavedPlayer {
        position: player.body().position.to_array(),
        yaw,
        pitch,
        flying: player.body().flying,
        hotbar,
        selected: player.selected as u8,
    };
}

/// Starts a save in the background, unless one is running.
fn start(session: &mut Session, player: &Player, notices: &mut Notices) {
    // What has ended in the meantime belongs to the earlier save.
    collect(session, notices);
    note_player(session, player);
    let changes = session.take_changes();
    session.writer.get().save(changes);
}

/// Saves now, because the player asked for it; tells how it went.
pub fn save_now(session: &mut Session, player: &Player, notices: &mut Notices) {
    if session.writer.get().busy() {
        notices.info("still saving");
        return;
    }
    start(session, player, notices);
    session.asked = true;
}

/// Saves everything, waits until it is on the disk, and closes the map.
///
/// # Errors
/// The reason, in one line; then nothing is lost, the map is open, and one may try again.
pub fn finish(session: &mut Session, player: &Player, notices: &mut Notices) -> Result<(), String> {
    note_player(session, player);
    let changes = session.take_changes();
    session.writer.get().save(changes);
    match session.writer.get().close() {
        Ok(closed) => {
            if let Some(error) = closed.checkpoint_error {
                let name = &session.name;
                notices.info(format!("{name} is saved; its log stays beside it until it is opened again: {error}"));
            }
            if let Some(error) = closed.backup_error {
                notices.info(format!("no backup could be made: {error}"));
            }
            Ok(())
        }
        Err(error) => {
            while session.writer.get().poll().is_some() {}
            session.put_back_unsaved();
            session.save_failed = Some(error.to_string());
            Err(error.to_string())
        }
    }
}

/// Takes in the results of saves that have ended.
fn collect(session: &mut Session, notices: &mut Notices) {
    while let Some(result) = session.writer.get().poll() {
        match result {
            Ok(report) => {
                (session.last_save, session.last_saved_unix, session.save_failed) = (Some(report), unix_now(), None);
                if report.recreated {
                    notices.warn("the map's file was gone, and the whole map has been written anew");
                }
                // While another save runs, nobody knows which of the chunks are its own.
                if !session.writer.get().busy() {
                    session.all_is_written();
                }
                if std::mem::take(&mut session.asked) {
                    notices.info("saved");
                }
            }
            Err(error) => {
                session.put_back_unsaved();
                session.save_failed = Some(error.to_string());
                notices.warn(format!("not saved, will try again: {error}"));
            }
        }
    }
}

/// Lets time pass, saves when it is time to, and takes in how saves ended.
pub fn autosave(
    time: Res<Time<Real>>,
    player: Res<Player>,
    menu: Res<Menu>,
    mut session: ResMut<Session>,
    mut notices: ResMut<Notices>,
    mut timings: ResMut<FrameTimings>,
    (mut since, mut played, mut owed): (Local<f32>, Local<bool>, Local<bool>),
) {
    let session = &mut *session;
    let delta = time.delta_secs().min(0.5);
    let plays = *menu == Menu::None;
    if plays {
        let days = f64::from(delta) / crate::game::render::sky::DAY_SECONDS;
        session.header.time_of_day = (session.header.time_of_day + days).rem_euclid(1.0);
        session.header.played_seconds += f64::from(delta);
    }
    // In a menu too: what is seen from there is made meanwhile.
    *since += delta;
    // A menu was opened: owed until a save that runs has ended.
    *owed |= std::mem::replace(&mut *played, plays) && !plays;
    timings.time(FrameStage::Save, || {
        collect(session, &mut notices);
        // At every menu too: that is where one leaves from.
        let edited = session.edits.is_some_and(|(first, last)| last.elapsed() > PAUSE || first.elapsed() > AT_LATEST);
        let due = *since >= EVERY || edited || *owed;
        if due && !session.writer.get().busy() {
            (*since, *owed) = (0.0, false);
            start(session, &player, &mut notices);
        }
    });
}

/// Ends the program with everything saved, whoever ended it: the terminal's Ctrl+C does not ask the menus.
pub fn save_at_exit(
    mut exits: MessageReader<AppExit>,
    session: Option<ResMut<Session>>,
    picture: Option<Res<PictureTarget>>,
    player: Res<Player>,
    mut notices: ResMut<Notices>,
) {
    if exits.read().next().is_none() || picture.is_some() {
        return;
    }
    if let Some(mut session) = session
        && let Err(error) = finish(&mut session, &player, &mut notices)
    {
        notices.warn(format!("not saved: {error}"));
    }
}
