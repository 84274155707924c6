//! One game between two players, by the rules of `chess`, with clocks, faults and adjudication.

#[cfg(test)]
mod oracle;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Color, Game, Outcome, Score};

use crate::failure::{Failure, Result};
use crate::player::{Fault, Go, Limit, Player, SideClock, Thought, TimeControl};
use crate::pool::Stop;
use crate::records::GameResult;
use crate::syzygy::Tables;

/// When a game whose end is clear is ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjudication {
    /// A win when both players have agreed on a score at least this far from zero …
    pub win_score: i32,
    /// … for so many moves each.
    pub win_moves: usize,
    /// A draw when both players have agreed on a score at most this far from zero …
    pub draw_score: i32,
    /// … for so many moves each …
    pub draw_moves: usize,
    /// … and the game has come to this move.
    pub draw_from: u32,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication { win_score: 600, win_moves: 4, draw_score: 5, draw_moves: 4, draw_from: 40 }
    }
}

/// Numbers of nodes that differ from game to game and from side to side, so that equal engines do not play the same game
/// with both colours.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jitter {
    /// By at most so many percent up or down.
    pub percent: u32,
    /// The seed of the match.
    pub seed: u64,
}

/// What holds for every game of a match.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// How long players may think that have no limit of their own.
    pub limit: Limit,
    /// Whether numbers of nodes differ from game to game, and how much.
    pub jitter: Option<Jitter>,
    /// How far beyond its clock a player may go.
    pub margin: Duration,
    /// Whether and when clear games are ended.
    pub adjudication: Option<Adjudication>,
    /// A game of so many plies is a draw.
    pub max_plies: usize,
    /// Endgame tables that end games, if there are any.
    pub tables: Option<Arc<Tables>>,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The rules of chess: mate.
    Checkmate,
    /// The rules of chess: no move and no check.
    Stalemate,
    /// The rules of chess: the third time.
    Threefold,
    /// The rules of chess: fifty moves without capture or pawn move.
    FiftyMoves,
    /// The rules of chess: nobody can mate.
    InsufficientMaterial,
    /// The players agreed that it is won.
    AdjudicatedWin,
    /// The players agreed that it is drawn.
    AdjudicatedDraw,
    /// The endgame tables know the result.
    Tables,
    /// It was too long.
    TooLong,
    /// The loser ran out of time.
    TimeLoss,
    /// The loser did something wrong.
    Fault(Fault),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Checkmate => f.write_str("checkmate"),
            Reason::Stalemate => f.write_str("stalemate"),
            Reason::Threefold => f.write_str("threefold repetition"),
            Reason::FiftyMoves => f.write_str("fifty moves"),
            Reason::InsufficientMaterial => f.write_str("insufficient material"),
            Reason::AdjudicatedWin => f.write_str("adjudication: both sides agree on a win"),
            Reason::AdjudicatedDraw => f.write_str("adjudication: both sides agree on a draw"),
            Reason::Tables => f.write_str("adjudication: endgame tables"),
            Reason::TooLong => f.write_str("adjudication: game too long"),
            Reason::TimeLoss => f.write_str("time forfeit"),
            Reason::Fault(Fault::Disconnected) => f.write_str("engine disconnected"),
            Reason::Fault(Fault::Stalled) => f.write_str("engine stalled"),
            Reason::Fault(Fault::Illegal(text)) => write!(f, "illegal move {text}"),
            Reason::Fault(Fault::Gone(text)) => f.write_str(text),
            Reason::Fault(Fault::Interrupted) => f.write_str("interrupted"),
        }
    }
}

/// A finished game.
pub struct Record {
    /// The moves, and the position they began from.
    pub game: Game,
    /// How many of the moves are the opening's.
    pub opening_plies: usize,
    /// What the players thought, move by move after the opening.
    pub thoughts: Vec<Thought>,
    /// By how much moves came after the clock had run out, also those that the margin allowed.
    pub late: Vec<Duration>,
    /// Who won.
    pub winner: GameResult,
    /// Why.
    pub reason: Reason,
}

