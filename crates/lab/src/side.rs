//! What `--a` and `--b` mean: settings of this build, such as `UseNullMove=false`, or a version of the sources, such as
//! `HEAD~20`, a folder or the work tree, with settings of its own behind a colon.

use std::path::{Path, PathBuf};

use engine::Params;

use crate::builds::{self, Sources};
use crate::competitor::{Common, Competitor};
use crate::failure::{Failure, Result};

/// One side of a test, as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// This build, or a program that is named elsewhere, with these settings.
    Settings(String),
    /// Sources that are to be built, with settings.
    Version(Sources, String),
}

impl Side {
    /// Tells settings from versions: what has a `=` before any colon is settings, and so is nothing at all.
    pub fn parse(text: &str) -> Result<Side> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Side::Settings(String::new()));
        }
        if is_named_folder(text) {
            return Ok(Side::Version(sources(text)?, String::new()));
        }
        let (version, settings) = text.split_once(':').unwrap_or((text, ""));
        if version.contains('=') {
            return Ok(Side::Settings(text.to_string()));
        }
        if !settings.is_empty() && !settings.contains('=') {
            return Err(Failure::arguments(format!(
                "'{text}': behind the colon after version '{version}' come settings, Name=value,Name=value; \
                 '{settings}' is none"
            )));
        }
        Ok(Side::Version(sources(version.trim())?, settings.trim().to_string()))
    }

    /// The engine of this side: a program if one was named, else a version that is built now unless it was before, else
    /// this build.
    pub fn competitor(&self, command: Option<&str>, common: &Common) -> Result<Competitor> {
        match (self, command) {
            (Side::Settings(settings), Some(command)) => Competitor::process(command, settings, common),
            (Side::Settings(settings), None) => Competitor::inside(settings, common),
            (Side::Version(sources, settings), None) => {
                Competitor::version(builds::obtain(sources, !settings.is_empty())?, settings, common)
            }
            (Side::Version(sources, _), Some(command)) => Err(Failure::arguments(format!(
                "one side cannot be both the program '{command}' and the version {sources}; \
                 options of a program are written Name=value"
            ))),
        }
    }
}

/// Whether the whole text, colons and all, is a folder that nobody would take for a revision.
fn is_named_folder(text: &str) -> bool {
    text.contains(['/', '\\']) && Path::new(text).is_dir()
}

/// The sources that a word stands for.
fn sources(word: &str) -> Result<Sources> {
    if word == "." || word == "worktree" {
        return Ok(Sources::WorkTree);
    }
    let folder = Path::new(word);
    let can_be_built = ["Cargo.toml", "Makefile", "makefile"].iter().any(|name| folder.join(name).is_file());
    if is_named_folder(word) || folder.is_absolute() {
        return match (folder.is_dir(), can_be_built) {
            (true, true) => Ok(Sources::Folder(PathBuf::from(word))),
            (true, false) => Err(Failure::arguments(format!(
                "folder {word} has neither a Cargo.toml nor a Makefile to build it with"
            ))),
            (false, _) => Err(Failure::arguments(format!(
                "there is no folder {word}; to let a program play that is built already: --engine-a, --engine-b"
            ))),
        };
    }
    let known = builds::is_revision(word);
    match (known, can_be_built) {
        (true, false) => Ok(Sources::Revision(word.to_string())),
        (false, true) => Ok(Sources::Folder(PathBuf::from(word))),
        (true, true) => Err(Failure::arguments(format!(
            "'{word}' is a git revision and a folder with sources: write ./{word} for the folder, or heads/{word}"
        ))),
        (false, false) => Err(unknown(word)),
    }
}

/// Why a word stands for nothing.
fn unknown(word: &str) -> Failure {
    let mut option = None;
    Params::default().visit(&mut |param| {
        if param.name.eq_ignore_ascii_case(word) {
            option = Some(param.name);
        }
    });
    let told = match option {
        Some(name) => format!("{name} is an option of the engine: expected {name}=value"),
        None if builds::is_in_repository() => format!("git knows no revision '{word}' here"),
        None => format!("'{word}' would be a git revision, but this is no folder of a git repository"),
    };
    Failure::arguments(format!(
        "{told}. A side is settings (Name=value,…), a git revision, a folder with sources, or worktree for the sources \
         as they stand; REVISION:Name=value,… is both"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        Side::parse(text).err().map(|failure| failure.to_string()).unwrap_or_default()
    }

    #[test]
    fn settings_are_told_from_versions() {
        for text in ["", " ", "UseNullMove=false", "A=1,B=2", "EvalFile=C:\\nets\\a.gnet", "Skill Level=3:4"] {
            assert_eq!(Side::parse(text), Ok(Side::Settings(text.trim().to_string())), "{text}");
        }
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        for (text, sources, settings) in [
            ("worktree", Sources::WorkTree, ""),
            (".", Sources::WorkTree, ""),
            (".:UseNullMove=false", Sources::WorkTree, "UseNullMove=false"),
            (root, Sources::Folder(PathBuf::from(root)), ""),
        ] {
            assert_eq!(Side::parse(text), Ok(Side::Version(sources, settings.to_string())), "{text}");
        }
    }

    #[test]
    fn what_stands_for_nothing_is_explained() {
        for (text, named) in [
            ("usenullmove", "UseNullMove is an option of the engine: expected UseNullMove=value"),
            ("no-such-branch", "'no-such-branch'"),
            ("no-such-branch:UseNullMove=false", "'no-such-branch'"),
            ("worktree:UseNullMove", "'UseNullMove' is none"),
            ("/no/such/folder", "no folder /no/such/folder"),
            (concat!(env!("CARGO_MANIFEST_DIR"), "/src"), "neither a Cargo.toml nor a Makefile"),
        ] {
            assert!(told(text).contains(named), "{text}: {}", told(text));
        }
    }

    #[test]
    fn a_program_is_no_version() {
        let zero = std::time::Duration::ZERO;
        let common = Common { hash: 1, hash_chosen: true, chess960: false, patience: zero, startup: zero };
        let side = Side::Version(Sources::WorkTree, String::new());
        let failure = side.competitor(Some("./gannet"), &common).err().map(|failure| failure.to_string());
        assert!(failure.is_some_and(|text| text.contains("./gannet") && text.contains("work tree")));
    }
}
