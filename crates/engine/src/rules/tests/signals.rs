//! Circuits: adders, loops, doors, and random wiring compared with a scan over every voxel.

use super::{air, commit, id, span};
use crate::random::Random;
use crate::rules::{RuleSet, Rules};
use crate::voxel::{Box3, ChunkPos, Face, MaterialTable, Voxel};
use crate::world::World;
use glam::IVec3;

/// A wire without a signal.
pub(super) fn wire() -> Voxel {
    Voxel::new(id("wire"), 15)
}

pub(super) fn full(name: &str) -> Voxel {
    Voxel::full(id(name))
}

pub(super) fn is(world: &World, at: IVec3, name: &str) -> bool {
    world.get(at).material() == id(name)
}

pub(super) fn rules(world: &World, reverse: bool) -> Rules {
    let mut rules = Rules::new(RuleSet::builtin(&MaterialTable::builtin()).unwrap(), 1, 0);
    let mut chunks: Vec<ChunkPos> = world.chunks().map(|(pos, _)| pos).collect();
    chunks.sort_unstable();
    if reverse {
        chunks.reverse();
    }
    for pos in chunks {
        rules.wake_chunk(pos);
    }
    rules
}

/// Steps until nothing is active; returns the number of steps.
pub(super) fn settle(world: &mut World, rules: &mut Rules) -> usize {
    for step in 1..2000 {
        rules.step(world);
        if rules.is_at_rest() {
            commit(world, rules.take_changes());
            return step;
        }
    }
    panic!("the circuit does not come to rest");
}

pub(super) fn put(world: &mut World, rules: &mut Rules, at: IVec3, voxel: Voxel) {
    world.set(at, voxel);
    rules.wake(Box3 { min: at, max: at + 1 });
}

/// A NAND gate: numbers of its output net and of its two input nets. The output is on unless both
/// inputs are.
type Nand = (usize, usize, usize);

/// Gates of an adder of some bits, in an order that keeps all wires shorter than a signal reaches;
/// inputs are `a`, `b` of each bit and a carry, in this order. Returns the gates and the numbers of
/// the sums, the carry last.
fn adder(bits: usize) -> (Vec<Nand>, Vec<usize>) {
    let mut gates = Vec::new();
    let mut sums = Vec::new();
    let mut next = 2 * bits + 1;
    let mut carry = 2 * bits;
    for bit in 0..bits {
        let a = 2 * bit;
        let b = 2 * bit + 1;
        let [both, first, second, differ, with, third, fourth, sum, out] =
            std::array::from_fn(|n| next + n);
        next += 9;
        gates.extend([(both, a, b), (first, a, both), (second, b, both), (differ, first, second)]);
        gates.extend([
            (with, differ, carry),
            (out, both, with),
            (fourth, carry, with),
            (third, differ, with),
        ]);
        gates.push((sum, third, fourth));
        sums.push(sum);
        carry = out;
    }
    sums.push(carry);
    (gates, sums)
}

/// A circuit in a world: positions of levers and lamps.
struct Circuit {
    world: World,
    levers: Vec<IVec3>,
    lamps: Vec<IVec3>,
}

/// Builds gates one after another along x. Each net is a wire along x in a row of its own; a gate
/// is an inverter on each of its inputs and a wire across the rows above them, which leads down to
/// the output.
fn build((gates, outputs): &(Vec<Nand>, Vec<usize>), inputs: usize, origin: IVec3) -> Circuit {
    let nets = gates.iter().map(|gate| gate.0 + 1).max().unwrap();
    let x = |gate: usize| origin.x + 2 * gate as i32;
    // First and last x of each net.
    let mut extents = vec![(i32::MAX, i32::MIN); nets];
    for (gate, &(out, a, b)) in gates.iter().enumerate() {
        for net in [out, a, b] {
            extents[net] = (extents[net].0.min(x(gate)), extents[net].1.max(x(gate)));
        }
    }
    let mut order: Vec<usize> = (0..nets).filter(|&net| extents[net].0 != i32::MAX).collect();
    // The wire of an input or output needs a further voxel at its end for the lever or lamp.
    let reserved = |net: usize| {
        let (low, high) = extents[net];
        (
            if net < inputs { low - 1 } else { low },
            if outputs.contains(&net) { high + 1 } else { high },
        )
    };
    order.sort_by_key(|&net| reserved(net).0);
    let mut rows = Vec::<i32>::new();
    let mut row_of = vec![0; nets];
    for &net in &order {
        let (low, high) = reserved(net);
        let row = rows.iter().position(|&end| end + 1 < low).unwrap_or(rows.len());
        if row == rows.len() {
            rows.push(high);
        }
        rows[row] = high;
        row_of[net] = row;
    }
    let at =
        |x: i32, y: i32, net: usize| IVec3::new(x, origin.y + y, origin.z + 2 * row_of[net] as i32);
    let area = Box3 {
        min: origin - 4,
        max: IVec3::new(x(gates.len()) + 4, origin.y + 6, at(0, 0, 0).z + 40),
    };
    let around = Box3 { min: area.min - 32, max: area.max + 32 };
    let mut world = air(around.chunks());
    for &net in &order {
        for x in extents[net].0..=extents[net].1 {
            world.set(at(x, 0, net), wire());
        }
    }
    for (gate, &(out, a, b)) in gates.iter().enumerate() {
        let ends = [a, b, out].map(|net| at(x(gate), 2, net));
        let low = ends.iter().map(|at| at.z).min().unwrap();
        let high = ends.iter().map(|at| at.z).max().unwrap();
        for z in low..=high {
            world.set(ends[0].with_z(z), wire());
        }
        for net in [a, b] {
            world.set(at(x(gate), 1, net), full("inverter"));
        }
        world.set(at(x(gate), 1, out), wire());
    }
    let levers: Vec<IVec3> = (0..inputs).map(|net| at(extents[net].0 - 1, 0, net)).collect();
    let lamps: Vec<IVec3> = outputs.iter().map(|&net| at(extents[net].1 + 1, 0, net)).collect();
    for (&at, name) in
        levers.iter().map(|at| (at, "lever")).chain(lamps.iter().map(|at| (at, "signal_lamp")))
    {
        world.set(at, full(name));
    }
    Circuit { world, levers, lamps }
}

