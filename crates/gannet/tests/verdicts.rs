//! Famous games and traps: what `gannet analyse` has to say of them, and what it must not say.
//!
//! Only what is clear is asked for, as the search and the network change: moves that give a game away, and moves that are known
//! to be good.

use std::io::Write;
use std::process::{Command, Stdio};

/// What must hold of a move.
#[derive(Clone, Copy, Debug)]
enum Must {
    /// It is criticised, however severely.
    Doubtful,
    /// It is a mistake or a blunder.
    Bad,
    /// It is a blunder.
    Blunder,
    /// Nothing is held against it.
    Sound,
}

use Must::{Bad, Blunder, Doubtful, Sound};

/// A game, the nodes for each of its positions, and what is known of its moves.
struct Example {
    game: &'static str,
    nodes: u64,
    moves: &'static [(&'static str, Must)],
}

const TRAPS: &[Example] = &[
    Example {
        // Noah's Ark: the bishop is shut in by pawns.
        game: "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 d6 5. d4 b5 6. Bb3 Nxd4 7. Nxd4 exd4 8. Qxd4 c5 9. Qd5 Be6 \
               10. Qc6+ Bd7 11. Qd5 c4 *",
        nodes: 20_000,
        moves: &[("8. Qxd4", Doubtful), ("8... c5", Sound), ("11... c4", Sound)],
    },
    Example {
        // The elephant trap: the knight that looks pinned is not.
        game: "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nbd7 5. cxd5 exd5 6. Nxd5 Nxd5 7. Bxd8 Bb4+ *",
        nodes: 20_000,
        moves: &[("5. cxd5", Sound), ("6. Nxd5", Blunder), ("6... Nxd5", Sound), ("7... Bb4+", Sound)],
    },
    Example {
        // Légal's mate.
        game: "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0",
        nodes: 20_000,
        moves: &[("4... g6", Doubtful), ("5. Nxe5", Sound), ("5... Bxd1", Bad), ("6. Bxf7+", Sound)],
    },
    Example {
        // The Blackburne Shilling Gambit.
        game: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1",
        nodes: 20_000,
        moves: &[("4... Qg5", Sound), ("5. Nxf7", Bad), ("5... Qxg2", Sound), ("6... Qxe4+", Sound)],
    },
    Example {
        // The Lasker trap: a pawn becomes a knight.
        game: "1. d4 d5 2. c4 e5 3. dxe5 d4 4. e3 Bb4+ 5. Bd2 dxe3 6. Bxb4 exf2+ 7. Ke2 fxg1=N+ *",
        nodes: 20_000,
        moves: &[("6. Bxb4", Blunder), ("6... exf2+", Sound), ("7... fxg1=N+", Sound)],
    },
    Example {
        // The fishing pole.
        game: "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Ng4 5. h3 h5 6. hxg4 hxg4 7. Ne1 Qh4 8. f4 g3 *",
        nodes: 20_000,
        moves: &[("6. hxg4", Bad), ("6... hxg4", Sound), ("7... Qh4", Sound), ("8... g3", Sound)],
    },
    Example {
        // The Kieninger trap of the Budapest Gambit.
        game: "1. d4 Nf6 2. c4 e5 3. dxe5 Ng4 4. Bf4 Nc6 5. Nf3 Bb4+ 6. Nbd2 Qe7 7. a3 Ngxe5 8. axb4 Nd3# 0-1",
        nodes: 20_000,
        moves: &[("6... Qe7", Sound), ("8. axb4", Blunder)],
    },
    Example {
        // The Siberian trap.
        game: "1. e4 c5 2. d4 cxd4 3. c3 dxc3 4. Nxc3 Nc6 5. Nf3 e6 6. Bc4 Qc7 7. O-O Nf6 8. Qe2 Ng4 9. h3 Nd4 *",
        nodes: 20_000,
        moves: &[("8... Ng4", Sound), ("9. h3", Blunder), ("9... Nd4", Sound)],
    },
    Example {
        // The Rubinstein trap: the queen is shut in.
        game: "1. d4 d5 2. Nf3 Nf6 3. c4 e6 4. Bg5 Nbd7 5. e3 Be7 6. Nc3 O-O 7. Rc1 Re8 8. Qc2 a6 9. cxd5 exd5 \
               10. Bd3 c6 11. O-O Ne4 12. Bf4 f5 13. Nxd5 cxd5 14. Bc7 *",
        nodes: 100_000,
        moves: &[("12... f5", Bad), ("13. Nxd5", Sound), ("14. Bc7", Sound)],
    },
    Example {
        // The Magnus Smith trap.
        game: "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 Nc6 6. Bc4 g6 7. Nxc6 bxc6 8. e5 dxe5 9. Bxf7+ *",
        nodes: 20_000,
        moves: &[("8... dxe5", Blunder), ("9. Bxf7+", Sound)],
    },
    Example {
        // The Mortimer trap, and how it fails.
        game: "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. d3 Ne7 5. Nxe5 c6 6. Nc4 cxb5 7. Nd6# 1-0",
        nodes: 20_000,
        moves: &[("5. Nxe5", Bad), ("5... c6", Sound), ("6... cxb5", Blunder)],
    },
    Example {
        // The fried liver: the sacrifice is sound.
        game: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Nxd5 6. Nxf7 Kxf7 7. Qf3+ Ke6 *",
        nodes: 20_000,
        moves: &[("4. Ng5", Sound), ("6. Nxf7", Sound), ("7. Qf3+", Sound), ("7... Ke6", Sound)],
    },
    Example {
        // Morphy at the opera.
        game: "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 \
               10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0",
        nodes: 20_000,
        moves: &[
            ("9... b5", Doubtful),
            ("10. Nxb5", Sound),
            ("12. O-O-O", Sound),
            ("13. Rxd7", Sound),
            ("14. Rd1", Sound),
            ("16. Qb8+", Sound),
            ("16... Nxb8", Sound),
        ],
    },
];

