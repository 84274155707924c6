//! Late move reductions (LMR): moves late in a good ordering are searched less deeply, and again in full only
//! if they surprise. Most of the depth of a modern engine comes from here.

use chess::{Board, Score};

use crate::base::idea;
use crate::search::carriers::{Candidate, Kind, Node, NonPv};
use crate::search::worker::Worker;

/// Reductions are counted in these fractions of a ply.
pub const PLY: i32 = 1024;

idea! {
    /// Searches late moves less deeply first, and again in full only if they surprise.
    /// All terms are in 1024ths of a ply.
    LateMoveReductions "UseLateMoveReductions" (LMR, SS4) {
        /// The least depth it works at.
        min_depth = 3 in 1..=6 step 1;
        /// Constant part for quiet moves.
        quiet_base = 874 in 0..=2000 step 60;
        /// Divides the product of logarithms for quiet moves, in hundredths.
        quiet_divisor = 286 in 120..=500 step 12;
        /// Constant part for captures.
        capture_base = -344 in -500..=1500 step 60;
        /// Divides the product of logarithms for captures, in hundredths.
        capture_divisor = 351 in 150..=600 step 15;
        /// Less on the principal variation.
        pv_factor = 688 in 0..=2048 step 80;
        /// Less where the position was once on a principal variation.
        was_pv_factor = 372 in 0..=2048 step 80;
        /// More where a cutoff is expected.
        cut_factor = 1483 in 0..=3072 step 100;
        /// More where a cutoff is expected and the table has no move for it.
        no_move_factor = 0 in 0..=3072 step 100;
        /// More when the evaluation is not improving.
        worsening_factor = 1048 in 0..=2048 step 80;
        /// Less for a move that gives check.
        check_factor = 1654 in 0..=2048 step 80;
        /// Less for killers and countermoves.
        killer_factor = 944 in 0..=2048 step 80;
        /// More when the table move is a capture: the quiet moves are then seldom best.
        noisy_table_factor = 1192 in 0..=2048 step 80;
        /// More when the next ply has been cutting a lot.
        cutoffs_factor = 1623 in 0..=2048 step 80;
        /// A reduced search that beats the best score by this much is repeated a ply deeper.
        deeper_margin = 107 in 0..=1000 step 8;
        /// One that beats it by less than this is repeated a ply shallower.
        shallower_margin = 3 in 0..=60 step 2;
        /// A history of this size is worth a whole ply.
        history_divisor = 14647 in 3000..=30000 step 600;
    }
    counts LateMoveReductionsCounts { reduced, repeated }
}

/// The next ply is cutting a lot if it has cut more often than this.
const MANY_CUTOFFS: i32 = 3;

impl Worker<'_> {
    /// How deep a move would be searched at first, by its number and its history alone. Pruning goes by this.
    #[inline(always)]
    pub(in crate::search) fn reduced_depth(&self, node: &Node, candidate: &Candidate) -> i32 {
        let history = candidate.history * PLY / self.params.search.late_move_reductions.history_divisor;
        node.depth - 1 - (self.reductions.base(node.depth, candidate.number, candidate.quiet) - history) / PLY
    }

    /// Late move reductions: the score of a shallower search, and whether to look again, now at `new_depth`. Nothing
    /// where the move is not to be reduced.
    #[inline(always)]
    pub(in crate::search) fn late_move_reductions<K: Kind>(
        &mut self,
        child: &Board,
        node: &Node,
        candidate: &Candidate,
        new_depth: &mut i32,
    ) -> Option<(Score, bool)> {
        let p = &self.params.search.late_move_reductions;
        if !p.enabled || node.depth < p.min_depth || candidate.number <= 1 + usize::from(K::ROOT) {
            return None;
        }
        let many_cutoffs = self.frames.at(node.ply + 1).cutoffs > MANY_CUTOFFS;
        let reduction = reduction(p, self.reductions, node, candidate, many_cutoffs);
        let reduced = (*new_depth - reduction / PLY).clamp(1.min(*new_depth), (*new_depth).max(1));
        if reduced >= *new_depth {
            return None;
        }
        self.telemetry.search.late_move_reductions.reduced.count();
        let (alpha, ply) = (node.alpha, node.ply);
        self.frames.at_mut(ply).reduction = *new_depth - reduced;
        let score = -self.search::<NonPv>(child, -(alpha + 1), -alpha, reduced, ply + 1, true);
        self.frames.at_mut(ply).reduction = 0;
        let surprising = score > alpha;
        self.telemetry.search.late_move_reductions.repeated.count_if(surprising);
        self.note_research(node, candidate, surprising);
        if !surprising {
            return Some((score, false));
        }
        // How clearly it surprised decides how deep the second look is.
        *new_depth += i32::from(score > node.best_score + p.deeper_margin);
        *new_depth -= i32::from(score < node.best_score + p.shallower_margin);
        Some((score, *new_depth > reduced))
    }
}

