//! Starting an engine and settling its options.

use std::process::{Command, Stdio};
use std::time::Instant;

use uci::Declared;
use uci::client::{Client, Silence};

use super::EngineCommand;
use crate::failure::{Failure, Result};
use crate::pool;

/// Starts an engine and sets its options.
pub fn open(command: &EngineCommand) -> Result<Client> {
    let fail = |what: String| Failure::new(format!("engine {}: {what}", command.program.display()));
    let mut process = Command::new(&command.program);
    process.args(&command.arguments).stderr(Stdio::null());
    // Gannet lists the switches and numbers of its search on request only, and what is not listed cannot be set here.
    process.env("GANNET_EXPOSE", "1");
    let mut client =
        Client::start(&mut process, pool::interrupted).map_err(|error| fail(unstartable(command, &error)))?;
    let known = client.handshake(Instant::now() + command.startup).map_err(|silence| {
        let hint = |text| format!("{text}; is it a UCI engine?");
        unheard("uciok", silence, command).map_or(Failure::Interrupted, |text| fail(hint(text)))
    })?;
    for line in setting_lines(command, &known).map_err(&fail)? {
        // A failure shows when it is asked whether it is ready.
        let _ = client.send(&line, Instant::now() + command.startup);
    }
    client.ready(Instant::now() + command.startup, drop).map_err(|silence| {
        let told = unheard("readyok after its options were set", silence, command);
        told.map_or(Failure::Interrupted, fail)
    })?;
    Ok(client)
}

/// The lines that set the options of an engine, or why one cannot be set.
fn setting_lines(command: &EngineCommand, known: &[Declared]) -> std::result::Result<Vec<String>, String> {
    let find = |name: &str| known.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    let set = |name: &str, value: &str| match find(name) {
        Some(option) => option.command(value),
        None => {
            let names: Vec<&str> = known.iter().map(|option| option.name.as_str()).collect();
            Err(format!("it has no option named '{name}'; it has {}", names.join(", ")))
        }
    };
    let set_all = command.options.iter().map(|(name, value)| set(name, value));
    let mut lines = set_all.collect::<std::result::Result<Vec<_>, _>>()?;
    let set_alone = command.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Hash"));
    if let Some(option) = find("Hash").filter(|_| !set_alone) {
        lines.extend(table_line(command, option)?);
    }
    if command.chess960 {
        lines.push(set("UCI_Chess960", "true")?);
    }
    Ok(lines)
}

/// The line that sets the table of an engine. A size that nobody chose is no reason to refuse an engine: it is made to
/// fit, and where that cannot be the engine keeps its own.
fn table_line(command: &EngineCommand, option: &Declared) -> std::result::Result<Option<String>, String> {
    if command.hash_chosen {
        let hint = |error| format!("{error} (--hash, or a setting of this engine alone, says another size)");
        return option.command(&command.hash.to_string()).map(Some).map_err(hint);
    }
    let nearest = option.nearest(i64::try_from(command.hash).unwrap_or(i64::MAX));
    Ok(option.command(&nearest.to_string()).ok())
}

/// Why a program could not be started, in words that help.
fn unstartable(command: &EngineCommand, error: &std::io::Error) -> String {
    let program = &command.program;
    let bare = program.components().count() == 1 && program.is_file();
    let hint = if bare { format!("; the one in this folder is ./{}", program.display()) } else { String::new() };
    format!("cannot be started: {error}{hint}")
}

/// How an engine failed to say what was expected; None if nobody waited for it.
fn unheard(expected: &str, silence: Silence, command: &EngineCommand) -> Option<String> {
    match silence {
        Silence::Stalled => Some(format!("no {expected} within {} seconds (--startup)", command.startup.as_secs())),
        Silence::Interrupted => None,
        Silence::Gone => Some(format!("it ended before it said {expected}")),
    }
}
