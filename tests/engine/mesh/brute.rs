//! Unit faces of a chunk that are found voxel by voxel, and unit faces that quads cover.

use glam::IVec3;
use stonerun_engine::mesh::{DarkBricks, FaceMaterialId, FaceMaterials, Quad, ShadedQuad};
use stonerun_engine::voxel::{
    Face, Material, MaterialId, MaterialTable, Matter, ModelFace, Opacity, ShapeFaces, Voxel,
};
use stonerun_engine::world::World;

/// One face of one voxel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unit {
    /// Draw layer: 0 opaque, 1 cut-out, 2 translucent.
    pub layer: usize,
    pub face: u8,
    /// Position of the voxel: x, y, z.
    pub at: [i32; 3],
    /// Lower edge of the face, in sixteenths above the voxel's bottom.
    pub low: i32,
    pub high: i32,
    pub material: FaceMaterialId,
    pub liquid: bool,
    /// Sides that end in the middle of the voxel: 1 west, 2 east, 4 north, 8 south.
    pub halved_sides: u8,
    /// Ambient occlusion by corner: index bit 0 is the far end of u, bit 1 the far end of v.
    pub ao: [i32; 4],
}

struct Reader<'a> {
    world: &'a World,
    table: &'a MaterialTable,
}

impl Reader<'_> {
    fn voxel(&self, at: IVec3) -> Voxel {
        self.world.get(at)
    }

    /// Material at `at`; `None` if nothing is drawn there. A material that the table lacks is a
    /// plain cube.
    fn material(&self, at: IVec3) -> Option<Material> {
        let id = self.voxel(at).material();
        match self.table.get(id) {
            Some(material) => Some(material.clone()).filter(|m| m.matter != Matter::Gas),
            None if self.voxel(at) == Voxel::NOT_LOADED => None,
            None => Some(Material::plain("unknown", [255; 3])),
        }
    }

    fn is_cube(&self, at: IVec3) -> bool {
        self.material(at).is_some_and(|m| !m.shape.is_model() && m.surface.is_cube())
    }

    fn is_ground(&self, at: IVec3) -> bool {
        self.material(at).is_some_and(|m| !m.surface.is_cube())
    }

    /// True for ground that fills half of its voxel.
    fn is_inside_ground(&self, at: IVec3) -> bool {
        self.is_ground(at) && self.voxel(at).fill() >= 0.5
    }

    /// True if the see-through cubes at `a` and `b` belong to the same draw layer and the cube at
    /// `a` has the face between them: solid goes before liquid, then the lower material number.
    fn makes_the_face_with(&self, a: IVec3, b: IVec3) -> bool {
        let (Some(first), Some(second)) = (self.material(a), self.material(b)) else {
            return false;
        };
        let order = |m: &Material, at| (m.matter == Matter::Liquid, self.voxel(at).material());
        self.is_cube(a) && first.opacity == second.opacity && order(&first, a) < order(&second, b)
    }

    fn is_opaque(&self, at: IVec3) -> bool {
        self.table.is_opaque(self.voxel(at).material()) && !self.is_ground(at)
    }

    fn is_liquid(&self, at: IVec3) -> bool {
        self.material(at).is_some_and(|m| m.matter == Matter::Liquid)
    }

    fn is_wire(&self, at: IVec3) -> bool {
        self.material(at).is_some_and(|m| m.name == "wire")
    }

    /// Liquid that reaches the bottom of the voxel at `at`: the voxel itself, or water around
    /// matter that is no cube.
    fn liquid_at_bottom(&self, at: IVec3) -> Option<MaterialId> {
        if self.is_liquid(at) {
            return Some(self.voxel(at).material());
        }
        (self.voxel(at).liquid() > 0 && !self.is_cube(at))
            .then(|| self.table.find("water").unwrap())
    }

    /// Liquid in the solid voxel or plant at `at`: its material and its edges in sixteenths.
    fn soaking(&self, at: IVec3) -> Option<(MaterialId, i32, i32)> {
        if self.is_liquid(at) || self.material(at).is_none() {
            return None;
        }
        let voxel = self.voxel(at);
        let low = if self.is_cube(at) { self.height(at) } else { 0 };
        let above = self.liquid_at_bottom(at + IVec3::Y);
        let water = self.table.find("water").unwrap();
        let fill = i32::from(voxel.occupancy()) + 1 + i32::from(voxel.liquid());
        let own = if above == Some(water) { 16 } else { ((fill + 8) / 16).max(1) };
        if voxel.liquid() > 0 && own > low {
            return Some((water, low, own));
        }
        let above = above.filter(|_| self.is_cube(at) && low < 16)?;
        Some((above, low, 16))
    }

    fn own_height(&self, at: IVec3) -> i32 {
        if self.is_wire(at) && self.voxel(at).occupancy() < 255 {
            return 1;
        }
        ((self.voxel(at).fill() * 16.0).round() as i32).max(1)
    }

    fn height(&self, at: IVec3) -> i32 {
        let stacks = self.is_liquid(at) || self.is_wire(at);
        let material = self.voxel(at).material();
        let same_above = self.voxel(at + IVec3::Y).material() == material
            || self.is_liquid(at) && self.liquid_at_bottom(at + IVec3::Y) == Some(material);
        if stacks && same_above { 16 } else { self.own_height(at) }
    }

    fn dark(&self, at: IVec3) -> bool {
        let emits = self.material(at).is_some_and(|m| m.light > 0);
        let is_full = self.is_opaque(at) && self.own_height(at) == 16;
        (is_full || self.is_inside_ground(at)) && !emits
    }

    /// Height up to which the voxel at `at` covers the face of `liquid` in front of it: 0 if it
    /// covers nothing.
    fn covers_liquid(&self, at: IVec3, face: Face, liquid: MaterialId) -> i32 {
        if self.is_inside_ground(at) {
            return 16;
        }
        match self.soaking(at) {
            Some((other, low, high)) if other == liquid && (face != Face::Up || low == 0) => high,
            _ if self.is_cube(at) && self.voxel(at).material() == liquid => self.height(at),
            _ if self.is_opaque(at) || self.goes_before(at, liquid) => self.height(at),
            _ => 0,
        }
    }

    /// True if the see-through cube at `at` has the face between it and a liquid.
    fn goes_before(&self, at: IVec3, liquid: MaterialId) -> bool {
        let (Some(first), Some(second)) = (self.material(at), self.table.get(liquid)) else {
            return false;
        };
        let is_first = first.matter != Matter::Liquid || self.voxel(at).material() < liquid;
        self.is_cube(at) && first.opacity == second.opacity && is_first
    }

    /// Shade at one corner of a face. `front` is the voxel in front of the face.
    fn corner(&self, front: IVec3, u: IVec3, v: IVec3) -> i32 {
        let [a, b, c] = [front + u, front + v, front + u + v].map(|at| self.dark(at));
        if a && b { 0 } else { 3 - i32::from(a) - i32::from(b) - i32::from(c) }
    }
}

