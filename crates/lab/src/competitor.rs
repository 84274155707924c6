//! Who plays a match: this build's engine with some settings, or any UCI engine, written as one line of text.

mod line;

use std::path::PathBuf;
use std::time::Duration;

use chess::Game;
use engine::{Params, Source, crc32};

use crate::bench;
use crate::builds::Built;
use crate::failure::{Failure, Result};
use crate::player::{Fault, Go, Heard, Inside, Limit, Player, Thought};
use crate::process::{EngineCommand, Process};
use crate::settings;
use line::{HASH, KEYS, parts, words};

/// A player that can be started as often as there are threads.
#[derive(Clone, Debug)]
pub enum Competitor {
    /// This build, in this process.
    Inside {
        /// How it was written.
        text: String,
        /// Its parameters.
        params: Box<Params>,
        /// What it evaluates with.
        source: Source,
        /// Its table in MiB.
        hash: usize,
    },
    /// A process.
    Process(EngineCommand),
    /// A version of the sources, as a process.
    Version(Box<Built>, EngineCommand),
    /// One of these with a limit or a table of its own, which it has got already.
    Own(Box<Competitor>, Own),
}

/// What one engine has that the others of its match have not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Own {
    /// How long it may think.
    pub limit: Option<Limit>,
    /// Its table in MiB.
    pub hash: Option<u64>,
}

impl Own {
    /// What holds for this engine, by what holds for one with this limit.
    pub fn common(self, all: impl Fn(Option<Limit>) -> Common) -> Common {
        let common = all(self.limit);
        match self.hash {
            Some(hash) => Common { hash: hash as usize, hash_chosen: true, ..common },
            None => common,
        }
    }

    /// An engine that was made so.
    pub fn of(self, competitor: Competitor) -> Competitor {
        if self == Own::default() { competitor } else { Competitor::Own(Box::new(competitor), self) }
    }

    /// Reads how much room a table has.
    pub fn table(text: &str) -> Result<u64> {
        match text.parse() {
            Ok(hash @ 1..=65_536) => Ok(hash),
            _ => Err(Failure::arguments(format!("hash={text}: expected a whole number from 1 to 65536, in MiB"))),
        }
    }

    /// Behind a name or a description.
    fn behind(self, text: String) -> String {
        let limit = self.limit.map(|limit| format!(" at {limit}")).unwrap_or_default();
        let hash = self.hash.map(|hash| format!(" with {hash} MiB")).unwrap_or_default();
        format!("{text}{limit}{hash}")
    }
}

/// A player that thinks as long as it may, not as its match says.
struct Limited(Box<dyn Player>, Limit);

impl Player for Limited {
    fn limit(&self) -> Option<Limit> {
        Some(self.1)
    }

    fn counts_nodes(&self) -> bool {
        self.0.counts_nodes()
    }

    fn may_be_late(&self) -> bool {
        self.0.may_be_late()
    }

    fn new_game(&mut self) -> std::result::Result<(), Fault> {
        self.0.new_game()
    }

    fn search(&mut self, game: &Game, go: &Go, ear: &mut dyn FnMut(Heard)) -> std::result::Result<Thought, Fault> {
        self.0.search(game, go, ear)
    }

    fn think(&mut self, game: &Game, go: &Go) -> std::result::Result<Thought, Fault> {
        self.0.think(game, go)
    }
}

/// What holds for all players of a match.
#[derive(Clone, Copy, Debug)]
pub struct Common {
    /// Table in MiB.
    pub hash: usize,
    /// Whether the user chose that size, so that an engine must take it.
    pub hash_chosen: bool,
    /// Whether castling is written as in Chess960.
    pub chess960: bool,
    /// How long an engine may think when there is no clock.
    pub patience: Duration,
    /// How long an engine may take to start.
    pub startup: Duration,
}

impl Competitor {
    /// This build with these settings, such as `UseNullMove=false`.
    pub fn inside(text: &str, common: &Common) -> Result<Competitor> {
        let (params, source) = settings::read(text)?;
        Ok(Competitor::Inside { text: text.to_string(), params: Box::new(params), source, hash: common.hash })
    }

    /// A UCI engine: its path and arguments, and settings of its options.
    pub fn process(command: &str, text: &str, common: &Common) -> Result<Competitor> {
        let mut words = words(command)?.into_iter();
        let program = PathBuf::from(words.next().ok_or_else(|| Failure::arguments("an engine's command is empty"))?);
        let name = program.file_name().map_or(command.into(), |name| name.to_string_lossy()).into_owned();
        Competitor::command(&name, program, words.collect(), text, common).map(Competitor::Process)
    }

