//! Materials become the 255 colours that a `.vox` file has.
//!
//! A colour is what its material looks like from afar, and two materials of one colour stay two, so that both names come
//! back. What there is no room for becomes the most alike of the others.
//!
//! MagicaVoxel has no names for single colours. They stand in a property of the colour's material (chunk MATL), under a key
//! of ours, which other programs leave alone: `_stonerun`, `#7cb342 grass`. The colour is repeated in front of the name: where
//! somebody has chosen another one since, the name means nothing any more.

use super::chunk_writer::ChunkWriter;
use crate::exchange::scene::Scene;
use crate::mesh::{TextureStrip, srgb_to_linear};
use crate::voxel::{Material, MaterialId, Opacity};
use rustc_hash::FxHashMap;

/// The key of a colour's name among its material's properties.
const KEY: &str = "_stonerun";
/// The longest name that is kept, in bytes.
const MAX_NAME_BYTES: usize = 256;
/// ExportPalette of a palette: index 0 is nothing.
const MAX_COLOURS: usize = 255;

/// How a colour's name is written down.
fn label([r, g, b]: [u8; 3], name: &str) -> String {
    format!("#{r:02x}{g:02x}{b:02x} {name}")
}

/// The name that the property [`KEY`] gives to a colour, if it is of this colour, and one that a material can have.
pub(super) fn name_of(colour: [u8; 3], matter: &dot_vox::Material) -> Option<&str> {
    let text = matter.properties.get(KEY)?;
    let name = text.strip_prefix(&label(colour, ""))?;
    let sound = !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.contains(char::is_control);
    // Air is where no voxel is.
    (sound && name != "air").then_some(name)
}

/// One colour of the palette.
struct PaletteColour {
    material: Material,
    colour: [u8; 3],
}

/// A palette for a scene.
pub(super) struct ExportPalette {
    /// From the first, index 1.
    entries: Vec<PaletteColour>,
    index_of: FxHashMap<MaterialId, u8>,
    /// Materials that share the colour of another, one line each.
    pub(super) warnings: Vec<String>,
}

impl ExportPalette {
    /// Chooses the colours for the materials that are there. If they are too many the most frequent keep theirs.
    pub(super) fn new(scene: &Scene, tiles: &TextureStrip) -> ExportPalette {
        let mut used: Vec<(MaterialId, u64)> = scene.counts.iter().map(|(&id, &count)| (id, count)).collect();
        used.sort_unstable_by_key(|&(id, count)| (std::cmp::Reverse(count), id));
        let merged = used.split_off(used.len().min(MAX_COLOURS));
        used.sort_unstable();
        let entry = |id: MaterialId| {
            let material = scene.material(id);
            PaletteColour { colour: tiles.colour_of(&material), material }
        };
        let entries: Vec<PaletteColour> = used.iter().map(|&(id, _)| entry(id)).collect();
        // At most 255: they fit into a byte.
        let mut index_of: FxHashMap<MaterialId, u8> =
            used.iter().enumerate().map(|(i, &(id, _))| (id, (i + 1) as u8)).collect();
        let mut warnings = Vec::new();
        for (id, count) in merged {
            let lost = entry(id);
            let alike = entries.iter().enumerate().map(|(i, other)| (distance(&lost, other), i));
            // There are 255 to choose from.
            let (_, i) = alike.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
            let (name, other) = (&lost.material.name, &entries[i].material.name);
            warnings.push(format!(
                "a .vox file has {MAX_COLOURS} colours: {count} voxels of {name} become {other}, the most alike"
            ));
            index_of.insert(id, (i + 1) as u8);
        }
        ExportPalette { entries, index_of, warnings }
    }

    /// The number of colours.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The index of a material's colour, from 1; 0 for one that the scene does not hold.
    pub(super) fn index_of(&self, id: MaterialId) -> u8 {
        self.index_of.get(&id).copied().unwrap_or(0)
    }