/// Unit vectors along u and v of a face.
pub fn axes(face: u8) -> (IVec3, IVec3) {
    match face {
        0 | 1 => (IVec3::Z, IVec3::Y),
        2 | 3 => (IVec3::X, IVec3::Z),
        _ => (IVec3::X, IVec3::Y),
    }
}

/// True for two solids that look alike: states of one block.
fn looks_alike(a: &Material, b: &Material) -> bool {
    let look = |m: &Material| (m.faces.clone(), m.tint, m.light, m.opacity);
    [a, b].iter().all(|m| m.matter != Matter::Liquid) && look(a) == look(b)
}

/// All unit faces of the chunk at the origin.
pub fn brute_force(
    world: &World,
    table: &MaterialTable,
    face_materials: &FaceMaterials,
) -> Vec<Unit> {
    let reader = Reader { world, table };
    let mut units = Vec::new();
    for y in 0..32 {
        for z in 0..32 {
            for x in 0..32 {
                voxel_units(&reader, face_materials, IVec3::new(x, y, z), &mut units);
            }
        }
    }
    units
}

fn voxel_units(
    reader: &Reader<'_>,
    face_materials: &FaceMaterials,
    at: IVec3,
    units: &mut Vec<Unit>,
) {
    let voxel = reader.voxel(at);
    let Some(material) = reader.material(at) else { return };
    let liquid = material.matter == Matter::Liquid;
    let layer = match material.opacity {
        Opacity::CutOut => 1,
        _ if material.shape.is_model() => 1,
        Opacity::Opaque => 0,
        Opacity::Translucent => 2,
    };
    let unit = |face: u8, low, high, ao| {
        let material = face_materials.face_of(voxel, Face::ALL[usize::from(face % 6)]);
        Unit { layer, face, at: at.to_array(), low, high, material, liquid, halved_sides: 0, ao }
    };
    soaking_units(reader, face_materials, at, units);
    if let ShapeFaces::Model(faces) = material.shape.row().faces {
        // Models are drawn whatever is around them.
        units.extend(faces.iter().map(|face| match *face {
            ModelFace::Sheet(sheet) => unit(6 + sheet, 0, reader.own_height(at), [3; 4]),
            ModelFace::Level { face, height } => {
                unit(face as u8, height.into(), height.into(), [3; 4])
            }
            ModelFace::Side { face, low, high } => {
                unit(face as u8, low.into(), high.into(), [3; 4])
            }
        }));
        return;
    }
    if reader.is_ground(at) {
        units.extend(shore_unit(reader, face_materials, at));
        return;
    }
    let height = reader.height(at);
    for face in Face::ALL {
        let front = at + face.normal();
        if liquid {
            let covered = reader.covers_liquid(front, face, voxel.material());
            let is_hidden = match face {
                Face::Up => covered > 0 && height == 16,
                Face::Down => covered == 16,
                _ => covered >= height,
            };
            if is_hidden {
                continue;
            }
            let sees_past = reader.is_opaque(front)
                && reader.soaking(front).is_none_or(|s| s.0 != voxel.material());
            let (low, high) = match face {
                Face::Up => (height, height),
                Face::Down => (0, 0),
                _ => (if sees_past { 0 } else { covered }, height),
            };
            units.push(unit(face as u8, low, high, [3; 4]));
            continue;
        }
        let is_alike = reader.voxel(front).material() == voxel.material()
            || reader.material(front).is_some_and(|other| looks_alike(&other, &material));
        let same = reader.is_cube(front) && is_alike;
        let same = same || reader.makes_the_face_with(front, at);
        let opaque = reader.is_opaque(front);
        let (low, high) = match face {
            Face::Up => {
                if height == 16 && (same || opaque) {
                    continue;
                }
                (height, height)
            }
            Face::Down => {
                if (same || opaque) && reader.height(front) == 16 {
                    continue;
                }
                (0, 0)
            }
            _ => {
                if (same || opaque) && reader.height(front) >= height {
                    continue;
                }
                (if same && !opaque { reader.height(front) } else { 0 }, height)
            }
        };
        let (u, v) = axes(face as u8);
        let inside_roof = face == Face::Up && height < 16;
        let ao = if liquid || layer == 2 || inside_roof {
            [3; 4]
        } else {
            [(-u, -v), (u, -v), (-u, v), (u, v)].map(|(u, v)| reader.corner(front, u, v))
        };
        units.push(unit(face as u8, low, high, ao));
    }
}

