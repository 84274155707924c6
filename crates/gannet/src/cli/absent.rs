//! Stands in for the command line in a build without the crates it needs: arguments are UCI commands, `bench` among them.

use std::ffi::OsString;
use std::process::ExitCode;

/// Whether the first argument is no UCI command for certain.
pub fn is_command(arguments: &[OsString]) -> bool {
    arguments.first().is_some_and(|first| first.to_string_lossy().starts_with('-'))
}

/// Says what there is instead.
pub fn run() -> ExitCode {
    crate::complain(
        "this program was built without its command line; try: gannet bench, gannet \"go depth 10\", gannet help",
    );
    ExitCode::FAILURE
}
