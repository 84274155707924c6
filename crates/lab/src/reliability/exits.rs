//! The end: `quit`, the end of input, a closed output and one that nobody reads, in the middle of a search.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use uci::client::Ending;

use super::Context;
use super::trials::{self, Tally, Verdict};
use crate::rng::Rng;

pub const WHAT: &str = "`quit`, the end of input, a closed output, and `quit` with an output that nobody reads, during a \
    search, in turn, with 1 and 8 threads: the process is gone within 200 ms, with exit status 0 and not a word on the error output";

const LIMIT: Duration = Duration::from_millis(200);
const FORMS: [&str; 4] = ["go infinite", "go", "go ponder wtime 1000", "go wtime 900000 btime 900000"];

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    trials::run(
        tally,
        trials,
        1,
        || Ok(()),
        |(), index| {
            let mut rng = Rng::new(context.seed, index);
            let threads = if index / 4 % 2 == 0 { 1 } else { 8 };
            let go = FORMS[rng.below(FORMS.len())];
            let pause = Duration::from_millis(rng.below(60) as u64);
            match index % 4 {
                2 => without_reader(context, tally, threads, go, pause, true),
                3 => without_reader(context, tally, threads, go, pause, false),
                way => leave(context, tally, threads, go, pause, way == 0),
            }
        },
    );
}

fn leave(context: &Context, tally: &Tally, threads: usize, go: &str, pause: Duration, quit: bool) -> Verdict {
    let mut talk = context.start()?;
    talk.tell(&[&format!("setoption name Threads value {threads}")])?;
    talk.send(go)?;
    std::thread::sleep(pause);
    if quit {
        talk.send("quit")?;
    } else {
        talk.close_input();
    }
    let time = talk.wait(context.patience(LIMIT)).map_err(|fault| format!("{go}, {threads} threads: {fault}"))?;
    tally.time(if quit { "quit" } else { "end of input" }, time);
    Ok(())
}

/// More answers than a pipe holds.
const ANSWERS: usize = 20_000;

/// Closes the output, or leaves it open and full, and says `quit`.
fn without_reader(context: &Context, tally: &Tally, threads: usize, go: &str, pause: Duration, close: bool) -> Verdict {
    let mut command = Command::new(&context.engine);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let (Some(mut input), Some(output), mut errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err("no pipes".to_string());
    };
    let mut output = BufReader::new(output);
    let commands = format!("uci\nsetoption name Threads value {threads}\n{go}\n");
    let told = input.write_all(commands.as_bytes()).and_then(|()| output.read_line(&mut String::new()));
    let mut told = told.map(|_| ());
    if !close {
        told = told.and_then(|()| input.write_all("isready\n".repeat(ANSWERS).as_bytes()));
    }
    std::thread::sleep(pause);
    let unread = if close {
        drop(output);
        None
    } else {
        told = told.and_then(|()| input.write_all(b"quit\n"));
        Some(output)
    };
    let what = if close { "closed output" } else { "unread output" };
    let patience = context.patience(LIMIT);
    let ending = Ending::of(&mut child, &mut errors, patience);
    let left = ending.ok_or(format!("still there after {patience:?}")).and_then(Ending::good);
    // It has ended already, or never will.
    let _ = child.kill().and_then(|()| child.wait());
    drop(unread);
    told.map_err(|error| error.to_string())?;
    tally.time(what, left.map_err(|fault| format!("{go}, {threads} threads, {what}: {fault}"))?);
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// What is said of a program that does this when its input is closed or it is told to quit.
    fn verdict(name: &str, last: &str) -> Verdict {
        let path = std::env::temp_dir().join(format!("gannet exits {name} {}", std::process::id()));
        let program = format!("#!/bin/sh\necho id\nread a; read b; read c; {last}\n");
        std::fs::write(&path, program).expect("room");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("ours");
        let context = Context { engine: path.clone(), short: true, percent: 100, seed: 1, syzygy: None };
        let verdict = without_reader(&context, &Tally::new("test", 1), 1, "go", Duration::ZERO, true);
        std::fs::remove_file(path).expect("it was there");
        verdict
    }

    #[test]
    fn only_a_quiet_end_is_a_good_one() {
        assert_eq!(verdict("good", "exit 0"), Ok(()));
        assert!(verdict("failing", "exit 3").is_err_and(|fault| fault.contains("left with exit status: 3")));
        assert!(verdict("loud", "echo broken pipe >&2").is_err_and(|fault| fault.contains("broken pipe")));
    }
}
