//! Turned materials.

use super::turned_state;
use super::{Faces, LyingAxis, Material};
use crate::voxel::{Face, Shape, Turn};

impl Material {
    /// The material of the same block after a turn or reflection: its shape, its faces and the
    /// state in its name turn. `None` if it stays the same, or if its state cannot say how it is
    /// turned. Torches have mounts instead.
    #[must_use]
    pub fn turned(&self, turn: Turn) -> Option<Material> {
        if self.block_of_shape().is_some() {
            // Forms that look the same after the turn are one material.
            let shape = match self.shape.turned(turn) {
                Shape::Model(form) => Shape::Model(form.canonical()),
                shape => shape,
            };
            let turned = self.reshaped(shape)?;
            return (turned.name != self.name).then_some(turned);
        }
        let (block, state) = self.name.split_once('[')?;
        let state = turned_state::turned(state.strip_suffix(']')?, turn)?;
        let shape = self.shape.turned(turn);
        let name = format!("{block}[{state}]");
        let faces = turned_faces(&self.faces, turn);
        (name != self.name).then(|| Material { name, shape, faces, ..self.clone() })
    }
}

fn turned_faces(faces: &Faces, turn: Turn) -> Faces {
    let along = match faces {
        Faces::Lying { axis: LyingAxis::X, .. } => Face::East,
        Faces::Lying { axis: LyingAxis::Z, .. } => Face::South,
        Faces::Same(_) | Faces::Column { .. } => return faces.clone(),
    };
    match (turn.face(along) as usize / 2, faces) {
        (0, _) => faces.clone().lying(LyingAxis::X),
        (2, _) => faces.clone().lying(LyingAxis::Z),
        (_, Faces::Lying { end, side, .. }) => {
            Faces::Column { top: end.clone(), bottom: end.clone(), side: side.clone() }
        }
        _ => faces.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{ModelForm, StairCorner, Stairs};

    fn material(name: &str, shape: Shape) -> Material {
        Material { shape, ..Material::plain(name, [1, 2, 3]) }
    }

    #[test]
    fn stairs_turn_with_their_state() {
        let eighths = |rises_to, is_hanging| {
            Shape::Hewn(Stairs { rises_to, is_hanging, corner: StairCorner::OuterLeft }.eighths())
        };
        let name = "a:oak_stairs[facing=north,half=bottom,shape=outer_left]";
        let stairs = material(name, eighths(Face::North, false));
        let turned = stairs.turned(Turn::quarters(1)).unwrap();
        assert_eq!(turned.name, "a:oak_stairs[facing=east,half=bottom,shape=outer_left]");
        assert_eq!(turned.shape, eighths(Face::East, false));
        let turned = stairs.turned(Turn::reflection(1)).unwrap();
        assert_eq!(turned.name, "a:oak_stairs[facing=north,half=top,shape=outer_left]");
        assert_eq!(turned.shape, eighths(Face::North, true));
        let turned = stairs.turned(Turn::reflection(0)).unwrap();
        let right =
            Stairs { rises_to: Face::North, is_hanging: false, corner: StairCorner::OuterRight };
        assert_eq!(turned.name, "a:oak_stairs[facing=north,half=bottom,shape=outer_right]");
        assert_eq!(turned.shape, Shape::Hewn(right.eighths()));
        assert_eq!(stairs.turned(Turn::NONE), None);
    }

    #[test]
    fn shapes_of_blocks_turn_with_their_words() {
        let planks = material("oak_planks", Shape::Cube);
        let shaped = |words: &str| planks.reshaped(Shape::from_words(words).unwrap()).unwrap();
        for (words, turn, expected) in [
            ("stairs,north", Turn::quarters(1), "stairs,east"),
            ("stairs,east,top,outer_left", Turn::reflection(1), "stairs,east,outer_left"),
            ("slab,west", Turn::reflection(0), "slab,east"),
            ("gate,open", Turn::quarters(3), "gate,west,open"),
            ("post,south,west", Turn::quarters(1), "post,north,west"),
        ] {
            assert_eq!(shaped(words).turned(turn), Some(shaped(expected)), "{words}");
        }
        for words in ["fence", "slab"] {
            assert_eq!(shaped(words).turned(Turn::quarters(1)), None, "{words}");
        }
    }

    #[test]
    fn models_and_logs_turn_and_blocks_without_a_state_stay() {
        let fence = ModelForm::new("fence", Turn::NONE, &["north"]).unwrap();
        let state = "x_fence[east=false,north=true,south=false,west=false]";
        let turned = material(state, Shape::Model(fence)).turned(Turn::quarters(1)).unwrap();
        assert_eq!(turned.name, "x_fence[east=true,north=false,south=false,west=false]");
        let east = ModelForm::new("fence", Turn::NONE, &["east"]).unwrap();
        assert_eq!(turned.shape.row().solid, east.row().solid);
        let log = Faces::Lying { axis: LyingAxis::X, end: "e".into(), side: "s".into() };
        let log = Material { faces: log, ..material("log[axis=x]", Shape::Cube) };
        let turned = log.turned(Turn::quarters(1)).unwrap();
        assert_eq!(
            (turned.name.as_str(), turned.faces.is_turned(Face::East)),
            ("log[axis=z]", true)
        );
        let about_z = glam::DMat3::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let upright = log.turned(Turn::nearest(about_z).unwrap()).unwrap();
        assert!(matches!(upright.faces, Faces::Column { .. }), "{upright:?}");
        assert_eq!(material("stone", Shape::Cube).turned(Turn::quarters(1)), None);
    }
}
