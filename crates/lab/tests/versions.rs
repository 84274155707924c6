//! Versions of the sources play each other: each is built once, under the name of its content.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{errors, field, gannet, read};

/// A repository whose engine is a program that is there already, so that building it takes no time.
struct Repository {
    folder: PathBuf,
    cache: PathBuf,
}

impl Repository {
    fn new(name: &str) -> Repository {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("versions-{name}"));
        let _ = std::fs::remove_dir_all(&root);
        let repository = Repository { folder: root.join("sources"), cache: root.join("cache") };
        std::fs::create_dir_all(&repository.folder).expect("room");
        repository.git(&["init", "--quiet"]);
        // That it was built is seen by a line in a file.
        let built = root.join("built");
        let makefile = format!("all:\n\techo built >> {}\n\tcp engine.sh $(EXE)\n\tchmod +x $(EXE)\n", built.display());
        repository.put("Makefile", &makefile);
        repository.commit("UseKillers", "false");
        repository.commit("UseKillers", "true");
        repository
    }

    fn git(&self, arguments: &[&str]) -> String {
        let who = ["-c", "user.name=a", "-c", "user.email=b", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").arg("-C").arg(&self.folder).args(who).args(arguments).output().expect("git");
        assert!(output.status.success(), "{}", errors(&output));
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("room");
    }

    /// The engine with a setting as its default.
    fn engine(&self, option: &str, value: &str) {
        let program = gannet();
        self.put(
            "engine.sh",
            &format!(
                "#!/bin/sh\nif [ \"$1\" = bench ]; then echo 1234 nodes 5 nps; exit; fi\n\
                 (echo setoption name {option} value {value}; cat) | exec {}\n",
                program.display()
            ),
        );
    }

    fn commit(&self, option: &str, value: &str) {
        self.engine(option, value);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", &format!("{option}={value}")]);
    }

    fn lab(&self, arguments: &[&str]) -> Output {
        let mut command = common::program();
        command.current_dir(&self.folder).env("GANNET_LAB_CACHE", &self.cache).args(arguments);
        command.output().expect("the laboratory runs")
    }

    /// Plays some games and returns how they ended.
    fn test(&self, a: &str, b: &str) -> serde_json::Value {
        let json = self.cache.join("test.json");
        let path = json.to_string_lossy();
        let play = ["sprt", "--fixed", "--games", "6", "--nodes", "200", "--max-plies", "60", "--no-adjudication"];
        let output = self.lab(&[&play[..], &["--json", &path, "--a", a, "--b", b]].concat());
        assert!(output.status.success(), "{a} {b}: {}", errors(&output));
        field(&json, "results")
    }

    fn builds(&self) -> usize {
        read(&self.folder.with_file_name("built")).lines().count()
    }
}

#[test]
fn two_revisions_play_each_other() {
    let repository = Repository::new("revisions");
    let results = repository.test("HEAD", "HEAD~1");
    assert_eq!(repository.builds(), 2);
    assert_eq!(results, repository.test("", "UseKillers=false"), "they play as settings of this build do");
    assert_eq!(results, repository.test("HEAD", "HEAD~1"));
    assert_eq!(results, repository.test("worktree", "HEAD~1"), "what is not changed is the commit");
    assert_eq!(repository.builds(), 2, "what was built is kept");
    let settings = repository.test("HEAD", "HEAD:UseKillers=false");
    assert_eq!((settings, repository.builds()), (results, 3), "one with every number as an option");
}

#[test]
fn the_work_tree_is_named_by_its_content() {
    let repository = Repository::new("worktree");
    repository.engine("UseQuiescence", "false");
    repository.put("new", "not added");
    let results = repository.test("worktree", "HEAD");
    assert_eq!(repository.builds(), 2);
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--message", "as it was"]);
    assert_eq!(results, repository.test("HEAD", "HEAD~1"));
    assert_eq!(repository.builds(), 2, "committed as it was, it is the same");
    let folder = repository.folder.to_string_lossy().into_owned();
    assert_eq!(results, repository.test(&folder, "HEAD~1"));
    assert_eq!(repository.builds(), 2, "and so it is as a folder");
    let listed = repository.lab(&["builds"]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("bench      1234") && listed.lines().count() == 3, "{listed}");
    assert!(repository.lab(&["builds", "--keep", "0"]).status.success());
    let left = String::from_utf8_lossy(&repository.lab(&["builds"]).stdout).into_owned();
    assert_eq!(left.lines().count(), 1, "{left}");
}

#[test]
fn what_cannot_be_built_is_told() {
    let repository = Repository::new("broken");
    repository.put("Makefile", "all:\n\t@echo it is broken >&2; exit 1\n");
    for (a, b, status, named) in [
        ("worktree", "HEAD", 1, "it is broken"),
        ("HEAD", "no-such-branch", 2, "no-such-branch"),
        ("HEAD~1:NoSuchOption=3", "HEAD~1", 1, "NoSuchOption"),
    ] {
        let output = repository.lab(&["sprt", "--nodes", "1", "--a", a, "--b", b]);
        let told = errors(&output);
        assert!(output.status.code() == Some(status) && told.contains(named), "{a} {b}: {told}");
    }
}
