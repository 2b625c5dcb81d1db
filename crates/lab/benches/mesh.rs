//! The mesher compared with other crates' meshers, on the same stored chunks.
//!
//! `cargo bench --bench mesh [-- [--json] INPUT...]` meshes maps and importable files; without an
//! input, the worlds that `stonerun lab mesh` generates.
//!
//! The other meshers read arrays, so their times include unpacking the chunk and the neighbouring
//! voxels they need: each run is written straight into the array and into their bit masks. They
//! draw no crossed sheets, treat every box as full, and compute no ambient occlusion, except that
//! block-mesh-bgm does not merge quads whose occlusion differs.

use binary_greedy_meshing as bgm;
use block_mesh::ndshape::ConstShape3u32;
use block_mesh::{MergeVoxel, RIGHT_HANDED_Y_UP_CONFIG, VoxelVisibility};
use block_mesh_bgm::{BinaryGreedyQuadsBuffer, binary_greedy_quads_ao_safe};
use glam::IVec3;
use std::path::Path;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::runs::RunTree;
use stonerun_engine::runs::moore::ChunkNeighbourhoodRef;
use stonerun_engine::voxel::{
    MaterialTable, Matter, Opacity, Voxel, linear_index, neighbour_index, neighbour_offsets,
};
use stonerun_lab::mesh::{MeshFigures, MeshInput, MeshMeasurement, Mesher, game_mesher, measure};

/// Number of rounds, the median of which counts.
const ROUNDS: usize = 9;
/// Side of a chunk with one more voxel on both sides.
const PADDED: usize = 34;
/// Bit that marks an opaque material.
const OPAQUE: u16 = 1 << 15;
/// Bit that marks a see-through material.
const SEE_THROUGH: u16 = 1 << 14;

/// A chunk and the voxels around it as an array, x fastest, then z, then y.
struct Unpacked<T> {
    voxels: Vec<T>,
    /// Opaque voxels: bit x of the word z + 34 y.
    opaque: Vec<u64>,
    see_through: Vec<u64>,
    /// Value of each palette entry of the chunk that is being unpacked.
    values: Vec<u16>,
}

/// Material of a voxel with its mark; 0 for voxels that are not drawn as boxes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct MarkedMaterial(u16);

impl From<u16> for MarkedMaterial {
    fn from(value: u16) -> MarkedMaterial {
        MarkedMaterial(value)
    }
}

impl block_mesh::Voxel for MarkedMaterial {
    fn get_visibility(&self) -> VoxelVisibility {
        match self.0 & (OPAQUE | SEE_THROUGH) {
            0 => VoxelVisibility::Empty,
            OPAQUE => VoxelVisibility::Opaque,
            _ => VoxelVisibility::Translucent,
        }
    }
}

impl MergeVoxel for MarkedMaterial {
    type MergeValue = u16;

    fn merge_value(&self) -> u16 {
        self.0
    }
}

/// Value of each material in the arrays.
struct MaterialValues(Vec<u16>);

impl MaterialValues {
    fn new(table: &MaterialTable) -> MaterialValues {
        let value =
            |(id, material): (u16, &stonerun_engine::voxel::Material)| match material.opacity {
                _ if material.matter == Matter::Gas || material.shape.is_model() => 0,
                Opacity::Opaque => id | OPAQUE,
                _ => id | SEE_THROUGH,
            };
        MaterialValues(table.iter().map(value).collect())
    }

    fn get(&self, voxel: Voxel) -> u16 {
        self.0.get(usize::from(voxel.material())).copied().unwrap_or(0)
    }
}

impl<T: Copy + From<u16>> Unpacked<T> {
    fn new() -> Unpacked<T> {
        Unpacked {
            voxels: vec![T::from(0); PADDED.pow(3)],
            opaque: vec![0; PADDED * PADDED],
            see_through: vec![0; PADDED * PADDED],
            values: Vec::new(),
        }
    }

    /// Unpacks the chunk, and those of its 26 neighbours that `needed` accepts.
    fn read(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &MaterialValues,
        needed: impl Fn(IVec3) -> bool,
    ) {
        self.opaque.fill(0);
        self.see_through.fill(0);
        for offset in neighbour_offsets().filter(|&offset| needed(offset)) {
            let tree = chunks.chunks[neighbour_index(offset)];
            self.values.clear();
            match tree {
                Some(tree) => self.values.extend(tree.values().map(|voxel| materials.get(voxel))),
                None => self.values.push(0),
            }
            self.read_part(tree, offset);
        }
    }

