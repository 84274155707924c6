//! `genfens N seed S book None|FILE`: random openings, as test frameworks ask for them before they make training data.

/// Which openings are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    /// How many.
    pub count: u64,
    /// The same seed gives the same openings.
    pub seed: u64,
    /// The rest of the line after `book`, whose path may contain spaces.
    pub book: Option<String>,
}

impl Openings {
    /// Reads what stands after the command. Words it does not know are skipped, as the framework may add some.
    pub(crate) fn parse(text: &str) -> Result<Openings, String> {
        const USAGE: &str =
            "genfens expects a number of positions, then seed and a number, then book and None or a file";
        let number = |text: &str| next_word(text).0.parse().map_err(|_| USAGE.to_string());
        let mut openings = Openings { count: number(text)?, seed: 0, book: None };
        let mut text = text;
        loop {
            let (word, rest) = next_word(text);
            text = rest;
            match word {
                "" => return Ok(openings),
                "seed" => openings.seed = number(rest)?,
                "book" => match next_word(rest) {
                    ("", _) => return Err(USAGE.to_string()),
                    (none, _) if none.eq_ignore_ascii_case("none") => {}
                    // All the rest: there may be spaces in it, and several in a row.
                    _ => return Ok(Openings { book: Some(rest.trim().to_string()), ..openings }),
                },
                _ => {}
            }
        }
    }
}

/// The first word of a text, empty if there is none, and what comes after it.
fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii_start();
    text.split_at(text.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        let parse = Openings::parse;
        for none in ["None", "none", "NONE", "None extra 3"] {
            assert_eq!(parse(&format!("5 seed 7 book {none}")), Ok(Openings { count: 5, seed: 7, book: None }));
        }
        let book = |name: &str| Ok(Openings { count: 5, seed: 7, book: Some(name.to_string()) });
        assert_eq!(parse(" 5  seed 7 book  a/b.epd "), book("a/b.epd"));
        assert_eq!(parse("5 book None seed 7"), Ok(Openings { count: 5, seed: 7, book: None }));
        assert_eq!(parse("5 seed 7 book two  spaces.epd"), book("two  spaces.epd"));
        assert_eq!(parse("5 extra 3 seed 7 book my books/seed book.epd"), book("my books/seed book.epd"));
        for bad in ["", "x", "5 seed", "5 seed x", "5 book", "-1"] {
            assert!(parse(bad).is_err_and(|message| message.contains("genfens expects")), "{bad}");
        }
    }
}
