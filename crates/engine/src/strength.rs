//! Playing weaker on request, as people are weak: by seeing less, not by throwing dice.
//!
//! A weaker player looks less deep, overlooks now and then what the opponent can answer to a move, and does not tell
//! moves apart that are worth about the same. So a shallow search gives every plausible move a score; some moves are
//! judged by how they look at first sight instead; each judgement is a little off; and the best of them is played.
//! What nobody overlooks is kept: a mate in one, taking back, taking a piece that is left to be taken, and mating a bare
//! king, which is done with all that the engine knows.

use std::time::Duration;

use chess::{Board, Game, Move, PieceKind, Score, Value};

use crate::base::SplitMix64;
use crate::time::Budget;
use crate::{Bound, Clock, Control, Engine, Limits, Line, Outcome, Reporter, TimeLimit};

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    elo: i32,
}

/// The settings that make a player of this strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    /// What it is meant to be worth; docs/strength.md has what was measured.
    elo: i32,
    /// Depth of the search in hundredths of a ply: 150 is one ply as often as two.
    depth: i32,
    /// How many moves are told apart.
    lines: i32,
    /// How far judgements are off, as a standard deviation in centipawns.
    noise: i32,
    /// How many of a thousand moves are judged at first sight.
    blindness: i32,
}

/// Between these, everything is interpolated.
const LEVELS: [Level; 14] = [
    Level { elo: 800, depth: 110, lines: 255, noise: 104, blindness: 228 },
    Level { elo: 820, depth: 117, lines: 255, noise: 102, blindness: 220 },
    Level { elo: 930, depth: 155, lines: 248, noise: 89, blindness: 175 },
    Level { elo: 1060, depth: 200, lines: 178, noise: 76, blindness: 130 },
    Level { elo: 1205, depth: 245, lines: 108, noise: 62, blindness: 85 },
    Level { elo: 1325, depth: 302, lines: 79, noise: 54, blindness: 65 },
    Level { elo: 1430, depth: 360, lines: 49, noise: 46, blindness: 44 },
    Level { elo: 1570, depth: 428, lines: 35, noise: 40, blindness: 32 },
    Level { elo: 1800, depth: 500, lines: 20, noise: 33, blindness: 19 },
    Level { elo: 1985, depth: 550, lines: 15, noise: 29, blindness: 14 },
    Level { elo: 2200, depth: 600, lines: 10, noise: 25, blindness: 8 },
    Level { elo: 2350, depth: 665, lines: 9, noise: 21, blindness: 6 },
    Level { elo: 2525, depth: 730, lines: 7, noise: 17, blindness: 3 },
    Level { elo: 2550, depth: 739, lines: 7, noise: 16, blindness: 3 },
];

/// No search of a weaker player takes more nodes.
const MAX_NODES: u64 = 200_000;
/// What mating a bare king may take: enough for the two bishops.
const MATING_NODES: u64 = 30_000;
/// Taking something that wins at least this much is seen by everybody.
const GIFT: Value = 250;

impl Strength {
    /// The weakest player there is.
    pub const MIN: i32 = LEVELS[0].elo;
    /// The strongest one who is not the engine itself.
    pub const MAX: i32 = LEVELS[LEVELS.len() - 1].elo;

    /// A player of this strength, or as near as there is one.
    pub fn new(elo: i32) -> Strength {
        Strength { elo: elo.clamp(Strength::MIN, Strength::MAX) }
    }

    fn level(self) -> Level {
        let above = LEVELS.iter().position(|level| level.elo >= self.elo).unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (LEVELS[above - 1], LEVELS[above]);
        let between = |a: i32, b: i32| a + (b - a) * (self.elo - low.elo) / (high.elo - low.elo);
        Level {
            elo: self.elo,
            depth: between(low.depth, high.depth),
            lines: between(low.lines, high.lines),
            noise: between(low.noise, high.noise),
            blindness: between(low.blindness, high.blindness),
        }
    }
}

/// Where the choice comes from: the same seed and the same searches, the same game.
#[derive(Clone, Debug)]
pub struct Chance(SplitMix64);

impl Chance {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Chance {
        Chance(SplitMix64::new(seed))
    }

    /// A number from 0 to `bound` − 1.
    fn below(&mut self, bound: i32) -> i32 {
        self.0.below(bound.max(1) as usize) as i32
    }