/// The faces of the liquid in the voxel at `at`, which is no liquid itself.
fn soaking_units(
    reader: &Reader<'_>,
    face_materials: &FaceMaterials,
    at: IVec3,
    units: &mut Vec<Unit>,
) {
    let Some((liquid, bottom, top)) = reader.soaking(at) else { return };
    let layer = if reader.table.is_opaque(liquid) { 0 } else { 2 };
    for face in Face::ALL {
        let front = at + face.normal();
        let covered = reader.covers_liquid(front, face, liquid);
        let is_made_there = reader.soaking(front).is_some_and(|(other, _, _)| {
            reader.table.is_opaque(other) == (layer == 0) && other < liquid
        });
        let (low, high) = match face {
            Face::Up if covered > 0 && top == 16 => continue,
            Face::Up => (top, top),
            Face::Down if covered == 16 || bottom > 0 => continue,
            Face::Down => (0, 0),
            _ if is_made_there || covered.max(bottom) >= top => continue,
            _ => (covered.max(bottom), top),
        };
        units.push(liquid_unit(face_materials, at, face, liquid, layer, low, high));
    }
}

fn liquid_unit(
    face_materials: &FaceMaterials,
    at: IVec3,
    face: Face,
    liquid: MaterialId,
    layer: usize,
    low: i32,
    high: i32,
) -> Unit {
    Unit {
        layer,
        face: face as u8,
        at: at.to_array(),
        low,
        high,
        material: face_materials.face(liquid, face),
        liquid: true,
        halved_sides: 0,
        ao: [3; 4],
    }
}

