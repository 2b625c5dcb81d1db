//! Gates, doors and trapdoors that a click opens or closes.

use super::Material;
use crate::voxel::shape::{ModelForm, Shape, Turn};
use crate::voxel::{Face, MaterialTable, Voxel};

impl Material {
    /// The gate, door or trapdoor after a click by a player who looks to the side `view`: an open
    /// one closes, a closed one opens. `None` for other blocks, and for those of iron, which no
    /// hand opens. Minecraft's properties say how a state opens; the game's own doors are
    /// in `states`.
    #[must_use]
    pub fn opened(&self, view: Face) -> Option<Material> {
        let form = self.shape.model_form()?;
        if let Some(block) = self.block_of_shape() {
            let gate = form.exchanged("closed", "open");
            let form = gate.or_else(|| flap(form, view).filter(|_| block != "iron_block"))?;
            return self.reshaped(Shape::Model(form));
        }
        let (block, state) = self.name.strip_suffix(']')?.split_once('[')?;
        let pairs: Vec<(&str, &str)> =
            state.split(',').map(|pair| pair.split_once('=')).collect::<Option<_>>()?;
        let value = |name: &str| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1);
        let opens = match value("open")? {
            "false" => true,
            "true" => false,
            _ => return None,
        };
        if block.ends_with("iron_door") || block.ends_with("iron_trapdoor") {
            return None;
        }
        let form = form.exchanged("closed", "open").or_else(|| {
            if block.ends_with("trapdoor") {
                trapdoor(form, opens, value("half"), value("facing"))
            } else if block.ends_with("door") {
                let is_right = value("hinge") == Some("right");
                // The left hinge stays where it is if the door swings to the right.
                Some(form.turned(Turn::quarters(if opens != is_right { 1 } else { 3 })))
            } else {
                None
            }
        })?;
        let now = if opens { "true" } else { "false" };
        let pairs = pairs.into_iter().map(|(name, value)| match name {
            "open" => format!("open={now}"),
            _ => format!("{name}={value}"),
        });
        let name = format!("{block}[{}]", pairs.collect::<Vec<_>>().join(","));
        Some(Material { name, shape: Shape::Model(form), ..self.clone() })
    }

    /// For a half of a door that consists of two, as Minecraft names them: the direction of the
    /// other half.
    #[must_use]
    fn other_half(&self) -> Option<Face> {
        let (block, state) = self.name.strip_suffix(']')?.split_once('[')?;
        let half = state.split(',').find_map(|pair| pair.strip_prefix("half="))?;
        match half {
            "lower" if block.ends_with("door") => Some(Face::Up),
            "upper" if block.ends_with("door") => Some(Face::Down),
            _ => None,
        }
    }
}

impl MaterialTable {
    /// Direction of the other half of the door that `voxel` is a half of, if `neighbour` is that
    /// half. `neighbour` gives the voxel in a direction.
    #[must_use]
    pub fn other_half(&self, voxel: Voxel, neighbour: impl Fn(Face) -> Voxel) -> Option<Face> {
        let half = self.get(voxel.material())?;
        let towards = half.other_half()?;
        let other = self.get(neighbour(towards).material())?;
        let block = |material: &Material| Some(material.name.split_once('[')?.0.to_owned());
        let is_half = other.other_half() == Some(towards.opposite());
        (is_half && block(half) == block(other)).then_some(towards)
    }
}

/// A trapdoor without a state: it opens away from the player, and closes on the floor.
fn flap(form: ModelForm, view: Face) -> Option<ModelForm> {
    let is_flat = [Face::Up, Face::Down].contains(&form.turn().face(Face::Up));
    let up = if is_flat { view.opposite() } else { Face::Up };
    (form.name() == "panel").then(|| form.with_turn(Turn::from_up(up)))
}

