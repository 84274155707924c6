//! A training on its way, as bytes: what it takes to go on as if nothing had happened.
//!
//! | field | type |
//! |---|---|
//! | magic | 8 bytes `GANNETCP` |
//! | version | u32, 1 |
//! | what decides the outcome: settings and data | u32 length, UTF-8 text |
//! | steps done | u64 |
//! | loss and positions of the epoch so far, then of the piece of the curve so far | 2 × (f64, u64) |
//! | epochs | u32 count, each u64 steps, f64 training, f64 validation |
//! | the curve | u32 count, each u64 steps, f64 loss |
//! | weights, means and squares of their gradients | u64 count of rows, 3 × rows of 64 f32 |
//! | checksum | u32, CRC-32 of all before it |
//!
//! Numbers are little-endian.

use engine::crc32;

use super::{Epoch, Trainer};
use crate::error::TrainError;
use crate::order::Order;
use crate::row::{Row, TILE};

const MAGIC: &[u8; 8] = b"GANNETCP";
const VERSION: u32 = 1;

impl Trainer {
    /// Everything that going on needs, to be kept in a file. Fails if a weight is no number: then the file before is better.
    pub fn checkpoint(&self) -> Result<Vec<u8>, TrainError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let conditions = self.conditions();
        bytes.extend((conditions.len() as u32).to_le_bytes());
        bytes.extend(conditions.as_bytes());
        bytes.extend(self.step.to_le_bytes());
        for (loss, count) in [self.loss, self.piece] {
            bytes.extend(loss.to_le_bytes());
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend((self.epochs.len() as u32).to_le_bytes());
        for epoch in &self.epochs {
            bytes.extend(epoch.steps.to_le_bytes());
            bytes.extend(epoch.training.to_le_bytes());
            bytes.extend(epoch.validation.to_le_bytes());
        }
        bytes.extend((self.curve.len() as u32).to_le_bytes());
        for (steps, loss) in &self.curve {
            bytes.extend(steps.to_le_bytes());
            bytes.extend(loss.to_le_bytes());
        }
        bytes.extend((self.means.len() as u64).to_le_bytes());
        for row in [&self.model.learned, &self.means, &self.squares].into_iter().flatten() {
            for number in row.0.iter().flat_map(|vector| vector.0) {
                if !number.is_finite() {
                    return Err(TrainError::NotANumber(self.step));
                }
                bytes.extend(number.to_le_bytes());
            }
        }
        let sum = crc32(&bytes);
        bytes.extend(sum.to_le_bytes());
        Ok(bytes)
    }

    /// Goes on where a checkpoint was made. It must be one of the same settings and data; the error says what is not.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), TrainError> {
        let fail = |what: &str| TrainError::Checkpoint(what.to_string());
        if !bytes.starts_with(MAGIC) {
            return Err(fail("it is none (it must begin with GANNETCP)"));
        }
        let damaged = || fail("it is damaged: the checksum does not match");
        let (content, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if crc32(content) != u32::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let mut reader = Reader(&content[MAGIC.len()..]);
        let short = || fail("it is shorter than it says");
        let version = reader.u32().ok_or_else(short)?;
        if version != VERSION {
            return Err(fail(&format!("its version is {version}; {VERSION} expected")));
        }
        let length = reader.u32().ok_or_else(short)? as usize;
        let conditions = String::from_utf8_lossy(reader.bytes(length).ok_or_else(short)?).into_owned();
        self.check(&conditions).map_err(TrainError::Checkpoint)?;
        self.read(&mut reader).ok_or_else(short)?;
        self.model.bring_up_to_date();
        self.order = Order::new(self.data.count(), self.settings.seed, self.step / self.per_epoch);
        Ok(())
    }

    /// Reads what follows the conditions; nothing if it ends too early.
    fn read(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        let step = reader.u64()?;
        let loss = (reader.f64()?, reader.u64()?);
        let piece = (reader.f64()?, reader.u64()?);
        let mut epochs = Vec::new();
        for _ in 0..reader.u32()? {
            epochs.push(Epoch { steps: reader.u64()?, training: reader.f64()?, validation: reader.f64()? });
        }
        let mut curve = Vec::new();
        for _ in 0..reader.u32()? {
            curve.push((reader.u64()?, reader.f64()?));
        }
        let rows = self.means.len();
        if reader.u64()? != rows as u64 || reader.0.len() != 3 * rows * TILE * 4 || step > self.steps {
            return None;
        }
        for rows in [&mut self.model.learned, &mut self.means, &mut self.squares] {
            read_rows(rows, reader)?;
        }
        (self.step, self.loss, self.piece, self.epochs, self.curve) = (step, loss, piece, epochs, curve);
        Some(())
    }

    /// What decides the outcome, line by line.
    fn conditions(&self) -> String {
        let settings = &self.settings;
        let kings: Vec<String> = settings.layout.kings.iter().map(u8::to_string).collect();
        let mut text = format!(
            "network {}\nkings {}\nseed {}\nbatch {}\nepochs {}\nrate {:?}\nresult {:?}\ndecay {}\nscale {}\npower {}\n\
             held out {}\nstart {}\n",
            settings.layout.shape,
            kings.join(" "),
            settings.seed,
            settings.batch,
            settings.epochs,
            settings.rate,
            settings.result,
            settings.decay,
            settings.loss.scale,
            settings.loss.power,
            self.data.split().share,
            self.start,
        );
        for line in self.data.describe() {
            text += &format!("data {line}\n");
        }
        text
    }

    /// Compares the conditions of a checkpoint with these; the error names the first difference.
    fn check(&self, theirs: &str) -> Result<(), String> {
        let ours = self.conditions();
        let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return Ok(()),
                (ours, theirs) if ours == theirs => {}
                (ours, theirs) => {
                    let [ours, theirs] = [ours, theirs].map(|line| line.unwrap_or("nothing more"));
                    return Err(format!("it was made with '{theirs}', but this is '{ours}'"));
                }
            }
        }
    }
}

fn read_rows(rows: &mut [Row], reader: &mut Reader<'_>) -> Option<()> {
    for number in rows.iter_mut().flat_map(|row| &mut row.0).flat_map(|vector| &mut vector.0) {
        *number = f32::from_le_bytes(reader.array()?);
    }
    Some(())
}

/// Reads numbers one after the other, as far as there are any.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }
}
