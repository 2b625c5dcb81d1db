//! Mirror planes and radial symmetry around a vertical axis, which repeat edits.

use glam::{DVec3, IVec3};
use stonerun_engine::voxel::{Box3, Face};

/// Maximum number of folds of a radial symmetry.
pub const MAX_FOLDS: u32 = 16;

/// Mirror planes and radial symmetry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// True for a mirror plane across x, y and z.
    pub mirrors: [bool; 3],
    /// Number of copies around the vertical axis, including the original.
    pub folds: u32,
    /// Twice the coordinates of the point in which planes and axis meet: even ones are middles of
    /// voxels, odd ones lie between two voxels.
    pub doubled_centre: IVec3,
}

impl Default for Symmetry {
    fn default() -> Symmetry {
        Symmetry { mirrors: [false; 3], folds: 1, doubled_centre: IVec3::ZERO }
    }
}

/// One image of the symmetry: a mirror image, turned around the axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image {
    /// True if x is mirrored before the turn.
    pub mirrors_x: bool,
    /// True if y is mirrored.
    pub mirrors_y: bool,
    /// The turn, from x towards z, in parts of [`Image::parts`].
    turn: u32,
    /// Parts of a full turn.
    parts: u32,
    doubled_centre: IVec3,
}

impl Symmetry {
    /// True if anything is repeated.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.folds > 1 || self.mirrors.contains(&true)
    }

    /// A symmetry around the middle of a box, with these planes and folds.
    #[must_use]
    pub fn around(self, area: Box3) -> Symmetry {
        Symmetry { doubled_centre: area.min + area.max - 1, ..self }
    }

    /// The centre, in voxels of the world.
    #[must_use]
    pub fn centre(&self) -> DVec3 {
        self.doubled_centre.as_dvec3() / 2.0 + 0.5
    }

    /// All images, each once. The first one changes nothing.
    #[must_use]
    pub fn images(&self) -> Vec<Image> {
        let folds = self.folds.clamp(1, MAX_FOLDS);
        let mut images: Vec<Image> = Vec::new();
        let [x, y, z] = self.mirrors;
        // A mirror across z is one across x, and half a turn.
        let flat = [
            Some((false, 0)),
            x.then_some((true, 0)),
            z.then_some((true, folds)),
            (x && z).then_some((false, folds)),
        ];
        for mirrors_y in [false, true].into_iter().take(1 + usize::from(y)) {
            for (mirrors_x, half_turn) in flat.into_iter().flatten() {
                for fold in 0..folds {
                    let turn = (2 * fold + half_turn) % (2 * folds);
                    let doubled_centre = self.doubled_centre;
                    let image =
                        Image { mirrors_x, mirrors_y, turn, parts: 2 * folds, doubled_centre };
                    if !images.contains(&image) {
                        images.push(image);
                    }
                }
            }
        }
        images
    }

    /// All images of a voxel, each once, itself first.
    #[must_use]
    pub fn voxels(&self, at: IVec3) -> Vec<IVec3> {
        let mut all: Vec<IVec3> = Vec::new();
        for image in self.images() {
            let at = image.voxel(at);
            if !all.contains(&at) {
                all.push(at);
            }
        }
        all
    }

    /// All images of a voxel and of a face of it, each voxel once, itself first.
    #[must_use]
    pub fn faces(&self, at: IVec3, face: Face) -> Vec<(IVec3, Face)> {
        let mut all: Vec<(IVec3, Face)> = Vec::new();
        for image in self.images() {
            let at = image.voxel(at);
            if all.iter().all(|(other, _)| *other != at) {
                all.push((at, image.face(face)));
            }
        }
        all
    }

    /// All images of a box, each once, itself first. Turns by other than quarters move the box
    /// without turning it.
    #[must_use]
    pub fn boxes(&self, area: Box3) -> Vec<Box3> {
        let mut all: Vec<Box3> = Vec::new();
        for image in self.images() {
            let area = image.area(area);
            if !all.contains(&area) {
                all.push(area);
            }
        }
        all
    }
}

impl Image {
    /// Quarter turns from x towards z, rounded: 0 to 3.
    #[must_use]
    pub fn quarter_turns(&self) -> u32 {
        (8 * self.turn + self.parts) / (2 * self.parts) % 4
    }

    fn is_exact(&self) -> bool {
        (4 * self.turn).is_multiple_of(self.parts)
    }

    /// The image of a point, in doubled coordinates from the centre.
    fn doubled(&self, offset: IVec3) -> DVec3 {
        let x = if self.mirrors_x { -offset.x } else { offset.x };
        let y = if self.mirrors_y { -offset.y } else { offset.y };
        let (sine, cosine) = if self.is_exact() {
            [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][self.quarter_turns() as usize]
        } else {
            (f64::from(self.turn) / f64::from(self.parts) * std::f64::consts::TAU).sin_cos()
        };
        let x = f64::from(x);
        let z = f64::from(offset.z);
        DVec3::new(x * cosine - z * sine, f64::from(y), x * sine + z * cosine)
    }

    /// The image of a face; the nearest one for turns by other than quarters.
    #[must_use]
    pub fn face(&self, face: Face) -> Face {
        let mut normal = face.normal();
        normal.x *= if self.mirrors_x { -1 } else { 1 };
        normal.y *= if self.mirrors_y { -1 } else { 1 };
        for _ in 0..self.quarter_turns() {
            normal = IVec3::new(-normal.z, normal.y, normal.x);
        }
        Face::ALL.into_iter().find(|other| other.normal() == normal).unwrap_or(face)
    }

