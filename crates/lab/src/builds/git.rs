//! Git, as far as it is needed to find sources, to name them by their content, and to lay them out in a folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, Result};

/// Git in a folder, and perhaps with files of its own, so that it changes nothing of the user's.
pub struct Git {
    folder: Option<PathBuf>,
    variables: Vec<(&'static str, PathBuf)>,
}

/// What tells git to look elsewhere than where it is started. Hooks, for one, set them.
const STRAYS: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"];

impl Git {
    /// Git in the folder where the program was started.
    pub fn here() -> Git {
        Git { folder: None, variables: Vec::new() }
    }

    /// Git in a folder.
    pub fn at(folder: &Path) -> Git {
        Git { folder: Some(folder.to_path_buf()), variables: Vec::new() }
    }

    /// The same with a file or a folder in the place of one that git would use.
    pub fn with(mut self, variable: &'static str, path: &Path) -> Git {
        self.variables.push((variable, path.to_path_buf()));
        self
    }

    /// Runs it and returns what it prints.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<String> {
        let mut command = Command::new("git");
        STRAYS.iter().for_each(|name| {
            command.env_remove(name);
        });
        command.args(self.folder.iter().flat_map(|folder| [OsStr::new("-C"), folder.as_os_str()]));
        command.args(arguments).envs(self.variables.iter().cloned()).stdin(Stdio::null());
        let output = command.output().map_err(|error| Failure::new(format!("cannot run git: {error}")))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_string());
        }
        let words: Vec<_> = arguments.iter().map(|word| word.as_ref().to_string_lossy()).collect();
        let complaint = String::from_utf8_lossy(&output.stderr);
        Err(Failure::new(format!("git {} failed: {}", words.join(" "), complaint.trim())))
    }

    /// What a revision is of a kind, `commit` or `tree`.
    pub fn object(&self, revision: &str, kind: &str) -> Result<String> {
        self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{{kind}}}")])
    }

    /// The folder of the whole work tree.
    pub fn top(&self) -> Result<PathBuf> {
        self.run(&["rev-parse", "--show-toplevel"]).map(PathBuf::from)
    }
}

/// The content of a folder as git sees it: everything it does not ignore, whether it was added or not.
pub struct Snapshot {
    git: Git,
    /// The name of the content.
    pub tree: String,
    scratch: PathBuf,
}

impl Snapshot {
    /// Takes the content of a folder. What git has to write goes to a scratch folder.
    pub fn take(folder: &Path, scratch: &Path) -> Result<Snapshot> {
        let _ = std::fs::remove_dir_all(scratch);
        let make = |path: &Path| std::fs::create_dir_all(path).map_err(|error| Failure::file("make", path, error));
        let (objects, index) = (scratch.join("objects"), scratch.join("index"));
        make(&objects)?;
        let git = Git::at(folder);
        // A folder inside a repository that is not its top, such as an unpacked archive, is a thing of its own.
        let is_top = git.top().is_ok_and(|top| same(&top, folder));
        let git = if is_top {
            let known = folder.join(git.run(&["rev-parse", "--git-path", "objects"])?);
            git.with("GIT_OBJECT_DIRECTORY", &objects).with("GIT_ALTERNATE_OBJECT_DIRECTORIES", &known)
        } else {
            let repository = scratch.join("repository");
            Git::here().run(&[
                OsStr::new("init"),
                OsStr::new("--quiet"),
                OsStr::new("--bare"),
                repository.as_os_str(),
            ])?;
            git.with("GIT_DIR", &repository).with("GIT_WORK_TREE", &absolute(folder))
        };
        let git = git.with("GIT_INDEX_FILE", &index);
        git.run(&["add", "--all", "--", ".", ":(exclude,top)target"])?;
        let tree = git.run(&["write-tree"])?;
        Ok(Snapshot { git, tree, scratch: scratch.to_path_buf() })
    }

    /// Lays the content out in an empty folder.
    pub fn lay_out(&self, folder: &Path) -> Result<()> {
        check_out(&self.git, folder)
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

/// Lays the content of a commit out in an empty folder.
pub fn lay_out(commit: &str, folder: &Path, index: &Path) -> Result<()> {
    let git = Git::at(&Git::here().top()?).with("GIT_INDEX_FILE", index);
    let done = git.run(&["read-tree", commit]).and_then(|_| check_out(&git, folder));
    let _ = std::fs::remove_file(index);
    done
}

/// Every file is as new as this moment, so that whatever builds them sees that they have changed.
fn check_out(git: &Git, folder: &Path) -> Result<()> {
    let mut prefix = std::ffi::OsString::from("--prefix=");
    prefix.push(folder);
    prefix.push("/");
    git.run(&[OsStr::new("checkout-index"), OsStr::new("--all"), OsStr::new("--force"), &prefix]).map(|_| ())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Whether two paths are those of one folder.
fn same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
