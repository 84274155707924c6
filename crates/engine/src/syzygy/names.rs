//! The names of the tables there are, to tell which ones are missing.

use std::collections::HashSet;

/// Pieces by which a table is named, the strongest first.
const PIECES: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];

/// More names than this are only counted.
const NAMED: usize = 6;

/// Every set of so many pieces besides the king, strongest first.
fn sides(pieces: usize) -> Vec<String> {
    let mut sides = vec![(String::new(), 0)];
    for _ in 0..pieces {
        let longer = |(side, from): &(String, usize)| {
            let (side, from) = (side.clone(), *from);
            (from..PIECES.len()).map(move |piece| (format!("{side}{}", PIECES[piece]), piece))
        };
        sides = sides.iter().flat_map(longer).collect();
    }
    sides.into_iter().map(|(side, _)| side).collect()
}

/// Every table with so many men, kings included: the larger side first, or the stronger of two equally large ones.
fn tables(men: usize) -> Vec<String> {
    let pieces = men.saturating_sub(2);
    let mut names = Vec::new();
    for fewer in 0..=pieces / 2 {
        let (large, small) = (sides(pieces - fewer), sides(fewer));
        for (index, first) in large.iter().enumerate() {
            let from = if 2 * fewer == pieces { index } else { 0 };
            names.extend(small[from..].iter().map(|second| format!("K{first}vK{second}")));
        }
    }
    names
}

/// Which of the tables of up to so many men are missing, a sentence for each number of men.
pub(super) fn missing(found: &HashSet<String>, men: usize, kind: &str) -> Vec<String> {
    let absent = |name: &String| !found.contains(name) && !found.contains(&swapped(name));
    let mut sentences = Vec::new();
    for men in 3..=men {
        let all = tables(men);
        let count = all.len();
        let missing: Vec<_> = all.into_iter().filter(absent).collect();
        if !missing.is_empty() {
            let names = if missing.len() <= NAMED { format!(": {}", missing.join(" ")) } else { String::new() };
            sentences.push(format!("{} of the {count} {kind} tables of {men} men are missing{names}", missing.len()));
        }
    }
    sentences
}

/// The name with the sides the other way round.
pub(super) fn swapped(name: &str) -> String {
    name.split_once('v').map_or(String::new(), |(first, second)| format!("{second}v{first}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_there_should_be() {
        assert_eq!([2, 3, 4, 5, 6, 7].map(|men| tables(men).len()), [1, 5, 30, 110, 365, 1001]);
        assert_eq!(tables(3), ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
        assert!(tables(4).contains(&"KQvKR".to_string()) && !tables(4).contains(&"KRvKQ".to_string()));
        assert!(tables(6).contains(&"KRBvKRN".to_string()));
    }

    #[test]
    fn missing_ones_are_named_or_counted() {
        let mut found: HashSet<_> = tables(3).into_iter().chain(tables(4)).collect();
        assert_eq!(missing(&found, 4, "WDL"), [""; 0]);
        found.remove("KQvKR");
        found.insert("KRvKQ".to_string());
        found.remove("KPvK");
        assert_eq!(missing(&found, 4, "WDL"), ["1 of the 5 WDL tables of 3 men are missing: KPvK"]);
        assert_eq!(missing(&found, 5, "DTZ")[1], "110 of the 110 DTZ tables of 5 men are missing");
    }
}
