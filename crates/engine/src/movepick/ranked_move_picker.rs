//! Ranked move picker: a shortlist of the best moves, judged in one pass over all of them, comes before the
//! ordinary order. The rank at which a move is handed out is what the rank-aware gates go by.

use chess::{Move, MoveList, SEE_VALUES};

use super::{Context, Ordinary, PickerCounts, Scored};
use crate::base::idea;

idea! {
    /// Hands out a shortlist of the best moves before the ordinary order.
    RankedMovePicker "UseRankedMovePicker" (_, RP1) off {
        /// Length of the shortlist (published 10, then 8).
        shortlist_max = 8 in 1..=16 step 1;
        /// Quiets are shortlisted only from this depth on.
        quiet_min_depth = 6 in 0..=20 step 1;
        /// What a killer is worth on the shortlist.
        killer_bonus = 400 in 0..=1000 step 50;
        /// What a countermove is worth on the shortlist.
        countermove_bonus = 250 in 0..=1000 step 50;
        /// 1 takes the shortlist from the ordinary order, for comparison.
        parity = 0 in 0..=1 step 1;
    }
    counts RankedMovePickerCounts { pv_quiets, pv_quiets_listed }
}

/// The longest shortlist there can be.
const MAX_SHORTLIST: usize = 16;

/// Hands out a shortlist first.
pub struct Ranked {
    /// The rest, in the ordinary order; it also hands out the table move.
    rest: Ordinary,
    table_move: Option<Move>,
    table_move_given: bool,
    shortlist: [Option<Move>; MAX_SHORTLIST],
    len: usize,
    next: usize,
    ready: bool,
    /// Whether there is a shortlist: not in check.
    ranks: bool,
    skip_quiets: bool,
}

impl Ranked {
    /// All moves of a node.
    pub fn new(context: &Context<'_>, table_move: Option<Move>) -> Ranked {
        let table_move = table_move.filter(|&mv| context.board.is_legal(mv));
        Ranked {
            rest: Ordinary::all(context, table_move),
            table_move,
            table_move_given: table_move.is_none(),
            shortlist: [None; MAX_SHORTLIST],
            len: 0,
            next: 0,
            ready: false,
            ranks: !context.board.in_check(),
            skip_quiets: false,
        }
    }

    /// From now on only captures and promotions.
    #[inline(always)]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
        self.rest.skip_quiets();
    }

    /// The next move.
    pub fn next(&mut self, context: &Context<'_>, counts: &mut PickerCounts) -> Option<Move> {
        if !self.table_move_given {
            self.table_move_given = true;
            return self.rest.next(context, counts);
        }
        if !self.ready {
            self.ready = true;
            // In check there are few moves and the evasions' own order.
            if context.params.ranked_move_picker.parity == 0 && self.ranks {
                self.make_shortlist(context, counts);
            }
        }
        while self.next < self.len {
            self.next += 1;
            let mv = self.shortlist[self.next - 1];
            if !self.skip_quiets || mv.is_some_and(|mv| !mv.is_quiet()) {
                return mv;
            }
        }
        loop {
            let mv = self.rest.next(context, counts)?;
            if !self.shortlist[..self.len].contains(&Some(mv)) {
                self.note_parity(context, mv);
                return Some(mv);
            }
        }
    }

    /// In parity mode the shortlist is the head of the ordinary order, written down as it is handed out.
    #[inline(always)]
    fn note_parity(&mut self, context: &Context<'_>, mv: Move) {
        let p = &context.params.ranked_move_picker;
        if p.parity > 0 && self.ranks && self.len < wanted(p) {
            self.list(mv);
            self.next = self.len;
        }
    }

    /// Puts a move on the shortlist.
    #[inline(always)]
    fn list(&mut self, mv: Move) {
        self.shortlist[self.len] = Some(mv);
        self.len += 1;
    }

    /// Judges every move once and keeps the best few. The captures that it does not keep go on as part of the ordinary order.
    fn make_shortlist(&mut self, context: &Context<'_>, counts: &mut PickerCounts) {
        counts.shortlists.count();
        let p = &context.params.ranked_move_picker;
        let wanted = wanted(p);
        // Captures and promotions first. The exchange is looked into only where the victim is worth less than
        // the attacker; the rest cannot lose.
        self.rest.generate_captures(context, counts);
        while self.len < wanted
            && let Some(mv) = self.rest.next_good_capture(context, counts, |mv| cannot_lose(context, mv))
        {
            self.list(mv);
        }
        if self.len < wanted && context.depth >= p.quiet_min_depth && !self.skip_quiets {
            let mut moves = MoveList::new();
            context.board.generate_quiets(&mut moves);
            let mut list = Scored::new();
            list.fill(&moves, self.table_move, |mv| (quiet_score(context, mv), 0));
            while self.len < wanted
                && let Some((mv, _)) = list.take_best()
            {
                self.list(mv);
            }
        }
    }

    /// Whether the move is on the shortlist. The table's move comes before all and is on none.
    pub fn lists(&self, mv: Move) -> Option<bool> {
        let asked = self.ranks && self.table_move != Some(mv);
        asked.then(|| self.shortlist[..self.len].contains(&Some(mv)))
    }
}

