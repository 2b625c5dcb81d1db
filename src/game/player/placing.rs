//! Placing along the path of the crosshair, so that a row of blocks has no gaps at any speed and
//! frame rate.
//!
//! Between two frames the view is moved in small steps. At each step, a block is placed where the
//! ray meets the world as it was before the stroke, so the row does not climb on its own blocks.
//! Against blocks of the stroke itself, blocks are placed only at the pace of [`Hold`], or where
//! the eyes have moved on and nothing else is within reach. This builds towers and bridges.

use super::hold::Hold;
use super::placing_shape::{self, ShapePlacing};
use super::placing_spot::{PlacingRefusal, PlacingSpot};
use crate::game::state::player::Player;
use crate::game::state::session::Editor;
use bevy::prelude::*;
use glam::{DVec3, IVec3};
use rustc_hash::FxHashSet;
use stonerun_engine::body::picking::{self, PickRules};
use stonerun_engine::metrics::{VoxelOps, VoxelTask};
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{
    Face, Material, MaterialId, MaterialTable, Matter, TorchMount, Voxel,
};
use stonerun_engine::world::{RayHit, World};

/// Distance from the eyes at which a block is placed in a void, where there may be no block to
/// place it against, in voxels.
const VOID_PLACE_DISTANCE: f64 = 4.0;
/// Maximum distance that the crosshair moves between two rays, in voxels.
const RAY_SPACING: f64 = 0.25;
/// Maximum number of rays between two frames. A longer path is a jump, and gets only a ray at its
/// end.
const MAX_RAYS: f64 = 128.0;
/// Duration of a click, in seconds. A small move of the mouse during a click places no second
/// block.
const CLICK_SECONDS: f32 = 0.2;
/// Distance of the eyes from the start of a click at which it counts as a stroke at once, in
/// voxels.
const CLICK_MOVE: f64 = 1.0;
/// Distance that the eyes must move since the last block before blocks are placed against blocks of
/// the stroke, in voxels.
const STACK_MOVE: f64 = 2.0;

/// Position of the eyes and direction of the view.
#[derive(Clone, Copy, Debug)]
struct EyeView {
    eyes: DVec3,
    direction: DVec3,
}

impl EyeView {
    /// Upper bound of the distance that a point within reach moves between two views.
    fn distance(self, to: EyeView) -> f64 {
        self.eyes.distance(to.eyes) + self.direction.distance(to.direction) * picking::REACH
    }

    fn between(self, to: EyeView, part: f64) -> EyeView {
        let direction = self.direction.lerp(to.direction, part).normalize_or(to.direction);
        EyeView { eyes: self.eyes.lerp(to.eyes, part), direction }
    }
}

/// The path of the crosshair while the button is held.
#[derive(Debug, Default)]
pub(super) struct PlacingPath {
    /// Voxels placed in this stroke.
    placed: FxHashSet<IVec3>,
    /// Views of the eyes: the last view whose rays were cast, then the views since.
    views: Vec<EyeView>,
    /// Distance that the eyes have moved since the last block, in voxels.
    moved: f64,
    /// Reason why the last block was not placed.
    refused: Option<PlacingRefusal>,
    /// True while shapes are placed the other way.
    pub is_reversed: bool,
}

impl PlacingPath {
    /// Reason why a block was not placed since the last call.
    pub fn take_refusal(&mut self) -> Option<PlacingRefusal> {
        self.refused.take()
    }

    /// Places blocks along the path up to the player's present view. `rules` must not have skipped
    /// voxels.
    pub fn advance(
        &mut self,
        editor: &mut Editor,
        player: &Player,
        hold: &mut Hold,
        rules: PickRules<'_>,
    ) {
        let view = EyeView { eyes: player.walker.eyes(), direction: player.direction() };
        self.views.push(view);
        if self.views.len() == 1 {
            self.place_at_view(editor, player, view, hold, rules);
            hold.acted();
            return;
        }
        if hold.seconds < CLICK_SECONDS && view.eyes.distance(self.views[0].eyes) < CLICK_MOVE {
            return;
        }
        let views = std::mem::replace(&mut self.views, vec![view]);
        for pair in views.windows(2) {
            let from = pair[0];
            let to = pair[1];
            let rays = (from.distance(to) / RAY_SPACING).ceil().max(1.0);
            let first = if rays > MAX_RAYS { rays as u32 } else { 1 };
            for ray in first..=rays as u32 {
                self.moved += from.eyes.distance(to.eyes) / rays;
                self.place_at_view(
                    editor,
                    player,
                    from.between(to, f64::from(ray) / rays),
                    hold,
                    rules,
                );
            }
        }
    }

