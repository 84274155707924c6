//! Openings that are made while they are played: what comes when a book ends, and random ones. Each has a position that
//! none before it had, so they are made in order; which they are depends on the seed and the book only.

use std::collections::{HashMap, HashSet};

use chess::Game;
use engine::openings::sound_moves;

use super::{Opening, Scorer, Source, random_opening};
use crate::rng::Rng;

/// A line of a book is continued by so many random plies, …
const PLIES: u64 = 4;
/// … by one more after so many attempts …
const ATTEMPTS: u64 = 50;
/// … and after so many rounds of them by whatever is there.
const ROUNDS: u64 = 6;
/// A continuation is at most so far from the score of its line, and no further from equal than this or its line is,
/// in centipawns.
const NEAR: i32 = 60;
/// How many nodes tell its score.
const NODES: u64 = 5000;
/// Draws of their own: what else is drawn with the seed of a match must not be related.
const SALT: u64 = 0x0B00_C1AB_0B00_C1AB;

/// The openings that were made so far.
#[derive(Default)]
pub struct Later {
    openings: Vec<Opening>,
    seen: HashSet<u64>,
    /// The pairs whose opening was played before, because there is no other.
    repeats: Vec<usize>,
    /// The scores of the lines that were continued.
    scores: HashMap<usize, i32>,
    scorer: Option<Scorer>,
    /// Whether all continuations are taken.
    pub unscored: bool,
    told: bool,
}

impl Later {
    /// The opening of a pair that a list does not have.
    pub fn opening(&mut self, source: &Source, seed: u64, pair: usize) -> Game {
        let first = match source {
            Source::List(list) => list.len(),
            Source::Random { .. } => 0,
        };
        while first + self.openings.len() <= pair {
            let next = first + self.openings.len();
            let game = match source {
                Source::List(list) => self.continued(list, seed, next),
                &Source::Random { plies, chess960 } => self.drawn(seed, next, plies, chess960),
            };
            if !self.seen.insert(game.board().key()) {
                self.repeats.push(next);
            }
            self.openings.push(Opening::of(&game));
        }
        self.openings[pair - first].game()
    }

    /// How many of the first so many pairs have an opening that an earlier one has.
    pub fn repeats(&mut self, source: &Source, seed: u64, pairs: u64) -> u64 {
        let Some(last) = usize::try_from(pairs).ok().and_then(|pairs| pairs.checked_sub(1)) else { return 0 };
        if !matches!(source, Source::List(list) if last < list.len()) {
            self.opening(source, seed, last);
        }
        self.repeats.iter().filter(|&&pair| pair <= last).count() as u64
    }

    /// Random plies from a start position, more of them where there are not enough different ones.
    fn drawn(&mut self, seed: u64, pair: usize, plies: u32, chess960: bool) -> Game {
        let mut game = random_opening(&mut Rng::new(seed, pair as u64), plies, chess960);
        let (mut rng, mut attempt) = (Rng::new(seed ^ SALT, pair as u64), 0);
        while self.seen.contains(&game.board().key()) && attempt < ATTEMPTS * ROUNDS {
            let more = (attempt / ATTEMPTS) as u32;
            if more > 0 {
                self.tell(|| {
                    format!("there are not so many openings of {plies} random plies; some get more from here on")
                });
            }
            game = random_opening(&mut rng, plies + more, chess960);
            attempt += 1;
        }
        game
    }

