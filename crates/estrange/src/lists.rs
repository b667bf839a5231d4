//! The lists of what may be asked for, and what is said of a word that is in none of them.

use estrange_build::{Group, Lowering, LoweringTarget, NAMED_SETTINGS, NoRecipe, Rewrite, split_list};
use estrange_project::role::Role;
use estrange_source::Sign;

use crate::arguments::listing::columns;
use crate::nearest::nearest;
use crate::voice::Failure;

/// What a recipe may be.
pub fn recipes() -> String {
    let named = columns(NAMED_SETTINGS.into_iter().map(|(name, recipe)| (name, recipe.to_owned())));
    let all = |is_one: &dyn Fn(Rewrite) -> bool| {
        columns(Rewrite::all().filter(|rewrite| is_one(*rewrite)).map(|rewrite| (rewrite.name(), said(rewrite))))
    };
    let of = |group: Group| all(&|rewrite| rewrite.group() == Some(group));
    format!(
        "Settings, each a recipe that has a name:\n{named}\n\
         Rewrites, to be put together with commas or plus signs between them; name*3 does one three times.\n\
         Names and layout:\n{}\nShapes, all calls or one rewrite that applies:\n{}\nShapes, structural:\n{}\nShapes, semantic:\n{}\n\
         Shapes, of the ladder:\n{}\nShapes, of distraction:\n{}\nShapes, in no setting:\n{}\n\
         Of others, checked like ours:\n{}",
        all(&|rewrite| !rewrite.reshapes()),
        all(&|rewrite| rewrite.reshapes() && rewrite.group().is_none()),
        of(Group::Structure),
        of(Group::Semantic),
        of(Group::Ladder),
        of(Group::Distraction),
        of(Group::ByName),
        columns([
            ("external:COMMAND", "What a command prints that gets the file; see docs/rewriting.md.".to_owned()),
            ("openai:NAME@PROMPT", "What a model writes: `semantic`, `structure`, or the prompt in a file.".to_owned()),
            ("local:FILE@PROMPT", "What a model on this machine writes, in GGUF format.".to_owned()),
        ]),
    )
}

fn said(rewrite: Rewrite) -> String {
    let about = rewrite.about();
    match rewrite.needs() {
        Some(needs) => format!("{about} Needs {needs}."),
        None => about.to_owned(),
    }
}

/// The words of lists with commas between them, each list an argument.
pub fn words(lists: &[String]) -> Vec<String> {
    lists.iter().flat_map(|list| split_list(list)).map(str::to_owned).collect()
}

/// What functions may be lowered to.
pub fn targets() -> String {
    columns(LoweringTarget::ALL.iter().map(|target| (target.as_str(), target.meaning().to_owned())))
}

/// What a setting of a bench may be.
pub fn settings() -> String {
    format!(
        "As it is:\n{}\nWhat a compiler makes of it; x86_64:clang:O2 says by which one and how far it is optimised, and\n\
         x86_64/paper and wasm32/paper look as in the CLARC paper:\n{}\n{}",
        columns([("standard", "the function as it was written".to_owned())]),
        targets(),
        recipes()
    )
}

/// What files may be to their project.
pub fn roles() -> String {
    let roles = ["library", "program", "test", "example", "vendored", "generated", "packaging", "platform"];
    columns(roles.map(|role| (role, String::new())))
}

/// What may give a fix away.
pub fn signs() -> String {
    columns(Sign::ALL.iter().map(|sign| (sign.as_str(), sign.meaning().to_owned())))
}

/// A role by its name.
pub fn role(word: &str) -> Result<Role, Failure> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).map_err(|_| {
        Failure::new(format!("`{word}` is no role"))
            .hint("library, program, test, example, vendored, generated, packaging or platform")
            .usage()
    })
}

/// What is wrong with a recipe.
pub fn no_recipe(error: &NoRecipe) -> Failure {
    let failure = Failure::new(error.to_string()).usage();
    let NoRecipe::Unknown(word) = error else { return failure };
    let named = NAMED_SETTINGS.into_iter().map(|(name, _)| name);
    proposed(failure, word, Rewrite::all().map(Rewrite::name).chain(named), "`estrange rewrite --recipe ?`")
}

/// What is wrong with a setting of a bench.
pub fn no_setting(word: &str, error: &NoRecipe) -> Failure {
    let target = word.split([':', '/']).next().unwrap_or_default();
    if let (Ok(_), Err(unknown)) = (target.parse::<LoweringTarget>(), word.parse::<Lowering>()) {
        return Failure::new(unknown.to_string()).usage();
    }
    let failure = Failure::new(error.to_string()).usage();
    let NoRecipe::Unknown(word) = error else { return failure };
    let named = NAMED_SETTINGS.into_iter().map(|(name, _)| name).chain(["standard"]);
    let targets = LoweringTarget::ALL.iter().map(|target| target.as_str());
    let words = Rewrite::all().map(Rewrite::name).chain(named).chain(targets);
    proposed(failure, word, words, "`estrange build --settings ?`")
}

fn proposed<'w>(failure: Failure, word: &str, words: impl Iterator<Item = &'w str>, list: &str) -> Failure {
    match nearest(words, word).as_slice() {
        [] => failure.hint(format!("{list} lists all")),
        near => failure.hint(format!("there is {}; {list} lists all", near.join(", "))),
    }
}
