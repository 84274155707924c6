//! `gannet`: what a GUI starts.

fn main() {
    println!("Gannet {}", env!("CARGO_PKG_VERSION"));
}