    /// The palette, and a material for each of its colours.
    pub(super) fn write(&self) -> ChunkWriter {
        let mut palette = [0; 1024];
        for (rgba, PaletteColour { colour: [r, g, b], material }) in palette.chunks_exact_mut(4).zip(&self.entries) {
            // What shines cannot be glass too; the importer takes such a colour for translucent.
            let alpha = if material.light > 0 && material.opacity == Opacity::Translucent { 254 } else { 255 };
            rgba.copy_from_slice(&[*r, *g, *b, alpha]);
        }
        self.entries.iter().enumerate().fold(ChunkWriter::default().chunk("RGBA", &palette), |out, (i, entry)| {
            let label = label(entry.colour, &entry.material.name);
            let emit = emission(entry.material.light);
            let mut properties = match (entry.material.light, entry.material.opacity) {
                (1.., _) => vec![("_type", "_emit"), ("_emit", &emit)],
                (0, Opacity::Translucent) => vec![("_type", "_glass"), ("_alpha", "0.5"), ("_trans", "0.5")],
                (0, _) => vec![("_type", "_diffuse")],
            };
            if entry.material.name.len() <= MAX_NAME_BYTES {
                properties.push((KEY, &label));
            }
            out.material(i + 1, &properties)
        })
    }
}

/// How much a material glows, 0 to 1: a little less than `light / 15`, which the importer rounds up again.
fn emission(light: u8) -> String {
    format!("{:.3}", (f32::from(light) - 0.1) / 15.0)
}

/// How unlike two materials are: by their light, squared, in steps of a channel's whole range; whether one sees through and
/// whether it shines count more than any colour.
fn distance(a: &PaletteColour, b: &PaletteColour) -> f32 {
    let kind = |entry: &PaletteColour| (entry.material.opacity == Opacity::Translucent, entry.material.light > 0);
    let channels =
        a.colour.into_iter().zip(b.colour).map(|(a, b)| (srgb_to_linear(a).sqrt() - srgb_to_linear(b).sqrt()).powi(2));
    channels.sum::<f32>() + if kind(a) == kind(b) { 0.0 } else { 10.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::scene::SceneBuilder;
    use crate::voxel::{ChunkPos, MaterialTable, Voxel};
    use crate::world::Chunk;

    fn matter(text: &str) -> dot_vox::Material {
        dot_vox::Material { id: 1, properties: [(KEY.to_owned(), text.to_owned())].into_iter().collect() }
    }

    #[test]
    fn names_hold_for_their_colour_only() {
        let colour = [0x7c, 0xb3, 0x42];
        assert_eq!(label(colour, "grass"), "#7cb342 grass");
        assert_eq!(name_of(colour, &matter("#7cb342 grass")), Some("grass"));
        assert_eq!(name_of(colour, &matter("#7cb342 two words")), Some("two words"));
        let long = format!("#7cb342 {}", "x".repeat(MAX_NAME_BYTES + 1));
        for bad in ["#7cb343 grass", "#7cb342 air", "#7cb342 ", "#7cb342", "grass", "", "#7cb342 a\nb", &long] {
            assert_eq!(name_of(colour, &matter(bad)), None, "{bad:?}");
        }
    }

    #[test]
    fn light_comes_back_as_it_was() {
        for light in 1..=15u8 {
            let read: f32 = emission(light).parse().unwrap();
            assert_eq!((read * 15.0).ceil() as u8, light);
        }
    }

    #[test]
    fn the_rarest_join_the_most_alike() {
        // 254 greys, of which the first is the most frequent, a red, and then what there is no room for.
        let mut materials = MaterialTable::from_list(vec![Material::plain("air", [0; 3])]).unwrap();
        let mut add = |name: &str, colour| materials.add(Material::plain(name, colour)).unwrap();
        (1..=254u8).for_each(|i| assert_eq!(add(&format!("grey{i}"), [i; 3]), u16::from(i)));
        add("red", [200, 10, 10]);
        add("dark red", [150, 10, 10]);
        add("light grey", [240, 240, 242]);
        let glass = Material { opacity: Opacity::Translucent, ..Material::plain("glass", [100; 3]) };
        materials.add(glass).unwrap();
        let runs = (1..=258u16).map(|id| (if id <= 255 { 2 } else { 1 }, Voxel::full(id)));
        let chunk = Chunk::from_runs(runs.chain([(32768 - 255 * 2 - 3, Voxel::AIR)]));
        let mut builder = SceneBuilder::new(None);
        builder.add(ChunkPos::default(), chunk);
        let colours = ExportPalette::new(&builder.finish(materials).unwrap(), &TextureStrip::embedded().unwrap());
        assert_eq!((colours.len(), colours.index_of(254), colours.index_of(255)), (255, 254, 255));
        assert_eq!([256, 257, 999].map(|id| colours.index_of(id)), [255, 241, 0]);
        // No other glass is there: a grey of its colour.
        assert_eq!(colours.index_of(258), 100);
        assert_eq!(colours.warnings.len(), 3);
        let line = "a .vox file has 255 colours: 1 voxels of dark red become red, the most alike";
        assert_eq!(colours.warnings[0], line);
    }
}
