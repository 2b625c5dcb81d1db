//! The picture of a map without one, computed by rays: imported maps, maps from the command line,
//! and their backups.
//!
//! It shows what the player would see on opening the map, with block textures, sun and shadow. It
//! needs no graphics card, so it runs on any thread.

use crate::body::walking::EYES;
use crate::exchange::Progress;
use crate::mesh::TextureStrip;
use crate::save::{Header, MapFile, MapReader};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{ChunkPos, Face, Material, MaterialTable, Matter, Opacity, Shape, Voxel};
use crate::world::view::load_offsets;
use crate::world::{Chunk, RayHit, World, cast_ray};
use glam::{DVec3, Vec3};
use image::{Rgba, RgbaImage};
use std::path::Path;

/// Width and height of the picture, in pixels.
const SIZE: (u32, u32) = (256, 144);
/// Rays per pixel along each side.
const RAYS: u32 = 2;
/// Radius of the shown world, in chunks.
pub const VIEW: i32 = 6;
/// Distance at which the fog is full, in voxels.
const FAR: f32 = 176.0;
/// Half the picture's height at distance 1: a field of view of 70 degrees.
const HALF_HEIGHT: f64 = 0.7;
/// Largest map file that is shown or sketched: opening a map reads all of it, and closing the
/// window waits for that.
pub const MAX_BYTES: u64 = 64 << 20;
/// Direction to the sun.
const SUN: Vec3 = Vec3::new(0.42, 0.8, 0.43);

/// Computes the picture of the map at `path`; `None` if the map is too large or cannot be read, or
/// `progress` cancels.
#[must_use]
pub fn sketch(path: &Path, progress: &mut Progress) -> Option<RgbaImage> {
    if path.metadata().ok()?.len() > MAX_BYTES {
        return None;
    }
    let map = MapFile::open_read_only(path).ok()?.map;
    let (header, materials) = (map.header().clone(), map.materials().clone());
    let reader = map.reader().ok()?;
    let view = View::from_player(&header);
    let kind = header.terrain.parse().unwrap_or(TerrainKind::Void);
    let generator = Generator::new(header.seed, kind, &materials);
    let world = load(&reader, &generator, &view, progress)?;
    let looks = Looks::new(&materials, kind == TerrainKind::Caverns)?;
    draw(&world, &looks, &view, progress)
}

/// The view of the picture.
struct View {
    eyes: DVec3,
    forward: DVec3,
    right: DVec3,
    up: DVec3,
}

impl View {
    fn from_player(header: &Header) -> View {
        let player = &header.player;
        let (yaw, pitch) = (f64::from(player.yaw), f64::from(player.pitch).clamp(-1.5, 1.5));
        let forward = DVec3::new(-yaw.sin() * pitch.cos(), pitch.sin(), -yaw.cos() * pitch.cos());
        let right = DVec3::new(yaw.cos(), 0.0, -yaw.sin());
        let eyes = DVec3::from_array(player.position) + DVec3::Y * EYES;
        View { eyes, forward, right, up: right.cross(forward) }
    }
}

/// The chunks in view: from the map, or generated where the map lacks them.
fn load(reader: &MapReader, generator: &Generator, view: &View, progress: &mut Progress) -> Option<World> {
    let centre = ChunkPos::containing(view.eyes.floor().as_ivec3());
    let mut world = World::new();
    for offset in load_offsets(VIEW) {
        let pos = centre.offset(offset);
        let to = offset.as_dvec3();
        let in_view = to.length() < 2.5 || to.dot(view.forward) > to.length() * 0.3;
        if !in_view || !pos.in_world() {
            continue;
        }
        if progress(0.0).is_break() {
            return None;
        }
        let chunk = reader.load(pos).unwrap_or_else(|_| Some(Chunk::uniform(Voxel::AIR)));
        world.insert(pos, chunk.unwrap_or_else(|| generator.chunk(pos)));
    }
    Some(world)
}

