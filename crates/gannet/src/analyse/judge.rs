//! What a move cost, in expected points and not in centipawns: a pawn matters when the game is level, and hardly when a queen
//! is gone.
//!
//! Every position is looked at once. Then the game is judged from its end, so that what came of a move later counts for it,
//! and whatever a verdict would rest on is looked at again, harder and with an empty table: the position, the one after the
//! move, the one after the move that is recommended, and how that goes on. The worse of two opinions about what is
//! recommended counts. This is done until nothing is left to be asked.

use std::collections::HashMap;

use chess::{Game, Move};

use super::merit;
use super::panel::{Effort, Panel, Question};
use super::searcher::Finding;
use super::verdict::{INACCURACY_LOSS, Verdict};
use pgn::record::Record;

/// A move that seems to cost this much is looked at again.
const SUSPICIOUS_LOSS: f64 = 0.05;
/// Where only so many moves hold, and every other one costs at least so much, the position is on a knife's edge.
const HOLDING: usize = 5;
const KNIFE_EDGE: f64 = 0.20;
/// There, no difference below this is certain enough to speak of.
const CERTAIN_LOSS: f64 = 0.25;
/// Who expected no more than this had lost already.
const LOST: f64 = 0.15;
/// So often questions are asked; in practice they end by themselves.
const MAX_ROUNDS: usize = 16;

/// What is known of a move that was played.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The best there was, for the side that moves. The line begins with the best move.
    pub best: Finding,
    /// What was left after the move, for the other side. The line begins with the answer.
    pub left: Finding,
    /// What the move cost, in points from 0 to 1.
    pub loss: f64,
    /// What it is called.
    pub verdict: Verdict,
    /// Whether there was no choice.
    pub forced: bool,
    /// Whether endgame tables know the position, so that its result is certain.
    pub known: bool,
    /// The best of the other moves, where the move is praised.
    pub second: Option<Finding>,
}

/// Judges every move of a game. Nothing if the user has had enough. `progress` is told how many positions have been looked
/// at, and how many there are as far as is known.
pub fn judge(
    panel: &mut Panel,
    record: &Record,
    progress: &mut (dyn FnMut(usize, usize) + Send),
) -> Option<Vec<Judgement>> {
    let mut desk = Desk::new(record);
    let (mut done, mut steps) = (0, 0);
    for _ in 0..MAX_ROUNDS {
        let wanted = desk.wanted();
        if wanted.is_empty() {
            break;
        }
        steps += wanted.len();
        let questions = wanted.iter().map(|topic| desk.question(topic)).collect();
        let answers = panel.answer(questions, &mut || {
            done += 1;
            progress(done, steps);
        })?;
        desk.known.extend(wanted.into_iter().zip(answers));
    }
    (!panel.is_interrupted()).then(|| desk.judgements())
}

/// What can be asked about a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Topic {
    /// The position before a ply.
    Position(usize, Effort),
    /// The same after these moves instead of those of the game, for a verdict.
    After(usize, Vec<Move>),
    /// The best lines of the position before a ply, one more than the moves that hold.
    Field(usize),
    /// The moves before a ply other than the one that was played.
    Others(usize, Effort),
}

/// A game under judgement, and what has been found out about it.
pub struct Desk {
    /// The positions, from the first to the one after the last move.
    pub games: Vec<Game>,
    /// The moves.
    pub moves: Vec<Move>,
    known: HashMap<Topic, Vec<Finding>>,
}

/// A position while the game is judged from its end.
#[derive(Clone)]
struct MoveStanding {
    /// What it is worth to the side to move.
    worth: Finding,
    /// The best there was, if that was not played.
    best: Option<Finding>,
    loss: f64,
    verdict: Verdict,
}

impl Desk {
    fn new(record: &Record) -> Desk {
        let moves: Vec<Move> = record.main.plies.iter().map(|ply| ply.mv).collect();
        let mut games = vec![record.game_at(0)];
        for &mv in &moves {
            let mut game = games.last().cloned().unwrap_or_else(|| record.game_at(0));
            game.play(mv);
            games.push(game);
        }
        Desk { games, moves, known: HashMap::new() }
    }

    /// The best line that was found about something.
    pub fn found(&self, topic: &Topic) -> Option<&Finding> {
        self.known.get(topic).and_then(|found| found.first())
    }

