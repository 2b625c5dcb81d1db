//! Suggestions of names for a misspelt name.

/// Maximum number of suggested names.
const MAX_PROPOSALS: usize = 5;
/// Maximum number of characters of the word that are compared, because the edit distance takes
/// quadratic time.
const MAX_COMPARED: usize = 64;

/// Names most similar to `word`, best first, separated by commas. Ignores case.
pub(super) fn similar<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let word: String = word.chars().take(MAX_COMPARED).collect::<String>().to_lowercase();
    if word.is_empty() {
        return String::new();
    }
    let mut rated: Vec<(usize, usize, &str)> = Vec::new();
    for name in names {
        let rating = rating(&word, &name.to_lowercase());
        rated.extend(rating.map(|rating| (rating, name.len(), name)));
    }
    rated.sort_unstable();
    let names: Vec<&str> = rated.into_iter().map(|(_, _, name)| name).take(MAX_PROPOSALS).collect();
    names.join(", ")
}

/// Number of mistakes that turn `name` into `word`, both in lower case. `None` if there are too
/// many to suggest the name.
///
/// If the name contains the word, or the word contains the name, this counts as at most two
/// mistakes, so that long names are found by a part of them.
fn rating(word: &str, name: &str) -> Option<usize> {
    let distance = edit_distance(word, name);
    if name.contains(word) || holds_word(word, name) {
        return Some(distance.min(2));
    }
    let allowed = (word.chars().count() / 3).max(1);
    (distance <= allowed).then_some(distance)
}

/// True if `text` contains `name` as a word, as in `minecraft:stone` or `stone_block`. `oak_stairs`
/// does not contain the word `air`.
fn holds_word(text: &str, name: &str) -> bool {
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let mut found = text.match_indices(name);
    !name.is_empty()
        && found.any(|(at, _)| {
            is_end(text[..at].chars().next_back()) && is_end(text[at + name.len()..].chars().next())
        })
}

/// Edit distance between two strings: the minimum number of characters to insert, delete, replace,
/// or swap with a neighbour (restricted Damerau-Levenshtein distance).
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
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
    fn edit_distance_counts_fewest_changes() {
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
    fn similar_names_are_listed_best_first() {
        let names = ["stone", "sandstone", "oak_log", "oak_leaves", "sand", "stack", "air"];
        assert_eq!(similar("stne", names), "stone");
        assert_eq!(similar("oak", names), "oak_log, oak_leaves");
        assert_eq!(similar("Stone", names), "stone, sandstone");
        assert_eq!(similar("xyzzy", names), "");
        assert_eq!(similar("oak_stairs", names), "");
        assert_eq!(similar("minecraft:stone[lit=true]", names), "stone");
        assert_eq!(similar("sand_block", names), "sand");
        assert_eq!(similar("", names), "");
        assert_eq!(similar("copper_wal", ["Copper_Wall", "STONE"]), "Copper_Wall");
        assert_eq!(similar("ston", ["Copper_Wall", "STONE"]), "STONE");
    }
}