/// Plays a game from where it stands. The players are White's and Black's. None if it was stopped; a failure if there is
/// nobody to play it.
pub fn play(
    mut game: Game,
    players: [&mut dyn Player; 2],
    conditions: &Conditions,
    stop: &Stop,
) -> Result<Option<Record>> {
    let opening_plies = game.moves().len();
    let [white, black] = players;
    let limits = [&*white, &*black].map(|player| player.limit().unwrap_or(conditions.limit));
    check_limits([&*white, &*black], limits)?;
    let mut clocks = Clocks::new(limits, conditions.margin);
    let (mut thoughts, mut late): (Vec<Thought>, Vec<Duration>) = (Vec::new(), Vec::new());
    let mut end = None;
    for (side, player) in [(Color::White, &mut *white), (Color::Black, &mut *black)] {
        match player.new_game() {
            Err(Fault::Interrupted) => return Ok(None),
            Err(Fault::Gone(message)) => return Err(Failure::new(format!("{message}; no more games can be played"))),
            Err(fault) => _ = end.get_or_insert((GameResult::won_by(!side), Reason::Fault(fault))),
            Ok(()) => {}
        }
    }
    let (winner, reason) = loop {
        if let Some(end) = end.or_else(|| ended(&game, opening_plies, &thoughts, conditions)) {
            break end;
        }
        if stop.is_set() {
            return Ok(None);
        }
        let side = game.board().side_to_move();
        let player = if side == Color::White { &mut *white } else { &mut *black };
        let began = Instant::now();
        let result = player.think(&game, &clocks.go(side));
        let time = match (&result, limits[side as usize]) {
            (Ok(thought), Limit::Clock(TimeControl { rate: Some(_), .. })) => thought.time,
            _ => began.elapsed(),
        };
        late.extend(clocks.overdue(side, time));
        let in_time = clocks.spend(side, time);
        end = match result {
            Err(Fault::Interrupted) => return Ok(None),
            Err(fault) => Some((GameResult::won_by(!side), Reason::Fault(fault))),
            Ok(_) if !in_time => Some((GameResult::won_by(!side), Reason::TimeLoss)),
            Ok(mut thought) => {
                thought.clock = clocks.sides[side as usize].map(|clock| clock.remaining);
                if game.play(thought.mv) {
                    thoughts.push(thought);
                    None
                } else {
                    let text = chess::uci(thought.mv, true).to_string();
                    Some((GameResult::won_by(!side), Reason::Fault(Fault::Illegal(text))))
                }
            }
        };
    };
    Ok(Some(Record { game, opening_plies, thoughts, late, winner, reason }))
}

/// Time that is counted in nodes needs players that tell them.
fn check_limits(players: [&dyn Player; 2], limits: [Limit; 2]) -> Result<()> {
    for (player, limit) in players.into_iter().zip(limits) {
        if matches!(limit, Limit::Clock(TimeControl { rate: Some(_), .. })) && !player.counts_nodes() {
            return Err(Failure::new(format!(
                "{limit}: time can be counted in nodes only for engines in this process"
            )));
        }
    }
    Ok(())
}

/// Whether the rules or the adjudicator end the game here.
fn ended(game: &Game, opening: usize, thoughts: &[Thought], conditions: &Conditions) -> Option<(GameResult, Reason)> {
    if let Some(outcome) = game.outcome() {
        let reason = match outcome {
            Outcome::Checkmate(_) => Reason::Checkmate,
            Outcome::Stalemate => Reason::Stalemate,
            Outcome::InsufficientMaterial => Reason::InsufficientMaterial,
            Outcome::Threefold => Reason::Threefold,
            Outcome::FiftyMoves => Reason::FiftyMoves,
        };
        return Some((outcome.winner().map_or(GameResult::Draw, GameResult::won_by), reason));
    }
    if let Some(winner) = conditions.tables.as_ref().and_then(|tables| tables.winner(game.board())) {
        return Some((winner, Reason::Tables));
    }
    if let Some(winner) = conditions.adjudication.and_then(|rules| agreed(game, thoughts, &rules)) {
        let reason = if winner == GameResult::Draw { Reason::AdjudicatedDraw } else { Reason::AdjudicatedWin };
        return Some((winner, reason));
    }
    (game.moves().len() - opening >= conditions.max_plies).then_some((GameResult::Draw, Reason::TooLong))
}

