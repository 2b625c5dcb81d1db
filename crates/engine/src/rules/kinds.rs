//! Kinds: classes of materials that the rules do not tell apart, as codes of a few bits.
//!
//! The two lowest bits of a code say how the matter moves; the others number the kinds with equal
//! motion. Materials that no rule distinguishes share one kind, which keeps the codes short: fewer
//! planes are read and computed. Their voxels keep their material in the run tree, since no rule
//! moves them.

use super::rows::Rows;
use crate::voxel::{MaterialId, MaterialTable, Matter, Voxel};
use rustc_hash::FxHashMap;

/// Maximum number of bits of a code.
pub(super) const MAX_CODE_PLANES: usize = 8;
/// Maximum number of kinds.
const MAX_KINDS: usize = 128;
/// Number of bits of a code that hold the motion.
const MOTION_BITS: usize = 2;
/// The bits of a code that hold the motion.
const MOTION_MASK: u8 = (1 << MOTION_BITS) - 1;

/// Motion of matter: the two lowest bits of a code. Bit 0 is set for fluids, into which powder
/// sinks; bit 1 for matter that falls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Motion {
    /// Matter that does not move.
    Static = 0b00,
    /// Air.
    Gas = 0b01,
    /// Matter that falls and slides.
    Powder = 0b10,
    /// Matter that flows.
    Liquid = 0b11,
}

/// A set of kinds: bit `i` is set if kind `i` is in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct RuleKindSet(pub u128);

impl RuleKindSet {
    /// All kinds.
    pub const ALL: RuleKindSet = RuleKindSet(u128::MAX);

    /// True if both sets have a kind in common.
    pub fn meets(self, other: RuleKindSet) -> bool {
        self.0 & other.0 != 0
    }

    /// True if this set contains all kinds of the other set.
    pub fn holds(self, other: RuleKindSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// The kinds of both sets.
    pub fn union(self, other: RuleKindSet) -> RuleKindSet {
        RuleKindSet(self.0 | other.0)
    }
}

/// A kind of voxel that the rules distinguish.
#[derive(Clone, Copy, Debug)]
struct RuleKind {
    code: u8,
    /// The kind's only material; `None` if it has several. Voxels of a kind with one material may
    /// appear and move.
    material: Option<MaterialId>,
    /// True if water stands in what the kind leaves free.
    takes_water: bool,
}

/// The kinds of a rule set.
#[derive(Clone, Debug)]
pub(super) struct RuleKinds {
    /// Kind of each material. Materials beyond the list are of the first kind.
    of_material: Vec<u8>,
    kinds: Vec<RuleKind>,
    /// Kind of each code.
    of_code: Vec<u8>,
    /// Bits of a code.
    planes: usize,
    /// The kind of the map's water; empty if it has none.
    water: RuleKindSet,
}

/// Error: the rules need more kinds than there are codes.
#[derive(Debug)]
pub(super) struct TooManyKinds;

/// All that rules distinguish about materials.
pub(super) struct Distinctions<'a> {
    /// The materials of the map.
    pub materials: &'a MaterialTable,
    /// Motions of the materials that rules move.
    pub(crate) motions: &'a FxHashMap<MaterialId, Motion>,
    /// Materials that rules put into the world.
    pub products: &'a [MaterialId],
    /// Solids into which no water flows, because rules change their amounts.
    pub dry: &'a [MaterialId],
    /// Sets of materials for which rules test.
    pub sets: &'a [MaterialSet],
}

/// A set of materials.
#[derive(Clone, Debug, Default)]
pub(super) struct MaterialSet {
    /// Materials, by index.
    pub materials: Vec<MaterialId>,
    /// Kinds of matter all of whose materials are in the set.
    pub matters: Vec<Matter>,
}

impl MaterialSet {
    fn contains(&self, id: MaterialId, matter: Matter) -> bool {
        self.materials.contains(&id) || self.matters.contains(&matter)
    }
}

