//! Strict order of quiet moves, as it was published: killers, then the countermove, then the rest by history, whatever history
//! says. By default all of them are added up, so that a good history can outrank a killer.

use super::Context;
use crate::base::idea;

idea! {
    /// Tries killers before the countermove, and both before all other quiet moves.
    StrictOrdering "UseStrictOrdering" (_, MO1) off {}
}

/// More than any history.
const CLASS: i32 = 1 << 22;

/// What a killer and the countermove are worth in ordering.
#[inline(always)]
pub(super) fn bonuses(context: &Context<'_>) -> [i32; 2] {
    let killers = &context.params.killers;
    let killer = if killers.enabled { killers.bonus } else { 0 };
    let countermove = context.history.countermoves.ordering_bonus();
    if !context.params.strict_ordering.enabled {
        return [killer, countermove];
    }
    [if killer > 0 { 2 * CLASS } else { 0 }, if countermove > 0 { CLASS } else { 0 }]
}
