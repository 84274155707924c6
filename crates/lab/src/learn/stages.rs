//! The stages of a generation. Each does nothing if its result is known, and goes on from its own files if it was begun.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use engine::Source;

use super::Arguments;
use super::duel::{self, Duel};
use super::folder::Folder;
use super::plan::{self, Next};
use super::state::{Generation, Learned, LookBack};
use crate::arguments::typed;
use crate::data::{self, Choice, Filter, Targets};
use crate::datagen;
use crate::failure::{Failure, Result};
use crate::files;
use crate::pool;
use crate::train::{self, Figures};

/// One game of a match for so many positions of the generation …
const POSITIONS_A_GAME: u64 = 10_000;
/// … but from so many to so many.
const GAMES: (u64, u64) = (100, 400);
/// A training that goes on from a network begins with smaller steps, and needs fewer.
const FURTHER: [(&str, &str); 2] = [("--lr", "0.0003"), ("--epochs", "4")];

/// Words of a command line.
fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// Adds the words that a user has for a command; what these say is not said twice.
fn add_users(to: &mut Vec<OsString>, defaults: &[(&str, &str)], users: &str) {
    let users: Vec<&str> = users.split_whitespace().collect();
    let said = |name: &str| users.iter().any(|word| word.split('=').next() == Some(name));
    for (name, value) in defaults.iter().filter(|(name, _)| !said(name)) {
        to.extend(words(&[name, value]));
    }
    to.extend(words(&users));
}

/// Finds out whether the commands of all stages would be understood.
pub fn check(arguments: &Arguments) -> Result<()> {
    let generation = Generation::new(1, 0, arguments.nodes, Next::counted(arguments.first), String::new());
    let place = || OsString::from("x");
    play_words(arguments, &generation, 1, 0, [place(), place()])?;
    train_words(arguments, arguments.first, None, vec![place()], [place(), place()], 1).map(drop)
}

/// Plays the games.
pub fn play(arguments: &Arguments, folder: &mut Folder) -> Result<()> {
    let generation = folder.current()?;
    if generation.played.is_some() {
        return Ok(());
    }
    let Generation { number, player, nodes, wanted, until, .. } = generation;
    let aim = wanted.map_or("as long as there is time".to_string(), |wanted| format!("until {wanted} positions"));
    println!("\ngeneration {number}: {} plays at {nodes} nodes a move, {aim}", name(folder, player));
    let left = until.map(|until| (until - folder.seconds()).max(1.0));
    let places = [folder.games(number).into(), folder.player(player)];
    let command = play_words(arguments, &generation, folder.state.seed, left.unwrap_or(0.0).ceil() as u64, places)?;
    let summary = datagen::fill(&command, left.map(Duration::from_secs_f64))?;
    if pool::interrupted() {
        return Err(Failure::Interrupted);
    }
    let kept = summary.tally().kept;
    if kept == 0 {
        return Err(Failure::new("there was no time for a single position; give it more --hours"));
    }
    println!("{kept} positions of {} games", summary.tally().games);
    folder.note(|generation| generation.played = Some(kept))
}

/// The command that plays a generation.
fn play_words(
    arguments: &Arguments,
    generation: &Generation,
    seed: u64,
    seconds: u64,
    [games, player]: [OsString; 2],
) -> Result<datagen::Arguments> {
    let mut line = [words(&["--out"]), vec![games], words(&["--net"]), vec![player]].concat();
    let seed = seed.wrapping_mul(1000).wrapping_add(u64::from(generation.number));
    let (nodes, seed) = (generation.nodes.to_string(), seed.to_string());
    line.extend(words(&["--nodes", &nodes, "--seed", &seed, "--other-build"]));
    line.extend(words(&["--threads", &arguments.threads().to_string()]));
    match generation.wanted {
        Some(positions) => line.extend(words(&["--positions", &positions.to_string()])),
        None => line.extend(words(&["--time", &seconds.to_string()])),
    }
    add_users(&mut line, &[("--hash", "2")], &arguments.play);
    typed("datagen (--play)", &line)
}

/// Makes positions of the games.
pub fn expand(arguments: &Arguments, folder: &mut Folder) -> Result<()> {
    let generation = folder.current()?;
    if generation.positions.is_some() {
        return Ok(());
    }
    let positions = expand_games(arguments, folder, generation.number)?;
    folder.note(|generation| generation.positions = Some(positions))
}

