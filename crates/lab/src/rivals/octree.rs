//! The octree with collapsed uniform nodes, the 0fps text's third store.
//!
//! Nodes of eight children lie in one array, with four bytes per child: the ID of a leaf, or the
//! index of the child's node. A node takes 32 bytes, half a cache line, and there are no pointers.

use super::Store;
use crate::input::{NumberedWorld, VoxelId};
use glam::{IVec3, UVec3};

/// Flag of a leaf. The other bits are the leaf's ID.
const LEAF: u32 = 1 << 31;

/// A cube whose side is a power of two, subdivided into octants.
pub struct Octree {
    min: IVec3,
    /// Log2 of the side.
    height: u32,
    root: u32,
    nodes: Vec<[u32; 8]>,
    /// Indices of unused nodes, which are reused.
    free: Vec<u32>,
}

/// Index of the child that contains `at`, in a node whose children are `1 << level` wide. Children
/// are ordered x fastest, then z, then y.
#[inline]
fn child(at: UVec3, level: u32) -> usize {
    ((at.x >> level & 1) | (at.z >> level & 1) << 1 | (at.y >> level & 1) << 2) as usize
}

/// Pairs of children along each axis: the children on the low side, and the distance from their
/// index to the index of the neighbour on the high side.
const PAIRS: [([usize; 4], usize); 3] = [([0, 2, 4, 6], 1), ([0, 1, 2, 3], 4), ([0, 1, 4, 5], 2)];