/// Whether both players have agreed on the result long enough.
fn agreed(game: &Game, thoughts: &[Thought], rules: &Adjudication) -> Option<GameResult> {
    // The last thought is of the side that is not to move now.
    let mut side = !game.board().side_to_move();
    let latest = thoughts.iter().rev().map_while(|thought| {
        let score = thought.score?;
        let for_white = if side == Color::White { score } else { -score };
        side = !side;
        Some(for_white)
    });
    let (mut white, mut black, mut level) = (0, 0, 0);
    let longest = 2 * rules.win_moves.max(rules.draw_moves);
    for (plies, Score(score)) in latest.take(longest).enumerate() {
        white += usize::from(white == plies && score >= rules.win_score);
        black += usize::from(black == plies && score <= -rules.win_score);
        level += usize::from(level == plies && score.abs() <= rules.draw_score);
    }
    if rules.win_moves > 0 && white >= 2 * rules.win_moves {
        Some(GameResult::won_by(Color::White))
    } else if rules.win_moves > 0 && black >= 2 * rules.win_moves {
        Some(GameResult::won_by(Color::Black))
    } else {
        let late = game.board().fullmove_number() >= rules.draw_from;
        (rules.draw_moves > 0 && late && level >= 2 * rules.draw_moves).then_some(GameResult::Draw)
    }
}

/// The clocks of a game; they run only for a side whose limit is a clock.
struct Clocks {
    limits: [Limit; 2],
    margin: Duration,
    sides: [Option<SideClock>; 2],
}

impl Clocks {
    fn new(limits: [Limit; 2], margin: Duration) -> Clocks {
        let sides = limits.map(|limit| match limit {
            Limit::Clock(TimeControl { base, increment, moves, .. }) => {
                Some(SideClock { remaining: base, increment, moves_to_go: moves })
            }
            _ => None,
        });
        Clocks { limits, margin, sides }
    }

    /// What a side may use. Where the other side has no clock it is shown one like its own.
    fn go(&self, side: Color) -> Go {
        let own = self.sides[side as usize];
        Go { limit: self.limits[side as usize], clocks: own.map(|own| self.sides.map(|clock| clock.unwrap_or(own))) }
    }

    /// By how much a move is later than its clock, or than the time for each move, if it is.
    fn overdue(&self, side: Color, time: Duration) -> Option<Duration> {
        let allowed = match self.limits[side as usize] {
            Limit::MoveTime(time) => time,
            _ => self.sides[side as usize]?.remaining,
        };
        time.checked_sub(allowed).filter(|late| !late.is_zero())
    }

    /// Takes the time of a move off a clock; false if there was not so much.
    fn spend(&mut self, side: Color, time: Duration) -> bool {
        if self.overdue(side, time).is_some_and(|late| late > self.margin) {
            return false;
        }
        let index = side as usize;
        let (Limit::Clock(control), Some(clock)) = (self.limits[index], &mut self.sides[index]) else { return true };
        clock.remaining = clock.remaining.saturating_sub(time) + control.increment;
        if let Some(moves) = &mut clock.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                *moves = control.moves.unwrap_or(1);
                clock.remaining += control.base;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Heard, Inside};
    use chess::{Board, parse_uci};
    use std::collections::VecDeque;

