//! `gannet-lab data import`: games that a test farm has played, as PGN with scores, become game records. Scores are shown in
//! centipawns that mean the same with every network; records want those that the search counts, so they are turned back.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use chess::{Board, Color, Game, Score};
use clap::Args;
use engine::Source;
use engine::wdl::{Model, material};
use pgn::record::Record;
use pgn::{Reader, Texts};

use super::merge::{fingerprint, make_empty, whole};
use crate::failure::{Failure, Result};
use crate::pool;
use crate::records::{End, FLAG_CHESS960, GameInfo, GameRecord, GameResult, Ply, ShardWriter, by_rule, encode};

const EXAMPLES: &str = "\
Examples:
  gannet-lab data import 1234.pgn --out data/farm --nodes 5000
      games that OpenBench has collected, once its archive is unpacked (docs/openbench.md)
  gannet-lab data import 1234.pgn 1235.pgn --out data/farm --net new.gnet
      games that were played with another network than that of this build

The score of a move is the first word of its comment, as +0.35 or -M3, seen by the side that moves, and
as the engine's program shows it (in gannet-lab match only an engine with cmd= does). A record
begins after the last move without one. Games that are damaged, unfinished or ended by a clock, and results
that neither the rules nor the last scores explain, are left out and counted.";

/// Make game records from PGN with scores, as OpenBench collects them
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files of games
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    /// The folder to write to; it must not hold shards
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The network that played: a file, or <bootstrap> [default: the network of this build]
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    net: String,
    /// How many nodes a move had, which the records say [default: 0, not known]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    nodes: u32,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let source = Source::load(&arguments.net).map_err(|error| Failure::new(format!("--net: {error}")))?;
    make_empty(&arguments.out)?;
    pool::catch_interrupts()?;
    let mut import = Import { source, nodes: arguments.nodes, seen: HashSet::new(), counts: Counts::default() };
    whole(arguments.out.clone(), "import", |writer| {
        arguments.files.iter().try_for_each(|path| import.file(path, writer))
    })?;
    println!("{} written to {}", import.counts, arguments.out.display());
    if import.counts.games == 0 { Err(Failure::new("there is no game that could be taken over")) } else { Ok(()) }
}

/// An import while it runs.
struct Import {
    source: Source,
    nodes: u32,
    seen: HashSet<u64>,
    counts: Counts,
}

/// What came of the games.
#[derive(Default)]
struct Counts {
    games: u64,
    plies: u64,
    twice: u64,
    /// Why others were left out, and how many.
    refused: [u64; Refusal::ALL.len()],
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games of {} plies", self.games, self.plies)?;
        if self.twice > 0 {
            write!(f, ", {} came twice and were dropped", self.twice)?;
        }
        for (why, &number) in Refusal::ALL.iter().zip(&self.refused).filter(|(_, number)| **number > 0) {
            write!(f, ", {number} left out ({why})")?;
        }
        Ok(())
    }
}

/// Why a game is not taken over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Refusal {
    Damaged,
    Unfinished,
    NoScores,
    Unexplained,
}

impl Refusal {
    const ALL: [Refusal; 4] = [Refusal::Damaged, Refusal::Unfinished, Refusal::NoScores, Refusal::Unexplained];
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Damaged => "damaged",
            Refusal::Unfinished => "not finished on the board",
            Refusal::NoScores => "without scores",
            Refusal::Unexplained => "with a result that nothing explains",
        })
    }
}

