//! Folders that hold the parts of a program rather than of the library.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Assigned, Role};
use crate::files::{File, Kind};

/// Gives the library files of a program's folder the role of the program.
///
/// A folder is a program's if a file with `main` there includes a header there, no file elsewhere but a test includes
/// any header there, and library code is left elsewhere. A project's only code is never taken for the parts of a
/// program, and neither is a `src/` unless a `lib/` stands beside it: tools are often kept with the library.
pub fn gather(files: &[File], assigned: &mut [Assigned]) {
    let folder = |at: usize| files[at].path.parent().unwrap_or(Path::new(""));
    let mut folders = BTreeSet::new();
    for (at, file) in files.iter().enumerate().filter(|(_, file)| file.kind == Kind::Header) {
        let started_here = |by: &&usize| assigned[**by].role == Role::Program && folder(**by) == folder(at);
        if file.included_by.iter().any(|by| started_here(&by)) && !folder(at).as_os_str().is_empty() {
            folders.insert(folder(at).to_owned());
        }
    }
    let is_library_unit =
        |(file, assigned): (&File, &Assigned)| file.kind == Kind::Unit && assigned.role == Role::Library;
    for program in folders {
        // Paths are sorted, so a folder's files stand together.
        let start = files.partition_point(|file| file.path < program);
        let end = start + files[start..].partition_point(|file| file.path.starts_with(&program));
        let mut includers = files[start..end].iter().flat_map(|file| &file.included_by);
        let used_elsewhere = includers.any(|&by| !(start..end).contains(&by) && assigned[by].role != Role::Test);
        let mut others = files[..start].iter().zip(&assigned[..start]).chain(files[end..].iter().zip(&assigned[end..]));
        if used_elsewhere || !others.any(is_library_unit) || !may_be_a_program(&program, files) {
            continue;
        }
        for assigned in assigned[start..end].iter_mut().filter(|assigned| assigned.role == Role::Library) {
            *assigned = Assigned::new(Role::Program, format!("{}/ holds the parts of a program", program.display()));
        }
    }
}

/// Whether a folder's name leaves room for a program.
fn may_be_a_program(folder: &Path, files: &[File]) -> bool {
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("src" | "source" | "sources") => {
            let library = folder.with_file_name("lib");
            files.iter().any(|file| file.kind == Kind::Unit && file.path.starts_with(&library))
        }
        Some("lib" | "include" | "core") | None => false,
        Some(_) => true,
    }
}
