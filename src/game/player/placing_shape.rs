//! Placing of shapes: how they turn to the player, and how shapes of one block join in a voxel.

use super::placing_spot::{PlacingRefusal, PlacingSpot};
use crate::game::state::player::Player;
use crate::game::state::session::OpenMap;
use glam::DVec3;
use stonerun_engine::voxel::{
    Face, HewnEighths, Material, MaterialId, MaterialTable, PlacingAim, Shape, SolidBoxes, Turn,
    Voxel,
};
use stonerun_engine::world::World;

/// Distance from the point where the ray meets a face to a point in front of the face, in voxels.
const IN_FRONT: f64 = 0.25;

/// Result of placing the block in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ShapePlacing {
    /// Nothing of this module: the block has no shape that turns.
    NoShape,
    /// Nothing: there is no room.
    NoRoom,
    /// Puts a voxel at the spot.
    Put(Voxel),
}

/// Places the block in hand at a spot, turned to the player, or joined with the shape of the same
/// block that is there. Water stays in what the shape leaves free; a whole block leaves it no room.
///
/// # Errors
/// The map has no room for the material.
pub(super) fn placed(
    map: &OpenMap,
    world: &World,
    player: &Player,
    spot: PlacingSpot,
    is_reversed: bool,
) -> Result<ShapePlacing, PlacingRefusal> {
    let table = map.growing.table();
    let Some(held) = table.get(player.in_hand()).filter(|held| turns(held)) else {
        return Ok(ShapePlacing::NoShape);
    };
    let there = world.get(spot.at);
    if there == Voxel::NOT_LOADED {
        return Ok(ShapePlacing::NoRoom);
    }
    let aim = PlacingAim {
        against: spot.against,
        point: spot.point,
        view: player.placing_side(),
        is_reversed,
    };
    let (material, occupancy) = match joined(&table, held, there, &spot, &aim) {
        Some(Shape::Cube) => (table.reshaped(player.in_hand(), Shape::Cube), u8::MAX),
        Some(shape) => (held.reshaped(shape), shape.row().fill.unwrap_or(u8::MAX)),
        None => {
            let there_is = table.get(there.material());
            if !there_is.is_some_and(|m| m.gives_way(there.occupancy())) {
                return Ok(ShapePlacing::NoRoom);
            }
            let turned = held.placed(&aim).unwrap_or_else(|| held.clone());
            let occupancy = turned.placed_occupancy();
            (Some(turned), occupancy)
        }
    };
    let Some(material) = material else { return Ok(ShapePlacing::NoRoom) };
    let is_in_body = match material.shape.row().solid {
        SolidBoxes::Boxes(boxes) => player.walker.touches_boxes(spot.at, boxes),
        _ => player.walker.touches(spot.at),
    };
    if material.is_solid() && is_in_body {
        return Ok(ShapePlacing::NoRoom);
    }
    let id = map.growing.index_of(material).map_err(|_| PlacingRefusal::NoMaterial)?;
    let voxel = Voxel::new(id, occupancy).with_liquid(water(&table, there));
    Ok(ShapePlacing::Put(voxel))
}

/// True for blocks whose shape turns to the player: hewn blocks and models.
pub(super) fn turns(material: &Material) -> bool {
    matches!(material.shape, Shape::Hewn(_) | Shape::Model(_))
}

/// Parts of water in a voxel: of a wet one, or of one that is water itself.
fn water(table: &MaterialTable, there: Voxel) -> u8 {
    let is_water = table.water() == Some(there.material());
    if is_water { there.occupancy().saturating_add(1) } else { there.liquid() }
}

/// True if `there` is a shape of the same block as the one in hand, and leaves room in front of the
/// point where the ray meets it, in the same voxel.
pub(super) fn leaves_room(
    materials: &MaterialTable,
    in_hand: MaterialId,
    there: Voxel,
    spot: &PlacingSpot,
) -> bool {
    let (Some(held), Some(other)) = (materials.get(in_hand), materials.get(there.material()))
    else {
        return false;
    };
    let (Some(_), Some(face)) = (same_block(held, other), spot.against) else { return false };
    let in_front = spot.point + face.normal().as_dvec3() * IN_FRONT;
    let is_inside = in_front.cmpgt(DVec3::ZERO).all() && in_front.cmplt(DVec3::ONE).all();
    is_inside && other.shape.hewn_eighths().is_some_and(|e| is_free(e, in_front))
}

/// The eighths of two hewn blocks of the same block.
fn same_block(held: &Material, there: &Material) -> Option<[HewnEighths; 2]> {
    let eighths = [held.shape.hewn_eighths()?, there.shape.hewn_eighths()?];
    (held.block_of_shape()? == there.block_of_shape()?).then_some(eighths)
}

