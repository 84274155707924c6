//! What the clocks say, where the file has them: `[%clk 1:02:03]` is what is left after a move, `[%emt 0:00:05]` what it took,
//! and the tag `TimeControl` how much is added.

use chess::Color;
use pgn::record::{Ply, Record};

use super::review::ClockUse;

/// The clocks of a game, move by move.
pub struct Clocks {
    /// What is left, and what a move adds.
    left: [Option<f64>; 2],
    increment: f64,
}

impl Clocks {
    /// Before the first move.
    pub fn new(record: &Record) -> Clocks {
        let control = record.tag("TimeControl").unwrap_or("");
        let (start, increment) = control.split_once('+').unwrap_or((control, "0"));
        let left = start.trim().parse().ok();
        Clocks { left: [left; 2], increment: increment.trim().parse().unwrap_or(0.0) }
    }

    /// What the clock says of a move; nothing if the file does not.
    pub fn take(&mut self, side: Color, ply: &Ply) -> Option<ClockUse> {
        let read = |name| ply.comments.iter().find_map(|comment| command(comment, name));
        let left = read("clk")?;
        let before = self.left[side.index()].replace(left);
        // More than there was: the clock was set anew, or runs otherwise than it says.
        let spent = before.map(|before| before + self.increment - left).filter(|&spent| spent >= 0.0);
        Some(ClockUse { left, spent: read("emt").or(spent) })
    }
}

/// The time behind a command of a comment, in seconds.
fn command(comment: &str, name: &str) -> Option<f64> {
    let (_, rest) = comment.split_once(&format!("[%{name} "))?;
    let (text, _) = rest.split_once(']')?;
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        let value: f64 = part.parse().ok().filter(|value| (0.0..1e6).contains(value))?;
        seconds = 60.0 * seconds + value;
    }
    Some(seconds)
}

/// Seconds as people read them: `1:02:03`, `2:03`, `0:05`.
pub fn shown(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::Reader;

    #[test]
    fn clocks_are_read() {
        let text = "[TimeControl \"180+2\"]\n1. e4 {[%clk 0:03:00]} e5 {good [%clk 0:02:41.5]} 2. Nf3 {[%clk 0:02:50]} \
                    Nc6 {[%clk x]} 3. Bb5 {[%clk 0:09:00]} a6 {[%clk 0:02:00] [%emt 0:00:07]} *";
        let record = Reader::new(text.as_bytes(), 0).next().expect("a game");
        let mut clocks = Clocks::new(&record);
        let used = |(index, ply)| {
            let side = if index % 2 == 0 { Color::White } else { Color::Black };
            clocks.take(side, ply).map(|used| (used.left, used.spent))
        };
        let used: Vec<_> = record.main.plies.iter().enumerate().map(used).collect();
        let expected = [
            Some((180.0, Some(2.0))),
            Some((161.5, Some(20.5))),
            Some((170.0, Some(12.0))),
            None,
            Some((540.0, None)),
            Some((120.0, Some(7.0))),
        ];
        assert_eq!(used, expected);
        assert_eq!([5.0, 125.4, 3723.0].map(shown), ["0:05", "2:05", "1:02:03"]);
    }
}
