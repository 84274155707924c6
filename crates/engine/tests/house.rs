//! The house itself, read from its sources: no two modules of a crate need each other, and an idea has one name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The Rust files below a folder, with their texts: without comments, and without what is only there for tests.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_stem() != Some("tests".as_ref())
        {
            let text = std::fs::read_to_string(&path).expect("a source");
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let code = |line: &str| line.split("//").next().unwrap_or_default().to_string();
            files.push((path, text.lines().map(code).collect::<Vec<_>>().join("\n")));
        }
    }
    files
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The first words of what follows `start`: one, or those of a list in braces.
fn after<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(start) {
        let rest = &text[at + start.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            found.push(identifier(rest));
            continue;
        };
        let (mut depth, mut begin) = (0, 0);
        for (index, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    found.push(identifier(list[begin..index].trim_start()));
                    begin = index + 1;
                    if c == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

/// Which module of a crate names which others, by `crate::` or what is the same. What the root of the crate passes on counts as its module's.
fn arrows(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let files = sources(source);
    let root = files.iter().find(|(path, _)| path == &source.join("lib.rs")).map_or("", |(_, text)| text);
    let mut home = BTreeMap::new();
    for line in root.split(';').filter_map(|item| item.split("pub use ").nth(1)) {
        let module = identifier(line);
        let names = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
        home.extend(names.map(|name| (name, module)));
    }
    let modules: BTreeSet<&str> = after(root, "mod ").into_iter().collect();
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in &files {
        let inner = path.strip_prefix(source).expect("below").components().next().expect("a name");
        let module = inner.as_os_str().to_string_lossy().trim_end_matches(".rs").to_string();
        if !modules.contains(&*module) {
            continue;
        }
        // Above a module of the root there is the root.
        let root = if path.parent() == Some(source) { after(text, "super::") } else { Vec::new() };
        for name in after(text, "crate::").into_iter().chain(root) {
            let target = if modules.contains(name) { Some(name) } else { home.get(name).copied() };
            if let Some(target) = target.filter(|target| *target != module) {
                arrows.entry(module.clone()).or_default().insert(target.to_string());
            }
        }
    }
    arrows
}

/// A way from a module back to itself, if there is one.
fn cycle(arrows: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn walk(at: &str, way: &mut Vec<String>, arrows: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
        if let Some(begin) = way.iter().position(|module| module == at) {
            return Some(way[begin..].to_vec());
        }
        way.push(at.to_string());
        let found = arrows.get(at).and_then(|targets| targets.iter().find_map(|next| walk(next, way, arrows)));
        way.pop();
        found
    }
    arrows.keys().find_map(|module| walk(module, &mut Vec::new(), arrows))
}

#[test]
fn no_two_modules_of_a_crate_need_each_other() {
    for name in ["chess", "engine", "gannet", "lab", "pgn", "train", "uci"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let arrows = arrows(&source);
        assert!(!arrows.is_empty(), "{name}: the reader of `use` lines has found only {arrows:?}");
        assert_eq!(cycle(&arrows), None, "{name}");
    }
}

#[test]
fn the_base_needs_nobody_and_only_the_search_needs_all() {
    let arrows = arrows(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert_eq!(arrows.get("base"), None);
    for module in ["tt", "time", "history", "movepick", "evaluation", "nnue", "syzygy"] {
        assert!(!arrows[module].contains("search"), "{module} looks up at the search");
        assert!(arrows["search"].contains(module) || module == "nnue", "the search does not look at {module}");
    }
}

#[test]
fn a_cycle_is_found() {
    let to = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<BTreeSet<_>>();
    let mut arrows = BTreeMap::from([("a".to_string(), to(&["b", "c"])), ("c".to_string(), to(&["d"]))]);
    assert_eq!(cycle(&arrows), None);
    arrows.insert("d".to_string(), to(&["c"]));
    assert_eq!(cycle(&arrows).map(|way| way.len()), Some(2));
    assert_eq!(after("use crate::{a::{b, c}, d};\ncrate::e::f", "crate::"), ["a", "d", "e"]);
}

/// A name as one word: `late_move_reductions` and `LateMoveReductions` are the same.
fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

#[test]
fn file_type_field_and_option_of_an_idea_have_one_name() {
    let (mut declared, mut gathered) = (BTreeSet::new(), BTreeSet::new());
    for (path, text) in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let file = path.file_stem().expect("a name").to_string_lossy().to_string();
        for block in text.split("\nidea! {\n").skip(1) {
            let line = block.lines().find(|line| line.contains('"')).expect("a declaration");
            let words: Vec<&str> = line.split_whitespace().collect();
            let option = words[1].trim_matches('"');
            for name in [&*file, option.strip_prefix("Use").unwrap_or(option)] {
                assert_eq!(plain(name), plain(words[0]), "{}", path.display());
            }
            assert!(declared.insert(plain(words[0])), "{} is declared twice", words[0]);
        }
        for block in text.split("\ngroup! {\n").skip(1) {
            let block = block.split("\n}\n").next().unwrap_or_default();
            for (field, idea) in block.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(": ")) {
                let idea = idea.rsplit("::").next().unwrap_or_default();
                assert_eq!(plain(field), plain(idea), "{}", path.display());
                gathered.insert(plain(idea));
            }
        }
    }
    assert!(declared.len() > 30, "{declared:?}");
    assert_eq!(declared, gathered);
    let mut listed = BTreeSet::new();
    engine::Params::default().visit(&mut |param| listed.extend([plain(param.heuristic)]));
    assert_eq!(declared, listed);
}

/// Where a function may be long: the node and what it calls at every turn, each told as one story.
const STORIES: [&str; 5] =
    ["search/node.rs", "search/quiescence.rs", "movepick/ordinary.rs", "board/see.rs", "nnue/simd.rs"];

#[test]
fn files_and_functions_are_short() {
    for name in ["chess", "engine", "gannet", "lab", "pgn", "train", "uci"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        for (path, _) in sources(&source) {
            let text = std::fs::read_to_string(&path).expect("a source");
            assert!(text.lines().count() <= 500, "{}: {} lines", path.display(), text.lines().count());
            if STORIES.iter().any(|story| path.ends_with(story)) {
                continue;
            }
            for (function, length) in functions(&text) {
                assert!(length <= 60, "{}: {length} lines: {function}", path.display());
            }
        }
    }
}

/// The first line of each function, and how many lines it has. A function ends where a brace stands as far to the left as it began.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.contains('"')).collect();
        words.iter().take(4).any(|&word| word == "fn")
            && !line.trim_end().ends_with([';', '}'])
            && !line.trim().starts_with("//")
    };
    let starts = lines.iter().enumerate().filter(|(_, line)| begins(line));
    let length = |(start, line): (usize, &&str)| {
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let length = lines[start..].iter().position(|line| **line == end)?;
        Some((lines[start], length + 1))
    };
    starts.filter_map(|(start, line)| length((start, line))).collect()
}

