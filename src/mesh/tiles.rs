//! The pictures on the faces, as they are embedded, and what a material looks like as one colour.
//!
//! One strip holds all textures; the game makes its array texture of it, and exporters cut single pictures out.

use crate::voxel::{Face, Faces, Material};
use image::{ImageError, RgbaImage};
use rustc_hash::FxHashMap;

const STRIP: &[u8] = include_bytes!("../../assets/textures/blocks.png");
const NAMES: &str = include_str!("../../assets/textures/blocks.ron");

/// All textures: one above the other, and their names.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// The pixels, sRGB, [`Tiles::SIDE`] wide.
    pub strip: RgbaImage,
    /// The textures' names, from above.
    pub names: Vec<String>,
    index_of: FxHashMap<String, usize>,
}

impl Tiles {
    /// Side of a texture, in texels.
    pub const SIDE: usize = 16;

    /// Reads the embedded strip.
    ///
    /// # Errors
    /// The program was built with a broken picture; a test looks at the embedded one.
    pub fn embedded() -> Result<Tiles, String> {
        let strip = image::load_from_memory(STRIP).map_err(|e| format!("the embedded textures: {e}"))?.to_rgba8();
        let names: Vec<String> = ron::from_str(NAMES).map_err(|e| format!("the embedded texture names: {e}"))?;
        if strip.width() as usize != Tiles::SIDE || strip.height() as usize != Tiles::SIDE * names.len() {
            return Err(format!("the embedded textures: {} names, {} rows", names.len(), strip.height()));
        }
        let index_of = names.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect();
        Ok(Tiles { strip, names, index_of })
    }

    /// The number of the texture called `name`; names the strip does not have are drawn as the plain one, 0.
    #[must_use]
    pub fn index_of(&self, name: &str) -> usize {
        self.index_of.get(name).copied().unwrap_or(0)
    }

    /// The texels of a texture, row by row from above: red, green, blue, alpha. Nothing for numbers that are none.
    pub fn texels(&self, tile: usize) -> impl ExactSizeIterator<Item = [u8; 4]> {
        const BYTES: usize = Tiles::SIDE * Tiles::SIDE * 4;
        let bytes = self.strip.as_raw().get(tile * BYTES..(tile + 1) * BYTES).unwrap_or_default();
        bytes.chunks_exact(4).map(|t| [t[0], t[1], t[2], t[3]])
    }

    /// What a material looks like from afar, sRGB: the mean of its texture in linear light, holes not counted, times its
    /// tint. A plain material is its tint, whatever grain the plain texture has. Of one that differs from side to side it
    /// is the top if that is unlike the bottom (grass, snow), and else the side (the bark of logs).
    #[must_use]
    pub fn colour_of(&self, material: &Material) -> [u8; 3] {
        let face = match &material.faces {
            Faces::Column { top, bottom, .. } if top == bottom => Face::North,
            _ => Face::Up,
        };
        let tile = self.index_of(material.faces.texture(face));
        if tile == 0 {
            return material.tint;
        }
        let mut sum = [0.0f32; 3];
        let mut weight = 0.0;
        for [r, g, b, a] in self.texels(tile) {
            let part = f32::from(a) / 255.0;
            weight += part;
            for (sum, c) in sum.iter_mut().zip([r, g, b]) {
                *sum += linear(c) * part;
            }
        }
        // Where there is nothing but holes the sum is 0, and so is the colour.
        let mean = sum.map(|sum| sum / f32::max(weight, f32::MIN_POSITIVE));
        [0, 1, 2].map(|c| encoded(mean[c] * linear(material.tint[c])))
    }

    /// A texture as a PNG file, each texel changed by `change`.
    ///
    /// # Errors
    /// The encoder fails; into memory it does not.
    pub fn png(&self, tile: usize, change: impl Fn([u8; 4]) -> [u8; 4]) -> Result<Vec<u8>, ImageError> {
        let side = Tiles::SIDE as u32;
        let texels: Vec<[u8; 4]> = self.texels(tile).map(change).collect();
        let mut png = Vec::new();
        let encoder = image::codecs::png::PngEncoder::new(&mut png);
        image::ImageEncoder::write_image(encoder, texels.as_flattened(), side, side, image::ExtendedColorType::Rgba8)?;
        Ok(png)
    }
}

/// One channel of sRGB in linear light, 0 to 1 (IEC 61966-2-1).
#[must_use]
pub fn linear(channel: u8) -> f32 {
    let c = f32::from(channel) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// The channel of sRGB nearest to this linear light.
#[must_use]
pub fn encoded(light: f32) -> u8 {
    let c = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (c.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::MaterialTable;

    #[test]
    fn the_transfer_is_that_of_srgb_and_back() {
        assert!((0..=255).all(|c| encoded(linear(c)) == c));
        // From the standard's tables: half the light is 188, and channel 128 is 0.2158.
        assert_eq!(encoded(0.5), 188);
        assert!((linear(128) - 0.215_86).abs() < 1e-4);
    }

    #[test]
    fn colours_are_what_one_sees() {
        let tiles = Tiles::embedded().unwrap();
        let table = MaterialTable::builtin();
        let colour = |name: &str| tiles.colour_of(table.get(table.find(name).unwrap()).unwrap());
        let [r, g, b] = colour("grass");
        assert!(g > r && g > b, "grass is green from above: {r} {g} {b}");
        let [r, g, b] = colour("oak_leaves");
        assert!(g > r && g > b, "{r} {g} {b}");
        let [r, _, b] = colour("water");
        assert!(b > r);
        let [r, g, b] = colour("snow");
        assert!(r > 200 && g > 200 && b > 200);
        assert_eq!(tiles.colour_of(&Material::plain("x", [1, 2, 250])), [1, 2, 250]);
        // A tint takes light away, and black takes all.
        let stone = Material { tint: [255, 0, 255], ..table.get(table.find("stone").unwrap()).unwrap().clone() };
        let [r, _, b] = colour("stone");
        assert_eq!(tiles.colour_of(&stone), [r, 0, b]);
        // All texels of the marble's mean lie between its darkest and its lightest.
        let marble = table.get(table.find("marble").unwrap()).unwrap();
        let texels = || tiles.texels(tiles.index_of("marble"));
        let mean = tiles.colour_of(marble)[0];
        assert!(texels().any(|t| t[0] < mean) && texels().any(|t| t[0] > mean));
        assert_eq!(texels().len(), 256);
    }

    #[test]
    fn pictures_are_cut_out() {
        let tiles = Tiles::embedded().unwrap();
        let tile = tiles.index_of("oak_leaves");
        let png = tiles.png(tile, |t| t).unwrap();
        let read = image::load_from_memory(&png).unwrap().to_rgba8();
        assert!(read.pixels().map(|p| p.0).eq(tiles.texels(tile)));
        assert_eq!((tiles.index_of("no such texture"), tiles.texels(9999).len()), (0, 0));
    }
}
