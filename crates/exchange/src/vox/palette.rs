//! Mapping of a `.vox` file's colours to materials.
//!
//! A visible colour becomes a plain material named after the colour (`vox:#ff8000`), so the same
//! colour in two files is the same material. MagicaVoxel's glass, blend and cloud materials become
//! translucent, and its emission becomes light; both are part of the name. A colour that Stonerun's
//! export has named ([`super::export_palette`]) keeps its name, which may belong to a built-in
//! material.

use super::export_palette::name_of;
use crate::FormatError;
use dot_vox::{Color, DotVoxData};
use stonerun_engine::voxel::{Material, MaterialTable, Opacity, Voxel};

/// The voxel of each colour index, from 0 as in `dot_vox`; air for indices that are not in the bit
/// set `used`. New materials are added to `materials`.
///
/// # Errors
/// The palette lacks a colour, or there are too many materials.
pub(super) fn voxels(
    data: &DotVoxData,
    used: [u64; 4],
    materials: &mut MaterialTable,
) -> Result<[Voxel; 256], FormatError> {
    let mut out = [Voxel::AIR; 256];
    for (i, out) in out.iter_mut().enumerate().filter(|(i, _)| used[i / 64] >> (i % 64) & 1 == 1) {
        let colour = data.palette.get(i).ok_or_else(|| {
            FormatError::new(
                format!("colour {}", i + 1),
                format!("the palette has {} colours", data.palette.len()),
            )
        })?;
        // Materials refer to colours by their number in the file, from 1.
        let vox_material = data.materials.iter().rfind(|m| m.id as usize == i + 1);
        let id = materials
            .add(material(*colour, vox_material))
            .map_err(|error| FormatError::new(format!("colour {}", i + 1), error.to_string()))?;
        *out = Voxel::full(id);
    }
    Ok(out)
}

fn material(colour: Color, vox_material: Option<&dot_vox::Material>) -> Material {
    let Color { r, g, b, a } = colour;
    let kind = vox_material.and_then(|m| m.material_type()).unwrap_or("_diffuse");
    // Unused palette entries have alpha 0; MagicaVoxel draws voxels of such a colour opaque.
    let translucent =
        matches!(kind, "_glass" | "_blend" | "_media" | "_cloud") || (1..255).contains(&a);
    let light = match (kind, vox_material) {
        // Emission is 0 to 1; older files call it weight. Any emission gives light 1 or more.
        ("_emit", Some(m)) => {
            (m.emission().or(m.weight()).unwrap_or(1.0) * 15.0).ceil().clamp(1.0, 15.0) as u8
        }
        _ => 0,
    };
    let mut name = format!("vox:#{r:02x}{g:02x}{b:02x}");
    if translucent {
        name += "+glass";
    }
    if light > 0 {
        name += &format!("+light{light}");
    }
    if let Some(kept) = vox_material.and_then(|m| name_of([r, g, b], m)) {
        kept.clone_into(&mut name);
    }
    let opacity = if translucent { Opacity::Translucent } else { Opacity::Opaque };
    Material { opacity, light, ..Material::plain(&name, [r, g, b]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material_with(a: u8, properties: &[(&str, &str)]) -> Material {
        let properties =
            properties.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        material(Color { r: 255, g: 128, b: 0, a }, Some(&dot_vox::Material { id: 1, properties }))
    }

    #[test]
    fn materials_follow_colour_type_and_emission() {
        assert_eq!(
            material(Color { r: 1, g: 2, b: 255, a: 255 }, None),
            Material::plain("vox:#0102ff", [1, 2, 255])
        );
        assert_eq!(
            material_with(255, &[("_type", "_metal")]),
            Material::plain("vox:#ff8000", [255, 128, 0])
        );
        assert_eq!(material_with(0, &[]).opacity, Opacity::Opaque);
        for glass in [material_with(255, &[("_type", "_glass")]), material_with(100, &[])] {
            assert_eq!(
                (glass.name.as_str(), glass.opacity),
                ("vox:#ff8000+glass", Opacity::Translucent)
            );
        }
        for (emit, light) in [("0", 1), ("0.2", 3), ("1", 15), ("99", 15), ("nan", 0), ("what", 15)]
        {
            assert_eq!(
                material_with(255, &[("_type", "_emit"), ("_emit", emit)]).light,
                light,
                "{emit}"
            );
        }
        assert_eq!(
            material_with(255, &[("_type", "_emit"), ("_weight", "0.5")]).name,
            "vox:#ff8000+light8"
        );
    }
}
