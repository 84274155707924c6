//! An engine as one line of text: its parts, and the words of its command.

use std::path::Path;

use crate::failure::{Failure, Result};

/// What the parts of an engine's line begin with.
pub const KEYS: [&str; 8] = ["name", "cmd", "opt", "hash", "nodes", "depth", "movetime", "tc"];
/// Where options stand among them, which may have spaces and a = as well, …
const OPTIONS: usize = 2;
/// … and the table.
pub const HASH: usize = 3;

/// The parts of an engine's line. Words without a key belong to the part before, so that names, commands and options may
/// have spaces.
pub fn parts(line: &str) -> Result<[Option<String>; KEYS.len()]> {
    let fail = |what: String| Failure::arguments(format!("engine '{line}': {what}"));
    let mut parts: [Option<String>; KEYS.len()] = Default::default();
    let (mut current, mut unknown) = (None::<usize>, None);
    for word in line.split_whitespace() {
        let open = current == Some(1)
            && parts[1].as_deref().is_some_and(|command| in_quotes(command) && !Path::new(command).is_file());
        let key = word.split_once('=').filter(|_| !open);
        if let Some((index, value)) = key.and_then(|(key, value)| Some((KEYS.iter().position(|&k| k == key)?, value))) {
            if parts[index].replace(value.to_string()).is_some() {
                return Err(fail(format!("{}= stands in it twice", KEYS[index])));
            }
            current = Some(index);
            continue;
        }
        let Some(index) = current else {
            return Err(fail(format!("expected name=, cmd=, opt= or another part before '{word}'")));
        };
        // In options every name stands before a =. Elsewhere a word with a = is most likely a key that does not exist.
        if index != OPTIONS && key.is_some_and(|(key, _)| is_plain(key)) {
            unknown.get_or_insert((index, word));
        }
        if let Some(part) = &mut parts[index] {
            part.push(' ');
            part.push_str(word);
        }
    }
    match unknown {
        // The whole command may be the name of a file, with all the spaces and signs that a name can have.
        Some((1, _)) if parts[1].as_ref().is_some_and(|command| Path::new(command).is_file()) => Ok(parts),
        Some((index, word)) => {
            let key = word.split('=').next().unwrap_or(word);
            let hint = if index == 1 { "; an argument such as this one goes in quotes" } else { "" };
            Err(fail(format!(
                "'{key}=' is no part of an engine: expected name=, cmd=, opt=, hash= or a limit such as nodes={hint}"
            )))
        }
        None => Ok(parts),
    }
}

/// Whether a word could be a key: letters, digits and underscores only.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a quote is open at the end of a text.
fn in_quotes(text: &str) -> bool {
    let (end, _) = text.chars().fold((None, None), |(quote, before), c| match quote {
        Some(open) if c == open => (None, Some(c)),
        None if opens_quote(before, c) => (Some(c), Some(c)),
        _ => (quote, Some(c)),
    });
    end.is_some()
}

/// Whether a quote begins with this sign after that one. An apostrophe inside a word, as in o'brien, is a letter of it.
fn opens_quote(before: Option<char>, c: char) -> bool {
    c == '"' || c == '\'' && !before.is_some_and(char::is_alphanumeric)
}

/// The words of a command. A part in quotes is one word; so is everything, if that is the name of a file.
pub fn words(command: &str) -> Result<Vec<String>> {
    if Path::new(command).is_file() {
        return Ok(vec![command.to_string()]);
    }
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let (mut quote, mut before) = (None, None);
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if opens_quote(before, c) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
        before = Some(c);
    }
    if let Some(open) = quote {
        return Err(Failure::arguments(format!("command '{command}': the quote {open} is not closed")));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_may_have_spaces_in_quotes() {
        let of = |text: &str| words(text).expect(text);
        assert_eq!(
            of(" \"my engines/fish\" --quiet ''  x='y z' x\"y z\" "),
            ["my engines/fish", "--quiet", "", "x=y z", "xy z"]
        );
        assert_eq!(of("./o'brien/fish --name 'a b' ./'c d'"), ["./o'brien/fish", "--name", "a b", "./c d"]);
        assert!(words("\"fish").is_err());
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/main.rs");
        assert_eq!(of(file), [file]);
    }
}
