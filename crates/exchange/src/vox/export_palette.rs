//! Mapping of a scene's materials to the 255 colours of a `.vox` file.
//!
//! A material gets its mean colour. Two materials of the same colour keep two entries, so both
//! names survive a round trip. Materials beyond 255 share the most similar entry, which is counted
//! as a loss.
//!
//! MagicaVoxel has no names for colours. A name is stored in a property of the colour's material
//! (chunk MATL) under a key that other programs leave alone: `_stonerun` = `#7cb342 grass`. The
//! value repeats the colour, so that the name is ignored if someone has changed the colour since.

use super::chunk_writer::VoxChunkWriter;
use crate::scene::{ExportLosses, Scene, as_whole_block};
use rustc_hash::FxHashMap;
use stonerun_engine::mesh::{TextureStrip, srgb_to_linear};
use stonerun_engine::voxel::{Material, MaterialId, Opacity};

/// Property of a colour's material that holds the colour's name.
const KEY: &str = "_stonerun";
/// Longest stored name, in bytes.
const MAX_NAME_BYTES: usize = 256;
/// Number of colours in a palette. Index 0 means no voxel.
const MAX_COLOURS: usize = 255;

/// Stored form of a colour's name: the colour and the name.
fn label([r, g, b]: [u8; 3], name: &str) -> String {
    format!("#{r:02x}{g:02x}{b:02x} {name}")
}

/// The name in the property [`KEY`], if it belongs to `colour` and is valid for a material.
pub(super) fn name_of(colour: [u8; 3], vox_material: &dot_vox::Material) -> Option<&str> {
    let text = vox_material.properties.get(KEY)?;
    let name = text.strip_prefix(&label(colour, ""))?;
    is_readable_name(name).then_some(name)
}

/// True if [`name_of`] accepts the name.
fn is_readable_name(name: &str) -> bool {
    let is_sound =
        !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.contains(char::is_control);
    // The name of air would remove the voxel.
    is_sound && name != "air"
}

/// One entry of the palette.
struct PaletteColour {
    material: Material,
    colour: [u8; 3],
}

impl PaletteColour {
    /// The entry of a material, with its mean colour.
    fn new(material: Material, tiles: &TextureStrip) -> PaletteColour {
        PaletteColour { colour: tiles.colour_of(&material), material }
    }
}

/// Counts of the voxels that a file holds.
#[derive(Default)]
struct WrittenVoxels {
    /// Voxels by material.
    counts: FxHashMap<MaterialId, u64>,
    /// Voxels of the scene that lose the water in what their matter leaves free.
    without_water: u64,
    /// Voxels of the scene that are written with another height.
    heights: u64,
    /// Voxels of the scene whose ground is left out.
    shallow_ground: u64,
}

impl WrittenVoxels {
    fn new(scene: &Scene) -> WrittenVoxels {
        let mut voxels = WrittenVoxels::default();
        for run in scene.world.chunks().flat_map(|(_, chunk)| chunk.runs()) {
            let written = as_whole_block(run.voxel, &scene.materials);
            let len = u64::from(run.len);
            if !written.is_air() {
                *voxels.counts.entry(written.material()).or_default() += len;
            }
            let loses_water =
                run.voxel.is_wet() && Some(written.material()) != scene.materials.water();
            let is_left_out = written.material() != run.voxel.material();
            voxels.shallow_ground += if is_left_out { len } else { 0 };
            // Every block of the file is full, also the water that shallow ground stands in.
            let height = if is_left_out { written } else { run.voxel };
            voxels.heights += if height.is_air() || height.is_full() { 0 } else { len };
            voxels.without_water += if loses_water { len } else { 0 };
        }
        voxels
    }
}

/// The palette of an exported scene.
pub(super) struct ExportPalette {
    /// Entries in order; the first has index 1 in the file.
    entries: Vec<PaletteColour>,
    index_of: FxHashMap<MaterialId, u8>,
    /// Number of materials that share another material's entry.
    pub(super) merged: usize,
    /// Parts of the scene that the palette cannot hold.
    pub(super) losses: ExportLosses,
}

