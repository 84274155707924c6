//! The bench as a command: its arguments, and what the search counted, as tables.

use std::process::ExitCode;

use engine::Count;
use engine::telemetry::Telemetry;
use engine::{Control, Engine};
use uci::SetOption;

use super::{DEPTH, HASH, games, measure};
use crate::options::{self, Settings};
use crate::output::say;

/// Search a fixed set of positions with the network of this build; the node count names this version of the search
#[derive(clap::Args)]
pub struct Arguments {
    /// Depth in plies
    #[arg(default_value_t = DEPTH, value_parser = clap::value_parser!(i32).range(1..=100))]
    depth: i32,
    /// Size of the table in MiB
    #[arg(long, default_value_t = HASH as u32, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Search threads; with more than one the count varies
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Set an engine option first, as NAME=VALUE; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Print what the search did, as tables (needs a build with the telemetry feature)
    #[arg(long)]
    stats: bool,
}

/// Runs the bench.
pub fn run(arguments: &Arguments) -> ExitCode {
    match bench(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            crate::complain(message);
            ExitCode::FAILURE
        }
    }
}

fn bench(arguments: &Arguments) -> Result<(), String> {
    let mut engine = Engine::new(arguments.hash as usize).map_err(|error| error.to_string())?;
    engine.set_threads(arguments.threads as usize);
    for option in &arguments.options {
        let (name, value) = option.split_once('=').ok_or(format!("--option {option}: expected NAME=VALUE"))?;
        let option = SetOption::new(name.trim(), value.trim());
        options::set(&option, &mut Settings::default(), &mut engine).map_err(|error| error.to_string())?;
    }
    if arguments.stats && !Telemetry::ENABLED {
        return Err(
            "--stats needs a build with counters: cargo run --release --features telemetry -- bench --stats".into()
        );
    }
    let total = measure(&mut engine, arguments.depth, &Control::default())?;
    if arguments.stats {
        print_stats(&engine.telemetry(), arguments.depth);
    }
    say(total);
    Ok(())
}

/// The counters as tables: the shares that matter first, then everything.
fn print_stats(telemetry: &Telemetry, depth: i32) {
    let Telemetry { nodes, picker, search, history, tables, .. } = telemetry;
    let percent = |part: Count, whole: Count| match whole.get() {
        0 => 0.0,
        whole => 100.0 * part.get() as f64 / whole as f64,
    };
    let (main, quiescence) = (nodes.main.get() as f64, search.quiescence.nodes.get() as f64);
    let all = main + quiescence;
    let positions = games().map_or(1, |games| games.len()) as f64;
    let branching = (all / positions).powf(1.0 / f64::from(depth));
    let rows = [
        ("first-move cutoffs, of all cutoffs above quiescence", percent(nodes.first_move_cutoffs, nodes.cutoffs)),
        (
            "first-move cutoffs, of all cutoffs in quiescence",
            percent(search.quiescence.first_move_cutoffs, search.quiescence.cutoffs),
        ),
        ("quiescence nodes, of all nodes", 100.0 * quiescence / all.max(1.0)),
        ("table hits, of probes", percent(tables.clustered_tt.hits, tables.clustered_tt.probes)),
        ("table cutoffs, of probes", percent(tables.clustered_tt.cutoffs, tables.clustered_tt.probes)),
        ("stand-pat cutoffs, of quiescence nodes", percent(search.quiescence.stand_pat, search.quiescence.nodes)),
        ("null moves that cut, of those tried", percent(search.null_move.fired, search.null_move.tried)),
        (
            "reverse futility cuts, of nodes asked",
            percent(search.reverse_futility.fired, search.reverse_futility.tried),
        ),
        ("razoring that failed low, of those tried", percent(search.razoring.fired, search.razoring.tried)),
        ("ProbCut cuts, of those tried", percent(search.probcut.fired, search.probcut.tried)),
        (
            "reduced searches repeated",
            percent(search.late_move_reductions.repeated, search.late_move_reductions.reduced),
        ),
        ("countermove hits, of probes", percent(history.countermoves.hits, history.countermoves.probes)),
        ("cutoffs by countermove, of all cutoffs", percent(history.countermoves.cutoffs, nodes.cutoffs)),
        ("SEE calls, of captures scored", percent(picker.see_calls, picker.captures_scored)),
    ];
    say(format_args!("{:<44} {:>8}", "share", "%"));
    for (name, value) in rows {
        say(format_args!("{name:<44} {value:>8.2}"));
    }
    say(format_args!("{:<44} {branching:>8.3}\n", "effective branching factor"));
    say(format_args!("{:<44} {:>14} {:>12}", "counter", "count", "per 1k nodes"));
    for (name, events) in telemetry.list() {
        say(format_args!("{name:<44} {events:>14} {:>12.3}", 1000.0 * events as f64 / all.max(1.0)));
    }
    say("");
}
