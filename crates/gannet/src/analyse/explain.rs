//! Why a move is good or bad, in a sentence or two. Said is only what the board shows along the lines that the search has
//! found; where that is nothing, only the better move is named.

use chess::{Board, Color, Game, Move, Score, Square, san};

use super::judge::Judgement;
use super::ledger::{Ledger, name};
use super::motifs::{self, Motif, Pattern, no_longer_defended};
use super::review::line_text;
use super::searcher::Finding;

/// A line without gain or loss is shown this far.
const QUIET: usize = 6;
/// One that ends in mate, so far at most.
const MATE: usize = 16;
/// A mate that follows when the bait is taken, in moves.
const BAIT_MATE: usize = 3;

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
        sentences.extend(self.goes_on());
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
        let gap = best.as_ref().map_or(1, |best| best.weight() - played.weight());
        if gap < 1 {
            return None;
        }
        if played.weight() < 0 {
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
        Some(format!("Misses {}, which {}wins {gain}.", numbered(board, first), means(board, &found.best.line)))
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
        match motifs::along(&after, line) {
            Some((0, Motif::Undefended(piece))) => format!(": {text}, as nothing protects {piece}"),
            Some((0, Motif::FailedPin(piece, behind))) => {
                format!(": {text}, as {piece} is not really pinned{}", bait(&after, line, behind.square))
            }
            Some((0, motif)) => format!(": {text} {motif}"),
            Some((index, motif)) => {
                let mut board = after.clone();
                line.iter().take(index).for_each(|&mv| board.make(mv));
                let later = line.get(index).map_or(String::new(), |&mv| numbered(&board, mv));
                format!(": {text}, and then {later} {motif}")
            }
            None => format!(": {text}"),
        }
    }

    /// The answer and how it goes on, as far as that says something.
    fn goes_on(&self) -> Option<String> {
        let after = self.board().after(self.played);
        let line = telling(&after, &self.judgement.left);
        let text = line_text(&after, line);
        let mated = self.judgement.left.score.mate_moves().is_some_and(|moves| moves > 0);
        let refuted = mated || Ledger::of(self.board(), &self.continuation()).is_some_and(|ledger| ledger.weight() < 0);
        let words = if refuted { "Refuted by" } else { "The best answer is" };
        (!line.is_empty()).then(|| format!("{words} {text}."))
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

/// As much of a line as says something: up to the mate, or up to where the material has changed hands.
pub fn telling<'a>(board: &Board, found: &'a Finding) -> &'a [Move] {
    let line = &found.line;
    let plies = match found.score.mate_moves() {
        Some(_) if line.len() <= MATE => line.len(),
        Some(_) => MATE,
        None => Ledger::of(board, line).filter(|ledger| ledger.balance() != 0).map_or(QUIET, |ledger| ledger.plies),
    };
    &line[..plies.min(line.len())]
}

/// What happens to whoever takes what stood behind a piece that only seemed to be pinned.
fn bait(board: &Board, line: &[Move], behind: Square) -> String {
    let Some(&answer) = line.first() else { return String::new() };
    let after = board.after(answer);
    let taken = |mv: &Move| mv.is_capture() && mv.to() == behind;
    if let [_, reply, next, ..] = line
        && taken(reply)
    {
        return format!(": {}", line_text(&after, &[*reply, *next]));
    }
    let mate = after.legal_moves().iter().copied().filter(taken).find_map(|reply| {
        let mate = motifs::mate_by_checks(&after.after(reply), BAIT_MATE)?;
        Some([&[reply], &mate[..]].concat())
    });
    mate.map_or(String::new(), |mate| format!(": {}", line_text(&after, &mate)))
}

