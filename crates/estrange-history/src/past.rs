//! The functions of a bench, with the days on which they last changed, and those that certain changes touch.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

use estrange_bench::{Bench, BenchError, Reason, Source, record};
use estrange_sandbox::Sandbox;
use estrange_source::{Cache, Loss, Origin, Progress, Spec, fetch, follow};

use crate::asked::Asked;
use crate::step::{Of, Step, sums};
use crate::tracks::{Place, Tracks};

/// What the histories of a bench's sources say of its functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    days: HashMap<String, String>,
    chosen: Option<HashSet<String>>,
    /// The sources, in the order of the bench.
    pub sources: Vec<SourcePast>,
}

/// What one source comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePast {
    /// The source, as it was asked for.
    pub source: String,
    /// How many changes and functions are left after each step.
    pub steps: Vec<Step>,
    /// Why its history is not known, where it is not.
    pub left_out: Option<LeftOut>,
    /// How many files' changes could not be read, such as those of a name that is no text.
    pub unread: usize,
}

/// Why the history of a source is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The reason.
    pub reason: Reason,
    /// The same in words.
    pub detail: String,
}

record! {
    /// Where a function of the bench stands.
    pub struct KeptPlace of Functions {
        /// As in the bench; so with the others.
        pub id: String,
        /// Its source.
        pub source: String,
        /// Its file.
        pub path: String,
        /// Its first line.
        pub line_start: u32,
        /// Its last line.
        pub line_end: u32,
    }
}

record! {
    /// Where a function stands that was found and is not in the bench.
    pub struct RejectedPlace of Rejected {
        /// As in the bench; so with the others.
        pub id: Option<String>,
        /// Its source.
        pub source: String,
        /// Its file.
        pub path: Option<String>,
        /// Its first line.
        pub line_start: Option<u32>,
        /// Its last line.
        pub line_end: Option<u32>,
        /// Why it is not there.
        pub reason: Reason,
    }
}

/// The functions that were found in a source: those of the bench have an id, the others a reason.
#[derive(Default)]
struct Functions {
    places: Vec<Place>,
    known: Vec<Result<String, Reason>>,
}

impl Functions {
    fn add(&mut self, path: String, lines: (u32, u32), known: Result<String, Reason>) {
        let (first, last) = (lines.0 as usize, lines.1 as usize);
        self.places.push(Place { path, first, last, is_dated: known.is_ok() });
        self.known.push(known);
    }
}

impl Past {
    /// Reads the histories of a bench's sources. One that has none, or whose history cannot be had, is told with its reason.
    pub fn of(
        bench: &Bench,
        asked: &Asked,
        cache: &Cache,
        sandbox: &Sandbox,
        progress: &dyn Progress,
    ) -> Result<Self, BenchError> {
        let mut functions = found(bench)?;
        let mut past = Self { chosen: asked.since.is_some().then(HashSet::new), ..Self::default() };
        for source in &bench.manifest().sources {
            let own = functions.remove(&source.spec).unwrap_or_default();
            past.add(source, &own, asked, |tracks| read(source, tracks, &own, (cache, sandbox, progress)));
        }
        Ok(past)
    }

    fn add(
        &mut self,
        source: &Source,
        own: &Functions,
        asked: &Asked,
        read: impl FnOnce(&mut Tracks<'_>) -> Result<HashSet<String>, Loss>,
    ) {
        let mut tracks = Tracks::new(&own.places, asked);
        let (left_out, uncommitted) = match read(&mut tracks) {
            Ok(uncommitted) => (None, uncommitted),
            Err(loss) => {
                // What was found until then is not the whole of it.
                tracks = Tracks::new(&own.places, asked);
                (Some(LeftOut { reason: loss.reason(), detail: loss.to_string() }), HashSet::new())
            }
        };
        let mut steps = tracks.steps();
        if asked.since.is_some() {
            steps.extend(function_steps(&tracks, own, left_out.as_ref(), &uncommitted));
        }
        for (function, known) in own.known.iter().enumerate() {
            let (Ok(id), false) = (known, uncommitted.contains(&own.places[function].path)) else { continue };
            self.days.extend(tracks.day(function).map(|day| (id.clone(), day.to_owned())));
            if let Some(chosen) = self.chosen.as_mut().filter(|_| tracks.is_chosen(function)) {
                chosen.insert(id.clone());
            }
        }
        self.sources.push(SourcePast { source: source.spec.clone(), steps, left_out, unread: tracks.unread() });
    }

    /// The day on which a function last changed, where that is known.
    pub fn day(&self, function_id: &str) -> Option<&str> {
        self.days.get(function_id).map(String::as_str)
    }

    /// Whether a function is among those that were asked for; each is, where no changes were asked for.
    pub fn takes(&self, function_id: &str) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.contains(function_id))
    }

    /// How many functions were asked for and are in the bench; none where no changes were asked for.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen.as_ref().map(HashSet::len)
    }

    /// All steps, over all sources.
    pub fn steps(&self) -> Vec<Step> {
        sums(self.sources.iter().map(|source| &source.steps[..]))
    }
}

