//! Bodies of creatures as boxes in the world.

use super::material::tag;
use super::parts::DrawnPart;
use super::thread::LivePose;
use bevy::prelude::*;
use stonerun_engine::creatures::{BodyPart, CreatureKind, SwingAxis};

/// Size of a unit of bodies, in voxels.
const UNIT: f32 = 1.0 / 16.0;
/// Height of a sleeper relative to its height while awake.
const ASLEEP_HEIGHT: f32 = 0.6;

/// Adds the boxes of a creature, at `part_of_tick` (0 to 1) between its pose and the next one.
pub fn add(live: &LivePose, kind: &CreatureKind, part_of_tick: f64, parts: &mut Vec<DrawnPart>) {
    let pose = &live.pose;
    let feet = pose.position.lerp(live.next.position, part_of_tick);
    let walked = pose.distance + (live.next.distance - pose.distance) * part_of_tick as f32;
    // Headings are clockwise, rotations about y counter-clockwise.
    let turn = Quat::from_rotation_y(-pose.heading);
    let height = if pose.is_asleep { ASLEEP_HEIGHT } else { 1.0 };
    for part in &kind.body {
        let (centre, swing) =
            place(part, pose.seconds, if pose.is_moving { walked } else { 0.0 }, pose.is_asleep);
        let centre = turn * (centre * Vec3::new(1.0, height, 1.0));
        parts.push(DrawnPart {
            centre: feet + centre.as_dvec3(),
            rotation: turn * swing,
            size: (Vec3::from(part.high) - Vec3::from(part.low))
                * UNIT
                * Vec3::new(1.0, height, 1.0),
            tag: tag(part.colour, live.light, kind.glow),
        });
    }
}

/// Centre and rotation of a box, relative to the feet and the heading. `walked` is the distance
/// walked, which moves the limbs.
fn place(part: &BodyPart, seconds: f32, walked: f32, is_asleep: bool) -> (Vec3, Quat) {
    let middle = (Vec3::from(part.low) + Vec3::from(part.high)) * 0.5 * UNIT;
    let Some(swing) = part.swing.as_ref().filter(|_| !is_asleep) else {
        return (middle, Quat::IDENTITY);
    };
    let axis = match swing.axis {
        SwingAxis::X => Vec3::X,
        SwingAxis::Y => Vec3::Y,
        SwingAxis::Z => Vec3::Z,
    };
    let turn = Quat::from_axis_angle(axis, swing.angle(seconds, walked));
    let joint = Vec3::from(swing.joint) * UNIT;
    (joint + turn * (middle - joint), turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::creatures::{CreatureKinds, Swing};
    use stonerun_engine::voxel::MaterialTable;

    #[test]
    fn swing_turns_a_box_around_its_joint() {
        let swing = Swing {
            joint: [0.0, 16.0, 0.0],
            axis: SwingAxis::X,
            degrees: 90.0,
            phase: 0.25,
            rest: 0.0,
            stride: 0.0,
        };
        let leg = BodyPart {
            low: [-1.0, 0.0, -1.0],
            high: [1.0, 16.0, 1.0],
            colour: [9; 3],
            swing: Some(swing),
        };
        let (middle, _) = place(&leg, 0.0, 0.0, false);
        // After a quarter turn around the x axis, the hanging box points backwards or forwards.
        assert!((middle - Vec3::new(0.0, 1.0, -0.5)).length() < 1e-5, "{middle}");
        assert_eq!(place(&leg, 0.0, 0.0, true).0, Vec3::new(0.0, 0.5, 0.0), "sleepers lie still");
    }

    #[test]
    fn built_in_bodies_begin_at_their_feet_and_have_no_empty_box() {
        for kind in CreatureKinds::builtin(&MaterialTable::builtin()).expect("built in").list() {
            let low = kind.body.iter().map(|part| part.low[1]).fold(f32::MAX, f32::min);
            assert!((0.0..9.0).contains(&low), "{}: {low}", kind.name);
            assert!(
                kind.body.iter().all(|part| (0..3).all(|axis| part.low[axis] < part.high[axis])),
                "{}",
                kind.name
            );
        }
    }
}
