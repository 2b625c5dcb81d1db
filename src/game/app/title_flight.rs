//! The slow flight over the newest map behind the title screen.
//!
//! The map is opened read-only, with a short view distance. Dialogs halt the flight; those that
//! change files close the map and leave its last picture. Without a map, or with one that is
//! damaged or too large, the title screen shows the sky.

use crate::game::app::map_requests;
use crate::game::app::session_switch::SessionSwitch;
use crate::game::drawing::{ambience, camera};
use crate::game::pictures::map_sketch;
use crate::game::screens::title::screen::Title;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::player::Player;
use crate::game::state::requests::Request;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::opening::{self, OpenPurpose, OpenedSession};
use crate::game::state::session::{Edits, OpenMap};
use crate::game::ui_kit::job::Job;
use bevy::prelude::*;
use glam::{DVec2, DVec3};
use std::path::PathBuf;
use stonerun_engine::save::SaveError;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::Voxel;
use stonerun_engine::world::{World, cast_ray};

/// Seconds on the title screen before the map is opened.
const DELAY: f32 = 0.5;
/// Radius of the circle, in voxels.
const RADIUS: f64 = 44.0;
/// Speed on the circle, in radians per second: two and a half metres per second.
const SPEED: f64 = 0.057;
/// Height of the flight above the ground or the player's position, whichever is higher, in voxels.
const CLEARANCE: f64 = 14.0;
/// Distance above and below the flight within which the ground is searched, in voxels.
const SEARCH: f64 = 96.0;

/// Adds the flight.
pub struct TitleFlightPlugin;

impl Plugin for TitleFlightPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TitleFlight>().add_systems(OnExit(Screen::Title), cancel).add_systems(
            Update,
            (
                fly.in_set(FrameSet::Control),
                choose_map.in_set(FrameSet::Requests).before(map_requests::handle),
            )
                .run_if(in_state(Screen::Title).and_then(has_player)),
        );
    }
}

/// A map's file and its version.
type MapState = (PathBuf, u64);

/// State of the flight over a map behind the title screen.
#[derive(Resource, Default)]
pub struct TitleFlight {
    /// The map that is shown or could not be shown; `None` if there is no map.
    current: Option<MapState>,
    /// Job that opens the map.
    opening: Option<Job<Result<OpenedSession, SaveError>>>,
    /// The circle, once the map is open.
    path: Option<FlightPath>,
    /// Seconds on the title screen.
    seconds: f32,
    /// True if the last picture of a closed map is still on the screen.
    stale: bool,
}

/// A circle around a place in front of the player, or a turn on the spot under a roof.
#[derive(Clone, Copy, Debug)]
struct FlightPath {
    centre: DVec3,
    radius: f64,
    /// Angle on the circle, in radians.
    angle: f64,
}

/// Ends the flight, because a map is opened.
fn cancel(mut flight: ResMut<TitleFlight>) {
    *flight = TitleFlight::default();
}

/// Opens the newest map, and closes it when another one is newer or its file may change.
fn choose_map(
    title: Res<Title>,
    time: Res<Time<Real>>,
    requests: MessageReader<Request>,
    mut flight: ResMut<TitleFlight>,
    mut switch: SessionSwitch,
) {
    flight.seconds += time.delta_secs();
    // A request may open another map in this frame.
    if flight.seconds < DELAY || !requests.is_empty() {
        return;
    }
    if title.changes_files() {
        if flight.current.is_some() {
            *flight =
                TitleFlight { seconds: flight.seconds, stale: true, ..TitleFlight::default() };
            switch.close_file();
        }
        return;
    }
    let newest = title.newest_map().filter(|map| map.bytes <= map_sketch::MAX_BYTES);
    let newest = newest.map(|map| (map.path.clone(), map.version()));
    if flight.current != newest || flight.stale {
        switch.remove();
        switch.commands.run_system_cached(camera::face_the_sky);
        switch.commands.run_system_cached(ambience::reset);
        *flight = TitleFlight { seconds: flight.seconds, ..TitleFlight::default() };
        flight.opening = newest.as_ref().and_then(|(path, _)| {
            let path = path.clone();
            Job::begin(move |_| opening::open(&path, OpenPurpose::Look)).ok()
        });
        flight.current = newest;
    }
    let Some(Ok(Ok(mut session))) = flight.opening.as_mut().and_then(Job::poll) else { return };
    flight.opening = None;
    // A damaged map is not shown here: its damage is reported when it is opened to play.
    if session.warnings.is_empty() {
        session.map.view_limit = Some(map_sketch::VIEW);
        switch.insert(session);
    }
}

