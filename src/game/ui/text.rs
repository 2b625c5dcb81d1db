//! Dates, sizes, names and seeds for the menus. Independent of egui, so unit-tested.

use crate::terrain::seed;
use crate::voxel::Box3;

/// Last second of the year 9999; later dates come from broken files.
const LAST: u64 = 253_402_300_799;

/// `seconds` since 1970 as `YYYY-MM-DD HH:MM`, UTC.
///
/// The calendar is Howard Hinnant's `civil_from_days`: years begin in March, so the leap day comes
/// last.
#[must_use]
pub fn date(seconds: u64) -> String {
    let seconds = seconds.min(LAST);
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// [`date`] with seconds: `YYYY-MM-DD HH:MM:SS`, UTC.
#[must_use]
pub fn moment(seconds: u64) -> String {
    format!("{}:{:02}", date(seconds), seconds.min(LAST) % 60)
}

/// A file size: `12 KiB`, `3.4 MiB`, `1.2 GiB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    let kib = bytes as f64 / 1024.0;
    if kib < 1000.0 {
        format!("{} KiB", kib.ceil())
    } else if kib < 1000.0 * 1024.0 {
        format!("{:.1} MiB", kib / 1024.0)
    } else {
        format!("{:.1} GiB", kib / 1024.0 / 1024.0)
    }
}

/// A duration of play: `2 h 05 min`, `12 min`.
#[must_use]
pub fn played(seconds: f64) -> String {
    let minutes = (seconds / 60.0) as u64;
    match (minutes / 60, minutes % 60) {
        (0, 0) => "less than a minute".to_owned(),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}

/// How long before `now` the time `unix` was: `just now`, `40 s ago`, `5 min ago`, `3 h ago`, `2 days
/// ago`. More than a minute after `now` it is a date: then the clock was ahead, or has been set back.
#[must_use]
pub fn ago(unix: u64, now: u64) -> String {
    if unix > now.saturating_add(60) {
        return format!("{} UTC", date(unix));
    }
    let seconds = now.saturating_sub(unix);
    match seconds {
        0..=1 => "just now".to_owned(),
        2..=119 => format!("{seconds} s ago"),
        120..=7199 => format!("{} min ago", seconds / 60),
        7200..=172_799 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// The sides of a box: `12 x 8 x 30`, x, y (height) and z.
#[must_use]
pub fn box_size(area: Box3) -> String {
    let size = area.size();
    format!("{} x {} x {}", size.x, size.y, size.z)
}

/// A seed, by its word if it was made from one: `granite (1234)`, `1234`.
#[must_use]
pub fn seed_words(word: &str, seed: u64) -> String {
    let seed = seed::to_text(seed);
    if word.is_empty() { seed } else { format!("{word} ({seed})") }
}

/// A material's display name: `oak_log` becomes "Oak log".
#[must_use]
pub fn title_case(name: &str) -> String {
    let spaced = name.replace('_', " ");
    let mut letters = spaced.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// An unused name for a new map: "Stonerun 1", "Stonerun 2"...
#[must_use]
pub fn free_name<'a>(taken: impl Iterator<Item = &'a str>) -> String {
    let taken: Vec<String> = taken.map(str::to_lowercase).collect();
    // There are more numbers than names, so one is free.
    let free = (1..=taken.len() + 1).find(|n| !taken.contains(&format!("stonerun {n}")));
    format!("Stonerun {}", free.unwrap_or(1))
}

/// `wish`, or if it is taken "wish 2", "wish 3"...
#[must_use]
pub fn free_name_like<'a>(wish: &str, taken: impl Iterator<Item = &'a str>) -> String {
    let taken: Vec<String> = taken.map(str::to_lowercase).collect();
    let numbered = (2..).map(|n| format!("{wish} {n}"));
    let mut names = std::iter::once(wish.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(&name.to_lowercase())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_handle_leap_years_and_month_ends() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_782_399), "2000-02-28 23:59");
        assert_eq!(date(951_782_400), "2000-02-29 00:00");
        assert_eq!(date(951_868_800), "2000-03-01 00:00");
        assert_eq!(date(1_735_689_599), "2024-12-31 23:59");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00", "2100 has no leap day");
        assert_eq!(date(u64::MAX), "9999-12-31 23:59");
        assert_eq!(moment(951_782_399), "2000-02-28 23:59:59");
        assert_eq!(moment(u64::MAX), "9999-12-31 23:59:59");
    }

    #[test]
    fn sizes_and_durations_are_formatted() {
        assert_eq!((size(0).as_str(), size(1).as_str(), size(20_480).as_str()), ("0 KiB", "1 KiB", "20 KiB"));
        assert_eq!((size(3_500_000).as_str(), size(1_288_490_189).as_str()), ("3.3 MiB", "1.2 GiB"));
        assert_eq!((played(59.0).as_str(), played(125.0).as_str()), ("less than a minute", "2 min"));
        assert_eq!(played(7500.0), "2 h 05 min");
    }

    #[test]
    fn times_before_now_are_ages_and_later_ones_dates() {
        let now = 1_735_689_600;
        for (unix, words) in [
            (now, "just now"),
            (now - 40, "40 s ago"),
            (now - 300, "5 min ago"),
            (now - 172_800, "2 days ago"),
            (now + 60, "just now"),
            (now + 3600, "2025-01-01 01:00 UTC"),
            (u64::MAX, "9999-12-31 23:59 UTC"),
        ] {
            assert_eq!(ago(unix, now), words);
        }
    }

    #[test]
    fn names_are_title_cased_and_unused() {
        assert_eq!(title_case("mossy_cobblestone"), "Mossy cobblestone");
        assert_eq!(title_case(""), "");
        assert_eq!(free_name([].into_iter()), "Stonerun 1");
        assert_eq!(free_name(["stonerun 1", "Stonerun 3", "Home"].into_iter()), "Stonerun 2");
        assert_eq!(free_name(["Stonerun 1", "Stonerun 2"].into_iter()), "Stonerun 3");
        assert_eq!(free_name_like("castle", ["tower"].into_iter()), "castle");
        assert_eq!(free_name_like("castle", ["Castle", "castle 2"].into_iter()), "castle 3");
    }
}
