//! The command line of Estrange.

fn main() {}
