//! Makes tuned values the defaults: in the declarations of the heuristics, `margin = 692 in 50..=1200 step 25;`, the number
//! after the equals sign is replaced, and nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::descent::Descent;
use crate::failure::{Failure, Result};
use crate::files;

/// Writes the values into the sources below a folder. Parameters that are declared nowhere there are a failure, and then
/// nothing is written.
pub fn run(folder: &Path, descent: &Descent) -> Result<()> {
    let names = descent.tunables().iter().map(|tunable| tunable.name.clone());
    let mut values: BTreeMap<String, i64> =
        names.zip(descent.values().iter().map(|value| value.round() as i64)).collect();
    let mut changed = Vec::new();
    for path in sources(folder)? {
        let text = std::fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, error))?;
        let new = replaced(&text, &mut values);
        if new != text {
            changed.push((path, new));
        }
    }
    if !values.is_empty() {
        let names: Vec<&str> = values.keys().map(String::as_str).collect();
        return Err(Failure::file("change the defaults in", folder, format!("{} not found", names.join(", "))));
    }
    for (path, text) in &changed {
        files::write(path, text)?;
    }
    changed.iter().for_each(|(path, _)| println!("changed {}", path.display()));
    println!("{} files changed; run the bench, the tests and a match", changed.len());
    Ok(())
}

/// The Rust files of a folder and of those in it, in the order of their names.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::file("read", folder, error))?;
    let mut paths = Vec::new();
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            paths.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The text with its declarations changed; what was found leaves the map.
fn replaced(text: &str, values: &mut BTreeMap<String, i64>) -> String {
    let mut heuristic = "";
    let mut lines = Vec::new();
    for line in text.split('\n') {
        if let Some(name) = opening(line) {
            heuristic = name;
        }
        let new = declaration(line).and_then(|(left, number, right)| {
            let field = left.trim();
            let name = match field.split_once(" as ") {
                Some((_, name)) => name.trim_matches('"').to_string(),
                None => format!("{heuristic}_{field}"),
            };
            let value = values.remove(&name)?;
            (value.to_string() != number).then(|| format!("{left} = {value} in {right}"))
        });
        lines.push(new.unwrap_or_else(|| line.to_string()));
    }
    lines.join("\n")
}

/// The name of a heuristic whose declaration begins here: `NullMove "UseNullMove" {`.
fn opening(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [name, option, .., "{"] if option.starts_with('"') => Some(name),
        _ => None,
    }
}

/// The parts of a declared number: what stands before ` = `, the number, and what stands after ` in `.
fn declaration(line: &str) -> Option<(&str, &str, &str)> {
    let (left, rest) = line.split_once(" = ")?;
    let (number, right) = rest.split_once(" in ")?;
    (number.parse::<i64>().is_ok() && right.contains(" step ")).then_some((left, number, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "idea! {\n    /// One.\n    One \"UseOne\" {\n        margin = 5 in 0..=9 step 1;\n        \
        bonus as \"Public\" = -3 in -9..=9 step 1;\n    }\n}\nlet margin = 5 in no declaration;\n";

    #[test]
    fn numbers_are_replaced_where_they_are_declared() {
        let mut values = BTreeMap::from([("One_margin".to_string(), 7), ("Public".to_string(), -4)]);
        let new = replaced(SOURCE, &mut values);
        assert_eq!(new, SOURCE.replace("margin = 5 in 0", "margin = 7 in 0").replace("-3 in", "-4 in"));
        assert!(values.is_empty());
        let mut values = BTreeMap::from([("Two_margin".to_string(), 7)]);
        assert_eq!(replaced(SOURCE, &mut values), SOURCE);
        assert_eq!(values.len(), 1);
    }

    #[test]
    fn every_declared_number_is_found() {
        let mut values = BTreeMap::new();
        engine::Params::default().visit(&mut |param| {
            if let engine::params::ParamValue::Number { value, .. } = param.value {
                values.insert(param.name, i64::from(*value));
            }
        });
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src");
        for path in sources(&folder).expect("the ideas") {
            let text = std::fs::read_to_string(&path).expect("a source");
            assert_eq!(replaced(&text, &mut values), text, "{}", path.display());
        }
        assert!(values.is_empty(), "{values:?}");
    }
}
