//! The rules against two other implementations of them, shakmaty and cozy-chess: in four hundred thousand positions
//! of random games of standard chess, Chess960 and double Chess960 all three must have the same legal moves, and
//! agree on check, mate, stalemate and dead positions. The FENs must be the same letter for letter.

mod common;
mod oracles;

use common::{Random, in_parallel, random_move, random_start};
use oracles::{assert_agreement, assert_second_opinion, to_cozy, to_shakmaty, to_shakmaty_move};
use shakmaty::Position as _;

const POSITIONS: usize = 400_000;

/// The three boards are carried along by moves and never set up anew, so making moves is compared as well.
#[test]
fn random_games_agree_move_by_move() {
    const BATCHES: usize = 64;
    in_parallel(BATCHES, |batch| {
        let mut random = Random::new(batch as u64);
        let (mut seen, mut turn) = (0, batch);
        while seen < POSITIONS / BATCHES + 1 {
            let mut board = random_start(&mut random, turn);
            turn += 1;
            let mut theirs = to_shakmaty(&board);
            let mut second = to_cozy(&board).expect("start positions are legal");
            for _ in 0..20 + random.below(180) {
                assert_agreement(&board, &theirs);
                assert_second_opinion(&board, &second);
                seen += 1;
                let Some(mv) = random_move(&mut random, &board) else { break };
                theirs.play_unchecked(to_shakmaty_move(&board, mv));
                second.play_unchecked(oracles::to_cozy_move(mv));
                board.make(mv);
            }
        }
    });
}

/// Three plies deep from a sample of positions: what single positions agree on must also hold for trees.
#[test]
fn perft_agrees_from_random_positions() {
    common::in_parallel(64, |batch| {
        let mut count = 0;
        common::visit_positions(7_000 + batch as u64, 3_000, |board| {
            count += 1;
            if count % 60 == 0 {
                let expected = shakmaty::perft(&to_shakmaty(board), 3);
                assert_eq!(chess::perft(board, 3), expected, "{}", board.fen());
            }
        });
    });
}

/// Every start position of Chess960 is the one that cozy-chess gives the same number.
#[test]
fn start_positions_have_the_numbers_of_scharnagl() {
    for number in 0..960u16 {
        let board = chess::Setup::chess960(number).validate().expect("legal");
        let theirs = cozy_chess::Board::chess960_startpos(u32::from(number));
        assert_eq!(board.shredder_fen(), format!("{theirs:#}"), "{number}");
        let other = (number * 7 + 3) % 960;
        let board = chess::Setup::double_chess960(number, other).validate().expect("legal");
        let theirs = cozy_chess::Board::double_chess960_startpos(u32::from(number), u32::from(other));
        assert_eq!(board.shredder_fen(), format!("{theirs:#}"), "{number} {other}");
    }
}
