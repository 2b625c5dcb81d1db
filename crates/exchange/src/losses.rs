//! Counts of the parts that an import cannot keep.

use std::fmt;
use std::ops::AddAssign;
use stonerun_engine::metrics::thousands;

/// Parts of a Minecraft world or schematic that voxels cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ImportLosses {
    /// Plants under water, which become water: kelp, seagrass.
    pub shapes: u64,
    /// Creatures, items on the ground, paintings and the like.
    pub entities: u64,
    /// Blocks that lost their content: chests with goods, signs with text.
    pub contents: u64,
    /// Chunks that lost their biomes. A schematic counts as one.
    pub biomes: u64,
    /// Parts of the file that are not read, because they are unknown or have no place in a map:
    /// tags, block states, numbers, hidden models. A warning of the import names them.
    pub unread: u64,
}

impl ImportLosses {
    /// True if every part was kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == ImportLosses::default()
    }
}

impl AddAssign for ImportLosses {
    fn add_assign(&mut self, other: ImportLosses) {
        self.shapes += other.shapes;
        self.entities += other.entities;
        self.contents += other.contents;
        self.biomes += other.biomes;
        self.unread += other.unread;
    }
}

impl fmt::Display for ImportLosses {
    /// Writes one line for people: `12 entities; biomes of 4 chunks`. Parts without a loss are left
    /// out.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let count = |n: u64, one: &str, many: &str| {
            format!("{} {}", thousands(n), if n == 1 { one } else { many })
        };
        let blocks = |n: u64| count(n, "block", "blocks");
        let parts = [
            (self.shapes, count(self.shapes, "plant under water", "plants under water")),
            (self.contents, format!("content of {}", blocks(self.contents))),
            (self.entities, count(self.entities, "entity", "entities")),
            (self.biomes, format!("biomes of {}", count(self.biomes, "chunk", "chunks"))),
            (self.unread, count(self.unread, "other part", "other parts")),
        ];
        let lost: Vec<_> =
            parts.into_iter().filter(|(n, _)| *n > 0).map(|(_, text)| text).collect();
        f.write_str(&lost.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_listed_in_one_line() {
        assert!(ImportLosses::default().is_empty());
        let losses = ImportLosses { shapes: 4102, entities: 1, contents: 0, biomes: 12, unread: 2 };
        let line = "4,102 plants under water; 1 entity; biomes of 12 chunks; 2 other parts";
        assert_eq!(losses.to_string(), line);
    }
}
