//! How each material is drawn, boiled down from the material table to what the mesher asks.
//!
//! The mesher asks about the materials around a run millions of times, so the answers lie in one small
//! record a material. Faces carry not a texture but a *look*, a texture together with its tint: materials
//! that differ only in name (or in what they do) then merge into one quad, and the graphics side needs one
//! table of looks, not of materials times faces.

use crate::voxel::{Face, Material, MaterialId, MaterialTable, Matter, Opacity, Shape, Voxel};
use rustc_hash::FxHashMap;

/// What a quad looks like: an index into [`Looks::list`].
pub type LookId = u16;

/// A texture, the colour it is multiplied with, and how much it shines.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Look {
    /// Name of the texture.
    pub texture: String,
    /// Colour, sRGB; white leaves the texture as it is.
    pub tint: [u8; 3],
    /// Light given off, 0 to 15: drawn at least this bright.
    pub light: u8,
}

/// Which of the three lists of a mesh a face goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layer {
    Opaque,
    CutOut,
    Translucent,
}

/// What is drawn of a voxel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Nothing,
    Cube,
    Cross,
}

/// What the mesher knows of one material.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub faces: [LookId; 6],
    pub layer: Layer,
    pub form: Form,
    pub liquid: bool,
    /// Its box hides what lies behind it.
    pub hides: bool,
}

/// Air, and what is not loaded.
const NOTHING: Kind = Kind { faces: [0; 6], layer: Layer::Opaque, form: Form::Nothing, liquid: false, hides: false };
/// An index the map has no material for: shown as a plain white cube, since the player bumps into it.
const UNKNOWN: Kind = Kind { faces: [0; 6], layer: Layer::Opaque, form: Form::Cube, liquid: false, hides: true };

/// The looks of all materials of a map.
///
/// Look 0 is always the plain white one. Make a new `Looks` when the table grows; the looks of the
/// materials that were there keep their numbers.
#[derive(Clone, Debug)]
pub struct Looks {
    list: Vec<Look>,
    kinds: Vec<Kind>,
}

impl Looks {
    /// The looks of these materials. Should a table have more than 65536 of them, the rest is plain white.
    #[must_use]
    pub fn new(table: &MaterialTable) -> Looks {
        let mut list = Vec::new();
        let mut ids = FxHashMap::default();
        let mut intern = |look: Look| -> LookId {
            *ids.entry(look).or_insert_with_key(|look| match LookId::try_from(list.len()) {
                Ok(id) => {
                    list.push(look.clone());
                    id
                }
                Err(_) => 0,
            })
        };
        intern(Look { texture: "plain".to_owned(), tint: [255; 3], light: 0 });
        let kinds = table
            .iter()
            .map(|(_, m)| {
                let faces = Face::ALL.map(|face| {
                    intern(Look { texture: m.faces.texture(face).to_owned(), tint: m.tint, light: m.light })
                });
                kind(m, faces)
            })
            .collect();
        Looks { list, kinds }
    }

    /// All looks, by [`LookId`].
    #[must_use]
    pub fn list(&self) -> &[Look] {
        &self.list
    }

    /// The look of one face of a material; plain white for indices the table did not have.
    #[must_use]
    pub fn face(&self, material: MaterialId, face: Face) -> LookId {
        self.kind(material).faces[face as usize]
    }

    /// True if nothing can be seen through `voxel`, nor past it: it is full, and opaque.
    #[must_use]
    pub fn hides(&self, voxel: Voxel) -> bool {
        voxel.is_full() && self.kind(voxel.material()).hides
    }

    pub(super) fn kind(&self, material: MaterialId) -> &Kind {
        match self.kinds.get(usize::from(material)) {
            Some(kind) => kind,
            None if material == Voxel::NOT_LOADED.material() => &NOTHING,
            None => &UNKNOWN,
        }
    }
}

fn kind(material: &Material, faces: [LookId; 6]) -> Kind {
    let form = match (material.matter, material.shape) {
        (Matter::Gas, _) => return Kind { faces, ..NOTHING },
        (_, Shape::Cube) => Form::Cube,
        (_, Shape::Cross) => Form::Cross,
    };
    let layer = match material.opacity {
        // The sheets are seen from both sides, and only the cut-out pass draws both.
        _ if form == Form::Cross => Layer::CutOut,
        Opacity::Opaque => Layer::Opaque,
        Opacity::CutOut => Layer::CutOut,
        Opacity::Translucent => Layer::Translucent,
    };
    Kind { faces, layer, form, liquid: material.matter == Matter::Liquid, hides: layer == Layer::Opaque }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_listed_once() {
        let table = MaterialTable::builtin();
        let looks = Looks::new(&table);
        for (i, a) in looks.list().iter().enumerate() {
            assert!(!looks.list()[..i].contains(a), "{a:?}");
        }
        for (id, material) in table.iter() {
            // Baked visibility counts on both, see `visibility::bake::RULES_VERSION`.
            assert_eq!(looks.hides(Voxel::full(id)), table.is_opaque(id), "{}", material.name);
            assert!(!looks.hides(Voxel::new(id, 254)), "{}", material.name);
            for face in Face::ALL {
                let look = &looks.list()[usize::from(looks.face(id, face))];
                let shown = (look.texture.as_str(), look.tint, look.light);
                assert_eq!(shown, (material.faces.texture(face), material.tint, material.light));
            }
        }
    }

    #[test]
    fn unknown_materials_are_seen_and_what_is_not_loaded_is_not() {
        let looks = Looks::new(&MaterialTable::builtin());
        assert_eq!(looks.kind(60_000).form, Form::Cube);
        assert_eq!(looks.list()[usize::from(looks.face(60_000, Face::Up))].texture, "plain");
        assert_eq!(looks.kind(Voxel::NOT_LOADED.material()).form, Form::Nothing);
        assert_eq!(looks.kind(0).form, Form::Nothing);
    }

    #[test]
    fn a_table_of_too_many_looks_loses_only_colour() {
        let mut list = vec![Material::plain("air", [255; 3])];
        list.extend((1..60_000u32).map(|i| Material {
            faces: crate::voxel::Faces::Column { top: format!("t{i}"), bottom: format!("b{i}"), side: "s".into() },
            ..Material::plain(&format!("m{i}"), [1, 2, 3])
        }));
        let looks = Looks::new(&MaterialTable::from_list(list).unwrap());
        assert_eq!(looks.list().len(), 65536);
        assert_eq!(looks.face(59_999, Face::Up), 0);
    }
}
