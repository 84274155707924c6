//! `gannet-lab wdl`: how scores turn into wins, draws and losses. Fits the model of [`engine::wdl`] on self-play, so
//! that its numbers can be brought up to date after each network.

mod counts;
mod fit;
mod picture;
mod report;

use std::path::PathBuf;

use clap::Args;
use engine::Source;
use indicatif::ProgressBar;

use self::counts::{Counts, Wanted};
use self::report::Report;
use crate::data::{self, shards_in_order};
use crate::failure::{Failure, Result};
use crate::files;
use crate::pool;

const EXAMPLES: &str = "\
Examples:
  gannet-lab wdl data/e --out wdl.json --plot wdl.svg
  gannet-lab wdl data/f --net nets/new.gnet
  gannet-lab wdl data/a --net \"<bootstrap>\"

The line that begins with pub const goes into crates/engine/src/wdl.rs.";

/// Fewer positions cannot fix eight coefficients.
const LEAST: u64 = 10_000;

/// Fit how scores turn into wins, draws and losses
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    source: data::Source,
    /// The network whose games count: a file, or <bootstrap> [default: the network of this build]
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    net: String,
    /// Take the games of every network
    #[arg(long, conflicts_with = "net")]
    any_net: bool,
    /// Leave out so many plies at the beginning of the game, random ones included
    #[arg(long, default_value_t = 16, value_name = "PLIES")]
    first_ply: u32,
    /// Write the figures to this file too, as JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw what was observed and what was fitted, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let network = Source::load(&arguments.net).map_err(|error| Failure::new(format!("--net: {error}")))?;
    let net = (!arguments.any_net).then(|| network.id());
    let wanted = Wanted { net, first_ply: arguments.first_ply };
    let paths = arguments.source.shards()?;
    pool::catch_interrupts()?;
    let bar = ProgressBar::new(paths.len() as u64);
    let mut counts = Counts::new();
    shards_in_order(
        &paths,
        arguments.source.threads(),
        |shard| Ok(Counts::of_shard(shard, &wanted)),
        |part| {
            for fault in &part.faults {
                bar.suspend(|| eprintln!("{fault}"));
            }
            counts.merge(part);
            bar.inc(1);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    if counts.positions < LEAST {
        return Err(too_few(&counts, &wanted));
    }
    let report = Report::new(&counts, &wanted)?;
    if let Some(path) = &arguments.out {
        files::write_json(path, &report)?;
    }
    if let Some(path) = &arguments.plot {
        files::write(path, &picture::draw(&counts.bins(), &report.model()))?;
    }
    println!("{}", report.text().trim_end());
    Ok(())
}

/// What there is instead of enough positions.
fn too_few(counts: &Counts, wanted: &Wanted) -> Failure {
    let whose = wanted.net.map_or(String::new(), |net| format!(" by network {net:08x}"));
    let others: Vec<String> = counts.others.iter().map(|(net, games)| format!("{net:08x} ({games})")).collect();
    let others = if others.is_empty() { String::new() } else { format!("; games by others: {}", others.join(", ")) };
    Failure::new(format!(
        "{} positions in {} games{whose}; at least {LEAST} positions are needed{others}",
        counts.positions, counts.games
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Header, ShardWriter, encode, folder, random_game};
    use crate::rng::Rng;
    use chess::{Color, Score, Value};

    /// Positions as another way of counting finds them: wins, draws, losses of whoever is ahead, and the material.
    #[test]
    fn counting_is_right_whatever_the_threads() {
        let folder = folder("wdl");
        let mut rng = Rng::new(5, 0);
        let games: Vec<_> = (0..120).map(|_| random_game(&mut rng)).collect();
        for (part, games) in games.chunks(40).enumerate() {
            let path = folder.join(format!("{part}.games"));
            let mut writer = ShardWriter::new(0, Header::default(), move |_| path.clone());
            for game in games {
                let mut bytes = Vec::new();
                encode(&mut bytes, game);
                writer.write(&bytes).expect("written");
            }
            writer.close().expect("closed");
        }
        let net = games[0].info.net;
        let wanted = Wanted { net: Some(net), first_ply: 16 };
        let (mut expected, mut material) = ([0u64; 3], 0i64);
        for game in games.iter().filter(|game| game.info.net == net) {
            let mut board = game.info.start.clone();
            for ply in &game.plies {
                let score = Value::from(ply.score);
                if crate::records::game_ply(&board) >= 16 && !Score(score).is_decisive() {
                    let ahead = if score < 0 { Color::Black } else { Color::White };
                    expected[2 - usize::from(game.info.result.half_points(ahead))] += 1;
                    material += i64::from(engine::wdl::material(&board).clamp(8, 78));
                }
                board.make(ply.mv);
            }
        }
        let paths = crate::records::shards(std::slice::from_ref(&folder)).expect("listed");
        for threads in [1, 3] {
            let mut counts = Counts::new();
            let count = |shard: &crate::records::Shard| Ok(Counts::of_shard(shard, &wanted));
            let merge = |part| {
                counts.merge(part);
                Ok(())
            };
            shards_in_order(&paths, threads, count, merge).expect("counted");
            let mut found = [0; 3];
            for bin in counts.bins() {
                (0..3).for_each(|result| found[result] += bin.results[result]);
            }
            assert_eq!(found, expected);
            let sum: i64 = counts.bins().iter().map(|bin| i64::from(bin.material) * bin.total() as i64).sum();
            assert_eq!((sum, counts.positions), (material, expected.iter().sum()));
            assert_eq!(counts.games + counts.others.values().sum::<u64>(), 120);
            assert!(counts.faults.is_empty());
            assert!(too_few(&counts, &wanted).to_string().contains(&format!("{net:08x}")));
        }
        std::fs::remove_dir_all(folder).expect("cleaned up");
    }
}
