//! Measures grading on real projects.
fn main() {}
