//! More threads than there is memory for, as on a small server: the search goes on with those it can have, and says so.

#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

/// What the program says where its address space is limited to so many KiB.
fn says(kibibytes: u32, commands: &str) -> (bool, String) {
    let limited = format!("ulimit -v {kibibytes} && exec \"$0\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &limited, env!("CARGO_BIN_EXE_gannet")]);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().expect("a shell");
    child.stdin.take().expect("piped").write_all(commands.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn threads_that_there_is_no_memory_for_are_done_without() {
    const GO: &str = "setoption name Threads value 64\ngo depth 9\nwait\ngo depth 9\nwait\nquit\n";
    for mebibytes in [96, 160, 256] {
        let (fine, text) = says(mebibytes << 10, GO);
        assert!(fine && text.matches("\nbestmove ").count() == 2, "{mebibytes} MiB: {text}");
        assert_eq!(text.matches(" of 64 threads;").count(), 1, "said once, {mebibytes} MiB: {text}");
    }
}
