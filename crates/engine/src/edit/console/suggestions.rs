//! Names like a misspelt one.

/// Most names that are proposed.
const MOST: usize = 5;

/// The names that are most like `word`, the best first, as a list with commas.
pub(super) fn similar<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let word: String = word.chars().take(64).collect::<String>().to_lowercase();
    if word.is_empty() {
        return String::new();
    }
    let rate = |name: &'a str| {
        let distance = edit_distance(&word, name);
        // A name that contains the word counts as a small mistake, however long it is.
        let contains = name.contains(&word) || holds_word(&word, name);
        let rating = if contains { distance.min(2) } else { distance };
        (rating <= (word.chars().count() / 3).max(1).max(if contains { 2 } else { 0 })).then_some((
            rating,
            name.len(),
            name,
        ))
    };
    let mut rated: Vec<_> = names.into_iter().filter_map(rate).collect();
    rated.sort_unstable();
    let names: Vec<&str> = rated.into_iter().map(|(_, _, name)| name).take(MOST).collect();
    names.join(", ")
}

/// True if `name` stands in `text` between other words, as in `minecraft:stone` or `stone_block`:
/// `oak_stairs` does not hold `air`.
fn holds_word(text: &str, name: &str) -> bool {
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let mut found = text.match_indices(name);
    !name.is_empty()
        && found.any(|(at, _)| is_end(text[..at].chars().next_back()) && is_end(text[at + name.len()..].chars().next()))
}

/// Number of characters to insert, delete, replace, or swap with their neighbour.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        let [before, last, row] = &mut rows;
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_counts_the_least_changes() {
        for (a, b, distance) in [
            ("", "", 0),
            ("stone", "stone", 0),
            ("", "abc", 3),
            ("stne", "stone", 1),
            ("stoone", "stone", 1),
            ("sotne", "stone", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((edit_distance(a, b), edit_distance(b, a)), (distance, distance), "{a} {b}");
        }
    }

    #[test]
    fn similar_names_come_best_first() {
        let names = ["stone", "sandstone", "oak_log", "oak_leaves", "sand", "stack", "air"];
        assert_eq!(similar("stne", names), "stone");
        assert_eq!(similar("oak", names), "oak_log, oak_leaves");
        assert_eq!(similar("Stone", names), "stone, sandstone");
        assert_eq!(similar("xyzzy", names), "");
        assert_eq!(similar("oak_stairs", names), "");
        assert_eq!(similar("minecraft:stone[lit=true]", names), "stone");
        assert_eq!(similar("sand_block", names), "sand");
        assert_eq!(similar("", names), "");
    }
}
