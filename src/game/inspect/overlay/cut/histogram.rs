//! The histogram of the figures on a cut's bars.

/// Counts by bin, in the order of the colours on the gradient.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram(Vec<u64>);

impl Histogram {
    /// An empty histogram of `bins` bins.
    #[must_use]
    pub fn new(bins: usize) -> Histogram {
        Histogram(vec![0; bins])
    }

    /// Adds `count` to `bin`. Bins beyond the last one count as the last.
    pub fn add(&mut self, bin: usize, count: u64) {
        if let Some(last) = self.0.len().checked_sub(1) {
            self.0[bin.min(last)] += count;
        }
    }

    /// Adds the counts of another histogram with the same bins.
    pub fn add_all(&mut self, other: &Histogram) {
        for (bin, &count) in other.0.iter().enumerate() {
            self.add(bin, count);
        }
    }

    /// Heights of the bars, 0 to 1; the highest is 1. Empty if nothing was counted.
    #[must_use]
    pub fn heights(&self) -> Vec<f32> {
        match self.0.iter().max() {
            Some(&highest) if highest > 0 => {
                self.0.iter().map(|&count| count as f32 / highest as f32).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highest_bar_has_height_one() {
        let mut histogram = Histogram::new(3);
        assert_eq!(histogram.heights(), [] as [f32; 0]);
        histogram.add(0, 1);
        histogram.add(1, 4);
        histogram.add(9, 2);
        assert_eq!(histogram.heights(), [0.25, 1.0, 0.5]);
    }
}