/// How a line wins something, in words that go before "wins". To take what nothing protects needs no more words.
pub fn means(board: &Board, line: &[Move]) -> String {
    match motifs::of(board, line) {
        None | Some(Motif::Undefended(_)) => String::new(),
        Some(motif) => format!("{motif} and "),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::motifs::tests::line;
    use crate::analyse::verdict::Verdict;

    /// What is said of the first move of `played`, with the others as the answer, where `best` was there. Scores are those
    /// of the side that moves.
    fn said(fen: &str, played: (&str, Score), best: (&str, Score)) -> String {
        let (board, moves) = line(fen, played.0);
        let (_, better) = line(fen, best.0);
        let finding = |score: Score, line: &[Move]| Finding {
            score,
            wdl: [0, 1000, 0],
            shown: score,
            known: false,
            line: line.to_vec(),
        };
        let judgement = Judgement {
            best: finding(best.1, &better),
            left: finding(-played.1, &moves[1..]),
            loss: 0.5,
            verdict: Verdict::Blunder,
            forced: false,
            known: false,
            second: None,
        };
        let text = Case { game: &Game::new(board), played: moves[0], judgement: &judgement }.text();
        text.split(" Refuted by")
            .next()
            .and_then(|text| text.split(" The best answer").next())
            .and_then(|text| text.split(" White's chances").next())
            .unwrap_or_default()
            .to_string()
    }

    #[test]
    fn mates_are_told() {
        let fen = "r5k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1";
        let said = |played, best| said(fen, played, best);
        assert_eq!(
            said(("Rb2 Ra1+ Rb1 Rxb1#", -Score::mate_in(3)), ("Rxa8#", Score::mate_in(1))),
            "Allows mate in 2 on the back rank: 1... Ra1+. Better is 1. Rxa8#."
        );
        assert_eq!(
            said(("Kf1 Kf8", Score(10)), ("Rxa8#", Score::mate_in(1))),
            "Misses mate in 1 on the back rank: 1. Rxa8#."
        );
    }

    #[test]
    fn material_is_told() {
        let fen = "3r2k1/8/8/8/3B4/5N2/8/6K1 w - - 0 1";
        assert_eq!(
            said(fen, ("Ng5 Rxd4", Score(-300)), ("Kf2 Kf7", Score(100))),
            "Loses the bishop on d4: 1... Rxd4, as the knight no longer protects the bishop on d4. Better is 1. Kf2."
        );
        let fork = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
        assert_eq!(
            said(fork, ("Ne3 Rb8", Score(-200)), ("Nc7+ Kd7 Nxa8", Score(300))),
            "Misses 1. Nc7+, which forks the rook on a8 and the king and wins the rook on a8."
        );
        assert_eq!(
            said("4k3/8/5n2/8/8/8/5Q2/4K3 b - - 0 1", ("Kd7 Qxf6", Score(-900)), ("Ng4 Qe2+ Kf7", Score(-600))),
            "Loses the knight on f6: 2. Qxf6, as nothing protects the knight on f6. Better is 1... Ng4."
        );
        // Nothing is certain, so nothing is claimed.
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(said(start, ("a4 e5", Score(-50)), ("e4 e5", Score(50))), "Better is 1. e4.");
    }

    #[test]
    fn draws_and_results_are_told() {
        let fen = "6RK/8/7k/7q/8/8/8/8 w - - 0 1";
        let rook = ("Rg1 Qe8+", Score(-500));
        let stalemate = said(fen, rook, ("Rg6+ Qxg6", Score::DRAW));
        assert_eq!(stalemate, "Misses a draw by stalemate: 1. Rg6+.");
        assert_eq!(said(fen, rook, ("Rg6+", Score::DRAW)), "Better is 1. Rg6+.", "no stalemate is on the board");
        let repeated = said(fen, rook, ("Rg2 Qe5+ Rg7 Qh5 Rg8 Qe5+ Rg7", Score::DRAW));
        assert_eq!(repeated, "Misses a draw by repetition: 1. Rg2.");
    }

    #[test]
    fn a_recapture_that_is_missed_is_told() {
        let (board, moves) = line("4k3/8/8/3p4/4P3/8/8/3KR3 b - - 0 1", "dxe4 Kd2 Kf7");
        let mut game = Game::new(board);
        assert!(game.play(moves[0]));
        let (_, best) = line(&game.board().fen(), "Rxe4+ Kf7");
        let finding = |line: &[Move]| Finding {
            score: Score(0),
            wdl: [0, 1000, 0],
            shown: Score(0),
            known: false,
            line: line.to_vec(),
        };
        let mut judgement = Judgement {
            best: finding(&best),
            left: finding(&moves[2..]),
            loss: 0.2,
            verdict: Verdict::Mistake,
            forced: false,
            known: false,
            second: None,
        };
        let text = |judgement: &Judgement| Case { game: &game, played: moves[1], judgement }.text();
        assert!(
            text(&judgement).starts_with("Does not take back on e4: 2. Rxe4+. The best answer is 2... Kf7. White's"),
            "{}",
            text(&judgement)
        );
        judgement.best.score = Score::TABLEBASE_WIN;
        judgement.known = true;
        assert!(text(&judgement).starts_with("Turns a win into a draw, by the endgame tables. Better is 2. Rxe4+."));
    }

    #[test]
    fn evaluations_are_seen_by_white() {
        let finding = |score| Finding { score, wdl: [700, 200, 100], shown: score, known: false, line: Vec::new() };
        let text = |score, side| evaluation(&finding(score), side).unwrap_or_default();
        assert_eq!(text(Score(35), Color::White), "0.35");
        assert_eq!(text(Score(35), Color::Black), "-0.35");
        assert_eq!(text(Score::mate_in(1), Color::Black), "#-1");
        assert_eq!(text(Score::mated_in(8), Color::White), "#-4");
        assert_eq!(text(Score::mated_in(0), Color::White), "");
        assert_eq!(chances(&finding(Score(35)), Color::Black), [10, 20, 70]);
    }
}
