//! The texts of functions in the settings other than the standard one, out of all files.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::rows::{Rows, malformed};
use super::{targets, unknown};
use crate::exchange::error::ExchangeError;
use crate::record::Function;
use crate::words::{Group, View};

/// What the files have of a function in one setting.
#[derive(Debug, Default)]
pub(super) struct Texts<'f> {
    pub(super) short: Option<&'f str>,
    pub(super) long: Option<&'f str>,
}

/// By setting and seed, by function.
pub(super) type InSettings<'f> = BTreeMap<(&'f str, u32), HashMap<&'f str, Texts<'f>>>;

/// Reads them. A file has functions of its group and those that they call, of whatever group these are.
pub(super) fn texts<'f>(files: &'f [Rows], functions: &[Function]) -> Result<InSettings<'f>, ExchangeError> {
    let mut in_settings = InSettings::new();
    for group in Group::ALL {
        let own = || functions.iter().filter(|function| function.group == *group);
        let helpers = own().flat_map(|function| &function.helpers).filter_map(|helper| helper.id.as_deref());
        let known: HashSet<&str> = own().map(|function| function.id.as_str()).chain(helpers).collect();
        let of_group = || files.iter().filter(|file| file.part.group == *group);
        let standard = of_group().filter(|file| file.part.setting == "standard").min_by_key(|file| file.part.view);
        let targets = standard.map(targets).unwrap_or_default();
        for file in of_group().filter(|file| file.part.setting != "standard") {
            let here = in_settings.entry((file.part.setting.as_str(), file.part.seed)).or_default();
            for row in &file.rows {
                let function = match file.part.view {
                    View::Short => Some(row.code_id.as_str()).filter(|id| known.contains(id)),
                    View::Long => targets.get(row.query_id.as_str()).copied(),
                };
                let texts = here.entry(function.ok_or_else(|| unknown(file, row))?).or_default();
                let text = match file.part.view {
                    View::Short => &mut texts.short,
                    View::Long => &mut texts.long,
                };
                if text.replace(&row.code_text).is_some_and(|other| other != row.code_text) {
                    let detail = format!("another group has another text of the code_id {}", row.code_id);
                    return Err(malformed(&file.path, detail));
                }
            }
        }
    }
    Ok(in_settings)
}
