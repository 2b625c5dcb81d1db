//! Placed shapes: how a shape turns to the player who places it.

use super::hewn::{HewnForm, Stairs};
use super::model::{ModelForm, ModelPlacing};
use super::{Shape, Turn};
use crate::voxel::Face;
use glam::DVec3;

/// Aim of a player who places a block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlacingAim {
    /// Face of the neighbour that the block is placed against; `None` for none.
    pub against: Option<Face>,
    /// Point at which the player aims, in the voxel of the block, 0 to 1 along each axis.
    pub point: DVec3,
    /// The one of [`Face::SIDES`] to which the player looks.
    pub view: Face,
    /// True if the player asks for the other way: stairs that rise to the player, upright slabs.
    pub is_reversed: bool,
}

impl PlacingAim {
    /// True for a block in the upper half of the voxel.
    fn is_top(&self) -> bool {
        match self.against {
            Some(Face::Down) => true,
            Some(Face::Up) => false,
            Some(_) => self.point.y > 0.5,
            None => false,
        }
    }

    /// The side to which the block rises: away from the player, unless reversed.
    fn ahead(&self) -> Face {
        if self.is_reversed { self.view.opposite() } else { self.view }
    }

    /// The side of the voxel at which the block leans: at the neighbour, or away from the player.
    fn leans_at(&self) -> Face {
        self.against.map(Face::opposite).filter(|face| face.is_side()).unwrap_or(self.view)
    }

    /// The nearer of two opposite sides of the voxel.
    fn nearer(&self, low: Face, high: Face) -> Face {
        if self.point[low as usize / 2] > 0.5 { high } else { low }
    }
}

impl Shape {
    /// The shape as it is placed with an aim.
    #[must_use]
    pub fn placed(self, aim: &PlacingAim) -> Shape {
        match self {
            Shape::Hewn(eighths) => Shape::Hewn(placed_form(HewnForm::of(eighths), aim).eighths()),
            Shape::Model(form) => Shape::Model(placed_model(form, aim)),
            Shape::Cube | Shape::Cross | Shape::Torch(_) => self,
        }
    }
}

fn placed_form(form: HewnForm, aim: &PlacingAim) -> HewnForm {
    let is_top = aim.is_top();
    let z = aim.nearer(Face::North, Face::South);
    let x = aim.nearer(Face::West, Face::East);
    match form {
        HewnForm::Slab(_) if aim.is_reversed => HewnForm::Slab(aim.leans_at()),
        HewnForm::Slab(_) => HewnForm::Slab(if is_top { Face::Up } else { Face::Down }),
        HewnForm::Stairs(stairs) => {
            HewnForm::Stairs(Stairs { rises_to: aim.ahead(), is_hanging: is_top, ..stairs })
        }
        HewnForm::Step { .. } => HewnForm::Step { side: aim.ahead(), is_top },
        HewnForm::Post { .. } => HewnForm::Post { z, x },
        HewnForm::Eighth { .. } => HewnForm::Eighth { z, x, is_top },
        HewnForm::Other(_) => form,
    }
}

fn placed_model(form: ModelForm, aim: &PlacingAim) -> ModelForm {
    if form.is_joined() {
        return form;
    }
    let to_player = aim.ahead().opposite();
    let away_from = |face: Face| if aim.is_reversed { face.opposite() } else { face };
    let aside = aim.leans_at().opposite();
    let up = if aim.is_top() { Face::Down } else { Face::Up };
    let turn = match form.placing() {
        ModelPlacing::Fixed => return form,
        ModelPlacing::Hanging => return form.hanging(aim.against == Some(Face::Down)),
        ModelPlacing::Facing => quarters_to(to_player),
        ModelPlacing::Away => quarters_to(to_player.opposite()),
        ModelPlacing::Pointing => Turn::from_up(away_from(aim.against.unwrap_or(Face::Up))),
        ModelPlacing::PointingAside => Turn::from_up(aside),
        ModelPlacing::OnWall => quarters_to(aside),
        ModelPlacing::Half if aim.is_reversed => Turn::from_up(aside),
        ModelPlacing::Half => Turn::from_up(up),
    };
    form.with_turn(turn)
}

/// The turn from north to a side.
fn quarters_to(side: Face) -> Turn {
    let count = Face::SIDES.into_iter().position(|known| known == side);
    Turn::quarters(count.unwrap_or_default() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(words: &str, against: Option<Face>, height: f64, is_reversed: bool) -> String {
        let aim = PlacingAim {
            against,
            point: DVec3::new(0.2, height, 0.9),
            view: Face::East,
            is_reversed,
        };
        Shape::from_words(words).unwrap().placed(&aim).words().unwrap()
    }

    #[test]
    fn shapes_turn_to_the_player() {
        use Face::{Down, North, Up, West};
        for (words, against, height, expected, reversed) in [
            ("slab", Some(Up), 0.0, "slab", "slab,east"),
            ("slab,top", Some(Down), 1.0, "slab,top", "slab,east"),
            ("slab", Some(West), 0.7, "slab,top", "slab,east"),
            ("slab", Some(North), 0.3, "slab", "slab,south"),
            ("slab", None, 0.9, "slab", "slab,east"),
            ("stairs,north", Some(Up), 0.0, "stairs,east", "stairs,west"),
            ("stairs,south", Some(West), 0.8, "stairs,east,top", "stairs,west,top"),
            (
                "stairs,inner_left",
                Some(Up),
                0.0,
                "stairs,east,inner_left",
                "stairs,west,inner_left",
            ),
            ("step,north", Some(Down), 0.0, "step,east,top", "step,west,top"),
            ("post", Some(Up), 0.0, "post,south,west", "post,south,west"),
            ("eighth", Some(West), 0.6, "eighth,south,west,top", "eighth,south,west,top"),
            ("hewn,150", Some(Up), 0.0, "hewn,150", "hewn,150"),
            ("fence", Some(Up), 0.0, "fence", "fence"),
            ("gate,open", Some(Up), 0.0, "gate,west,open", "gate,east,open"),
            ("bed", Some(Up), 0.0, "bed,east", "bed,west"),
            ("button", Some(West), 0.5, "button,west", "button,east"),
            ("chain", Some(Up), 0.5, "chain", "chain,down"),
            ("ladder,south", Some(North), 0.5, "ladder,north", "ladder,north"),
            ("ladder", Some(Up), 0.5, "ladder,west", "ladder,west"),
            ("wall_sign", Some(North), 0.5, "wall_sign", "wall_sign"),
            ("panel,south", Some(Up), 0.0, "panel", "panel,west"),
            ("panel", Some(North), 0.6, "panel,top", "panel,north"),
            ("lantern", Some(Down), 0.6, "lantern,hanging", "lantern,hanging"),
            ("lantern,hanging", Some(Up), 0.6, "lantern", "lantern"),
        ] {
            let found = [false, true].map(|reversed| placed(words, against, height, reversed));
            assert_eq!(found, [expected, reversed], "{words} {against:?} {height}");
        }
    }
}