impl ExportPalette {
    /// Gives an entry to each material that is written, or to the most frequent 255.
    pub(super) fn new(scene: &Scene, tiles: &TextureStrip) -> ExportPalette {
        let written = WrittenVoxels::new(scene);
        let mut used: Vec<(MaterialId, u64)> =
            written.counts.iter().map(|(&id, &count)| (id, count)).collect();
        used.sort_unstable_by_key(|&(id, count)| (std::cmp::Reverse(count), id));
        let merged = used.split_off(used.len().min(MAX_COLOURS));
        used.sort_unstable();
        let entries: Vec<PaletteColour> =
            used.iter().map(|&(id, _)| PaletteColour::new(scene.material(id), tiles)).collect();
        // At most 255, so indices fit into a byte.
        let mut index_of: FxHashMap<MaterialId, u8> =
            used.iter().enumerate().map(|(i, &(id, _))| (id, (i + 1) as u8)).collect();
        let merged_materials = merged.len();
        let mut losses = ExportLosses::default();
        for (entry, &(_, count)) in entries.iter().zip(&used) {
            losses.names += if is_readable_name(&entry.material.name) { 0 } else { count };
        }
        for (id, count) in merged {
            let lost = PaletteColour::new(scene.material(id), tiles);
            let candidates =
                entries.iter().enumerate().map(|(i, other)| (distance(&lost, other), i));
            // `merged` is not empty, so there are 255 entries to choose from.
            let (_, i) = candidates.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
            losses.colours += count;
            index_of.insert(id, (i + 1) as u8);
        }
        for (&id, &count) in &written.counts {
            let Material { shape, opacity, light, .. } = scene.material(id);
            match opacity {
                // They become whole blocks, and count as voxels of another height.
                _ if shape.hewn_eighths().is_some() => {}
                _ if shape.is_model() => losses.sheets += count,
                // A see-through material that emits light is written as emitting.
                Opacity::Translucent if light == 0 => {}
                Opacity::Translucent | Opacity::CutOut => losses.see_through += count,
                Opacity::Opaque => {}
            }
        }
        losses.heights = written.heights;
        losses.shallow_ground = written.shallow_ground;
        losses.water = written.without_water;
        ExportPalette { entries, index_of, merged: merged_materials, losses }
    }

    /// Number of colours in use.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Index of a material's colour, from 1; 0 if the scene lacks the material.
    pub(super) fn index_of(&self, id: MaterialId) -> u8 {
        self.index_of.get(&id).copied().unwrap_or(0)
    }

    /// The palette chunk and a material chunk for each colour.
    pub(super) fn write(&self) -> VoxChunkWriter {
        let mut palette = [0; 1024];
        for (rgba, PaletteColour { colour: [r, g, b], material }) in
            palette.chunks_exact_mut(4).zip(&self.entries)
        {
            // A material cannot be both emitting and glass. The importer treats an alpha below 255
            // as glass, so 254 preserves both.
            let alpha = if material.light > 0 && material.opacity == Opacity::Translucent {
                254
            } else {
                255
            };
            rgba.copy_from_slice(&[*r, *g, *b, alpha]);
        }
        self.entries.iter().enumerate().fold(
            VoxChunkWriter::default().chunk("RGBA", &palette),
            |out, (i, entry)| {
                let label = label(entry.colour, &entry.material.name);
                let emit = emission(entry.material.light);
                let mut properties = match (entry.material.light, entry.material.opacity) {
                    (1.., _) => vec![("_type", "_emit"), ("_emit", &emit)],
                    (0, Opacity::Translucent) => {
                        vec![("_type", "_glass"), ("_alpha", "0.5"), ("_trans", "0.5")]
                    }
                    (0, _) => vec![("_type", "_diffuse")],
                };
                if is_readable_name(&entry.material.name) {
                    properties.push((KEY, &label));
                }
                out.material(i + 1, &properties)
            },
        )
    }
}

