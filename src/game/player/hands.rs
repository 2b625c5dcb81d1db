//! Hands: breaking, placing and picking blocks.
//!
//! Everything that is broken or placed while a button is held is one stroke: one step of the undo
//! history.

use super::hold::Hold;
use super::placing::PlacingPath;
use super::placing_shape;
use super::placing_spot::PlacingRefusal;
use crate::game::life::creatures::CreatureLife;
use crate::game::life::creatures::command::CreatureCommand;
use crate::game::state::cutaway::{CutPlane, Cutaway};
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::{Editor, Edits, OpenMap, WorkCounters};
use bevy::prelude::*;
use glam::IVec3;
use stonerun_engine::body::doors;
use stonerun_engine::body::picking::{self, PickRules};
use stonerun_engine::metrics::{VoxelOps, VoxelTask};
use stonerun_engine::voxel::{MaterialId, MaterialTable, Matter, SolidBoxes, TorchMount, Voxel};
use stonerun_engine::world::CountedRay;
use stonerun_engine::world::RayHit;

/// Reach of an arm for creatures if there is no block under the crosshair, in voxels.
const ARM_LENGTH: f64 = 5.0;
/// Radius around a scared creature within which others are scared, too, in voxels.
const SCARED_WITHIN: i32 = 6;

/// True if the hands reach for liquids: with a liquid in hand, or while the key for careful work is
/// held. With a shape in hand, that key turns it the other way instead.
fn reach_for_liquids(player: &Player, materials: &MaterialTable, keys: &KeyInput) -> bool {
    let held = materials.get(player.in_hand());
    held.is_some_and(|held| held.matter == Matter::Liquid)
        || keys.pressed(KeyAction::Careful) && !held.is_some_and(placing_shape::turns)
}

/// Finds the voxel under the crosshair. There is none for the free camera.
pub fn aim(
    keys: Res<KeyInput>,
    map: Res<OpenMap>,
    edits: Res<Edits>,
    cutaway: Res<Cutaway>,
    mut work: ResMut<WorkCounters>,
    mut player: ResMut<Player>,
) {
    if player.is_free() {
        player.target = None;
        return;
    }
    let liquids = reach_for_liquids(&player, &map.materials, &keys);
    let shown = cutaway.shown.map(CutPlane::shown_box);
    let rules =
        PickRules { liquids, targets: Some(&map.target_boxes), shown, ..PickRules::default() };
    let CountedRay { hit, reads } = picking::pick_by(
        rules,
        edits.world(),
        &map.materials,
        player.walker.eyes(),
        player.direction(),
    );
    work.add(VoxelTask::Picking, VoxelOps::reads(reads));
    player.target = hit.filter(|h| h.voxel != Voxel::NOT_LOADED);
}

/// The stroke of a held button.
#[derive(Default)]
pub struct HandStroke {
    hold: Option<Hold>,
    path: PlacingPath,
}

/// Breaks with the left button, places with the right, picks with the middle one.
pub fn break_and_place(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<KeyInput>,
    time: Res<Time<Real>>,
    cutaway: Res<Cutaway>,
    mut editor: Editor,
    mut player: ResMut<Player>,
    mut life: Option<ResMut<CreatureLife>>,
    mut notices: ResMut<Notices>,
    mut stroke: Local<HandStroke>,
) {
    let pressed = [MouseButton::Left, MouseButton::Right]
        .into_iter()
        .find(|&button| buttons.just_pressed(button));
    let ends = stroke.hold.is_some_and(|hold| !buttons.pressed(hold.button));
    if ends || pressed.is_some() || player.is_free() {
        editor.end_stroke();
        *stroke = HandStroke { hold: pressed.map(Hold::new), path: PlacingPath::default() };
    } else if let Some(hold) = &mut stroke.hold {
        hold.advance(time.delta_secs());
    }
    if player.is_free() {
        return;
    }
    if pressed == Some(MouseButton::Right)
        && !keys.pressed(KeyAction::Careful)
        && toggle(&mut editor, &player, &mut notices)
    {
        *stroke = HandStroke::default();
        return;
    }
    if pressed == Some(MouseButton::Left)
        && let Some(life) = &mut life
        && scare(life, &player)
    {
        *stroke = HandStroke::default();
        return;
    }
    let HandStroke { hold, path } = &mut *stroke;
    match hold {
        Some(hold) if hold.button == MouseButton::Right => {
            let liquids = reach_for_liquids(&player, &editor.map().materials, &keys);
            editor.begin_stroke();
            let rules = PickRules {
                liquids,
                shown: cutaway.shown.map(CutPlane::shown_box),
                ..PickRules::default()
            };
            path.is_reversed = keys.pressed(KeyAction::Careful);
            path.advance(&mut editor, &player, hold, rules);
            if let Some(refusal) = path.take_refusal().filter(|_| pressed.is_some()) {
                notices.replace_info("Not placed", refusal);
            }
        }
        Some(hold) if hold.is_due() => {
            if let Some(hit) = player.target {
                hold.acted();
                editor.begin_stroke();
                for at in parts_of_block(&editor, hit.voxel_pos) {
                    let left = editor.map().materials.left_by(editor.edits().world().get(at));
                    editor.set(at, left);
                }
            }
        }
        Some(_) => {}
        None => {
            if let Some(hit) = player.target.filter(|_| buttons.just_pressed(MouseButton::Middle)) {
                take_in_hand(&mut player, &editor.map().materials, hit);
            }
        }
    }
}

