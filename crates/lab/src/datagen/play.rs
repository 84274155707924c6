//! One game of the engine against itself.

use chess::{Color, Game, Move, Score};
use engine::openings::{MAX_SCORE, random_opening};
use engine::{Control, Engine, Limits, NoClock, Silent, Source};

use super::Settings;
use crate::data::{Filter, Keeper};
use crate::failure::{Failure, Result};
use crate::records::{
    End, FLAG_CHESS960, FLAG_SIDE_LINES, GameInfo, GameRecord, GameResult, Ply, SideLine, by_rule, game_ply,
};
use crate::rng::Rng;

/// A score that wins has to last so many plies.
const WIN_PLIES: u32 = 4;
/// A score this near to zero draws …
const DRAW_SCORE: i32 = 10;
/// … when it has lasted so many plies …
const DRAW_PLIES: u32 = 12;
/// … and the game has come so far, random plies included.
const DRAW_FROM: u32 = 80;
/// So many positions of a side line are searched, with this share of the nodes: the table knows much of them already.
const SIDE_PLIES: usize = 2;
const SIDE_SHARE: f64 = 0.5;
/// A game of so many plies, random ones not included, is a draw.
const MAX_PLIES: usize = 400;

/// An engine that plays itself. One for each thread.
pub struct SelfPlayer {
    engine: Engine,
    limits: Limits,
    spare: Limits,
    forced: Limits,
    beside: Limits,
    filter: Filter,
}

impl SelfPlayer {
    /// An engine as the settings want it: the one place where its evaluation is chosen.
    pub fn new(settings: &Settings, source: &Source) -> Result<SelfPlayer> {
        let mut engine = Engine::new(settings.hash).map_err(|error| {
            Failure::new(format!("cannot make an engine with a table of {} MiB: {error}", settings.hash))
        })?;
        engine.set_evaluation(source.clone());
        let nodes = |share: f64| Limits {
            soft_nodes: Some(((settings.nodes as f64 * share) as u64).max(1)),
            nodes: Some(settings.hard),
            ..Limits::default()
        };
        let (limits, spare, beside) = (nodes(1.0), nodes(settings.spare), nodes(SIDE_SHARE));
        let forced = Limits { depth: Some(1), ..limits.clone() };
        Ok(SelfPlayer { engine, limits, spare, forced, beside, filter: Filter::default() })
    }

    /// Plays the game of this number, and counts the positions that the usual filter keeps. Nothing depends on the
    /// games before it. None when it was told to give up.
    pub fn play(&mut self, settings: &Settings, number: u64, give_up: impl Fn() -> bool) -> Option<(GameRecord, u64)> {
        let mut rng = Rng::new(settings.seed, number);
        self.engine.new_game();
        loop {
            let chess960 = rng.unit() < settings.dfrc_share;
            let random = settings.random_plies + rng.below(2) as u32;
            let start = random_opening(random, chess960, &mut |bound| rng.below(bound));
            let game = Game::new(start.clone());
            let play_on = rng.unit() < settings.play_on;
            let played = match self.moves(settings, game, play_on, &mut rng, &give_up)? {
                Course::Lopsided => continue,
                Course::Played(played) => played,
            };
            let Played { plies, sides, kept, verdict } = played;
            let chess960 = if chess960 { FLAG_CHESS960 } else { 0 };
            let beside = if settings.side_lines > 0.0 { FLAG_SIDE_LINES } else { 0 };
            let info = GameInfo {
                start,
                result: verdict.0,
                end: verdict.1,
                flags: chess960 | beside,
                net: settings.net,
                nodes: u32::try_from(settings.nodes).unwrap_or(u32::MAX),
            };
            return Some((GameRecord { info, plies, sides }, kept));
        }
    }