/// Emission of a material, 0 to 1: slightly less than `light / 15`, because the importer rounds up.
fn emission(light: u8) -> String {
    format!("{:.3}", (f32::from(light) - 0.1) / 15.0)
}

/// Difference of two materials: the sum of the squared differences of the square roots of the
/// linear channels. A difference in translucency or emission outweighs all colours.
fn distance(a: &PaletteColour, b: &PaletteColour) -> f32 {
    let kind = |entry: &PaletteColour| {
        (entry.material.opacity == Opacity::Translucent, entry.material.light > 0)
    };
    let channels = a
        .colour
        .into_iter()
        .zip(b.colour)
        .map(|(a, b)| (srgb_to_linear(a).sqrt() - srgb_to_linear(b).sqrt()).powi(2));
    channels.sum::<f32>() + if kind(a) == kind(b) { 0.0 } else { 10.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneBuilder;
    use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
    use stonerun_engine::world::Chunk;

    fn material_named(text: &str) -> dot_vox::Material {
        dot_vox::Material {
            id: 1,
            properties: [(KEY.to_owned(), text.to_owned())].into_iter().collect(),
        }
    }

    #[test]
    fn name_is_valid_only_with_its_own_colour() {
        let colour = [0x7c, 0xb3, 0x42];
        assert_eq!(label(colour, "grass"), "#7cb342 grass");
        assert_eq!(name_of(colour, &material_named("#7cb342 grass")), Some("grass"));
        assert_eq!(name_of(colour, &material_named("#7cb342 two words")), Some("two words"));
        let long = format!("#7cb342 {}", "x".repeat(MAX_NAME_BYTES + 1));
        for bad in [
            "#7cb343 grass",
            "#7cb342 air",
            "#7cb342 ",
            "#7cb342",
            "grass",
            "",
            "#7cb342 a\nb",
            &long,
        ] {
            assert_eq!(name_of(colour, &material_named(bad)), None, "{bad:?}");
        }
    }

    #[test]
    fn emission_round_trips_every_light_level() {
        for light in 1..=15u8 {
            let read: f32 = emission(light).parse().unwrap();
            assert_eq!((read * 15.0).ceil() as u8, light);
        }
    }

    #[test]
    fn rarest_materials_share_the_most_similar_colour() {
        // 254 greys and a red fill the palette; three rarer materials have to share entries.
        let mut materials = MaterialTable::from_list(vec![Material::plain("air", [0; 3])]).unwrap();
        let mut add = |name: &str, colour| materials.add(Material::plain(name, colour)).unwrap();
        for i in 1..=254u8 {
            assert_eq!(add(&format!("grey{i}"), [i; 3]), u16::from(i));
        }
        add("red", [200, 10, 10]);
        add("dark red", [150, 10, 10]);
        add("light grey", [240, 240, 242]);
        let glass =
            Material { opacity: Opacity::Translucent, ..Material::plain("glass", [100; 3]) };
        materials.add(glass).unwrap();
        let runs = (1..=258u16).map(|id| (if id <= 255 { 2 } else { 1 }, Voxel::full(id)));
        let chunk = Chunk::from_runs(runs.chain([(32768 - 255 * 2 - 3, Voxel::AIR)]));
        let mut builder = SceneBuilder::new(None);
        builder.add(ChunkPos::default(), chunk);
        let colours = ExportPalette::new(
            &builder.finish(materials).unwrap(),
            &TextureStrip::embedded().unwrap(),
        );
        assert_eq!((colours.len(), colours.index_of(254), colours.index_of(255)), (255, 254, 255));
        assert_eq!([256, 257, 999].map(|id| colours.index_of(id)), [255, 241, 0]);
        // No other material is glass, so it shares the entry of the grey with the same colour.
        assert_eq!(colours.index_of(258), 100);
        let losses = ExportLosses { colours: 3, ..ExportLosses::default() };
        assert_eq!((colours.merged, colours.losses), (3, losses));
    }
}
