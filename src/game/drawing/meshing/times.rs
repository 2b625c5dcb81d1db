//! Times of meshing single chunks.

use std::time::Duration;

/// Histogram of the times that meshing a chunk took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MeshTimes {
    /// Number of chunks in each class; the last class has no upper limit.
    pub chunks: [u64; MeshTimes::LIMITS_US.len() + 1],
}

impl MeshTimes {
    /// Upper limits of the classes in microseconds. A class begins at the limit of the previous
    /// one.
    pub const LIMITS_US: [u64; 7] = [25, 50, 100, 200, 400, 800, 1600];

    /// Counts a chunk.
    pub fn add(&mut self, time: Duration) {
        let class =
            MeshTimes::LIMITS_US.partition_point(|&limit| u128::from(limit) <= time.as_micros());
        self.chunks[class] += 1;
    }

    /// Number of chunks in all classes.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.chunks.iter().sum()
    }

    /// The range of times of a class in microseconds: `50 to 100`.
    #[must_use]
    pub fn range(class: usize) -> String {
        let limit = |class: usize| MeshTimes::LIMITS_US.get(class);
        match (class.checked_sub(1).and_then(limit), limit(class)) {
            (None, Some(limit)) => format!("Below {limit}"),
            (Some(low), Some(high)) => format!("{low} to {high}"),
            (low, None) => format!("Above {}", low.unwrap_or(&0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_in_their_class() {
        let mut times = MeshTimes::default();
        for us in [0, 24, 25, 1599, 1600, 99_999] {
            times.add(Duration::from_micros(us));
        }
        assert_eq!(times.chunks, [2, 1, 0, 0, 0, 0, 1, 2]);
        assert_eq!(times.count(), 6);
        assert_eq!([0, 1, 7].map(MeshTimes::range), ["Below 25", "25 to 50", "Above 1600"]);
    }
}
