//! `setoption name … [value …]`: names and values may both contain spaces.

use std::fmt;

/// A name, and the value it is to have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetOption {
    /// The name, with single spaces; not empty.
    pub name: String,
    /// The value, with the spaces it was written with; empty for a button.
    pub value: String,
}

impl SetOption {
    /// An option and its value.
    pub fn new(name: &str, value: &str) -> SetOption {
        SetOption { name: name.to_string(), value: value.to_string() }
    }

    /// Reads what stands behind `setoption`.
    pub(crate) fn parse(text: &str) -> Result<SetOption, String> {
        // Spaces count in paths, so the words here are what stands between single ones: an empty one for each further space.
        let words: Vec<&str> = text.trim().split([' ', '\t']).collect();
        let usage = || "expected setoption name NAME [value VALUE]".to_string();
        let [word, rest @ ..] = &words[..] else { return Err(usage()) };
        let mut parts = rest.splitn(2, |word| word.eq_ignore_ascii_case("value"));
        let name: Vec<_> = parts.next().unwrap_or_default().iter().copied().filter(|word| !word.is_empty()).collect();
        let name = name.join(" ").trim().to_string();
        if !word.eq_ignore_ascii_case("name") || name.is_empty() {
            return Err(usage());
        }
        let value = parts.next().unwrap_or_default().join(" ");
        Ok(SetOption { name, value: value.trim().to_string() })
    }
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", self.name)?;
        if self.value.is_empty() { Ok(()) } else { write!(f, " value {}", self.value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Command;

    #[test]
    fn names_and_values_may_have_spaces() {
        for (line, name, value) in [
            ("setoption name Hash value 3", "Hash", "3"),
            ("setoption  NAME  move  overhead VALUE  250 ", "move overhead", "250"),
            ("setoption name Clear Hash", "Clear Hash", ""),
            ("setoption name SyzygyPath value two  spaces", "SyzygyPath", "two  spaces"),
            ("please setoption name A value value of b", "A", "value of b"),
        ] {
            let option = SetOption::new(name, value);
            assert_eq!(Command::parse(line), Command::SetOption(option.clone()), "{line}");
            assert_eq!(Command::parse(&option.to_string()), Command::SetOption(option));
        }
        for line in ["setoption", "setoption Hash 5", "setoption name", "setoption name value 5"] {
            assert!(matches!(Command::parse(line), Command::Misused(_)), "{line}");
        }
    }
}