/// Number of the eighth that holds a point of the voxel.
fn eighth_at(point: DVec3) -> u8 {
    let halves = point.cmpge(DVec3::splat(0.5));
    u8::from(halves.x) + 2 * u8::from(halves.y) + 4 * u8::from(halves.z)
}

fn is_free(eighths: HewnEighths, point: DVec3) -> bool {
    eighths.bits() >> eighth_at(point) & 1 == 0
}

/// The shape that a hewn block in hand and one of the same block in the voxel become together; a
/// cube if they fill it. `None` if they do not fit.
fn joined(
    table: &MaterialTable,
    held: &Material,
    there: Voxel,
    spot: &PlacingSpot,
    aim: &PlacingAim,
) -> Option<Shape> {
    let [added, before] = same_block(held, table.get(there.material())?)?;
    // In front of the face that was hit, in whichever voxel.
    let normal = spot.against.map_or(DVec3::ZERO, |face: Face| face.normal().as_dvec3());
    let wanted = (spot.point + normal * IN_FRONT).clamp(DVec3::ZERO, DVec3::splat(0.999));
    let placed = held.shape.placed(aim).hewn_eighths();
    let turned = Turn::all().map(|turn| added.turned(turn));
    let added = placed
        .into_iter()
        .chain(turned)
        .find(|added| added.bits() & before.bits() == 0 && !is_free(*added, wanted))?;
    match before.joined(added) {
        Some(both) => Some(Shape::Hewn(both)),
        None => before.completes(added).then_some(Shape::Cube),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;

    fn table() -> (MaterialTable, impl Fn(&MaterialTable, &str) -> MaterialId) {
        let mut table = MaterialTable::builtin();
        let stone = table.get(table.find("stone").expect("built in")).expect("it is there").clone();
        for words in ["slab", "slab,top", "stairs,north", "step", "eighth", "post"] {
            let shape = Shape::from_words(words).expect("a shape");
            table.add(stone.reshaped(shape).expect("a block")).expect("there is room");
        }
        (table, |table: &MaterialTable, name: &str| table.find(name).expect("it was added"))
    }

    #[test]
    fn shapes_of_one_block_join_in_a_voxel() {
        let (table, id) = table();
        let join = |held: &str, there: &str, against: Face, point: [f64; 3]| {
            let spot = PlacingSpot { at: IVec3::ZERO, against: Some(against), point: point.into() };
            let aim = PlacingAim {
                against: spot.against,
                point: spot.point,
                view: Face::North,
                is_reversed: false,
            };
            let held = table.get(id(&table, held)).expect("it is there");
            let there = Voxel::new(id(&table, there), 127);
            let shape = joined(&table, held, there, &spot, &aim)?;
            Some(shape.words().unwrap_or_else(|| "cube".to_owned()))
        };
        let top = [0.5, 0.5, 0.5];
        let found = join("stone[slab]", "stone[slab]", Face::Up, top);
        assert_eq!(found.as_deref(), Some("cube"));
        let found = join("stone[slab]", "stone[slab,top]", Face::Down, top);
        assert_eq!(found.as_deref(), Some("cube"));
        let found = join("stone[step,north]", "stone[slab]", Face::Up, [0.5, 0.5, 0.2]);
        assert_eq!(found.as_deref(), Some("stairs,north"));
        let found = join("stone[step,north]", "stone[stairs,north]", Face::South, [0.5, 0.7, 0.5]);
        assert_eq!(found.as_deref(), Some("cube"));
        assert_eq!(join("stone[slab]", "stone[stairs,north]", Face::South, [0.5, 0.7, 0.5]), None);
    }

    #[test]
    fn only_inner_faces_of_the_same_block_take_more() {
        let (table, id) = table();
        let takes = |held: &str, there: &str, against: Face, point: [f64; 3]| {
            let spot = PlacingSpot { at: IVec3::ZERO, against: Some(against), point: point.into() };
            leaves_room(&table, id(&table, held), Voxel::new(id(&table, there), 127), &spot)
        };
        assert!(takes("stone[slab]", "stone[slab]", Face::Up, [0.5, 0.5, 0.5]));
        assert!(!takes("stone[slab]", "stone[slab]", Face::North, [0.5, 0.3, 0.0]));
        assert!(!takes("stone[slab]", "stone[slab,top]", Face::Up, [0.5, 1.0, 0.5]));
        assert!(!takes("stone", "stone[slab]", Face::Up, [0.5, 0.5, 0.5]));
        assert!(!takes("stone[slab]", "oak_planks", Face::Up, [0.5, 0.5, 0.5]));
    }
}
