//! What can go wrong between us and a server.

use std::borrow::Cow;
use std::time::Duration;

use estrange_words::Hint;

/// Why a server gave no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ServerError {
    /// The environment names neither a server nor a key.
    #[error("no server is configured: neither OPENAI_BASE_URL nor OPENAI_API_KEY is set")]
    NotConfigured,
    /// The server's address cannot be one.
    #[error("{address} cannot be asked: {detail}")]
    Address {
        /// What was given.
        address: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The server will not answer this request, however often it is made.
    #[error("{address} refuses the request ({status}): {message}")]
    Refused {
        /// Where.
        address: String,
        /// The status of the answer.
        status: u16,
        /// In the server's words.
        message: String,
        /// The part of the request that it is about, where the server says so.
        parameter: Option<String>,
    },
    /// The server sends us elsewhere. A key goes nowhere but where it belongs.
    #[error("{address} does not answer itself ({status}) but points to {to}")]
    Redirected {
        /// Where.
        address: String,
        /// The status of the answer.
        status: u16,
        /// Where to.
        to: String,
    },
    /// The server did not answer, however often it was asked.
    #[error("{address} gave no answer in {attempts} attempts; the last time: {detail}")]
    NoAnswer {
        /// Where.
        address: String,
        /// How often it was asked.
        attempts: u32,
        /// How the last attempt ended.
        detail: String,
    },
    /// The server wants to be asked again only after a time that is longer than we wait.
    #[error("{address} wants to be asked again only in {} s", wait.as_secs())]
    Later {
        /// Where.
        address: String,
        /// For how long.
        wait: Duration,
    },
    /// A budget of nothing.
    #[error("the budget is 0 {unit}: nothing can be asked")]
    NoBudget {
        /// What it counts.
        unit: &'static str,
    },
    /// Money is bounded, but nobody said what a token costs.
    #[error("there is a budget of money, but no price")]
    NoPrice,
    /// The next request might cost more than is left.
    #[error("the budget of {budget} {unit} is used up: {spent} are spent, and the next request may take {needed}")]
    BudgetUsedUp {
        /// What the budget counts.
        unit: &'static str,
        /// How much it is.
        budget: f64,
        /// How much is spent or on its way.
        spent: f64,
        /// How much the next request may take.
        needed: f64,
    },
}

impl Hint for ServerError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            ServerError::NotConfigured => {
                "set OPENAI_BASE_URL to the address of a server, such as \
                http://127.0.0.1:8080/v1, and OPENAI_API_KEY to your key if it wants one"
            }
            ServerError::Address { .. } => "set OPENAI_BASE_URL to an address such as http://127.0.0.1:8080/v1",
            ServerError::Refused { status: 401 | 403, .. } => "is OPENAI_API_KEY the right key?",
            ServerError::Refused { status: 404, .. } => {
                "does the server have this model, and does OPENAI_BASE_URL end as it should, mostly in /v1?"
            }
            ServerError::Refused { status: 400 | 413 | 422, .. } => {
                "is this the right kind of model, and are texts cut to the length that it can read? --request takes parts \
                 out of requests, or adds some"
            }
            ServerError::Redirected { .. } => {
                "set OPENAI_BASE_URL to the address that answers; mind http:// and https://, and how the path ends"
            }
            ServerError::Refused { .. } => "the server says what it wants",
            ServerError::NoAnswer { .. } | ServerError::Later { .. } => {
                "what was answered is kept; the same command goes on from there"
            }
            ServerError::NoBudget { .. } => "give a budget above 0, or none",
            ServerError::NoPrice => "give a price per million tokens, or bound tokens instead",
            ServerError::BudgetUsedUp { .. } => {
                "what was answered is kept; with a larger budget the same command goes on from there"
            }
        }))
    }
}
