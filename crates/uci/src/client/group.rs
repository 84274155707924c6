//! A program and everything it has started, ended together: what runs an engine may be a script around it, and whoever ends
//! the script alone leaves the engine behind.

use std::collections::BTreeSet;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The programs that run. The user may end this one without waiting for anybody.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
/// How often somebody who waits for a program looks.
const GLANCE: Duration = Duration::from_millis(5);

/// A program, and what it has started. Nothing of it is left when this is gone.
pub struct Group {
    /// The program, with its pipes.
    pub leader: Child,
}

impl Group {
    /// Starts a program. It does not hear the Ctrl-C of the terminal: that is for the laboratory.
    pub fn spawn(command: &mut Command) -> std::io::Result<Group> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Held until it is in the list, so that it cannot be missed.
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let leader = command.spawn()?;
        running.insert(leader.id());
        Ok(Group { leader })
    }

    /// Waits for the program to end by itself; false if it has not in this time.
    pub fn wait(&mut self, patience: Duration) -> bool {
        let began = Instant::now();
        while !has_ended(&mut self.leader) {
            if began.elapsed() >= patience {
                return false;
            }
            std::thread::sleep(GLANCE);
        }
        true
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        // Until the program has been waited for nobody else can have its number.
        end(self.leader.id());
        let _ = self.leader.kill();
        let _ = self.leader.wait();
        running.remove(&self.leader.id());
    }
}

/// Ends every program at once.
pub fn end_all() {
    for &leader in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        end(leader);
    }
}

/// Whether a program has ended; its number stays taken.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    number(child.id()).is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), ended), Ok(None)))
}

/// Ends a program and all that it has started and that has not left it on purpose.
#[cfg(unix)]
fn end(leader: u32) {
    if let Some(pid) = number(leader) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(unix)]
fn number(leader: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(leader).ok()?)
}

/// Whether a program has ended.
#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Here a program is ended alone.
#[cfg(not(unix))]
fn end(_: u32) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    /// A script that has started a program, and the number of that.
    fn script(text: &str) -> (Group, u32) {
        let mut command = Command::new("sh");
        command.args(["-c", text]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut group = Group::spawn(&mut command).expect("a shell");
        let mut line = String::new();
        BufReader::new(group.leader.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        (group, line.trim().parse().expect("a number"))
    }

    /// Whether a program runs, as one that is dead and not waited for does not.
    fn runs(id: u32) -> bool {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        state.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with(['Z', 'X']))
    }

    fn dies(id: u32) -> bool {
        let began = Instant::now();
        while runs(id) && began.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(GLANCE);
        }
        !runs(id)
    }

    #[test]
    fn what_a_script_has_started_ends_with_it() {
        let (mut group, inner) = script("sleep 100 & echo $!; wait");
        assert!(runs(inner) && !group.wait(Duration::ZERO));
        drop(group);
        assert!(dies(inner));
        // Also where the script has gone ahead.
        let (mut group, inner) = script("sleep 100 & echo $!");
        assert!(group.wait(Duration::from_secs(10)) && runs(inner));
        drop(group);
        assert!(dies(inner));
    }
}
