//! Placing along the path of the crosshair, so that a row of blocks has no gaps at any speed and
//! frame rate.
//!
//! Between two frames the view is moved in small steps. At each step, a block is placed where the
//! ray meets the world as it was before the stroke, so the row does not climb on itself. Blocks of
//! the stroke itself are built upon at the pace of [`Hold`], or where the eyes have moved away and
//! no other block is within reach: towers and bridges.

use super::Player;
use super::hold::Hold;
use crate::body::picking::{self, PickRules};
use crate::game::session::Editor;
use crate::metrics::{VoxelOps, VoxelTask};
use crate::terrain::TerrainKind;
use crate::voxel::{MaterialTable, Matter, Voxel};
use crate::world::RayHit;
use bevy::prelude::*;
use glam::{DVec3, IVec3};
use rustc_hash::FxHashSet;

/// Distance at which a block is placed in a void where there is no block to place it against, in
/// voxels.
const VOID_PLACE_DISTANCE: f64 = 4.0;
/// Longest move of the crosshair between two rays, in voxels.
const RAY_SPACING: f64 = 0.25;
/// Most rays between two frames. A longer way is a jump.
const MAX_RAYS: f64 = 128.0;
/// Time that a click takes, in seconds: a small move of the mouse meanwhile places no second block.
const CLICK_SECONDS: f32 = 0.2;
/// Move of the eyes that makes a click a stroke at once, in voxels.
const CLICK_MOVE: f64 = 1.0;
/// Move of the eyes since the last block after which blocks of the stroke are built upon, in
/// voxels.
const STACK_MOVE: f64 = 2.0;

/// Where the player looks from, and where to.
#[derive(Clone, Copy, Debug)]
struct View {
    eyes: DVec3,
    direction: DVec3,
}

impl View {
    /// Greatest move of a point within reach.
    fn distance(self, to: View) -> f64 {
        self.eyes.distance(to.eyes) + self.direction.distance(to.direction) * picking::REACH
    }

    fn between(self, to: View, part: f64) -> View {
        let direction = self.direction.lerp(to.direction, part).normalize_or(to.direction);
        View { eyes: self.eyes.lerp(to.eyes, part), direction }
    }
}

/// The path of the crosshair while the button is held.
#[derive(Debug, Default)]
pub(super) struct PlacingPath {
    /// Voxels placed in this stroke.
    placed: FxHashSet<IVec3>,
    /// Views whose rays were not cast yet. The first was.
    views: Vec<View>,
    /// Move of the eyes since the last block, in voxels.
    moved: f64,
}

impl PlacingPath {
    /// Places blocks up to the player's present view.
    pub fn advance(&mut self, editor: &mut Editor, player: &Player, hold: &mut Hold, liquids: bool) {
        let view = View { eyes: player.walker.eyes(), direction: player.direction() };
        self.views.push(view);
        if self.views.len() == 1 {
            self.place_at_view(editor, player, view, hold, liquids);
            hold.acted();
            return;
        }
        if hold.seconds < CLICK_SECONDS && view.eyes.distance(self.views[0].eyes) < CLICK_MOVE {
            return;
        }
        let views = std::mem::replace(&mut self.views, vec![view]);
        for pair in views.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let rays = (from.distance(to) / RAY_SPACING).ceil().max(1.0);
            let first = if rays > MAX_RAYS { rays as u32 } else { 1 };
            for ray in first..=rays as u32 {
                self.moved += from.eyes.distance(to.eyes) / rays;
                self.place_at_view(editor, player, from.between(to, f64::from(ray) / rays), hold, liquids);
            }
        }
    }

    /// Casts the rays of one view, and places at most one block.
    fn place_at_view(&mut self, editor: &mut Editor, player: &Player, view: View, hold: &mut Hold, liquids: bool) {
        let in_void = editor.map().terrain == TerrainKind::Void && player.walker.flying;
        let first = hold.seconds == 0.0;
        let found = pick(editor, view, PickRules { liquids, skipped: Some(&self.placed), ..PickRules::default() });
        let fresh = found.and_then(|hit| place_against(&editor.map().materials, &hit));
        if let Some(at) = fresh.filter(|at| !self.placed.contains(at))
            && self.place(editor, player, at)
        {
            if !first {
                hold.restart();
            }
            return;
        }
        let stacks = hold.is_due() || found.is_none() && self.moved >= STACK_MOVE;
        if !stacks && !in_void {
            return;
        }
        let at = match pick(editor, view, PickRules { liquids, ..PickRules::default() }) {
            Some(hit) if stacks => place_against(&editor.map().materials, &hit),
            Some(_) => None,
            // In a void there may be no block to place the first one against.
            None => in_void.then(|| (view.eyes + view.direction * VOID_PLACE_DISTANCE).floor().as_ivec3()),
        };
        let moved = self.moved;
        if let Some(at) = at
            && self.place(editor, player, at)
        {
            if !first && hold.is_due() {
                hold.acted();
            }
            self.moved = (moved - 1.0).max(0.0);
        }
    }

    /// Places the block in hand at `at` if there is room for it. Returns whether it was placed.
    fn place(&mut self, editor: &mut Editor, player: &Player, at: IVec3) -> bool {
        let placed = place_block(editor, player, at);
        if placed {
            self.placed.insert(at);
            self.moved = 0.0;
        }
        placed
    }
}

/// The voxel that a view's ray meets, if it is loaded.
fn pick(editor: &mut Editor, view: View, rules: PickRules<'_>) -> Option<RayHit> {
    let (world, map) = (editor.edits().world(), editor.map());
    let (materials, plants) = (&map.materials, Some(&*map.plant_shapes));
    let rules = PickRules { plants, ..rules };
    let ray = picking::pick_by(rules, world, materials, view.eyes, view.direction);
    editor.count(VoxelTask::Picking, VoxelOps::reads(ray.reads));
    ray.hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED)
}

/// The position of a block that is placed against `hit`: a plant gives way, other voxels get the
/// block in front of the face that was hit.
fn place_against(materials: &MaterialTable, hit: &RayHit) -> Option<IVec3> {
    if materials.get(hit.voxel.material()).is_some_and(|m| m.matter == Matter::Plant) {
        return Some(hit.voxel_pos);
    }
    hit.face.map(|face| hit.voxel_pos + face.normal())
}

/// Places the block in hand at `at` if there is room for it. Returns whether it was placed.
fn place_block(editor: &mut Editor, player: &Player, at: IVec3) -> bool {
    let material = player.in_hand();
    let there = editor.edits().world().get(at);
    editor.count(VoxelTask::Placing, VoxelOps::reads(1));
    let materials = &editor.map().materials;
    let gives_way = there.is_air()
        || materials.get(there.material()).is_some_and(|m| matches!(m.matter, Matter::Liquid | Matter::Plant));
    let stands_there = materials.is_solid(material) && player.walker.touches(at);
    material != 0 && gives_way && !stands_there && editor.set(at, Voxel::full(material))
}
