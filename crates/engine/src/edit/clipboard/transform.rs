//! Turns, flips and scales, combined into one affine map.

use super::orientation::Orientation;
use crate::voxel::Face;
use glam::{DAffine3, DMat3, DVec3, IVec3};

/// The middle of the origin voxel.
const MIDDLE: DVec3 = DVec3::splat(0.5);
/// Maximum factor of a scale; the minimum is its reciprocal.
const MAX_FACTOR: f64 = 1024.0;

/// Affine map of the voxels of a clipboard, composed of any number of turns, flips and scales.
///
/// Turns and flips keep the middle of the origin voxel fixed, scales its lowest corner. A voxel of
/// the result has the value of the voxel that its centre was mapped from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transform(
    /// Map of points, which are offsets from the lowest corner of the origin voxel.
    DAffine3,
);

/// Reason why a transform cannot be made.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Debug)]
pub enum TransformError {
    /// An axis is zero, or the axis or the angle is not finite.
    #[error("a turn needs an axis and an angle")]
    Turn,
    /// A factor of a scale is out of range.
    #[error("the factor {0} is not between 1/{MAX_FACTOR} and {MAX_FACTOR}")]
    Factor(f64),
}

impl Default for Transform {
    fn default() -> Transform {
        Transform::IDENTITY
    }
}

impl Transform {
    /// The identity.
    pub const IDENTITY: Transform = Transform(DAffine3::IDENTITY);

    /// Turn in degrees about an axis of any length through the middle of the origin voxel.
    /// Anticlockwise when looking from the tip of the axis: 90 degrees about +y turn south to east
    /// and east to north.
    ///
    /// # Errors
    /// Fails if the axis has no direction, or if a number is not finite.
    pub fn turn(axis: DVec3, degrees: f64) -> Result<Transform, TransformError> {
        let axis = axis.try_normalize().ok_or(TransformError::Turn)?;
        if !degrees.is_finite() {
            return Err(TransformError::Turn);
        }
        let degrees = degrees.rem_euclid(360.0);
        // Exact values for quarter turns.
        let (sin, cos) = match degrees {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            other => other.to_radians().sin_cos(),
        };
        // Images of the unit vectors by Rodrigues' formula.
        let image = |unit: DVec3| {
            unit * cos + axis.cross(unit) * sin + axis * (axis.dot(unit) * (1.0 - cos))
        };
        Ok(Transform::about_middle(DMat3::from_cols(
            image(DVec3::X),
            image(DVec3::Y),
            image(DVec3::Z),
        )))
    }

    /// Flip along the axis of `face`.
    #[must_use]
    pub fn flip(face: Face) -> Transform {
        let across = face.normal().abs().as_dvec3();
        Transform::about_middle(DMat3::from_diagonal(DVec3::ONE - 2.0 * across))
    }

    /// Scale by a factor along each axis.
    ///
    /// # Errors
    /// Fails if a factor is not between 1/1024 and 1024.
    pub fn scale(factors: DVec3) -> Result<Transform, TransformError> {
        match factors
            .to_array()
            .into_iter()
            .find(|factor| !(1.0 / MAX_FACTOR..=MAX_FACTOR).contains(factor))
        {
            Some(factor) => Err(TransformError::Factor(factor)),
            None => Ok(Transform(DAffine3::from_scale(factors))),
        }
    }

    fn about_middle(matrix: DMat3) -> Transform {
        Transform(DAffine3::from_mat3_translation(matrix, MIDDLE - matrix * MIDDLE))
    }

    /// Composition: this transform, then `next`.
    #[must_use]
    pub fn then(self, next: Transform) -> Transform {
        Transform(next.0 * self.0)
    }

    /// Copy without accumulated rounding errors if the transform maps voxels onto voxels, so that a
    /// long sequence of quarter turns stays exact. Other transforms are unchanged.
    pub(super) fn without_rounding(self) -> Transform {
        let Some((orientation, shift)) = self.orientation() else { return self };
        let turned = Transform::about_middle(orientation.matrix());
        Transform(DAffine3::from_translation(shift.as_dvec3()) * turned.0)
    }

