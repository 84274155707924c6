//! `gannet-lab`: Gannet's laboratory.

fn main() {
    println!("gannet-lab has no commands yet; see README.md");
}
