//! Parsing of whole numbers in arguments.

use super::output::thousands;
use std::ops::RangeInclusive;

/// A parser of whole numbers within `range`, for `value_parser`. It replaces clap's own parser,
/// whose errors give the range in Rust's notation.
pub(super) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.trim().parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            format!(
                "expected a whole number from {} to {}",
                thousands(*range.start()),
                thousands(*range.end())
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_of_the_range_are_accepted() {
        let parse = whole::<u16>(3..=1000);
        assert_eq!([parse("3"), parse(" 1000")], [Ok(3), Ok(1000)]);
        for bad in ["2", "1001", "-3", "3.5", "", "ten", "99999999999999999999"] {
            assert_eq!(
                parse(bad),
                Err("expected a whole number from 3 to 1,000".to_owned()),
                "{bad}"
            );
        }
    }
}
