//! Endgame tables that were cut short or changed in a single bit: the engine says so or answers right, and plays on.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use chess::{Board, Game};
use engine::syzygy::{Notice, Tables};

use super::Context;
use super::material;
use super::talk::position;
use super::trials::{self, Tally, Verdict};
use crate::pool;
use crate::rng::Rng;

pub const WHAT: &str = "Syzygy tables of three and four men, one in eleven cut short, the others with a single bit flipped, in \
    process, and one in twenty given to the engine: a message or the right answers, never more than \
    two messages, no crash, and moves go on";

/// The tables that are damaged, and those that positions of theirs lead to.
const DAMAGED: [&str; 3] = ["KRvK", "KQvKR", "KRvKP"];
const OTHERS: [&str; 9] = ["KQvK", "KBvK", "KNvK", "KPvK", "KQvKB", "KQvKN", "KRvKR", "KRvKB", "KRvKN"];
/// The two files of a table.
const KINDS: [&str; 2] = ["rtbw", "rtbz"];
/// Positions that are asked for.
const POSITIONS: usize = 40;
/// One in so many is given to the engine as well.
const SHOWN: u64 = 20;

/// What the tables say: who wins, and how far it is.
type Answers = [Option<i32>; 2];

/// A table to damage, and what is known of some of its positions.
struct Victim {
    name: &'static str,
    boards: Vec<(Board, Answers)>,
}

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let sound = match Copies::new(context) {
        Ok(sound) => sound,
        Err(fault) => return tally.add(Err(fault)),
    };
    let victims = match victims(context, &sound) {
        Ok(victims) => victims,
        Err(fault) => return tally.add(Err(fault)),
    };
    trials::run(
        tally,
        trials,
        pool::default_threads(),
        || Copies::new(context),
        |copies, index| {
            let mut rng = Rng::new(context.seed, index);
            let victim = &victims[rng.below(victims.len())];
            let file = format!("{}.{}", victim.name, KINDS[rng.below(2)]);
            let content = std::fs::read(sound.0.join(&file)).map_err(|error| format!("{file}: {error}"))?;
            let cut = index % 11 == 0;
            let (what, damaged) = if cut { shortened(&mut rng, content) } else { flipped(&mut rng, content) };
            std::fs::write(copies.0.join(&file), damaged).map_err(|error| format!("{file}: {error}"))?;
            let verdict = ask(copies, victim, &file, cut, tally).and_then(|refused| match index % SHOWN {
                0 => show(context, copies, victim, refused),
                _ => Ok(()),
            });
            // The next trial finds it sound.
            std::fs::copy(sound.0.join(&file), copies.0.join(&file)).map_err(|error| format!("{file}: {error}"))?;
            verdict.map_err(|fault| format!("{file}, {what}: {fault}"))
        },
    );
}

/// Cuts a table. Any length is soon refused; one that a table may have has to be read to be found out.
fn shortened(rng: &mut Rng, mut content: Vec<u8>) -> (String, Vec<u8>) {
    let length = rng.below(content.len().max(1));
    let length = if rng.below(2) == 0 { length } else { length / 64 * 64 + 16 };
    content.truncate(length.min(content.len().saturating_sub(1)));
    (format!("cut at byte {}", content.len()), content)
}

/// Flips a bit, half of the time in the head, where it does most.
fn flipped(rng: &mut Rng, mut content: Vec<u8>) -> (String, Vec<u8>) {
    let most = if rng.below(2) == 0 { content.len() } else { content.len().min(200) };
    let (byte, bit) = (rng.below(most.max(1)), rng.below(8));
    content.get_mut(byte).into_iter().for_each(|value| *value ^= 1 << bit);
    (format!("bit {bit} of byte {byte} flipped"), content)
}

/// A folder with copies of the tables, gone with the value.
struct Copies(PathBuf);

impl Copies {
    fn new(context: &Context) -> Result<Copies, String> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let from = context.syzygy.as_deref().ok_or("no folder with tables")?;
        let name = format!("gannet tables {} {}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let copies = Copies(std::env::temp_dir().join(name));
        std::fs::create_dir_all(&copies.0).map_err(|error| format!("{}: {error}", copies.0.display()))?;
        for file in DAMAGED.iter().chain(&OTHERS).flat_map(|name| KINDS.map(|kind| format!("{name}.{kind}"))) {
            copy(&from.join(&file), &copies.0.join(&file))?;
        }
        Ok(copies)
    }

