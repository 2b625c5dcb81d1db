//! Paints the block textures. Run `cargo run --no-default-features --example paint_textures` in the
//! root of the package.
//!
//! Writes `assets/textures/blocks.png`, a column of textures of 16 by 16 texels, and
//! `assets/textures/blocks.ron`, their names from top to bottom. Both files are committed, so a
//! build does not paint; a test paints the textures and compares them with the files.
//!
//! The textures are painted by code, so that all of them belong to the project, a palette can be
//! changed in one place, and every texture tiles without a seam.

mod gallery;

use std::error::Error;
use std::fmt::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let textures = gallery::paint_all();
    let texels: Vec<u8> =
        textures.iter().flat_map(|(_, texels)| texels.as_flattened()).copied().collect();
    let strip = image::RgbaImage::from_raw(16, 16 * textures.len() as u32, texels)
        .ok_or("the strip lacks texels")?;
    strip.save("assets/textures/blocks.png")?;

    let mut names = String::from(
        "// Names of the textures in blocks.png, from the top. Written by the example paint_textures.\n[\n",
    );
    for (name, _) in &textures {
        writeln!(names, "    \"{name}\",")?;
    }
    names.push_str("]\n");
    std::fs::write("assets/textures/blocks.ron", names)?;
    println!("{} textures", textures.len());
    Ok(())
}
