//! Mates in two to six: the distances in `suites/mates.epd` are proven here by trying everything, on shakmaty's board,
//! and the engine must announce each of them exactly, with a line that leads all the way to mate.

use std::collections::HashMap;

use chess::{Board, Game, Move, Score};
use engine::{Bound, Control, Engine, Limits, Line, NoClock, Reporter};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{Bitboard, CastlingMode, Chess, Color, EnPassantMode, MoveList, Position, Role, Setup, Square, attacks};

/// The engine must find each mate within so many nodes. The hardest takes a million.
const NODES: u64 = 5_000_000;

/// A position and the exact number of moves to mate.
struct Problem {
    name: String,
    fen: String,
    moves: u32,
}

impl Problem {
    fn parse(line: &str) -> Option<Problem> {
        let (fen, rest) = line.split_once(" dm ")?;
        let (moves, rest) = rest.split_once(';')?;
        let name = rest.trim().strip_prefix("id \"")?.strip_suffix("\";")?;
        Some(Problem { name: name.to_string(), fen: fen.to_string(), moves: moves.trim().parse().ok()? })
    }

    fn position(&self) -> Chess {
        let fen: Fen = self.fen.parse().expect(&self.fen);
        fen.into_position(CastlingMode::Standard).expect(&self.fen)
    }
}

fn suite() -> Vec<Problem> {
    include_str!("../../../suites/mates.epd")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| Problem::parse(line).expect(line))
        .collect()
}

#[test]
fn the_suite_has_every_length_for_both_sides() {
    let suite = suite();
    for moves in 2..=6 {
        let of_length = || suite.iter().filter(|problem| problem.moves == moves);
        assert!(of_length().count() >= 6, "mates in {moves}");
        assert!(of_length().any(|problem| problem.position().turn() == Color::White), "mates in {moves} by White");
        assert!(of_length().any(|problem| problem.position().turn() == Color::Black), "mates in {moves} by Black");
    }
}

#[test]
fn the_distances_are_proven() {
    let endings = [LoneKing::new(Role::Queen), LoneKing::new(Role::Rook)];
    for problem in suite() {
        let position = problem.position();
        let from_table = endings.iter().find_map(|ending| ending.distance(&position));
        let proven = from_table.or_else(|| Prover::default().distance(&position, problem.moves));
        assert_eq!(proven, Some(problem.moves), "{} ({})", problem.fen, problem.name);
    }
}

/// The two ways to prove a distance have nothing in common but the rules, so each vouches for the other.
#[test]
fn the_prover_and_the_tables_agree() {
    for (role, longest) in [(Role::Queen, 10), (Role::Rook, 16)] {
        let ending = LoneKing::new(role);
        assert_eq!(ending.won.iter().flatten().max(), Some(&longest), "known since the first tables");
        let mut prover = Prover::default();
        for index in (0..LoneKing::SIZE).step_by(1009) {
            let Some(position) = LoneKing::position(role, index, Color::White) else { continue };
            let expected = ending.won[index].filter(|&moves| moves <= 3);
            assert_eq!(prover.distance(&position, 3), expected, "{role:?} {index}");
        }
    }
}

#[test]
fn every_mate_is_announced_exactly() {
    let mut engine = Engine::new(16).expect("memory");
    for problem in suite() {
        engine.new_game();
        let game = Game::new(Board::from_fen(&problem.fen).expect(&problem.fen));
        let limits = Limits { nodes: Some(NODES), mate: Some(problem.moves as i32), ..Limits::default() };
        let mut announcements = Announcements { problem: &problem };
        let outcome = engine.search(&game, &limits, &Control::default(), &NoClock, &mut announcements);
        let plies = 2 * problem.moves as usize - 1;
        assert_eq!(outcome.score, Score::mate_in(plies), "{} ({})", problem.fen, problem.name);
        assert_line_mates(&problem, &outcome.pv);
        assert_eq!(outcome.pv.len(), plies, "{} ({})", problem.fen, problem.name);
    }
}

