//! Why a move is good or bad, in a sentence or two. Said is only what the board shows along the lines that the search has
//! found; where that is nothing, only the better move is named.

use chess::{Board, Color, Game, Move, Score, Square, san};

use super::judge::Judgement;
use super::ledger::{Ledger, name};
use super::motifs::{self, Pattern, no_longer_defended};
use super::searcher::Finding;

/// A move that was played, and what there is to say about it.
pub struct Case<'a> {
    /// The game before the move.
    pub game: &'a Game,
    /// The move.
    pub played: Move,
    /// What the search thinks of it.
    pub judgement: &'a Judgement,
}

/// A move with its number: `24. Nf3`, `24... Nf3`.
pub fn numbered(board: &Board, mv: Move) -> String {
    let dots = if board.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", board.fullmove_number(), san(board, mv))
}

/// An evaluation as programs read it from comments, seen by White: `0.35`, `#-4`. None where mate is on the board.
pub fn evaluation(found: &Finding, side_to_move: Color) -> Option<String> {
    let sign = if side_to_move == Color::White { 1 } else { -1 };
    match found.shown.mate_moves() {
        Some(0) => None,
        Some(moves) => Some(format!("#{}", sign * moves)),
        None => Some(format!("{:.2}", f64::from(sign * found.shown.centipawns()) / 100.0)),
    }
}

/// White's wins, draws and losses in per cent; together they are 100.
pub fn chances(found: &Finding, side_to_move: Color) -> [u16; 3] {
    let [win, _, loss] = found.wdl;
    let (win, loss) = if side_to_move == Color::White { (win, loss) } else { (loss, win) };
    let percent = |share: u16| (share + 5) / 10;
    [percent(win), 100_u16.saturating_sub(percent(win) + percent(loss)), percent(loss)]
}

impl Case<'_> {
    /// Everything there is to say of a move that is criticised.
    pub fn text(&self) -> String {
        let board = self.board();
        let mut sentences: Vec<String> = self.reason().into_iter().collect();
        let best = self.judgement.best.line.first().map(|&mv| numbered(board, mv));
        if let Some(best) = best
            && !sentences.iter().any(|sentence| sentence.contains(&best))
        {
            sentences.push(format!("Better is {best}."));
        }
        let side = board.side_to_move();
        let [win, draw, loss] = chances(&self.judgement.best, side);
        let [win_now, draw_now, loss_now] = chances(&self.judgement.left, !side);
        sentences.push(format!(
            "White's chances: {win}% win, {draw}% draw, {loss}% loss before; {win_now}/{draw_now}/{loss_now} now."
        ));
        sentences.join(" ")
    }

    fn board(&self) -> &Board {
        self.game.board()
    }

    /// Why the move is bad, if that is certain.
    fn reason(&self) -> Option<String> {
        self.tables().or_else(|| self.mate()).or_else(|| self.material()).or_else(|| self.draw())
    }

    /// The move and the answer to it.
    fn continuation(&self) -> Vec<Move> {
        std::iter::once(self.played).chain(self.judgement.left.line.iter().copied()).collect()
    }

    /// What endgame tables say.
    fn tables(&self) -> Option<String> {
        let found = self.judgement;
        if !found.known {
            return None;
        }
        let result = |score: Score| match score {
            score if score >= Score::WIN_BOUND => "a win",
            score if score <= -Score::WIN_BOUND => "a loss",
            _ => "a draw",
        };
        let (before, after) = (result(found.best.score), result(-found.left.score));
        (before != after).then(|| format!("Turns {before} into {after}, by the endgame tables."))
    }

    /// A mate that is allowed or missed.
    fn mate(&self) -> Option<String> {
        let board = self.board();
        let found = self.judgement;
        let named =
            |board: &Board, line: &[Move]| Pattern::of(board, line).map_or(String::new(), |it| format!(" {it}"));
        let after = board.after(self.played);
        if let Some(moves @ 1..) = found.left.score.mate_moves() {
            let line = &found.left.line;
            let answer = line.first().map_or(String::new(), |&mv| format!(": {}", numbered(&after, mv)));
            return Some(format!("Allows mate in {moves}{}{answer}.", named(&after, line)));
        }
        if let Some(moves @ 1..) = found.best.score.mate_moves() {
            let line = &found.best.line;
            let first = line.first().map_or(String::new(), |&mv| format!(": {}", numbered(board, mv)));
            return Some(format!("Misses mate in {moves}{}{first}.", named(board, line)));
        }
        None
    }

    /// Material that is lost or not won.
    fn material(&self) -> Option<String> {
        let board = self.board();
        let found = self.judgement;
        let played = Ledger::of(board, &self.continuation())?;
        let best = Ledger::of(board, &found.best.line);
        let gap = best.as_ref().map_or(1, |best| best.balance() - played.balance());
        if gap < 1 {
            return None;
        }
        if played.balance() < 0 {
            let what = match played.loss() {
                Some(what) => format!("Loses {what}"),
                None => "Lets a pawn promote".to_string(),
            };
            return Some(format!("{what}{}.", self.refutation()));
        }
        let best = best?;
        let (&first, gain) = (found.best.line.first()?, best.gain()?);
        if first.is_capture() && self.last_capture() == Some(first.to()) {
            return Some(format!("Does not take back on {}: {}.", first.to(), numbered(board, first)));
        }
        let how = motifs::of(board, &found.best.line).map_or(String::new(), |motif| format!("{motif} and "));
        Some(format!("Misses {}, which {how}wins {gain}.", numbered(board, first)))
    }

    /// The answer that wins the material, and how.
    fn refutation(&self) -> String {
        let after = self.board().after(self.played);
        let line = &self.judgement.left.line;
        let Some(&answer) = line.first() else { return String::new() };
        let text = numbered(&after, answer);
        if let Some(piece) = no_longer_defended(self.board(), self.played, answer)
            && let Some(defender) = self.board().kind_on(self.played.from())
        {
            return format!(": {text}, as the {} no longer protects {piece}", name(defender));
        }
        match motifs::of(&after, line) {
            Some(motif) => format!(": {text} {motif}"),
            None => format!(": {text}"),
        }
    }

    /// Where the move before this one has captured something.
    fn last_capture(&self) -> Option<Square> {
        self.game.moves().last().filter(|mv| mv.is_capture()).map(|mv| mv.to())
    }

    /// A draw that is missed.
    fn draw(&self) -> Option<String> {
        let found = self.judgement;
        let (&first, drawn) = (found.best.line.first()?, found.best.score == Score::DRAW);
        if !drawn {
            return None;
        }
        let mut game = self.game.clone();
        let played = found.best.line.iter().all(|&mv| game.play(mv));
        let how = if !played {
            return None;
        } else if game.board().is_stalemate() {
            "stalemate"
        } else if game.history().repetitions(game.board()) > 0 {
            "repetition"
        } else {
            return None;
        };
        Some(format!("Misses a draw by {how}: {}.", numbered(self.board(), first)))
    }
}

/// What there is to say of the only good move.
pub fn only_move(board: &Board, second: &Finding) -> String {
    let side = board.side_to_move();
    let [win, draw, loss] = chances(second, side);
    match second.line.first() {
        Some(&mv) => format!(
            "The only good move. Next best is {}, which leaves White {win}% win, {draw}% draw, {loss}% loss.",
            numbered(board, mv)
        ),
        None => "The only good move.".to_string(),
    }
}
