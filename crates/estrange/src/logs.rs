//! Logs for those who look inside: off, unless `RUST_LOG` asks for them.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// The variable that asks for logs, such as `RUST_LOG=debug` or `RUST_LOG=estrange_source=trace`.
const VARIABLE: &str = "RUST_LOG";

/// Whether logs were asked for.
pub fn wanted() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty())
}

/// Sends logs to stderr if they were asked for. A filter that cannot be read shows what it can.
pub fn start() {
    if wanted() {
        tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::from_env(VARIABLE))
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
            .without_time()
            .init();
    }
}