    fn read_part(&mut self, tree: Option<&RunTree>, offset: IVec3) {
        let side = |step: i32| match step {
            -1 => 31..32,
            0 => 0..32,
            _ => 0..1,
        };
        let ys = side(offset.y);
        let zs = side(offset.z);
        let xs = side(offset.x);
        let row_of = |y: usize, z: usize| {
            let at = |local: usize, step: i32| (local as i32 + 1 + 32 * step) as usize;
            at(y, offset.y) * PADDED + at(z, offset.z)
        };
        let first_x = (xs.start as i32 + 1 + 32 * offset.x) as usize;
        let Some(tree) = tree.filter(|tree| tree.as_uniform().is_none()) else {
            for y in ys {
                for z in zs.clone() {
                    self.write(row_of(y, z), first_x, xs.len(), 0);
                }
            }
            return;
        };
        let whole = |range: &std::ops::Range<usize>| range.len() == 32;
        if whole(&xs) && whole(&zs) {
            let first = ys.start * 1024;
            tree.for_each_coded(first..first + 1024 * ys.len(), |start, end, code| {
                let mut at = start;
                while at < end {
                    let stop = end.min((at | 31) + 1);
                    self.write(row_of(at / 1024, at / 32 % 32), 1 + at % 32, stop - at, code);
                    at = stop;
                }
            });
        } else if whole(&xs) {
            for y in ys {
                let first = linear_index(IVec3::new(0, y as i32, zs.start as i32));
                tree.for_each_coded(first..first + 32, |start, end, code| {
                    self.write(row_of(y, zs.start), 1 + start % 32, end - start, code);
                });
            }
        } else if whole(&zs) {
            let first = ys.start * 1024;
            let x = xs.start;
            tree.for_each_coded(first..first + 1024 * ys.len(), |start, end, code| {
                for at in ((start + 31 - x) / 32 * 32 + x..end).step_by(32) {
                    self.write(row_of(at / 1024, at / 32 % 32), first_x, 1, code);
                }
            });
        } else {
            for y in ys {
                let at = linear_index(IVec3::new(xs.start as i32, y as i32, zs.start as i32));
                tree.for_each_coded(at..at + 1, |_, _, code| {
                    self.write(row_of(y, zs.start), first_x, 1, code)
                });
            }
        }
    }

    /// Writes `len` voxels of the palette entry `code` into a row, from `x` on.
    fn write(&mut self, row: usize, x: usize, len: usize, code: usize) {
        let value = self.values[code];
        self.voxels[row * PADDED + x..][..len].fill(T::from(value));
        let bits = (u64::MAX >> (64 - len)) << x;
        if value & OPAQUE != 0 {
            self.opaque[row] |= bits;
        } else if value != 0 {
            self.see_through[row] |= bits;
        }
    }
}

/// `binary-greedy-meshing`: 8 bytes per quad.
fn binary_greedy(materials: &MaterialValues) -> Mesher<'_> {
    let mut unpacked = Unpacked::<u16>::new();
    let mut mesher = bgm::Mesher::<32>::new();
    let mesh = move |chunks: &ChunkNeighbourhoodRef<'_>| {
        unpacked.read(chunks, materials, |offset| offset.abs().element_sum() < 2);
        mesher.clear();
        mesher.fast_mesh(&unpacked.voxels, &unpacked.opaque, &unpacked.see_through);
        let quads = mesher.quads.iter().map(Vec::len).sum();
        MeshFigures { quads, gpu_bytes: 8 * quads }
    };
    Mesher { name: "binary-greedy-meshing", mesh: Box::new(mesh) }
}

/// `block-mesh-bgm`, whose quads do not merge across differences of ambient occlusion. It leaves
/// the vertex format to the program; 8 bytes per quad are counted.
fn ao_safe(materials: &MaterialValues) -> Mesher<'_> {
    const LAST: u32 = PADDED as u32 - 1;
    let mut unpacked = Unpacked::<MarkedMaterial>::new();
    let mut buffer = BinaryGreedyQuadsBuffer::new();
    let mesh = move |chunks: &ChunkNeighbourhoodRef<'_>| {
        unpacked.read(chunks, materials, |_| true);
        let shape = ConstShape3u32::<34, 34, 34> {};
        let faces = &RIGHT_HANDED_Y_UP_CONFIG.faces;
        binary_greedy_quads_ao_safe(
            &unpacked.voxels,
            &shape,
            [0; 3],
            [LAST; 3],
            faces,
            &mut buffer,
        );
        let quads = buffer.quads.num_quads();
        MeshFigures { quads, gpu_bytes: 8 * quads }
    };
    Mesher { name: "block-mesh-bgm, AO-safe", mesh: Box::new(mesh) }
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let paths: Vec<&String> =
        arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let mut inputs = Vec::new();
    for path in paths {
        match MeshInput::from_file(Path::new(path), &mut |_| {}) {
            Ok(input) => inputs.push(input),
            Err(error) => {
                eprintln!("{error}");
                std::process::exit(1);
            }
        }
    }
    if inputs.is_empty() {
        inputs = MeshInput::built_in();
    }
    for input in &inputs {
        let face_materials = FaceMaterials::new(&input.materials);
        let values = MaterialValues::new(&input.materials);
        let mut meshers = [game_mesher(&face_materials), binary_greedy(&values), ao_safe(&values)];
        let rows = measure(input, &mut meshers, ROUNDS, &mut |_| {});
        for row in &rows {
            print(row, &rows[0], input.chunks.len(), json);
        }
    }
}

/// Prints a row, with the ratio between the time of the game's mesher and its own.
fn print(row: &MeshMeasurement, game: &MeshMeasurement, chunks: usize, json: bool) {
    if json {
        println!("{}", serde_json::to_string(row).expect("a row of numbers and text"));
        return;
    }
    println!(
        "{:<24} {chunks:>4} chunks {:<24} {:>7.1} us per chunk ({:.2}) {:>9} quads ({:.2}) {:>10} bytes",
        row.input,
        row.mesher,
        row.us_per_chunk,
        game.us_per_chunk / row.us_per_chunk,
        row.quads,
        game.quads as f64 / row.quads as f64,
        row.gpu_bytes
    );
}