    fn usual(&self, index: usize) -> Option<&Finding> {
        self.found(&Topic::Position(index, Effort::Usual))
    }

    fn thorough(&self, index: usize) -> Option<&Finding> {
        self.found(&Topic::Position(index, Effort::Thorough))
    }

    /// Whether there was no choice before a ply.
    pub fn is_forced(&self, index: usize) -> bool {
        self.games[index].board().legal_moves().len() == 1
    }

    fn question(&self, topic: &Topic) -> Question {
        let last = self.games.len() - 1;
        match topic {
            Topic::Position(index, effort) => {
                Question { last: *index == last, ..Question::about(self.games[*index].clone(), *effort) }
            }
            Topic::After(index, moves) => {
                let mut game = self.games[*index].clone();
                for &mv in moves {
                    game.play(mv);
                }
                Question::about(game, Effort::Thorough)
            }
            Topic::Field(index) => {
                Question { lines: HOLDING + 1, ..Question::about(self.games[*index].clone(), Effort::Usual) }
            }
            Topic::Others(index, effort) => Question {
                without: self.moves.get(*index).copied(),
                ..Question::about(self.games[*index].clone(), *effort)
            },
        }
    }

    /// What the position before a ply is worth, by all that was found about it apart from how the game went on. The worst
    /// opinion about the best move counts.
    fn opinion(&self, index: usize) -> Finding {
        let Some(thorough) = self.thorough(index) else {
            return self.usual(index).cloned().unwrap_or_else(Finding::unknown);
        };
        self.followed(index, thorough)
    }

    /// The best of the other moves, where that has been asked.
    fn alternative(&self, index: usize) -> Option<Finding> {
        self.found(&Topic::Others(index, Effort::Thorough)).map(|found| self.followed(index, found))
    }

    /// What was found about the position before a ply, or less if the searches along its line think less of it.
    fn followed(&self, index: usize, finding: &Finding) -> Finding {
        let mut path = Vec::new();
        let (mut opinion, mut line) = (finding.clone(), finding.line.clone());
        while let Some(&mv) = line.first() {
            path.push(mv);
            let Some(found) = self.found(&Topic::After(index, path.clone())) else { break };
            line.clone_from(&found.line);
            let seen = path.iter().rev().fold(found.clone(), |found, &mv| found.before(mv));
            if seen.expected() < opinion.expected() {
                opinion = seen;
            }
        }
        opinion
    }

    /// Every position, judged from the last one.
    fn standings(&self) -> Vec<MoveStanding> {
        let last = self.moves.len();
        let end = MoveStanding { worth: self.opinion(last), best: None, loss: 0.0, verdict: Verdict::Fine };
        let mut standings = vec![end];
        for index in (0..last).rev() {
            let kept = standings[standings.len() - 1].worth.before(self.moves[index]);
            standings.push(self.standing(index, kept));
        }
        standings.reverse();
        standings
    }

    /// The position before a ply, of whose move this is what was left.
    fn standing(&self, index: usize, kept: Finding) -> MoveStanding {
        let mut best = self.opinion(index);
        let forced = self.is_forced(index);
        let mut agreed = best.line.first() == Some(&self.moves[index]) || forced;
        if agreed
            && !forced
            && best.expected() - kept.expected() >= SUSPICIOUS_LOSS
            && let Some(alternative) = self.alternative(index)
        {
            // It turned out badly, and something else was there.
            (best, agreed) = (alternative, false);
        }
        let loss = best.expected() - kept.expected();
        if agreed || loss <= 0.0 {
            // What came of it later counts, where it says something new.
            let worth = if loss.abs() < SUSPICIOUS_LOSS { best } else { kept };
            return MoveStanding { worth, best: None, loss: 0.0, verdict: Verdict::Fine };
        }
        let mated = kept.score.mate_moves().is_some_and(|moves| moves < 0);
        let verdict = match mated && best.expected() > LOST {
            true => Verdict::Blunder,
            false if self.is_uncertain(index, loss) => Verdict::Fine,
            false => Verdict::of(loss),
        };
        MoveStanding { worth: best.clone(), best: Some(best), loss, verdict }
    }

