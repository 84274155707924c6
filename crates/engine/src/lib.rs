//! Gannet's evaluation and search as a library. Prints nothing, reads no arguments.
