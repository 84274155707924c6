//! One file an idea; the lists below are the index of those that act in the search. (Those of move ordering, of histories, of
//! the table and of time stand where they act: in `movepick`, `history`, `tt` and `time`.)

pub mod alpha_reduction;
pub mod aspiration;
pub mod delta_pruning;
pub mod endgame_guard;
pub mod eval_history;
pub mod expected_cutoffs;
pub mod fifty_move_scaling;
pub mod futility;
pub mod hindsight;
pub mod history_pruning;
pub mod improving;
pub mod internal_reduction;
pub mod late_move_pruning;
pub mod late_move_reductions;
pub mod lone_king;
pub mod mate_distance;
pub mod material_scaling;
pub mod multicut;
pub mod null_move;
pub mod one_reply_extension;
pub mod passed_pawn_extension;
pub mod probcut;
pub mod qsearch_checks;
pub mod quiescence_futility;
pub mod quiescence_see;
pub mod rank_aware_gates;
pub mod razoring;
pub mod recapture_extension;
pub mod refutation_history;
pub mod refuted_quiet;
pub mod reverse_futility;
pub mod see_pruning;
pub mod singular_extensions;
pub mod soft_cutoffs;
pub mod upcoming_repetition;

use crate::base::group;

group! {
    /// What the search does at a node, and with its moves.
    SearchParams, SearchCounts {
        quiescence: super::quiescence::Quiescence,
        qsearch_checks: qsearch_checks::QSearchChecks,
        delta_pruning: delta_pruning::DeltaPruning,
        quiescence_see: quiescence_see::QuiescenceSee,
        quiescence_futility: quiescence_futility::QuiescenceFutility,
        aspiration: aspiration::Aspiration,
        mate_distance: mate_distance::MateDistance,
        upcoming_repetition: upcoming_repetition::UpcomingRepetition,
        expected_cutoffs: expected_cutoffs::ExpectedCutoffs,
        lone_king: lone_king::LoneKing,
        material_scaling: material_scaling::MaterialScaling,
        fifty_move_scaling: fifty_move_scaling::FiftyMoveScaling,
        improving: improving::Improving,
        hindsight: hindsight::Hindsight,
        endgame_guard: endgame_guard::EndgameGuard,
        razoring: razoring::Razoring,
        reverse_futility: reverse_futility::ReverseFutility,
        null_move: null_move::NullMove,
        internal_reduction: internal_reduction::InternalReduction,
        probcut: probcut::ProbCut,
        multicut: multicut::Multicut,
        singular_extensions: singular_extensions::SingularExtensions,
        recapture_extension: recapture_extension::RecaptureExtension,
        passed_pawn_extension: passed_pawn_extension::PassedPawnExtension,
        one_reply_extension: one_reply_extension::OneReplyExtension,
        late_move_pruning: late_move_pruning::LateMovePruning,
        futility: futility::Futility,
        history_pruning: history_pruning::HistoryPruning,
        see_pruning: see_pruning::SeePruning,
        late_move_reductions: late_move_reductions::LateMoveReductions,
        eval_history: eval_history::EvalHistory,
        alpha_reduction: alpha_reduction::AlphaReduction,
        soft_cutoffs: soft_cutoffs::SoftCutoffs,
        refutation_history: refutation_history::RefutationHistory,
        refuted_quiet: refuted_quiet::RefutedQuiet,
        rank_aware_gates: rank_aware_gates::RankAwareGates,
    }
}
