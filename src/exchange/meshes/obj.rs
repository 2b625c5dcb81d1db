//! Wavefront `.obj`: text, with the materials in an `.mtl` file and the textures in PNG files beside it.
//!
//! Programs disagree about what else an `.mtl` says of a colour, so tints are part of the pictures: one for each texture and
//! tint. Holes and translucency are in the pictures too, and once more in one of their own (`map_d`), white where something is,
//! since some programs look at its alpha and others at its brightness. Quads stay quads. The shade in corners is left out: the
//! format has no place for it.

use super::surfaces::{Appearance, COLLECTING, MeshPass, Surfaces, normal};
use crate::exchange::scene::{OutputFiles, Scene, WriterError, WriterReport};
use crate::exchange::{Progress, report};
use crate::mesh::{Quad, TextureStrip, linear_to_srgb, srgb_to_linear};
use crate::voxel::MAX_LIGHT;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

/// The most corners: programs count them in 32 bits, with a sign.
const MOST_CORNERS: u64 = i32::MAX as u64;
/// Faces, and the two sheets of a cross.
const NORMALS: u8 = 8;

/// Writes `scene`, its materials and its pictures.
pub(in crate::exchange) fn write(
    scene: &Scene,
    output: &mut OutputFiles,
    progress: &mut Progress,
) -> Result<WriterReport, WriterError> {
    let tiles = TextureStrip::embedded().map_err(|e| WriterError::Unfit(e.to_string()))?;
    let surfaces = Surfaces::new(scene, &tiles, progress)?;
    if 4 * surfaces.quads() > MOST_CORNERS {
        let reason = format!("its {} quads have more than {MOST_CORNERS} corners", surfaces.quads());
        return Err(WriterError::Unfit(format!("{reason}: choose a part with --from and --to")));
    }
    let mut pictures = BTreeMap::new();
    let mut materials = String::new();
    for look in surfaces.parts.keys() {
        material(look, &tiles, output, &mut materials, &mut pictures)?;
    }
    for (name, png) in &pictures {
        output.write_sibling(name, png)?;
    }
    let library = output.sibling_name(".mtl");
    output.write_sibling(&library, materials.as_bytes())?;
    output.write_target(|out| write_geometry(&surfaces, &tiles, &library, progress, out))?;
    report(progress, 1.0)?;
    Ok(surfaces.written())
}

/// Adds a material's text, and its pictures by name.
fn material(
    look: &Appearance,
    tiles: &TextureStrip,
    output: &OutputFiles,
    text: &mut String,
    pictures: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), WriterError> {
    let mut picture = |name: &str, change: &dyn Fn([u8; 4]) -> [u8; 4]| {
        let name = output.sibling_name(&format!("_{name}.png"));
        let png = tiles.png(look.tile, change).map_err(|error| WriterError::Unfit(error.to_string()))?;
        pictures.insert(name.clone(), png);
        Ok::<_, WriterError>(name)
    };
    let tinted = |[r, g, b, a]: [u8; 4]| {
        let mixed = [0, 1, 2].map(|c| linear_to_srgb(srgb_to_linear([r, g, b][c]) * srgb_to_linear(look.tint[c])));
        [mixed[0], mixed[1], mixed[2], a]
    };
    let colour = picture(&look.picture(tiles), &tinted)?;
    let glow = f32::from(look.light) / f32::from(MAX_LIGHT);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "newmtl {}\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nillum 1\nmap_Kd {colour}", look.name(tiles));
    if look.light > 0 {
        let _ = writeln!(text, "Ke {glow} {glow} {glow}\nmap_Ke {colour}");
    }
    if look.pass != MeshPass::Opaque {
        let holes = picture(&format!("{}_alpha", tiles.names[look.tile]), &|[.., a]| [a; 4])?;
        let _ = writeln!(text, "map_d {holes}");
    }
    Ok(())
}

/// The quads, part by part.
fn write_geometry(
    surfaces: &Surfaces,
    tiles: &TextureStrip,
    library: &str,
    progress: &mut Progress,
    out: &mut impl Write,
) -> Result<(), WriterError> {
    writeln!(out, "# Stonerun {}: one voxel a metre, y up\nmtllib {library}\no world", env!("CARGO_PKG_VERSION"))?;
    for face in 0..NORMALS {
        let [x, y, z] = normal(face).to_array();
        writeln!(out, "vn {x} {y} {z}")?;
    }
    let mut done = 0;
    for (look, part) in &surfaces.parts {
        report(progress, COLLECTING + (1.0 - COLLECTING) * done as f32 / surfaces.quads() as f32)?;
        writeln!(out, "usemtl {}", look.name(tiles))?;
        for &placed in &part.quads {
            for corner in surfaces.corners(placed) {
                let ([x, y, z], [u, v]) = (corner.position.to_array(), corner.uv.to_array());
                // Here v points up.
                writeln!(out, "v {x} {y} {z}\nvt {u} {}", 1.0 - v)?;
            }
            let normal = placed.quad.face + 1;
            let [a, b, c, d] = around(placed.quad).map(|corner| 4 * done + u64::from(corner) + 1);
            writeln!(out, "f {a}/{a}/{normal} {b}/{b}/{normal} {c}/{c}/{normal} {d}/{d}/{normal}")?;
            done += 1;
        }
    }
    Ok(())
}

/// The corners of a quad, counter-clockwise seen from outside.
fn around(quad: Quad) -> [u8; 4] {
    // Its first triangle says which way round that is.
    if quad.triangles()[1] == 1 { [0, 1, 3, 2] } else { [0, 2, 3, 1] }
}