/// The functions that were found in each source.
fn found(bench: &Bench) -> Result<HashMap<String, Functions>, BenchError> {
    let mut found: HashMap<String, Functions> = HashMap::new();
    for kept in bench.rows::<KeptPlace>()? {
        let KeptPlace { id, source, path, line_start, line_end } = kept?;
        found.entry(source).or_default().add(path, (line_start, line_end), Ok(id));
    }
    for rejected in bench.rows::<RejectedPlace>()? {
        let RejectedPlace { id, source, path, line_start, line_end, reason } = rejected?;
        // Without an id it is a whole file or source, of which no function is known.
        if let (Some(_), Some(path), Some(first), Some(last)) = (id, path, line_start, line_end) {
            found.entry(source).or_default().add(path, (first, last), Err(reason));
        }
    }
    Ok(found)
}

type Means<'m> = (&'m Cache, &'m Sandbox, &'m dyn Progress);

/// Follows the functions of a source back. Hands back the files that stand otherwise in the source than in its repository.
fn read(
    source: &Source,
    tracks: &mut Tracks<'_>,
    own: &Functions,
    (cache, sandbox, progress): Means<'_>,
) -> Result<HashSet<String>, Loss> {
    let spec: Spec = source.pinned.parse()?;
    let Origin::Directory(_) = spec.origin() else {
        follow(&spec, cache, sandbox, progress, tracks)?;
        return Ok(HashSet::new());
    };
    let revision = follow(&spec, cache, sandbox, progress, tracks)?;
    // A folder may have changed since the bench was made, which is an error here; and it may have what nobody committed.
    let folder = fetch(&spec, cache, sandbox, progress)?;
    let committed = fetch(&revision, cache, sandbox, progress)?;
    let differs = |path: &&String| match (fs::read(folder.root.join(path)), fs::read(committed.root.join(path))) {
        (Ok(one), Ok(other)) => one != other,
        _ => true,
    };
    let paths: HashSet<&String> = own.places.iter().map(|place| &place.path).collect();
    Ok(paths.into_iter().filter(differs).cloned().collect())
}

/// The functions, step by step.
fn function_steps(
    tracks: &Tracks<'_>,
    own: &Functions,
    left_out: Option<&LeftOut>,
    uncommitted: &HashSet<String>,
) -> [Step; 4] {
    let all = own.places.len() as u64;
    let without = left_out.map_or("", |left_out| left_out.reason.as_str());
    let known = if left_out.is_some() { 0 } else { all };
    let is_uncommitted = |function: &usize| uncommitted.contains(&own.places[*function].path);
    let everywhere = 0..own.places.len();
    let uncommitted = everywhere.clone().filter(is_uncommitted).count() as u64;
    let changed: Vec<usize> =
        everywhere.filter(|function| !is_uncommitted(function) && tracks.is_chosen(*function)).collect();
    let mut rejected: BTreeMap<&'static str, u64> = BTreeMap::new();
    for reason in changed.iter().filter_map(|function| own.known[*function].as_ref().err()) {
        *rejected.entry(reason.as_str()).or_default() += 1;
    }
    let (uncommitted, changed) = if left_out.is_some() { (0, 0) } else { (uncommitted, changed.len() as u64) };
    let in_bench = changed - rejected.values().sum::<u64>();
    [
        Step::new("found", Of::Functions, all),
        Step::new("with-history", Of::Functions, known).losing(without, all - known),
        Step::new("changed", Of::Functions, changed)
            .losing("not-committed", uncommitted)
            .losing("not-changed", known - uncommitted - changed),
        Step { lost: rejected, ..Step::new("in-the-bench", Of::Functions, in_bench) },
    ]
}
