//! One source, fetched and surveyed.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_project::files::Bounds;
use estrange_project::flags::{Earlier, FlagOptions};
use estrange_project::{Options as SurveyOptions, Project, SourceFile};
use estrange_sandbox::{Sandbox, Workshop};
use estrange_source::{Cache, Fetched};
use estrange_unit::normal_path;
use estrange_words::{Hint, Reason};

use crate::flat::Contents;
use crate::lost::passed_over;
use crate::options::{Options, Progress};
use crate::state::State;

/// The time that all of a source's configure steps may take together.
const CONFIGURE_WALL: Duration = Duration::from_secs(300);

/// A source that was had.
pub(crate) struct Origin {
    pub(crate) state: State,
    pub(crate) fetched: Fetched,
    pub(crate) project: Project,
    pub(crate) contents: Contents,
    by_path: HashMap<PathBuf, usize>,
}

/// Why a source was not had.
pub(crate) struct OriginLoss {
    pub(crate) reason: Reason,
    pub(crate) detail: String,
    pub(crate) hint: Option<String>,
}

impl Origin {
    /// Fetches and surveys a state. One that only some functions are wanted of is configured as `earlier` was, where the
    /// two differ in code alone.
    pub(crate) fn get(
        state: &State,
        earlier: Option<&Origin>,
        options: &Options,
        cache: &Cache,
        sandbox: &Sandbox,
        progress: &dyn Progress,
    ) -> Result<Self, OriginLoss> {
        let fetched = estrange_source::fetch(&state.spec, cache, sandbox, progress.fetching()).map_err(|loss| {
            OriginLoss { reason: loss.reason(), detail: loss.to_string(), hint: loss.hint().map(Cow::into_owned) }
        })?;
        progress.step("surveying");
        let earlier = earlier
            .filter(|_| !state.wanted.are_all())
            .map(|origin| Earlier { tree: origin.fetched.root.clone(), key: origin.project.key.clone() });
        let (configure, cache) = (options.configure, cache.path().to_owned());
        let flags = FlagOptions { configure, wall: CONFIGURE_WALL, cache, earlier };
        let survey = SurveyOptions { bounds: Bounds::default(), flags };
        let project = estrange_project::survey(&fetched.root, &survey, sandbox, &|what| progress.step(what))
            .map_err(|error| OriginLoss { reason: Reason::CannotBeSurveyed, detail: error.to_string(), hint: None })?;
        if project.files.is_empty() && passed_over(&fetched, &project).is_empty() {
            let detail = "there is no C or C++ file in it".to_owned();
            return Err(OriginLoss { reason: Reason::NoCode, detail, hint: None });
        }
        let by_path = project.files.iter().enumerate().map(|(number, file)| (file.path.clone(), number)).collect();
        Ok(Self { state: state.clone(), fetched, project, contents: Contents::default(), by_path })
    }

    /// The file of the project that a compiler named, and its path in the project.
    pub(crate) fn file(&self, named: &Path, directory: &Path) -> Option<&SourceFile> {
        let whole = normal_path(&directory.join(named));
        let inside = whole.strip_prefix(&self.project.root).ok()?;
        self.by_path.get(inside).map(|number| &self.project.files[*number])
    }

    /// The numbers of the files that wanted functions may stand in, and of all that include one of them; nothing where all
    /// functions are wanted.
    pub(crate) fn near(&self) -> Option<HashSet<usize>> {
        if self.state.wanted.are_all() {
            return None;
        }
        let files = &self.project.files;
        let mut near = HashSet::new();
        let mut open: Vec<usize> =
            (0..files.len()).filter(|number| self.state.wanted.have(&files[*number].path)).collect();
        while let Some(number) = open.pop() {
            if near.insert(number) {
                open.extend(&files[number].included_by);
            }
        }
        Some(near)
    }

    /// A workshop that shows its tree.
    pub(crate) fn shown_in(&self, workshop: &Workshop) -> Workshop {
        workshop.clone().showing([&self.project.root])
    }

    /// The name under which it stands in the bench.
    pub(crate) fn name(&self) -> String {
        self.state.name()
    }
}
