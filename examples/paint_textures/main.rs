//! Paints the block textures: `cargo run --no-default-features --example paint_textures`, from the
//! package's root.
//!
//! Writes `assets/textures/blocks.png`, a strip of 16 by 16 texels each, one below the other, and
//! `assets/textures/blocks.ron`, their names from the top. Both are committed, so the game needs no
//! painting to build; a test paints again and compares.
//!
//! The textures are painted by rule rather than by hand so that each is the project's own, a palette can
//! be changed in one place, and every one tiles without a seam.

mod gallery;

use std::error::Error;
use std::fmt::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let textures = gallery::paint_all();
    let texels: Vec<u8> = textures.iter().flat_map(|(_, texels)| texels.as_flattened()).copied().collect();
    let strip = image::RgbaImage::from_raw(16, 16 * textures.len() as u32, texels).ok_or("texels are missing")?;
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