#[test]
fn a_long_function_is_found() {
    let text =
        format!("impl A {{\n    pub fn long() {{\n{}    }}\n}}\nfn short() {{\n}}\n", "        x();\n".repeat(70));
    assert_eq!(functions(&text), [("    pub fn long() {", 72), ("fn short() {", 2)]);
}

#[test]
fn no_two_types_of_a_crate_have_one_name() {
    for name in ["chess", "engine", "gannet", "pgn", "train", "uci"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let mut homes: BTreeMap<String, PathBuf> = BTreeMap::new();
        // What is there in place of something else has the names of that.
        for (path, text) in sources(&source).into_iter().filter(|(path, _)| !path.ends_with("absent.rs")) {
            for line in text.lines().filter(|line| !line.starts_with(' ')) {
                let words: Vec<&str> = line.split_whitespace().collect();
                let kind = words.iter().take(2).position(|word| ["struct", "enum", "trait", "type"].contains(word));
                let Some(declared) = kind.and_then(|at| words.get(at + 1)).map(|word| identifier(word)) else {
                    continue;
                };
                // Every command of a program has arguments.
                if declared == "Arguments" {
                    continue;
                }
                if let Some(other) = homes.insert(declared.to_string(), path.clone()) {
                    panic!("{declared} is in {} and in {}", other.display(), path.display());
                }
            }
        }
        assert!(homes.len() > 5, "{name}: {homes:?}");
    }
}