impl Circuit {
    /// Moves the levers to the bits of a number, and returns the number that the lamps show.
    fn compute(&mut self, rules: &mut Rules, input: usize) -> usize {
        for (bit, &at) in self.levers.iter().enumerate() {
            let lever = full(if input >> bit & 1 == 1 { "lever_on" } else { "lever" });
            if self.world.get(at) != lever {
                put(&mut self.world, rules, at, lever);
            }
        }
        settle(&mut self.world, rules);
        let lamps = self.lamps.iter().enumerate();
        lamps.map(|(bit, &at)| usize::from(is(&self.world, at, "signal_lamp_on")) << bit).sum()
    }
}

/// Expected sum for an input of an adder: bits of `a` and `b` in turn, then the carry.
fn sum(bits: usize, input: usize) -> usize {
    (0..bits)
        .map(|bit| ((input >> (2 * bit) & 1) + (input >> (2 * bit + 1) & 1)) << bit)
        .sum::<usize>()
        + (input >> (2 * bits) & 1)
}

#[test]
fn full_adder_adds_in_any_order_on_any_number_of_threads() {
    let gates = adder(1);
    let mut worlds = Vec::new();
    // At a corner of eight chunks, and inside one.
    for (origin, threads, reverse) in [
        ([-9, -1, -3], 1, false),
        ([-9, -1, -3], 2, true),
        ([-9, -1, -3], 1, true),
        ([3, 5, 4], 1, false),
    ] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut circuit = build(&gates, 3, IVec3::from(origin));
        let mut rules = rules(&circuit.world, reverse);
        for input in [0, 1, 2, 3, 4, 5, 6, 7, 0, 7, 1, 6] {
            let shown = pool.install(|| circuit.compute(&mut rules, input));
            assert_eq!(shown, sum(1, input), "{origin:?} {threads} {input:03b}");
        }
        worlds.push(circuit.world);
    }
    for world in &worlds[1..3] {
        assert!(
            world.chunks().all(|(pos, chunk)| worlds[0].chunk(pos) == Some(chunk)),
            "equal voxels"
        );
    }
}

#[test]
fn adder_of_four_bits_adds() {
    let mut circuit = build(&adder(4), 9, IVec3::new(-40, -2, -7));
    let mut rules = rules(&circuit.world, false);
    for input in [0, 511, 0b1_0101_0110, 37, 254, 129, 300] {
        assert_eq!(circuit.compute(&mut rules, input), sum(4, input), "{input:09b}");
    }
}

#[test]
fn loop_of_wire_does_not_hold_a_signal() {
    let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
    for n in -3..=3 {
        for (x, z) in [(n, -3), (n, 3), (-3, n), (3, n)] {
            world.set(IVec3::new(x, 0, z), wire());
        }
    }
    let before = world.clone();
    let mut rules = rules(&world, false);
    let lever = IVec3::new(4, 0, 0);
    put(&mut world, &mut rules, lever, full("lever_on"));
    settle(&mut world, &mut rules);
    assert_eq!(world.get(IVec3::new(3, 0, 0)), Voxel::new(id("wire"), 15 + 60));
    assert_eq!(
        world.get(IVec3::new(-3, 0, 0)),
        Voxel::new(id("wire"), 15 + 36),
        "twelve voxels further"
    );
    put(&mut world, &mut rules, lever, Voxel::AIR);
    settle(&mut world, &mut rules);
    assert!(world.chunks().all(|(pos, chunk)| before.chunk(pos) == Some(chunk)));
}