/// The top of the highest liquid next to the dry ground at `at`.
fn shore_unit(reader: &Reader<'_>, face_materials: &FaceMaterials, at: IVec3) -> Option<Unit> {
    let sides = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    let top = |at| reader.soaking(at).map_or_else(|| reader.height(at), |(_, _, top)| top);
    let mut found = None;
    for next in sides.map(|(x, z)| at + IVec3::new(x, 0, z)) {
        let above = next + IVec3::Y;
        let is_open = reader.liquid_at_bottom(above).is_none() && !reader.is_wire(above);
        if let Some(liquid) = reader.liquid_at_bottom(next).filter(|_| is_open)
            && found.is_none_or(|(_, high)| top(next) > high)
        {
            found = Some((liquid, top(next)));
        }
    }
    let (liquid, height) = found?;
    let is_covered = reader.covers_liquid(at + IVec3::Y, Face::Up, liquid) > 0;
    let is_dry = reader.voxel(at).liquid() == 0;
    let layer = if reader.table.is_opaque(liquid) { 0 } else { 2 };
    let is_halved = |offset: IVec3| {
        let side = at + offset;
        let is_wall =
            reader.is_opaque(side) && reader.voxel(side).is_full() && !reader.is_liquid(side);
        let is_level = reader.liquid_at_bottom(side) == Some(liquid) && top(side) >= height;
        !is_wall && !reader.is_inside_ground(side) && !is_level
    };
    let halved_sides = u8::from(is_halved(IVec3::NEG_X))
        | u8::from(is_halved(IVec3::X)) << 1
        | u8::from(is_halved(IVec3::NEG_Z)) << 2
        | u8::from(is_halved(IVec3::Z)) << 3;
    (is_dry && reader.dark(at) && !(height == 16 && is_covered)).then(|| Unit {
        halved_sides,
        ..liquid_unit(face_materials, at, Face::Up, liquid, layer, height, height)
    })
}

/// Layout of a quad: the voxel of its first unit face, its columns and rows of unit faces, and the
/// lower and upper edge of each unit face in its voxel.
struct Layout {
    first: IVec3,
    cols: i32,
    rows: i32,
    low: i32,
    high: i32,
}

