//! Settings of the engine as written on the command line: `UseNullMove=false,CountermoveBonus=9000`.

use engine::Params;

use crate::failure::{Failure, Result};

/// The parts of a list of settings, each a name and a value.
pub fn split(text: &str) -> Result<Vec<(&str, &str)>> {
    text.split([',', ';'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim(), value.trim())),
            None => Err(Failure::new(format!("setting '{part}' in '{text}': expected Name=value"))),
        })
        .collect()
}

/// The parameters of an engine with these settings.
pub fn params(text: &str) -> Result<Params> {
    let mut params = Params::default();
    for (name, value) in split(text)? {
        params.set(name, value).map_err(|error| Failure::new(format!("setting '{name}={value}': {error}")))?;
    }
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let params = params(" UseNullMove = false, CountermoveBonus=9000;").expect("good settings");
        assert!(!params.null_move.enabled);
        assert_eq!(super::params(""), Ok(Params::default()));
    }

    #[test]
    fn bad_settings_are_named() {
        for (text, named) in [("UseNullMove", "UseNullMove"), ("Foo=1", "Foo"), ("UseNullMove=maybe", "maybe")] {
            let failure = params(text).expect_err(text);
            assert!(failure.to_string().contains(named), "{failure}");
        }
    }
}
