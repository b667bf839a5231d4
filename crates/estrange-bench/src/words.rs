//! The closed lists of words that stand in columns: kinds, groups, views, authors; languages and splits from below.

use estrange_words::words;
pub use estrange_words::{
    End, Language, Mistake, Outcome, Problem, Reason, Split, Stage, Tier, Undefinedness, UnknownWord, Verdict,
};

words! {
    /// What stands behind the word that one side of a pair has a bug and the other one has not.
    pub enum Label {
        /// On its trigger the vulnerable side faults, at a place and in a class that are known, and the patched side does
        /// not: under both compilers' sanitizers, each time.
        CrashConfirmed = "crash-confirmed",
        /// The patch and its description, and nothing that ran.
        Reasoned = "reasoned",
    }
}

words! {
    /// A side of a pair.
    pub enum Side {
        /// With the bug.
        Vulnerable = "vulnerable",
        /// Without it.
        Patched = "patched",
    }
}

words! {
    /// What is asked of a function.
    pub enum Asks {
        /// What a call of it comes to.
        Call = "call",
        /// What it does, in a summary.
        Summary = "summary",
    }
}

words! {
    /// What is to be written of a function.
    pub enum Writing {
        /// All of it, by a description and its declaration.
        Generation = "generation",
        /// Its end, by a description and its beginning.
        Completion = "completion",
        /// Its middle, by a description, its beginning and its end.
        Infill = "infill",
    }
}

words! {
    /// What documents are in a search.
    pub enum View {
        /// Functions alone; in group 3 the helpers are documents of their own.
        Short = "short",
        /// Functions with their helpers, as one document each: only group 3 has such.
        Long = "long",
    }
}

words! {
    /// What the author of a query is.
    pub enum WrittenBy {
        /// A person, who wrote it as a query.
        Person = "person",
        /// A person, who wrote it as the function's documentation.
        Comment = "comment",
        /// A model.
        Model = "model",
    }
}

words! {
    /// What a function is in its language. Members are never `function`, `operator` or `template`: a member
    /// operator and a member template are methods.
    pub enum Kind {
        /// A free function.
        Function = "function",
        /// A member function, static or not.
        Method = "method",
        /// A constructor.
        Constructor = "constructor",
        /// A destructor.
        Destructor = "destructor",
        /// A conversion to another type.
        Conversion = "conversion",
        /// An operator that is not a member.
        Operator = "operator",
        /// A function template that is not a member.
        Template = "template",
    }
}

words! {
    /// How much a function depends on.
    pub enum Group {
        /// On the standard library only.
        One = "1",
        /// On types of its project.
        Two = "2",
        /// On functions of its project.
        Three = "3",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_spelled_alike_everywhere() {
        for kind in Kind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
        assert_eq!("c++".parse(), Ok(Language::Cpp));
        assert_eq!("3-long".parse::<Group>().unwrap_err().to_string(), "`3-long` is none of 1, 2, 3");
    }
}