impl Import {
    fn file(&mut self, path: &PathBuf, writer: &mut ShardWriter) -> Result<()> {
        let fail = |error| Failure::file("read", path, error);
        let mut number = 0;
        for text in Texts::new(BufReader::new(File::open(path).map_err(fail)?)) {
            if pool::interrupted() {
                return Err(Failure::Interrupted);
            }
            for read in Reader::new(&text.map_err(fail)?, number).verbatim() {
                number = read.number;
                if read.broken.is_some() || read.unclosed {
                    eprintln!("gannet-lab: {}, {}", path.display(), read.faults.join("; "));
                }
                match record(&read, &self.source, self.nodes) {
                    Ok(game) => self.write(&game, writer)?,
                    Err(refusal) => self.counts.refused[refusal as usize] += 1,
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, game: &GameRecord, writer: &mut ShardWriter) -> Result<()> {
        let mut bytes = Vec::new();
        encode(&mut bytes, game);
        if self.seen.insert(fingerprint(&bytes)) {
            writer.write(&bytes)?;
            self.counts.games += 1;
            self.counts.plies += game.plies.len() as u64;
        } else {
            self.counts.twice += 1;
        }
        Ok(())
    }
}

/// A game as a record.
fn record(annotated: &Record, source: &Source, nodes: u32) -> std::result::Result<GameRecord, Refusal> {
    if annotated.broken.is_some() || annotated.unclosed {
        return Err(Refusal::Damaged);
    }
    let result = match annotated.result.as_str() {
        "1-0" => GameResult::WhiteWin,
        "0-1" => GameResult::BlackWin,
        "1/2-1/2" => GameResult::Draw,
        _ => return Err(Refusal::Unfinished),
    };
    let by_clock = ["time", "abandon", "stall", "illegal", "disconnect", "unterminated", "emergency"];
    let ended = annotated.tag("Termination").unwrap_or_default().to_lowercase();
    if by_clock.iter().any(|word| ended.contains(word)) {
        return Err(Refusal::Unfinished);
    }
    let model = Model::of(source);
    let mut game = Game::new(annotated.start.clone());
    let (mut start, mut plies, mut ruled) = (game.board().clone(), Vec::new(), None);
    for read in &annotated.main.plies {
        ruled = by_rule(&game);
        if ruled.is_some() {
            break;
        }
        let score = read.comments.first().and_then(|comment| score_in(comment));
        let score = score.map(|shown| as_searched(shown, game.board(), model));
        let white = game.board().side_to_move() == Color::White;
        game.play(read.mv);
        match score {
            Some(Score(score)) => plies.push(Ply { mv: read.mv, score: if white { score } else { -score } as i16 }),
            None => {
                plies.clear();
                start = game.board().clone();
            }
        }
    }
    let Some(last) = plies.last() else { return Err(Refusal::NoScores) };
    let ruled = ruled.or_else(|| by_rule(&game));
    let end = match (ruled, result) {
        (Some((found, end)), _) if found == result => end,
        (None, GameResult::Draw) => End::AdjudicatedDraw,
        (None, GameResult::WhiteWin) if last.score > 0 => End::AdjudicatedWin,
        (None, GameResult::BlackWin) if last.score < 0 => End::AdjudicatedWin,
        _ => return Err(Refusal::Unexplained),
    };
    let chess960 = annotated.tag("Variant").is_some_and(|name| {
        let name = name.to_lowercase();
        name.contains("960") || name.contains("fischer")
    });
    let flags = if chess960 { FLAG_CHESS960 } else { 0 };
    Ok(GameRecord { info: GameInfo { start, result, end, flags, net: source.id(), nodes }, plies, sides: Vec::new() })
}

/// The score at the beginning of a comment, as it was shown; none where there is none, as in `book`.
fn score_in(comment: &str) -> Option<Score> {
    let word = comment.split([' ', '/', ',', '\t', '\n']).next()?;
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let score = match digits.strip_prefix(['M', '#']) {
        Some(moves) => {
            let moves: usize = moves.parse().ok().filter(|moves| (1..=500).contains(moves))?;
            if negative { Score::mate_in(2 * moves) } else { Score::mate_in(2 * moves - 1) }
        }
        None => {
            let pawns: f64 = digits.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
            from_centipawns((pawns * 100.0).round().min(f64::from(i16::MAX)) as i32)
        }
    };
    Some(if negative { Score(-score.0) } else { score })
}

/// What [`Score::centipawns`] shows as so much, which is not negative: a win by endgame tables is 200 pawns less some.
fn from_centipawns(shown: i32) -> Score {
    let won = Score::WIN_BOUND.centipawns();
    if shown < won { Score(shown) } else { Score((shown - won + Score::WIN_BOUND.0).min(Score::TABLEBASE_WIN.0)) }
}

/// The score that the search has counted where this was shown: what [`Model::normalise`] turns into it. Proven ones are shown
/// as they are.
fn as_searched(shown: Score, board: &Board, model: &Model) -> Score {
    if shown.is_decisive() {
        return shown;
    }
    let bound = Score::WIN_BOUND.0 - 1;
    let counted = f64::from(shown.0) * model.at(material(board)).a / 100.0;
    Score((counted.round() as i32).clamp(-bound, bound))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imported(text: &str) -> std::result::Result<GameRecord, Refusal> {
        record(&Reader::new(text.as_bytes(), 0).verbatim().next().expect("a game"), &Source::Bootstrap, 5000)
    }

    #[test]
    fn scores_are_read_as_they_are_written() {
        for (comment, score) in [
            ("+0.35", Some(35)),
            ("-1.20 12/18 300 5000", Some(-120)),
            ("0.00/9 0.5s", Some(0)),
            ("+M3", Some(31_995)),
            ("-M3 5/9 1 1", Some(-31_994)),
            ("+200.00", Some(Score::TABLEBASE_WIN.0)),
            ("-199.97", Some(-Score::TABLEBASE_WIN.0 + 3)),
            ("book", None),
            ("unknown", None),
            ("", None),
            ("+M0", None),
            ("+nan", None),
        ] {
            assert_eq!(score_in(comment).map(|score| score.0), score, "{comment}");
        }
    }

    #[test]
    fn what_was_shown_is_shown_again() {
        let boards =
            ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/5pk1/6p1/3r4/8/6P1/5PK1/3R4 b - - 0 40"];
        for (fen, model) in boards.iter().flat_map(|fen| [(fen, &engine::wdl::BOOTSTRAP), (fen, &engine::wdl::FITTED)])
        {
            let board = Board::from_fen(fen).expect(fen);
            // What is shown of scores that the search counts; where a pawn is worth less than 100, some numbers are never shown.
            for counted in (-9000..9000).step_by(7) {
                let shown = model.normalise(Score(counted), &board);
                assert_eq!(model.normalise(as_searched(shown, &board, model), &board), shown, "{fen} {counted}");
                let off = (as_searched(shown, &board, model).0 - counted).abs();
                assert!(f64::from(off) <= model.at(material(&board)).a / 200.0 + 1.0, "{fen} {counted}: {off}");
            }
        }
    }

    #[test]
    fn a_game_becomes_a_record() {
        let game = imported("[Result \"0-1\"]\n\n1. f3 {book} e5 {+1.00} 2. g4 {-1.50 4/5 1 9} Qh4# {+M1} 0-1")
            .expect("a record");
        assert_eq!((game.info.result, game.info.end, game.info.nodes), (GameResult::BlackWin, End::Checkmate, 5000));
        let board = Board::from_fen("rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1").expect("a board");
        assert_eq!(game.info.start, board);
        let scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
        let pawn = engine::wdl::BOOTSTRAP.at(78).a;
        assert_eq!(scores, [-pawn.round() as i16, -(1.5 * pawn).round() as i16, -31_999]);
    }

    #[test]
    fn what_cannot_be_learned_from_is_left_out() {
        let of = |text: &str| imported(text).map(|game| game.info.end);
        assert_eq!(of("1. e4 {+3.00} e5 {-3.00} 1-0"), Ok(End::AdjudicatedWin));
        assert_eq!(of("1. e4 {+0.00} e5 {-0.01} 1/2-1/2"), Ok(End::AdjudicatedDraw));
        assert_eq!(of("1. e4 {+3.00} e5 {-3.00} 0-1"), Err(Refusal::Unexplained));
        assert_eq!(of("1. f3 {0.00} e5 {0.00} 2. g4 {0.00} Qh4# {+M1} 1-0"), Err(Refusal::Unexplained));
        assert_eq!(of("1. e4 {+3.00} e5 {-3.00} *"), Err(Refusal::Unfinished));
        assert_eq!(of("[Termination \"time forfeit\"]\n1. e4 {+3.00} e5 {-3.00} 1-0"), Err(Refusal::Unfinished));
        assert_eq!(of("1. e4 {book} e5 {book} 1-0"), Err(Refusal::NoScores));
        for damaged in
            ["1. e5 {+3.00} 1-0", "1. e4 {+3.00 1-0", "1. e4 {+3.00} (1. d4 1-0", "[FEN \"x\"]\n1. e4 {+3.00} 1-0"]
        {
            assert_eq!(of(damaged), Err(Refusal::Damaged), "{damaged}");
        }
        // The third time is a draw, and what was played after it does not count.
        let shuffle = "Nf3 {0.00} Nf6 {0.00} Ng1 {0.00} Ng8 {0.00} ".repeat(3);
        let game = imported(&format!("{shuffle} 1/2-1/2")).expect("a record");
        assert_eq!((game.info.end, game.plies.len()), (End::Threefold, 8));
    }
}
