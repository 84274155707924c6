//! Any text as lines of an EPD file with their operations: an error with a message, or a position and legal moves that are
//! wanted in it. What is wanted, written behind the position, reads the same.

#![no_main]

use chess::Score;
use lab::suite::problem::Problem;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        match Problem::parse(line, 1) {
            Err(error) => assert!(!error.is_empty()),
            Ok(problem) => check(&problem),
        }
    }
});

fn check(problem: &Problem) {
    let Problem { board, best, avoid, mate, .. } = problem;
    assert!(best.iter().chain(avoid).all(|&mv| board.is_legal(mv)));
    assert!(!(best.is_empty() && avoid.is_empty() && mate.is_none()));
    let solutions = board.legal_moves().iter().filter(|&&mv| problem.solved(mv, Some(Score::mate_in(1)))).count();
    assert!(best.is_empty() || solutions <= best.len());
    let wanted = problem.wanted().replace(", ", "; ");
    let again = Problem::parse(&format!("{} {wanted};", board.fen()), 1).expect("a good line");
    assert_eq!((&again.board, &again.best, &again.avoid, &again.mate), (board, best, avoid, mate));
}