    /// A number around zero with this standard deviation. Twelve even draws add up to a bell curve well enough, and
    /// to the same one on every machine.
    fn around_zero(&mut self, deviation: i32) -> i32 {
        let sum: i32 = (0..12).map(|_| self.below(2001) - 1000).sum();
        // A draw has variance 1000² / 3; twelve of them make a deviation of 2000.
        sum * deviation / 2000
    }
}

/// Somebody who plays weaker.
#[derive(Clone, Debug)]
pub struct Player {
    /// How strong.
    pub strength: Strength,
    /// What decides between moves that look alike.
    pub chance: Chance,
}

/// A move that might be played.
struct Choice {
    mv: Move,
    score: Score,
    seldepth: usize,
    pv: Vec<Move>,
}

/// Keeps the lines of the last depth.
#[derive(Default)]
struct Collector {
    depth: i32,
    hashfull: usize,
    tbhits: u64,
    known: bool,
    candidates: Vec<Choice>,
}

impl Reporter for Collector {
    fn line(&mut self, line: &Line<'_>) {
        if line.bound != Bound::Exact {
            return;
        }
        if line.multipv == 1 {
            self.candidates.clear();
        }
        (self.depth, self.hashfull, self.tbhits, self.known) = (line.depth, line.hashfull, line.tbhits, line.known);
        if let Some(&mv) = line.pv.first() {
            let (score, seldepth) = (line.score, line.seldepth);
            self.candidates.push(Choice { mv, score, seldepth, pv: line.pv.to_vec() });
        }
    }
}

impl Collector {
    /// Tells of so many lines: the chosen one, then the others, best first.
    fn tell(&self, chosen: &Choice, lines: usize, nodes: u64, time: Duration, reporter: &mut dyn Reporter) {
        let others = self.candidates.iter().filter(|candidate| candidate.mv != chosen.mv);
        for (index, candidate) in std::iter::once(chosen).chain(others).take(lines.max(1)).enumerate() {
            reporter.line(&Line {
                depth: self.depth,
                seldepth: candidate.seldepth,
                multipv: index + 1,
                score: candidate.score,
                known: self.known,
                bound: Bound::Exact,
                nodes,
                time,
                hashfull: self.hashfull,
                tbhits: self.tbhits,
                pv: &candidate.pv,
            });
        }
    }
}

impl Engine {
    /// Searches as [`Engine::search`] does, but as a weaker player would, and within the limits of both. The first line
    /// that is reported is that of the move played; the others, where more are asked for, are the best of the rest. A bare
    /// king is mated in the open, every depth with its lines, and whatever depth or nodes are asked for; only time counts.
    pub fn search_as(
        &mut self,
        player: &mut Player,
        game: &Game,
        limits: &Limits,
        control: &Control,
        clock: &dyn Clock,
        reporter: &mut (dyn Reporter + Send),
    ) -> Outcome {
        let Player { strength, chance } = player;
        let level = strength.level();
        let lines = level.lines as usize;
        let mating = is_bare(game.board());
        // Lines that are only to be shown are not to cost what is seen.
        let more = limits.multi_pv.div_ceil(if mating { 1 } else { lines }).max(1) as u64;
        let depth = (level.depth + chance.below(100)) / 100;
        // Whoever asks for one ply, or for ten nodes, still wants to see the king mated.
        let (depth, nodes) = if mating {
            (None, MATING_NODES * more)
        } else {
            let most = MAX_NODES * more;
            (Some(limits.depth.unwrap_or(depth).min(depth)), limits.nodes.unwrap_or(most).min(most))
        };
        // Nor is he to save time for later: the nodes are few, and the next moves need as many.
        let budget = Budget::new(&self.params().time.time_management, limits, game.board());
        let time = match budget.hard {
            Some(hard) if mating => TimeLimit::MoveTime(hard + limits.overhead),
            _ => limits.time,
        };
        let weaker = Limits {
            depth,
            nodes: Some(nodes),
            time,
            multi_pv: if mating { limits.multi_pv } else { limits.multi_pv.max(lines) },
            alone: true,
            ..limits.clone()
        };
        if mating {
            return self.search(game, &weaker, control, clock, reporter);
        }
        let mut found = Collector::default();
        let outcome = self.search(game, &weaker, control, clock, &mut found);
        let plausible = &found.candidates[..lines.min(found.candidates.len())];
        let Some(chosen) = self.choose(&level, chance, game, plausible) else { return outcome };
        found.tell(chosen, limits.multi_pv, outcome.nodes, clock.elapsed(), reporter);
        let after = game.board().after(chosen.mv);
        let ponder = chosen.pv.get(1).copied().filter(|&reply| after.is_legal(reply));
        Outcome {
            best: Some(chosen.mv),
            ponder,
            score: chosen.score,
            depth: found.depth,
            nodes: outcome.nodes,
            pv: chosen.pv.clone(),
        }
    }