impl RuleKinds {
    /// Derives the kinds from distinctions. Also returns the kinds in each of the sets that rules
    /// test for.
    pub fn new(from: &Distinctions<'_>) -> Result<(RuleKinds, Vec<RuleKindSet>), TooManyKinds> {
        let mut known: FxHashMap<(Motion, Option<MaterialId>, bool, Vec<bool>), u8> =
            FxHashMap::default();
        let water = from.materials.water();
        let mut kinds = RuleKinds {
            of_material: Vec::new(),
            kinds: Vec::new(),
            of_code: Vec::new(),
            planes: 0,
            water: RuleKindSet::default(),
        };
        let mut sets = vec![RuleKindSet::default(); from.sets.len()];
        let mut used = [0u8; 4];
        // The first kind stands for materials missing from the table. They count as solid.
        let listed = from.materials.iter().map(|(id, material)| (id, material.matter));
        for (id, matter) in std::iter::once((MaterialId::MAX, Matter::Solid)).chain(listed) {
            let motion = match from.motions.get(&id) {
                Some(&motion) => motion,
                None if matter == Matter::Gas => Motion::Gas,
                None => Motion::Static,
            };
            let is_water = water == Some(id);
            let is_single = motion != Motion::Static || from.products.contains(&id) || is_water;
            let is_fluid = matches!(matter, Matter::Gas | Matter::Liquid);
            // Nothing is known of materials missing from the table.
            let takes_water = !is_fluid
                && motion != Motion::Liquid
                && id != MaterialId::MAX
                && !from.dry.contains(&id);
            let members: Vec<bool> = from.sets.iter().map(|set| set.contains(id, matter)).collect();
            let number = kinds.kinds.len();
            let kind = *known
                .entry((motion, is_single.then_some(id), takes_water, members.clone()))
                .or_insert(number as u8);
            if usize::from(kind) == number {
                let next = &mut used[motion as usize];
                if number == MAX_KINDS || usize::from(*next) == 1 << (MAX_CODE_PLANES - MOTION_BITS)
                {
                    return Err(TooManyKinds);
                }
                let code = motion as u8 | *next << MOTION_BITS;
                *next += 1;
                let material = is_single.then_some(id);
                kinds.kinds.push(RuleKind { code, material, takes_water });
                if is_water {
                    kinds.water = RuleKindSet(1 << number);
                }
                for (set, _) in sets.iter_mut().zip(members).filter(|(_, is_member)| *is_member) {
                    set.0 |= 1 << number;
                }
            }
            if id != MaterialId::MAX {
                kinds.of_material.push(kind);
            }
        }
        let max_code = kinds.kinds.iter().map(|kind| kind.code).max().unwrap_or(0);
        kinds.planes = MOTION_BITS.max((u8::BITS - max_code.leading_zeros()) as usize);
        kinds.of_code = vec![0; 1 << kinds.planes];
        for (number, kind) in kinds.kinds.iter().enumerate() {
            kinds.of_code[usize::from(kind.code)] = number as u8;
        }
        Ok((kinds, sets))
    }

    /// Number of bits of a code.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// Number of the kind of a voxel. Wet voxels of a solid that a rule moves as a liquid are of the
    /// first kind, which no rule moves or changes: their liquid would get in the way.
    #[inline]
    fn number(&self, voxel: Voxel) -> usize {
        let of_material = self.of_material.get(usize::from(voxel.material()));
        let number = of_material.map_or(0, |&kind| kind.into());
        let flows = || self.kinds[number].code & MOTION_MASK == Motion::Liquid as u8;
        if voxel.is_wet() && flows() { 0 } else { number }
    }

    /// The kind of a voxel, as a set.
    pub(crate) fn set_of(&self, voxel: Voxel) -> RuleKindSet {
        RuleKindSet(1 << self.number(voxel))
    }

    /// The map's water; empty if it has none.
    pub(crate) fn water(&self) -> RuleKindSet {
        self.water
    }

    /// The solids that take water in what they leave free.
    pub(crate) fn taking_water(&self) -> RuleKindSet {
        self.set_where(|kind| kind.takes_water)
    }

    /// Air and all other gas.
    pub(crate) fn gases(&self) -> RuleKindSet {
        self.set_where(|kind| kind.code & MOTION_MASK == Motion::Gas as u8)
    }

    /// Gas and liquids.
    pub(crate) fn fluids(&self) -> RuleKindSet {
        self.set_where(|kind| kind.code & Motion::Gas as u8 != 0)
    }

    fn set_where(&self, is_member: impl Fn(&RuleKind) -> bool) -> RuleKindSet {
        let kinds = self.kinds.iter().enumerate().filter(|(_, kind)| is_member(kind));
        kinds.fold(RuleKindSet::default(), |all, (number, _)| RuleKindSet(all.0 | 1 << number))
    }

    /// Code of the kind of a voxel.
    #[inline]
    pub fn code(&self, voxel: Voxel) -> u8 {
        self.kinds[self.number(voxel)].code
    }

