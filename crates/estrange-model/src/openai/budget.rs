//! What a run may cost, what it will cost, and what it has cost.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::ServerError;
use super::usage::{Tokens, Usage};

/// What tokens cost, in any currency.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Price {
    /// A million tokens that the model reads.
    pub read: f64,
    /// A million tokens that the model writes.
    pub written: f64,
}

impl Price {
    /// What so many tokens cost.
    pub fn of(&self, tokens: Tokens) -> f64 {
        (self.read * tokens.read as f64 + self.written * tokens.written as f64) / 1e6
    }
}

/// What a run may spend at most, in all. Without a bound it may spend anything.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Money, in the currency of the price.
    pub money: Option<f64>,
}

/// What a run will come to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Estimate {
    /// How many requests.
    pub requests: u64,
    /// How many texts they have in all.
    pub texts: u64,
    /// How many tokens, read and written, if all answers are as long as they may be.
    pub tokens: u64,
    /// How much money; nothing where no price is known.
    pub money: f64,
}

/// How many tokens a text has at most, in all likelihood, without its model's tokenizer: one for three bytes. English has
/// one for four to five, code one for three to four.
pub(super) fn tokens_of(text: &str) -> u64 {
    text.len().div_ceil(3) as u64
}

/// Keeps what is spent, and what is reserved for requests on their way, within the budget.
#[derive(Debug)]
pub(super) struct Account {
    budget: Budget,
    price: Option<Price>,
    spent: Mutex<Tokens>,
}

impl Account {
    pub(super) fn new(budget: Budget, price: Option<Price>) -> Result<Self, ServerError> {
        match budget {
            Budget { tokens: Some(0), .. } => Err(ServerError::NoBudget { unit: "tokens" }),
            // Neither 0 nor below, nor NaN.
            Budget { money: Some(money), .. } if money.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) => {
                Err(ServerError::NoBudget { unit: "of money" })
            }
            Budget { money: Some(_), .. } if price.is_none() => Err(ServerError::NoPrice),
            _ => Ok(Self { budget, price, spent: Mutex::default() }),
        }
    }

    /// Reserves what a request may take, if it is there.
    pub(super) fn reserve(&self, needed: Tokens) -> Result<(), ServerError> {
        let mut spent = self.spent();
        let sum = Tokens { read: spent.read + needed.read, written: spent.written + needed.written };
        let used_up = |unit, budget, spent, needed| Err(ServerError::BudgetUsedUp { unit, budget, spent, needed });
        if let Some(budget) = self.budget.tokens
            && sum.sum() > budget
        {
            return used_up("tokens", budget as f64, spent.sum() as f64, needed.sum() as f64);
        }
        if let Some(budget) = self.budget.money
            && self.cost(sum) > budget
        {
            return used_up("of money", budget, self.cost(*spent), self.cost(needed));
        }
        *spent = sum;
        Ok(())
    }

    /// Gives back what was reserved, and counts what was really used.
    pub(super) fn settle(&self, reserved: Tokens, used: Tokens) {
        let mut spent = self.spent();
        spent.read = (spent.read + used.read).saturating_sub(reserved.read);
        spent.written = (spent.written + used.written).saturating_sub(reserved.written);
    }

    /// What so many tokens cost: nothing where no price is known.
    pub(super) fn cost(&self, tokens: Tokens) -> f64 {
        self.price.map_or(0.0, |price| price.of(tokens))
    }

    /// What a request cost: not known where there is a price, and the server does not say all.
    pub(super) fn cost_of(&self, usage: Usage) -> Option<f64> {
        match self.price {
            None => Some(0.0),
            Some(price) => usage.whole().map(|tokens| price.of(tokens)),
        }
    }

    pub(super) fn spent(&self) -> MutexGuard<'_, Tokens> {
        // Numbers are whole at any moment.
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
