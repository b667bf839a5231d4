//! Running the real binary in tests, and looking at what it printed.

// Each test file uses a part of this.
#![allow(dead_code)]

pub mod pairs;
pub mod server;

use std::process::{Command, Output, Stdio};

/// The binary with these arguments, in an environment that says nothing about the machine it runs on. What commands about
/// files of a user's keep is kept for all tests.
pub fn estrange(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estrange"));
    command.args(arguments).stdin(Stdio::null());
    for variable in ["RUST_LOG", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command.env("ESTRANGE_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

/// The output of the binary with these arguments.
pub fn run(arguments: &[&str]) -> Output {
    estrange(arguments).output().unwrap()
}

/// A whole output as one text.
pub fn whole(output: &Output) -> String {
    let code = output.status.code().map_or("none".to_owned(), |code| code.to_string());
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    format!("exit code: {code}\n----- stdout\n{stdout}----- stderr\n{stderr}")
}

/// The document that the binary printed.
pub fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", whole(output)))
}

/// The shape of a JSON value: its keys, with a word for what each holds. Of a list, the first item.
pub fn shape(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), shape(field))).collect(),
        Value::Array(items) => items.iter().take(1).map(shape).collect(),
        Value::String(_) => "text".into(),
        Value::Number(_) => "number".into(),
        Value::Bool(_) => "yes or no".into(),
        Value::Null => "nothing".into(),
    }
}
