//! Files that were lost, and the ways to lose one that no step reports by itself.

use std::path::{Path, PathBuf};

use estrange_project::Project;
use estrange_project::files::SkipReason;
use estrange_project::flags::Flags;
use estrange_source::{Fetched, Omission};
use estrange_unit::{Found, Severity, SystemFolders, Translation, normal_path};
use estrange_words::Reason;

/// A file that could not be read, or not as a whole.
#[derive(Debug, Clone)]
pub(crate) struct FileLoss {
    pub(crate) path: PathBuf,
    pub(crate) reason: Reason,
    pub(crate) detail: String,
}

/// What was left out of the tree, or passed over by its survey, and may have held functions.
pub(crate) fn passed_over(fetched: &Fetched, project: &Project) -> Vec<FileLoss> {
    let submodules = fetched.left_out.iter().filter(|left_out| left_out.reason == Omission::Submodule);
    let submodules = submodules.flat_map(|left_out| &left_out.examples).map(|path| FileLoss {
        path: PathBuf::from(path),
        reason: Reason::SubmoduleNotFetched,
        detail: "the folder is empty; as a source of its own it can be had".to_owned(),
    });
    let left_out = fetched.left_out.iter().filter_map(|left_out| {
        let reason = match left_out.reason {
            Omission::Unreadable => Reason::Unreadable,
            Omission::NameNotUtf8 | Omission::NameControl | Omission::NameTooLong => Reason::NameCannotBeUsed,
            Omission::NameTooDeep => Reason::NestedTooDeeply,
            _ => return None,
        };
        let path = PathBuf::from(left_out.examples.first()?);
        let detail = format!("{} left out: {}", left_out.count, left_out.examples.join(", "));
        Some(FileLoss { path, reason, detail })
    });
    let skipped = project.skipped.iter().filter_map(|skip| {
        let reason = match skip.reason {
            SkipReason::TooLarge { .. } => Reason::FileTooLarge,
            SkipReason::NotText => Reason::NotText,
            SkipReason::Unreadable { .. } => Reason::Unreadable,
            SkipReason::TooDeep => Reason::NestedTooDeeply,
            SkipReason::TooMany => Reason::TooManyFiles,
            // What a link leads to is listed under its own name, if it is in the tree.
            SkipReason::SymbolicLink | SkipReason::Hidden | SkipReason::Special => return None,
        };
        Some(FileLoss { path: skip.path.clone(), reason, detail: skip.reason.to_string() })
    });
    submodules.chain(left_out).chain(skipped).collect()
}

/// A file that a translation unit includes and that is none of the project's, the cache's or the system's: what lies on
/// this machine must not get into a bench because a source names it.
pub(crate) fn foreign_file<'a>(
    translation: &'a Translation,
    flags: &Flags,
    project: &Path,
    cache: &Path,
    system: &SystemFolders,
) -> Option<&'a str> {
    translation.flat.files.iter().find_map(|file| {
        let named = file.to_str()?;
        // `<command-line>` and its like.
        if named.starts_with('<') {
            return None;
        }
        let whole = normal_path(&flags.directory.join(file));
        let ours = whole.starts_with(project) || whole.starts_with(cache);
        (!ours && !system.may_hold(&whole)).then_some(named)
    })
}

/// Whether the parser did not see a file as a whole: the functions that it missed are counted nowhere else.
pub(crate) fn trouble<'a>(translation: &'a Translation, functions: &[Found]) -> Option<(Reason, &'a str)> {
    let worst = translation.reading.troubles.iter().max_by_key(|trouble| trouble.severity == Severity::Fatal)?;
    match worst.severity {
        Severity::Fatal => Some((Reason::ReadInPart, &worst.message)),
        Severity::Error if functions.is_empty() => Some((Reason::DoesNotParse, &worst.message)),
        Severity::Error => None,
    }
}
