//! Dates, sizes, names and seeds for the menus. Independent of egui, so unit-tested.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use stonerun_engine::terrain::seed;
use stonerun_engine::voxel::{Box3, Material};

/// `seconds` since 1970 as `YYYY-MM-DD HH:MM`, in the time zone of the player's machine.
#[must_use]
pub fn date(seconds: u64) -> String {
    in_zone(seconds, "%Y-%m-%d %H:%M", TimeZone::system())
}

/// `seconds` since 1970 as `YYYY-MM-DD HH:MM:SS`, in the time zone of the player's machine.
#[must_use]
pub fn moment(seconds: u64) -> String {
    in_zone(seconds, "%Y-%m-%d %H:%M:%S", TimeZone::system())
}

/// `seconds` since 1970 in a time zone. If the zone of the machine is unknown, the text is in UTC
/// and says so. Times after the year 9999, as broken files may hold, are clamped.
fn in_zone(seconds: u64, form: &str, zone: TimeZone) -> String {
    let utc = if zone.is_unknown() { " UTC" } else { "" };
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    let moment = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
    format!("{}{utc}", moment.to_zoned_datetime(zone).strftime(form))
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

/// Time from `unix` to `now`: `just now`, `40 s ago`, `5 min ago`, `3 h ago`, `2 days ago`. If
/// `unix` is more than a minute after `now`, because a clock was wrong, returns the date.
#[must_use]
pub fn ago(unix: u64, now: u64) -> String {
    if unix > now.saturating_add(60) {
        return date(unix);
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

/// Text of a seed, with the word that it was made from: `granite (1234)`, `1234`.
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

/// A material's display name: "Oak planks, stairs" for `oak_planks[stairs,north]`.
#[must_use]
pub fn block_name(material: &Material) -> String {
    let name = title_case(material.block_of_shape().unwrap_or(&material.name));
    match material.shape.family().filter(|_| material.block_of_shape().is_some()) {
        Some(family) => format!("{name}, {}", family.replace('_', " ")),
        None => name,
    }
}

/// An unused name for a new map: "Stonerun 1", "Stonerun 2"...
#[must_use]
pub fn free_name<'a>(taken: impl Iterator<Item = &'a str>) -> String {
    let taken: Vec<String> = taken.map(str::to_lowercase).collect();
    // Of more numbers than names, at least one is free.
    let free = (1..=taken.len() + 1).find(|n| !taken.contains(&format!("stonerun {n}")));
    format!("Stonerun {}", free.unwrap_or(1))
}

/// An unused name: `wish`, or if it is taken "wish 2", "wish 3"...
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
    fn dates_are_local_times() {
        let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a zone");
        let in_berlin = |seconds| in_zone(seconds, "%Y-%m-%d %H:%M:%S", berlin.clone());
        assert_eq!(in_berlin(0), "1970-01-01 01:00:00");
        assert_eq!(in_berlin(951_782_399), "2000-02-29 00:59:59", "winter");
        assert_eq!(in_berlin(962_406_000), "2000-07-01 01:00:00", "summer");
        assert!(in_berlin(u64::MAX).starts_with("9999-12-3"), "{}", in_berlin(u64::MAX));
        assert_eq!(in_zone(60, "%H:%M", TimeZone::unknown()), "00:01 UTC");
        assert!(!date(0).is_empty() && moment(0).contains(':'));
    }

    #[test]
    fn sizes_and_durations_are_formatted() {
        assert_eq!(
            (size(0).as_str(), size(1).as_str(), size(20_480).as_str()),
            ("0 KiB", "1 KiB", "20 KiB")
        );
        assert_eq!(
            (size(3_500_000).as_str(), size(1_288_490_189).as_str()),
            ("3.3 MiB", "1.2 GiB")
        );
        assert_eq!(
            (played(59.0).as_str(), played(125.0).as_str()),
            ("less than a minute", "2 min")
        );
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
            (now + 3600, date(now + 3600).as_str()),
            (u64::MAX, date(u64::MAX).as_str()),
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