    /// The candidate that looks best to a player of this level.
    fn choose<'a>(
        &self,
        level: &Level,
        chance: &mut Chance,
        game: &Game,
        candidates: &'a [Choice],
    ) -> Option<&'a Choice> {
        let best = candidates.first()?;
        if best.score == Score::mate_in(1) || is_plain(game, best.mv) {
            return Some(best);
        }
        candidates.iter().max_by_key(|candidate| {
            let overlooked = chance.below(1000) < level.blindness;
            let noise = chance.around_zero(level.noise);
            let score = if overlooked { self.first_sight(game.board(), candidate) } else { candidate.score };
            score.0 + noise
        })
    }

    /// What a move looks like to somebody who does not ask what the opponent will do, but sees who takes back.
    fn first_sight(&self, board: &Board, candidate: &Choice) -> Score {
        let after = board.after(candidate.mv);
        if !board.see_at_least(candidate.mv, 0) || !after.has_legal_moves() {
            return candidate.score;
        }
        -self.evaluate(&Game::new(after))
    }
}

/// Whether a move is one that everybody sees: taking back without loss, or taking what is left to be taken.
fn is_plain(game: &Game, mv: Move) -> bool {
    let board = game.board();
    if board.captured(mv).is_none() {
        return false;
    }
    let taken_back = game.moves().last().is_some_and(|last| last.is_capture() && last.to() == mv.to());
    board.see_at_least(mv, if taken_back { 0 } else { GIFT })
}