impl Layout {
    fn new(quad: Quad) -> Layout {
        let [x, y, z] = [i32::from(quad.x), i32::from(quad.y), i32::from(quad.z)];
        let height = i32::from(quad.height);
        let (bottom, rows, low, high) = match quad.face {
            2 => ((y - 1) / 16, height, (y - 1) % 16 + 1, (y - 1) % 16 + 1),
            3 => (y / 16, height, y % 16, y % 16),
            _ if height <= 16 => (y / 16, 1, y % 16, y % 16 + height),
            _ => {
                assert!(
                    y % 16 == 0 && height % 16 == 0,
                    "{quad:?} is high but not of whole voxels"
                );
                (y / 16, height / 16, 0, 16)
            }
        };
        assert!(high <= 16, "{quad:?} leaves its voxel");
        let behind = match quad.face {
            0 => IVec3::X,
            4 => IVec3::Z,
            _ => IVec3::ZERO,
        };
        let cols = i32::from(quad.width);
        assert!(quad.face < 6 || (cols, rows) == (1, 1), "{quad:?}: sheets are not merged");
        Layout { first: IVec3::new(x, bottom, z) - behind, cols, rows, low, high }
    }

    /// The unit faces of the quad, with the shade that `ao` returns for column and row.
    fn units(
        &self,
        quad: Quad,
        layer: usize,
        ao: impl Fn(i32, i32) -> [i32; 4],
        units: &mut Vec<Unit>,
    ) {
        let (u, v) = if quad.face < 6 { axes(quad.face) } else { (IVec3::X, IVec3::Y) };
        assert!(quad.halved_sides & 3 == 0 || self.cols == 1, "{quad:?} is halved within");
        assert!(quad.halved_sides & 12 == 0 || self.rows == 1, "{quad:?} is halved within");
        for (i, j) in (0..self.rows).flat_map(|j| (0..self.cols).map(move |i| (i, j))) {
            let at = (self.first + u * i + v * j).to_array();
            let Quad { face, material, liquid, halved_sides, .. } = quad;
            units.push(Unit {
                layer,
                face,
                at,
                low: self.low,
                high: self.high,
                material,
                liquid,
                halved_sides,
                ao: ao(i, j),
            });
        }
    }
}

/// The voxel of a quad's first unit face, and the number of its columns.
pub fn first_and_cols(quad: Quad) -> (IVec3, i32) {
    let Layout { first, cols, .. } = Layout::new(quad);
    (first, cols)
}

/// The unit faces that a quad covers, with the shade that a fragment there reads from `dark`.
pub fn units_of(quad: Quad, layer: usize, dark: &DarkBricks, units: &mut Vec<Unit>) {
    let layout = Layout::new(quad);
    let (u, v) = axes(quad.face.min(5));
    let shade = |i: i32, j: i32| {
        if !quad.shaded {
            return [3; 4];
        }
        let ao = dark.corners(Face::ALL[usize::from(quad.face)], layout.first + u * i + v * j);
        [0, 1, 2, 3].map(|corner| i32::from(ao >> (2 * corner) & 3))
    };
    layout.units(quad, layer, shade, units);
}

/// The unit faces that a quad covers, with the shade at their corners. Panics if a shade is not a
/// whole step.
pub fn units_of_shaded(shaded: ShadedQuad, layer: usize, units: &mut Vec<Unit>) {
    let quad = shaded.quad;
    let layout = Layout::new(shaded.quad);
    let width = layout.cols;
    let rows = layout.rows;
    let corners = [0, 1, 2, 3].map(|c| i32::from(shaded.ao_at(c)));
    let shade = |i: i32, j: i32| {
        let sum = corners[0] * (width - i) * (rows - j)
            + corners[1] * i * (rows - j)
            + corners[2] * (width - i) * j
            + corners[3] * i * j;
        assert_eq!(sum % (width * rows), 0, "{quad:?} has a broken shade at {i}, {j}");
        sum / (width * rows)
    };
    let ao = |i: i32, j: i32| [shade(i, j), shade(i + 1, j), shade(i, j + 1), shade(i + 1, j + 1)];
    layout.units(quad, layer, ao, units);
}
