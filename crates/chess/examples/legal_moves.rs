//! The legal moves of a position, as in books and in coordinates: `cargo run --example legal_moves -- "FEN"`.

use std::process::ExitCode;

use chess::{Board, san, uci};

fn main() -> ExitCode {
    let board = match std::env::args().nth(1).map(|fen| Board::from_fen(&fen)) {
        None => Board::start(),
        Some(Ok(board)) => board,
        Some(Err(error)) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{board}");
    for &mv in &board.legal_moves() {
        println!("{:8} {}", san(&board, mv), uci(mv, false));
    }
    ExitCode::SUCCESS
}
