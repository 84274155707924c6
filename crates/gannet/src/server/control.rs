//! Who may print a best move, and when: the state machine of search control.
//!
//! ```text
//!                      go                             finished, not held: print
//!    ┌──────┐ ───────────────────▶ ┌────────────────┐ ───────────────────▶ Idle
//!    │ Idle │                      │ Searching      │
//!    └──────┘ ◀─────────────────── │ held by ponder │ ── finished, held ──▶ ┌─────────┐
//!        ▲      bench, perft done  │ or infinite?   │                       │ Holding │
//!        │         ┌──────────┐    └────────────────┘                       └─────────┘
//!        └──────── │ Counting │      stop: ask the search to end, release     stop, or ponderhit unless
//!                  └──────────┘      ponderhit: release ponder                infinite: print ──▶ Idle
//! ```
//!
//! - Each accepted `go` enters `Searching` and leaves with exactly one best move: on `finished` if nothing holds it,
//!   else from `Holding` when it is released. While idle, `stop` and `ponderhit` do nothing.
//!   (`go perft` is a count and gives none.) One that cannot be carried out gives a complaint and `bestmove 0000`, held like any
//!   other; a search that breaks down gives a legal move. After a `position` that was not understood there is nothing to search.
//! - `infinite` is released by `stop` alone, `ponder` by `stop` or `ponderhit`. A search that ends by itself while held
//!   (mate, depth exhausted, no legal move) waits in `Holding`, where nothing runs.
//! - `go` first ends what is going on, as `stop` would, its best move included; so do the counts below. `quit` and the
//!   end of input do the same and leave, after a tenth of a second at the latest.
//! - Nothing else ends a search. `position` and `flip` are for the next one; `setoption`, `ucinewgame` and `eval` need
//!   the engine, and are carried out when it is back, right after the best move or as soon as it is held.
//! - `Counting` is what gives no best move: `bench`, `perft`, `speedtest`. Commands that come meanwhile, `quit` too, wait
//!   for its end, so that scripts work; `stop` ends it early and `isready` is answered at once. `wait` asks for the
//!   same during a search that has a limit; one without an end cannot be waited for, and `wait` is refused with a
//!   complaint. A `go` that waits has its time from when its turn comes, and a `stop` or `ponderhit` behind it is meant for it as well.
//! - `go perft` counts too, but is a `go`: `quit` and the end of input end it, unless `wait` has asked for its end.

use std::sync::Arc;

use engine::Control;
use uci::Hold;

fn is_held(hold: Hold) -> bool {
    hold.ponder || hold.infinite
}

/// What is going on.
#[derive(Debug, Default)]
pub enum State {
    /// Nothing.
    #[default]
    Idle,
    /// A search is running.
    Searching {
        /// Its signals.
        control: Arc<Control>,
        /// What its best move has to wait for.
        hold: Hold,
        /// Whether it has a limit, and ends by itself.
        limited: bool,
    },
    /// A search has ended, but its best move has to wait.
    Holding {
        /// The line to print.
        best: String,
        /// What it waits for.
        hold: Hold,
    },
    /// Something without a best move is running.
    Counting {
        /// Its signals.
        control: Arc<Control>,
        /// Whether `quit` and the end of input wait for its end.
        lasts: bool,
    },
}

impl State {
    /// The state after a search has been started.
    pub fn searching(control: Arc<Control>, hold: Hold, limited: bool) -> State {
        control.set_pondering(hold.ponder);
        State::Searching { control, hold, limited }
    }

    /// Whether the search thread is at work.
    pub fn is_running(&self) -> bool {
        matches!(self, State::Searching { .. } | State::Counting { .. })
    }

    /// Whether this goes on until a command comes: the best move is held, or the search has no limit.
    pub fn is_endless(&self) -> bool {
        match self {
            State::Searching { control, hold, limited } => is_held(*hold) || !limited && !control.is_stopped(),
            State::Holding { .. } => true,
            State::Idle | State::Counting { .. } => false,
        }
    }

    /// `stop`: ends what is running and releases its best move. Returns the line to print, if it is due.
    #[must_use]
    pub fn stop(&mut self) -> Option<String> {
        if let State::Searching { control, .. } | State::Counting { control, .. } = self {
            control.stop();
        }
        self.release(|hold| *hold = Hold::default())
    }

    /// `ponderhit`: the expected move was played, the clock runs. Returns the line to print, if it is due.
    #[must_use]
    pub fn ponderhit(&mut self) -> Option<String> {
        if let State::Searching { control, .. } = self {
            control.set_pondering(false);
        }
        self.release(|hold| hold.ponder = false)
    }