    /// Casts the rays of one view, and places at most one block.
    fn place_at_view(
        &mut self,
        editor: &mut Editor,
        player: &Player,
        view: EyeView,
        hold: &mut Hold,
        rules: PickRules<'_>,
    ) {
        let in_void = editor.map().terrain == TerrainKind::Void && player.walker.flying;
        let first = hold.seconds == 0.0;
        let found = pick(editor, view, PickRules { skipped: Some(&self.placed), ..rules });
        let in_hand = player.in_hand();
        let fresh =
            found.and_then(|hit| place_against(&editor.map().growing.table(), in_hand, &hit, view));
        if let Some(spot) =
            fresh.filter(|spot| is_shown(rules, *spot) && !self.placed.contains(&spot.at))
            && self.place(editor, player, spot)
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
        let spot = match pick(editor, view, rules) {
            Some(hit) if stacks => {
                place_against(&editor.map().growing.table(), in_hand, &hit, view)
            }
            Some(_) => None,
            // In a void, there may be no block to place the first block against.
            None => in_void.then(|| {
                let at = (view.eyes + view.direction * VOID_PLACE_DISTANCE).floor().as_ivec3();
                PlacingSpot { at, against: None, point: DVec3::splat(0.5) }
            }),
        };
        let moved = self.moved;
        if let Some(spot) = spot.filter(|spot| is_shown(rules, *spot))
            && self.place(editor, player, spot)
        {
            if !first && hold.is_due() {
                hold.acted();
            }
            self.moved = (moved - 1.0).max(0.0);
        }
    }

    /// Places the block in hand if there is room for it. Returns true if it was placed.
    fn place(&mut self, editor: &mut Editor, player: &Player, spot: PlacingSpot) -> bool {
        let placed = match place_block(editor, player, spot, self.is_reversed) {
            Ok(placed) => placed,
            Err(refusal) => {
                self.refused = Some(refusal);
                return false;
            }
        };
        if !placed.is_empty() {
            self.moved = 0.0;
        }
        self.placed.extend(&placed);
        !placed.is_empty()
    }
}

/// The voxel that a view's ray meets, if it is loaded.
fn pick(editor: &mut Editor, view: EyeView, rules: PickRules<'_>) -> Option<RayHit> {
    let world = editor.edits().world();
    let map = editor.map();
    let materials = &map.materials;
    let targets = Some(&*map.target_boxes);
    let rules = PickRules { targets, ..rules };
    let ray = picking::pick_by(rules, world, materials, view.eyes, view.direction);
    editor.count(VoxelTask::Picking, VoxelOps::reads(ray.reads));
    ray.hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED)
}

/// True if a block at the spot is not cut away by the cutaway.
fn is_shown(rules: PickRules<'_>, spot: PlacingSpot) -> bool {
    rules.shown.is_none_or(|shown| shown.contains(spot.at))
}

/// The spot for a block placed against `hit`: the hit voxel itself if it is a plant or a thin
/// layer, or a shape of the same block that leaves room where the ray meets it, otherwise the voxel
/// in front of the face that was hit. Liquids count as whole blocks here.
fn place_against(
    materials: &MaterialTable,
    in_hand: MaterialId,
    hit: &RayHit,
    view: EyeView,
) -> Option<PlacingSpot> {
    let met = view.eyes + view.direction * hit.distance;
    let spot = |at: IVec3, against| PlacingSpot {
        at,
        against,
        point: (met - at.as_dvec3()).clamp(DVec3::ZERO, DVec3::ONE),
    };
    let inside = spot(hit.voxel_pos, hit.face);
    if placing_shape::leaves_room(materials, in_hand, hit.voxel, &inside) {
        return Some(inside);
    }
    let is_replaced = |material: &Material| {
        material.matter != Matter::Liquid && material.gives_way(hit.voxel.occupancy())
    };
    if materials.get(hit.voxel.material()).is_some_and(is_replaced) {
        return Some(spot(hit.voxel_pos, None));
    }
    hit.face.map(|face| spot(hit.voxel_pos + face.normal(), Some(face)))
}

