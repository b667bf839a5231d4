//! Steps of recipes that are not ours: the models that they name are opened, and what asking them would come to is said.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use estrange_build::{Foreign, ForeignOptions, Recipe};
use estrange_model::openai::Estimate;
use estrange_model::{OpenedWriter, Prompt, Silent};

use crate::arguments::{self, Server, Shared};
use crate::models;
use crate::prepare::cache;
use crate::voice::Failure;
use crate::{Ending, output};

/// What the foreign steps of recipes have at their disposal, with the models opened.
pub fn options<'r>(
    recipes: impl IntoIterator<Item = &'r Recipe>,
    arguments: &arguments::Foreign,
    server: &Server,
    shared: &Shared,
) -> Result<ForeignOptions, Failure> {
    let mut models: BTreeMap<String, Arc<OpenedWriter>> = BTreeMap::new();
    for step in recipes.into_iter().flat_map(Recipe::foreign) {
        if let Foreign::Model { model, .. } = step
            && !models.contains_key(model)
        {
            models.insert(model.clone(), Arc::new(models::writer(model, server, cache(shared)?.path())?));
        }
    }
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    Ok(ForeignOptions {
        shown: arguments.external_reads.iter().map(absolute).collect(),
        patience: Duration::from_secs(u64::from(arguments.external_timeout)),
        models,
        rehearsal: server.dry_run.then(Arc::default),
    })
}

/// Says what the prompts that a rehearsal left will come to.
pub fn announce(options: &ForeignOptions, server: &Server) -> Result<Ending, Failure> {
    let prompts = options.rehearsal.iter().flat_map(|prompts| take(prompts));
    let mut by_model: BTreeMap<String, Vec<Prompt>> = BTreeMap::new();
    prompts.for_each(|(model, prompt)| by_model.entry(model).or_default().push(prompt));
    let mut together: Option<Estimate> = None;
    for (model, prompts) in by_model {
        let Some(writer) = options.models.get(&model) else { continue };
        let asked = writer.rehearse(String::new(), |writer| {
            prompts.iter().try_for_each(|prompt| writer.write(prompt, &Silent).map(drop))
        });
        if let Some(estimate) = asked.map_err(|error| models::failure(&error))? {
            together = Some(together.map_or(estimate, |sum| sum + estimate));
        }
    }
    match together {
        Some(estimate) => output::print(&format!("{}\n", models::words(&estimate, server.price.is_some()))),
        None => output::print("nothing has to be paid for\n"),
    }
    .map(|()| Ending::Done)
}

fn take(prompts: &Mutex<Vec<(String, Prompt)>>) -> Vec<(String, Prompt)> {
    std::mem::take(&mut *prompts.lock().unwrap_or_else(PoisonError::into_inner))
}
