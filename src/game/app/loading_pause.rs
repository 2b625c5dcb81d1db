//! Pauses after frames that give chunk loading its share of the processor.
//!
//! Loading has a low priority, so frames that keep all cores busy, such as frames of a software
//! driver, would starve it. While chunks near the player are missing, each frame is followed by a
//! pause as long as itself. While only distant chunks are missing, a shorter pause follows slow
//! frames.

use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::map::streaming::ChunkStream;
use crate::game::state::frame::picture_target::{LivesWithoutWindow, PictureTarget, is_alive};
use crate::game::state::player::Player;
use bevy::prelude::*;
use std::time::Duration;
use stonerun_engine::voxel::ChunkPos;

/// Distance along each axis within which chunks are near, in chunks.
const NEAR: i32 = 2;
/// Minimum pause while near chunks are missing.
const MIN_PAUSE: Duration = Duration::from_millis(16);
/// Maximum pause, so that the view still follows the mouse.
const MAX_PAUSE: Duration = Duration::from_millis(100);
/// Length above which a frame leaves the processor no time for loading. Shorter frames wait for the
/// display, and loading runs meanwhile.
const SLOW_FRAME: Duration = Duration::from_millis(25);

/// Chunks missing around the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Missing {
    Nothing,
    /// Chunks within the view distance, but not near.
    Far,
    /// Chunks within [`NEAR`] of the player's chunk.
    Near,
}

/// Pauses after a frame while chunks are missing. Does nothing while pictures are taken.
pub fn pause(
    player: Res<Player>,
    stream: Option<Res<ChunkStream>>,
    meshes: Option<Res<ChunkMeshes>>,
    target: Option<Res<PictureTarget>>,
    lives: Option<Res<LivesWithoutWindow>>,
    time: Res<Time<Real>>,
    mut last: Local<Duration>,
) {
    let worked = time.delta().saturating_sub(std::mem::take(&mut *last));
    let Some((stream, meshes)) = stream.zip(meshes).filter(|_| is_alive(target, lives)) else {
        return;
    };
    *last = length(missing(player.chunk(), &stream, &meshes), worked);
    if *last > Duration::ZERO {
        std::thread::sleep(*last);
    }
}

fn missing(centre: ChunkPos, stream: &ChunkStream, meshes: &ChunkMeshes) -> Missing {
    // While chunks are unreadable, a pause does not help to load them.
    if stream.has_unreadable() || stream.waiting == 0 && meshes.waiting() == 0 {
        return Missing::Nothing;
    }
    let near = near_offsets().map(|offset| centre.offset(offset));
    let mut undrawn = near.filter(|pos| pos.in_world() && meshes.of_chunk(*pos).is_none());
    if undrawn.next().is_some() {
        return Missing::Near;
    }
    // Edited chunks wait for light and meshes too, so `meshes.waiting()` alone causes no pause.
    if stream.waiting > 0 { Missing::Far } else { Missing::Nothing }
}

/// Offsets of near chunks from the player's chunk.
fn near_offsets() -> impl Iterator<Item = IVec3> {
    let range = || -NEAR..=NEAR;
    range().flat_map(move |y| range().flat_map(move |z| range().map(move |x| IVec3::new(x, y, z))))
}

/// Length of the pause after a frame.
fn length(missing: Missing, worked: Duration) -> Duration {
    match missing {
        Missing::Near => worked.clamp(MIN_PAUSE, MAX_PAUSE),
        Missing::Far if worked > SLOW_FRAME => (worked / 2).min(MAX_PAUSE),
        Missing::Far | Missing::Nothing => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_frames_wait_for_loading_and_all_for_near_chunks() {
        let ms = Duration::from_millis;
        for (missing, worked, expected) in [
            (Missing::Near, ms(1), MIN_PAUSE),
            (Missing::Near, ms(40), ms(40)),
            (Missing::Near, ms(900), MAX_PAUSE),
            (Missing::Far, ms(16), ms(0)),
            (Missing::Far, ms(60), ms(30)),
            (Missing::Nothing, ms(900), ms(0)),
        ] {
            assert_eq!(length(missing, worked), expected, "{missing:?} {worked:?}");
        }
    }

    #[test]
    fn chunks_around_the_player_are_missing_until_they_are_drawn() {
        let mut stream = ChunkStream::default();
        let mut meshes = ChunkMeshes::default();
        let centre = ChunkPos::default();
        let far = ChunkPos::new(9, 0, 0);
        stream.set_expected([far]);
        assert_eq!(missing(centre, &stream, &meshes), Missing::Near);
        for offset in near_offsets() {
            meshes.show_empty(centre.offset(offset));
        }
        assert_eq!(missing(centre, &stream, &meshes), Missing::Far);
        assert_eq!(missing(far, &stream, &meshes), Missing::Near);
        stream.set_expected([]);
        assert_eq!(missing(far, &stream, &meshes), Missing::Nothing);
    }
}