/// What rays need to know about the materials.
struct Looks<'a> {
    materials: &'a MaterialTable,
    textures: TextureStrip,
    /// Texels of each texture, linear.
    texels: Vec<Vec<[f32; 4]>>,
    /// True for a world without sky: the eyes carry a lamp.
    underground: bool,
}

impl Looks<'_> {
    fn new(materials: &MaterialTable, underground: bool) -> Option<Looks<'_>> {
        let textures = TextureStrip::embedded().ok()?;
        let linear = |texel: [u8; 4]| texel.map(|c| (f32::from(c) / 255.0).powf(2.2));
        let texels = (0..textures.names.len()).map(|index| textures.texels(index).map(linear).collect()).collect();
        Some(Looks { materials, textures, texels, underground })
    }

    fn material(&self, voxel: Voxel) -> Option<&Material> {
        self.materials.get(voxel.material())
    }

    /// Height of a voxel's matter for a ray; `None` if the ray passes: gases, plants, torches, and
    /// translucent voxels if `translucent` is false.
    fn height(&self, voxel: Voxel, translucent: bool) -> Option<f64> {
        let Some(material) = self.material(voxel) else { return Some(1.0) };
        let passes = material.matter == Matter::Gas
            || material.shape != Shape::Cube
            || (material.opacity == Opacity::Translucent && !translucent);
        (!passes).then(|| f64::from(voxel.fill()))
    }

    /// Colour of the voxel where the ray meets it, linear, before light.
    fn colour(&self, hit: &RayHit, at: DVec3) -> Vec3 {
        let Some(material) = self.material(hit.voxel) else { return Vec3::ONE };
        let face = hit.face.unwrap_or(Face::Up);
        let index = self.textures.index_of(material.faces.texture(face));
        let (u, v) = match face {
            Face::Up | Face::Down => (at.x, at.z),
            Face::East | Face::West => (at.z, -at.y),
            Face::South | Face::North => (at.x, -at.y),
        };
        let side = TextureStrip::SIDE;
        let texel = |c: f64| ((c.rem_euclid(1.0) * side as f64) as usize).min(side - 1);
        let tint = Vec3::from_array(material.tint.map(|c| (f32::from(c) / 255.0).powf(2.2)));
        let texel = self.texels.get(index).and_then(|texels| texels.get(texel(v) * side + texel(u)));
        let [r, g, b, alpha] = texel.copied().unwrap_or([1.0; 4]);
        // Holes of leaves show dark leaves behind them.
        if alpha < 0.2 { tint * 0.03 } else { Vec3::new(r, g, b) * tint }
    }
}

/// Draws the picture.
fn draw(world: &World, looks: &Looks, view: &View, progress: &mut Progress) -> Option<RgbaImage> {
    let (width, height) = SIZE;
    let mut picture = RgbaImage::new(width, height);
    let half_width = HALF_HEIGHT * f64::from(width) / f64::from(height);
    for y in 0..height {
        if progress(y as f32 / height as f32).is_break() {
            return None;
        }
        for x in 0..width {
            let mut sum = Vec3::ZERO;
            for ray in 0..RAYS * RAYS {
                let part = |pixel: u32, ray: u32, size: u32| {
                    2.0 * (f64::from(pixel) + (f64::from(ray) + 0.5) / f64::from(RAYS)) / f64::from(size) - 1.0
                };
                let across = part(x, ray % RAYS, width) * half_width;
                let down = part(y, ray / RAYS, height) * HALF_HEIGHT;
                sum +=
                    trace(world, looks, view.eyes, (view.forward + view.right * across - view.up * down).normalize());
            }
            let mean = (sum / (RAYS * RAYS) as f32).clamp(Vec3::ZERO, Vec3::ONE);
            let [r, g, b] = mean.to_array().map(|c| (c.powf(1.0 / 2.2) * 255.0 + 0.5) as u8);
            picture.put_pixel(x, y, Rgba([r, g, b, 255]));
        }
    }
    Some(picture)
}