    /// Lets the search end by itself: nobody will come to release its best move. Returns the line to print, if it is
    /// due.
    #[must_use]
    pub fn let_go(&mut self) -> Option<String> {
        if let State::Searching { control, .. } = self {
            control.set_pondering(false);
        }
        self.release(|hold| *hold = Hold::default())
    }

    /// The search thread is done; `best` is none after counting. Returns the line to print, if it is due.
    #[must_use]
    pub fn finished(&mut self, best: Option<String>) -> Option<String> {
        match (std::mem::take(self), best) {
            (State::Searching { hold, .. }, Some(best)) => self.hold(best, hold),
            (_, best) => best,
        }
    }

    /// A best move without a search. Returns the line to print, unless it has to wait.
    #[must_use]
    pub fn hold(&mut self, best: String, hold: Hold) -> Option<String> {
        *self = State::Holding { best, hold };
        self.release(|_| ())
    }

    fn release(&mut self, change: impl Fn(&mut Hold)) -> Option<String> {
        if let State::Searching { hold, .. } | State::Holding { hold, .. } = self {
            change(hold);
        }
        match self {
            State::Holding { best, hold } if !is_held(*hold) => {
                let best = std::mem::take(best);
                *self = State::Idle;
                Some(best)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl State {
        fn is_idle(&self) -> bool {
            matches!(self, State::Idle)
        }
    }

    const PONDER: Hold = Hold { ponder: true, infinite: false };
    const INFINITE: Hold = Hold { ponder: false, infinite: true };

    fn searching(hold: Hold) -> State {
        State::searching(Arc::default(), hold, true)
    }

    fn finish(state: &mut State) -> Option<String> {
        state.finished(Some("bestmove".into()))
    }

    #[test]
    fn a_plain_search_prints_when_it_is_done() {
        let mut state = searching(Hold::default());
        assert_eq!(state.ponderhit(), None);
        assert!(finish(&mut state).is_some() && state.is_idle());
        assert_eq!(state.stop(), None);
        assert_eq!(state.ponderhit(), None);
    }

    #[test]
    fn an_infinite_one_prints_after_stop_alone() {
        let mut state = searching(INFINITE);
        assert_eq!(finish(&mut state), None);
        assert!(!state.is_idle() && !state.is_running());
        assert_eq!(state.ponderhit(), None);
        assert!(state.stop().is_some() && state.is_idle());

        let mut state = searching(INFINITE);
        assert_eq!(state.stop(), None);
        assert!(finish(&mut state).is_some());
    }

    #[test]
    fn a_pondering_one_prints_after_ponderhit_or_stop() {
        for release in [State::ponderhit, State::stop] {
            let mut state = searching(PONDER);
            assert_eq!(finish(&mut state), None);
            assert!(release(&mut state).is_some() && state.is_idle());

            let mut state = searching(PONDER);
            assert_eq!(release(&mut state), None);
            assert!(finish(&mut state).is_some() && state.is_idle());
        }
        let mut both = searching(Hold { ponder: true, infinite: true });
        assert_eq!(both.ponderhit(), None);
        assert_eq!(finish(&mut both), None);
        assert!(both.stop().is_some());
    }

    #[test]
    fn what_has_no_end_of_its_own_is_told_apart() {
        assert!(!State::Idle.is_endless() && !searching(Hold::default()).is_endless());
        assert!(State::searching(Arc::default(), Hold::default(), false).is_endless());
        let mut state = State::searching(Arc::default(), INFINITE, false);
        assert!(state.is_endless() && state.stop().is_none() && !state.is_endless());
        let mut state = searching(PONDER);
        assert!(state.is_endless());
        assert_eq!(state.ponderhit(), None);
        assert!(!state.is_endless());
        let mut state = searching(INFINITE);
        assert!(state.is_endless() && finish(&mut state).is_none() && state.is_endless());
    }

    #[test]
    fn pondering_is_told_to_the_search() {
        let control = Arc::<Control>::default();
        let mut state = State::searching(Arc::clone(&control), PONDER, true);
        assert!(control.is_pondering());
        assert_eq!(state.ponderhit(), None);
        assert!(!control.is_pondering() && !control.is_stopped());
        assert_eq!(state.stop(), None);
        assert!(control.is_stopped());
    }

    #[test]
    fn counting_gives_no_best_move() {
        let mut state = State::Counting { control: Arc::default(), lasts: true };
        assert_eq!(state.stop(), None);
        assert!(state.is_running());
        assert_eq!(state.finished(None), None);
        assert!(state.is_idle());
    }
}