/// Watches every line on the way: a mate that is announced may be longer than the shortest, but never shorter, and
/// its line is as long as it says.
struct Announcements<'a> {
    problem: &'a Problem,
}

impl Reporter for Announcements<'_> {
    fn line(&mut self, line: &Line<'_>) {
        let Some(moves) = line.score.mate_moves().filter(|_| line.bound == Bound::Exact) else { return };
        let Problem { name, fen, moves: shortest } = self.problem;
        assert!(moves >= *shortest as i32, "mate {moves} at depth {} in {fen} ({name})", line.depth);
        assert_line_mates(self.problem, line.pv);
        assert_eq!(line.pv.len(), 2 * moves as usize - 1, "depth {} in {fen} ({name})", line.depth);
    }
}

/// Shakmaty, too, finds every move of the line legal, and mate at its end.
fn assert_line_mates(problem: &Problem, line: &[Move]) {
    let mut position = problem.position();
    for &mv in line {
        let text = chess::uci(mv, false).to_string();
        let theirs: UciMove = text.parse().expect(&text);
        position.play_unchecked(theirs.to_move(&position).expect(&text));
    }
    assert!(position.is_checkmate(), "{line:?} in {} ({})", problem.fen, problem.name);
}

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy)]
struct Known {
    /// There is a mate in so many moves.
    proven: u32,
    /// There is none in so many.
    refuted: u32,
}

/// Proves and refutes mates by trying every move of both sides.
#[derive(Default)]
struct Prover {
    known: HashMap<Zobrist128, Known>,
    /// The defence that last refuted an attack, by the moves that were left.
    defences: HashMap<u32, shakmaty::Move>,
}

impl Prover {
    /// The shortest mate that the side to move can force, if it takes no more than `limit` moves.
    fn distance(&mut self, position: &Chess, limit: u32) -> Option<u32> {
        (1..=limit).find(|&moves| self.mates(position, moves))
    }

    /// Whether the side to move can force mate in at most so many moves.
    fn mates(&mut self, position: &Chess, moves: u32) -> bool {
        if moves <= 1 {
            return moves == 1 && mates_at_once(position);
        }
        let key = position.zobrist_hash(EnPassantMode::Legal);
        let known = self.known.get(&key).copied().unwrap_or(Known { proven: u32::MAX, refuted: 0 });
        if known.proven <= moves || known.refuted >= moves {
            return known.proven <= moves;
        }
        let after = position.legal_moves().into_iter().map(|mv| play(position, mv));
        let mut attacks: Vec<_> = after.map(|after| (after.legal_moves(), after)).collect();
        // Checks that leave the least choice come first.
        attacks.sort_by_key(|(replies, after)| (!after.is_check(), replies.len()));
        let mates = attacks.into_iter().any(|(replies, after)| self.is_lost(&after, replies, moves - 1));
        let known = if mates { Known { proven: moves, ..known } } else { Known { refuted: moves, ..known } };
        self.known.insert(key, known);
        mates
    }

    /// Whether the defender, to move, is mated, or will be in at most so many moves whatever the reply.
    fn is_lost(&mut self, position: &Chess, mut replies: MoveList, moves: u32) -> bool {
        if replies.is_empty() {
            return position.is_check();
        }
        let defence = self.defences.get(&moves).copied();
        replies.sort_by_key(|&mv| (Some(mv) != defence, !mv.is_capture()));
        let refutation = replies.into_iter().find(|&mv| !self.mates(&play(position, mv), moves));
        if let Some(mv) = refutation {
            self.defences.insert(moves, mv);
        }
        refutation.is_none()
    }
}