    /// A version of the sources and settings of its options.
    pub fn version(built: Built, text: &str, common: &Common) -> Result<Competitor> {
        let command = Competitor::command(&built.name, built.program.clone(), Vec::new(), text, common)?;
        Ok(Competitor::Version(Box::new(built), command))
    }

    fn command(
        name: &str,
        program: PathBuf,
        arguments: Vec<String>,
        text: &str,
        common: &Common,
    ) -> Result<EngineCommand> {
        let options =
            settings::split(text)?.into_iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Ok(EngineCommand {
            name: format!("{name} {text}").trim_end().to_string(),
            program,
            arguments,
            options,
            hash: common.hash,
            hash_chosen: common.hash_chosen,
            chess960: common.chess960,
            patience: common.patience,
            startup: common.startup,
        })
    }

    /// A line such as `name=Fish cmd=stockfish opt=Threads=1,Hash=16 nodes=50000`, or `name=Off opt=UseNullMove=false`
    /// for this build. What holds for all may depend on the limit of this one.
    pub fn parse(line: &str, common: impl Fn(Option<Limit>) -> Common) -> Result<(String, Competitor)> {
        let mut parts = parts(line)?;
        let fail = |failure: Failure| Failure::arguments(format!("engine '{line}': {failure}"));
        let [name, command, options] = [0, 1, 2].map(|index| parts[index].take());
        let options = options.unwrap_or_default();
        let hash = parts[HASH].take().map(|text| Own::table(&text)).transpose().map_err(fail)?;
        let limits = KEYS.iter().zip(&parts).filter_map(|(kind, text)| Some((kind, text.as_ref()?)));
        let limits = limits.map(|(kind, text)| Limit::parse(kind, text)).collect::<Result<Vec<_>>>().map_err(fail)?;
        if limits.len() > 1 {
            return Err(fail(Failure::arguments("it has more than one limit")));
        }
        let own = Own { limit: limits.first().copied(), hash };
        let common = own.common(common);
        let competitor = match &command {
            Some(command) => Competitor::process(command, &options, &common)?,
            None => Competitor::inside(&options, &common)?,
        };
        let competitor = own.of(competitor);
        let name = name.unwrap_or_else(|| competitor.name());
        Ok((name, competitor))
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match self {
            Competitor::Inside { text, .. } if text.is_empty() => "defaults".to_string(),
            Competitor::Inside { text, .. } => text.clone(),
            Competitor::Process(command) | Competitor::Version(_, command) => command.name.clone(),
            Competitor::Own(inner, own) => own.behind(inner.name()),
        }
    }

    /// Everything that decides how it plays, in words.
    pub fn identity(&self) -> String {
        match self {
            Competitor::Inside { text, .. } => format!("this build {text}").trim_end().to_string(),
            Competitor::Process(EngineCommand { program, arguments, options, .. }) => {
                let options = options.iter().map(|(name, value)| format!("{name}={value}"));
                let words: Vec<String> = arguments.iter().cloned().chain(options).collect();
                format!("{} {}", program.display(), words.join(" ")).trim_end().to_string()
            }
            // By the content of its sources, so that it is the same on every machine.
            Competitor::Version(built, command) => {
                let options: Vec<_> = command.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
                format!("sources {} {}", built.tree, options.join(" ")).trim_end().to_string()
            }
            Competitor::Own(inner, own) => own.behind(inner.identity()),
        }
    }

    /// The same, and a sum over the program, which changes when it is built anew.
    pub fn fingerprint(&self) -> Result<String> {
        let sum = match self {
            Competitor::Inside { .. } => Some(bench::own_sum()?),
            // A program that is found somewhere in PATH goes by its name.
            Competitor::Process(command) => std::fs::read(&command.program).ok().map(|bytes| crc32(&bytes)),
            Competitor::Version(..) => None,
            Competitor::Own(inner, own) => return Ok(own.behind(inner.fingerprint()?)),
        };
        Ok(sum.map_or(self.identity(), |sum| format!("{} [{sum:08x}]", self.identity())))
    }

    /// The node count of its bench, if it is known to have one.
    pub fn bench(&self) -> Result<Option<u64>> {
        match self {
            Competitor::Inside { .. } => bench::nodes().map(Some),
            Competitor::Process(_) => Ok(None),
            Competitor::Version(built, _) => Ok(built.bench),
            Competitor::Own(inner, _) => inner.bench(),
        }
    }

