//! Turns sources into a program: with cargo where they are a package of it, else with make.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::Deserialize;

use crate::failure::{Failure, Result};

/// What the engine's program is called.
const PROGRAM: &str = "gannet";
/// So many of the last lines are shown of what went wrong.
const LINES: usize = 15;

/// What `cargo metadata` tells, as far as it is of use.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    #[serde(default)]
    workspace_default_members: Vec<String>,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    targets: Vec<Target>,
    features: std::collections::BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

/// A line of what cargo tells while it builds.
#[derive(Deserialize)]
struct Message {
    executable: Option<PathBuf>,
    target: Option<Target>,
}

/// What is to be built, and where it goes.
pub struct Work<'a> {
    /// The sources.
    pub source: &'a Path,
    /// Where cargo keeps what it builds.
    pub target: &'a Path,
    /// Whether every number must be an option, so that settings reach it.
    pub tune: bool,
}

impl Work<'_> {
    /// Builds the program and returns where it is.
    pub fn build(&self) -> Result<PathBuf> {
        let mut complaints = Vec::new();
        if self.source.join("Cargo.toml").is_file() {
            match self.with_cargo() {
                Ok(program) => return Ok(program),
                Err(complaint) => complaints.push(complaint),
            }
        }
        if ["Makefile", "makefile"].iter().any(|name| self.source.join(name).is_file()) {
            // It may know what to do without a network, or without cargo.
            match self.with_make() {
                Ok(program) => return Ok(program),
                Err(complaint) => complaints.push(complaint),
            }
        }
        if complaints.is_empty() {
            complaints.push("there is neither a Cargo.toml nor a Makefile".to_string());
        }
        Err(Failure::new(complaints.join("\n")))
    }

    fn with_cargo(&self) -> std::result::Result<PathBuf, String> {
        let metadata =
            run(cargo(self.source).args(["metadata", "--no-deps", "--format-version", "1"]), "cargo metadata")?;
        let metadata: Metadata =
            serde_json::from_slice(&metadata.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
        let (package, program) = metadata.program()?;
        let mut build = cargo(self.source);
        build.args(["build", "--release", "--message-format=json-render-diagnostics", "--target-dir"]).arg(self.target);
        build.args(["--package", &package.name, "--bin", program]);
        if self.tune && package.features.contains_key("tune") {
            build.args(["--features", "tune"]);
        }
        let output = run(&mut build, "cargo build")?;
        let told = String::from_utf8_lossy(&output.stdout);
        let messages = told.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
        let executable =
            |message: Message| message.executable.filter(|_| message.target.is_some_and(|t| t.name == program));
        messages
            .filter_map(executable)
            .next_back()
            .ok_or_else(|| format!("cargo build: it has built no program {program}"))
    }

    fn with_make(&self) -> std::result::Result<PathBuf, String> {
        let mut make = Command::new("make");
        make.current_dir(self.source).stdin(Stdio::null()).env_remove("EVALFILE");
        // Where its rules expect what cargo builds.
        make.env_remove("CARGO_TARGET_DIR");
        if self.tune {
            make.arg("TUNE=1");
        }
        let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
        run(make.arg(format!("EXE={name}")), "make")?;
        let program = self.source.join(&name);
        if program.is_file() { Ok(program) } else { Err(format!("make EXE={name}: there is no {name} afterwards")) }
    }
}

impl Metadata {
    /// The package and its program: `gannet`, or the only one there is.
    fn program(&self) -> std::result::Result<(&Package, &str), String> {
        let programs = || {
            let of = |package| programs_of(package).map(move |name| (package, name));
            self.packages.iter().flat_map(of)
        };
        if let Some(found) = programs().find(|(_, name)| *name == PROGRAM) {
            return Ok(found);
        }
        let preferred: Vec<_> =
            programs().filter(|(package, _)| self.workspace_default_members.contains(&package.id)).collect();
        match preferred.as_slice() {
            [only] => Ok(*only),
            _ => {
                let names: Vec<&str> = programs().map(|(_, name)| name).collect();
                let names = if names.is_empty() { "none".to_string() } else { names.join(", ") };
                Err(format!(
                    "cargo: no program is called {PROGRAM}, and it is not clear which to take; there are: {names}"
                ))
            }
        }
    }
}

fn programs_of(package: &Package) -> impl Iterator<Item = &str> {
    let programs = package.targets.iter().filter(|target| target.kind.iter().any(|kind| kind == "bin"));
    programs.map(|target| target.name.as_str())
}

/// Cargo in a folder. A version is built with the network it came with.
fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).stdin(Stdio::null()).env_remove("EVALFILE");
    command
}

/// Runs a command to its end; what it complains about where it fails.
fn run(command: &mut Command, name: &str) -> std::result::Result<Output, String> {
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = complaint.lines().collect();
    Err(format!("{name} failed ({}):\n{}", output.status, lines[lines.len().saturating_sub(LINES)..].join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> std::result::Result<(String, String), String> {
        let metadata: Metadata = serde_json::from_str(text).expect("JSON");
        metadata.program().map(|(package, program)| (package.name.clone(), program.to_string()))
    }

    #[test]
    fn the_program_is_found_by_its_name_or_by_being_alone() {
        let package = |name: &str, program: &str| {
            format!(
                "{{\"id\":\"{name} 1\",\"name\":\"{name}\",\"features\":{{}},\"targets\":[{{\"name\":\"x\",\"kind\":[\"lib\"]}},\
                 {{\"name\":\"{program}\",\"kind\":[\"bin\"]}}]}}"
            )
        };
        let all = |packages: &[String], default: &str| {
            found(&format!("{{\"packages\":[{}],\"workspace_default_members\":[{default}]}}", packages.join(",")))
        };
        let own = [package("lab", "gannet-lab"), package("gannet-cli", "gannet")];
        assert_eq!(all(&own, ""), Ok(("gannet-cli".to_string(), "gannet".to_string())));
        let other = [package("tool", "tool"), package("fish", "fish")];
        assert_eq!(all(&other, "\"fish 1\""), Ok(("fish".to_string(), "fish".to_string())));
        let complaint = all(&other, "\"fish 1\",\"tool 1\"").err().unwrap_or_default();
        assert!(complaint.contains("tool, fish"), "{complaint}");
        assert!(all(&[], "").is_err_and(|complaint| complaint.contains("there are: none")));
    }

    #[cfg(unix)]
    #[test]
    fn what_has_only_a_makefile_is_made() {
        let folder = std::env::temp_dir().join(format!("gannet-lab-make-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("room");
        let work = Work { source: &folder, target: &folder, tune: false };
        assert!(work.build().is_err_and(|failure| failure.to_string().contains("neither")));
        for (makefile, built) in [("all:\n\techo > $(EXE)\n", true), ("all:\n\t@echo no luck >&2; exit 3\n", false)] {
            std::fs::write(folder.join("Makefile"), makefile).expect("room");
            let result = work.build();
            assert_eq!(result.is_ok(), built, "{result:?}");
            let told = result.err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(built || told.contains("make failed") && told.contains("no luck"), "{told}");
            let _ = std::fs::remove_file(folder.join(PROGRAM));
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
