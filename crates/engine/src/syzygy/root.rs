//! The moves of the root by what the tables say: only those that keep the result are searched.
//!
//! Among moves that win, the search may choose the one it likes best as long as the win stays within the fifty-move
//! rule and no position has come twice. Otherwise the shortest way to the next capture or pawn move is taken. That
//! always makes headway: each pair of moves leaves two plies less of it, so no position can come a third time.

use chess::{Board, Game, KeyHistory, Move, PieceKind, Score};
use shakmaty_syzygy::{Dtz, Wdl};

use super::{Distance, Syzygy, Tables, Value, value};

/// What the tables say of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RankedScore {
    /// Moves of higher rank are better; within a rank the search decides.
    pub rank: i32,
    /// What it leads to; nothing where a loss may come a ply too late for the fifty-move rule, which only a search can tell.
    pub score: Option<Score>,
}

/// What the tables say of the moves of the root, in their order.
pub(crate) struct Ranking {
    /// One for each move.
    pub verdicts: Vec<RankedScore>,
    /// Whether the distances were known, too. Then the tables have said all they know.
    pub by_distance: bool,
}

/// The rank of a win that leaves the choice to the search.
const FREE: i32 = 30_000;
/// The rank of a win, less its length.
const WIN: i32 = 20_000;
/// The rank of a win that the fifty-move rule is expected to spoil, less its length.
const SPOILED: i32 = 10_000;

impl Syzygy {
    /// Asks the tables about moves of the root, of which one is to be played or several to be shown. Nothing if they do
    /// not know all of them.
    pub(crate) fn rank(&self, game: &Game, moves: &[Move], several: bool) -> Option<Ranking> {
        let tables = self.tables()?;
        let board = game.board();
        if board.occupied().len() > self.men() || !board.castling().is_empty() {
            return None;
        }
        let root = RootPosition::new(self, tables, game, several);
        let by_distance: Option<Vec<_>> = moves.iter().map(|&mv| root.by_distance(mv)).collect();
        if let Some(verdicts) = by_distance {
            return Some(Ranking { verdicts, by_distance: true });
        }
        let verdicts: Option<Vec<_>> = moves.iter().map(|&mv| root.by_result(mv)).collect();
        Some(Ranking { verdicts: verdicts?, by_distance: false })
    }
}

/// The position whose moves are ranked.
struct RootPosition<'a> {
    tables: &'a Tables,
    board: &'a Board,
    history: KeyHistory,
    fifty_move_rule: bool,
    /// Whether only the shortest way will do.
    strict: bool,
}

/// The position after a move.
struct After {
    board: Board,
    /// A draw by rule.
    drawn: bool,
    /// It was on the board before.
    seen: bool,
}

impl<'a> RootPosition<'a> {
    fn new(syzygy: &Syzygy, tables: &'a Tables, game: &'a Game, several: bool) -> RootPosition<'a> {
        let board = game.board();
        let mut history = game.history().clone();
        // Against a bare king and without pawns the next capture or pawn move is mate itself: the shortest way is best.
        let bare = board.color(!board.side_to_move()).len() == 1 && board.kind(PieceKind::Pawn).is_empty();
        let strict = (bare && !several) || history.has_repeated(board);
        history.push(board.key());
        RootPosition { tables, board, history, fifty_move_rule: syzygy.fifty_move_rule, strict }
    }

    fn after(&self, mv: Move) -> After {
        let board = self.board.after(mv);
        let times = self.history.repetitions(&board);
        let over = self.fifty_move_rule && board.halfmove_clock() >= 100;
        After { drawn: (over || times >= 2) && !board.is_checkmate(), seen: times > 0, board }
    }

    /// The result after a move, for the side that makes it.
    fn result(&self, after: &After) -> Option<Wdl> {
        if after.drawn { Some(Wdl::Draw) } else { self.tables.wdl(&after.board).map(|wdl| -wdl) }
    }

    fn by_distance(&self, mv: Move) -> Option<RankedScore> {
        let after = self.after(mv);
        let mates = after.board.is_checkmate();
        let distance = if mates {
            Distance { plies: 1, rounded: false }
        } else if after.drawn || after.board.halfmove_clock() == 0 {
            Distance { plies: Dtz::before_zeroing(self.result(&after)?).0, rounded: false }
        } else {
            let Distance { plies, rounded } = self.tables.distance(&after.board)?;
            Distance { plies: -(plies + plies.signum()), rounded }
        };
        // Mate ends the game, whatever the clock says.
        let clock = (self.fifty_move_rule && !mates).then_some(i32::from(self.board.halfmove_clock()));
        Some(verdict(distance, clock, !self.strict && !after.seen))
    }

    fn by_result(&self, mv: Move) -> Option<RankedScore> {
        let after = self.after(mv);
        let wdl = self.result(&after)?;
        let score = match value(wdl, self.fifty_move_rule) {
            Value::Win => Score::tablebase_win_in(0),
            Value::Draw(score) => score,
            Value::Loss => Score::tablebase_loss_in(0),
        };
        // To come back to a position is no way to win.
        let back = wdl > Wdl::Draw && after.seen;
        Some(RankedScore { rank: 2 * i32::from(wdl) - i32::from(back), score: Some(score) })
    }
}

