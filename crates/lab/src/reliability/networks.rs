//! Network files that were cut short, or changed in a single bit: each must be refused, and the old network stay.

use engine::Source;
use engine::nnue::Network;

use super::Context;
use super::trials::{self, Tally, Verdict};
use crate::pool;
use crate::rng::Rng;

pub const WHAT: &str = "the network's file cut short at random places, and with single bits flipped, in process, and some \
    of them given to the engine: refused with a message, the old network kept";

/// One in so many is given to the engine as well.
const SHOWN: u64 = 50;

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    if let Err(error) = Network::read(Source::embedded_file()) {
        tally.add(Err(format!("the network itself is refused: {error}")));
    }
    trials::run(
        tally,
        trials,
        pool::default_threads(),
        || Ok(()),
        |(), index| {
            let mut rng = Rng::new(context.seed, index);
            let mut file = Source::embedded_file().to_vec();
            let place = rng.below(file.len());
            // One file in eleven is cut: a hundred in the full form, next to a thousand with a flipped bit.
            let what = if index % 11 == 0 {
                file.truncate(place);
                format!("cut at byte {place}")
            } else {
                // The head, where lengths and shapes are, is hit more often than its size would have it.
                let place = if rng.below(4) == 0 { place % 128 } else { place };
                let bit = rng.below(8);
                file[place] ^= 1 << bit;
                format!("bit {bit} of byte {place} flipped")
            };
            if Network::read(&file).is_ok() {
                return Err(format!("{what}: accepted"));
            }
            if index % SHOWN == 0 { show(context, index, &file) } else { Ok(()) }
        },
    );
}

/// The engine says what is wrong, and evaluates as before.
fn show(context: &Context, index: u64, file: &[u8]) -> Verdict {
    let path = std::env::temp_dir().join(format!("gannet {} damaged {index}.gnet", std::process::id()));
    std::fs::write(&path, file).map_err(|error| error.to_string())?;
    let mut talk = context.start()?;
    let before = talk.tell(&["eval"])?;
    let lines = talk.tell(&[&format!("setoption name EvalFile value {}", path.display())])?;
    let after = talk.tell(&["eval"])?;
    let _ = std::fs::remove_file(&path);
    if lines.len() != 1 || !lines[0].starts_with("info string error: ") || before != after {
        return Err(format!("{lines:?}, evaluation {before:?} before and {after:?} after"));
    }
    talk.quit()
}
