//! Foreign steps of recipes carried out: commands in the sandbox, and models that write.
//!
//! What they gave is kept under all that it depends on: the command and what its files say, or the model and the prompt, and
//! what was given. Whether it can be used, the interpreter of recipes decides; whether it does the same, the oracle.

mod command;
mod model;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use estrange_model::{OpenedWriter, Prompt};
use estrange_rewrite::{Contractor, Foreign, Given, Recipe, Refusal};
use estrange_sandbox::Sandbox;
use estrange_words::Reason;

use crate::error::BuildError;
use crate::not_foreign::NotForeign;
use crate::store::{Keep, Store, key};
use crate::variants::Trouble;

use command::Program;
use model::Author;

/// Raise it when the same step may give something else.
const STAGE: &str = "foreign 1";

/// Prompts, each with the model that is to be asked.
pub type Prompts = Arc<Mutex<Vec<(String, Prompt)>>>;

/// What foreign steps of recipes have at their disposal.
#[derive(Clone)]
pub struct ForeignOptions {
    /// Files and folders of this machine that commands may read, besides the system's software and what they name.
    pub shown: Vec<PathBuf>,
    /// How long a command may take for one function.
    pub patience: Duration,
    /// The models, by what recipes call them.
    pub models: BTreeMap<String, Arc<OpenedWriter>>,
    /// Where prompts are put instead of being asked, if nothing is to be asked.
    pub rehearsal: Option<Prompts>,
}

impl std::fmt::Debug for ForeignOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { shown, patience, models, .. } = self;
        let models: Vec<&String> = models.keys().collect();
        let mut written = formatter.debug_struct("ForeignOptions");
        written.field("shown", shown).field("patience", patience).field("models", &models).finish_non_exhaustive()
    }
}

impl Default for ForeignOptions {
    fn default() -> Self {
        let patience = Duration::from_secs(60);
        Self { shown: Vec::new(), patience, models: BTreeMap::new(), rehearsal: None }
    }
}

/// Who carries out the foreign steps of some recipes.
pub(crate) struct Contractors {
    steps: BTreeMap<Foreign, Contracted>,
    sandbox: Sandbox,
    store: Option<Store>,
    patience: Duration,
    rehearsal: Option<Prompts>,
}

enum Contracted {
    Program(Program),
    Author(Author),
}

impl Contractors {
    pub(crate) fn new<'r>(
        recipes: impl IntoIterator<Item = &'r Recipe>,
        options: &ForeignOptions,
        sandbox: &Sandbox,
        store: Option<&Store>,
    ) -> Result<Self, BuildError> {
        let mut steps = BTreeMap::new();
        for step in recipes.into_iter().flat_map(Recipe::foreign) {
            let contracted = match step {
                Foreign::Command(command) => {
                    Contracted::Program(Program::find(command, &options.shown).map_err(NotForeign::from)?)
                }
                Foreign::Model { model, prompt } => {
                    let writer = options.models.get(model).ok_or_else(|| NotForeign::Model(model.clone()))?;
                    let author = Author::new(Arc::clone(writer), prompt.as_deref()).map_err(NotForeign::from)?;
                    Contracted::Author(author)
                }
            };
            steps.insert(step.clone(), contracted);
        }
        let (sandbox, store) = (sandbox.clone(), store.cloned());
        Ok(Self { steps, sandbox, store, patience: options.patience, rehearsal: options.rehearsal.clone() })
    }

    /// Whether models are not asked, but what they would be asked is noted.
    pub(crate) fn rehearse(&self) -> bool {
        self.rehearsal.is_some()
    }

    /// Stands for all that what they give depends on, besides what they are given; nothing where there is no such step.
    pub(crate) fn stamp(&self) -> String {
        let stamp = |(step, contracted): (&Foreign, &Contracted)| match contracted {
            Contracted::Program(program) => format!("{step:?} {} {:?}\n", program.stamp, self.patience),
            Contracted::Author(author) => format!("{step:?} {}\n", author.stamp()),
        };
        self.steps.iter().map(stamp).collect()
    }

    /// What a step gives for a function, not looked up.
    fn made(
        &self,
        contracted: &Contracted,
        step: &Foreign,
        given: &Given<'_>,
    ) -> Result<Result<String, Refusal>, BuildError> {
        match (contracted, step) {
            (Contracted::Program(program), _) => program.run(given, &self.sandbox, self.patience),
            (Contracted::Author(author), Foreign::Model { model, .. }) if self.rehearsal.is_some() => {
                let prompts =
                    self.rehearsal.iter().map(|prompts| prompts.lock().unwrap_or_else(PoisonError::into_inner));
                prompts.for_each(|mut prompts| prompts.push((model.clone(), author.prompt(given))));
                Ok(Err(Refusal::NobodyDoes))
            }
            (Contracted::Author(author), _) => author.write(given),
        }
    }
}

impl Contractor for Contractors {
    type Error = Trouble;

    fn carry_out(&self, step: &Foreign, given: &Given<'_>) -> Result<Result<String, Refusal>, Trouble> {
        let Some(contracted) = self.steps.get(step) else { return Ok(Err(Refusal::NobodyDoes)) };
        let made = || self.made(contracted, step, given);
        // What a model answered is kept with the models.
        let (Some(store), Contracted::Program(program)) = (&self.store, contracted) else { return Ok(made()?) };
        let told = format!("{given:?} {:?}", self.patience);
        let key = key(STAGE, &[program.stamp.as_bytes(), told.as_bytes()]);
        Ok(store.get_or(&key, || {
            let made = made()?;
            // On a machine with less to do it might have come to an end.
            let is_over = matches!(made, Err(Refusal::Foreign { reason: Reason::CommandOverLimit, .. }));
            Ok((made, if is_over { Keep::No } else { Keep::Yes }))
        })?)
    }
}