/// A trapdoor that opens or closes.
fn trapdoor(
    form: ModelForm,
    opens: bool,
    half: Option<&str>,
    facing: Option<&str>,
) -> Option<ModelForm> {
    let up = match (opens, half) {
        (true, _) => Face::from_word(facing?)?,
        (false, Some("top")) => Face::Down,
        (false, _) => Face::Up,
    };
    Some(form.with_turn(Turn::from_up(up)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str, words: &str) -> Material {
        let shape = Shape::from_words(words).unwrap();
        Material { shape, ..Material::plain(name, [1; 3]) }
    }

    #[test]
    fn clicks_open_and_close() {
        for (name, closed, open) in [
            (
                "x:oak_fence_gate[facing=east,in_wall=false,open=false]",
                "gate,east",
                "gate,east,open",
            ),
            ("x:oak_trapdoor[facing=south,half=top,open=false]", "panel,top", "panel,south"),
            ("x:oak_trapdoor[facing=south,half=bottom,open=false]", "panel", "panel,south"),
        ] {
            let before = material(name, closed);
            let after = before.opened(Face::East).unwrap();
            assert_eq!(after.name, name.replace("open=false", "open=true"));
            assert_eq!(after.shape, Shape::from_words(open).unwrap(), "{name}");
            assert_eq!(after.opened(Face::East), Some(before));
        }
        let gate = material("oak_planks[gate,south]", "gate,south");
        assert_eq!(gate.opened(Face::East).unwrap().name, "oak_planks[gate,south,open]");
        let flap = material("oak_planks[panel,top]", "panel,top");
        let open = flap.opened(Face::East).unwrap();
        assert_eq!(open.name, "oak_planks[panel,west]");
        assert_eq!(open.opened(Face::North).unwrap().name, "oak_planks[panel]");
        for (name, words) in [
            ("x:iron_door[facing=north,half=lower,hinge=left,open=false]", "panel,north"),
            ("x:oak_stairs[facing=north]", "stairs"),
            ("iron_block[panel]", "panel"),
            ("x:barrel[facing=up,open=false]", "core"),
        ] {
            assert_eq!(material(name, words).opened(Face::East), None, "{name}");
        }
    }

    #[test]
    fn doors_swing_about_their_hinge() {
        // A closed door that faces north is at the south side of its voxel, and its left hinge,
        // seen by someone who looks north, in the west.
        for (hinge, side) in [("left", Face::West), ("right", Face::East)] {
            let name = format!("x:oak_door[facing=north,half=lower,hinge={hinge},open=false]");
            let closed = material(&name, "panel,north");
            let open = closed.opened(Face::East).unwrap();
            let row = open.shape.row();
            let crate::voxel::SolidBoxes::Boxes(boxes) = row.solid else { panic!() };
            let axis = side as usize / 2;
            let at = if side == Face::West { 0 } else { 13 };
            assert_eq!((boxes.len(), boxes[0].low[axis]), (1, at), "{hinge}");
            let same = |material: Material| (material.name, material.shape.row().solid);
            assert_eq!(open.opened(Face::East).map(same), Some(same(closed)));
        }
    }

    #[test]
    fn halves_of_a_door_find_each_other() {
        let mut table = MaterialTable::builtin();
        let mut add = |block: &str, half: &str| {
            let name = format!("x:{block}[facing=north,half={half},hinge=left,open=false]");
            Voxel::full(table.add(material(&name, "panel,north")).unwrap())
        };
        let [lower, upper] = ["lower", "upper"].map(|half| add("oak_door", half));
        let other = add("birch_door", "upper");
        assert_eq!(table.other_half(lower, |_| upper), Some(Face::Up));
        assert_eq!(table.other_half(upper, |_| lower), Some(Face::Down));
        assert_eq!(table.other_half(lower, |_| other), None);
        assert_eq!(table.other_half(lower, |_| lower), None);
        assert_eq!(table.other_half(Voxel::full(1), |_| upper), None);
    }
}
