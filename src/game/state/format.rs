//! Number formatting, shared by panel and overlays so that all figures look alike.

/// Placeholder for a missing figure.
pub const NONE: &str = "–";

/// A count with thousands separators: `1,234,567`.
pub use stonerun_engine::metrics::thousands as count;

pub use stonerun_engine::metrics::counted;

/// Bytes with a binary unit: `812 B`, `1.2 MiB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64;
    let mut unit = "B";
    for next in ["KiB", "MiB", "GiB", "TiB"] {
        value /= 1024.0;
        unit = next;
        // Values from here on would be written as 1024.0.
        if value < 1023.95 {
            break;
        }
    }
    format!("{value:.1} {unit}")
}

/// Bytes per voxel, with four decimal places so that columns align: `0.0312`.
#[must_use]
pub fn per_voxel(x: f64) -> String {
    if x.is_finite() { format!("{x:.4}") } else { NONE.into() }
}

/// Three significant digits, with at most `PLACES` decimal places: `98,304`, `12.3`, `3.00`,
/// `0.0312`, `0.00021`.
#[must_use]
pub fn significant(x: f64) -> String {
    if x.is_finite() && x >= 999.5 {
        count(x.round() as u64)
    } else {
        aligned(x).trim_end().to_owned()
    }
}

/// Maximum number of decimal places that [`significant`] writes.
const PLACES: usize = 5;

/// Three significant digits of a number below 1000, padded so that decimal points align in a
/// right-aligned column.
#[must_use]
pub fn aligned(x: f64) -> String {
    if !x.is_finite() {
        return NONE.into();
    }
    let places = match x {
        0.0 => 0,
        x if x >= 99.95 => 0,
        x if x >= 9.995 => 1,
        x if x >= 0.9995 => 2,
        x if x >= 0.099_95 => 3,
        x if x >= 0.009_995 => 4,
        _ => PLACES,
    };
    // A number without decimal places has no point, for which a blank is added.
    let blanks = PLACES - places + usize::from(places == 0);
    format!("{x:.places$}{:blanks$}", "")
}

/// Three digits and a unit: `0`, `1.6`, `153`, `12.3k`, `1.91M`.
#[must_use]
pub fn short(x: f64) -> String {
    if !x.is_finite() || x <= 0.0 {
        return if x == 0.0 { "0".into() } else { NONE.into() };
    }
    let mut value = x;
    let mut unit = "";
    for next in ["k", "M", "G", "T"] {
        // Values from here on would be written as 1000.
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        unit = next;
    }
    let places = match value {
        v if unit.is_empty() => usize::from(v < 9.95 && v.fract() != 0.0),
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.places$}{unit}")
}

/// A number with one decimal place below a thousand, and none above: `83.4`, `32,768`.
#[must_use]
pub fn decimal(x: f64) -> String {
    match x {
        x if !x.is_finite() => NONE.into(),
        x if x < 999.95 => format!("{x:.1}"),
        x => count(x.round() as u64),
    }
}

/// Milliseconds: `16.70 ms`, `902 ms`. Ten seconds or more are written in seconds: `12.9 s`.
#[must_use]
pub fn millis(x: f64) -> String {
    match x {
        x if !x.is_finite() => NONE.into(),
        x if x < 99.995 => format!("{x:.2} ms"),
        x if x < 9999.5 => format!("{} ms", count(x.round() as u64)),
        x => format!("{:.1} s", x / 1000.0),
    }
}

/// `part` as a fraction of `whole`: `1/96`, `1/5.9`; `1` if they are about equal, and a factor such
/// as `1.5` if `part` is larger.
#[must_use]
pub fn fraction(part: f64, whole: f64) -> String {
    let times = whole / part;
    match times {
        t if !t.is_finite() || t <= 0.0 => NONE.into(),
        t if t < 1.05 => format!("{:.1}", part / whole).trim_end_matches(".0").to_owned(),
        t if t < 9.95 => format!("1/{t:.1}"),
        t => format!("1/{}", count(t.round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_groups_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn bytes_have_binary_units() {
        let sizes = [0, 1023, 1024, 1_258_291, 1_048_575, 5 << 40];
        assert_eq!(sizes.map(bytes), ["0 B", "1023 B", "1.0 KiB", "1.2 MiB", "1.0 MiB", "5.0 TiB"]);
    }

    #[test]
    fn short_abbreviates_large_figures() {
        let figures =
            [0.0, 1.0, 1.62, 153.4, 999.6, 12_345.0, 1_906_551.0, 99_960.0, 999_600.0, 5e9];
        let written = ["0", "1", "1.6", "153", "1.00k", "12.3k", "1.91M", "100k", "1.00M", "5.00G"];
        assert_eq!(figures.map(short), written);
        assert_eq!(short(f64::NAN), NONE);
    }

    #[test]
    fn figures_are_rounded_by_unit_and_magnitude() {
        assert_eq!([0.031_24, 3.0].map(per_voxel), ["0.0312", "3.0000"]);
        assert_eq!([0.0, 83.44, 999.96, 32_768.0].map(decimal), ["0.0", "83.4", "1,000", "32,768"]);
        assert_eq!([16.7, 99.999, 1234.5].map(millis), ["16.70 ms", "100 ms", "1,235 ms"]);
        assert_eq!(
            [16.7, 902.4, 9999.0, 12_919.0].map(millis),
            ["16.70 ms", "902 ms", "9,999 ms", "12.9 s"]
        );
        assert_eq!([millis(f64::NAN), per_voxel(f64::NAN), decimal(f64::NAN)], [NONE; 3]);
    }

    #[test]
    fn significant_figures_have_three_digits_and_align_at_the_point() {
        let figures = [
            98_304.0,
            999.6,
            123.4,
            12.34,
            3.0,
            0.999_9,
            0.1234,
            0.031_24,
            0.004_913,
            0.000_213_6,
            0.0,
        ];
        let written = [
            "98,304", "1,000", "123", "12.3", "3.00", "1.00", "0.123", "0.0312", "0.00491",
            "0.00021", "0",
        ];
        assert_eq!(figures.map(significant), written);
        assert_eq!([significant(f64::INFINITY), aligned(f64::NAN)], [NONE; 2]);
        // All decimal points are at the same distance from the right.
        let column = [9.876, 3.0, 0.031_24, 0.000_122].map(aligned);
        assert_eq!(column, ["9.88   ", "3.00   ", "0.0312 ", "0.00012"]);
        assert_eq!(aligned(0.0), "0      ");
    }

    #[test]
    fn fraction_of_dense_is_written_as_one_over_ratio() {
        assert_eq!(fraction(3.0, 3.0), "1");
        assert_eq!(fraction(0.5, 3.0), "1/6.0");
        assert_eq!(fraction(0.0312, 3.0), "1/96");
        assert_eq!(fraction(4.5, 3.0), "1.5");
        assert_eq!(fraction(0.0, 3.0), NONE);
    }
}