/// Places the block in hand, or both halves of a door, if there is room. Returns the voxels that
/// were set.
///
/// # Errors
/// The block is a torch that cannot be there, or the map has no room for the material of its shape.
fn place_block(
    editor: &mut Editor,
    player: &Player,
    spot: PlacingSpot,
    is_reversed: bool,
) -> Result<Vec<IVec3>, PlacingRefusal> {
    let shape =
        placing_shape::placed(editor.map(), editor.edits().world(), player, spot, is_reversed)?;
    match shape {
        ShapePlacing::NoShape => {}
        ShapePlacing::NoRoom => return Ok(Vec::new()),
        ShapePlacing::Put(voxel) => {
            editor.count(VoxelTask::Placing, VoxelOps::reads(1));
            let is_placed = editor.set(spot.at, voxel);
            return Ok(if is_placed { vec![spot.at] } else { Vec::new() });
        }
    }
    let world = editor.edits().world();
    let materials = &editor.map().materials;
    let material = placed_material(world, materials, player.in_hand(), spot)?;
    if material == 0 {
        return Ok(Vec::new());
    }
    let is_solid = materials.is_solid(material);
    let has_room = |at: IVec3| {
        let there = world.get(at);
        let gives_way =
            materials.get(there.material()).is_some_and(|m| m.gives_way(there.occupancy()));
        there != Voxel::NOT_LOADED && gives_way && !(is_solid && player.walker.touches(at))
    };
    let mut voxels: Vec<IVec3> = [spot.at].into_iter().filter(|&at| has_room(at)).collect();
    if materials.get(material).is_some_and(Material::is_door) && !voxels.is_empty() {
        // The other half is above the spot, or below it under a ceiling.
        match [IVec3::Y, IVec3::NEG_Y].into_iter().map(|by| spot.at + by).find(|&at| has_room(at)) {
            Some(other) => voxels.push(other),
            None => voxels.clear(),
        }
    }
    let occupancy = materials.get(material).map_or(u8::MAX, Material::placed_occupancy);
    editor.count(VoxelTask::Placing, VoxelOps::reads(1));
    voxels.retain(|&at| editor.set(at, Voxel::new(material, occupancy)));
    Ok(voxels)
}

/// The material to place for the one in hand. A torch is mounted on the full, solid voxel that it
/// is placed against, otherwise on the one below, which may also be smooth ground that is no
/// longer full.
///
/// # Errors
/// The block is a torch in a liquid, or without such a voxel.
fn placed_material(
    world: &World,
    materials: &MaterialTable,
    in_hand: MaterialId,
    spot: PlacingSpot,
) -> Result<MaterialId, PlacingRefusal> {
    if materials.get(in_hand).is_none_or(|material| material.torch_mount().is_none()) {
        return Ok(in_hand);
    }
    let there = materials.get(world.get(spot.at).material());
    if there.is_some_and(|material| material.matter == Matter::Liquid) {
        return Err(PlacingRefusal::InLiquid);
    }
    let mount_on = |face: Face| {
        let carrier = world.get(spot.at - face.normal());
        TorchMount::on_face(face).filter(|_| carries_torch(materials, carrier, face))
    };
    let mount = spot.against.and_then(mount_on).or_else(|| mount_on(Face::Up));
    mount.and_then(|mount| materials.with_mount(in_hand, mount)).ok_or(PlacingRefusal::NoCarrier)
}

/// True if a voxel carries a torch at a face. Torches stand on the surface of smooth ground, at any
/// height, but a wall that is not full may end before the face.
fn carries_torch(materials: &MaterialTable, carrier: Voxel, face: Face) -> bool {
    materials.get(carrier.material()).filter(|material| material.is_solid()).is_some_and(
        |material| {
            let is_ground = material.is_smooth() && !material.gives_way(carrier.occupancy());
            carrier.is_full() || face == Face::Up && is_ground
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::SurfaceRule;

    #[test]
    fn torches_stand_on_half_a_block_of_smooth_ground_and_hang_by_full_blocks() {
        let smooth = Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [9; 3]) };
        let mut materials = MaterialTable::builtin();
        let hill = materials.add(smooth).expect("there is room");
        let stone = materials.find("stone").expect("built in");
        let water = materials.find("water").expect("built in");
        for (carrier, stands, hangs) in [
            (Voxel::full(stone), true, true),
            (Voxel::new(stone, 254), false, false),
            (Voxel::full(hill), true, true),
            (Voxel::new(hill, 254), true, false),
            (Voxel::new(hill, 127), true, false),
            (Voxel::new(hill, 126), false, false),
            (Voxel::full(water), false, false),
            (Voxel::NOT_LOADED, false, false),
        ] {
            let carries = |face| carries_torch(&materials, carrier, face);
            assert_eq!([carries(Face::Up), carries(Face::West)], [stands, hangs], "{carrier:?}");
        }
    }
}
