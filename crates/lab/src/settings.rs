//! Settings of the engine as written on the command line: `UseNullMove=false,CountermoveBonus=9000`.

use engine::{ParamError, Params, Source};

use crate::failure::{Failure, Result};

/// The parts of a list of settings, each a name and a value.
pub fn split(text: &str) -> Result<Vec<(&str, &str)>> {
    text.split([',', ';'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim(), value.trim())),
            None => Err(Failure::arguments(format!("setting '{part}' in '{text}': expected Name=value"))),
        })
        .collect()
}

/// The parameters and the evaluation of an engine with these settings.
pub fn read(text: &str) -> Result<(Params, Source)> {
    let (mut params, mut source) = (Params::default(), Source::default());
    for (name, value) in split(text)? {
        let fail = |error: String| Failure::arguments(format!("setting '{name}={value}': {error}"));
        if name.eq_ignore_ascii_case("EvalFile") {
            source = Source::load(value).map_err(|error| fail(error.to_string()))?;
        } else {
            params.set(name, value).map_err(|error| fail(told(name, &error)))?;
        }
    }
    Ok((params, source))
}

/// What is wrong with a setting. The program has options which here are no settings of one engine but conditions of all
/// games, or are not to be had inside this process.
fn told(name: &str, error: &ParamError) -> String {
    let ParamError::Unknown(_) = error else { return error.to_string() };
    let instead = match name.to_ascii_lowercase().as_str() {
        "hash" => "--hash is the table of every engine",
        "threads" => "it has one thread, and --concurrency says how many games are played at a time",
        "uci_chess960" => "--chess960 says it to every engine",
        "syzygypath" => "it has no endgame tables, and --syzygy lets them end games",
        "syzygyprobedepth" | "syzygyprobelimit" | "syzygy50moverule" => "it has no endgame tables",
        "clear hash" => "its table is cleared before every game",
        "multipv" | "ponder" | "move overhead" => "it has no such option",
        "uci_limitstrength" | "uci_elo" | "uci_analysemode" | "uci_showwdl" => "it has no such option",
        _ => return error.to_string(),
    };
    format!(
        "{name} cannot be set for an engine inside this process: {instead}; \
         to set it for one engine, start that as a program of its own (--engine-a, --engine-b or cmd=)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let (params, source) =
            read(" UseNullMove = false, CountermoveBonus=9000; EvalFile=<bootstrap>").expect("good settings");
        assert!(!params.search.null_move.enabled);
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
            ("Hash=8", "--hash is the table of every engine"),
            ("threads=2", "--concurrency"),
            ("SyzygyPath=/tables", "--syzygy"),
            ("UCI_Chess960=true", "--chess960"),
            ("Move Overhead=5", "program of its own (--engine-a, --engine-b or cmd=)"),
        ] {
            let Err(failure) = read(text) else { panic!("{text} was taken") };
            assert!(failure.to_string().contains(named), "{failure}");
        }
    }
}
