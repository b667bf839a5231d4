//! What the translation units of a project define for each other.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use estrange_clang::DeclarationKind;
use estrange_words::Language;

use crate::link::Member;

/// A declaration of some translation unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Site {
    pub(super) unit: u32,
    pub(super) declaration: u32,
}

/// The definitions that more than their own translation unit can see.
pub(super) struct Index<'a> {
    by_usr: HashMap<&'a str, Vec<Site>>,
    units: Vec<(Language, &'a Path)>,
    /// The entities by their symbols in object code, as [`plain`] writes them, and whether they are virtual.
    by_symbol: BTreeMap<String, (&'a str, bool)>,
    /// Variables without a value, which C takes for definitions if there is no other.
    tentative: Vec<Site>,
}

impl<'a> Index<'a> {
    pub(super) fn of(members: &[Member<'a>]) -> Self {
        let mut by_usr: HashMap<&str, Vec<Site>> = HashMap::new();
        let mut by_symbol = BTreeMap::new();
        let mut tentative = Vec::new();
        for (unit, member) in members.iter().enumerate() {
            for (number, declaration) in member.reading.declarations.iter().enumerate() {
                if declaration.is_internal || declaration.usr.is_empty() || declaration.class.is_some() {
                    continue;
                }
                let site = Site { unit: unit as u32, declaration: number as u32 };
                match declaration.kind {
                    kind if kind.is_function() && declaration.is_definition => {}
                    DeclarationKind::Variable if declaration.is_definition => {}
                    DeclarationKind::Variable if !declaration.is_extern && member.language == Language::C => {
                        tentative.push(site);
                    }
                    _ => continue,
                }
                by_usr.entry(&declaration.usr).or_default().push(site);
                if !declaration.symbol.is_empty() {
                    by_symbol.insert(plain(&declaration.symbol), (declaration.usr.as_str(), declaration.is_virtual));
                }
            }
        }
        let units = members.iter().map(|member| {
            let file = member.flat.files.first().map_or(Path::new(""), |file| file.as_path());
            (member.language, file.parent().unwrap_or(Path::new("")))
        });
        Self { by_usr, by_symbol, units: units.collect(), tentative }
    }

    /// Where an entity is defined for a translation unit that does not define it itself. A definition in another
    /// language comes last.
    pub(super) fn definition(&self, usr: &str, from: u32) -> Option<Site> {
        let sites = self.by_usr.get(usr)?;
        let (language, folder) = self.units[from as usize];
        sites.iter().copied().min_by_key(|site| {
            let (its_language, its_folder) = self.units[site.unit as usize];
            (its_language != language, self.tentative.binary_search(site).is_ok(), apart(folder, its_folder), *site)
        })
    }

    /// What the project defines that object code calls by a symbol. For what a compiler keeps of a class (its table of
    /// virtual functions, its type), these are the virtual functions of the class: it is made beside one of them.
    pub(super) fn called(&self, symbol: &str) -> Vec<&'a str> {
        let class = symbol.strip_prefix("_ZT").and_then(|rest| rest.strip_prefix(['V', 'I', 'T', 'S']));
        let Some(class) = class else {
            return self.by_symbol.get(&plain(symbol)).map(|(usr, _)| *usr).into_iter().collect();
        };
        let nested = class.strip_prefix('N').and_then(|rest| rest.strip_suffix('E'));
        let prefix = format!("_ZN{}", nested.unwrap_or(class));
        let from_there = self.by_symbol.range(prefix.clone()..);
        let functions = from_there.take_while(|(symbol, _)| symbol.starts_with(&prefix)).map(|(_, function)| function);
        functions.filter(|(_, is_virtual)| *is_virtual).map(|(usr, _)| *usr).collect()
    }

    /// Whether two translation units have the same language.
    pub(super) fn same_language(&self, one: u32, other: u32) -> bool {
        self.units[one as usize].0 == self.units[other as usize].0
    }
}

/// A symbol as it is the same for all variants of a constructor or destructor, and with what `const` and the like add
/// to a method's taken out.
fn plain(symbol: &str) -> String {
    let Some(nested) = symbol.strip_prefix("_ZN") else { return symbol.to_owned() };
    let mut plain = format!("_ZN{}", nested.trim_start_matches(['r', 'V', 'K', 'R', 'O']));
    for (variants, one) in [(["C2E", "C3E"], "C1E"), (["D0E", "D2E"], "D1E")] {
        for variant in variants {
            plain = plain.replacen(variant, one, 1);
        }
    }
    plain
}

/// The number of steps from one folder to another.
fn apart(one: &Path, other: &Path) -> usize {
    let common = one.components().zip(other.components()).take_while(|(left, right)| left == right).count();
    one.components().count() + other.components().count() - 2 * common
}