impl Octree {
    fn new_node(&mut self, node: [u32; 8]) -> u32 {
        if let Some(index) = self.free.pop() {
            self.nodes[index as usize] = node;
            return index;
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    /// Builds the cube at `at`, `1 << level` wide, and collapses it from the bottom up. Missing
    /// chunks are air.
    fn build_cube(&mut self, input: &NumberedWorld, at: UVec3, level: u32) -> u32 {
        if level == 5 {
            let pos = stonerun_engine::voxel::ChunkPos::containing(self.min + at.as_ivec3());
            return match input.dense_chunk(pos) {
                Some(dense) => self.build_in_chunk(&dense, UVec3::ZERO, 5),
                None => LEAF,
            };
        }
        let children =
            std::array::from_fn(|i| self.build_cube(input, at + corner(i, level - 1), level - 1));
        self.join(children)
    }

    /// Builds the cube at `at` inside a chunk.
    fn build_in_chunk(&mut self, dense: &[VoxelId; 32768], at: UVec3, level: u32) -> u32 {
        if level == 0 {
            return LEAF | u32::from(dense[(at.x | at.z << 5 | at.y << 10) as usize]);
        }
        let children = std::array::from_fn(|i| {
            self.build_in_chunk(dense, at + corner(i, level - 1), level - 1)
        });
        self.join(children)
    }

    /// The node with these children, or one leaf if all are equal leaves.
    fn join(&mut self, children: [u32; 8]) -> u32 {
        if children[0] & LEAF != 0 && children.iter().all(|&c| c == children[0]) {
            return children[0];
        }
        self.new_node(children)
    }

    /// Sets one voxel below `node` to `leaf`; returns the replacement of `node`.
    fn put(&mut self, node: u32, at: UVec3, level: u32, leaf: u32) -> u32 {
        if level == 0 || node == leaf {
            return leaf;
        }
        // A leaf becomes a node of equal children.
        let index = if node & LEAF != 0 { self.new_node([node; 8]) } else { node };
        let which = child(at, level - 1);
        let there = self.nodes[index as usize][which];
        let new = self.put(there, at, level - 1, leaf);
        self.nodes[index as usize][which] = new;
        let children = self.nodes[index as usize];
        if new & LEAF != 0 && children.iter().all(|&c| c == new) {
            self.free.push(index);
            return new;
        }
        index
    }

    /// Counts the voxels below `node`.
    fn count(&self, node: u32, level: u32, counts: &mut [u64]) {
        if node & LEAF != 0 {
            counts[(node & !LEAF) as usize] += 1 << (3 * level);
        } else {
            for &c in &self.nodes[node as usize] {
                self.count(c, level - 1, counts);
            }
        }
    }

    /// Counts the faces inside a node.
    fn faces_in(&self, node: u32, level: u32, counts: &mut [u64]) {
        if node & LEAF != 0 {
            return;
        }
        let children = &self.nodes[node as usize];
        for (axis, (low, step)) in PAIRS.iter().enumerate() {
            for &i in low {
                self.faces_between([children[i], children[i + step]], axis, level - 1, counts);
            }
        }
        for &c in children {
            self.faces_in(c, level - 1, counts);
        }
    }

    /// Child `i` of a node. A leaf is returned itself, because its children have the same content.
    fn octant(&self, node: u32, i: usize) -> u32 {
        if node & LEAF != 0 { node } else { self.nodes[node as usize][i] }
    }

    /// Counts the faces between two adjacent cubes of the same size, given in order along `axis`.
    fn faces_between(&self, pair: [u32; 2], axis: usize, level: u32, counts: &mut [u64]) {
        let [a, b] = pair;
        if a & b & LEAF != 0 {
            let a = (a & !LEAF) as usize;
            let b = (b & !LEAF) as usize;
            let faces = 1 << (2 * level);
            if a == 0 && b != 0 {
                counts[b] += faces;
            } else if b == 0 && a != 0 {
                counts[a] += faces;
            }
            return;
        }
        let (low, step) = &PAIRS[axis];
        for &i in low {
            // The high side of the lower cube touches the low side of the upper one.
            self.faces_between(
                [self.octant(a, i + step), self.octant(b, i)],
                axis,
                level - 1,
                counts,
            );
        }
    }
}

/// Offset of child `i` in a node whose children are `1 << level` wide.
fn corner(i: usize, level: u32) -> UVec3 {
    let i = i as u32;
    UVec3::new(i & 1, i >> 2 & 1, i >> 1 & 1) << level
}

impl Store for Octree {
    const NAME: &str = "octree";

    fn build(input: &NumberedWorld) -> Option<Octree> {
        let side = input.bounds.size().max_element() as u32;
        let height = side.next_power_of_two().trailing_zeros().max(5);
        let mut tree = Octree {
            min: input.bounds.min,
            height,
            root: LEAF,
            nodes: Vec::new(),
            free: Vec::new(),
        };
        tree.root = tree.build_cube(input, UVec3::ZERO, height);
        tree.nodes.shrink_to_fit();
        Some(tree)
    }

    #[inline]
    fn get(&self, at: IVec3) -> VoxelId {
        let by = (at - self.min).as_uvec3();
        if (by.max_element() >> self.height) != 0 {
            return 0;
        }
        let mut node = self.root;
        let mut level = self.height;
        while node & LEAF == 0 {
            level -= 1;
            node = self.nodes[node as usize][child(by, level)];
        }
        node as VoxelId
    }

    fn set(&mut self, at: IVec3, id: VoxelId) {
        let by = (at - self.min).as_uvec3();
        if (by.max_element() >> self.height) == 0 {
            self.root = self.put(self.root, by, self.height, LEAF | u32::from(id));
        }
    }

    fn count_voxels(&self, counts: &mut [u64]) {
        // The root may exceed the input's box; the excess is air.
        self.count(self.root, self.height, counts);
    }

    fn count_faces(&self, counts: &mut [u64]) {
        self.faces_in(self.root, self.height, counts);
        for axis in 0..3 {
            self.faces_between([LEAF, self.root], axis, self.height, counts);
            self.faces_between([self.root, LEAF], axis, self.height, counts);
        }
    }

    fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<[u32; 8]>() + self.free.capacity() * size_of::<u32>()
    }
}