/// Whether the opponent has nothing but a king, and the side to move enough to mate it.
fn is_bare(board: &Board) -> bool {
    let us = board.side_to_move();
    let heavy =
        board.pieces(us, PieceKind::Queen) | board.pieces(us, PieceKind::Rook) | board.pieces(us, PieceKind::Pawn);
    let light = board.pieces(us, PieceKind::Bishop) | board.pieces(us, PieceKind::Knight);
    board.color(!us).len() == 1 && (!heavy.is_empty() || light.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoClock, Silent};
    use chess::{Color, uci};

    fn player(elo: i32, seed: u64) -> Player {
        Player { strength: Strength::new(elo), chance: Chance::new(seed) }
    }

    /// The move that a player chooses.
    fn played(engine: &mut Engine, elo: i32, seed: u64, game: &Game) -> Move {
        let (limits, control) = (Limits::default(), Control::default());
        let mut player = player(elo, seed);
        let outcome = engine.search_as(&mut player, game, &limits, &control, &NoClock, &mut Silent);
        outcome.best.expect("there are moves")
    }

    fn game(fen: &str) -> Game {
        Game::new(Board::from_fen(fen).expect(fen))
    }

    #[test]
    fn levels_grow() {
        for pair in LEVELS.windows(2) {
            assert!(pair[0].elo < pair[1].elo && pair[0].depth <= pair[1].depth);
            assert!(pair[0].noise >= pair[1].noise && pair[0].blindness >= pair[1].blindness);
        }
        for level in LEVELS {
            assert_eq!(Strength::new(level.elo).level(), level);
        }
        let middle = Strength::new((LEVELS[0].elo + LEVELS[1].elo) / 2).level();
        assert!((LEVELS[1].noise..LEVELS[0].noise).contains(&middle.noise));
        assert_eq!((Strength::new(0).elo, Strength::new(9999).elo), (Strength::MIN, Strength::MAX));
    }

    #[test]
    fn noise_is_as_wide_as_asked_for() {
        let mut chance = Chance::new(1);
        let draws: Vec<f64> = (0..20_000).map(|_| f64::from(chance.around_zero(100))).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 3.0 && (90.0..110.0).contains(&variance.sqrt()), "{mean} {variance}");
    }

    #[test]
    fn the_seed_decides_and_seeds_differ() {
        let mut choices = std::collections::HashSet::new();
        for seed in 0..20 {
            let mut engine = Engine::new(1).expect("memory");
            let mv = played(&mut engine, 1000, seed, &Game::default());
            engine.new_game();
            assert_eq!(mv, played(&mut engine, 1000, seed, &Game::default()));
            choices.insert(mv);
        }
        assert!(choices.len() > 3, "{choices:?}");
    }

    #[test]
    fn what_everybody_sees_is_played() {
        let mut engine = Engine::new(1).expect("memory");
        for (fen, moves) in [
            // A mate in one; a queen that was left behind.
            ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
            ("rnb1kbnr/pppp1ppp/8/4p1q1/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 3", "c1g5"),
        ] {
            for seed in 0..30 {
                assert_eq!(
                    uci(played(&mut engine, Strength::MIN, seed, &game(fen)), false).to_string(),
                    moves,
                    "{fen}"
                );
            }
        }
        // Taking back.
        let mut exchange = game("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4");
        let taken = chess::parse_uci(exchange.board(), "b5c6").expect("legal");
        assert!(exchange.play(taken));
        for seed in 0..30 {
            let mv = played(&mut engine, Strength::MIN, seed, &exchange);
            assert!(["d7c6", "b7c6"].contains(&uci(mv, false).to_string().as_str()), "{}", uci(mv, false));
        }
    }

    #[test]
    fn limits_of_the_search_hold_too() {
        let mut engine = Engine::new(1).expect("memory");
        let only: Vec<Move> =
            ["a2a3", "h2h3"].iter().map(|text| chess::parse_uci(&Board::start(), text).expect("legal")).collect();
        let limits = Limits { moves: only.clone(), nodes: Some(50), ..Limits::default() };
        for seed in 0..10 {
            let control = Control::default();
            let mut player = player(1500, seed);
            let outcome = engine.search_as(&mut player, &Game::default(), &limits, &control, &NoClock, &mut Silent);
            assert!(only.contains(&outcome.best.expect("a move")) && outcome.nodes <= 50);
            assert_eq!(outcome.pv.first(), outcome.best.as_ref());
        }
        let mated = game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        let (limits, control) = (Limits::default(), Control::default());
        let outcome = engine.search_as(&mut player(800, 1), &mated, &limits, &control, &NoClock, &mut Silent);
        assert_eq!(outcome.best, None);
    }

    #[test]
    fn a_bare_king_is_mated_whatever_the_depth_and_the_nodes() {
        let mut engine = Engine::new(1).expect("memory");
        let limits = [Limits { depth: Some(1), ..Limits::default() }, limits_of(1)];
        let control = Control::default();
        for (seed, limits) in limits.iter().enumerate() {
            let mut game = game("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
            let mut weak = player(Strength::MIN, seed as u64);
            while game.board().has_legal_moves() {
                assert!(game.moves().len() < 60, "{limits:?}");
                let outcome = match game.board().side_to_move() {
                    Color::White => engine.search_as(&mut weak, &game, limits, &control, &NoClock, &mut Silent),
                    Color::Black => engine.search(&game, &limits_of(500), &control, &NoClock, &mut Silent),
                };
                assert!(game.play(outcome.best.expect("a move")));
            }
            assert!(game.board().in_check(), "{limits:?}");
        }
    }

    fn limits_of(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    #[test]
    fn the_move_played_stands_first_among_the_lines() {
        let mut engine = Engine::new(1).expect("memory");
        let control = Control::default();
        for (seed, multi_pv) in (0..12).zip([0, 1, 4, 100].into_iter().cycle()) {
            let (limits, mut told) = (Limits { multi_pv, ..Limits::default() }, Collector::default());
            let mut player = player(1000, seed);
            let outcome = engine.search_as(&mut player, &Game::default(), &limits, &control, &NoClock, &mut told);
            let moves: Vec<_> = told.candidates.iter().map(|candidate| candidate.mv).collect();
            assert_eq!((moves.len(), moves.first()), (multi_pv.clamp(1, 20), outcome.best.as_ref()));
            let others = &told.candidates[1..];
            assert!(others.is_sorted_by(|a, b| a.score >= b.score && a.mv != moves[0] && b.mv != moves[0]));
        }
    }
}
