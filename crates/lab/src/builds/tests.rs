//! Tests of versions: sources are named by their content, and git leaves the user's repository as it is.

use super::git::{Git, Snapshot};
use super::*;

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("gannet-lab-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("room");
        Scratch(path)
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("room");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn tree(folder: &Path, scratch: &Scratch) -> String {
    Snapshot::take(folder, &scratch.0.join("snapshot")).unwrap_or_else(|failure| panic!("{failure}")).tree.clone()
}

#[test]
fn content_names_a_folder_with_git_or_without() {
    let (scratch, plain, repository) = (Scratch::new("trees"), Scratch::new("plain"), Scratch::new("repository"));
    for folder in [&plain, &repository] {
        folder.put("a", "1");
        folder.put(".gitignore", "rubbish\n/target\n");
    }
    let first = tree(&plain.0, &scratch);
    plain.put("rubbish", "2");
    assert_eq!(tree(&plain.0, &scratch), first, "what is ignored does not count");
    let git = Git::at(&repository.0);
    git.run(&["init", "--quiet"]).expect("git");
    assert_eq!(tree(&repository.0, &scratch), first, "the same content has the same name");
    let who = ["-c", "user.name=a", "-c", "user.email=b"];
    git.run(&["add", "--all"]).expect("git");
    git.run(&[&who[..], &["commit", "--quiet", "-m", "c"]].concat()).expect("git");
    assert_eq!(git.object("HEAD", "tree").as_deref(), Ok(&*first));
    let objects = || git.run(&["count-objects", "-v"]).expect("git");
    let before = objects();
    repository.put("new", "3");
    let changed = Snapshot::take(&repository.0, &scratch.0.join("snapshot")).expect("git");
    assert_ne!(changed.tree, first, "a new file counts before it is added");
    let out = scratch.0.join("out");
    std::fs::create_dir_all(&out).expect("room");
    changed.lay_out(&out).expect("git");
    let read = |name: &str| std::fs::read_to_string(out.join(name)).ok();
    assert_eq!([read("a"), read("new"), read("rubbish")], [Some("1".to_string()), Some("3".to_string()), None]);
    assert_eq!(objects(), before, "the user's repository is as it was");
    assert_eq!(git.run(&["status", "--porcelain"]).as_deref(), Ok("?? new"));
}

#[test]
fn the_bench_is_read() {
    assert_eq!(nodes_in("info string x\n2900747 nodes 1234567 nps\n"), Some(2_900_747));
    assert_eq!(nodes_in("Nodes searched: 7"), None);
    assert_eq!(nodes_in(""), None);
}

#[test]
fn the_oldest_builds_go_first() {
    let scratch = Scratch::new("kept");
    let cache = Cache { path: scratch.0.clone() };
    for (age, name) in ["new", "middle", "old"].iter().enumerate() {
        let folder = scratch.0.join("builds").join(name);
        std::fs::create_dir_all(&folder).expect("room");
        let file = File::create(folder.join(ABOUT)).expect("room");
        file.set_modified(SystemTime::now() - Duration::from_secs(60 * age as u64)).expect("ours");
    }
    assert_eq!(cache.forget(2), Ok(1));
    let left: Vec<_> = cache.list().expect("it is there").into_iter().map(|(_, path)| path).collect();
    assert_eq!(left, ["new", "middle"].map(|name| scratch.0.join("builds").join(name)));
    assert_eq!(cache.forget(5), Ok(0));
}
