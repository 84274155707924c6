//! Input that is wrong: every text ends in a clear error or a correct board, never in a panic. What a correct board
//! is, is checked by setting it up again and by making every move.

mod common;

use chess::{Board, Color, FenError, Game, MAX_MOVES, Piece, PieceKind, Setup, Square, parse_san, parse_uci};
use common::{Random, in_parallel, visit_positions};

/// A board that came out of doubtful input must be as good as any other.
fn assert_sound(board: &Board) {
    let fen = board.fen();
    assert_eq!(Board::from_fen(&fen).as_ref(), Ok(board), "{fen}");
    assert_eq!(Board::from_fen(&board.shredder_fen()).as_ref(), Ok(board), "{fen}");
    let moves = board.legal_moves();
    assert!(moves.len() <= MAX_MOVES, "{} moves in {fen}", moves.len());
    for &mv in &moves {
        assert!(board.is_legal(mv), "{mv:?} in {fen}");
        let next = board.after(mv);
        assert_eq!(Setup::of(&next).validate().as_ref(), Ok(&next), "{mv:?} in {fen}");
    }
}

/// Reads a FEN; the board if there is one is sound, the error has something to say.
fn read(fen: &str) -> Result<Board, FenError> {
    let result = Board::from_fen(fen);
    match &result {
        Ok(board) => assert_sound(board),
        Err(error) => assert!(error.to_string().len() > 20, "{error}"),
    }
    result
}

#[test]
fn wrong_fens_are_refused_with_a_reason() {
    let long = |text: &str| text.repeat(10_000);
    let cases: Vec<(String, &str)> = [
        // The pieces.
        ("", "eight ranks"),
        (" ", "eight ranks"),
        ("8", "eight ranks"),
        ("8/8/8/8/8/8/8 w - - 0 1", "eight ranks"),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", "eight ranks"),
        ("k7/8/8/8/8/8/8/K8 w - - 0 1", "eight ranks"),
        ("k7/8/8/8/8/8/8/K6 w - - 0 1", "eight ranks"),
        ("k7/8/8/8/0/8/8/K7 w - - 0 1", "eight ranks"),
        ("k7/8/8/8/8/8/8/K6x w - - 0 1", "eight ranks"),
        ("k7//8/8/8/8/8/K7 w - - 0 1", "eight ranks"),
        ("k7/8/8/8/8/8/8/K7/ w - - 0 1", "eight ranks"),
        ("/k7/8/8/8/8/8/8/K7 w - - 0 1", "eight ranks"),
        ("k7/8/8/8/8/8/8/K６ w - - 0 1", "eight ranks"),
        ("♔7/8/8/8/8/8/8/♚7 w - - 0 1", "eight ranks"),
        ("\u{feff}k7/8/8/8/8/8/8/K7 w - - 0 1", "eight ranks"),
        ("k7/8/8/8/8/8/8/K7\0 w - - 0 1", "eight ranks"),
        // The other fields.
        ("k7/8/8/8/8/8/8/K7", "w or b"),
        ("k7/8/8/8/8/8/8/K7 W - - 0 1", "w or b"),
        ("k7/8/8/8/8/8/8/K7 white - - 0 1", "w or b"),
        ("k7/8/8/8/8/8/8/K7 w x - 0 1", "castling rights must"),
        ("k7/8/8/8/8/8/8/K7 w -- - 0 1", "castling rights must"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling rights must"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "castling rights must"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkqKQkq - 0 1", "castling rights must"),
        ("k7/8/8/8/8/8/8/K7 w é - 0 1", "castling rights must"),
        ("k7/8/8/8/8/8/8/K7 w - e 0 1", "rank 3 or 6"),
        ("k7/8/8/8/8/8/8/K7 w - e9 0 1", "rank 3 or 6"),
        ("k7/8/8/8/8/8/8/K7 w - i3 0 1", "rank 3 or 6"),
        ("k7/8/8/8/8/8/8/K7 w - e3e3 0 1", "rank 3 or 6"),
        ("k7/8/8/8/8/8/8/K7 w - é3 0 1", "rank 3 or 6"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "halfmove clock"),
        ("k7/8/8/8/8/8/8/K7 w - - -1 1", "halfmove clock"),
        ("k7/8/8/8/8/8/8/K7 w - - +1 1", "halfmove clock"),
        ("k7/8/8/8/8/8/8/K7 w - - 1.5 1", "halfmove clock"),
        ("k7/8/8/8/8/8/8/K7 w - - 65536 1", "halfmove clock"),
        ("k7/8/8/8/8/8/8/K7 w - - 99999999999999999999999 1", "halfmove clock"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 -1", "move number"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 4294967296", "move number"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 99999999999999999999999", "move number"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 moves", "sixth field"),
        // Kings, pawns, too many men.
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no king"),
        ("k7/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
        ("k6k/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"),
        ("k7/8/8/8/8/8/8/KKKKKKKK w - - 0 1", "White has 8 kings"),
        ("kP6/8/8/8/8/8/8/K7 w - - 0 1", "pawn on b8"),
        ("k7/8/8/8/8/8/8/K6p w - - 0 1", "pawn on h1"),
        ("k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1", "Black has more men"),
        ("k7/8/8/8/8/NNNNNNN1/PPPP4/K7 w - - 0 1", "White has more men"),
        ("k7/8/8/8/8/1B1B1B2/PPPPPPP1/K7 w - - 0 1", "White has more men"),
        ("rnbqkbnr/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/RNBQKBNR w - - 0 1", "more men"),
        ("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/7Q/K6Q/7Q/7k w - - 0 1", "more men"),
        ("rnbqkbnr/rrrrrrrr/r7/8/8/8/8/K7 w - - 0 1", "Black has more men"),
        // Checks.
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "Black is in check"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "is in check"),
        ("4k3/8/8/8/1b2r2b/8/8/4K3 w - - 0 1", "no move can give"),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", "no move can give"),
        ("4k3/8/8/8/8/8/3p1p2/4K3 w - - 0 1", "no move can give"),
        ("8/8/8/R3k3/3pP3/8/8/4K3 b - e3 0 1", "no move can give"),
        // Castling rights.
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right for h1"),
        ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "castling right for h1"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "castling right for h1"),
        ("4k3/8/8/8/8/8/8/4KR1R w FH - 0 1", "castling right for"),
        ("4k2r/8/8/8/8/8/8/4K3 w q - 0 1", "castling right for a8"),
        ("r3k3/8/8/8/8/8/8/4K3 w e - 0 1", "castling right for e8"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "castling right for"),
        // En passant.
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "passed over e6"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1", "passed over e3"),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "passed over e6"),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "passed over e6"),
        ("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", "passed over e6"),
        ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "passed over e6"),
    ]
    .into_iter()
    .map(|(fen, reason)| (fen.to_string(), reason))
    .chain([
        (long("8/"), "eight ranks"),
        (long("k"), "eight ranks"),
        (long("é"), "eight ranks"),
        (long(" "), "eight ranks"),
        (format!("k7/8/8/8/8/8/8/K7 {} - - 0 1", long("w")), "w or b"),
        (format!("k7/8/8/8/8/8/8/K7 w {} - 0 1", long("KQkq")), "castling rights must"),
        (format!("k7/8/8/8/8/8/8/K7 w - {} 0 1", long("e3")), "rank 3 or 6"),
        (format!("k7/8/8/8/8/8/8/K7 w - - {} 1", long("9")), "halfmove clock"),
        (format!("k7/8/8/8/8/8/8/K7 w - - 0 1 {}", long("x ")), "sixth field"),
    ])
    .collect();
    for (fen, reason) in cases {
        let shown: String = fen.chars().take(80).collect();
        let error = read(&fen).expect_err(&shown).to_string();
        assert!(error.contains(reason), "{shown}: {error}");
    }
}