/// Moves along the circle, above the ground.
fn fly(
    time: Res<Time<Real>>,
    title: Res<Title>,
    menu: Res<Menu>,
    map: Res<OpenMap>,
    edits: Res<Edits>,
    mut flight: ResMut<TitleFlight>,
    mut player: ResMut<Player>,
) {
    let world = edits.world();
    let path = flight.path.get_or_insert_with(|| FlightPath::from_player(&player, &map));
    let halted = title.open_dialog().is_some() || *menu != Menu::None;
    let seconds = if halted { 0.0 } else { time.delta_secs_f64().min(0.1) };
    path.angle += SPEED * seconds;
    let (place, look) = path.view();
    player.walker.flying = true;
    player.walker.position.x = place.x;
    player.walker.position.z = place.y;
    if path.radius > 0.0 {
        let height = player.walker.position.y;
        let ahead = FlightPath { angle: path.angle + 0.25, ..*path }.view().0;
        let ground = [place, ahead].into_iter().filter_map(|at| ground_height(world, at, height));
        let wanted = ground.fold(path.centre.y, f64::max) + CLEARANCE;
        player.walker.position.y += (wanted - height) * (seconds * 0.6).min(1.0);
    }
    player.yaw = look as f32;
    player.pitch = if path.radius > 0.0 { -0.2 } else { 0.0 };
}

impl FlightPath {
    /// The circle that begins at the player, around a point in the direction of view.
    fn from_player(player: &Player, map: &OpenMap) -> FlightPath {
        let yaw = f64::from(player.yaw);
        let radius = if map.terrain == TerrainKind::Caverns { 0.0 } else { RADIUS };
        let forward = DVec3::new(-yaw.sin(), 0.0, -yaw.cos());
        FlightPath { centre: player.walker.position + forward * radius, radius, angle: yaw }
    }

    /// Position (x, z) on the circle, and the yaw that looks at the centre.
    fn view(self) -> (DVec2, f64) {
        let back = DVec2::new(self.angle.sin(), self.angle.cos());
        (DVec2::new(self.centre.x, self.centre.z) + back * self.radius, self.angle)
    }
}

/// Height of the highest voxel at `at` (x, z) near `height`; `None` where nothing is loaded.
fn ground_height(world: &World, at: DVec2, height: f64) -> Option<f64> {
    let top = DVec3::new(at.x, height + SEARCH, at.y);
    let air = |voxel: Voxel| (!voxel.is_air()).then(|| f64::from(voxel.fill()));
    let hit = cast_ray(world, top, DVec3::NEG_Y, 2.0 * SEARCH, air)?;
    (hit.voxel != Voxel::NOT_LOADED).then_some(top.y - hit.distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::ChunkPos;
    use stonerun_engine::world::Chunk;

    #[test]
    fn ground_is_the_highest_voxel_below() {
        let mut world = World::new();
        for y in -4..5 {
            let voxel = if y < 0 { Voxel::full(1) } else { Voxel::AIR };
            world.insert(ChunkPos::new(0, y, 0), Chunk::uniform(voxel));
        }
        let ground = |height| ground_height(&world, DVec2::new(3.5, 4.5), height);
        assert_eq!((ground(20.0), ground(-60.0)), (Some(0.0), Some(0.0)));
        assert_eq!(ground_height(&world, DVec2::new(99.0, 0.0), 20.0), None, "nothing is loaded");
    }

    #[test]
    fn circle_begins_at_the_player_and_looks_at_its_centre() {
        for yaw in [0.0f64, 1.0, 4.0] {
            let centre =
                DVec3::new(10.0, 5.0, -7.0) + DVec3::new(-yaw.sin(), 0.0, -yaw.cos()) * RADIUS;
            let path = FlightPath { centre, radius: RADIUS, angle: yaw };
            let (place, look) = path.view();
            assert!((place - DVec2::new(10.0, -7.0)).length() < 1e-9);
            let (later, look_later) = FlightPath { angle: yaw + 1.0, ..path }.view();
            for (at, look) in [(place, look), (later, look_later)] {
                let forward = DVec2::new(-look.sin(), -look.cos());
                assert!((at + forward * RADIUS - DVec2::new(centre.x, centre.z)).length() < 1e-9);
            }
        }
    }
}