/// In the order of the games: the trainer has an order of its own, and where shards begin depends on interruptions.
fn expand_games(arguments: &Arguments, folder: &Folder, number: u32) -> Result<u64> {
    let choice = Choice { filter: Filter::default(), targets: typed::<Targets>("data expand", &[])? };
    let (games, out) = (folder.games(number), folder.positions(number));
    let total = data::expand_places(&[games], arguments.threads(), &choice, &out, None)?;
    if total.positions == 0 {
        return Err(Failure::new(format!("generation {number} has no position to learn from; play more with --first")));
    }
    if total.faults > 0 {
        println!("{} faults were passed over; they are listed above", total.faults);
    }
    Ok(total.positions)
}

/// Trains the network.
pub fn train(arguments: &Arguments, folder: &mut Folder) -> Result<()> {
    let generation = folder.current()?;
    let number = generation.number;
    if generation.learned.is_some() {
        return Ok(());
    }
    let sizes: Vec<u64> = folder.state.generations.iter().map(|one| one.positions.unwrap_or(0)).collect();
    let window = plan::window(&sizes);
    let positions: u64 = window.iter().map(|&place| sizes[place]).sum();
    let window: Vec<u32> = window.iter().map(|&place| folder.state.generations[place].number).collect();
    let net = folder.network(number);
    // The picture is written last, and the state of the training goes away after it.
    let is_written = net.with_extension("svg").exists() && !net.with_extension("checkpoint").exists();
    let figures: Figures = if is_written {
        files::read_json(&net.with_extension("json"))?
    } else {
        println!("generation {number}: learns from {positions} positions");
        let files = data_of(arguments, folder, &window)?;
        let from = (folder.state.start_net != 0).then(|| folder.source(generation.player)).transpose()?;
        let places = [net.into(), folder.player(generation.player)];
        let command = train_words(arguments, positions, from.as_ref(), files, places, number)?;
        train::network(&command).map_err(|failure| {
            let hint = "it goes on from the last good state, with other words for --train from the beginning if that is removed";
            if failure == Failure::Interrupted { failure } else { Failure::new(format!("{failure} ({hint})")) }
        })?
    };
    let losses = figures.epochs.last();
    let learned = Learned {
        network: figures.network.clone(),
        window,
        positions: figures.training_positions,
        training: losses.map_or(0.0, |epoch| epoch.training),
        validation: losses.map_or(0.0, |epoch| epoch.validation),
        quantised: figures.quantised,
        factor: figures.scaled.as_ref().map_or(1.0, |scaled| scaled.factor),
    };
    folder.note(|generation| generation.learned = Some(learned))
}

/// The files of positions of these generations; one that was removed is made again.
fn data_of(arguments: &Arguments, folder: &Folder, window: &[u32]) -> Result<Vec<OsString>> {
    let make = |&number: &u32| {
        let file: PathBuf = folder.positions(number);
        if !file.exists() {
            expand_games(arguments, folder, number)?;
        }
        Ok(file.into())
    };
    window.iter().map(make).collect()
}

/// The command that trains. From a network the weights go on, as far as the shapes allow; from the bootstrap evaluation
/// every generation begins anew, which is cheap beside the games.
fn train_words(
    arguments: &Arguments,
    positions: u64,
    from: Option<&Source>,
    files: Vec<OsString>,
    [out, player]: [OsString; 2],
    number: u32,
) -> Result<train::Arguments> {
    let mut line = [words(&["--data"]), files, words(&["--out"]), vec![out]].concat();
    line.extend([words(&["--like"]), vec![player.clone()]].concat());
    let rung = plan::rung(positions);
    let (mut hidden, mut kings) = (arguments.hidden.unwrap_or(rung.hidden), Some(rung.kings));
    let (batch, seed) = (rung.batch.to_string(), number.to_string());
    let held = rung.held.to_string();
    let mut defaults = vec![("--batch", &*batch), ("--seed", &*seed), ("--validation", &*held)];
    if let Some(Source::Network(network)) = from {
        let shape = network.shape();
        hidden = hidden.max(shape.hidden);
        kings = kings.filter(|_| shape.king_buckets == 1);
        line.extend([words(&["--init"]), vec![player]].concat());
        defaults.extend(FURTHER);
    }
    let (hidden, threads) = (hidden.to_string(), arguments.threads().to_string());
    let checkpoint = arguments.checkpoint.to_string();
    defaults.push(("--hidden", &hidden));
    if let Some(kings) = arguments.kings.as_deref().or(kings) {
        defaults.push(("--kings", kings));
    }
    line.extend(words(&["--resume", "--threads", &threads, "--checkpoint", &checkpoint]));
    line.extend(words(&["--note", &format!("generation {number} of a ladder")]));
    add_users(&mut line, &defaults, &arguments.train);
    typed("train (--train)", &line)
}