    /// The image of a voxel, rounded to whole voxels.
    #[must_use]
    pub fn voxel(&self, at: IVec3) -> IVec3 {
        let image = self.doubled(at * 2 - self.doubled_centre);
        ((image + self.doubled_centre.as_dvec3()) / 2.0).round().as_ivec3()
    }

    /// The image of a direction, rounded.
    #[must_use]
    pub fn direction(&self, direction: IVec3) -> IVec3 {
        self.doubled(direction).round().as_ivec3()
    }

    /// The image of a box.
    #[must_use]
    pub fn area(&self, area: Box3) -> Box3 {
        if self.is_exact() {
            return Box3::spanning(self.voxel(area.min), self.voxel(area.max - 1));
        }
        let doubled_middle = area.min + area.max - 1;
        let image =
            self.doubled(doubled_middle - self.doubled_centre) + self.doubled_centre.as_dvec3();
        let size = if self.quarter_turns() % 2 == 1 {
            IVec3::new(area.size().z, area.size().y, area.size().x)
        } else {
            area.size()
        };
        let min = ((image + 1.0 - size.as_dvec3()) / 2.0).round().as_ivec3();
        Box3 { min, max: min + size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn set(all: &[IVec3]) -> BTreeSet<[i32; 3]> {
        all.iter().map(|at| at.to_array()).collect()
    }

    #[test]
    fn mirrors_and_quarter_turns_are_exact() {
        let centre = IVec3::new(2, 0, -6);
        let mirrors = Symmetry { mirrors: [true, false, true], folds: 1, doubled_centre: centre };
        assert_eq!(
            set(&mirrors.voxels(IVec3::new(4, 7, 1))),
            set(&[
                IVec3::new(4, 7, 1),
                IVec3::new(-2, 7, 1),
                IVec3::new(4, 7, -7),
                IVec3::new(-2, 7, -7)
            ])
        );
        let turns = Symmetry { mirrors: [false; 3], folds: 4, doubled_centre: centre };
        // Three to the east and four to the south of the centre (1, -3).
        assert_eq!(
            set(&turns.voxels(IVec3::new(4, 7, 1))),
            set(&[
                IVec3::new(4, 7, 1),
                IVec3::new(-3, 7, 0),
                IVec3::new(-2, 7, -7),
                IVec3::new(5, 7, -6)
            ])
        );
        let all = Symmetry { mirrors: [true, true, true], folds: 4, doubled_centre: centre };
        assert_eq!((all.images().len(), all.voxels(IVec3::new(4, 7, 1)).len()), (16, 16));
    }

    #[test]
    fn images_of_images_are_images() {
        for folds in 1..=8 {
            for bits in 0..8 {
                let mirrors = [0, 1, 2].map(|axis| bits >> axis & 1 > 0);
                let symmetry = Symmetry { mirrors, folds, doubled_centre: IVec3::new(7, -2, 5) };
                let images = symmetry.images();
                assert_eq!(images[0].voxel(IVec3::new(9, 8, 7)), IVec3::new(9, 8, 7));
                let flat = if mirrors[0] && mirrors[2] && folds % 2 == 1 {
                    4
                } else {
                    1 + usize::from(mirrors[0] || mirrors[2])
                };
                assert_eq!(
                    images.len(),
                    folds as usize * flat * (1 + usize::from(mirrors[1])),
                    "{symmetry:?}"
                );
                if matches!(folds, 1 | 2 | 4) {
                    // An image of an image is an image.
                    let at = IVec3::new(12, 3, -9);
                    let once = symmetry.voxels(at);
                    for image in &once {
                        assert_eq!(set(&symmetry.voxels(*image)), set(&once), "{symmetry:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn boxes_hold_the_images_of_their_voxels() {
        let area = Box3 { min: IVec3::new(3, 1, 2), max: IVec3::new(5, 4, 7) };
        let symmetry = Symmetry {
            mirrors: [true, false, false],
            folds: 4,
            doubled_centre: IVec3::new(1, 0, 1),
        };
        for image in symmetry.images() {
            let moved = image.area(area);
            assert_eq!(moved.volume(), area.volume());
            for x in area.min.x..area.max.x {
                for z in area.min.z..area.max.z {
                    assert!(moved.contains(image.voxel(IVec3::new(x, 2, z))));
                }
            }
        }
        assert_eq!(symmetry.boxes(area).len(), 8);
        let eight = Symmetry { mirrors: [false; 3], folds: 8, doubled_centre: IVec3::ZERO };
        let tower = Box3::spanning(IVec3::new(20, 0, -1), IVec3::new(22, 9, 1));
        let around = eight.boxes(tower);
        assert!(
            around.len() == 8 && around.iter().all(|copy| copy.volume() == tower.volume()),
            "{around:?}"
        );
        assert!(around[1..].iter().all(|copy| copy.intersection(tower).is_empty()));
    }

    #[test]
    fn centre_of_a_box_may_lie_between_voxels() {
        let area = Box3 { min: IVec3::ZERO, max: IVec3::new(20, 10, 21) };
        let symmetry = Symmetry { mirrors: [true; 3], ..Symmetry::default() }.around(area);
        assert_eq!(symmetry.centre(), DVec3::new(10.0, 5.0, 10.5));
        assert_eq!(symmetry.boxes(area), [area]);
        assert_eq!(symmetry.voxels(IVec3::ZERO).len(), 8);
        assert!(symmetry.voxels(IVec3::ZERO).contains(&IVec3::new(19, 9, 20)));
    }
}