/// How many moves the shortlist may hold.
#[inline(always)]
fn wanted(p: &RankedMovePicker) -> usize {
    (p.shortlist_max as usize).min(MAX_SHORTLIST)
}

/// Whether a capture wins or trades evenly whatever happens next.
fn cannot_lose(context: &Context<'_>, mv: Move) -> bool {
    let value = |kind: chess::PieceKind| SEE_VALUES[kind.index()];
    let victim = context.board.captured(mv).map_or(0, value);
    let attacker = context.board.kind_on(mv.from()).map_or(0, value);
    !mv.is_promotion() && victim >= attacker
}

/// Quiets are judged conservatively: history as it is, killers and countermoves a little above.
fn quiet_score(context: &Context<'_>, mv: Move) -> i32 {
    let p = &context.params.ranked_move_picker;
    let mut score = context.histories.quiet(context.history, context.board, context.threats, context.previous, mv);
    if context.params.killers.enabled && context.killers.contains(mv) {
        score += p.killer_bonus;
    }
    if context.history.countermoves.ordering_bonus() > 0 && context.countermove == Some(mv) {
        score += p.countermove_bonus;
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Histories, HistoryParams, PieceTo, Threats};
    use crate::movepick::{KillerPair, OrderingParams};
    use chess::{Board, parse_uci};

    /// White can take a pawn with the queen and lose it, a rook for nothing, or move quietly.
    const FEN: &str = "4k3/2p5/3p4/8/8/3Q3r/8/4K2R w K - 0 1";

    /// The moves as they are handed out, and what that has cost.
    fn order(p: RankedMovePicker, depth: i32, table_move: Option<&str>) -> (Vec<String>, Ranked) {
        let board = Board::from_fen(FEN).expect("legal");
        let (histories, history) = (Histories::new(), HistoryParams::default());
        let params = OrderingParams { ranked_move_picker: p, ..OrderingParams::default() };
        let context = Context {
            board: &board,
            params: &params,
            history: &history,
            histories: &histories,
            threats: Threats::default(),
            previous: &[PieceTo::NONE; 3],
            killers: KillerPair::NONE,
            countermove: None,
            depth,
        };
        let table_move = table_move.map(|text| parse_uci(&board, text).expect(text));
        let mut picker = Ranked::new(&context, table_move);
        let mut counts = PickerCounts::default();
        let moves: Vec<String> = std::iter::from_fn(|| picker.next(&context, &mut counts))
            .map(|mv| chess::uci(mv, false).to_string())
            .collect();
        if cfg!(feature = "telemetry") {
            assert!(counts.captures_scored.get() <= 3 && counts.see_calls.get() <= 2, "{counts:?}");
        }
        (moves, picker)
    }

    #[test]
    fn every_move_once_the_table_move_first_losing_captures_last() {
        for (depth, parity) in [(4, 0), (8, 0), (4, 1)] {
            let p = RankedMovePicker { enabled: true, parity, ..RankedMovePicker::default() };
            let (moves, _) = order(p, depth, Some("e1e2"));
            let mut sorted = moves.clone();
            sorted.sort();
            sorted.dedup();
            let all = Board::from_fen(FEN).expect("legal").legal_moves().len();
            assert_eq!((moves.len(), sorted.len()), (all, all), "{moves:?}");
            assert_eq!(moves[0], "e1e2");
            assert_eq!(moves.last().map(String::as_str), Some("d3d6"), "{moves:?}");
        }
    }

    #[test]
    fn quiets_are_listed_from_their_depth_on_and_behind_captures() {
        let p = RankedMovePicker { enabled: true, ..RankedMovePicker::default() };
        let listed = |depth, mv: &str| {
            let (_, picker) = order(p.clone(), depth, Some("e1e2"));
            let board = Board::from_fen(FEN).expect("legal");
            picker.lists(parse_uci(&board, mv).expect(mv))
        };
        assert_eq!(listed(4, "h1h3"), Some(true));
        assert_eq!(listed(4, "d3d6"), Some(false), "it loses the queen");
        assert_eq!(listed(4, "e1e2"), None, "the table's move is on no list");
        let quiets =
            |depth| order(p.clone(), depth, None).1.shortlist.iter().flatten().filter(|mv| mv.is_quiet()).count();
        assert_eq!(quiets(p.quiet_min_depth - 1), 0);
        assert!(quiets(p.quiet_min_depth) > 0);
        assert!(order(p, 8, None).1.shortlist[0].is_some_and(|mv| mv.is_capture()));
    }

    #[test]
    fn in_parity_mode_the_list_is_the_head_of_the_ordinary_order() {
        let p = RankedMovePicker { enabled: true, parity: 1, shortlist_max: 3, ..RankedMovePicker::default() };
        let (moves, picker) = order(p, 4, None);
        let board = Board::from_fen(FEN).expect("legal");
        let listed = |text: &String| picker.lists(parse_uci(&board, text).expect("legal"));
        let listed: Vec<_> = moves.iter().take(4).map(listed).collect();
        assert_eq!(listed, [Some(true), Some(true), Some(true), Some(false)]);
    }
}
