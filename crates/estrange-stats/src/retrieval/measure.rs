//! The measures that a ranking can be scored by, and their names.

use std::fmt;
use std::str::FromStr;

use estrange_words::words;

words! {
    /// What is measured of a ranking.
    pub enum Kind {
        /// Normalised discounted cumulative gain; a document's gain is its grade. trec_eval's `ndcg_cut`, `ranx`'s
        /// `ndcg`.
        Ndcg = "ndcg",
        /// The same as `ndcg` where a document's gain is 2 to the power of its grade, less 1. `ranx`'s `ndcg_burges`.
        NdcgExponential = "ndcg_burges",
        /// One divided by the rank of the first relevant document. trec_eval's `recip_rank`.
        ReciprocalRank = "mrr",
        /// The mean, over all relevant documents, of the precision at their ranks, 0 for those not found. trec_eval's
        /// `map_cut`: what is divided by is the number of relevant documents, even where it is larger than the cut.
        AveragePrecision = "map",
        /// The share of the relevant documents that were found. Also written `r`.
        Recall = "recall",
        /// The share of the documents found that are relevant; also written `p`. With a cut it is divided by the cut, even if
        /// fewer were found.
        Precision = "precision",
        /// 1 if any relevant document was found, else 0. `ranx`'s `hit_rate`, by which name it can be asked for, too.
        Success = "success",
    }
}

impl Kind {
    fn weighs_grades(self) -> bool {
        matches!(self, Kind::Ndcg | Kind::NdcgExponential)
    }
}

/// A kind of measure, with the depth to which a ranking is read and the grade from which on a document is relevant.
///
/// It is written as `ranx` writes it: `ndcg@10`, `mrr@10`, `map`, `recall@5`, `mrr@10-l2`.
///
/// ```
/// use estrange_stats::retrieval::{Kind, Measure};
///
/// let measure: Measure = "mrr@10-l2".parse()?;
/// assert_eq!(measure, Measure::new(Kind::ReciprocalRank).at(10).from_grade(2));
/// assert_eq!(measure.to_string(), "mrr@10-l2");
/// # Ok::<(), estrange_stats::retrieval::MeasureError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Measure {
    kind: Kind,
    cut: Option<usize>,
    least_grade: u32,
}

/// The name of a measure that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// There is no such measure.
    #[error("no measure is called {0:?}; there are {known}", known = known())]
    Unknown(String),
    /// A cut that is not a number above 0.
    #[error("{0:?} does not end with a number above 0, as in ndcg@10")]
    Cut(String),
    /// A grade that is not a number above 0, or of no use to the measure.
    #[error("{0:?} does not end with a grade above 0, as in mrr@10-l2; ndcg takes none, since it knows all grades")]
    Grade(String),
}

/// Other names that can be asked for.
const OTHER_NAMES: [(&str, Kind); 3] = [("r", Kind::Recall), ("p", Kind::Precision), ("hit_rate", Kind::Success)];

/// All names, as an error lists them.
fn known() -> String {
    let all = Kind::ALL.iter().flat_map(|kind| {
        let others = OTHER_NAMES.iter().filter(move |(_, other)| other == kind).map(|(name, _)| *name);
        std::iter::once(kind.as_str()).chain(others)
    });
    all.collect::<Vec<_>>().join(", ")
}

impl Measure {
    /// The measure of a whole ranking, in which every grade above 0 is relevant.
    pub fn new(kind: Kind) -> Self {
        Self { kind, cut: None, least_grade: 1 }
    }

    /// The same of the first documents only, so many of them; 0 is the whole ranking.
    pub fn at(self, cut: usize) -> Self {
        Self { cut: (cut > 0).then_some(cut), ..self }
    }

    /// The same where only documents with this grade or a higher one are relevant.
    ///
    /// NDCG weighs all grades and stays what it is, as in trec_eval.
    pub fn from_grade(self, least_grade: u32) -> Self {
        let least_grade = if self.kind.weighs_grades() { 1 } else { least_grade.max(1) };
        Self { least_grade, ..self }
    }

    /// The measures of CLARC's tables: NDCG, MRR and MAP at 10, recall at 1, 5, 10 and 20.
    ///
    /// CLARC's rules for graded labels: NDCG weighs them; the reciprocal rank is that of the primary answer, which
    /// has the grade 2 where labels are `graded` (helpers have 1) and 1 where they are not; for recall all above 0
    /// are the same.
    pub fn of_clarc(graded: bool) -> Vec<Measure> {
        let primary = if graded { 2 } else { 1 };
        let mut measures = vec![
            Self::new(Kind::Ndcg).at(10),
            Self::new(Kind::ReciprocalRank).at(10).from_grade(primary),
            Self::new(Kind::AveragePrecision).at(10),
        ];
        measures.extend([1, 5, 10, 20].map(|cut| Self::new(Kind::Recall).at(cut)));
        measures
    }

    /// What is measured.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many documents of a ranking are looked at, if not all.
    pub fn cut(&self) -> Option<usize> {
        self.cut
    }

    /// The grade from which on a document is relevant.
    pub fn least_grade(&self) -> u32 {
        self.least_grade
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.as_str())?;
        if let Some(cut) = self.cut {
            write!(formatter, "@{cut}")?;
        }
        if self.least_grade > 1 {
            write!(formatter, "-l{}", self.least_grade)?;
        }
        Ok(())
    }
}

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let lower = text.to_ascii_lowercase();
        let (rest, grade) = lower.split_once("-l").map_or((&*lower, None), |(rest, grade)| (rest, Some(grade)));
        let (name, cut) = rest.split_once('@').map_or((rest, None), |(name, cut)| (name, Some(cut)));
        let other = || OTHER_NAMES.iter().find(|(each, _)| *each == name).map(|(_, kind)| *kind);
        let known = name.parse().ok().or_else(other);
        let kind: Kind = known.ok_or_else(|| MeasureError::Unknown(text.to_owned()))?;
        let mut measure = Self::new(kind);
        if let Some(cut) = cut {
            let cut = cut.parse().ok().filter(|&cut: &usize| cut > 0);
            measure = measure.at(cut.ok_or_else(|| MeasureError::Cut(text.to_owned()))?);
        }
        if let Some(grade) = grade {
            let grade = grade.parse().ok().filter(|&grade: &u32| grade > 0 && !kind.weighs_grades());
            measure = measure.from_grade(grade.ok_or_else(|| MeasureError::Grade(text.to_owned()))?);
        }
        Ok(measure)
    }
}
