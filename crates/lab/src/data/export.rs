//! `gannet-lab data export`: games in viriformat, which other trainers read.
//!
//! Written from the format's public description: a board of 32 bytes, then a move and a score of two bytes each for
//! every ply, then four zero bytes. It is little-endian and White's view throughout.

use std::path::PathBuf;

use chess::{Move, PieceKind};
use clap::Args;
use indicatif::ProgressBar;

use super::Source;
use super::parallel::shards_in_order;
use crate::failure::Result;
use crate::files::Draft;
use crate::pool;
use crate::records::{Fault, GameRecord, Replay, Shard, What, put_board};

const EXAMPLES: &str = "\
Example:
  gannet-lab data export data/c --out c.vf";

/// Write games in viriformat
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let paths = arguments.source.shards()?;
    pool::catch_interrupts()?;
    let mut out = Draft::create(&arguments.out)?;
    let bar = ProgressBar::new(paths.len() as u64);
    let (mut games, mut faults) = (0, 0);
    shards_in_order(
        &paths,
        arguments.source.threads(),
        |shard| Ok(export(shard)),
        |(bytes, count, found)| {
            for fault in &found {
                bar.suspend(|| eprintln!("{fault}"));
            }
            games += count;
            faults += found.len();
            bar.inc(1);
            out.write(&bytes)
        },
    )?;
    out.finish()?;
    bar.finish_and_clear();
    println!("{games} games written to {}", arguments.out.display());
    if faults > 0 {
        println!("{faults} faults were passed over; they are listed above");
    }
    Ok(())
}

/// A shard's games, how many they are, and what is wrong with others.
fn export(shard: &Shard) -> (Vec<u8>, u64, Vec<Fault>) {
    let (mut bytes, mut games, mut faults) = (Vec::new(), 0, shard.faults.clone());
    for block in &shard.blocks {
        match shard.replay(block).and_then(Replay::record) {
            Ok(game) => {
                put_game(&mut bytes, &game);
                games += 1;
            }
            Err(error) => faults.push(shard.game_fault(block, What::Game(error))),
        }
    }
    (bytes, games, faults)
}

/// Bytes of a board.
const BOARD: usize = 32;
/// Where its fields after the men are: side and en passant, clock, move number, score, result.
const STATE: usize = 24;

/// Appends a game.
pub fn put_game(out: &mut Vec<u8>, game: &GameRecord) {
    let start = &game.info.start;
    // Occupied squares, men and the byte of side and en passant are those of our own records, but the men are not
    // followed by anything before their sixteen bytes are over.
    let mut packed = Vec::with_capacity(BOARD);
    put_board(&mut packed, start);
    let men = 8 + start.occupied().len().div_ceil(2) as usize;
    let mut board = [0; BOARD];
    board[..men].copy_from_slice(&packed[..men]);
    board[STATE] = packed[men];
    board[STATE + 1] = start.halfmove_clock().min(255) as u8;
    let number = start.fullmove_number().min(u16::MAX.into()) as u16;
    board[STATE + 2..STATE + 4].copy_from_slice(&number.to_le_bytes());
    // A score for the board itself may be left out; the first ply has it.
    board[STATE + 6] = game.info.result as u8;
    out.extend_from_slice(&board);
    for ply in &game.plies {
        out.extend_from_slice(&move_bits(ply.mv).to_le_bytes());
        out.extend_from_slice(&ply.score.to_le_bytes());
    }
    out.extend_from_slice(&[0; 4]);
}

/// Six bits from, six to, two what a pawn becomes, two the sort of move. Castling goes to the rook, as ours does.
fn move_bits(mv: Move) -> u16 {
    let squares = mv.from().index() as u16 | (mv.to().index() as u16) << 6;
    let piece = match mv.promotion() {
        None | Some(PieceKind::Knight) => 0,
        Some(PieceKind::Bishop) => 1,
        Some(PieceKind::Rook) => 2,
        Some(_) => 3,
    };
    let sort = match mv {
        _ if mv.is_en_passant() => 1,
        _ if mv.is_castle() => 2,
        _ if mv.is_promotion() => 3,
        _ => 0,
    };
    squares | piece << 12 | sort << 14
}