/// Scares away the creature under the crosshair and the creatures around it. Returns false if there
/// is none.
fn scare(life: &mut CreatureLife, player: &Player) -> bool {
    let farthest = player.target.map_or(ARM_LENGTH, |hit| hit.distance);
    let Some(at) = life.pointed_at(player.walker.eyes(), player.direction(), farthest) else {
        return false;
    };
    life.command(CreatureCommand::Scare { at, within: SCARED_WITHIN, answers: false });
    true
}

/// The voxels of the block at `at`: two for a door, otherwise one.
fn parts_of_block(editor: &Editor, at: IVec3) -> Vec<IVec3> {
    let other = doors::other_half(editor.edits().world(), &editor.map().materials, at);
    std::iter::once(at).chain(other).collect()
}

/// Switches the lever or door under the crosshair, as one step of the history. Returns false if
/// there is none.
fn toggle(editor: &mut Editor, player: &Player, notices: &mut Notices) -> bool {
    let Some(hit) = player.target else { return false };
    let Some(other) = editor.map().materials.toggled(hit.voxel.material()) else {
        return open(editor, player, hit.voxel_pos, notices);
    };
    let parts = parts_of_block(editor, hit.voxel_pos);
    // A door that would close on the player stays open. The click has no other effect.
    if editor.map().materials.is_solid(other) && parts.iter().any(|&at| player.walker.touches(at)) {
        return true;
    }
    editor.begin_stroke();
    let mut is_moved = false;
    for at in parts {
        is_moved |= editor.set(at, hit.voxel.with_material(other));
    }
    editor.end_stroke();
    is_moved
}

/// Opens or closes the gate, door or trapdoor at `at`, with the other half of a door, as one step
/// of the history. Returns false if there is none.
fn open(editor: &mut Editor, player: &Player, at: IVec3, notices: &mut Notices) -> bool {
    let map = editor.map();
    let world = editor.edits().world();
    let there = world.get(at);
    let other = map.materials.other_half(there, |face| world.get(at + face.normal()));
    let halves = std::iter::once(at).chain(other.map(|face| at + face.normal()));
    let mut opened = Vec::new();
    for at in halves {
        let voxel = world.get(at);
        let material =
            map.materials.get(voxel.material()).and_then(|m| m.opened(player.placing_side()));
        let Some(material) = material else { return false };
        // One that would close on the player stays as it is. The click has no other effect.
        let solid = material.shape.row().solid;
        if material.is_solid()
            && matches!(solid, SolidBoxes::Boxes(boxes) if player.walker.touches_boxes(at, boxes))
        {
            return true;
        }
        opened.push((at, voxel, material));
    }
    let mut after = Vec::new();
    for (at, voxel, material) in opened {
        match map.growing.index_of(material) {
            Ok(id) => after.push((at, voxel.with_material(id))),
            Err(_) => {
                notices.replace_info("Not opened", PlacingRefusal::NoMaterial);
                return true;
            }
        }
    }
    editor.count(VoxelTask::Placing, VoxelOps::reads(after.len() as u64));
    editor.begin_stroke();
    for (at, voxel) in after {
        editor.set(at, voxel);
    }
    editor.end_stroke();
    true
}

/// Takes a block of the kind that was hit in hand: selects its slot, or puts it into the selected
/// slot.
pub fn take_in_hand(player: &mut Player, materials: &MaterialTable, hit: RayHit) {
    // All mounts of a torch are one block in hand, and so are all states of a lever.
    let hit = hit.voxel.material();
    let material =
        materials.with_mount(hit, TorchMount::Floor).unwrap_or_else(|| materials.first_state(hit));
    // Shapes turn to the player when they are placed, so all turns of a shape are one block, too.
    let is_same = |held: &MaterialId| {
        let kind = |id| {
            let material = materials.get(id)?;
            Some((material.block_of_shape()?, material.shape.family()?))
        };
        *held == material || kind(*held).is_some_and(|held| kind(material) == Some(held))
    };
    match player.hotbar.iter().position(is_same) {
        Some(slot) => player.selected = slot,
        None => {
            let slot = player.selected;
            player.hotbar[slot] = material;
        }
    }
}

/// Ends the stroke. Runs while a menu is open, for example after the window has lost the focus.
pub fn end_stroke(mut editor: Editor) {
    editor.end_stroke();
}

#[cfg(test)]
#[path = "hands_tests.rs"]
mod tests;