/// Light that arrives along a ray, linear.
fn trace(world: &World, looks: &Looks, eyes: DVec3, direction: DVec3) -> Vec3 {
    let behind = if looks.underground { Vec3::splat(0.01) } else { sky(direction.as_vec3()) };
    let (mut light, mut passed) = (Vec3::ZERO, 1.0);
    // Behind a translucent voxel, others add nothing that a small picture would show.
    for translucent in [true, false] {
        let hit = cast_ray(world, eyes, direction, f64::from(FAR), |voxel| looks.height(voxel, translucent));
        let Some(hit) = hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED) else { return light + passed * behind };
        let at = eyes + direction * hit.distance;
        let material = looks.material(hit.voxel);
        let fog = ((hit.distance as f32 / FAR - 0.5) * 2.0).clamp(0.0, 1.0);
        let lit = looks.colour(&hit, at) * illumination(world, looks, &hit, at, material);
        let seen = lit.lerp(behind, fog);
        if translucent && material.is_some_and(|m| m.opacity == Opacity::Translucent) {
            light += 0.65 * seen;
            passed = 0.35;
            continue;
        }
        return light + passed * seen;
    }
    light
}

/// Light on the face that was hit.
fn illumination(world: &World, looks: &Looks, hit: &RayHit, at: DVec3, material: Option<&Material>) -> Vec3 {
    let glow = material.map_or(0.0, |m| f32::from(m.light) / 15.0);
    if looks.underground {
        let lamp = 0.9 / (1.0 + (hit.distance * hit.distance) as f32 * 0.002);
        return Vec3::new(1.0, 0.85, 0.65) * (0.06 + lamp) + glow;
    }
    let normal = hit.face.unwrap_or(Face::Up).normal().as_vec3();
    let toward = normal.dot(SUN.normalize()).max(0.0);
    let off = at + normal.as_dvec3() * 0.01;
    let shadow = || cast_ray(world, off, SUN.as_dvec3(), 48.0, |voxel| looks.height(voxel, false));
    let sunny = toward > 0.0 && shadow().is_none_or(|hit| hit.voxel == Voxel::NOT_LOADED);
    let ambient = Vec3::new(0.36, 0.41, 0.5) * (0.8 + 0.2 * normal.y - 0.12 * normal.x.abs());
    let sun = if sunny { Vec3::new(1.0, 0.93, 0.8) * toward * 0.85 } else { Vec3::ZERO };
    ambient + sun + glow
}

/// Colour of the sky, linear.
fn sky(direction: Vec3) -> Vec3 {
    let up = direction.y.clamp(0.0, 1.0).sqrt();
    Vec3::new(0.62, 0.75, 0.88).lerp(Vec3::new(0.13, 0.3, 0.68), up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::ignore_progress;
    use crate::save::unix_now;
    use std::ops::ControlFlow;

    #[test]
    fn new_map_gets_a_picture_of_ground_and_sky() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flat.stonerun");
        let mut header = Header::new(1, "flat", unix_now());
        header.player.position = [0.5, 0.0, 0.5];
        MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap().close().unwrap();
        let before = std::fs::read(&path).unwrap();
        let picture = sketch(&path, &mut ignore_progress).unwrap();
        assert_eq!(picture.dimensions(), SIZE);
        let [r, g, b, _] = picture.get_pixel(128, 4).0;
        assert!(b > g && g > r, "sky: {r} {g} {b}");
        let [r, g, b, _] = picture.get_pixel(128, 140).0;
        assert!(g > r && g > b, "grass: {r} {g} {b}");
        // Reading leaves the map as it was, and a cancelled sketch yields nothing.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(std::fs::read(&path).unwrap() == before);
        assert!(sketch(&path, &mut |_| ControlFlow::Break(())).is_none());
        assert!(sketch(&folder.path().join("none.stonerun"), &mut ignore_progress).is_none());
    }
}
