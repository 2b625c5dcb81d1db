//! Hands: breaking, placing and picking blocks.

use crate::body::picking;
use crate::game::player::Player;
use crate::game::session::{Editor, Edits, OpenMap, WorkCounters};
use crate::metrics::{VoxelOps, VoxelTask};
use crate::terrain::TerrainKind;
use crate::voxel::{MaterialTable, Matter, Voxel};
use crate::world::CountedRay;
use crate::world::RayHit;
use bevy::prelude::*;
use glam::IVec3;

/// Distance at which a block is placed in a void where there is no block to place it against, in
/// voxels.
const VOID_PLACE_DISTANCE: f64 = 4.0;
/// Time to break a block, in seconds.
const BREAK_TIME: f32 = 0.3;
/// Pause between two blocks while the button is held, in seconds.
const REPEAT_TIME: f32 = 0.2;

/// Finds the voxel under the crosshair. The free camera reaches nothing.
pub fn aim(map: Res<OpenMap>, edits: Res<Edits>, mut work: ResMut<WorkCounters>, mut player: ResMut<Player>) {
    if player.is_free() {
        (player.target, player.breaking) = (None, 0.0);
        return;
    }
    let CountedRay { hit, reads } =
        picking::pick(edits.world(), &map.materials, player.walker.eyes(), player.direction(), picking::REACH);
    work.add(VoxelTask::Picking, VoxelOps::reads(reads));
    let hit = hit.filter(|h| h.voxel != Voxel::NOT_LOADED);
    if hit.map(|h| h.voxel_pos) != player.target.map(|h| h.voxel_pos) {
        player.breaking = 0.0;
    }
    player.target = hit;
}

/// The position of a block that is placed against `hit`: a plant gives way, other voxels get the
/// block in front of the face that was hit.
fn place_at(materials: &MaterialTable, hit: &RayHit) -> Option<IVec3> {
    if materials.get(hit.voxel.material()).is_some_and(|m| m.matter == Matter::Plant) {
        return Some(hit.voxel_pos);
    }
    hit.face.map(|face| hit.voxel_pos + face.normal())
}

/// Places the block in hand at `at` if there is room for it. Returns whether it was placed.
fn place(editor: &mut Editor, player: &Player, at: IVec3) -> bool {
    let material = player.in_hand();
    let there = editor.edits().world().get(at);
    editor.count(VoxelTask::Placing, VoxelOps::reads(1));
    let materials = &editor.map().materials;
    let gives_way = there.is_air()
        || materials.get(there.material()).is_some_and(|m| matches!(m.matter, Matter::Liquid | Matter::Plant));
    let stands_there = materials.is_solid(material) && player.walker.touches(at);
    material != 0 && gives_way && !stands_there && editor.set(at, Voxel::full(material))
}

/// Breaks with the left button, places with the right, picks with the middle one.
pub fn break_and_place(
    buttons: Res<ButtonInput<MouseButton>>,
    time: Res<Time<Real>>,
    mut editor: Editor,
    mut player: ResMut<Player>,
    mut until_next: Local<f32>,
) {
    *until_next = (*until_next - time.delta_secs()).max(0.0);
    if player.is_free() {
        return;
    }
    if !buttons.pressed(MouseButton::Left) {
        player.breaking = 0.0;
    }
    if !buttons.any_pressed([MouseButton::Left, MouseButton::Right]) {
        *until_next = 0.0;
    }
    let Some(hit) = player.target else {
        // In a void there may be no block to place the first one against.
        let in_void = editor.map().terrain == TerrainKind::Void && player.walker.flying;
        let placing = buttons.pressed(MouseButton::Right) && *until_next == 0.0;
        let at = (player.walker.eyes() + player.direction() * VOID_PLACE_DISTANCE).floor().as_ivec3();
        if in_void && placing && place(&mut editor, &player, at) {
            *until_next = REPEAT_TIME;
        }
        return;
    };

    if buttons.pressed(MouseButton::Left) {
        if *until_next == 0.0 {
            player.breaking += time.delta_secs() / BREAK_TIME;
        }
        if player.breaking >= 1.0 {
            player.breaking = 0.0;
            *until_next = REPEAT_TIME;
            editor.set(hit.voxel_pos, Voxel::AIR);
        }
    } else if buttons.just_pressed(MouseButton::Right) || buttons.pressed(MouseButton::Right) && *until_next == 0.0 {
        if place_at(&editor.map().materials, &hit).is_some_and(|at| place(&mut editor, &player, at)) {
            *until_next = REPEAT_TIME;
        }
    } else if buttons.just_pressed(MouseButton::Middle) {
        let material = hit.voxel.material();
        match player.hotbar.iter().position(|&m| m == material) {
            Some(slot) => player.selected = slot,
            None => {
                let slot = player.selected;
                player.hotbar[slot] = material;
            }
        }
    }
}