    /// Image of a point. Both are offsets from the lowest corner of the origin voxel.
    #[must_use]
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.0.transform_point3(point)
    }

    /// Affine map of points, which are offsets from the lowest corner of the origin voxel.
    pub(super) fn affine(&self) -> DAffine3 {
        self.0
    }

    /// Decomposition into an orientation about the middle of the origin voxel, followed by a shift
    /// in whole voxels; `None` if the transform does not map voxels onto voxels.
    pub(super) fn orientation(&self) -> Option<(Orientation, IVec3)> {
        const ROUNDING: f64 = 1e-6;
        let orientation = Orientation::from_matrix(self.0.matrix3)?;
        let shift = self.0.transform_point3(MIDDLE) - MIDDLE;
        let whole = shift.round();
        let fits =
            (shift - whole).abs().max_element() < ROUNDING && whole.abs().max_element() < 1e6;
        fits.then(|| (orientation, whole.as_ivec3()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Image of a voxel under a transform that maps voxels onto voxels.
    fn moved(transform: Transform, at: [i32; 3]) -> Option<[i32; 3]> {
        let (orientation, shift) = transform.orientation()?;
        Some((orientation.turned_offset(IVec3::from_array(at)) + shift).to_array())
    }

    #[test]
    fn quarter_turns_and_flips_are_exact() {
        let turn = |axis, degrees| Transform::turn(axis, degrees).unwrap();
        for (transform, expected) in [
            (Transform::IDENTITY, [1, 2, 3]),
            (turn(DVec3::Y, 90.0), [3, 2, -1]),
            (turn(DVec3::Y * -7.0, 90.0), [-3, 2, 1]),
            (turn(DVec3::Y, -90.0), [-3, 2, 1]),
            (turn(DVec3::X, 450.0), [1, -3, 2]),
            (turn(DVec3::Z, 270.0), [2, -1, 3]),
            (turn(DVec3::ONE, 120.0), [3, 1, 2]),
            (turn(DVec3::Z, 180.0), [-1, -2, 3]),
            (Transform::flip(Face::West), [-1, 2, 3]),
            (Transform::flip(Face::Up), [1, -2, 3]),
            (Transform::flip(Face::South), [1, 2, -3]),
            (turn(DVec3::Y, 45.0).then(turn(DVec3::Y, 45.0)), [3, 2, -1]),
            (turn(DVec3::Y, 90.0).then(Transform::flip(Face::East)), [-3, 2, -1]),
        ] {
            assert_eq!(moved(transform, [1, 2, 3]), Some(expected), "{transform:?}");
        }
        let (double, half) = (
            Transform::scale(DVec3::splat(2.0)).unwrap(),
            Transform::scale(DVec3::splat(0.5)).unwrap(),
        );
        assert_eq!(moved(double.then(half), [1, 2, 3]), Some([1, 2, 3]));
        assert_eq!(
            moved(double.then(turn(DVec3::Y, 90.0)).then(half), [1, 2, 3]),
            None,
            "half a voxel off"
        );
        assert_eq!(moved(double, [1, 2, 3]), None);
        assert_eq!(moved(turn(DVec3::Y, 89.0), [1, 2, 3]), None);
    }

    #[test]
    fn bad_numbers_are_refused() {
        assert_eq!(Transform::turn(DVec3::ZERO, 90.0), Err(TransformError::Turn));
        assert_eq!(Transform::turn(DVec3::NAN, 90.0), Err(TransformError::Turn));
        assert_eq!(Transform::turn(DVec3::Y, f64::INFINITY), Err(TransformError::Turn));
        for bad in [0.0, -1.0, 1e9, 1e-9, f64::INFINITY] {
            assert_eq!(
                Transform::scale(DVec3::new(1.0, bad, 1.0)),
                Err(TransformError::Factor(bad))
            );
        }
        let nan = Transform::scale(DVec3::NAN).unwrap_err();
        assert_eq!(nan.to_string(), "the factor NaN is not between 1/1024 and 1024");
    }
}
