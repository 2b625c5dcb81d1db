//! The surfaces of materials in maps with smooth ground (`assets/smooth_ground.ron`).

use super::{Material, MaterialError, MaterialTable, SurfaceRule};
use crate::ron_text::{self, RonError, TextPlace};
use serde::Deserialize;

/// A row of the list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SurfaceRow {
    /// Name of the material.
    name: String,
    /// Its surface.
    surface: SurfaceRule,
}

impl MaterialTable {
    /// The game's own materials with the surfaces of smooth ground.
    #[must_use]
    pub fn builtin_smooth() -> MaterialTable {
        // A test checks the embedded list, so this cannot fail in a released program.
        MaterialTable::builtin()
            .with_surfaces(
                include_str!("../../../../../assets/smooth_ground.ron"),
                "assets/smooth_ground.ron",
            )
            .expect("the embedded list of surfaces is valid")
    }

    /// The table with the surfaces of a RON text: `[(name: "sand", surface: Smooth), ...]`. Errors
    /// name `file`.
    ///
    /// # Errors
    /// The text cannot be parsed, or names a material that the table lacks, a material twice, or
    /// one that is no solid block.
    pub fn with_surfaces(&self, text: &str, file: &str) -> Result<MaterialTable, MaterialError> {
        let rows: Vec<SurfaceRow> = ron_text::read(text, file)?;
        let mut list: Vec<Material> = self.iter().map(|(_, material)| material.clone()).collect();
        for (item, SurfaceRow { name, surface }) in rows.iter().enumerate() {
            let error = |problem: &str| {
                let string = ron_text::strings(text).find(|string| string.item == item);
                MaterialError::Parse(RonError {
                    file: file.to_owned(),
                    place: string.map_or(TextPlace::START, |string| string.place),
                    reason: format!("{problem}: \"{name}\""),
                })
            };
            let id = self.find(name).ok_or_else(|| error("no material has this name"))?;
            if rows[..item].iter().any(|row| row.name == *name) {
                return Err(error("the material is listed twice"));
            }
            let material = &mut list[usize::from(id)];
            if !material.is_solid() || material.shape.is_model() {
                return Err(error("the material is no solid block"));
            }
            material.surface = *surface;
        }
        MaterialTable::from_list(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natural_ground_is_smooth_and_everything_else_a_cube() {
        let table = MaterialTable::builtin_smooth();
        let surface = |name: &str| table.get(table.find(name).unwrap()).unwrap().surface;
        assert_eq!(surface("grass"), SurfaceRule::Smooth);
        assert_eq!(surface("granite"), SurfaceRule::Facet);
        for ore in table.iter().filter(|(_, material)| material.name.ends_with("_ore")) {
            assert_eq!(ore.1.surface, surface("stone"), "{}", ore.1.name);
        }
        for name in ["air", "water", "oak_log", "oak_leaves", "oak_planks", "glass", "torch", "ice"]
        {
            assert_eq!(surface(name), SurfaceRule::Cube, "{name}");
        }
        let builtin = MaterialTable::builtin();
        assert!(builtin.iter().all(|(_, material)| material.surface.is_cube()));
        for ((id, cube), (_, smooth)) in builtin.iter().zip(table.iter()) {
            let as_cube = Material { surface: SurfaceRule::Cube, ..smooth.clone() };
            assert_eq!(*cube, as_cube, "{id} differs by its surface alone");
        }
    }

    #[test]
    fn errors_name_file_line_and_name() {
        let error = |row: &str| {
            let text = format!("[\n    (name: \"sand\", surface: Smooth),\n    {row},\n]");
            let table = MaterialTable::builtin().with_surfaces(&text, "ground.ron");
            table.unwrap_err().to_string()
        };
        for (row, part) in [
            ("(name: \"sandd\", surface: Smooth)", "no material has this name: \"sandd\""),
            ("(name: \"sand\", surface: Facet)", "listed twice: \"sand\""),
            ("(name: \"water\", surface: Smooth)", "no solid block: \"water\""),
            ("(name: \"torch\", surface: Smooth)", "no solid block: \"torch\""),
            ("(name: \"clay\", surface: Terrace(99))", "allowed are 1 to 16"),
            ("(name: \"clay\", surface: Soft)", "Soft"),
        ] {
            let error = error(row);
            assert!(error.starts_with("ground.ron:3:") && error.contains(part), "{error}");
        }
    }
}