    /// Plays what it is told to, with the scores it is told to.
    struct Puppet(VecDeque<(&'static str, i32)>);

    impl Player for Puppet {
        fn new_game(&mut self) -> std::result::Result<(), Fault> {
            Ok(())
        }

        fn search(&mut self, game: &Game, _: &Go, _: &mut dyn FnMut(Heard)) -> std::result::Result<Thought, Fault> {
            let (text, score) = self.0.pop_front().ok_or(Fault::Disconnected)?;
            let mv = parse_uci(game.board(), text).map_err(|_| Fault::Illegal(text.to_string()))?;
            Ok(Thought { mv, score: Some(Score(score)), depth: 1, nodes: 1, time: Duration::ZERO, clock: None })
        }
    }

    fn conditions() -> Conditions {
        let adjudication =
            Some(Adjudication { win_score: 1000, win_moves: 2, draw_score: 8, draw_moves: 2, draw_from: 40 });
        Conditions {
            limit: Limit::Nodes(1),
            jitter: None,
            margin: Duration::ZERO,
            adjudication,
            max_plies: 20,
            tables: None,
        }
    }

    #[test]
    fn a_clock_of_nodes_is_the_same_on_every_machine() {
        let limit = Limit::Clock("0.5+0.01@20".parse().expect("a clock"));
        let conditions = Conditions { limit, max_plies: 30, ..conditions() };
        let game = || {
            let fresh = || Inside::new(&engine::Params::default(), &engine::Source::default(), 1).expect("memory");
            let (mut first, mut second) = (fresh(), fresh());
            play(Game::default(), [&mut first, &mut second], &conditions, &Stop::new())
                .expect("a game")
                .expect("its end")
        };
        let (one, other) = (game(), game());
        assert_eq!(one.game.moves(), other.game.moves());
        assert_ne!(one.reason, Reason::TimeLoss);
        let left = |record: &Record| record.thoughts.iter().map(|thought| thought.clock).collect::<Vec<_>>();
        assert_eq!(left(&one), left(&other));
        let used = |thought: &Thought| thought.time == Duration::from_micros(thought.nodes * 50);
        assert!(one.thoughts.iter().all(used) && one.thoughts.len() > 10);

        let mut puppet = Puppet(VecDeque::new());
        let mut inside = Inside::new(&engine::Params::default(), &engine::Source::default(), 1).expect("memory");
        let refused = play(Game::default(), [&mut inside, &mut puppet], &conditions, &Stop::new());
        assert!(refused.is_err_and(|failure| failure.to_string().contains("counted in nodes")));
    }

    fn puppets(fen: &str, moves: &[(&'static str, i32)]) -> Record {
        let game = Game::new(Board::from_fen(fen).expect(fen));
        let half = |parity| Puppet(moves.iter().skip(parity).step_by(2).copied().collect());
        let (mut first, mut second) = (half(0), half(1));
        let players: [&mut dyn Player; 2] = if game.board().side_to_move() == Color::White {
            [&mut first, &mut second]
        } else {
            [&mut second, &mut first]
        };
        play(game, players, &conditions(), &Stop::new()).expect("it is played").expect("nobody stops it")
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn games_end_by_the_rules() {
        let (white, black, draw) =
            (GameResult::won_by(Color::White), GameResult::won_by(Color::Black), GameResult::Draw);
        let end = |fen, moves: &[_]| {
            let record = puppets(fen, moves);
            (record.winner, record.reason)
        };
        let fool = [("f2f3", 50), ("e7e5", 50), ("g2g4", 50), ("d8h4", 50)];
        assert_eq!(end(START, &fool), (black, Reason::Checkmate));
        let knights = [("g1f3", 50), ("g8f6", 50), ("f3g1", 50), ("f6g8", 50)].repeat(2);
        assert_eq!(end(START, &knights), (draw, Reason::Threefold));
        assert_eq!(end("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", &[("g5g6", 50)]), (draw, Reason::Stalemate));
        assert_eq!(end("7k/8/8/8/8/8/6p1/7K w - - 0 1", &[("h1g2", 0)]), (draw, Reason::InsufficientMaterial));
        assert_eq!(end("7k/8/8/8/8/8/6R1/7K w - - 99 80", &[("g2g3", 50)]), (draw, Reason::FiftyMoves));
        assert_eq!(end("7k/8/6K1/8/8/8/8/1R6 w - - 99 80", &[("b1b8", 50)]), (white, Reason::Checkmate));
    }

    #[test]
    fn faults_lose() {
        let record = puppets(START, &[("e2e4", 0), ("e7e4", 0)]);
        assert_eq!(record.winner, GameResult::won_by(Color::White));
        assert_eq!(record.reason, Reason::Fault(Fault::Illegal("e7e4".to_string())));
        let record = puppets(START, &[("e2e4", 0)]);
        assert_eq!(
            (record.winner, record.reason),
            (GameResult::won_by(Color::White), Reason::Fault(Fault::Disconnected))
        );
    }

    #[test]
    fn clear_games_are_adjudicated() {
        // White says he is losing, Black that he is winning, two moves each.
        let moves = [("e2e4", -1000), ("e7e5", 1200), ("d2d4", -1100), ("d7d5", 1000), ("e4d5", -1000)];
        let record = puppets(START, &moves);
        assert_eq!((record.winner, record.reason), (GameResult::won_by(Color::Black), Reason::AdjudicatedWin));
        // They do not agree.
        let moves = [("e2e4", 1000), ("e7e5", 1200), ("d2d4", 1100), ("d7d5", 1000)];
        assert_eq!(puppets(START, &moves).reason, Reason::Fault(Fault::Disconnected));
        // A draw, but only late in the game.
        let moves = [("e2e4", 1), ("e7e5", 8), ("d2d4", -8), ("d7d5", 0)];
        assert_eq!(puppets(START, &moves).reason, Reason::Fault(Fault::Disconnected));
        let late = START.replace("0 1", "0 50");
        assert_eq!(puppets(&late, &moves).reason, Reason::AdjudicatedDraw);
    }

    #[test]
    fn the_time_for_each_move_is_a_limit_too() {
        let ms = Duration::from_millis;
        let mut clocks = Clocks::new([Limit::MoveTime(ms(10)); 2], ms(5));
        let spent =
            [10, 15, 16].map(|time| (clocks.overdue(Color::White, ms(time)), clocks.spend(Color::White, ms(time))));
        assert_eq!(spent, [(None, true), (Some(ms(5)), true), (Some(ms(6)), false)]);
    }

    #[test]
    fn clocks_run_and_fall() {
        let control = "2/1+0.5".parse().expect("a time control");
        let mut clocks = Clocks::new([Limit::Clock(control); 2], Duration::ZERO);
        let millis = Duration::from_millis;
        let left = |clocks: &Clocks| clocks.sides[0].map(|clock| clock.remaining);
        assert_eq!(clocks.overdue(Color::White, millis(1000)), None);
        assert_eq!(clocks.overdue(Color::White, millis(1007)), Some(millis(7)));
        assert!(clocks.spend(Color::White, millis(1000)));
        assert_eq!(left(&clocks), Some(millis(500)));
        assert!(clocks.spend(Color::White, millis(400)));
        assert_eq!(left(&clocks), Some(millis(1600)));
        assert!(!clocks.spend(Color::White, millis(1601)));
        assert!(clocks.spend(Color::Black, millis(1000)));
    }

    #[test]
    fn each_side_has_a_limit_of_its_own() {
        let control: TimeControl = "2+0.5".parse().expect("a time control");
        let mut clocks = Clocks::new([Limit::Nodes(7), Limit::Clock(control)], Duration::ZERO);
        assert!(clocks.spend(Color::White, Duration::from_secs(9)) && clocks.spend(Color::Black, control.increment));
        let (white, black) = (clocks.go(Color::White), clocks.go(Color::Black));
        assert_eq!((white.limit, black.limit), (Limit::Nodes(7), Limit::Clock(control)));
        assert!(white.clocks.is_none());
        assert_eq!(black.clocks.map(|clocks| clocks.map(|clock| clock.remaining)), Some([control.base; 2]));
    }
}