/// The reduction in 1024ths of a ply; may be negative.
#[inline(always)]
fn reduction(
    p: &LateMoveReductions,
    table: &Reductions,
    node: &Node,
    candidate: &Candidate,
    many_cutoffs: bool,
) -> i32 {
    let Some(change) = candidate.reduction else { return 0 };
    let mut r = table.base(node.depth, candidate.number, candidate.quiet) + change;
    // The principal variation deserves care, and so does what once was one.
    r -= i32::from(node.pv) * p.pv_factor;
    r -= i32::from(node.was_pv) * p.was_pv_factor;
    // Where a cutoff is expected it comes from an early move.
    r += i32::from(node.cut) * p.cut_factor;
    r += i32::from(node.cut && node.table_move.is_none()) * p.no_move_factor;
    r += i32::from(!node.improving) * p.worsening_factor;
    // Forcing and proven moves are more than late moves.
    r -= i32::from(candidate.gives_check) * p.check_factor;
    r -= i32::from(candidate.refutation) * p.killer_factor;
    // After a good capture the quiet moves are seldom best.
    r += i32::from(node.table_move.is_some_and(|mv| !mv.is_quiet())) * p.noisy_table_factor;
    // Where the replies cut so often, so will the reply to this move.
    r += i32::from(many_cutoffs) * p.cutoffs_factor;
    // Good history less, bad history more.
    r - candidate.history * PLY / p.history_divisor
}

/// The products of logarithms, made once for a set of parameters.
#[derive(Clone)]
pub struct Reductions {
    made_for: LateMoveReductions,
    table: Box<[[[i16; 64]; 64]; 2]>,
}

impl Reductions {
    /// The tables for these parameters.
    pub fn new(p: &LateMoveReductions) -> Reductions {
        let mut table = Box::new([[[0; 64]; 64]; 2]);
        let logs: [f64; 64] = std::array::from_fn(|number| ln(number as u32));
        let forms = [(p.capture_base, p.capture_divisor), (p.quiet_base, p.quiet_divisor)];
        for (quiet, (base, divisor)) in forms.into_iter().enumerate() {
            for depth in 1..64 {
                for number in 1..64 {
                    let plies = logs[depth] * logs[number] * 100.0 / f64::from(divisor);
                    table[quiet][depth][number] = (f64::from(base) + plies * f64::from(PLY)).max(0.0) as i16;
                }
            }
        }
        Reductions { made_for: p.clone(), table }
    }

    /// Makes the tables anew if the parameters have changed.
    pub fn keep_up(&mut self, p: &LateMoveReductions) {
        if self.made_for != *p {
            *self = Reductions::new(p);
        }
    }

    /// The raw reduction, before any correction, in 1024ths of a ply.
    #[inline(always)]
    pub fn base(&self, depth: i32, number: usize, quiet: bool) -> i32 {
        i32::from(self.table[usize::from(quiet)][depth.clamp(0, 63) as usize][number.min(63)])
    }
}

/// The natural logarithm by its series, with nothing but additions, multiplications and divisions: the library's
/// own may differ in the last bit from system to system, and with it the bench.
fn ln(number: u32) -> f64 {
    // number = 2^twos · x with x in [1, 2), and ln x = 2 artanh((x − 1) / (x + 1)).
    let twos = number.max(1).ilog2();
    let x = f64::from(number.max(1)) / f64::from(1u32 << twos);
    let y = (x - 1.0) / (x + 1.0);
    let (mut term, mut sum) = (y, 0.0);
    for odd in (1..40).step_by(2) {
        sum += term / f64::from(odd);
        term *= y * y;
    }
    2.0 * sum + f64::from(twos) * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_is_reduced_more() {
        let table = Reductions::new(&LateMoveReductions::default());
        for depth in 1..63 {
            for number in 1..63 {
                for quiet in [false, true] {
                    assert!(table.base(depth, number, quiet) <= table.base(depth + 1, number, quiet));
                    assert!(table.base(depth, number, quiet) <= table.base(depth, number + 1, quiet));
                }
            }
        }
        assert_eq!(table.base(0, 5, true), 0);
        assert_eq!(table.base(500, 500, true), table.base(63, 63, true));
    }

    #[test]
    fn the_logarithm_is_right() {
        for number in 1..64 {
            assert!((ln(number) - f64::from(number).ln()).abs() < 1e-12);
        }
    }

    #[test]
    fn each_term_pulls_its_way() {
        let p = LateMoveReductions::default();
        let table = Reductions::new(&p);
        let node = Node { improving: true, cut: false, ..Node::example(10, 0, 0) };
        let late = Candidate::example(12, 0);
        let at = |node: &Node, candidate: &Candidate| reduction(&p, &table, node, candidate, false);
        let plain = at(&node, &late);
        assert!(at(&Node { pv: true, ..node }, &late) < plain);
        assert!(at(&Node { was_pv: true, ..node }, &late) < plain);
        assert!(at(&Node { cut: true, ..node }, &late) > plain);
        assert!(at(&Node { improving: false, ..node }, &late) > plain);
        assert!(at(&node, &Candidate { gives_check: true, ..late }) < plain);
        assert!(at(&node, &Candidate { refutation: true, ..late }) < plain);
        assert!(at(&node, &Candidate { history: 5000, ..late }) < plain);
        assert!(at(&node, &Candidate { history: -5000, ..late }) > plain);
        assert_eq!(at(&node, &Candidate { reduction: Some(PLY), ..late }), plain + PLY);
        assert_eq!(at(&node, &Candidate { reduction: None, ..late }), 0);
        assert!(reduction(&p, &table, &node, &late, true) > plain);
    }
}
