//! What a training leaves behind: the network, its reference values, its figures and a picture.

use std::path::Path;

use serde::{Deserialize, Serialize};
use train::{Trainer, integer};

use super::scale::Scaled;
use super::{Arguments, shape};
use crate::chart::Chart;
use crate::failure::Result;
use crate::files::{self, Draft};

/// Reference positions in the file beside the network.
const REFERENCES: usize = 100;

/// The figures of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// The shape.
    pub network: String,
    data: Vec<DataFile>,
    /// Positions to learn from.
    pub training_positions: u64,
    validation_positions: usize,
    settings: Vec<(String, String)>,
    /// The losses of every epoch.
    pub epochs: Vec<EpochFigures>,
    before_quantising: f64,
    /// The loss of the network of integers on positions that were held out.
    pub quantised: f64,
    weights_at_limit: AtLimit,
    /// How it was brought to the size of another, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaled: Option<Scaled>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct DataFile {
    file: String,
    positions: usize,
}

/// The losses of an epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochFigures {
    steps: u64,
    /// Of the positions learned from.
    pub training: f64,
    /// Of those held out.
    pub validation: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct AtLimit {
    inputs: usize,
    biases: usize,
    outputs: usize,
}

/// Turns what was learned into integers, checks what that costs (`before` is the loss without), and writes the files.
pub fn finish(
    trainer: &mut Trainer,
    arguments: &Arguments,
    out: &Path,
    before: f64,
    scaled: Option<Scaled>,
) -> Result<Figures> {
    let (mut weights, at_limit) = trainer.quantise(String::new());
    let quantised = trainer.validate_integers(&weights);
    println!("as integers: loss {quantised:.6}, before {before:.6}");
    for (what, count) in
        [("input weights", at_limit.inputs), ("biases", at_limit.biases), ("output weights", at_limit.outputs)]
    {
        if count > 0 {
            println!("note: {count} {what} stand at their limit; the network would like larger ones");
        }
    }
    let figures = Figures {
        network: shape(trainer.settings().layout.shape),
        data: trainer.data().files().map(|(path, positions)| DataFile { file: name(path), positions }).collect(),
        training_positions: trainer.data().training(),
        validation_positions: trainer.data().held().len(),
        settings: settings(trainer, arguments),
        epochs: (trainer.epochs().iter())
            .map(|epoch| EpochFigures { steps: epoch.steps, training: epoch.training, validation: epoch.validation })
            .collect(),
        before_quantising: before,
        quantised,
        weights_at_limit: AtLimit { inputs: at_limit.inputs, biases: at_limit.biases, outputs: at_limit.outputs },
        scaled,
    };
    weights.provenance = provenance(&figures, &arguments.note);
    let mut draft = Draft::create(out)?;
    draft.write(&weights.file())?;
    draft.finish()?;
    files::write(&out.with_extension("reference.txt"), &integer::reference(&weights, trainer.references(REFERENCES)))?;
    files::write_json(&out.with_extension("json"), &figures)?;
    files::write(&out.with_extension("svg"), &picture(trainer, &name(out)))?;
    println!("{} is written, and beside it .reference.txt, .json and .svg", out.display());
    Ok(figures)
}

/// A file's name.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The settings with their names.
fn settings(trainer: &Trainer, arguments: &Arguments) -> Vec<(String, String)> {
    let settings = trainer.settings();
    let init = arguments.init.as_deref().map_or_else(|| "random weights".to_string(), name);
    let buckets = settings.layout.kings.chunks(8).flat_map(|rank| &rank[..4]).map(u8::to_string);
    let kings = if settings.layout.shape.king_buckets > 1 { buckets.collect::<Vec<_>>().join(" ") } else { "1".into() };
    [
        ("from", init),
        ("batch", settings.batch.to_string()),
        ("steps", trainer.steps().to_string()),
        ("epochs", settings.epochs.to_string()),
        ("seed", settings.seed.to_string()),
        ("wdl", format!("{}:{}", settings.result.0, settings.result.1)),
        ("lr", format!("{}:{}", settings.rate.0, settings.rate.1)),
        ("decay", settings.decay.to_string()),
        ("scale", settings.loss.scale.to_string()),
        ("power", settings.loss.power.to_string()),
        ("kings", kings),
    ]
    .map(|(name, value)| (name.to_string(), value))
    .into()
}

/// What the network says about how it was made.
fn provenance(figures: &Figures, notes: &[String]) -> String {
    let mut text = "Trained by gannet-lab train.\n".to_string();
    for file in &figures.data {
        text += &format!("data: {}, {} positions\n", file.file, file.positions);
    }
    text += &format!(
        "split: {} positions to learn from, {} held out\nnetwork: {}\n",
        figures.training_positions, figures.validation_positions, figures.network
    );
    for (name, value) in &figures.settings {
        text += &format!("{name}: {value}\n");
    }
    if let Some(epoch) = figures.epochs.last() {
        text += &format!(
            "loss: training {:.6}, validation {:.6}, as integers {:.6}\n",
            epoch.training, epoch.validation, figures.quantised
        );
    }
    if let Some(Scaled { like, factor, .. }) = &figures.scaled {
        text += &format!("scaled: by {factor:.6}, to the mean |evaluation| of {like}\n");
    }
    for note in notes {
        text += &format!("{note}\n");
    }
    let mut length = text.len().min(engine::nnue::MAX_PROVENANCE);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    text.truncate(length);
    text
}

/// The losses as a picture.
fn picture(trainer: &Trainer, name: &str) -> String {
    let per_epoch = trainer.steps_per_epoch() as f64;
    let at = |steps: u64| steps as f64 / per_epoch;
    // It begins with a network that knows nothing, which would flatten all the rest.
    let curve = trainer.curve();
    let training = curve.iter().skip(curve.len() / 20).map(|&(steps, loss)| (at(steps), loss)).collect();
    let validation = trainer.epochs().iter().map(|epoch| (at(epoch.steps), epoch.validation)).collect();
    let chart = Chart {
        title: format!("{name}: loss"),
        x_label: "epochs".to_string(),
        lines: vec![("training".to_string(), training), ("validation".to_string(), validation)],
        ..Chart::default()
    };
    chart.svg()
}