    /// Plays from a position to the end.
    fn moves(
        &mut self,
        settings: &Settings,
        mut game: Game,
        play_on: bool,
        rng: &mut Rng,
        give_up: &impl Fn() -> bool,
    ) -> Option<Course> {
        let mut plies: Vec<Ply> = Vec::with_capacity(MAX_PLIES);
        let mut judge = Judge::new(settings, play_on);
        let filter = self.filter.clone();
        let mut keeper = Keeper::new(&filter);
        let (mut kept, mut sides) = (0, Vec::new());
        let verdict = loop {
            let board = game.board();
            let replies = board.count_legal_moves();
            if let Some(verdict) = by_rule(&game).or_else(|| judge.verdict(&game, plies.len())) {
                break verdict;
            }
            if give_up() {
                return None;
            }
            // The only way out of a check needs no thought, and positions in check are not learned from.
            let limits = if replies == 1 && board.in_check() {
                &self.forced
            } else if self.filter.allows_position(board) {
                &self.limits
            } else {
                &self.spare
            };
            let found = self.engine.search_here(&game, limits, &Control::default(), &NoClock, &mut Silent);
            let mv = found.best?;
            let Score(score) = if board.side_to_move() == Color::White { found.score } else { -found.score };
            // The first search is also the test of the opening.
            if plies.is_empty() && score.abs() > MAX_SCORE {
                return Some(Course::Lopsided);
            }
            let ply = Ply { mv, score: score as i16 };
            kept += u64::from(keeper.keeps(board, ply));
            if settings.side_lines > 0.0
                && rng.unit() < settings.side_lines
                && self.filter.allows_position(board)
                && let Some(side) = self.side_line(&game, plies.len() as u32, mv, rng)
            {
                kept += filter.kept_beside(game.board(), &side);
                sides.push(side);
            }
            plies.push(ply);
            judge.hear(score);
            game.play(mv);
        };
        Some(Course::Played(Played { plies, sides, kept, verdict }))
    }

    /// Leaves the game by a random move that is not the best one, loses nothing in the exchange and gives no check, and
    /// searches a few positions after it.
    fn side_line(&mut self, game: &Game, ply: u32, best: Move, rng: &mut Rng) -> Option<SideLine> {
        let board = game.board();
        let sound = |mv: &Move| *mv != best && board.see_at_least(*mv, 0) && !board.gives_check(*mv);
        let moves: Vec<Move> = board.legal_moves().iter().copied().filter(sound).collect();
        let mv = *moves.get(rng.below(moves.len().max(1)))?;
        let mut game = game.clone();
        game.play(mv);
        let mut plies = Vec::with_capacity(SIDE_PLIES);
        while plies.len() < SIDE_PLIES && by_rule(&game).is_none() {
            let found = self.engine.search_here(&game, &self.beside, &Control::default(), &NoClock, &mut Silent);
            let mv = found.best?;
            let Score(score) = if game.board().side_to_move() == Color::White { found.score } else { -found.score };
            plies.push(Ply { mv, score: score as i16 });
            game.play(mv);
        }
        (!plies.is_empty()).then_some(SideLine { ply, mv, plies })
    }
}

/// What became of an opening.
enum Course {
    /// One side is so far ahead that the game is not worth playing.
    Lopsided,
    /// A game.
    Played(Played),
}

/// What a game came to.
struct Played {
    plies: Vec<Ply>,
    sides: Vec<SideLine>,
    kept: u64,
    verdict: Verdict,
}

type Verdict = (GameResult, End);

/// Ends games whose result is clear. One engine plays both sides, so its scores are what both agree on.
struct Judge {
    /// The score that wins; None where the game is played on.
    win_score: Option<i32>,
    draws: bool,
    white: u32,
    black: u32,
    level: u32,
}

impl Judge {
    fn new(settings: &Settings, play_on: bool) -> Judge {
        Judge {
            win_score: (!play_on).then_some(settings.win_score),
            draws: settings.adjudicate_draws && !play_on,
            white: 0,
            black: 0,
            level: 0,
        }
    }

    /// Takes in the score of a ply, for White.
    fn hear(&mut self, score: i32) {
        let count = |streak: &mut u32, on: bool| *streak = if on { *streak + 1 } else { 0 };
        count(&mut self.white, self.win_score.is_some_and(|win| score >= win));
        count(&mut self.black, self.win_score.is_some_and(|win| score <= -win));
        count(&mut self.level, score.abs() <= DRAW_SCORE);
    }

    fn verdict(&self, game: &Game, plies: usize) -> Option<Verdict> {
        if self.white >= WIN_PLIES {
            Some((GameResult::WhiteWin, End::AdjudicatedWin))
        } else if self.black >= WIN_PLIES {
            Some((GameResult::BlackWin, End::AdjudicatedWin))
        } else if self.draws && self.level >= DRAW_PLIES && game_ply(game.board()) >= DRAW_FROM {
            Some((GameResult::Draw, End::AdjudicatedDraw))
        } else {
            (plies >= MAX_PLIES).then_some((GameResult::Draw, End::TooLong))
        }
    }
}
