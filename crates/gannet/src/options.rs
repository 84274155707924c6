//! The UCI options: name, kind and effect of each stand together, and the `uci` reply is made from them.
//!
//! The switches and numbers of the search can always be set, but are listed on request only: a GUI makes a dialog of what is
//! listed, and a hundred and fifty fields hide the dozen that matter. Match runners and tuners send nothing that is not listed, so
//! there are three ways to ask: `setoption name Expose value true` and `uci` again; [`EXPOSE`] in the environment or
//! `--expose` as the first argument, for programs that say `uci` once; and the feature `tune`, for test farms, which build
//! the engine and can set neither.

use std::fmt;
use std::time::Duration;

use engine::strength::Strength;
use engine::{Engine, LoadError, OutOfMemory, ParamError, ParamValue, Params, Source};
use uci::SetOption;

/// What the front keeps for itself; the rest of the options live in the engine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many lines to show.
    pub multi_pv: usize,
    /// Time kept back for everything between engine and clock.
    pub overhead: Duration,
    /// Write castling as the king taking its rook.
    pub chess960: bool,
    /// Whether to play weaker.
    pub limit_strength: bool,
    /// How strong to play then.
    pub elo: i32,
    /// Whether a position is analysed, and not a game played.
    pub analyse: bool,
    /// Show chances to win, draw and lose beside scores.
    pub show_wdl: bool,
    /// List the switches and numbers of the search, too.
    pub expose: bool,
}

impl Settings {
    /// How strong to play, if not with full strength. Analysis is always of full strength.
    pub fn strength(&self) -> Option<Strength> {
        (self.limit_strength && !self.analyse).then(|| Strength::new(self.elo))
    }
}

/// The strength that is offered to begin with.
const DEFAULT_ELO: i32 = 1500;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            overhead: Duration::from_millis(10),
            chess960: false,
            limit_strength: false,
            elo: DEFAULT_ELO,
            analyse: false,
            show_wdl: false,
            expose: cfg!(feature = "tune"),
        }
    }
}

/// The environment variable that lists every option, unless it is empty or says 0 or false.
const EXPOSE: &str = "GANNET_EXPOSE";

/// Whether the environment asks for every option.
pub fn are_asked_for() -> bool {
    let value = std::env::var_os(EXPOSE).unwrap_or_default().to_string_lossy().to_lowercase();
    !["", "0", "false"].contains(&value.as_str())
}

/// What sort of value an option takes.
#[derive(Clone, Copy)]
enum Kind {
    Check(bool),
    Spin { default: i64, min: i64, max: i64 },
    Button,
    Text,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Check(default) => write!(f, "type check default {default}"),
            Kind::Spin { default, min, max } => write!(f, "type spin default {default} min {min} max {max}"),
            Kind::Button => f.write_str("type button"),
            Kind::Text => f.write_str("type string default <empty>"),
        }
    }
}

/// Carries a setting out.
enum Effect {
    /// Of a number; a check arrives as 0 or 1.
    Number(fn(&mut Settings, &mut Engine, i64) -> Result<(), OptionError>),
    /// Of a text.
    Text(fn(&mut Settings, &mut Engine, &str) -> Result<(), OptionError>),
}

use Effect::{Number, Text};

/// The size of the table at the start, in MiB.
pub const DEFAULT_HASH: usize = 16;

