//! The games of files, one after the other: read, analysed, written. No more than one of them is in memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use pgn::record::Record;
use pgn::{Reader, Texts};

use super::output::Output;
use super::review::Review;
use super::{Arguments, Done, Failure, Reviewer, graph, report, tell};
use crate::complain;

/// A file with games.
struct Input {
    path: PathBuf,
    reader: Box<dyn BufRead>,
}

impl Input {
    /// This file, or the standard input.
    fn open(path: &Path) -> Result<Input, Failure> {
        let fail = |error| Failure::Input(path.to_path_buf(), error);
        let reader: Box<dyn BufRead> = if path.as_os_str() == "-" {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let file = File::open(path).map_err(fail)?;
            if file.metadata().is_ok_and(|data| data.is_dir()) {
                return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")));
            }
            Box::new(BufReader::new(file))
        };
        Ok(Input { path: path.to_path_buf(), reader })
    }
}

/// What is written, and where.
struct Outputs<'a> {
    pgn: Option<(Option<&'a Path>, Output)>,
    html: Option<(&'a Path, Output)>,
    graph: Option<(&'a Path, Output)>,
    /// How many games have been written.
    written: usize,
}

impl<'a> Outputs<'a> {
    fn open(arguments: &'a Arguments) -> Result<Outputs<'a>, Failure> {
        let open = |path: &'a Path| match Output::open(Some(path)) {
            Ok(output) => Ok((path, output)),
            Err(error) => Err(Failure::File(path.to_path_buf(), error)),
        };
        let html = arguments.html.as_deref().map(open).transpose()?;
        let graph = arguments.graph.as_deref().map(open).transpose()?;
        let pgn = match arguments.output.as_deref().map(open).transpose()? {
            Some((path, output)) => Some((Some(path), output)),
            None if html.is_some() || graph.is_some() => None,
            None => Some((None, Output::Standard)),
        };
        Ok(Outputs { pgn, html, graph, written: 0 })
    }

    /// Whether the games themselves go to a terminal, where their last comment says what there is to say.
    fn are_seen(&self) -> bool {
        matches!(self.pgn, Some((None, _))) && io::stdout().is_terminal()
    }

    /// Writes a game that has been analysed.
    fn write(&mut self, record: &Record, review: &Review) -> Result<(), Failure> {
        let annotator = concat!("Gannet ", env!("CARGO_PKG_VERSION"));
        if let Some((path, output)) = &mut self.pgn {
            output.write(&pgn::write(record, Some(annotator))).map_err(|error| failure(*path, error))?;
        }
        if let Some((path, output)) = &mut self.html {
            let beginning = if self.written == 0 { report::beginning() } else { String::new() };
            output.write(&(beginning + &report::game(record, review))).map_err(|error| failure(Some(path), error))?;
        }
        if let Some((path, output)) = &mut self.graph
            && self.written == 0
        {
            output.write(&graph::svg(review, &report::title(record))).map_err(|error| failure(Some(path), error))?;
        }
        self.written += 1;
        Ok(())
    }

    /// Puts the files in their places, if there is a game in them, and tells a terminal so.
    fn finish(self) -> Result<(), Failure> {
        if self.written == 0 {
            return Ok(());
        }
        let mut files = Vec::new();
        if let Some((path, mut output)) = self.html {
            output.write(&report::end()).map_err(|error| failure(Some(path), error))?;
            files.push((Some(path), output));
        }
        files.extend(self.graph.map(|(path, output)| (Some(path), output)));
        files.extend(self.pgn);
        for (path, output) in files {
            output.finish().map_err(|error| failure(path, error))?;
            if let Some(path) = path
                && io::stderr().is_terminal()
            {
                let _ = writeln!(io::stderr(), "written to {}", path.display());
            }
        }
        Ok(())
    }
}

fn failure(path: Option<&Path>, error: io::Error) -> Failure {
    match path {
        Some(path) => Failure::File(path.to_path_buf(), error),
        None => Failure::Output(error),
    }
}

/// Analyses the games of all files.
pub fn run(arguments: &Arguments, reviewer: &mut Reviewer) -> Result<Done, Failure> {
    let standard = [PathBuf::from("-")];
    let files = if arguments.files.is_empty() { &standard[..] } else { &arguments.files[..] };
    // What cannot be opened is told before hours of work.
    let inputs = files.iter().map(|path| Input::open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut outputs = Outputs::open(arguments)?;
    let (mut number, mut done) = (0, Done::All);
    let (first, last) = arguments.games.unwrap_or((1, usize::MAX));
    for Input { path, reader } in inputs {
        for text in Texts::new(reader) {
            let text = text.map_err(|error| Failure::Input(path.clone(), error))?;
            for record in Reader::new(&text, number) {
                number = record.number;
                if !(first..=last).contains(&number) {
                    continue;
                }
                let faults = record.faults.clone();
                let Some((record, review)) = analysed(record, arguments.clean, reviewer) else {
                    // The games before this one are whole; where there is none, old files stay.
                    outputs.finish()?;
                    return Ok(Done::Interrupted);
                };
                outputs.write(&record, &review)?;
                if io::stderr().is_terminal() && !outputs.are_seen() {
                    let _ = writeln!(io::stderr(), "{}", review.summary.table(&record));
                }
                if !faults.is_empty() {
                    done = Done::Broken;
                }
                faults.iter().for_each(complain);
                reviewer.panel.searchers().iter_mut().for_each(tell);
            }
            if number >= last {
                break;
            }
        }
    }
    if number == 0 {
        return Err(Failure::Empty);
    }
    if number < first {
        return Err(Failure::NoSuchGame(number));
    }
    outputs.finish()?;
    Ok(done)
}

/// A game with everything that was found about it; nothing if the user has had enough.
fn analysed(mut record: Record, clean: bool, reviewer: &mut Reviewer) -> Option<(Record, Review)> {
    if clean {
        record.main.clean();
    }
    // Shown only where the standard error is a terminal.
    let bar = ProgressBar::new(record.main.plies.len() as u64 + 1);
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} searches, {elapsed}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_prefix(format!("game {}", record.number));
    let mut progress = |done, steps| {
        bar.set_length(steps as u64);
        bar.set_position(done as u64);
    };
    let review = reviewer.review(&mut record, &mut progress);
    bar.finish_and_clear();
    Some((record, review?))
}
