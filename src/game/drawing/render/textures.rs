//! Block textures: the strip of 16 x 16 pictures ([`TextureStrip`]) as an array texture with mips.
//!
//! The example `paint_textures` paints the pictures. Mips are computed here: colours are averaged
//! with their alpha as weight, and the alpha of cut-out pictures is scaled so that the covered part
//! stays constant; otherwise distant leaves would thin out and vanish.

use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use std::collections::HashMap;
use stonerun_engine::mesh::{FaceMaterials, TextureStrip, TextureStripError};

/// Side of a texture, in texels.
pub const SIDE: usize = TextureStrip::SIDE;
const MIPS: usize = 5;

/// Textures without a direction: each voxel shows them turned and mirrored differently, so that
/// flat ground does not visibly repeat.
const VARIED: [&str; 21] = [
    "stone",
    "deepstone",
    "granite",
    "basalt_top",
    "sandstone_top",
    "marble",
    "obsidian",
    "dirt",
    "grass_top",
    "dry_grass_top",
    "sand",
    "red_sand",
    "gravel",
    "clay",
    "snow",
    "ice",
    "oak_leaves",
    "pine_leaves",
    "birch_leaves",
    "mossy_cobblestone",
    "ash",
];
/// Bit of a layer number that marks varied textures for the shader.
const VARIED_BIT: u32 = 1 << 16;
/// Texture of lava, which the shader draws in motion.
const LAVA: &str = "lava";
/// Bit of a layer number that marks lava for the shader.
const MOLTEN_BIT: u32 = 1 << 20;
/// Bit of a layer number that marks textures that lie on their side for the shader.
const TURNED_BIT: u32 = 1 << 21;
/// Lowest of the three bits of a layer number that hold
/// [`CornerRule::shader_number`](stonerun_engine::voxel::CornerRule::shader_number).
const CORNERS_SHIFT: u32 = 17;

/// A mipmap level of a texture: RGBA texels, row by row.
type Level = Vec<[f32; 4]>;

/// Pictures of the texture strip, by name.
#[derive(Resource)]
pub struct BlockTextures {
    /// The strip's pixels, 16 wide, RGBA, sRGB.
    pub strip: image::RgbaImage,
    /// Layer of each texture name.
    pub layer: HashMap<String, u32>,
}

impl BlockTextures {
    /// Reads the embedded strip.
    ///
    /// # Errors
    /// The embedded strip is invalid, which a test rules out.
    pub fn embedded() -> Result<BlockTextures, TextureStripError> {
        let TextureStrip { image: strip, names, .. } = TextureStrip::embedded()?;
        let layer = names.into_iter().enumerate().map(|(i, name)| (name, i as u32)).collect();
        Ok(BlockTextures { strip, layer })
    }

    /// Bytes in memory: the strip and, if it is drawn `in_software`, the array texture.
    #[must_use]
    pub fn bytes(&self, in_software: bool) -> u64 {
        let strip = self.strip.as_raw().len() as u64;
        // All mips together have a third of the base's bytes: each has a quarter of the previous
        // one's.
        strip + if in_software { strip * 4 / 3 } else { 0 }
    }

    /// Layer of `name`; unknown names get the plain texture, layer 0.
    #[must_use]
    pub fn layer_of(&self, name: &str) -> u32 {
        self.layer.get(name).copied().unwrap_or(0)
    }

    /// The array texture of all pictures, with mips.
    #[must_use]
    pub fn array(&self) -> Image {
        let layers = self.layer.len();
        let mut data = Vec::with_capacity(layers * SIDE * SIDE * 4 * 4 / 3);
        for layer in 0..layers {
            let texel = |i: usize| {
                let p = self.strip.get_pixel((i % SIDE) as u32, (layer * SIDE + i / SIDE) as u32).0;
                p.map(|c| f32::from(c) / 255.0)
            };
            let base: Level = (0..SIDE * SIDE).map(texel).collect();
            push_mips(&base, &mut data);
        }
        let mut image = Image::new_uninit(
            Extent3d {
                width: SIDE as u32,
                height: SIDE as u32,
                depth_or_array_layers: layers as u32,
            },
            TextureDimension::D2,
            TextureFormat::Rgba8UnormSrgb,
            RenderAssetUsages::RENDER_WORLD,
        );
        image.texture_descriptor.mip_level_count = MIPS as u32;
        image.data = Some(data);
        image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
            address_mode_u: ImageAddressMode::Repeat,
            address_mode_v: ImageAddressMode::Repeat,
            mag_filter: ImageFilterMode::Nearest,
            min_filter: ImageFilterMode::Linear,
            mipmap_filter: ImageFilterMode::Linear,
            ..default()
        });
        image
    }

    /// Face materials of a map as two words each for the shader. The first is the texture layer
    /// with bits for varied and turned textures, corner rules and lava; the second is tint and
    /// light as four bytes.
    #[must_use]
    pub fn face_material_words(&self, face_materials: &FaceMaterials) -> Vec<[u32; 2]> {
        face_materials
            .list()
            .iter()
            .map(|material| {
                let [r, g, b] = material.tint;
                let varied =
                    if VARIED.contains(&material.texture.as_str()) { VARIED_BIT } else { 0 };
                let corners = material.corners.shader_number() << CORNERS_SHIFT;
                let molten = if material.texture == LAVA { MOLTEN_BIT } else { 0 };
                let turned = if material.is_turned { TURNED_BIT } else { 0 };
                [
                    self.layer_of(&material.texture) | varied | corners | molten | turned,
                    u32::from_le_bytes([r, g, b, material.light * 17]),
                ]
            })
            .collect()
    }
}

