//! What every HTTP client here shares: TLS, its name, and when a request that failed is made again.

pub mod retry;

use ureq::Agent;
use ureq::config::ConfigBuilder;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::AgentScope;

/// A client that trusts what the system trusts, says who it is, and gives every status to its caller.
pub fn client() -> ConfigBuilder<AgentScope> {
    Agent::config_builder()
        .http_status_as_error(false)
        .user_agent(concat!("estrange/", env!("CARGO_PKG_VERSION")))
        .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
}
