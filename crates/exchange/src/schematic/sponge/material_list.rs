//! The entry `Materials`: materials as text, because names may hold any character and NBT's own
//! strings use a special encoding.

use crate::minecraft::block_error::MAX_NAME_BYTES;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use stonerun_engine::ron_text::{self, RonError};
use stonerun_engine::voxel::{Material, Voxel};

/// Longest text that is read, in bytes: twice the usual size of as many materials as a map can
/// have.
pub(super) const MAX_TEXT_BYTES: usize = 16 << 20;

/// Reason why a list of materials cannot be written.
#[derive(thiserror::Error, Debug)]
pub enum MaterialListError {
    /// The text exceeds the limit for reading.
    #[error("the descriptions of the materials take {0} bytes; at most {MAX_TEXT_BYTES} are read")]
    TooLong(usize),
    /// A material cannot be written as text.
    #[error(transparent)]
    Text(#[from] ron::Error),
}

/// Converts a list of materials to text.
///
/// # Errors
/// The text is longer than [`MAX_TEXT_BYTES`], or a material cannot be written.
pub(super) fn to_text(materials: &[Material]) -> Result<String, MaterialListError> {
    let text = ron::to_string(materials)?;
    if text.len() > MAX_TEXT_BYTES { Err(MaterialListError::TooLong(text.len())) } else { Ok(text) }
}

/// Reads a list of materials from text.
///
/// # Errors
/// The text is not a list of materials, or the list or a name is too long.
pub(super) fn from_text(text: &[u8]) -> Result<Vec<Material>, RonError> {
    ron_text::read_bytes(text, "Materials").map(|MaterialList(materials)| materials)
}

/// A list of at most as many materials as a map's table can have.
struct MaterialList(Vec<Material>);

impl<'de> Deserialize<'de> for MaterialList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MaterialList, D::Error> {
        struct Elements;

        impl<'de> Visitor<'de> for Elements {
            type Value = MaterialList;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of materials")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut elements: A,
            ) -> Result<MaterialList, A::Error> {
                let mut materials = vec![];
                while let Some(material) = elements.next_element::<Material>()? {
                    let is_name = (1..=MAX_NAME_BYTES).contains(&material.name.len());
                    if materials.len() == Voxel::MAX_MATERIALS || !is_name {
                        return Err(A::Error::custom(
                            "too many materials, or a name that is too long",
                        ));
                    }
                    materials.push(material);
                }
                Ok(MaterialList(materials))
            }
        }

        deserializer.deserialize_seq(Elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::MaterialTable;

    #[test]
    fn list_round_trips() {
        let mut materials: Vec<Material> =
            MaterialTable::builtin().iter().map(|(_, m)| m.clone()).collect();
        materials.push(Material {
            light: 7,
            ..Material::plain("Gr\u{f6}\u{df}e \u{1F600}\0\"\\", [1, 2, 3])
        });
        assert_eq!(from_text(to_text(&materials).unwrap().as_bytes()).unwrap(), materials);
        assert_eq!(from_text(b"[]").unwrap(), []);
    }

    #[test]
    fn bad_list_is_refused() {
        let named = |name: &str| to_text(&[Material::unknown(name)]).unwrap();
        assert!(from_text(named(&"x".repeat(256)).as_bytes()).is_ok());
        for bad in [
            named(&"x".repeat(257)),
            named(""),
            "[".to_owned(),
            "7".to_owned(),
            "[(name: 3)]".to_owned(),
        ] {
            assert!(from_text(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(from_text(&[0xff, 0xfe]).is_err());
    }
}