    /// Random plies behind a line of the book, so that the game is about as even as that line.
    fn continued(&mut self, list: &[Opening], seed: u64, pair: usize) -> Game {
        if self.seen.is_empty() {
            self.seen = list.iter().map(|opening| opening.game().board().key()).collect();
        }
        let lines = list.len();
        self.tell(|| {
            format!("all {lines} openings of the book are played; from here on random plies behind its lines, scored by search")
        });
        let line = list[pair % lines].game();
        let near = if self.unscored { None } else { self.score(pair % lines, &line) };
        let (mut rng, mut spare) = (Rng::new(seed ^ SALT, pair as u64), None);
        for attempt in 0..ATTEMPTS * ROUNDS {
            let Some(game) = extended(&line, PLIES + attempt / ATTEMPTS, &mut rng) else { continue };
            if self.seen.contains(&game.board().key()) {
                continue;
            }
            match (near, &mut self.scorer) {
                (Some(near), Some(scorer)) => {
                    let score = scorer.score_near(&game, NODES, near, NEAR);
                    if score.is_some_and(|score| score.abs() <= near.abs().max(NEAR)) {
                        return game;
                    }
                    spare.get_or_insert(game);
                }
                // Nobody can say what is even here.
                _ => return game,
            }
        }
        spare.unwrap_or(line)
    }

    /// White's score of a line of the book.
    fn score(&mut self, index: usize, line: &Game) -> Option<i32> {
        if let Some(&score) = self.scores.get(&index) {
            return Some(score);
        }
        if self.scorer.is_none() {
            self.scorer = Scorer::new().ok();
        }
        let score = self.scorer.as_mut()?.score(line, NODES)?;
        self.scores.insert(index, score);
        Some(score)
    }

    /// Says something, once.
    fn tell(&mut self, text: impl Fn() -> String) {
        if !std::mem::replace(&mut self.told, true) {
            eprintln!("gannet-lab: {}", text());
        }
    }
}

/// The game after so many more plies, none of which gives away more than a pawn on its square; none if it has ended.
fn extended(line: &Game, plies: u64, rng: &mut Rng) -> Option<Game> {
    let mut game = line.clone();
    for _ in 0..plies {
        let moves = sound_moves(game.board());
        if moves.is_empty() {
            return None;
        }
        game.play(moves[rng.below(moves.len())]);
    }
    game.outcome().is_none().then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;

    const LINES: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
        r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -\n\
        rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq -\n";

    #[test]
    fn no_opening_comes_twice() {
        let book = Book::unscored(LINES, 1);
        let keys: HashSet<u64> = (0..5000).map(|pair| book.opening(pair).board().key()).collect();
        assert_eq!((keys.len(), book.openings(5000)), (5000, 5000));
        // There are 20 positions after the first ply, and more plies then.
        let random = Book::random(1, 1, false);
        let keys: HashSet<u64> = (0..300).map(|pair| random.opening(pair).board().key()).collect();
        assert_eq!(keys.len(), 300);
    }

    #[test]
    fn they_depend_on_seed_and_pair_only() {
        let moves = |seed, pairs: &[u64]| {
            let book = Book::unscored(LINES, seed);
            pairs.iter().map(|&pair| book.opening(pair).moves().to_vec()).collect::<Vec<_>>()
        };
        let straight = moves(1, &[3, 4, 5, 40]);
        let mut back = moves(1, &[40, 5, 4, 3]);
        back.reverse();
        assert_eq!(straight, back);
        assert_ne!(straight, moves(2, &[3, 4, 5, 40]));
    }

    #[test]
    fn they_are_about_as_even_as_their_lines() {
        let check = || {
            let book = Book::parse(LINES, "a book", 1).expect("good lines");
            let mut scorer = Scorer::new().expect("an engine");
            let mut score = |pair| scorer.score(&book.opening(pair), NODES).expect("a score");
            for pair in 3..18 {
                let (line, now) = (score(pair % 3), score(pair));
                assert!((line - now).abs() <= NEAR && now.abs() <= line.abs().max(NEAR), "{pair}: {line}, then {now}");
            }
        };
        let thread = std::thread::Builder::new().stack_size(engine::STACK_SIZE).spawn(check).expect("a thread");
        thread.join().expect("all are near");
    }

    #[test]
    fn where_there_is_no_other_one_comes_again() {
        // Black has one move, and White then only has to take: the game is over after that.
        let book = Book::unscored("7k/8/8/8/8/8/1q6/K7 w - -\n", 1);
        assert_eq!((book.openings(1), book.openings(4)), (1, 1));
    }
}