    /// Whether both would play alike: the same parameters and network here, or the same program with the same options.
    pub fn is_same(&self, other: &Competitor) -> bool {
        match (self, other) {
            (Competitor::Inside { params, source, .. }, Competitor::Inside { params: others, source: other, .. }) => {
                params == others && source.id() == other.id()
            }
            (Competitor::Process(_), Competitor::Process(_)) | (Competitor::Version(..), Competitor::Version(..)) => {
                self.identity() == other.identity()
            }
            (Competitor::Own(inner, own), Competitor::Own(other, others)) => own == others && inner.is_same(other),
            _ => false,
        }
    }

    /// What to call two opponents: by their names, or by everything where the names are the same.
    pub fn names(pair: &[Competitor; 2]) -> [String; 2] {
        let names = pair.each_ref().map(Competitor::name);
        if names[0] == names[1] { pair.each_ref().map(Competitor::identity) } else { names }
    }

    /// Without what it has of its own.
    pub fn bare(&self) -> &Competitor {
        match self {
            Competitor::Own(inner, _) => inner,
            other => other,
        }
    }

    /// A player for one thread.
    pub fn start(&self) -> Result<Box<dyn Player>> {
        Ok(match self {
            Competitor::Inside { params, source, hash, .. } => Box::new(Inside::new(params, source, *hash)?),
            Competitor::Process(command) | Competitor::Version(_, command) => Box::new(Process::start(command)?),
            Competitor::Own(inner, Own { limit: Some(limit), .. }) => Box::new(Limited(inner.start()?, *limit)),
            Competitor::Own(inner, _) => inner.start()?,
        })
    }
}

