//! The machine that measures: what processor it has, and what time it is.

use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// The time, UTC: `2026-11-19 14:05`.
pub fn now() -> String {
    let minutes = seconds() / 60;
    format!("{} {:02}:{:02}", civil((minutes / 1440) as i64, '-'), minutes / 60 % 24, minutes % 60)
}

/// Today's date (UTC), as PGN writes it: `2026.11.19`.
pub fn today() -> String {
    civil((seconds() / 86_400) as i64, '.')
}

/// Seconds since the year 1970 began.
fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// A date, by Howard Hinnant's algorithm for the civil calendar.
fn civil(days_since_1970: i64, dot: char) -> String {
    let z = days_since_1970 + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    format!("{}{dot}{month:02}{dot}{day:02}", year + era * 400 + i64::from(month <= 2))
}

/// CPU time of all threads of this process so far; where the system does not tell, the time since the first question.
pub fn cpu_seconds() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }
    #[cfg(not(unix))]
    {
        static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        FIRST.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
    }
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

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0, '.'), "1970.01.01");
        assert_eq!(civil(19_782, '.'), "2024.02.29");
        assert_eq!(civil(20_454, '-'), "2026-01-01");
    }
}
