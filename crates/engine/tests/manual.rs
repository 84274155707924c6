//! What CONTRIBUTING.md says under "Adding an idea", done to the letter in a copy of the sources: it must compile, and the
//! new idea must be there with its option, its line of the index and its tests.

use std::fs;
use std::path::Path;
use std::process::Command;

/// One step: a file, the line before which the text comes if the file is there already, and the text.
struct Step {
    file: String,
    before: Option<String>,
    text: String,
}

/// The numbered steps of a section: what stands in backticks says where, the block says what.
fn steps(manual: &str) -> Vec<Step> {
    let section = manual.split("\n## Adding an idea\n").nth(1).expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let is_step = |line: &str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let mut steps = Vec::new();
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        if !is_step(line) {
            continue;
        }
        let quoted: Vec<&str> = line.split('`').collect();
        let before = (quoted.len() > 3).then(|| quoted[3].to_string());
        let block = lines.by_ref().skip_while(|line| line.trim() != "```rust").skip(1);
        let block = block.take_while(|line| line.trim() != "```").map(|line| line.strip_prefix("   ").unwrap_or(line));
        let text = block.fold(String::new(), |text, line| text + line + "\n");
        steps.push(Step { file: quoted[1].to_string(), before, text });
    }
    steps
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("room");
        for entry in fs::read_dir(from).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        fs::create_dir_all(to.parent().expect("a folder")).expect("room");
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
}

#[test]
fn an_idea_is_added_as_the_manual_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let house = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let _ = fs::remove_dir_all(house.join("crates"));
    let crates = ["chess", "uci", "gannet", "engine"].map(|name| format!("crates/{name}/src"));
    let crates = crates.each_ref().map(String::as_str);
    let files =
        ["crates/chess/README.md", "crates/engine/README.md", "crates/engine/build.rs", "nets/gannet.gnet", "offline"];
    crates.iter().chain(&files).for_each(|path| copy(&root.join(path), &house.join(path)));

    let steps = steps(&fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the manual"));
    assert_eq!(steps.iter().filter(|step| step.before.is_none()).count(), 1, "one new file");
    assert_eq!(steps.len(), 6);
    for Step { file, before, text } in steps {
        let path = house.join(&file);
        let new = match before {
            None => text,
            Some(line) => {
                let old = fs::read_to_string(&path).expect(&file);
                let line = format!("\n{line}\n");
                assert_eq!(old.matches(&line).count(), 1, "{file}: {line}");
                old.replacen(&line, &format!("\n{text}{}", line.trim_start_matches('\n')), 1)
            }
        };
        fs::write(&path, new).expect("room");
    }
    fs::write(house.join("crates/engine/src/added.rs"), ADDED).expect("room");
    let library = house.join("crates/engine/src/lib.rs");
    let text = fs::read_to_string(&library).expect("the library");
    fs::write(&library, text + "\n#[cfg(test)]\nmod added;\n").expect("room");

    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--lib", "--manifest-path", "offline/engine/Cargo.toml"])
        .args(["--", "far_cutoff", "added", "names_are_unique", "each_term_pulls"])
        .env("CARGO_TARGET_DIR", house.join("target"))
        .current_dir(&house)
        .output()
        .expect("cargo");
    let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{errors}");
    assert!(told.contains("test result: ok. 4 passed"), "{told}");
}

/// What is asked of the library that the idea was added to.
const ADDED: &str = "
use crate::{Control, Engine, Limits, NoClock, Params, Silent};

#[test]
fn the_idea_is_there() {
    let about = Params::index().into_iter().find(|about| about.name == \"FarCutoff\").expect(\"in the index\");
    assert!(!about.default && about.file.ends_with(\"far_cutoff.rs\") && about.line.starts_with(\"Cuts a node\"));
    let mut engine = Engine::new(1).expect(\"memory\");
    engine.params_mut().set(\"UseFarCutoff\", \"true\").expect(\"a switch\");
    engine.params_mut().set(\"FarCutoff_margin\", \"600\").expect(\"a number\");
    engine.params_mut().set(\"LateMoveReductions_endgame_factor\", \"80\").expect(\"a number\");
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let outcome = engine.search(&Default::default(), &limits, &Control::default(), &NoClock, &mut Silent);
    assert!(outcome.best.is_some());
}
";
