//! What the build of the program tells the program, for the target that has its files in it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["GANNET_COMPILER", "GANNET_TARGET"] {
        println!("cargo::rustc-env={name}=a fuzz target");
    }
}
