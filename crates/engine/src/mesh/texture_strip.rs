//! The embedded block textures, and the mean colour of a material.
//!
//! One image holds all textures, one above the other. The game uploads it as an array texture;
//! exporters cut single textures out.

use crate::ron_text::{self, RonError};
use crate::voxel::{Face, Faces, Material};
use image::{ImageError, RgbaImage};
use rustc_hash::FxHashMap;

const STRIP: &[u8] = include_bytes!("../../../../assets/textures/blocks.png");
const NAMES: &str = include_str!("../../../../assets/textures/blocks.ron");

/// A defect in the embedded textures. A test rules it out for released builds.
#[derive(thiserror::Error, Debug)]
pub enum TextureStripError {
    /// The image cannot be decoded.
    #[error("embedded textures: {0}")]
    Image(#[from] ImageError),
    /// The list of names cannot be parsed.
    #[error("embedded texture names: {0}")]
    Names(#[from] RonError),
    /// The image does not hold one texture per name.
    #[error("embedded textures: {names} names for {width} x {height} texels")]
    Size {
        /// Number of names.
        names: usize,
        /// Width of the image in texels.
        width: u32,
        /// Height of the image in texels.
        height: u32,
    },
}

/// Levels by which the strongest channel of emitted light exceeds a channel that the texture lacks.
const HUE_LEVELS: f32 = 11.0;

/// All block textures in one image.
#[derive(Clone, Debug)]
pub struct TextureStrip {
    /// The textures, sRGB, [`TextureStrip::SIDE`] wide, one above the other.
    pub image: RgbaImage,
    /// Names of the textures from top to bottom.
    pub names: Vec<String>,
    index_of: FxHashMap<String, usize>,
}

impl TextureStrip {
    /// Side of a texture, in texels.
    pub const SIDE: usize = 16;

    /// Decodes the embedded textures.
    ///
    /// # Errors
    /// The embedded data is invalid; a test rules this out.
    pub fn embedded() -> Result<TextureStrip, TextureStripError> {
        let image = image::load_from_memory(STRIP)?.to_rgba8();
        let names: Vec<String> = ron_text::read(NAMES, "assets/textures/blocks.ron")?;
        let (width, height) = image.dimensions();
        if width as usize != TextureStrip::SIDE
            || height as usize != TextureStrip::SIDE * names.len()
        {
            return Err(TextureStripError::Size { names: names.len(), width, height });
        }
        let index_of = names.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect();
        Ok(TextureStrip { image, names, index_of })
    }

    /// The index of the texture `name`; 0, the plain texture, for unknown names.
    #[must_use]
    pub fn index_of(&self, name: &str) -> usize {
        self.index_of.get(name).copied().unwrap_or(0)
    }

    /// The texels of a texture as RGBA, row by row from the top; empty for an invalid index.
    pub fn texels(&self, index: usize) -> impl ExactSizeIterator<Item = [u8; 4]> {
        const BYTES: usize = TextureStrip::SIDE * TextureStrip::SIDE * 4;
        let bytes = self.image.as_raw().get(index * BYTES..(index + 1) * BYTES).unwrap_or_default();
        bytes.chunks_exact(4).map(|t| [t[0], t[1], t[2], t[3]])
    }

    /// Extent of the visible texels of a texture: the distance from its left and its right edge,
    /// and its height from the bottom, as fractions. Ignores up to a seventeenth of the visible
    /// texels on each side, so that single leaves do not widen it. `None` if the texture is unknown
    /// or invisible.
    #[must_use]
    pub fn extent(&self, name: &str) -> Option<[f64; 3]> {
        const SIDE: usize = TextureStrip::SIDE;
        let mut columns = [0usize; SIDE];
        let mut rows = [0usize; SIDE];
        let texels = self.texels(*self.index_of.get(name)?).enumerate();
        for (at, _) in texels.filter(|(_, texel)| texel[3] >= 128) {
            columns[at % SIDE] += 1;
            rows[at / SIDE] += 1;
        }
        let visible: usize = rows.iter().sum();
        let margin = |lines: &mut dyn Iterator<Item = &usize>| {
            let mut left = visible / 17;
            lines
                .take_while(|&&count| left.checked_sub(count).map(|rest| left = rest).is_some())
                .count() as f64
        };
        let top = margin(&mut rows.iter());
        let sides =
            [margin(&mut columns.iter()), margin(&mut columns.iter().rev()), SIDE as f64 - top];
        (visible > 0).then(|| sides.map(|texels| texels / SIDE as f64))
    }

    /// The mean colour of a material, sRGB: the mean of its texture in linear light, weighted
    /// by alpha, times its tint.
    ///
    /// A material with the plain texture has the colour of its tint. A material with different
    /// sides uses its top if that differs from the bottom (grass, snow), else its side (bark of
    /// logs).
    #[must_use]
    pub fn colour_of(&self, material: &Material) -> [u8; 3] {
        let face = match &material.faces {
            Faces::Column { top, bottom, .. } if top == bottom => Face::North,
            Faces::Lying { axis, .. } if axis.has_end(Face::North) => Face::East,
            Faces::Lying { .. } => Face::North,
            _ => Face::Up,
        };
        self.mean_colour(material, face, |_| 1.0)
    }

    /// The colour of the light that a material emits, sRGB: the mean of the colours of its side,
    /// weighted by how bright and how vivid they are. So a torch shines like its flame rather than
    /// its stick, an ore like its crystals rather than the rock, and a white core does not pale the
    /// light.
    ///
    /// Each channel loses a level per step, so light becomes more vivid with distance. Bright
    /// emitters therefore get a paler colour and dim ones a more vivid one, so that the channels of
    /// all emitters differ by the same number of levels.
    #[must_use]
    pub fn glow_of(&self, material: &Material) -> [u8; 3] {
        let mean = self.mean_colour(material, Face::North, |[r, g, b]| {
            let strongest = r.max(g).max(b);
            // Grey textures have a hue by their tint only.
            strongest * (strongest - r.min(g).min(b) + 0.01)
        });
        let strongest = f32::from(mean.into_iter().max().unwrap_or(0));
        let spread = HUE_LEVELS / f32::from(material.light.max(1));
        mean.map(|channel| (strongest - (strongest - f32::from(channel)) * spread).round() as u8)
    }

    /// The mean colour of a face, sRGB: in linear light, weighted by alpha and by `weight` of the
    /// texel's linear colour, times the tint.
    fn mean_colour(
        &self,
        material: &Material,
        face: Face,
        weight: impl Fn([f32; 3]) -> f32,
    ) -> [u8; 3] {
        let index = self.index_of(material.faces.texture(face));
        if index == 0 {
            return material.tint;
        }
        let mut sum = [0.0f32; 3];
        let mut weights = 0.0;
        for [r, g, b, a] in self.texels(index) {
            let colour = [r, g, b].map(srgb_to_linear);
            let part = f32::from(a) / 255.0 * weight(colour);
            weights += part;
            for (sum, c) in sum.iter_mut().zip(colour) {
                *sum += c * part;
            }
        }
        // A fully transparent texture has sum 0, which gives black.
        let mean = sum.map(|sum| sum / f32::max(weights, f32::MIN_POSITIVE));
        [0, 1, 2].map(|c| linear_to_srgb(mean[c] * srgb_to_linear(material.tint[c])))
    }

    /// A texture as a PNG file, with `change` applied to each texel.
    ///
    /// # Errors
    /// The encoder fails; writing to memory does not.
    pub fn png(
        &self,
        index: usize,
        change: impl Fn([u8; 4]) -> [u8; 4],
    ) -> Result<Vec<u8>, ImageError> {
        let side = TextureStrip::SIDE as u32;
        let texels: Vec<[u8; 4]> = self.texels(index).map(change).collect();
        let mut png = Vec::new();
        let encoder = image::codecs::png::PngEncoder::new(&mut png);
        image::ImageEncoder::write_image(
            encoder,
            texels.as_flattened(),
            side,
            side,
            image::ExtendedColorType::Rgba8,
        )?;
        Ok(png)
    }
}

/// Decodes an sRGB channel to linear light, 0 to 1 (IEC 61966-2-1).
#[must_use]
pub fn srgb_to_linear(channel: u8) -> f32 {
    let c = f32::from(channel) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Encodes linear light to the nearest sRGB channel.
#[must_use]
pub fn linear_to_srgb(light: f32) -> u8 {
    let c =
        if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (c.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::MaterialTable;

    #[test]
    fn srgb_transfer_round_trips_and_matches_standard() {
        assert!((0..=255).all(|c| linear_to_srgb(srgb_to_linear(c)) == c));
        // From the tables of the standard: half the light is channel 188, channel 128 is 0.2158.
        assert_eq!(linear_to_srgb(0.5), 188);
        assert!((srgb_to_linear(128) - 0.215_86).abs() < 1e-4);
    }

    #[test]
    fn mean_colours_match_expected_hues() {
        let textures = TextureStrip::embedded().unwrap();
        let table = MaterialTable::builtin();
        let colour = |name: &str| textures.colour_of(table.get(table.find(name).unwrap()).unwrap());
        let [r, g, b] = colour("grass");
        assert!(g > r && g > b, "grass is green from above: {r} {g} {b}");
        let [r, g, b] = colour("oak_leaves");
        assert!(g > r && g > b, "{r} {g} {b}");
        let [r, _, b] = colour("water");
        assert!(b > r);
        let [r, g, b] = colour("snow");
        assert!(r > 200 && g > 200 && b > 200);
        assert_eq!(textures.colour_of(&Material::plain("x", [1, 2, 250])), [1, 2, 250]);
        // A tint scales each channel.
        let stone = Material {
            tint: [255, 0, 255],
            ..table.get(table.find("stone").unwrap()).unwrap().clone()
        };
        let [r, _, b] = colour("stone");
        assert_eq!(textures.colour_of(&stone), [r, 0, b]);
        // The mean lies between the darkest and the lightest texel.
        let marble = table.get(table.find("marble").unwrap()).unwrap();
        let texels = || textures.texels(textures.index_of("marble"));
        let mean = textures.colour_of(marble)[0];
        assert!(texels().any(|t| t[0] < mean) && texels().any(|t| t[0] > mean));
        assert_eq!(texels().len(), 256);
    }

    #[test]
    fn every_emitter_shines_in_a_vivid_colour_of_its_own() {
        let textures = TextureStrip::embedded().unwrap();
        let table = MaterialTable::builtin();
        let glow = |name: &str| textures.glow_of(table.get(table.find(name).unwrap()).unwrap());
        for (name, order) in [
            ("lava", [0, 1, 2]),
            ("torch", [0, 1, 2]),
            ("lamp", [0, 1, 2]),
            ("blue_torch", [2, 1, 0]),
            ("crystal_ore", [2, 1, 0]),
            ("crystal_block", [2, 1, 0]),
            ("lamp_green", [1, 0, 2]),
            ("lamp_blue", [2, 1, 0]),
        ] {
            let [strong, middle, weak] = order.map(|channel| glow(name)[channel]);
            assert!(strong > middle && middle > weak, "{name}: {:?}", glow(name));
            // Levels are in proportion to the channels.
            assert!(
                u16::from(weak) * 10 < u16::from(strong) * 7,
                "{name} is pale: {:?}",
                glow(name)
            );
        }
        let [r, g, b] = glow("glow_mushroom");
        assert!(g.max(b) > r, "{r} {g} {b}");
        let [r, g, b] = glow("red_torch");
        assert!(u16::from(r) * 6 > u16::from(g.max(b)) * 10, "{r} {g} {b}");
        let lamp =
            |tint, light| textures.glow_of(&Material { light, ..Material::plain("x", tint) });
        assert_eq!(lamp([200; 3], 14), [200; 3], "white light stays white");
        assert_eq!(
            [11, 15, 4].map(|light| lamp([200, 100, 0], light)),
            [[200, 100, 0], [200, 127, 53], [200, 0, 0]]
        );
    }

    #[test]
    fn extent_is_that_of_visible_texels() {
        let textures = TextureStrip::embedded().unwrap();
        assert_eq!(textures.extent("stone"), Some([0.0, 0.0, 1.0]));
        let [left, right, height] = textures.extent("flower_red").unwrap();
        assert!(left + right > 0.2 && (0.3..1.0).contains(&height), "{left} {right} {height}");
        assert_eq!(textures.extent("no such texture"), None);
    }

    #[test]
    fn png_holds_one_texture() {
        let textures = TextureStrip::embedded().unwrap();
        let index = textures.index_of("oak_leaves");
        let png = textures.png(index, |t| t).unwrap();
        let read = image::load_from_memory(&png).unwrap().to_rgba8();
        assert!(read.pixels().map(|p| p.0).eq(textures.texels(index)));
        assert_eq!((textures.index_of("no such texture"), textures.texels(9999).len()), (0, 0));
    }
}
