//! Settings of the engine as written on the command line: `UseNullMove=false,CountermoveBonus=9000`.

use engine::{Params, Source};

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

/// The parameters and the evaluation of an engine with these settings.
pub fn read(text: &str) -> Result<(Params, Source)> {
    let (mut params, mut source) = (Params::default(), Source::default());
    for (name, value) in split(text)? {
        let fail = |error: String| Failure::new(format!("setting '{name}={value}': {error}"));
        if name.eq_ignore_ascii_case("EvalFile") {
            source = Source::load(value).map_err(|error| fail(error.to_string()))?;
        } else {
            params.set(name, value).map_err(|error| fail(error.to_string()))?;
        }
    }
    Ok((params, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let (params, source) =
            read(" UseNullMove = false, CountermoveBonus=9000; EvalFile=<bootstrap>").expect("good settings");
        assert!(!params.null_move.enabled);
        assert!(matches!(source, Source::Bootstrap));
        assert_eq!(read("").map(|(params, _)| params), Ok(Params::default()));
    }

    #[test]
    fn bad_settings_are_named() {
        for (text, named) in [
            ("UseNullMove", "UseNullMove"),
            ("Foo=1", "Foo"),
            ("UseNullMove=maybe", "maybe"),
            ("EvalFile=/no/net", "/no/net"),
        ] {
            let Err(failure) = read(text) else { panic!("{text} was taken") };
            assert!(failure.to_string().contains(named), "{failure}");
        }
    }
}
