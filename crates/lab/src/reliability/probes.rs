//! Endgame tables, read right: every answer is that of shakmaty-syzygy with its own way to read files.

use chess::Board;
use engine::syzygy::{Distance, Tables};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use shakmaty_syzygy::Tablebase;

use super::Context;
use super::material;
use super::trials::{self, Tally, Verdict};
use crate::pool;
use crate::rng::Rng;

pub const WHAT: &str = "random positions of as many men as the tables have, at most five, in process: who wins and how far it \
    is (WDL and DTZ) are what shakmaty-syzygy says by itself, and unknown where it does not know";

/// The tables as the engine reads them, and as the library does.
struct Readers {
    engine: Tables,
    library: Tablebase<Chess>,
    men: usize,
}

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let readers = match open(context) {
        Ok(readers) => readers,
        Err(fault) => return tally.add(Err(fault)),
    };
    let work = |(): &mut (), index: u64| {
        let mut rng = Rng::new(context.seed, index);
        let board = material::any_position(&mut rng, readers.men);
        tally.count("with en passant", board.en_passant().is_some().into());
        compare(&readers, &board, tally).map_err(|fault| format!("{}: {fault}", board.fen()))
    };
    trials::run(tally, trials, pool::default_threads(), || Ok(()), work);
    for fault in readers.engine.take_faults() {
        tally.add_many(0, Err(format!("sound tables, but: {fault}")));
    }
}

fn open(context: &Context) -> Result<Readers, String> {
    let folder = context.syzygy.as_deref().ok_or("no folder with tables")?;
    let engine = Tables::open(&folder.display().to_string()).0.ok_or("the engine finds no tables")?;
    let mut library = Tablebase::new();
    library.add_directory(folder).map_err(|error| error.to_string())?;
    let men = (engine.men() as usize).clamp(3, 5);
    Ok(Readers { engine, library, men })
}

fn compare(readers: &Readers, board: &Board, tally: &Tally) -> Verdict {
    // By way of text, which is not how the engine does it.
    let fen: Fen = board.fen().parse().map_err(|error| format!("not a FEN: {error}"))?;
    let position: Chess = fen
        .into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| error.to_string())?;
    let wdl = readers.library.probe_wdl_after_zeroing(&position).ok();
    let dtz = readers.library.probe_dtz(&position).ok();
    let distance = dtz.map(|dtz| Distance { plies: dtz.ignore_rounding().0, rounded: dtz.precise().is_none() });
    tally.count("not in the tables", (wdl.is_none() || distance.is_none()).into());
    let found = (readers.engine.wdl(board), readers.engine.distance(board));
    if found == (wdl, distance) { Ok(()) } else { Err(format!("{found:?}, the library says {wdl:?}, {distance:?}")) }
}
