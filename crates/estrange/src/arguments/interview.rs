//! How a language model is asked, wherever one is asked about many things.

use std::path::PathBuf;

use clap::Args;

/// What a language model is asked, and how often.
#[derive(Debug, Args)]
pub struct Interview {
    /// Ask a model what is in this file, which has {{code}} where the code is to stand; see docs/detection.md
    #[arg(long, value_name = "FILE")]
    pub prompt: Option<PathBuf>,
    /// Ask a model so often about each, and take what most answers say
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub samples: u32,
    /// How freely a model chooses its words [default: 0; 0.8 with several samples]
    #[arg(long, value_name = "T")]
    pub temperature: Option<f64>,
}
