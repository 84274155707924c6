//! Ranked move picker: a shortlist of the best moves, judged in one pass over all of them, comes before the
//! ordinary order. The rank at which a move is handed out is what the rank-aware gates go by.

use chess::{Move, MoveList, SEE_VALUES};

use super::{Context, Ordinary, PickerCounts, Scored, scoring};
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
            // In check there are few moves and the evasions' own order; in parity mode the shortlist is
            // simply the head of the ordinary order, handed out as it comes.
            if context.params.ranked_move_picker.parity == 0 && !context.board.in_check() {
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
                return Some(mv);
            }
        }
    }

    /// Judges every move once and keeps the best few.
    fn make_shortlist(&mut self, context: &Context<'_>, counts: &mut PickerCounts) {
        counts.shortlists.count();
        let p = &context.params.ranked_move_picker;
        let mut list = Scored::new();
        let mut moves = MoveList::new();
        context.board.generate_captures(&mut moves);
        counts.captures_scored.add(moves.len() as u64);
        list.fill(&moves, self.table_move, |mv| scoring::capture(context, mv));
        let wanted = (p.shortlist_max as usize).min(MAX_SHORTLIST);
        // Captures and promotions first. The exchange is looked into only where the victim is worth less than
        // the attacker; the rest cannot lose.
        while self.len < wanted
            && let Some((mv, _)) = list.take_best()
        {
            if cannot_lose(context, mv) || {
                counts.see_calls.count();
                context.board.see_at_least(mv, 0)
            } {
                self.shortlist[self.len] = Some(mv);
                self.len += 1;
            }
        }
        if self.len < wanted && context.depth >= p.quiet_min_depth && !self.skip_quiets {
            let mut moves = MoveList::new();
            context.board.generate_quiets(&mut moves);
            list.clear();
            list.fill(&moves, self.table_move, |mv| (quiet_score(context, mv), 0));
            while self.len < wanted
                && let Some((mv, _)) = list.take_best()
            {
                self.shortlist[self.len] = Some(mv);
                self.len += 1;
            }
        }
    }

    /// Whether the move is on the shortlist.
    pub fn lists(&self, mv: Move) -> bool {
        self.shortlist[..self.len].contains(&Some(mv))
    }
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
