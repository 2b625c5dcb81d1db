//! Writes Wavefront `.obj`: text, with the materials in an `.mtl` file and the textures in PNG
//! files next to it.
//!
//! Programs disagree on how an `.mtl` colour combines with its texture, so tints are baked into the
//! pictures, one per texture and tint. Transparency is in the alpha channel of each picture, and
//! again in a separate picture (`map_d`) with equal alpha and brightness, because some programs
//! read its alpha and others its brightness. Quads stay quads. Ambient occlusion is left out,
//! because the format cannot store it.

use super::corner::Corner;
use super::surfaces::{Appearance, COLLECTING_SHARE, MeshPass, Surfaces, normal};
use crate::scene::{ExportLosses, OutputFiles, Scene, WriterError, WriterReport};
use crate::{Progress, report};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use stonerun_engine::mesh::{Quad, TextureStrip, linear_to_srgb, srgb_to_linear};
use stonerun_engine::voxel::MAX_LIGHT;

/// Maximum number of corners, because programs count them in signed 32-bit integers.
const MAX_CORNERS: u64 = i32::MAX as u64;
/// Number of normals: six faces and the two sheets of a cross.
const NORMALS: u8 = 8;

/// Writes `scene`, its materials and its pictures.
///
/// # Errors
/// The scene has too many corners, a file cannot be written, or `progress` cancels.
pub(crate) fn write(
    scene: &Scene,
    output: &mut OutputFiles,
    progress: &mut Progress,
) -> Result<WriterReport, WriterError> {
    let tiles = TextureStrip::embedded().map_err(|e| WriterError::Unfit(e.to_string()))?;
    let surfaces = Surfaces::new(scene, &tiles, progress)?;
    if 4 * surfaces.quads() + 3 * surfaces.ground_triangles() > MAX_CORNERS {
        let reason = format!("its {} faces have more than {MAX_CORNERS} corners", surfaces.faces());
        return Err(WriterError::Unfit(format!("{reason}: choose a part with --from and --to")));
    }
    let mut pictures = BTreeMap::new();
    let mut materials = String::new();
    for appearance in surfaces.parts.keys() {
        add_material(appearance, &tiles, output, &mut materials, &mut pictures)?;
    }
    for (name, png) in &pictures {
        output.write_sibling(name, png)?;
    }
    let library = output.sibling_name(".mtl");
    output.write_sibling(&library, materials.as_bytes())?;
    output.write_target(|out| write_geometry(&surfaces, &tiles, &library, progress, out))?;
    report(progress, 1.0)?;
    let losses = ExportLosses { shades: surfaces.shaded_quads(), ..ExportLosses::default() };
    Ok(WriterReport { losses, ..surfaces.report() })
}

/// Adds the text of a material, and its pictures by name.
fn add_material(
    appearance: &Appearance,
    tiles: &TextureStrip,
    output: &OutputFiles,
    text: &mut String,
    pictures: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), WriterError> {
    let mut picture = |name: &str, change: &dyn Fn([u8; 4]) -> [u8; 4]| {
        let name = output.sibling_name(&format!("_{name}.png"));
        let png = tiles
            .png(appearance.tile, change)
            .map_err(|error| WriterError::Unfit(error.to_string()))?;
        pictures.insert(name.clone(), png);
        Ok::<_, WriterError>(name)
    };
    let tinted = |[r, g, b, a]: [u8; 4]| {
        let mixed = [0, 1, 2].map(|c| {
            linear_to_srgb(srgb_to_linear([r, g, b][c]) * srgb_to_linear(appearance.tint[c]))
        });
        [mixed[0], mixed[1], mixed[2], a]
    };
    let colour = picture(&appearance.picture_name(tiles), &tinted)?;
    let glow = f32::from(appearance.light) / f32::from(MAX_LIGHT);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "newmtl {}\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nillum 1\nmap_Kd {colour}",
        appearance.name(tiles)
    );
    if appearance.light > 0 {
        let _ = writeln!(text, "Ke {glow} {glow} {glow}\nmap_Ke {colour}");
    }
    if appearance.pass != MeshPass::Opaque {
        let holes = picture(&format!("{}_alpha", tiles.names[appearance.tile]), &|[.., a]| [a; 4])?;
        let _ = writeln!(text, "map_d {holes}");
    }
    Ok(())
}

/// Writes the quads, part by part.
fn write_geometry(
    surfaces: &Surfaces,
    tiles: &TextureStrip,
    library: &str,
    progress: &mut Progress,
    out: &mut impl Write,
) -> Result<(), WriterError> {
    writeln!(
        out,
        "# Stonerun {}: one voxel a metre, y up\nmtllib {library}\no world",
        env!("CARGO_PKG_VERSION")
    )?;
    for face in 0..NORMALS {
        let [x, y, z] = normal(face).to_array();
        writeln!(out, "vn {x} {y} {z}")?;
    }
    // Numbers of faces, of corners and of normals so far.
    let mut done = 0;
    let mut corners = 0u64;
    let mut normals = u64::from(NORMALS);
    for (appearance, part) in &surfaces.parts {
        report(
            progress,
            COLLECTING_SHARE + (1.0 - COLLECTING_SHARE) * done as f32 / surfaces.faces() as f32,
        )?;
        writeln!(out, "usemtl {}", appearance.name(tiles))?;
        for &placed in &part.quads {
            for corner in surfaces.corners(placed) {
                write_corner(corner, out)?;
            }
            let normal = placed.shaded.quad.face + 1;
            let [a, b, c, d] =
                counter_clockwise(placed.shaded.quad).map(|corner| corners + u64::from(corner) + 1);
            writeln!(out, "f {a}/{a}/{normal} {b}/{b}/{normal} {c}/{c}/{normal} {d}/{d}/{normal}")?;
            corners += 4;
        }
        for triangle in &part.ground {
            for corner in surfaces.ground_corners(triangle) {
                write_corner(corner, out)?;
                let [x, y, z] = corner.normal.to_array();
                writeln!(out, "vn {x} {y} {z}")?;
            }
            let [a, b, c] = [1, 2, 3].map(|corner| corners + corner);
            let [p, q, r] = [1, 2, 3].map(|corner| normals + corner);
            writeln!(out, "f {a}/{a}/{p} {b}/{b}/{q} {c}/{c}/{r}")?;
            corners += 3;
            normals += 3;
        }
        done += part.quads.len() + part.ground.len();
    }
    Ok(())
}

/// Writes position and texture coordinates of a corner.
fn write_corner(corner: Corner, out: &mut impl Write) -> Result<(), WriterError> {
    let [x, y, z] = corner.position.to_array();
    let [u, v] = corner.uv.to_array();
    // In this format v grows upwards.
    writeln!(out, "v {x} {y} {z}\nvt {u} {}", 1.0 - v)?;
    Ok(())
}

/// The corners of a quad, counter-clockwise as seen from outside.
fn counter_clockwise(quad: Quad) -> [u8; 4] {
    if quad.faces_outward() { [0, 1, 3, 2] } else { [0, 2, 3, 1] }
}
