//! Pictures of voxels, drawn by casting rays, with block textures, sun and shadow. This needs no
//! graphics card, so it runs on any thread.

use glam::{DVec3, UVec2, Vec3};
use image::{Rgba, RgbaImage};
use stonerun_engine::mesh::TextureStrip;
use stonerun_engine::voxel::{Face, Likeness, Material, MaterialTable, Matter, Opacity, Voxel};
use stonerun_engine::world::{RayHit, World, cast_ray_over_ground};
use stonerun_exchange::Progress;

/// Width and height of a picture, in pixels.
pub const SIZE: UVec2 = UVec2::new(256, 144);
/// Half the picture's height at distance 1: a vertical field of view of 70 degrees.
pub const HALF_HEIGHT: f64 = 0.7;
/// Number of rays per pixel along each axis.
const RAYS: u32 = 2;
/// Direction to the sun.
const SUN: Vec3 = Vec3::new(0.42, 0.8, 0.43);

/// Position of the eyes, and their direction.
pub struct RayView {
    eyes: DVec3,
    forward: DVec3,
    right: DVec3,
    up: DVec3,
    /// Distance at which the fog is full, in voxels.
    far: f32,
}

impl RayView {
    /// The view from `eyes`, in voxels of the world. `yaw` and `pitch` are angles as in
    /// `Player`, in radians. The fog is full at a distance of `far` voxels.
    #[must_use]
    pub fn new(eyes: DVec3, yaw: f32, pitch: f32, far: f32) -> RayView {
        let yaw = f64::from(yaw);
        let pitch = f64::from(pitch).clamp(-1.5, 1.5);
        let forward = DVec3::new(-yaw.sin() * pitch.cos(), pitch.sin(), -yaw.cos() * pitch.cos());
        let right = DVec3::new(yaw.cos(), 0.0, -yaw.sin());
        RayView { eyes, forward, right, up: right.cross(forward), far }
    }

    /// True if the chunk at an offset from the eyes, in chunks, may be in view.
    #[must_use]
    pub fn may_see(&self, to: DVec3) -> bool {
        to.length() < 2.5 || to.dot(self.forward) > to.length() * 0.3
    }

    /// Direction of the middle of the picture, unit length.
    #[must_use]
    pub fn forward(&self) -> DVec3 {
        self.forward
    }

    /// The eyes, in voxels of the world.
    #[must_use]
    pub fn eyes(&self) -> DVec3 {
        self.eyes
    }
}

/// Colours and shapes of the materials for rays.
pub struct RayMaterials<'a> {
    table: &'a MaterialTable,
    textures: TextureStrip,
    /// Texels of each texture, linear.
    texels: Vec<Vec<[f32; 4]>>,
    /// True for a world without sky, which is lit by a lamp at the eyes.
    underground: bool,
}

impl RayMaterials<'_> {
    /// The materials of a table; `None` if the textures cannot be read. `underground` is true to
    /// light the picture by a lamp at the eyes.
    #[must_use]
    pub fn new(materials: &MaterialTable, underground: bool) -> Option<RayMaterials<'_>> {
        let textures = TextureStrip::embedded().ok()?;
        let linear = |texel: [u8; 4]| texel.map(|c| (f32::from(c) / 255.0).powf(2.2));
        let texels = (0..textures.names.len())
            .map(|index| textures.texels(index).map(linear).collect())
            .collect();
        Some(RayMaterials { table: materials, textures, texels, underground })
    }

    fn material(&self, voxel: Voxel) -> Option<&Material> {
        self.table.get(voxel.material())
    }

    /// Height of a voxel's matter for a ray; `None` if the ray passes through: gases, plants,
    /// torches, and translucent voxels unless `translucent` is true.
    fn height(&self, voxel: Voxel, translucent: bool) -> Option<f64> {
        let Some(material) = self.material(voxel) else { return Some(1.0) };
        let shape = material.shape.row();
        let passes = material.matter == Matter::Gas
            || shape.likeness == Likeness::Plant
            || (material.opacity == Opacity::Translucent && !translucent);
        (!passes).then(|| f64::from(shape.solid.top(voxel.fill())))
    }

    /// The first voxel that a ray meets, as [`RayMaterials::height`] says, or smooth ground.
    fn cast_ray(
        &self,
        world: &World,
        origin: DVec3,
        direction: DVec3,
        reach: f64,
        translucent: bool,
    ) -> Option<RayHit> {
        let height = |_, voxel| self.height(voxel, translucent);
        cast_ray_over_ground(world, self.table, origin, direction, reach, height).hit
    }

    /// Colour of the voxel at the hit point, linear, before lighting.
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
        let texel =
            self.texels.get(index).and_then(|texels| texels.get(texel(v) * side + texel(u)));
        let [r, g, b, alpha] = texel.copied().unwrap_or([1.0; 4]);
        // Cut-out texels of leaves are drawn as dark leaves behind them.
        if alpha < 0.2 { tint * 0.03 } else { Vec3::new(r, g, b) * tint }
    }
}

