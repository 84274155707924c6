//! The options that a UCI engine declares, and whether a value fits one. An engine that is sent another value mostly goes
//! on with its default and says nothing, or nothing that anybody reads; so it is not sent one.

use std::fmt;

/// What sort of value an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// True or false.
    Check,
    /// A whole number, between bounds where they were told.
    Spin { min: Option<i64>, max: Option<i64> },
    /// One of these, of which there is at least one.
    Combo(Vec<String>),
    /// Nothing: to set it is to press it.
    Button,
    /// Any text, or a type that UCI does not know.
    Text,
}

/// An option as the answer to `uci` declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    kind: Kind,
}

impl Declared {
    /// Reads what stands after `option name`.
    pub fn parse(text: &str) -> Declared {
        let (name, rest) = text.split_once(" type ").unwrap_or((text, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let bound = |name| {
            let place = words.iter().position(|&word| word == name);
            place.and_then(|place| words.get(place + 1)).and_then(|text| text.parse().ok())
        };
        let kind = match words.first() {
            Some(&"check") => Kind::Check,
            Some(&"spin") => Kind::Spin { min: bound("min"), max: bound("max") },
            Some(&"combo") => match variants(&words) {
                // Nobody knows what it takes but the engine.
                none if none.is_empty() => Kind::Text,
                variants => Kind::Combo(variants),
            },
            Some(&"button") => Kind::Button,
            _ => Kind::Text,
        };
        Declared { name: name.trim().to_string(), kind }
    }

    /// The value as the engine writes it; None if it does not fit. UCI takes upper and lower case alike in all but texts.
    fn fit(&self, value: &str) -> Option<String> {
        match &self.kind {
            Kind::Check => {
                ["true", "false"].into_iter().find(|word| word.eq_ignore_ascii_case(value)).map(String::from)
            }
            Kind::Spin { min, max } => {
                let number: i64 = value.parse().ok()?;
                let fits = min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
                fits.then(|| number.to_string())
            }
            Kind::Combo(variants) => variants.iter().find(|word| word.eq_ignore_ascii_case(value)).cloned(),
            Kind::Button => value.is_empty().then(String::new),
            Kind::Text => Some(value.to_string()),
        }
    }

    /// The number nearest to this one that it takes.
    pub fn nearest(&self, number: i64) -> i64 {
        match self.kind {
            Kind::Spin { min, max } => {
                let high = min.map_or(number, |min| number.max(min));
                max.map_or(high, |max| high.min(max))
            }
            _ => number,
        }
    }

    /// The line that sets it to a value, or what is wrong with that.
    pub fn command(&self, value: &str) -> Result<String, String> {
        let name = &self.name;
        match (self.fit(value), &self.kind) {
            (Some(_), Kind::Button) => Ok(format!("setoption name {name}")),
            (Some(value), _) => Ok(format!("setoption name {name} value {value}")),
            (None, kind) => Err(format!("option {name} cannot be set to '{value}': expected {kind}")),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Check => f.write_str("true or false"),
            Kind::Spin { min: Some(min), max: Some(max) } => write!(f, "a whole number from {min} to {max}"),
            Kind::Spin { min: Some(min), max: None } => write!(f, "a whole number from {min}"),
            Kind::Spin { min: None, max: Some(max) } => write!(f, "a whole number up to {max}"),
            Kind::Spin { min: None, max: None } => f.write_str("a whole number"),
            Kind::Combo(variants) => write!(f, "one of {}", variants.join(", ")),
            Kind::Button => f.write_str("nothing after the =, for it is a button"),
            Kind::Text => f.write_str("a text"),
        }
    }
}

/// The words after each `var`, which may be several, and one of them `default`.
fn variants(words: &[&str]) -> Vec<String> {
    let mut parts = words.split(|&word| word == "var");
    let first = parts.next().is_some_and(|head| head.contains(&"default"));
    // Some engines declare the default last; where it stood first, the word belongs to a name.
    let belongs = |place: usize, word: &str| first || place == 0 || word != "default";
    let names = parts.map(|part| {
        let name = part.iter().enumerate().take_while(|&(place, word)| belongs(place, word));
        name.map(|(_, &word)| word).collect::<Vec<_>>().join(" ")
    });
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_held_against_what_was_declared() {
        let set = |option: &str, value: &str| {
            Declared::parse(option).command(value).map(|line| line.replace("setoption name ", ""))
        };
        for (option, value, expected) in [
            ("Hash type spin default 16 min 1 max 1024", "8", "Hash value 8"),
            ("Offset type spin default 0 min -5 max 5", "-5", "Offset value -5"),
            ("Skill type spin", "99", "Skill value 99"),
            ("Move Overhead type spin default 10 min 0 max 5000", "0", "Move Overhead value 0"),
            ("Ponder type check default false", "TRUE", "Ponder value true"),
            ("Style type combo default Solid var Solid var Very Bold", "very bold", "Style value Very Bold"),
            ("Style type combo var Solid var Bold default Bold", "bold", "Style value Bold"),
            ("Style type combo default default var default var risky", "Default", "Style value default"),
            ("Style type combo default default var default var risky", "risky", "Style value risky"),
            ("Style type combo var risky var default default default", "default", "Style value default"),
            ("Style type combo default risky var by default var risky", "by default", "Style value by default"),
            ("Style type combo default var Solid var Bold", "solid", "Style value Solid"),
            ("Style type combo default Solid", "Bold", "Style value Bold"),
            ("Style type combo", "Bold", "Style value Bold"),
            ("Clear Hash type button", "", "Clear Hash"),
            ("Log type string default <empty>", "a b=c", "Log value a b=c"),
            ("Untyped", "anything", "Untyped value anything"),
        ] {
            assert_eq!(set(option, value).as_deref(), Ok(expected));
        }
        for (option, value, expected) in [
            (
                "Hash type spin default 16 min 1 max 1024",
                "0",
                "Hash cannot be set to '0': expected a whole number from 1",
            ),
            ("Hash type spin default 16 min 1 max 1024", "1025", "from 1 to 1024"),
            ("Hash type spin default 16 min 1 max 1024", "", "from 1 to 1024"),
            ("Hash type spin default 16 min 1 max 1024", "99999999999999999999", "from 1 to 1024"),
            ("Skill type spin", "high", "expected a whole number"),
            ("Ponder type check default false", "perhaps", "expected true or false"),
            ("Style type combo default Solid var Solid var Very Bold", "Bold", "expected one of Solid, Very Bold"),
            ("Style type combo default default var default var risky", "bold", "expected one of default, risky"),
            ("Style type combo var Solid var Bold default Bold", "Bold default", "expected one of Solid, Bold"),
            ("Clear Hash type button", "1", "button"),
        ] {
            let told = set(option, value);
            assert!(told.as_ref().is_err_and(|message| message.contains(expected)), "{option}, {value}: {told:?}");
        }
    }
}
