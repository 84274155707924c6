//! Work that several threads do together; where no others can be had, one does it all.

use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

/// Does something to every item, with so many threads at most. The calling one is among them.
pub fn for_each<T: Send>(items: impl Iterator<Item = T> + Send, threads: usize, work: impl Fn(T) + Sync) {
    let items = Mutex::new(items);
    let help = || {
        loop {
            let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(item) = next else { break };
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be had is done without.
            let _ = Builder::new().spawn_scoped(scope, help);
        }
        help();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_has_its_turn_once() {
        for threads in [0, 1, 3, 50] {
            let mut items = [0; 20];
            for_each(items.iter_mut(), threads, |item| *item += 1);
            assert_eq!(items, [1; 20]);
        }
    }
}