/// Says so where two engines are the same and will play the same game with both colours.
pub fn tell_twins(a: &Competitor, b: &Competitor, limit: Limit, jitter: u32) {
    let fixed = matches!(limit, Limit::Nodes(_) | Limit::Depth(_));
    if fixed && jitter == 0 && a.is_same(b) {
        eprintln!(
            "gannet-lab: {} and {} are the same engine, and at a fixed number of nodes or depth they play the same game with \
             both colours: every pair comes out even, which shows nothing. To see that neither side is favoured, let the \
             nodes differ from game to game (--nodes 25000 --node-jitter 20) or play with a clock (--tc 8+0.08)",
            a.name(),
            b.name()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMON: Common = Common {
        hash: 4,
        hash_chosen: true,
        chess960: false,
        patience: Duration::from_secs(1),
        startup: Duration::from_secs(1),
    };

    #[test]
    fn lines_are_read() {
        let (name, fish) =
            Competitor::parse("name=Big Fish cmd=/bin/fish --quiet opt=Threads=1,Skill Level=3", |_| COMMON)
                .expect("good");
        assert_eq!(name, "Big Fish");
        let Competitor::Process(command) = fish else { panic!("not a process") };
        assert_eq!((command.program, command.arguments), (PathBuf::from("/bin/fish"), vec!["--quiet".to_string()]));
        let options: Vec<_> = command.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["Threads=1", "Skill Level=3"]);
        let (name, _) = Competitor::parse("opt=UseNullMove=false", |_| COMMON).expect("good");
        assert_eq!(name, "UseNullMove=false");
    }

    #[test]
    fn one_engine_may_have_a_limit_and_a_table_of_its_own() {
        let of = |line: &str| {
            let hash = |limit: Option<Limit>| if limit.is_some() { 7 } else { 4 };
            Competitor::parse(line, |limit| Common { hash: hash(limit), hash_chosen: false, ..COMMON })
        };
        let (name, slow) = of("opt=UseNullMove=false nodes=50000").expect("good");
        assert_eq!(name, "UseNullMove=false at 50000 nodes");
        assert!(matches!(slow.bare(), Competitor::Inside { hash: 7, .. }));
        assert_eq!(slow.start().expect("an engine").limit(), Some(Limit::Nodes(50_000)));
        let (name, fish) = of("name=Fish cmd=fish -q hash=16 tc=8+0.08").expect("good");
        assert_eq!((name.as_str(), fish.identity().as_str()), ("Fish", "fish -q at 8+0.08 s with 16 MiB"));
        assert!(matches!(fish.bare(), Competitor::Process(command) if command.hash == 16 && command.hash_chosen));
        let (_, other) = of("cmd=fish -q hash=16 tc=10+0.1").expect("good");
        assert!(!fish.is_same(&other) && !fish.is_same(fish.bare()));
        for (line, named) in [
            ("nodes=0", "nodes=0: expected a whole number from 1"),
            ("nodes=5 depth=3", "more than one limit"),
            ("hash=none", "hash=none: expected a whole number"),
            ("tc=fast", "fast"),
            ("nodes=5 x=3", "'x=' is no part of an engine"),
        ] {
            let told = of(line).map(|(name, _)| name);
            assert!(told.as_ref().is_err_and(|failure| failure.to_string().contains(named)), "{line}: {told:?}");
        }
    }

    #[test]
    fn opponents_can_be_told_apart() {
        let names =
            |a, b| Competitor::names(&[a, b].map(|text| Competitor::process(text, "Hash=2", &COMMON).expect(text)));
        assert_eq!(names("new/gannet", "fish"), ["gannet Hash=2", "fish Hash=2"]);
        assert_eq!(names("new/gannet", "old/gannet x"), ["new/gannet Hash=2", "old/gannet x Hash=2"]);
    }

    #[test]
    fn twins_are_known() {
        let inside = |text: &str| Competitor::inside(text, &COMMON).expect(text);
        let process = |text: &str| Competitor::process(text, "", &COMMON).expect(text);
        assert!(inside("").is_same(&inside("UseNullMove=true")) && process("fish").is_same(&process("fish")));
        assert!(
            !inside("").is_same(&inside("UseNullMove=false")) && !inside("").is_same(&inside("EvalFile=<bootstrap>"))
        );
        assert!(!process("fish").is_same(&process("fish -q")) && !process("fish").is_same(&inside("")));
    }

    #[test]
    fn bad_lines_are_refused() {
        for line in ["stockfish", "cmd= opt=", "opt=Nonsense=3", "cmd=x opt=Hash"] {
            assert!(Competitor::parse(line, |_| COMMON).is_err(), "{line}");
        }
        for (line, named) in [
            (
                "name=b opts=UseNullMove=false",
                "'opts=' is no part of an engine: expected name=, cmd=, opt=, hash= or a limit",
            ),
            ("name=b Opt=UseNullMove=false", "'Opt='"),
            ("cmd=fish args=--quiet", "'args=' is no part of an engine"),
            ("name=Big args=x cmd=fish", "'args='"),
            ("opt=UseNullMove=false nmae=x", "false nmae=x"),
            ("name=a opt= name=b", "name= stands in it twice"),
        ] {
            let told = Competitor::parse(line, |_| COMMON).map(|(name, _)| name);
            assert!(told.as_ref().is_err_and(|failure| failure.to_string().contains(named)), "{line}: {told:?}");
        }
    }

    #[test]
    fn signs_that_are_no_keys_stay() {
        let of = |line: &str| {
            let parts = parts(line).expect(line).map(Option::unwrap_or_default);
            [0, 1, 2].map(|index| parts[index].clone())
        };
        assert_eq!(of("name=R=3 two cmd=x"), ["R=3 two", "x", ""]);
        assert_eq!(of("cmd=fish --hash=2 ./a=b"), ["", "fish --hash=2 ./a=b", ""]);
        assert_eq!(of("cmd=env \"A=1\" fish 'a name=b' opt=X=1"), ["", "env \"A=1\" fish 'a name=b'", "X=1"]);
        assert_eq!(of("name=B cmd=./o'brien/fish -q opt=Skill=3"), ["B", "./o'brien/fish -q", "Skill=3"]);
        assert_eq!(
            of("opt=Skill Level=3, B=2,Log=/my files/a b=c name=x"),
            ["x", "", "Skill Level=3, B=2,Log=/my files/a b=c"]
        );
        let folder = std::env::temp_dir().join(format!("gannet lab=x {}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("room");
        let file = folder.join("my fish=y");
        std::fs::write(&file, "").expect("room");
        assert_eq!(of(&format!("cmd={}", file.display()))[1], file.display().to_string());
        // A name that would open a quote, were it not that of a file.
        let file = folder.join("'fish");
        std::fs::write(&file, "").expect("room");
        let [_, command, options] = of(&format!("cmd={} opt=X=1", file.display()));
        assert_eq!((command.as_str(), options.as_str()), (&*file.to_string_lossy(), "X=1"));
        let _ = std::fs::remove_dir_all(folder);
    }
}