fn play(position: &Chess, mv: shakmaty::Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

fn mates_at_once(position: &Chess) -> bool {
    let moves = position.legal_moves();
    moves.into_iter().any(|mv| may_check(position, mv) && play(position, mv).is_checkmate())
}

/// False only if the move cannot give check: the piece does not attack the king from where it goes, nor stands in a
/// line with him where it leaves. This spares most moves of the last ply.
fn may_check(position: &Chess, mv: shakmaty::Move) -> bool {
    let (Some(from), Some(king)) = (mv.from(), position.board().king_of(!position.turn())) else { return true };
    if mv.is_castle() || mv.is_en_passant() || mv.is_promotion() {
        return true;
    }
    let piece = mv.role().of(position.turn());
    attacks::attacks(mv.to(), piece, position.board().occupied()).contains(king)
        || attacks::queen_attacks(king, Bitboard::EMPTY).contains(from)
}

/// King and one piece against a king: the moves to mate for every position, from the mates backwards.
struct LoneKing {
    role: Role,
    /// By index, with the attacker to move.
    won: Vec<Option<u32>>,
}

impl LoneKing {
    const SIZE: usize = 64 * 64 * 64;

    /// The attacker's king, the piece and the lone king.
    fn index(squares: [Square; 3]) -> usize {
        squares.into_iter().fold(0, |index, square| index * 64 + square.to_usize())
    }

    /// White attacks; none if the position is illegal.
    fn position(role: Role, index: usize, turn: Color) -> Option<Chess> {
        let squares = [index / 4096, index / 64 % 64, index % 64].map(|square| Square::new(square as u32));
        let mut setup = Setup { turn, ..Setup::empty() };
        setup.board.set_piece_at(squares[0], Role::King.of(Color::White));
        setup.board.set_piece_at(squares[1], role.of(Color::White));
        setup.board.set_piece_at(squares[2], Role::King.of(Color::Black));
        (setup.board.occupied().count() == 3).then(|| setup.position(CastlingMode::Standard).ok()).flatten()
    }

    /// Where a position stands in the tables; none if it is of another ending. Without pawns and castling the
    /// board looks the same from both sides, so it matters only who attacks.
    fn find(role: Role, position: &Chess, attacker: Color) -> Option<usize> {
        let board = position.board();
        let piece = board.by_piece(role.of(attacker)).single_square()?;
        let index = Self::index([board.king_of(attacker)?, piece, board.king_of(!attacker)?]);
        (board.occupied().count() == 3).then_some(index)
    }

    fn new(role: Role) -> LoneKing {
        let successors = |turn: Color| -> Vec<Option<Vec<Option<usize>>>> {
            let after = |position: &Chess, mv| Self::find(role, &play(position, mv), Color::White);
            let all = |position: Chess| position.legal_moves().into_iter().map(|mv| after(&position, mv)).collect();
            (0..Self::SIZE).map(|index| Self::position(role, index, turn).map(all)).collect()
        };
        let (attacks, defences) = (successors(Color::White), successors(Color::Black));
        let is_mate = |index| Self::position(role, index, Color::Black).is_some_and(|p| p.is_checkmate());
        let mut lost: Vec<bool> = (0..Self::SIZE).map(is_mate).collect();
        let mut won = vec![None; Self::SIZE];
        for moves in 1.. {
            let before = lost.clone();
            for (index, attacks) in attacks.iter().enumerate() {
                let mut replies = attacks.iter().flatten().flatten();
                if won[index].is_none() && replies.any(|&after| before[after]) {
                    won[index] = Some(moves);
                }
            }
            for (index, defences) in defences.iter().enumerate() {
                // A capture leads out of the table, to a draw.
                let loses = |after: &Option<usize>| after.is_some_and(|after| won[after].is_some());
                lost[index] |= defences.as_ref().is_some_and(|all| !all.is_empty() && all.iter().all(loses));
            }
            if lost == before {
                break;
            }
        }
        LoneKing { role, won }
    }

    /// The moves to mate if the position is of this ending.
    fn distance(&self, position: &Chess) -> Option<u32> {
        self.won[Self::find(self.role, position, position.turn())?]
    }
}