/// What a move is worth that leads in so many plies, itself included, to a capture, a pawn move or mate. The clock is
/// that of the fifty-move rule, if it holds.
fn verdict(distance: Distance, clock: Option<i32>, free: bool) -> RankedScore {
    let plies = distance.plies.abs();
    let at_most = plies + i32::from(distance.rounded);
    let in_time = |plies: i32| clock.is_none_or(|clock| clock + plies <= 100);
    let clock = clock.unwrap_or(0);
    match distance.plies.signum() {
        1 if in_time(plies) => {
            let rank = if free && in_time(at_most) { FREE } else { WIN - plies };
            RankedScore { rank, score: Some(Score::tablebase_win_in(0)) }
        }
        1 => RankedScore { rank: SPOILED - plies - clock, score: Some(Score(1)) },
        0 => RankedScore { rank: 0, score: Some(Score::DRAW) },
        _ if in_time(at_most) => {
            // Where it is not far to the draw, resist as long as possible; otherwise as the search likes.
            let rank = if in_time(2 * plies) { -FREE } else { plies - WIN };
            RankedScore { rank, score: Some(Score::tablebase_loss_in(0)) }
        }
        _ => RankedScore { rank: plies + clock - SPOILED, score: (!in_time(plies)).then_some(Score(-1)) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(plies: i32, rounded: bool, clock: i32, free: bool) -> i32 {
        verdict(Distance { plies, rounded }, Some(clock), free).rank
    }

    #[test]
    fn ranks_follow_what_a_move_is_worth() {
        // From the best to the worst.
        let ladder = [
            rank(60, true, 0, true),
            rank(59, true, 41, true),
            rank(60, true, 40, true),
            rank(60, true, 41, true),
            rank(101, false, 1, true),
            rank(0, false, 7, true),
            rank(-101, false, 0, true),
            rank(-100, true, 0, true),
            rank(-99, true, 0, true),
            rank(-61, true, 0, true),
            rank(-10, true, 0, true),
        ];
        // A win that may take its time is worth the same, however long; one on the edge may not.
        assert_eq!(ladder[0], rank(2, true, 0, true));
        assert_eq!(ladder[0], rank(2, true, 97, true));
        assert_eq!(ladder[0], rank(2, false, 98, true));
        assert!(ladder[0] > rank(2, true, 98, true));
        assert!(ladder.windows(2).all(|pair| pair[0] > pair[1]), "{ladder:?}");
    }

    #[test]
    fn the_fifty_move_rule_decides() {
        let score = |plies, rounded, clock| verdict(Distance { plies, rounded }, clock, true).score;
        let (win, loss) = (Some(Score::tablebase_win_in(0)), Some(Score::tablebase_loss_in(0)));
        let (spoiled, saved) = (Some(Score(1)), Some(Score(-1)));
        assert_eq!([score(100, false, Some(0)), score(100, false, Some(1))], [win, spoiled]);
        assert_eq!([score(101, false, Some(0)), score(101, false, None), score(30, true, None)], [spoiled, win, win]);
        assert_eq!([score(-100, false, Some(0)), score(-100, false, Some(1))], [loss, saved]);
        // A loss that may come a ply too late is no loss yet, and no draw.
        assert_eq!(
            [score(-101, true, Some(0)), score(-100, true, Some(0)), score(-99, true, Some(0))],
            [saved, None, loss]
        );
        assert_eq!(score(-101, false, None), loss);
        assert_eq!(score(0, false, Some(99)), Some(Score::DRAW));
    }
}
