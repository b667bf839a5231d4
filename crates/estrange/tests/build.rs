//! `estrange build` as its users meet it, on small sources written here; the real packages are for `make bench`.

#![allow(clippy::unwrap_used)]

mod support;

#[path = "../../estrange-bench/tests/common/damage.rs"]
mod damage;

#[path = "build/bad_input.rs"]
mod bad_input;
#[path = "build/disks.rs"]
mod disks;
#[path = "build/forms.rs"]
mod forms;
#[path = "build/lowered.rs"]
mod lowered;
#[path = "build/parts.rs"]
mod parts;
#[path = "build/place.rs"]
mod place;
#[path = "build/stops.rs"]
mod stops;
#[path = "build/variants.rs"]
mod variants;
#[path = "build/words.rs"]
mod words;