    fn open(&self) -> (Option<Tables>, Vec<Notice>) {
        Tables::open(&self.0.display().to_string())
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Copies a table, if it is there: a folder may have those of three men only.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if from.exists() {
        std::fs::copy(from, to).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
    }
    Ok(())
}

fn victims(context: &Context, sound: &Copies) -> Result<Vec<Victim>, String> {
    let tables = sound.open().0.ok_or("the engine finds no tables")?;
    let mut rng = Rng::new(context.seed, u64::MAX);
    let there = |name: &&str| KINDS.iter().all(|kind| sound.0.join(format!("{name}.{kind}")).exists());
    let victim = |name| {
        let boards = (0..POSITIONS).map(|_| material::position(&mut rng, name));
        Victim { name, boards: boards.map(|board| (board.clone(), answers(&tables, &board))).collect() }
    };
    let victims: Vec<Victim> = DAMAGED.into_iter().filter(there).map(victim).collect();
    if victims.is_empty() { Err(format!("none of the tables {} is there", DAMAGED.join(", "))) } else { Ok(victims) }
}

fn answers(tables: &Tables, board: &Board) -> Answers {
    [tables.wdl(board).map(i32::from), tables.distance(board).map(|distance| distance.plies)]
}

/// Opens the tables and asks for every position; whether the damaged one was refused when they were opened.
fn ask(copies: &Copies, victim: &Victim, file: &str, cut: bool, tally: &Tally) -> Result<bool, String> {
    let (tables, notices) = copies.open();
    let tables = tables.ok_or("the other tables are not found")?;
    let names = |notice: &Notice| matches!(notice, Notice::Fault(text) if text.contains(file));
    let refused = notices.iter().any(names);
    let (mut missing, mut wrong) = (false, false);
    let began = Instant::now();
    for (board, expected) in &victim.boards {
        for (found, expected) in answers(&tables, board).iter().zip(expected) {
            missing |= found.is_none() && expected.is_some();
            wrong |= found.is_some() && found != expected;
        }
    }
    tally.time("asked for forty positions", began.elapsed());
    let faults = tables.take_faults();
    let broke = faults.iter().any(|fault| fault.to_string().contains("broke down"));
    let named = refused || broke || faults.iter().any(names);
    let told = named || !faults.is_empty();
    let sort = if cut { "cut" } else { "flipped" };
    let outcome = match (refused, named, told, wrong) {
        (true, ..) => format!("{sort}: refused when opened"),
        (_, true, ..) => format!("{sort}: seen when asked"),
        // What one file of a table says wrong may contradict the other file.
        (_, _, true, _) => format!("{sort}: seen when asked, another file named"),
        (.., true) => format!("{sort}: not seen, some answer wrong"),
        _ => format!("{sort}: answers right"),
    };
    tally.count(&outcome, 1);
    match () {
        () if faults.len() > 2 => Err(format!("said too often: {faults:?}")),
        () if missing && !told => Err("answers are missing, and nothing was said".to_string()),
        () if wrong && !named => Err("answers are wrong, and nothing was said".to_string()),
        () => Ok(refused),
    }
}

/// The engine says what is wrong as it does in process, plays some moves, and leaves well.
fn show(context: &Context, copies: &Copies, victim: &Victim, refused: bool) -> Verdict {
    let mut talk = context.start()?;
    let lines = talk.tell(&[&format!("setoption name SyzygyPath value {}", copies.0.display())])?;
    let told = lines.iter().any(|line| line.starts_with("info string error: cannot use the table"));
    if told != refused {
        return Err(format!("the engine said {lines:?}"));
    }
    for (board, _) in victim.boards.iter().take(4) {
        let mut game = Game::new(board.clone());
        for _ in 0..4 {
            talk.send(&position(&game))?;
            let answer = talk.go("go nodes 1000")?;
            answer.legal(&game)?;
            match chess::parse_uci(game.board(), &answer.best) {
                Ok(mv) if game.play(mv) => {}
                _ => break,
            }
        }
    }
    talk.settled()?;
    talk.quit()
}
