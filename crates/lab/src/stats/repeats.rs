//! The whole sequential test played with a book much shorter than the test, by engines that play the same opening the same
//! way again, as they do at fixed nodes. It errs as often as promised only if no opening comes twice.

use super::tests::{KINDS, at_truth};
use super::*;
use crate::book::Book;
use crate::rng::Rng;

/// As many pairs as the default test plays at most.
const MOST_PAIRS: u64 = 20_000;

/// The keys of the openings of a match with the first lines of the built-in book.
fn openings(lines: usize) -> Vec<u64> {
    let text: String = include_str!("../../openings.epd").lines().take(lines).flat_map(|line| [line, "\n"]).collect();
    let book = Book::unscored(&text, 1);
    (0..MOST_PAIRS).map(|pair| book.opening(pair).board().key()).collect()
}

/// How often the test said H0 and H1 in so many runs, in each of which an opening always has the same outcome.
fn verdicts(test: &Sprt, truth: f64, openings: &[u64], runs: u64) -> [f64; 2] {
    let p = at_truth(test, &KINDS[0].1, truth);
    let play = |run: u64| {
        let mut results = Pentanomial::default();
        let mut sure_until = 0;
        for &opening in openings {
            let mut draw = Rng::new(opening, run).unit();
            let outcome = p.iter().position(|&share| {
                draw -= share;
                draw < 0.0
            });
            results.0[outcome.unwrap_or(2)] += 1;
            if results.pairs() < sure_until {
                continue;
            }
            match test.verdict(&results) {
                Verdict::Undecided => sure_until = results.pairs() + pairs_to_bound(test, &results),
                verdict => return [u64::from(verdict == Verdict::H0), u64::from(verdict == Verdict::H1)],
            }
        }
        [0, 0]
    };
    let add = |[a, b]: [u64; 2], [c, d]: [u64; 2]| [a + c, b + d];
    let counts = std::thread::scope(|scope| {
        let half = |parity| scope.spawn(move || (parity..runs).step_by(2).map(play).fold([0, 0], add));
        [half(0), half(1)].into_iter().map(|half| half.join().expect("no panic")).fold([0, 0], add)
    });
    counts.map(|count| count as f64 / runs as f64)
}

/// At least so many pairs must come before a bound can be reached: none moves the ratio by more than twice what the most
/// decisive one moves it by now. Looking at the ratio only then saves nearly all of the time.
fn pairs_to_bound(test: &Sprt, results: &Pentanomial) -> u64 {
    let (lower, upper) = test.bounds();
    let llr = test.llr(results);
    let step = [0, 4].map(|place| {
        let mut next = *results;
        next.0[place] += 1;
        (test.llr(&next) - llr).abs()
    });
    let far = (upper - llr).min(llr - lower);
    (far / (2.0 * step[0].max(step[1]))) as u64
}

#[test]
fn the_default_test_errs_no_more_than_promised_with_a_hundred_openings() {
    let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalised };
    let openings = openings(100);
    let [_, wrong] = verdicts(&test, test.elo0, &openings, 2000);
    let [missed, _] = verdicts(&test, test.elo1, &openings, 2000);
    println!("H1 though H0 is true: {:.2} %, H0 though H1 is true: {:.2} %", 100.0 * wrong, 100.0 * missed);
    assert!(wrong <= 0.055 && missed <= 0.055, "{wrong} {missed}");
    // The same with the hundred openings again and again.
    let again: Vec<u64> = openings.iter().take(100).cycle().take(MOST_PAIRS as usize).copied().collect();
    let [_, wrong] = verdicts(&test, test.elo0, &again, 500);
    assert!(wrong > 0.2, "{wrong}: this simulation would not see it if openings came twice");
}
