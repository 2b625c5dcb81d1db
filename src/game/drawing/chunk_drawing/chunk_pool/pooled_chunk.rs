//! One chunk in the buffer: its words, and the writes of their changes.

use super::layout::{HEADER, LIGHT_WORD, QuadCounts, UNIT_WORDS, WordWrite, part};
use crate::game::drawing::chunk_drawing::drawn_mesh::DrawnMesh;
use crate::game::drawing::chunk_drawing::quad_diff::{replace_ordered, replace_unordered};
use crate::game::drawing::chunk_drawing::surface_words::{SurfaceWords, WIDE_QUADS};
use crate::game::drawing::chunk_drawing::translucent_order::{TranslucentQuads, Zone};
use glam::Vec3;
use std::ops::Range;
use stonerun_engine::light::LightBricks;
use stonerun_engine::mesh::{ChunkMesh, PackedQuad};
use stonerun_engine::voxel::ChunkPos;

/// A chunk in the buffer.
#[derive(Debug)]
pub struct PooledChunk {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// First unit of the chunk's range in the buffer.
    pub start: u32,
    /// Length of the range in units.
    pub(super) len: u32,
    /// Quads to draw from each list.
    pub quads: QuadCounts,
    /// Offset of each [`part`] in the range, in words.
    pub(super) offsets: [u32; part::COUNT],
    /// False while the chunk is culled by its visible set.
    pub visible: bool,
    pub(super) translucent: TranslucentQuads,
    /// Zone of the eye for which the translucent quads on the GPU are sorted; `None` if unsorted.
    pub(super) zone: Option<Zone>,
    pub(super) kept: Option<KeptWords>,
}

/// Copy of the words on the GPU, for chunks that are edited.
#[derive(Debug, Default)]
pub(super) struct KeptWords {
    pub opaque: Vec<PackedQuad>,
    pub cutout: Vec<PackedQuad>,
    pub surface: SurfaceWords,
    pub dark: Vec<u32>,
    pub light: LightBricks,
    /// Room for the words of each [`part`].
    pub room: [usize; part::COUNT],
}

/// Number of words of each [`part`].
pub(super) fn word_counts(drawn: &DrawnMesh, light: &LightBricks) -> [usize; part::COUNT] {
    let DrawnMesh { mesh, surface, translucent } = drawn;
    [
        2 * mesh.opaque.len(),
        2 * mesh.cutout.len(),
        2 * translucent.len(),
        surface.quads.len(),
        surface.vertices.len(),
        mesh.dark.words().len(),
        light.words().len(),
    ]
}

impl PooledChunk {
    /// True if the chunk has translucent quads.
    #[must_use]
    pub fn is_translucent(&self) -> bool {
        self.quads[part::TRANSLUCENT] > 0
    }

    /// Sorts the translucent quads for an eye, given in voxels from the chunk's lowest corner.
    /// Returns the words to write; `None` if the eye is still in the zone of the present order.
    pub fn sort_translucent(&mut self, eye: Vec3) -> Option<WordWrite> {
        let zone = self.translucent.zone(eye);
        if !self.is_translucent() || self.zone.replace(zone) == Some(zone) {
            return None;
        }
        self.translucent.sort(zone);
        let quads: Vec<PackedQuad> = self.translucent.quads().collect();
        Some(WordWrite {
            at: self.word(self.offsets[part::TRANSLUCENT]),
            words: words(&quads).collect(),
        })
    }

    /// Index in the buffer of one of the chunk's words.
    fn word(&self, offset: u32) -> u32 {
        self.start * UNIT_WORDS + offset
    }

    fn header(&self, has_dark: bool, light: &LightBricks, has_wide_quads: bool) -> [u32; HEADER] {
        let [x, y, z] = self.pos.origin().to_array().map(|c| c as u32);
        let [opaque, cutout, translucent, surface, vertices, dark, _] = self.offsets;
        [
            x,
            y,
            z,
            opaque,
            cutout,
            translucent,
            if has_dark { dark } else { 0 },
            self.light_word(light),
            surface,
            vertices | if has_wide_quads { WIDE_QUADS } else { 0 },
        ]
    }

    /// The word of the header that gives the place of the light bricks.
    fn light_word(&self, light: &LightBricks) -> u32 {
        match light {
            LightBricks::Sunlit => 0,
            LightBricks::Dark => 1,
            LightBricks::Mixed(_) => self.offsets[part::LIGHT],
        }
    }

