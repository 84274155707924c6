//! A single position, for people: who stands how well, the best lines, and why.

use std::fmt::Write;

use chess::{Board, Color, Game, Move, Score, san};

use super::explain::{chances, evaluation, means, numbered};
use super::ledger::Ledger;
use super::motifs::Pattern;
use super::searcher::{Ending, Finding, Searcher};
use pgn::parse_move;

/// Lines are shown this far.
const LENGTH: usize = 16;

/// The game that these moves lead to, each as SAN or as coordinates.
pub fn play(start: Board, moves: &[String]) -> Result<Game, String> {
    let mut game = Game::new(start);
    for text in moves.iter().flat_map(|text| text.split_whitespace()) {
        let board = game.board();
        let number = board.fullmove_number();
        let mv = parse_move(board, text)
            .map_err(|error| format!("move {number}: '{text}' is {error} in {}", board.fen()))?;
        game.play(mv);
    }
    Ok(game)
}

/// What there is to say of a position, or nothing if the user has had enough.
pub fn report(searcher: &mut Searcher, game: &Game, lines: usize) -> Option<String> {
    let board = game.board();
    let side = board.side_to_move();
    let mut text = format!("{board}\n\n");
    if let Some(ending) = Ending::of(game, true) {
        return Some(text + ending.text() + "\n");
    }
    searcher.new_game();
    let found = searcher.lines(game, true, lines);
    let best = found.first().filter(|_| !searcher.is_interrupted())?;
    let name = if side == Color::White { "White" } else { "Black" };
    let [win, draw, loss] = chances(best, side);
    let tables = if best.known { ", by the endgame tables" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{name} to move. {}{tables}. White's chances: {win}% win, {draw}% draw, {loss}% loss.",
        standing(best, side)
    );
    for (index, found) in found.iter().enumerate() {
        let score = evaluation(found, side).unwrap_or_default();
        let _ = writeln!(text, "{}. {score:>7}  {}", index + 1, moves(board, &found.line));
        if let Some(why) = why(board, found) {
            let _ = writeln!(text, "{:12}{why}", "");
        }
    }
    Some(text)
}

/// Who stands better, in words.
fn standing(found: &Finding, side: Color) -> String {
    let white = if side == Color::White { found.score } else { -found.score };
    let expected = if side == Color::White { found.expected() } else { 1.0 - found.expected() };
    let (name, share) = if white > Score::DRAW { ("White", expected) } else { ("Black", 1.0 - expected) };
    if let Some(moves) = found.score.mate_moves() {
        return format!("{name} mates in {}", moves.abs());
    }
    match share {
        _ if white.is_decisive() => format!("{name} wins"),
        share if share >= 0.9 => format!("{name} should win"),
        share if share >= 0.7 => format!("{name} is much better"),
        share if share >= 0.57 => format!("{name} is better"),
        _ => "The position is level".to_string(),
    }
}

/// What the line wins and how, if that is certain.
fn why(board: &Board, found: &Finding) -> Option<String> {
    if let Some(moves @ 1..) = found.score.mate_moves() {
        let named = Pattern::of(board, &found.line).map_or(String::new(), |pattern| format!(" {pattern}"));
        return Some(format!("mate in {moves}{named}"));
    }
    let gain = Ledger::of(board, &found.line)?.gain()?;
    let &first = found.line.first()?;
    Some(format!("{} {}wins {gain}", san(board, first), means(board, &found.line)))
}

/// A line with numbers.
fn moves(board: &Board, line: &[Move]) -> String {
    let mut board = board.clone();
    let mut words = Vec::new();
    for (index, &mv) in line.iter().take(LENGTH).enumerate() {
        let white = board.side_to_move() == Color::White;
        words.push(if white || index == 0 { numbered(&board, mv) } else { san(&board, mv) });
        board.make(mv);
    }
    words.join(" ")
}