fn push_mips(base: &Level, data: &mut Vec<u8>) {
    let covered = |level: &Level, scale: f32| {
        level.iter().filter(|t| t[3] * scale >= 0.5).count() as f32 / level.len() as f32
    };
    let cut_out = base.iter().any(|t| t[3] == 0.0);
    let wanted = covered(base, 1.0);
    let mut level = base.clone();
    let mut side = SIDE;
    for mip in 0..MIPS {
        let mut scale = 1.0;
        if cut_out && mip > 0 {
            while covered(&level, scale) < wanted && scale < 8.0 {
                scale *= 1.1;
            }
        }
        for texel in &level {
            let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            data.extend([byte(texel[0]), byte(texel[1]), byte(texel[2]), byte(texel[3] * scale)]);
        }
        side /= 2;
        if side > 0 {
            level = half(&level, side);
        }
    }
}

/// The next smaller level: each texel averages four, in linear light, weighted by alpha.
fn half(level: &Level, side: usize) -> Level {
    let mut out = Level::with_capacity(side * side);
    for y in 0..side {
        for x in 0..side {
            let mut sum = [0.0f32; 4];
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let t = level[(2 * y + dy) * side * 2 + 2 * x + dx];
                let weight = t[3].max(0.01);
                for (sum, colour) in sum[..3].iter_mut().zip(t) {
                    *sum += colour.powf(2.2) * weight;
                }
                sum[3] += t[3];
            }
            let weight: f32 = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .iter()
                .map(|(dx, dy)| level[(2 * y + dy) * side * 2 + 2 * x + dx][3].max(0.01))
                .sum();
            out.push([
                (sum[0] / weight).powf(1.0 / 2.2),
                (sum[1] / weight).powf(1.0 / 2.2),
                (sum[2] / weight).powf(1.0 / 2.2),
                sum[3] / 4.0,
            ]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_textures_are_valid() {
        let textures = BlockTextures::embedded().expect("textures");
        assert_eq!(textures.layer_of("plain"), 0);
        assert!(
            VARIED.iter().all(|name| textures.layer_of(name) > 0),
            "every varied texture exists"
        );
        let image = textures.array();
        let bytes: usize = (0..MIPS).map(|m| (SIDE >> m) * (SIDE >> m) * 4).sum();
        assert_eq!(image.data.map(|d| d.len()), Some(bytes * textures.layer.len()));
    }

    #[test]
    fn distant_leaves_keep_their_coverage() {
        // About 30% of the texels are covered, unevenly. Averaged and cut off at one half, nearly
        // all would vanish in the mips.
        let covered =
            |i: usize| f32::from(u8::from(crc32fast::hash(&[i as u8, (i >> 8) as u8]) % 10 < 3));
        let base: Level = (0..SIDE * SIDE).map(|i| [0.2, 0.5, 0.2, covered(i)]).collect();
        let part = base.iter().map(|texel| texel[3]).sum::<f32>() / base.len() as f32;
        assert!((0.2..0.4).contains(&part), "{part}");
        let mut data = Vec::new();
        push_mips(&base, &mut data);
        let mut at = SIDE * SIDE * 4;
        for mip in 1..MIPS {
            let texels = (SIDE >> mip) * (SIDE >> mip);
            let kept =
                (0..texels).filter(|i| data[at + i * 4 + 3] >= 128).count() as f32 / texels as f32;
            // In the smallest mips a single texel is a large fraction.
            let leeway = 0.15 + 1.0 / texels as f32;
            assert!((kept - part).abs() <= leeway, "mip {mip}: {kept} of {part}");
            at += texels * 4;
        }
    }
}
