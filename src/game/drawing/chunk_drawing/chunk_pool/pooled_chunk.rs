//! One chunk in the buffer: its words, and the writes of their changes.

use super::layout::{HEADER, QuadCounts, TRANSLUCENT, UNIT_WORDS, WordWrite};
use crate::game::drawing::chunk_drawing::drawn_mesh::DrawnMesh;
use crate::game::drawing::chunk_drawing::quad_diff::{replace_ordered, replace_unordered};
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
    /// Offsets of opaque, cut-out and translucent quads, dark bricks and light bricks in the range,
    /// in words.
    pub(super) offsets: [u32; 5],
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
    pub dark: Vec<u32>,
    pub light: LightBricks,
    /// Room for the quads of each list, then for words of dark and of light bricks.
    pub room: [usize; 5],
}

impl PooledChunk {
    /// True if the chunk has translucent quads.
    #[must_use]
    pub fn is_translucent(&self) -> bool {
        self.quads[TRANSLUCENT] > 0
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
        Some(WordWrite { at: self.word(self.offsets[TRANSLUCENT]), words: words(&quads).collect() })
    }

    /// Index in the buffer of one of the chunk's words.
    fn word(&self, offset: u32) -> u32 {
        self.start * UNIT_WORDS + offset
    }

    fn header(&self, has_dark: bool, light: &LightBricks) -> [u32; HEADER] {
        let [x, y, z] = self.pos.origin().to_array().map(|c| c as u32);
        let [opaque, cutout, translucent, dark, _] = self.offsets;
        [
            x,
            y,
            z,
            opaque,
            cutout,
            translucent,
            if has_dark { dark } else { 0 },
            self.light_word(light),
        ]
    }

    /// The last word of the header.
    fn light_word(&self, light: &LightBricks) -> u32 {
        match light {
            LightBricks::Sunlit => 0,
            LightBricks::Dark => 1,
            LightBricks::Mixed(_) => self.offsets[4],
        }
    }

    /// The words of the whole range, without spare words at its end. The translucent quads are
    /// still unsorted.
    pub(super) fn all_words(&self, mesh: &ChunkMesh, light: &LightBricks) -> WordWrite {
        let mut all = vec![0; self.offsets[4] as usize + light.words().len()];
        let dark = mesh.dark.words();
        all[..HEADER].copy_from_slice(&self.header(!dark.is_empty(), light));
        for (list, offset) in [&mesh.opaque, &mesh.cutout].into_iter().zip(self.offsets) {
            for (to, word) in all[offset as usize..].iter_mut().zip(words(list)) {
                *to = word;
            }
        }
        for (words, offset) in [dark, light.words()].into_iter().zip(&self.offsets[3..]) {
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
        let DrawnMesh { mesh, translucent } = drawn;
        let dark = mesh.dark.words();
        let counts = [
            mesh.opaque.len(),
            mesh.cutout.len(),
            translucent.len(),
            dark.len(),
            light.words().len(),
        ];
        if counts.iter().zip(kept.room).any(|(&count, room)| count > room) {
            self.kept = Some(kept);
            return false;
        }
        let header = self.header(!dark.is_empty(), light);
        if header != self.header(!kept.dark.is_empty(), &kept.light) {
            write(WordWrite { at: self.word(0), words: header.to_vec() });
        }
        for range in replace_unordered(&mut kept.opaque, &mesh.opaque) {
            write(self.quad_write(self.offsets[0], &kept.opaque, range));
        }
        for range in replace_unordered(&mut kept.cutout, &mesh.cutout) {
            write(self.quad_write(self.offsets[1], &kept.cutout, range));
        }
        for range in replace_ordered(&mut kept.dark, dark) {
            write(WordWrite {
                at: self.word(self.offsets[3]) + range.start as u32,
                words: kept.dark[range].to_vec(),
            });
        }
        self.replace_light(&mut kept.light, light, write);
        if !translucent.same_quads(&self.translucent) {
            self.translucent = std::mem::take(translucent);
            self.zone = None;
        }
        self.quads = [counts[0], counts[1], counts[2]].map(|count| count as u32);
        self.kept = Some(kept);
        true
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
            for range in replace_ordered(&mut words_before, words) {
                let at = self.word(self.offsets[4]) + range.start as u32;
                write(WordWrite { at, words: words_before[range].to_vec() });
            }
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
            .map_or((self.len * UNIT_WORDS - self.offsets[4]) as usize, |kept| kept.room[4]);
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
                write(WordWrite { at: self.word(self.offsets[4]), words: light.words().to_vec() })
            }
        }
        write(WordWrite { at: self.word(HEADER as u32 - 1), words: vec![self.light_word(light)] });
        true
    }
}

/// The two words of each quad.
fn words(quads: &[PackedQuad]) -> impl Iterator<Item = u32> + '_ {
    quads.iter().flat_map(|quad| [quad.0 as u32, (quad.0 >> 32) as u32])
}
