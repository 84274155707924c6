//! Runs are found by what is asked for, and shown a line each.

use clap::Parser;

use super::*;
use crate::register::{Found, Number, Side, Standing, Status, Test, Tuning};
use crate::stats::{Model, Sprt, Verdict};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    filter: Filter,
}

fn side(name: &str) -> Side {
    Side { name: name.to_string(), ..Side::default() }
}

fn runs() -> Vec<Entry> {
    let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalised };
    let test = Test {
        pentanomial: [3, 20, 50, 25, 4],
        games: [60, 100, 44],
        sprt: Some(sprt),
        llr: Some(2.97),
        verdict: Some(Verdict::H1),
        path: Vec::new(),
    };
    let base = |command: &str, date: &str, found| Entry {
        command: command.to_string(),
        date: date.to_string(),
        limit: "25000 nodes".to_string(),
        book: "built-in book".to_string(),
        games: 204,
        seconds: 7300.0,
        found,
        ..Entry::default()
    };
    let number = Number { name: "NullMove_base".to_string(), start: 3.0, value: 4.25, step: 1.0 };
    let standing = Standing { name: "Fish".to_string(), elo: 12.0, error: 3.0, games: [1, 2, 3] };
    vec![
        Entry {
            engines: vec![side("UseNullMove=false"), side("defaults")],
            distinct_games: Some(200),
            ..base("sprt", "2026-11-01 10:00", Found::Test(test.clone()))
        },
        Entry {
            status: Status::Interrupted,
            ..base("sprt", "2026-11-02 10:00", Found::Test(Test { verdict: Some(Verdict::Undecided), ..test }))
        },
        base("spsa", "2026-11-03 10:00", Found::Tuning(Tuning { pairs: 9, numbers: vec![number], path: Vec::new() })),
        Entry { limit: "8+0.08 s".to_string(), ..base("match", "2026-11-04 10:00", Found::Standings(vec![standing])) },
    ]
}

#[test]
fn runs_are_found() {
    let found = |words: &[&str]| {
        let filter = Line::parse_from([&["lab"], words].concat()).filter;
        filter.choose(runs()).iter().map(|entry| entry.date[8..10].parse().expect("a day")).collect::<Vec<u32>>()
    };
    assert_eq!(found(&[]), [1, 2, 3, 4]);
    assert_eq!(found(&["--last", "2"]), [3, 4]);
    assert_eq!(found(&["--command", "sprt"]), [1, 2]);
    assert_eq!(found(&["--find", "nullmove"]), [1, 3]);
    assert_eq!(found(&["--find", "fish"]), [4]);
    assert_eq!(found(&["--limit", "8+0.08"]), [4]);
    assert_eq!(found(&["--verdict", "H1"]), [1]);
    assert_eq!(found(&["--verdict", "unfinished"]), [2]);
    assert_eq!(found(&["--since", "2026-11-02", "--until", "2026-11-04"]), [2, 3]);
    assert_eq!(found(&["--games", "205"]), [0u32; 0]);
}

#[test]
fn the_table_says_what_was_found() {
    let text = table::text(&runs());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[1].contains("UseNullMove=false against defaults") && lines[1].contains("204 (200 differ)"), "{text}");
    assert!(lines[1].contains("LLR 2.97") && lines[1].contains("H1") && lines[1].ends_with("2.0 h"), "{text}");
    assert!(lines[2].contains("unfinished"), "{text}");
    assert!(lines[3].contains("NullMove_base 3 to 4"), "{text}");
    assert!(lines[4].contains("Fish +12 ± 3"), "{text}");
    assert_eq!(table::text(&[]), "no runs\n");
}

#[test]
fn documents_get_tables() {
    let text = markdown::text(&runs());
    for line in [
        "| A against B | limit | Elo | test | LLR | verdict | games | pairs | date | bench |",
        "| UseNullMove=false against defaults | 25000 nodes | +11.9 ± 28.5 | [0, 5] | 2.97 | H1 | 204 (200 differ) | [3, 20, 50, 25, 4] | 2026-11-01 | — |",
        "| NullMove_base | 3 | 4.2 | +1.25 |",
        "| Fish | +12.0 ± 3.0 | 1 | 2 | 3 |",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
}

#[test]
fn tables_of_documents_are_made_anew() {
    let old = "Before.\n\n<!-- results --find NullMove --command sprt -->\nanything\n<!-- end -->\n\nAfter.\n";
    let (new, tables) = document::renewed(old, &runs()).expect("a document");
    assert!(new.starts_with("Before.\n\n<!-- results --find NullMove --command sprt -->\n| A against B"), "{new}");
    assert!(new.ends_with("|\n<!-- end -->\n\nAfter.\n") && !new.contains("anything") && tables == 1, "{new}");
    assert_eq!(document::renewed(&new, &runs()), Ok((new.clone(), 1)));
    let quoted = "<!-- results --limit \"25000 nodes\" --command match --> <!-- end -->";
    assert!(document::renewed(quoted, &runs()).is_ok_and(|(new, _)| !new.contains('|')));
    for (bad, told) in [
        ("\n<!-- results --find x", "line 2: expected -->"),
        ("<!-- results --> no end", "line 1: expected <!-- end -->"),
        ("<!-- results --nonsense --><!-- end -->", "--nonsense"),
    ] {
        let error = document::renewed(bad, &runs()).expect_err(bad);
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn the_page_shows_every_run_and_needs_nothing_else() {
    let mut runs = runs();
    if let Found::Test(test) = &mut runs[0].found {
        test.path = (1..50u64).map(|n| (2 * n, 12.0, 80.0 / n as f64, 0.06 * n as f64)).collect();
    }
    runs[0].engines[0].name = "<b>&\"".to_string();
    let page = page::html(&runs);
    assert!(page.contains("&lt;b&gt;&amp;&quot; against defaults") && !page.contains("<b>"));
    for text in ["Log-likelihood ratio", "<polygon", "NullMove_base", "Fish", "H1 3.00", "unfinished"] {
        assert!(page.contains(text), "{text}");
    }
    let elsewhere = ["src=", "<link", "url(", "@import", "<script"];
    assert!(elsewhere.iter().all(|text| !page.contains(text)));
    for tag in ["li", "ol", "svg", "div", "h2", "h3", "table", "span", "main"] {
        let count = |text: &str| page.matches(text).count();
        assert_eq!(count(&format!("<{tag}>")) + count(&format!("<{tag} ")), count(&format!("</{tag}>")), "{tag}");
    }
    assert!(!page.contains("NaN") && !page::html(&[]).contains("NaN"));
}