#[test]
fn doors_follow_wires_and_else_stay() {
    let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
    let [wired, free, levered] = [[2, 0, 0], [8, 0, 0], [0, 0, 1]].map(IVec3::from);
    world.set(IVec3::new(0, 0, 0), full("lever_on"));
    world.set(IVec3::new(1, 0, 0), wire());
    for at in [wired, levered] {
        world.set(at, full("door"));
    }
    world.set(free, full("door_open"));
    let mut rules = rules(&world, false);
    settle(&mut world, &mut rules);
    assert!([wired, free, levered].iter().all(|&at| is(&world, at, "door_open")));
    put(&mut world, &mut rules, IVec3::ZERO, full("lever"));
    settle(&mut world, &mut rules);
    assert!(
        is(&world, wired, "door") && is(&world, levered, "door") && is(&world, free, "door_open")
    );
}

/// Signals that reach a voxel from its neighbours.
struct Input {
    is_fed: bool,
    strongest: i32,
    is_connected: bool,
}

/// Level of a wire; 0 for other voxels.
fn level(world: &World, at: IVec3) -> i32 {
    let amount = i32::from(world.get(at).occupancy()) + 1;
    if is(world, at, "wire") { ((amount - 16) / 2).clamp(0, 30) } else { 0 }
}

fn input(world: &World, at: IVec3) -> Input {
    let faces = Face::ALL.map(|face| at + face.normal());
    let parts = ["wire", "lever", "lever_on", "inverter", "inverter_on"];
    Input {
        is_fed: faces
            .iter()
            .any(|&by| is(world, by, "lever_on") || is(world, by, "inverter_on") && by.y <= at.y),
        strongest: faces.iter().map(|&by| level(world, by)).max().unwrap(),
        is_connected: faces.iter().any(|&by| parts.iter().any(|part| is(world, by, part))),
    }
}

/// The other half of the door at `at`, found by a search for the foot of the stack.
fn other_half(world: &World, at: IVec3) -> Option<IVec3> {
    let is_door = |at: IVec3| is(world, at, "door") || is(world, at, "door_open");
    let mut foot = at;
    while is_door(foot - IVec3::Y) {
        foot.y -= 1;
    }
    let number = at.y - foot.y;
    let other = foot.with_y(foot.y + (number ^ 1));
    (is_door(at) && is_door(other) && number < 16).then_some(other)
}

/// The state of a voxel after a step, by the definition of signals.
pub(super) fn expected(world: &World, at: IVec3) -> Voxel {
    let voxel = world.get(at);
    let Input { mut is_fed, mut strongest, mut is_connected } = input(world, at);
    if let Some(other) = other_half(world, at).map(|other| input(world, other)) {
        is_fed |= other.is_fed;
        strongest = strongest.max(other.strongest);
        is_connected |= other.is_connected;
    }
    let name = |pair: [&str; 2], on: bool| Voxel::new(id(pair[usize::from(on)]), voxel.occupancy());
    if is(world, at, "wire") {
        let level = if is_fed { 30 } else { (strongest - 1).max(0) };
        return Voxel::new(voxel.material(), (15 + 2 * level) as u8);
    }
    let below = at - IVec3::Y;
    for pair in
        [["inverter", "inverter_on"], ["signal_lamp", "signal_lamp_on"], ["door", "door_open"]]
    {
        if pair.iter().any(|name| is(world, at, name)) {
            return match pair[0] {
                "inverter" => name(pair, level(world, below) == 0 && !is(world, below, "lever_on")),
                _ if is_connected => name(pair, is_fed || strongest > 0),
                _ => voxel,
            };
        }
    }
    voxel
}

#[test]
fn random_wiring_equals_a_scan_over_every_voxel() {
    let mut random = Random::new(5);
    let mut world = air(span([-32, -32, -32], [31, 31, 31]).chunks());
    let names = [
        "wire",
        "wire",
        "wire",
        "wire",
        "air",
        "air",
        "lever_on",
        "lever",
        "inverter",
        "signal_lamp",
        "door",
    ];
    let voxels: Vec<IVec3> = (-5..=5)
        .flat_map(|x| (-4..=4).flat_map(move |y| (-5..=5).map(move |z| IVec3::new(x, y, z))))
        .collect();
    for &at in &voxels {
        let voxel = full(names[random.index(names.len())]);
        let amount = random.below(256) as u8;
        world.set(at, if voxel.is_air() { voxel } else { Voxel::new(voxel.material(), amount) });
    }
    let mut rules = rules(&world, false);
    for step in 0..40 {
        let wanted: Vec<Voxel> = voxels.iter().map(|&at| expected(&world, at)).collect();
        rules.step(&world);
        commit(&mut world, rules.take_changes());
        for (&at, wanted) in voxels.iter().zip(wanted) {
            assert_eq!(world.get(at), wanted, "step {step}, {at}");
        }
        if step % 10 == 9 {
            let at = voxels[random.index(voxels.len())];
            put(&mut world, &mut rules, at, full("lever_on"));
        }
    }
}