    /// The words of the whole range, without spare words at its end. The translucent quads are
    /// still unsorted.
    pub(super) fn all_words(
        &self,
        mesh: &ChunkMesh,
        surface: &SurfaceWords,
        light: &LightBricks,
    ) -> WordWrite {
        let mut all = vec![0; self.offsets[part::LIGHT] as usize + light.words().len()];
        let dark = mesh.dark.words();
        all[..HEADER].copy_from_slice(&self.header(!dark.is_empty(), light, surface.is_wide));
        for (list, offset) in [&mesh.opaque, &mesh.cutout].into_iter().zip(self.offsets) {
            for (to, word) in all[offset as usize..].iter_mut().zip(words(list)) {
                *to = word;
            }
        }
        let parts = [surface.quads.as_slice(), &surface.vertices, dark, light.words()];
        for (words, offset) in parts.into_iter().zip(&self.offsets[part::SURFACE..]) {
            all[*offset as usize..][..words.len()].copy_from_slice(words);
        }
        WordWrite { at: self.word(0), words: all }
    }

    /// The write of a range of quads in the list at `offset`.
    fn quad_write(&self, offset: u32, list: &[PackedQuad], range: Range<usize>) -> WordWrite {
        WordWrite {
            at: self.word(offset) + 2 * range.start as u32,
            words: words(&list[range]).collect(),
        }
    }

    /// Changes mesh and light in place; false if their room is too small or their words are not
    /// kept.
    pub(super) fn update(
        &mut self,
        drawn: &mut DrawnMesh,
        light: &LightBricks,
        write: &mut impl FnMut(WordWrite),
    ) -> bool {
        let Some(mut kept) = self.kept.take() else { return false };
        if word_counts(drawn, light).iter().zip(kept.room).any(|(&count, room)| count > room) {
            self.kept = Some(kept);
            return false;
        }
        let quads = drawn.list_counts().map(|count| count as u32);
        let DrawnMesh { mesh, surface, translucent } = drawn;
        let dark = mesh.dark.words();
        let header = self.header(!dark.is_empty(), light, surface.is_wide);
        if header != self.header(!kept.dark.is_empty(), &kept.light, kept.surface.is_wide) {
            write(WordWrite { at: self.word(0), words: header.to_vec() });
        }
        for range in replace_unordered(&mut kept.opaque, &mesh.opaque) {
            write(self.quad_write(self.offsets[part::OPAQUE], &kept.opaque, range));
        }
        for range in replace_unordered(&mut kept.cutout, &mesh.cutout) {
            write(self.quad_write(self.offsets[part::CUTOUT], &kept.cutout, range));
        }
        let SurfaceWords { quads: surface_quads, vertices, count, triangles, is_wide } = surface;
        kept.surface.count = *count;
        kept.surface.triangles = *triangles;
        kept.surface.is_wide = *is_wide;
        self.replace_part(part::SURFACE, &mut kept.surface.quads, surface_quads, write);
        self.replace_part(part::VERTICES, &mut kept.surface.vertices, vertices, write);
        self.replace_part(part::DARK, &mut kept.dark, dark, write);
        self.replace_light(&mut kept.light, light, write);
        if !translucent.same_quads(&self.translucent) {
            self.translucent = std::mem::take(translucent);
            self.zone = None;
        }
        self.quads = quads;
        self.kept = Some(kept);
        true
    }

    /// Writes the words of a part that differ from `before`, and replaces `before`.
    fn replace_part(
        &self,
        part: usize,
        before: &mut Vec<u32>,
        after: &[u32],
        write: &mut impl FnMut(WordWrite),
    ) {
        for range in replace_ordered(before, after) {
            let at = self.word(self.offsets[part]) + range.start as u32;
            write(WordWrite { at, words: before[range].to_vec() });
        }
    }

    /// Writes the light bricks that differ from `before`, and replaces `before`.
    fn replace_light(
        &self,
        before: &mut LightBricks,
        light: &LightBricks,
        write: &mut impl FnMut(WordWrite),
    ) {
        if let LightBricks::Mixed(words) = light {
            let mut words_before = match std::mem::take(before) {
                LightBricks::Mixed(words) => words,
                _ => Vec::new(),
            };
            self.replace_part(part::LIGHT, &mut words_before, words, write);
        }
        *before = light.clone();
    }

    /// Changes the light in place; false if its room is too small.
    pub(super) fn relight(
        &mut self,
        light: &LightBricks,
        write: &mut impl FnMut(WordWrite),
    ) -> bool {
        let room = self
            .kept
            .as_ref()
            .map_or((self.len * UNIT_WORDS - self.offsets[part::LIGHT]) as usize, |kept| {
                kept.room[part::LIGHT]
            });
        if light.words().len() > room {
            return false;
        }
        match self.kept.take() {
            Some(mut kept) => {
                self.replace_light(&mut kept.light, light, write);
                self.kept = Some(kept);
            }
            None if light.words().is_empty() => (),
            None => {
                let at = self.word(self.offsets[part::LIGHT]);
                write(WordWrite { at, words: light.words().to_vec() })
            }
        }
        write(WordWrite { at: self.word(LIGHT_WORD), words: vec![self.light_word(light)] });
        true
    }
}

/// The two words of each quad.
fn words(quads: &[PackedQuad]) -> impl Iterator<Item = u32> + '_ {
    quads.iter().flat_map(|quad| [quad.0 as u32, (quad.0 >> 32) as u32])
}
