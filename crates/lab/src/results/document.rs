//! Documents whose tables come from the register: what stands between `<!-- results FILTERS -->` and `<!-- end -->` is made
//! anew, so that no figure is copied by hand.

use std::path::Path;

use clap::Parser;

use super::filter::Filter;
use super::markdown;
use crate::failure::{Failure, Result};
use crate::files;
use crate::register::Entry;

const BEGIN: &str = "<!-- results";
const CLOSE: &str = "-->";
const END: &str = "<!-- end -->";

/// Filters as they stand in a document.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Line {
    #[command(flatten)]
    filter: Filter,
}

/// Makes the tables of a document anew.
pub fn update(path: &Path, entries: &[Entry]) -> Result<()> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
    let (new, tables) = renewed(&text, entries).map_err(|error| Failure::file("update", path, error))?;
    if new != text {
        files::write(path, &new)?;
    }
    println!("{tables} tables in {}, {}", path.display(), if new == text { "as they were" } else { "made anew" });
    Ok(())
}

/// The document with its tables made anew, and how many there are.
pub fn renewed(text: &str, entries: &[Entry]) -> std::result::Result<(String, usize), String> {
    let (mut new, mut rest, mut tables) = (String::new(), text, 0);
    while let Some(place) = rest.find(BEGIN) {
        let line = text[..text.len() - rest.len() + place].matches('\n').count() + 1;
        let (before, from) = rest.split_at(place);
        let (head, body) =
            from[BEGIN.len()..].split_once(CLOSE).ok_or_else(|| format!("line {line}: expected {CLOSE}"))?;
        let (_, after) = body.split_once(END).ok_or_else(|| format!("line {line}: expected {END} after the table"))?;
        let filter = Line::try_parse_from(words(head)).map_err(|error| format!("line {line}: {error}"))?.filter;
        let table = markdown::text(&filter.choose(entries.to_vec()));
        new += &format!("{before}{BEGIN}{head}{CLOSE}\n{}\n{END}", table.trim_end());
        (rest, tables) = (after, tables + 1);
    }
    Ok((new + rest, tables))
}

/// The words of a line; what is in quotes is one.
fn words(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            all.push(part.to_string());
        } else {
            all.extend(part.split_whitespace().map(str::to_string));
        }
    }
    all
}
