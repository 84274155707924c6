//! The machine that measures: what processor it has, and what time it is.

use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::pgn;

/// The time, UTC: `2026-11-19 14:05`.
pub fn now() -> String {
    let minutes = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 60);
    format!("{} {:02}:{:02}", pgn::today().replace('.', "-"), minutes / 60 % 24, minutes % 60)
}

/// The processor's name.
pub fn cpu() -> String {
    let told = match std::env::consts::OS {
        "linux" => field("model name").or_else(|| field("Model")),
        "macos" => {
            let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).stdin(Stdio::null()).output();
            output.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string())
        }
        _ => std::env::var("PROCESSOR_IDENTIFIER").ok(),
    };
    told.filter(|name| !name.is_empty()).unwrap_or_else(|| std::env::consts::ARCH.to_string())
}

/// What the processor can do, where the system tells.
pub fn cpu_features() -> String {
    field("flags").or_else(|| field("Features")).unwrap_or_default()
}

/// A line of Linux's description of the processors.
fn field(name: &str) -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.split_whitespace().collect::<Vec<_>>().join(" "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_and_time_have_names() {
        assert!(!cpu().is_empty());
        let now = now();
        assert!(now.starts_with("20") && now.len() == "2026-11-19 14:05".len(), "{now}");
    }
}