    /// Whether nearly every move loses, so that a small difference between two that hold is not to be trusted.
    fn is_uncertain(&self, index: usize, loss: f64) -> bool {
        let Some(field) = self.known.get(&Topic::Field(index)) else { return false };
        let gap = field.first().zip(field.get(HOLDING)).map(|(first, other)| first.expected() - other.expected());
        loss < CERTAIN_LOSS && gap.is_some_and(|gap| gap >= KNIFE_EDGE)
    }

    /// What has to be found out before the game can be judged.
    fn wanted(&self) -> Vec<Topic> {
        let last = self.moves.len();
        let first: Vec<Topic> = (0..=last).map(|index| Topic::Position(index, Effort::Usual)).collect();
        if self.usual(0).is_none() {
            return first;
        }
        let standings = self.standings();
        let mut wanted: Vec<Topic> = Vec::new();
        for (index, standing) in standings.iter().enumerate().take(last) {
            let kept = 1.0 - standings[index + 1].worth.expected();
            let suspicious = self.is_suspicious(index, standing, kept);
            let topics = if suspicious { self.doubts(index, standing, kept) } else { Vec::new() };
            for topic in topics.into_iter().chain(merit::questions(self, index)) {
                if !self.known.contains_key(&topic) && !wanted.contains(&topic) {
                    wanted.push(topic);
                }
            }
        }
        wanted
    }

    /// Whether a move has to be looked at again: it seems to cost something, or it was thought best and turned out badly.
    fn is_suspicious(&self, index: usize, standing: &MoveStanding, kept: f64) -> bool {
        let disappointing = self.usual(index).is_some_and(|usual| usual.expected() - kept >= INACCURACY_LOSS);
        !self.is_forced(index) && (standing.loss >= SUSPICIOUS_LOSS || disappointing)
    }

    /// What a verdict on a move that left so much still needs.
    fn doubts(&self, index: usize, standing: &MoveStanding, kept: f64) -> Vec<Topic> {
        let mut topics = self.verified(index);
        topics.extend(self.verified(index + 1));
        if let Some(thorough) = self.thorough(index)
            && thorough.line.first() == Some(&self.moves[index])
            && thorough.expected() - kept >= SUSPICIOUS_LOSS
        {
            topics.push(Topic::Others(index, Effort::Thorough));
        }
        let Some(best) = &standing.best else { return topics };
        if !standing.verdict.is_error() {
            return topics;
        }
        if let Some(&first) = best.line.first() {
            topics.push(Topic::After(index, vec![first]));
        }
        // What is recommended is followed further where much depends on little.
        if standing.verdict < Verdict::Blunder
            && let [first, second, ..] = best.line[..]
        {
            topics.push(Topic::After(index, vec![first, second]));
        }
        if standing.loss < CERTAIN_LOSS && self.games[index].board().legal_moves().len() > HOLDING {
            topics.push(Topic::Field(index));
        }
        topics
    }

    /// A thorough look at a position, and another one after its best move.
    fn verified(&self, index: usize) -> Vec<Topic> {
        if self.usual(index).is_none_or(|found| found.line.is_empty()) {
            return Vec::new();
        }
        let mut topics = vec![Topic::Position(index, Effort::Thorough)];
        if let Some(&mv) = self.thorough(index).and_then(|found| found.line.first()) {
            topics.push(if self.moves.get(index) == Some(&mv) {
                Topic::Position(index + 1, Effort::Thorough)
            } else {
                Topic::After(index, vec![mv])
            });
        }
        topics
    }

    fn judgements(&self) -> Vec<Judgement> {
        let standings = self.standings();
        let mut judgements = Vec::with_capacity(self.moves.len());
        for index in 0..self.moves.len() {
            let (here, next) = (&standings[index], &standings[index + 1]);
            let praise = if here.loss < SUSPICIOUS_LOSS { merit::praise(self, index) } else { None };
            judgements.push(Judgement {
                best: here.worth.clone(),
                left: next.worth.clone(),
                loss: here.loss,
                verdict: praise.as_ref().map_or(here.verdict, |(verdict, _)| *verdict),
                forced: self.is_forced(index),
                known: self.usual(index).is_some_and(|found| found.known),
                second: praise.map(|(_, second)| second),
            });
        }
        judgements
    }
}