/// Kasparov against Topalov, Wijk aan Zee 1999, from the move before Black's thirtieth.
const HUNT: &str = "[FEN \"3r3r/Rb3p1p/p4np1/1p1q4/kP6/P1Q2PPB/2P4P/1K6 w - - 0 30\"]\n\n\
                    30. Rxb7 Qc4 31. Qxf6 *";

fn analysed(game: &str, nodes: u64) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gannet"))
        .args(["analyse", "--nodes", &nodes.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(game.as_bytes()).expect("the program reads");
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{game}");
    String::from_utf8(output.stdout).expect("UTF-8").replace('\n', " ")
}

/// The moves of the game with their marks, without comments and variations.
fn main_line(text: &str) -> String {
    let (mut line, mut depth, mut comment) = (String::new(), 0, false);
    for letter in text.chars() {
        match letter {
            '{' => comment = true,
            '}' => comment = false,
            _ if comment => {}
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 => line.push(letter),
            _ => {}
        }
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The mark of a move, as a number.
fn mark(line: &str, mv: &str) -> u8 {
    let (_, rest) = line.split_once(&format!(" {mv} ")).unwrap_or_else(|| panic!("{mv} in {line}"));
    rest.strip_prefix('$').and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap_or(0)
}

#[test]
fn famous_traps_are_understood() {
    for Example { game, nodes, moves } in TRAPS {
        let text = analysed(game, *nodes);
        let line = format!(" {} ", main_line(&text));
        for &(mv, must) in *moves {
            let mark = mark(&line, mv);
            let holds = match must {
                Doubtful => matches!(mark, 2 | 4 | 6),
                Bad => matches!(mark, 2 | 4),
                Blunder => mark == 4,
                Sound => !matches!(mark, 2 | 4 | 6),
            };
            assert!(holds, "{mv} must be {must:?} and has the mark {mark}: {text}");
        }
    }
}

/// The best move is not criticised, and what loses is not recommended, although even long searches think it a draw.
#[test]
fn the_hunt_for_the_king_is_not_called_wrong() {
    let text = analysed(HUNT, 200_000);
    let line = format!(" {} ", main_line(&text));
    assert_eq!(mark(&line, "30... Qc4"), 0, "{text}");
    assert!(!text.contains("Rhe8"), "{text}");
}
