//! Upright pills, the shape in which bodies meet smooth ground.

use glam::DVec3;

/// All points within a radius of an upright line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pill {
    /// Lower end of the line.
    pub low: DVec3,
    /// Upper end of the line.
    pub high: DVec3,
    /// Radius, in voxels.
    pub radius: f64,
}

/// The two nearest points of a pill's line and of something else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub on_line: DVec3,
    pub on_other: DVec3,
}

impl Nearest {
    /// Vector from the other point to the line.
    pub fn away(&self) -> DVec3 {
        self.on_line - self.on_other
    }
}

impl Pill {
    /// The nearest points of the line and of a triangle that the line does not pierce.
    pub(super) fn nearest(&self, triangle: [DVec3; 3]) -> Nearest {
        let [a, b, c] = triangle;
        let ends = [self.low, self.high]
            .map(|end| Nearest { on_line: end, on_other: nearest_in_triangle(end, triangle) });
        let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| self.nearest_on_side(from, to));
        let mut nearest = ends[0];
        for other in [ends[1], sides[0], sides[1], sides[2]] {
            if other.away().length_squared() < nearest.away().length_squared() {
                nearest = other;
            }
        }
        nearest
    }

    /// Distance between the line and a triangle.
    #[cfg(test)]
    pub fn distance(&self, triangle: [DVec3; 3]) -> f64 {
        self.nearest(triangle).away().length()
    }

    /// The nearest points of the line and of a side of a triangle. Ericson, "Real-time collision
    /// detection" (2005), 5.1.9.
    fn nearest_on_side(&self, from: DVec3, to: DVec3) -> Nearest {
        let height = self.high.y - self.low.y;
        let side = to - from;
        let start = self.low - from;
        let side_squared = side.length_squared();
        let line_squared = height * height;
        let both = height * side.y;
        let along_line = height * start.y;
        let along_side = side.dot(start);
        let determinant = line_squared * side_squared - both * both;
        let mut part = if determinant > 1e-12 {
            ((both * along_side - along_line * side_squared) / determinant).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let mut on_side =
            if side_squared > 0.0 { (both * part + along_side) / side_squared } else { 0.0 };
        if !(0.0..=1.0).contains(&on_side) {
            on_side = on_side.clamp(0.0, 1.0);
            part = if line_squared > 0.0 {
                ((both * on_side - along_line) / line_squared).clamp(0.0, 1.0)
            } else {
                0.0
            };
        }
        Nearest { on_line: self.low + DVec3::Y * (height * part), on_other: from + side * on_side }
    }
}

/// The point of a triangle that is nearest to `at`. Ericson, 5.1.5.
fn nearest_in_triangle(at: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let [ab, ac, from_a] = [b - a, c - a, at - a];
    let [d1, d2] = [ab.dot(from_a), ac.dot(from_a)];
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let from_b = at - b;
    let [d3, d4] = [ab.dot(from_b), ac.dot(from_b)];
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let from_c = at - c;
    let [d5, d6] = [ab.dot(from_c), ac.dot(from_c)];
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let scale = 1.0 / (va + vb + vc);
    a + ab * (vb * scale) + ac * (vc * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn no_sampled_points_are_nearer() {
        let mut random = Random::new(5);
        let mut point = || DVec3::from_array([0; 3].map(|_| f64::from(random.below(4001)) / 1e3));
        for _ in 0..400 {
            let low = point();
            let pill = Pill { low, high: low + DVec3::Y * 0.9, radius: 0.3 };
            let [a, b, c] = [point(), point(), point()];
            let nearest = pill.nearest([a, b, c]);
            let found = nearest.away().length();
            let mut least = f64::INFINITY;
            for i in 0..=24 {
                for j in 0..=24 - i {
                    let on_other =
                        a + (b - a) * (f64::from(i) / 24.0) + (c - a) * (f64::from(j) / 24.0);
                    for k in 0..=24 {
                        let on_line = pill.low + DVec3::Y * (0.9 * f64::from(k) / 24.0);
                        least = least.min((on_line - on_other).length());
                    }
                }
            }
            // Where the line pierces the triangle, samples come nearer than its ends and sides.
            assert!(found < least + 1e-9 || least < 0.2, "{found} and {least}");
            assert!(found > least - 0.2, "{found} and {least}");
        }
    }
}