const OPTIONS: [(&str, Kind, Effect); 17] = [
    (
        "Hash",
        Kind::Spin { default: DEFAULT_HASH as i64, min: 1, max: 1 << 20 },
        Number(|_, engine, mebibytes| engine.set_hash(mebibytes as usize).map_err(OptionError::Memory)),
    ),
    (
        "Clear Hash",
        Kind::Button,
        Number(|_, engine, _| {
            engine.new_game();
            Ok(())
        }),
    ),
    (
        "Threads",
        Kind::Spin { default: 1, min: 1, max: 1024 },
        Number(|_, engine, threads| {
            engine.set_threads(threads as usize);
            Ok(())
        }),
    ),
    // Says that the GUI may ponder. Whether a search ponders is said by each `go`.
    ("Ponder", Kind::Check(false), Number(|_, _, _| Ok(()))),
    (
        "MultiPV",
        Kind::Spin { default: 1, min: 1, max: 256 },
        Number(|settings, _, lines| {
            settings.multi_pv = lines as usize;
            Ok(())
        }),
    ),
    (
        "Move Overhead",
        Kind::Spin { default: 10, min: 0, max: 5000 },
        Number(|settings, _, milliseconds| {
            settings.overhead = Duration::from_millis(milliseconds as u64);
            Ok(())
        }),
    ),
    (
        "UCI_Chess960",
        Kind::Check(false),
        Number(|settings, _, chess960| {
            settings.chess960 = chess960 != 0;
            Ok(())
        }),
    ),
    (
        "UCI_ShowWDL",
        Kind::Check(false),
        Number(|settings, _, show_wdl| {
            settings.show_wdl = show_wdl != 0;
            Ok(())
        }),
    ),
    (
        "UCI_LimitStrength",
        Kind::Check(false),
        Number(|settings, _, limit| {
            settings.limit_strength = limit != 0;
            Ok(())
        }),
    ),
    (
        "UCI_Elo",
        Kind::Spin { default: DEFAULT_ELO as i64, min: Strength::MIN as i64, max: Strength::MAX as i64 },
        Number(|settings, _, elo| {
            settings.elo = elo as i32;
            Ok(())
        }),
    ),
    // Games and analysis are searched alike, except that analysis is never weak.
    (
        "UCI_AnalyseMode",
        Kind::Check(false),
        Number(|settings, _, analyse| {
            settings.analyse = analyse != 0;
            Ok(())
        }),
    ),
    (
        "EvalFile",
        Kind::Text,
        Text(|_, engine, name| {
            engine.set_evaluation(Source::load(name).map_err(OptionError::Network)?);
            Ok(())
        }),
    ),
    (
        "SyzygyPath",
        Kind::Text,
        Text(|_, engine, folders| {
            engine.syzygy_mut().set_path(folders);
            Ok(())
        }),
    ),
    (
        "SyzygyProbeDepth",
        Kind::Spin { default: 1, min: 1, max: 100 },
        Number(|_, engine, depth| {
            engine.syzygy_mut().probe_depth = depth as i32;
            Ok(())
        }),
    ),
    (
        "SyzygyProbeLimit",
        Kind::Spin { default: 7, min: 0, max: 7 },
        Number(|_, engine, men| {
            engine.syzygy_mut().probe_limit = men as u32;
            Ok(())
        }),
    ),
    (
        "Syzygy50MoveRule",
        Kind::Check(true),
        Number(|_, engine, holds| {
            engine.syzygy_mut().fifty_move_rule = holds != 0;
            Ok(())
        }),
    ),
    (
        "Expose",
        Kind::Check(cfg!(feature = "tune")),
        Number(|settings, _, expose| {
            settings.expose = expose != 0;
            Ok(())
        }),
    ),
];

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// A button takes no value.
    Button(&'static str),
    /// The name or the value is not known; covers every option that is not a button.
    Param(ParamError),
    /// There is no memory for it.
    Memory(OutOfMemory),
    /// The network cannot be used.
    Network(LoadError),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Button(name) => write!(f, "option {name} is a button and takes no value"),
            OptionError::Param(error) => error.fmt(f),
            OptionError::Memory(error) => error.fmt(f),
            OptionError::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OptionError {}

/// The `option` lines of the `uci` reply: those for users, and after them the switches and numbers of the search if they are
/// asked for.
pub fn lines(settings: &Settings) -> Vec<String> {
    let mut lines: Vec<_> = OPTIONS.iter().map(|(name, kind, _)| format!("option name {name} {kind}")).collect();
    if settings.expose {
        Params::default().visit(&mut |param| {
            let kind = match param.value {
                ParamValue::Switch { default, .. } => Kind::Check(default),
                ParamValue::Number { default, min, max, .. } => {
                    Kind::Spin { default: default.into(), min: min.into(), max: max.into() }
                }
            };
            lines.push(format!("option name {} {kind}", param.name));
        });
    }
    lines
}

/// Carries out `setoption`. On an error nothing changes.
pub fn set(option: &SetOption, settings: &mut Settings, engine: &mut Engine) -> Result<(), OptionError> {
    let SetOption { name, value } = option;
    let Some((name, kind, effect)) = OPTIONS.iter().find(|option| option.0.eq_ignore_ascii_case(name)) else {
        return engine.params_mut().set(name, value).map_err(OptionError::Param);
    };
    match effect {
        Number(effect) => effect(settings, engine, parse(name, *kind, value)?),
        Text(effect) => effect(settings, engine, value),
    }
}

fn parse(name: &'static str, kind: Kind, value: &str) -> Result<i64, OptionError> {
    match kind {
        Kind::Button if value.is_empty() => Ok(1),
        Kind::Button => Err(OptionError::Button(name)),
        Kind::Check(_) if value.eq_ignore_ascii_case("true") => Ok(1),
        Kind::Check(_) if value.eq_ignore_ascii_case("false") => Ok(0),
        Kind::Text => Ok(0),
        Kind::Check(_) => Err(OptionError::Param(ParamError::NotSwitch(name.to_string()))),
        Kind::Spin { min, max, .. } => {
            let number = value.parse().ok().filter(|number| (min..=max).contains(number));
            let error = || ParamError::NotInRange(name.to_string(), min as i32, max as i32);
            number.ok_or_else(|| OptionError::Param(error()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use uci::Command;

    fn set_all(engine: &mut Engine, settings: &mut Settings, commands: &[&str]) -> Vec<Result<(), String>> {
        let mut run = |text: &&str| match Command::parse(&format!("setoption {text}")) {
            Command::SetOption(option) => set(&option, settings, engine).map_err(|error| error.to_string()),
            other => Err(format!("{other:?}")),
        };
        commands.iter().map(&mut run).collect()
    }

    #[test]
    fn every_name_is_listed_once() {
        let all = Settings { expose: true, ..Settings::default() };
        let lines = super::lines(&all);
        let names: HashSet<_> =
            lines.iter().map(|line| line.split(" type ").next().unwrap_or("").to_ascii_lowercase()).collect();
        assert_eq!(names.len(), lines.len());
        assert!(lines.contains(&"option name Move Overhead type spin default 10 min 0 max 5000".to_string()));
        assert!(lines.contains(&"option name UseNullMove type check default true".to_string()));
        assert!(lines.contains(&"option name CountermoveBonus type spin default 8000 min 0 max 20000".to_string()));
        assert!(lines.iter().any(|line| line.starts_with("option name ReverseFutility_margin_factor type spin ")));
        let few = super::lines(&Settings { expose: false, ..Settings::default() });
        assert!(few.len() < 20 && lines.starts_with(&few), "what users need comes first");
    }

    #[test]
    fn good_values_take_effect() {
        let mut engine = Engine::new(1).expect("memory");
        let mut settings = Settings::default();
        let commands = [
            "name Hash value 3",
            "name threads value 2",
            "name MultiPV VALUE 5",
            "name move overhead value 250",
            "name UCI_Chess960 value TRUE",
            "name Clear Hash",
            "name Ponder value true",
            "name UCI_AnalyseMode value true",
            "name UCI_ShowWDL value true",
            "name EvalFile value <bootstrap>",
            "name EvalFile value <empty>",
            "name SyzygyPath value <empty>",
            "name SyzygyProbeDepth value 3",
            "name SyzygyProbeLimit value 0",
            "name Syzygy50MoveRule value false",
            "name usenullmove value false",
            "name ReverseFutility_margin_factor value 90",
            "name Expose value true",
        ];
        for (command, result) in commands.iter().zip(set_all(&mut engine, &mut settings, &commands)) {
            assert_eq!(result, Ok(()), "{command}");
        }
        assert_eq!((engine.hash(), engine.threads()), (3, 2));
        assert_eq!((settings.multi_pv, settings.overhead.as_millis(), settings.chess960), (5, 250, true));
        let syzygy = engine.syzygy_mut();
        assert_eq!((syzygy.probe_depth, syzygy.probe_limit, syzygy.fifty_move_rule), (3, 0, false));
        assert!(settings.show_wdl && settings.expose && !engine.params().search.null_move.enabled);
        assert_eq!(engine.params().search.reverse_futility.margin_factor, 90);
    }

    #[test]
    fn bad_values_change_nothing() {
        let mut engine = Engine::new(1).expect("memory");
        let mut settings = Settings::default();
        let before = engine.params().clone();
        let commands = [
            "",
            "Hash 5",
            "name",
            "name value 5",
            "name Hash",
            "name Hash value",
            "name Hash value 0",
            "name Hash value 1048577",
            "name Hash value 99999999999999999999",
            "name Hash value ten",
            "name Threads value -1",
            "name Threads value 1025",
            "name MultiPV value 0",
            "name Move Overhead value 5001",
            "name MoveOverhead value 5",
            "name UCI_Chess960 value yes",
            "name Clear Hash value now",
            "name UseNullMove value maybe",
            "name EvalFile value no such file",
            "name EvalFile value /dev/zero",
            "name SyzygyProbeDepth value 0",
            "name SyzygyProbeLimit value 8",
            "name NoSuchThing value 1",
        ];
        for (command, result) in commands.iter().zip(set_all(&mut engine, &mut settings, &commands)) {
            assert!(result.is_err(), "{command}");
        }
        assert_eq!((engine.hash(), engine.threads()), (1, 1));
        assert_eq!((settings.multi_pv, settings.overhead.as_millis(), settings.chess960), (1, 10, false));
        assert_eq!(engine.params(), &before);
    }
}
