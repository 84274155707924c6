//! What the program says about itself: names, help, how it was built, and the position as a picture.

use chess::{Color, Game, Score};
use engine::nnue::Kernels;
use engine::wdl::Model;
use engine::{Engine, Source};

use crate::options::{self, Settings};

/// For people who start the program by hand.
pub const GREETING: &str = concat!(
    "Gannet ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine. Licence: ",
    env!("CARGO_PKG_LICENSE"),
    ".\nTry: go movetime 2000. Then help for the other commands, quit to leave."
);

/// Every command.
pub const HELP: &str = "\
Gannet speaks UCI: chess programs talk to it, and so can you.

position startpos [moves e2e4 …]    set up the start of a game
position fen FEN [moves …]          set up any position; castling as KQkq or files of rooks
go                                  think until stop
go movetime 2000 | depth 12 | nodes 100000 | infinite
go mate 3                           look for a mate in three; alone, give up at depth 4 × 3 + 8
go wtime 60000 btime 60000 winc 1000 binc 1000 movestogo 40
go searchmoves e2e4 d2d4 …          think about these moves only
go ponder … / ponderhit             think on the opponent's time
stop                                end thinking, show the best move
setoption name NAME [value VALUE]   set an option; uci lists them, and with
                                    setoption name Expose value true those of the search, too
ucinewgame                          forget what was learned
isready                             answers readyok
uci                                 who this is, options, output as programs want it
debug on | off                      complain about unknown commands

d            show the position        eval                  its static evaluation
flip         change colours           perft N               count positions N plies ahead
bench [N]    nodes at depth N         speedtest [threads] [MiB] [seconds]
             both with the network of this build, whatever EvalFile says
params       numbers for a tuner      compiler              how this was built
wait         the next command waits   genfens N seed S book None|FILE
             for the search to end,     N random openings for test frameworks
             if it has a limit
quit         leave

During a search, setoption, ucinewgame and eval wait for its end; another go ends it.
From the shell: gannet \"position startpos\" \"go depth 10\" runs commands; gannet --help tells the rest.";

/// The reply to `uci`.
pub fn identity(settings: &Settings) -> String {
    let mut lines = vec![
        format!("id name Gannet {}", env!("CARGO_PKG_VERSION")),
        format!("id author {}", env!("CARGO_PKG_AUTHORS")),
    ];
    if let Some(error) = Source::embedded_error() {
        lines.push(format!("info string {error}; evaluating with <bootstrap> unless EvalFile is set"));
    }
    lines.extend(options::lines(settings));
    lines.push("uciok".into());
    lines.join("\n")
}

/// How the program was built.
pub fn build() -> String {
    let features = [
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    let features: Vec<_> = features.iter().filter(|(_, used)| *used).map(|(name, _)| *name).collect();
    let arithmetic: Vec<_> = Kernels::available().iter().map(|kernels| kernels.name).collect();
    format!(
        "Gannet {}, compiled by {} for {}\nprocessor features: {}\n\
         vector arithmetic: {} of {}\nassertions: {}",
        env!("CARGO_PKG_VERSION"),
        env!("GANNET_COMPILER"),
        env!("GANNET_TARGET"),
        if features.is_empty() { "none".to_string() } else { features.join(" ") },
        Kernels::best().name,
        arithmetic.join(", "),
        if cfg!(debug_assertions) { "on" } else { "off" },
    )
}

/// The position as a picture and in figures.
pub fn picture(game: &Game) -> String {
    let board = game.board();
    let checkers: Vec<_> = board.checkers().into_iter().map(|square| square.to_string()).collect();
    format!("{board}\nKey: {:016X}\nCheckers: {}", board.key(), checkers.join(" "))
}

/// The static evaluation, from White's side: as shown everywhere, what it means, and as the search counts.
pub fn evaluation(engine: &Engine, game: &Game) -> String {
    if game.board().in_check() {
        return "Evaluation: none, the side to move is in check".to_string();
    }
    let board = game.board();
    let value = engine.evaluate(game);
    let white = if board.side_to_move() == Color::White { value } else { -value };
    let model = Model::of(engine.evaluation());
    let Score(shown) = model.normalise(white, board);
    let [win, draw, loss] = model.wdl(white, board).map(|permille| f64::from(permille) / 10.0);
    format!(
        "Evaluation: {:+.2} pawns, from White's side\nWin {win:.1} %, draw {draw:.1} %, loss {loss:.1} %\n\
         Internal score: {:+}",
        f64::from(shown) / 100.0,
        white.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reply_to_uci_has_no_blank_lines() {
        let text = identity(&Settings::default());
        assert!(text.starts_with("id name Gannet ") && text.ends_with("\nuciok"));
        assert!(text.lines().all(|line| !line.trim().is_empty()));
    }
}