/// Draws the picture; `None` if `progress` cancels.
pub fn draw(
    world: &World,
    materials: &RayMaterials,
    view: &RayView,
    progress: &mut Progress,
) -> Option<RgbaImage> {
    let UVec2 { x: width, y: height } = SIZE;
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
                    2.0 * (f64::from(pixel) + (f64::from(ray) + 0.5) / f64::from(RAYS))
                        / f64::from(size)
                        - 1.0
                };
                let across = part(x, ray % RAYS, width) * half_width;
                let down = part(y, ray / RAYS, height) * HALF_HEIGHT;
                sum += trace(
                    world,
                    materials,
                    view,
                    (view.forward + view.right * across - view.up * down).normalize(),
                );
            }
            let mean = (sum / (RAYS * RAYS) as f32).clamp(Vec3::ZERO, Vec3::ONE);
            let [r, g, b] = mean.to_array().map(|c| (c.powf(1.0 / 2.2) * 255.0 + 0.5) as u8);
            picture.put_pixel(x, y, Rgba([r, g, b, 255]));
        }
    }
    Some(picture)
}

/// Light that arrives along a ray, linear.
fn trace(world: &World, materials: &RayMaterials, view: &RayView, direction: DVec3) -> Vec3 {
    let RayView { eyes, far, .. } = *view;
    let behind = if materials.underground { Vec3::splat(0.01) } else { sky(direction.as_vec3()) };
    let mut light = Vec3::ZERO;
    let mut passed = 1.0;
    // At most one translucent voxel counts: more would make no difference in a small picture.
    for translucent in [true, false] {
        let hit = materials.cast_ray(world, eyes, direction, f64::from(far), translucent);
        let Some(hit) = hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED) else {
            return light + passed * behind;
        };
        let at = eyes + direction * hit.distance;
        let material = materials.material(hit.voxel);
        let fog = ((hit.distance as f32 / far - 0.5) * 2.0).clamp(0.0, 1.0);
        let lit = materials.colour(&hit, at) * illumination(world, materials, &hit, at, material);
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
fn illumination(
    world: &World,
    materials: &RayMaterials,
    hit: &RayHit,
    at: DVec3,
    material: Option<&Material>,
) -> Vec3 {
    let glow = material.map_or(0.0, |m| f32::from(m.light) / 15.0);
    if materials.underground {
        let lamp = 0.9 / (1.0 + (hit.distance * hit.distance) as f32 * 0.002);
        return Vec3::new(1.0, 0.85, 0.65) * (0.06 + lamp) + glow;
    }
    let face = hit.face.unwrap_or(Face::Up).normal().as_vec3();
    let normal = hit.ground_normal.map_or(face, |normal| normal.as_vec3());
    let toward = normal.dot(SUN.normalize()).max(0.0);
    let off = at + normal.as_dvec3() * 0.01;
    let shadow = || materials.cast_ray(world, off, SUN.as_dvec3(), 48.0, false);
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