/// Lets the network play the one before, and keeps the better one.
pub fn compare(arguments: &Arguments, folder: &mut Folder) -> Result<()> {
    let generation = folder.current()?;
    let Generation { number, player, .. } = generation;
    let wanted = generation.duel.unwrap_or_else(|| new_duel(arguments, folder, number));
    println!(
        "generation {number} against {}: {} games at {} nodes a move",
        name(folder, player),
        wanted.games,
        wanted.nodes
    );
    let duel = meet(arguments, folder, [number, player], wanted, |folder, duel| {
        folder.note(|generation| generation.duel = Some(duel.clone()))
    })?;
    let promoted = duel.is_held();
    let verdict = if promoted { "it plays from now on" } else { "the one before goes on playing" };
    let [losses, draws, wins] = duel.score().games;
    println!("Elo {:.0} ({wins} won, {draws} drawn, {losses} lost): {verdict}", duel.elo());
    folder.finish(promoted)
}

/// When all is done, lets the network in use play what the ladder began with: differences of one generation to the next do
/// not simply add up.
pub fn look_back(arguments: &Arguments, folder: &mut Folder) -> Result<()> {
    let (number, earlier) = (folder.state.player(), folder.state.look_back.clone());
    if number == 0 {
        return Ok(());
    }
    let earlier = earlier.filter(|earlier| earlier.generation == number).map(|earlier| earlier.duel);
    // Where its predecessor was the start, that match is known.
    let own = folder.state.generations.get(number as usize - 1).filter(|own| own.player == 0);
    let earlier = earlier.or(own.and_then(|own| own.duel.clone()));
    let wanted = earlier.unwrap_or_else(|| new_duel(arguments, folder, number));
    if !wanted.is_over() {
        println!("\nat the end, generation {number} against {}: {} games", name(folder, 0), wanted.games);
    }
    meet(arguments, folder, [number, 0], wanted, |folder, duel| {
        folder.state.look_back = Some(LookBack { generation: number, duel: duel.clone() });
        folder.save()
    })?;
    Ok(())
}

/// Plays a match, or what is left of it.
fn meet(
    arguments: &Arguments,
    folder: &mut Folder,
    [a, b]: [u32; 2],
    mut duel: Duel,
    mut keep: impl FnMut(&mut Folder, &Duel) -> Result<()>,
) -> Result<Duel> {
    let [a, b] = [folder.source(a)?, folder.source(b)?];
    keep(folder, &duel)?;
    duel::play(&mut duel, [&a, &b], arguments.threads(), |duel| keep(folder, duel))?;
    Ok(duel)
}

/// The match that a generation deserves: longer where more was played.
fn new_duel(arguments: &Arguments, folder: &Folder, number: u32) -> Duel {
    let positions = folder.state.generations.get(number as usize - 1).and_then(|one| one.positions).unwrap_or(0);
    let usual = (positions / POSITIONS_A_GAME).clamp(GAMES.0, GAMES.1).next_multiple_of(2);
    let seed = folder.state.seed.wrapping_add(u64::from(number));
    Duel { nodes: arguments.match_nodes, games: arguments.match_games.unwrap_or(usual), seed, results: String::new() }
}

/// What a player is called.
fn name(folder: &Folder, number: u32) -> String {
    match number {
        0 => folder.state.start.clone(),
        _ => format!("network {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_says_is_said_once() {
        let mut line = Vec::new();
        add_users(&mut line, &[("--batch", "2048"), ("--lr", "1")], "--batch=99 --wdl 0.05");
        assert_eq!(line, words(&["--lr", "1", "--batch=99", "--wdl", "0.05"]));
    }
}