/// Strange, but right: these must be read, and mean what is expected.
#[test]
fn sloppy_fens_are_understood() {
    for (fen, expected) in [
        ("k7/8/8/8/8/8/8/K7 w", "k7/8/8/8/8/8/8/K7 w - - 0 1"),
        ("k7/8/8/8/8/8/8/K7 b -", "k7/8/8/8/8/8/8/K7 b - - 0 1"),
        ("  k7/8/8/8/8/8/8/K7\tw  -   -  0 1\r\n", "k7/8/8/8/8/8/8/K7 w - - 0 1"),
        ("k1111111/8/8/8/8/8/8/K7 w - - 0 1", "k7/8/8/8/8/8/8/K7 w - - 0 1"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 0", "k7/8/8/8/8/8/8/K7 w - - 0 1"),
        ("k7/8/8/8/8/8/8/K7 w - - 65535 65536", "k7/8/8/8/8/8/8/K7 w - - 65535 65536"),
        ("k7/8/8/8/8/8/8/K7 w - - 65535 4294967295", "k7/8/8/8/8/8/8/K7 w - - 65535 4294967295"),
        ("k7/8/8/8/8/8/8/K7 w - - 007 0012", "k7/8/8/8/8/8/8/K7 w - - 7 12"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
        ("B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1", "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1"),
    ] {
        assert_eq!(read(fen).unwrap_or_else(|error| panic!("{fen}: {error}")).fen(), expected);
    }
}

/// The most moves there can be fit in the list; what has more is refused for its men.
#[test]
fn the_most_moves() {
    for fen in
        ["R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1"]
    {
        assert_eq!(read(fen).expect("legal").legal_moves().len(), MAX_MOVES);
    }
    assert!(read("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q2Q1/kBNN1KB1 w - - 0 1").is_err());
    // Climb towards more moves from random starts: never past the limit.
    in_parallel(32, |seed| {
        let mut random = Random::new(60_000 + seed as u64);
        let mut setup = Setup::empty();
        setup.pieces[Square::A1.index()] = Some(Piece::new(Color::Black, PieceKind::King));
        setup.pieces[Square::E8.index()] = Some(Piece::new(Color::White, PieceKind::King));
        let mut best = 0;
        for _ in 0..6_000 {
            let mut next = setup.clone();
            let kind = *random.pick(&[PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight]);
            match random.below(3) {
                0 => next.pieces[random.below(64)] = Some(Piece::new(Color::White, kind)),
                1 => next.pieces.swap(random.below(64), random.below(64)),
                _ => next.pieces[random.below(64)] = None,
            }
            let Ok(board) = next.validate() else { continue };
            let count = board.count_legal_moves();
            assert!(count <= MAX_MOVES as u64, "{count} moves in {}", board.fen());
            if count >= best {
                (best, setup) = (count, next);
            }
        }
        assert!(best > 120, "the climb got nowhere: {best}");
    });
}

/// Ten kilobytes of anything, and FENs with bytes of anything in them.
#[test]
fn noise() {
    const LETTERS: &[char] =
        &['/', '8', '1', 'k', 'K', 'p', 'P', ' ', ' ', 'w', 'b', '-', 'é', '漢', '\0', '\n', '🙂', '9'];
    in_parallel(64, |batch| {
        let mut random = Random::new(70_000 + batch as u64);
        for _ in 0..20 {
            let mut noise: String = (0..10_240).map(|_| *random.pick(LETTERS)).collect();
            assert!(read(&noise).is_err());
            noise.insert_str(0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ");
            assert!(read(&noise).is_err());
            assert!(parse_san(&Board::start(), &noise).is_err());
            assert!(parse_uci(&Board::start(), &noise).is_err());
            let bytes: Vec<u8> = (0..10_240).map(|_| random.next() as u8).collect();
            assert!(read(&String::from_utf8_lossy(&bytes)).is_err());
        }
        let mut fens = Vec::new();
        visit_positions(71_000 + batch as u64, 100, |board| fens.push(board.fen()));
        for fen in fens {
            let mut letters: Vec<char> = fen.chars().collect();
            for _ in 0..1 + random.below(3) {
                let place = random.below(letters.len());
                letters[place] = *random.pick(LETTERS);
            }
            let _ = read(&letters.into_iter().collect::<String>());
        }
    });
}

/// Move texts with anything in them: an error or a legal move.
#[test]
fn noise_instead_of_moves() {
    const LETTERS: &[char] = &[
        'a', 'e', 'h', '1', '2', '4', '8', 'N', 'K', 'Q', 'x', '=', 'O', '-', '0', '+', '#', '!', ' ', 'é', '漢', '\0',
        'q',
    ];
    in_parallel(64, |batch| {
        let mut random = Random::new(80_000 + batch as u64);
        visit_positions(81_000 + batch as u64, 500, |board| {
            for _ in 0..30 {
                let text: String = (0..random.below(8)).map(|_| *random.pick(LETTERS)).collect();
                for mv in [parse_san(board, &text), parse_uci(board, &text)].into_iter().flatten() {
                    assert!(board.is_legal(mv), "{text} in {}", board.fen());
                }
            }
        });
    });
}

/// Counters at the end of their range stand still.
#[test]
fn counters_at_their_limits() {
    let board = read("k7/8/8/8/8/8/8/K6R b - - 65535 4294967295").expect("legal");
    for &mv in &board.legal_moves() {
        let next = board.after(mv);
        assert_eq!((next.halfmove_clock(), next.fullmove_number()), (u16::MAX, u32::MAX));
        assert_sound(&next);
        let passed = next.after_null().after_null();
        assert_eq!((passed.halfmove_clock(), passed.fullmove_number()), (0, u32::MAX));
    }
}

/// 70 000 plies back and forth: longer than the clock can count, and every position on the way reads back from its FEN.
#[test]
fn a_game_that_outlasts_its_clock() {
    let start = read("k7/8/8/8/8/8/8/K6R w - - 0 65000").expect("legal");
    let mut game = Game::new(start);
    let shuffle = ["h1h2", "a8b8", "h2h1", "b8a8"];
    for ply in 1..=70_000 {
        let mv = parse_uci(game.board(), shuffle[(ply - 1) % shuffle.len()]).expect("legal");
        assert!(game.play(mv));
        let board = game.board();
        assert_eq!(usize::from(board.halfmove_clock()), ply.min(65_535));
        assert_eq!(board.fullmove_number() as usize, 65_000 + ply / 2);
        assert_eq!(Board::from_fen(&board.fen()).as_ref(), Ok(board));
        assert_eq!(game.is_fifty_moves(), ply >= 100);
    }
    assert!(game.is_threefold());
    assert_sound(game.board());
}
