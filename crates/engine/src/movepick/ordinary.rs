//! The ordinary picker, in stages: table move, good captures, quiets, bad captures. Each stage is generated and
//! scored only when it is reached.

use chess::{Move, MoveList, PieceKind, Value};

use super::escape_routes::Routes;
use super::threat_ordering::ThreatMap;
use super::{Context, Scored, in_check_class_ordering, scoring};
use crate::base::counts;

counts! {
    /// What handing out the moves has cost.
    PickerCounts { captures_scored, see_calls, losing, shortlists }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    GenerateChecks,
    Checks,
    Done,
}

/// What the picker is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Every move of a node.
    All,
    /// Captures and promotions that do not lose more than the threshold; quiet checks too if asked.
    Quiescence { quiet_checks: bool },
    /// Captures and promotions that win at least the threshold, whether in check or not.
    CapturesOnly,
}

/// Hands out moves in stages.
pub struct Ordinary {
    mode: Mode,
    stage: Stage,
    table_move: Option<Move>,
    pub(super) list: Scored,
    bad_next: usize,
    skip_quiets: bool,
    threshold: Value,
}

impl Ordinary {
    fn new(mode: Mode, context: &Context<'_>, table_move: Option<Move>, threshold: Value) -> Ordinary {
        let table_move = table_move.filter(|&mv| context.board.is_legal(mv));
        Ordinary {
            mode,
            stage: if table_move.is_some() { Stage::TableMove } else { Self::first_stage(mode, context) },
            table_move,
            list: Scored::new(),
            bad_next: 0,
            skip_quiets: false,
            threshold,
        }
    }

    fn first_stage(mode: Mode, context: &Context<'_>) -> Stage {
        if context.board.in_check() && mode != Mode::CapturesOnly {
            Stage::GenerateEvasions
        } else {
            Stage::GenerateCaptures
        }
    }

    /// Every move of a node.
    pub fn all(context: &Context<'_>, table_move: Option<Move>) -> Ordinary {
        Ordinary::new(Mode::All, context, table_move, 0)
    }

    /// The moves of a quiescence node: evasions in check, otherwise captures and promotions that do not lose
    /// more than `see_margin`, and quiet checks if asked.
    pub fn quiescence(
        context: &Context<'_>,
        table_move: Option<Move>,
        see_margin: Value,
        quiet_checks: bool,
    ) -> Ordinary {
        let usable = |mv: &Move| context.board.in_check() || !mv.is_quiet();
        Ordinary::new(Mode::Quiescence { quiet_checks }, context, table_move.filter(usable), -see_margin)
    }

    /// Captures and promotions only, even in check.
    pub fn captures_only(context: &Context<'_>, table_move: Option<Move>, see_margin: Value) -> Ordinary {
        Ordinary::new(Mode::CapturesOnly, context, table_move.filter(|mv| !mv.is_quiet()), -see_margin)
    }

    /// Captures and promotions that win at least `threshold`.
    pub fn probcut(context: &Context<'_>, table_move: Option<Move>, threshold: Value) -> Ordinary {
        let good =
            |mv: &Move| !mv.is_quiet() && context.board.is_legal(*mv) && context.board.see_at_least(*mv, threshold);
        Ordinary::new(Mode::CapturesOnly, context, table_move.filter(good), threshold)
    }

    /// How much a capture may lose and still count as good: more if such captures have done well.
    #[inline(always)]
    fn leniency(&self, context: &Context<'_>, mv: Move) -> Value {
        let p = &context.history.capture_history;
        if self.mode == Mode::All && p.enabled && p.good_divisor > 0 {
            context.histories.capture(context.board, mv) / p.good_divisor
        } else {
            0
        }
    }

    /// From now on only captures and promotions.
    #[inline(always)]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Generates and scores the captures.
    #[inline(always)]
    pub(super) fn generate_captures(&mut self, context: &Context<'_>, counts: &mut PickerCounts) {
        let mut moves = MoveList::new();
        context.board.generate_captures(&mut moves);
        counts.captures_scored.add(moves.len() as u64);
        self.list.fill(&moves, self.table_move, |mv| scoring::capture(context, mv));
        self.stage = Stage::GoodCaptures;
    }

    /// The best capture that is left and holds in the exchange, which is not looked into where `sure` says that it does.
    #[inline(always)]
    pub(super) fn next_good_capture(
        &mut self,
        context: &Context<'_>,
        counts: &mut PickerCounts,
        sure: impl Fn(Move) -> bool,
    ) -> Option<Move> {
        while let Some((mv, _)) = self.list.take_best() {
            if sure(mv) {
                return Some(mv);
            }
            counts.see_calls.count();
            let queens = self.mode == Mode::All && mv.promotion() == Some(PieceKind::Queen);
            let threshold = self.threshold - self.leniency(context, mv);
            if queens || context.board.see_at_least(mv, threshold) {
                return Some(mv);
            }
            counts.losing.count_if(self.mode != Mode::All);
            if self.mode == Mode::All {
                self.list.set_aside(mv);
            }
        }
        None
    }

    /// The next move.
    pub fn next(&mut self, context: &Context<'_>, counts: &mut PickerCounts) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Self::first_stage(self.mode, context);
                    return self.table_move;
                }
                Stage::GenerateCaptures => self.generate_captures(context, counts),
                Stage::GoodCaptures => {
                    if let Some(mv) = self.next_good_capture(context, counts, |_| false) {
                        return Some(mv);
                    }
                    self.stage = match self.mode {
                        Mode::All => Stage::GenerateQuiets,
                        Mode::Quiescence { quiet_checks: true } => Stage::GenerateChecks,
                        _ => Stage::Done,
                    };
                }
                Stage::GenerateQuiets => {
                    self.list.clear();
                    if !self.skip_quiets {
                        let mut moves = MoveList::new();
                        context.board.generate_quiets(&mut moves);
                        let threats = ThreatMap::new(&context.params.threat_ordering, context.board, context.threats.0);
                        let quiets = scoring::QuietScorer::new(context);
                        self.list.fill(&moves, self.table_move, |mv| quiets.score_with_threats(&threats, mv));
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !self.skip_quiets
                        && let Some(mv) = self.next_quiet(context)
                    {
                        return Some(mv);
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    self.bad_next += 1;
                    if let Some(mv) = self.list.aside(self.bad_next - 1) {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    let mut moves = MoveList::new();
                    context.board.generate_evasions(&mut moves);
                    let (quiets, routes) = (scoring::QuietScorer::new(context), Routes::new(context));
                    self.list.fill(&moves, self.table_move, |mv| {
                        in_check_class_ordering::score(context, &quiets, &routes, mv)
                    });
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => {
                    while let Some((mv, _)) = self.list.take_best() {
                        if !(self.skip_quiets && mv.is_quiet()) {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateChecks => {
                    self.list.clear();
                    let mut moves = MoveList::new();
                    context.board.generate_quiets(&mut moves);
                    let quiets = scoring::QuietScorer::new(context);
                    for &mv in &moves {
                        if Some(mv) != self.table_move && context.board.gives_check(mv) {
                            let (score, tie) = quiets.score(mv);
                            self.list.push(mv, score, tie);
                        }
                    }
                    self.stage = Stage::Checks;
                }
                Stage::Checks => {
                    while let Some((mv, _)) = self.list.take_best() {
                        if context.board.see_at_least(mv, 0) {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }
}
