//! Names that mean different things in two files: one of them is renamed.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use estrange_clang::{DeclarationKind, Target};
use estrange_text::lexer::{Kind, Token, directive_name, lex_body, macro_parts};
use estrange_words::Language;

use crate::forms::Form;
use crate::link::LinkLoss;
use crate::link::sheet::Sheet;
use crate::link::walk::Section;

/// The new names of one translation unit: where the renamed thing is declared, its old and new name.
pub(super) type Renames = HashMap<u32, (String, String)>;

/// Something with a name.
struct Entity {
    /// Where names must not collide.
    key: String,
    /// The same for the same thing in every translation unit.
    identity: u64,
    name: String,
    /// Where it is declared.
    offsets: Vec<u32>,
    /// Whether all files can see it, so that its name must stay.
    is_external: bool,
}

/// A name that is taken.
struct Taken {
    identity: u64,
    section: usize,
    renamed: Option<String>,
}

/// What must be renamed in each section.
pub(super) fn renames(sections: &[Section<'_>], function: u32) -> Result<Vec<Renames>, LinkLoss> {
    let mut renames: Vec<Renames> = sections.iter().map(|_| Renames::new()).collect();
    if sections.len() < 2 {
        return Ok(renames);
    }
    let entities: Vec<Vec<Entity>> = sections.iter().map(entities).collect();
    let mut words: HashSet<&str> = HashSet::new();
    words.extend(entities.iter().flatten().map(|entity| entity.name.as_str()));
    let mut taken: HashMap<&str, Vec<Taken>> = HashMap::new();
    let mut renamed_before: HashMap<(u64, &str), String> = HashMap::new();
    for external in [true, false] {
        for (section, entities) in entities.iter().enumerate() {
            for entity in entities.iter().filter(|entity| entity.is_external == external) {
                let others = taken.entry(&entity.key).or_default();
                let known = others.iter().find(|other| other.identity == entity.identity);
                let renamed = match known {
                    Some(known) => known.renamed.clone(),
                    None => {
                        // One translation unit may well declare a name several times.
                        let collides = !external && others.iter().any(|other| other.section != section);
                        let identity = (entity.identity, entity.name.as_str());
                        let renamed = collides.then(|| {
                            let before = renamed_before.get(&identity).cloned();
                            let fresh = (others.len() + 1..).map(|number| format!("{}_{number}", entity.name));
                            let mut fresh = fresh.filter(|name| !words.contains(name.as_str()));
                            before.or_else(|| fresh.next()).unwrap_or_default()
                        });
                        if let Some(renamed) = &renamed {
                            renamed_before.insert(identity, renamed.clone());
                        }
                        others.push(Taken { identity: entity.identity, section, renamed: renamed.clone() });
                        renamed
                    }
                };
                if let Some(renamed) = renamed {
                    for offset in &entity.offsets {
                        renames[section].insert(*offset, (entity.name.clone(), renamed.clone()));
                    }
                }
            }
        }
    }
    let own = sections[0].sheet.slices.declaration(function);
    if renames[0].contains_key(&own.at) {
        return Err(LinkLoss::StaticCollision(own.qualified_name.clone()));
    }
    Ok(renames)
}

fn entities(section: &Section<'_>) -> Vec<Entity> {
    let sheet = &section.sheet;
    let slices = &sheet.slices;
    let mut entities = Vec::new();
    for (number, piece) in &section.chunks {
        for declaration in &sheet.chunk(*number).declarations {
            let declaration = slices.declaration(*declaration);
            let all = slices.by_usr.get(declaration.usr.as_str()).map_or(&[][..], Vec::as_slice);
            let in_chunk = |number: &u32| slices.chunk_of[*number as usize] != u32::MAX;
            let defined = all.iter().copied().filter(in_chunk).find(|number| slices.declaration(*number).is_definition);
            let item = |declaration: u32| sheet.piece(slices.chunk_of[declaration as usize], Form::Whole).item;
            let cpp = slices.language == Language::Cpp;
            let is_linked =
                declaration.kind == DeclarationKind::Function || declaration.kind == DeclarationKind::Variable;
            let is_external = is_linked && !declaration.is_internal;
            if declaration.name.is_empty() || declaration.class.is_some() {
                continue;
            }
            let (space, identity) = match declaration.kind {
                DeclarationKind::Function | DeclarationKind::Variable if is_external => ("", hash(&declaration.usr)),
                DeclarationKind::Function | DeclarationKind::Variable => ("", defined.map_or(piece.item, item)),
                // A type that is only declared may be any.
                DeclarationKind::Record | DeclarationKind::Enumeration => match defined {
                    Some(defined) if !declaration.is_template => (if cpp { "" } else { "tag " }, item(defined)),
                    _ => continue,
                },
                DeclarationKind::Alias => ("", piece.item),
                _ => continue,
            };
            let mut key = format!("{space}{}", if cpp { &declaration.qualified_name } else { &declaration.name });
            if cpp && declaration.kind == DeclarationKind::Function {
                // Functions of one name differ in their parameters.
                key.push_str(declaration.usr.rsplit("@F@").next().unwrap_or_default());
            }
            let is_unnamed = !slices.text()[declaration.at as usize..].starts_with(&declaration.name);
            if !is_unnamed {
                let offsets = all.iter().map(|number| slices.declaration(*number).at).chain([declaration.at]);
                let offsets: Vec<u32> = offsets.collect();
                let mut entity = |key: String| {
                    let name = declaration.name.clone();
                    entities.push(Entity { key, identity, name, offsets: offsets.clone(), is_external });
                };
                entity(key);
                if cpp && declaration.is_internal {
                    // Whatever their namespaces: a `using` may bring them together.
                    entity(format!("only {}", declaration.name));
                }
            }
            if declaration.kind == DeclarationKind::Enumeration {
                let scope = declaration.qualified_name.rsplit_once("::").map_or("", |(scope, _)| scope);
                for (name, offset) in values(sheet, *number) {
                    let key = if cpp && !scope.is_empty() { format!("{scope}::{name}") } else { name.clone() };
                    entities.push(Entity { key, identity, name, offsets: vec![offset], is_external: false });
                }
            }
        }
    }
    entities
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The values of an enumeration, with their places.
fn values(sheet: &Sheet<'_>, number: u32) -> Vec<(String, u32)> {
    let chunk = sheet.chunk(number);
    let text = sheet.slices.text();
    let mut values = Vec::new();
    let mut depth = 0;
    let mut expected = false;
    let mut previous = "";
    for token in sheet.slices.tokens(chunk.start, chunk.end) {
        if matches!(token.kind, Kind::Comment | Kind::Directive) {
            continue;
        }
        let word = token.text(text);
        match word {
            // Values of `enum class` cannot collide.
            "class" | "struct" if previous == "enum" => return Vec::new(),
            "{" => {
                depth += 1;
                expected = depth == 1;
            }
            "(" => depth += 1,
            "}" | ")" => depth -= 1,
            "," if depth == 1 => expected = true,
            _ if expected && depth == 1 && token.kind == Kind::Identifier => {
                values.push((word.to_owned(), token.start));
                expected = false;
            }
            _ => expected = false,
        }
        previous = word;
    }
    values
}

/// What a chunk and its macros are to be renamed: by place, and by word within macros.
#[derive(Default)]
pub(super) struct ChunkRenames<'r> {
    /// Tokens of the chunk, by offset.
    pub(super) places: HashMap<u32, &'r str>,
    /// Words in the macros that the chunk calls.
    pub(super) words: HashMap<&'r str, &'r str>,
}

impl<'r> ChunkRenames<'r> {
    /// What to rename in a chunk.
    pub(super) fn of(sheet: &Sheet<'_>, number: u32, renames: &'r Renames) -> Self {
        let mut found = Self::default();
        if renames.is_empty() {
            return found;
        }
        let slices = &sheet.slices;
        let text = slices.text();
        let chunk = sheet.chunk(number);
        let mut by_place: HashMap<u32, Vec<&'r (String, String)>> = HashMap::new();
        for reference in slices.references(chunk.start, chunk.end) {
            if let Target::Here(offset) = reference.target
                && let Some(pair) = renames.get(&offset)
            {
                by_place.entry(reference.at).or_default().push(pair);
                found.words.insert(&pair.0, &pair.1);
            }
        }
        let records: HashMap<&str, &str> = chunk
            .declarations
            .iter()
            .chain(&chunk.methods)
            .map(|number| slices.declaration(*number))
            .filter(|declaration| {
                slices.language == Language::Cpp
                    && (declaration.kind.is_function() || declaration.kind == DeclarationKind::Record)
            })
            .filter_map(|declaration| {
                // Constructors and destructors are called like their class.
                let class = declaration.class.map(|class| slices.declaration(class));
                let of = class.unwrap_or(declaration);
                let pair = renames.get(&of.at).filter(|_| of.kind == DeclarationKind::Record)?;
                Some((pair.0.as_str(), pair.1.as_str()))
            })
            .collect();
        let tokens = slices.tokens(chunk.start, chunk.end);
        let mut calls: Vec<(i32, Vec<&'r (String, String)>)> = Vec::new();
        let mut depth = 0;
        let mut previous: Option<&Token> = None;
        for token in tokens.iter().filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive)) {
            let word = token.text(text);
            match word {
                "(" => depth += 1,
                ")" => {
                    depth -= 1;
                    calls.retain(|(outside, _)| *outside < depth);
                }
                _ => {}
            }
            let member = previous.is_some_and(|previous| matches!(previous.text(text), "." | "->"));
            previous = Some(token);
            if token.kind != Kind::Identifier {
                continue;
            }
            if let Some(pair) = renames.get(&token.start) {
                found.places.insert(token.start, &pair.1);
                found.words.insert(&pair.0, &pair.1);
                continue;
            }
            let here = by_place.get(&token.start);
            let named = here.into_iter().flatten().find(|pair| pair.0 == word);
            let passed = calls.iter().flat_map(|(_, pairs)| pairs).find(|pair| pair.0 == word && !member);
            if let Some(pair) = named.or(passed) {
                found.places.insert(token.start, &pair.1);
            } else if let Some(renamed) = records.get(word) {
                let pair = renames.values().find(|pair| pair.0 == word && pair.1 == *renamed);
                found.places.extend(pair.map(|pair| (token.start, pair.1.as_str())));
            }
            // What a macro makes out of its arguments is seen at the place of its name.
            if let Some(pairs) = here
                && slices.macros.in_force(word, token.start).is_some()
            {
                calls.push((depth, pairs.clone()));
            }
        }
        found
    }

    /// A `#define` with its words renamed.
    pub(super) fn directive(&self, directive: &str) -> String {
        let parts = macro_parts(directive).filter(|_| directive_name(directive) == "define" && !self.words.is_empty());
        let Some(parts) = parts else { return directive.to_owned() };
        let parameters = parts.parameters.as_deref().unwrap_or_default();
        let body = &directive[parts.body.clone()];
        let mut renamed = directive[..parts.body.start].to_owned();
        let mut from = 0;
        let mut previous = "";
        for token in lex_body(body) {
            let word = token.text(body);
            if token.kind == Kind::Identifier
                && !matches!(previous, "." | "->")
                && !parameters.contains(&word)
                && let Some(new) = self.words.get(word)
            {
                renamed.push_str(&body[from..token.start as usize]);
                renamed.push_str(new);
                from = token.end as usize;
            }
            previous = word;
        }
        renamed.push_str(&body[from..]);
        renamed.push_str(&directive[parts.body.end..]);
        renamed
    }
}