    /// Code of air.
    pub(crate) fn air_code(&self) -> u8 {
        self.code(Voxel::AIR)
    }

    /// The kind with this code, as a set.
    pub(crate) fn set_of_code(&self, code: u8) -> RuleKindSet {
        RuleKindSet(1 << self.of_code[usize::from(code)])
    }

    /// The kinds of a set that consist of a single material.
    pub fn single(&self, set: RuleKindSet) -> RuleKindSet {
        let kinds = self.kinds.iter().enumerate().filter(|(_, kind)| kind.material.is_some());
        RuleKindSet(kinds.fold(0, |all, (number, _)| all | 1 << number) & set.0)
    }

    /// Code of the only kind of a set.
    pub(crate) fn code_of(&self, set: RuleKindSet) -> u8 {
        self.kinds[set.0.trailing_zeros() as usize].code
    }

    /// The only material of the kind with this code; `None` if it has several.
    #[inline]
    pub fn material(&self, code: usize) -> Option<MaterialId> {
        self.kinds[usize::from(self.of_code[code])].material
    }

    /// A test for the voxels of these kinds.
    pub fn test(&self, set: RuleKindSet) -> Test {
        let codes = |wanted: bool| {
            let kinds = self.kinds.iter().enumerate();
            let codes = kinds
                .filter(|(number, _)| (set.0 >> number & 1 == 1) == wanted)
                .map(|(_, kind)| kind.code);
            codes.collect::<Vec<u8>>()
        };
        let members = codes(true);
        let others = codes(false);
        let motion = |code: &u8| code & MOTION_MASK;
        let shared = members
            .first()
            .map(motion)
            .filter(|shared| members.iter().all(|code| motion(code) == *shared));
        let is_motion =
            shared.is_some_and(|shared| others.iter().all(|code| motion(code) != shared));
        let is_negated = shared.is_none() && others.len() < members.len();
        let codes = if is_negated { others } else { members };
        let masks =
            |code: u8| std::array::from_fn(|bit| if code >> bit & 1 == 1 { 0 } else { u32::MAX });
        Test {
            motion: shared.map(|motion| motion.into()),
            codes: if is_motion { Vec::new() } else { codes.into_iter().map(masks).collect() },
            is_motion,
            planes: self.planes,
            is_negated,
        }
    }
}

/// Test for the voxels of some kinds in a block. Compares as few codes as possible, because it runs
/// in the innermost loops.
#[derive(Clone, Debug)]
pub(super) struct Test {
    /// Motion of the kinds, if it is the same for all.
    motion: Option<usize>,
    /// True if the test is for all kinds with this motion.
    is_motion: bool,
    /// Masks of the codes to compare: all ones for the bits that are 0 in the code.
    codes: Vec<[u32; MAX_CODE_PLANES]>,
    /// Number of bits of a code.
    planes: usize,
    /// True if `codes` lists the kinds that fail the test.
    is_negated: bool,
}

impl Test {
    /// Motion of these kinds, if it is the same for all and not static.
    pub fn motion(&self) -> Option<Motion> {
        [Motion::Gas, Motion::Powder, Motion::Liquid]
            .into_iter()
            .find(|&motion| self.motion == Some(motion as usize))
    }

    /// The voxels of these kinds, from the bits of a block's codes.
    #[inline(always)]
    pub fn find(&self, block: &[Rows]) -> Rows {
        let moves = match self.motion {
            Some(motion) => {
                (block[0] ^ Rows::splat(motion & 1 == 0))
                    & (block[1] ^ Rows::splat(motion & 2 == 0))
            }
            None => Rows::ALL,
        };
        if self.is_motion || moves.is_empty() { moves } else { self.find_among(block, moves) }
    }

    /// The voxels of these kinds among the candidates `moves`.
    fn find_among(&self, block: &[Rows], moves: Rows) -> Rows {
        let mut found = Rows::splat(self.is_negated);
        for masks in &self.codes {
            let bits = block[..self.planes].iter().zip(masks);
            found ^= bits.fold(moves, |equal, (rows, mask)| equal & (*rows ^ Rows([*mask; 8])));
        }
        found
    }
}

/// Voxels of gas and liquids, into which powder sinks.
#[inline(always)]
pub(super) fn fluid(block: &[Rows]) -> Rows {
    block[0]
}

/// Voxels of gas.
#[inline(always)]
pub(super) fn gas(block: &[Rows]) -> Rows {
    block[0] & !block[1]
}
