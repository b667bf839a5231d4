//! Why something was lost: one list for sources, files, functions, variants and lowered texts.

use crate::words;

words! {
    /// Why a source, a file, a function or a variant is not there. In the order of the words.
    pub enum Reason {
        /// Several functions of the unit have its name.
        Ambiguous = "ambiguous",
        /// On the trigger it faults in another class, at another operation, or not in the same way under both compilers.
        AnotherFault = "another-fault",
        /// No assembler accepts the assembly in the unit.
        AssemblerRefuses = "assembler-refuses",
        /// No kind of source is written like that.
        BadSpec = "bad-spec",
        /// The cache is of another version.
        CacheFormat = "cache-format",
        /// The cache cannot be written.
        CacheReadOnly = "cache-read-only",
        /// The cache cannot be used.
        CacheUnusable = "cache-unusable",
        /// Its files could not be told apart.
        CannotBeSurveyed = "cannot-be-surveyed",
        /// The command of a recipe could not be started, or ended with an error.
        CommandFailed = "command-failed",
        /// The command of a recipe took too long, or more memory, room or output than it may have.
        CommandOverLimit = "command-over-limit",
        /// The compiler crashed, or took too long or too much memory.
        CompilerEnded = "compiler-ended",
        /// The archive is damaged.
        DamagedArchive = "damaged-archive",
        /// A declaration cannot be moved or taken apart.
        Declaration = "declaration",
        /// Something it needs is defined in another language only.
        DefinitionInOtherLanguage = "definition-in-other-language",
        /// Something it needs is defined nowhere in the project.
        DefinitionNotFound = "definition-not-found",
        /// The rounds of a loop may depend on each other.
        Dependence = "dependence",
        /// The code differs in more than names.
        Different = "different",
        /// On some input it does something else: it is refused.
        Differs = "differs",
        /// The preprocessor is spoken to within the function.
        DirectiveInside = "directive-inside",
        /// There is no room left on the disk.
        DiskFull = "disk-full",
        /// The compiler refuses the unit.
        DoesNotCompile = "does-not-compile",
        /// The parser found errors and no function.
        /// A rewrite refuses such a file or unit, too.
        DoesNotParse = "does-not-parse",
        /// The preprocessor refuses the file, often for want of a header.
        DoesNotPreprocess = "does-not-preprocess",
        /// Token for token the same as one that is kept.
        ExactDuplicate = "exact-duplicate",
        /// On the trigger the vulnerable side does not fault: the bug is not there any more.
        FaultGone = "fault-gone",
        /// The file is larger than is looked at.
        FileTooLarge = "file-too-large",
        /// A part that would have to be taken apart comes out of a macro.
        FromMacro = "from-macro",
        /// No code is made for it: a template that nothing uses, perhaps.
        FunctionHasNoCode = "function-has-no-code",
        /// Gcc does not compile the unit, though clang does.
        GccRefuses = "gcc-refuses",
        /// The rewritten function would be too long.
        GrowsTooLong = "grows-too-long",
        /// The program around it failed.
        Harness = "harness",
        /// The content is not what it was pinned to.
        HashMismatch = "hash-mismatch",
        /// The target lacks a header that the unit includes.
        HeaderMissing = "header-missing",
        /// The archive does what no honest archive does.
        /// A name in it leads out of its folder, or it unpacks to far more than it should.
        HostileArchive = "hostile-archive",
        /// The file includes a file of this machine that is not the system's.
        IncludesForeignFile = "includes-foreign-file",
        /// The repository lacks files of its own history.
        /// It is a partial copy, or it is damaged.
        IncompleteRepository = "incomplete-repository",
        /// Assembly in the source that the target does not know.
        InlineAssembly = "inline-assembly",
        /// A mistake of Estrange's stopped the work.
        InternalError = "internal-error",
        /// A file could not be read or written.
        Io = "io",
        /// A jump leads where the rewrite cannot follow.
        Jump = "jump",
        /// A function without name, outside of all functions.
        LambdaOutsideFunction = "lambda-outside-function",
        /// A lower level of the ladder is missing.
        /// A level is only there if all levels below it are, as far as they were asked for.
        LowerLevelMissing = "lower-level-missing",
        /// One macro call makes it and others, so that it has no text of its own.
        MacroMakesSeveral = "macro-makes-several",
        /// The text does not define it.
        Missing = "missing",
        /// The model, or its server, does not answer.
        ModelRefuses = "model-refuses",
        /// Its name is too long, or not text.
        NameCannotBeUsed = "name-cannot-be-used",
        /// The function is gone, or has another name or type.
        NameNotKept = "name-not-kept",
        /// A name is the project's and a header's, and one use may mean either.
        NameSharedWithStandard = "name-shared-with-standard",
        /// Nearly the same as one that is kept.
        NearDuplicate = "near-duplicate",
        /// It is nested too deeply in folders.
        NestedTooDeeply = "nested-too-deeply",
        /// The network could not be reached.
        Network = "network",
        /// It ends on no input.
        NeverReturns = "never-returns",
        /// There is no way to compile it.
        NoArguments = "no-arguments",
        /// There is no C or C++ file in it.
        NoCode = "no-code",
        /// What a command or a model gave is no code.
        NoCodeGiven = "no-code-given",
        /// There is no compiler for it on this machine.
        NoCompiler = "no-compiler",
        /// This machine has no Debian archive.
        /// Sources that begin with `deb:` need a Debian machine.
        NoDebianArchive = "no-debian-archive",
        /// How to compile it is not known.
        NoFlags = "no-flags",
        /// The function is not where it should be.
        NoFunction = "no-function",
        /// The linked unit does not have the text of each of its helpers as it stands.
        NoHelper = "no-helper",
        /// There is no other name for something.
        NoName = "no-name",
        /// There is nothing in it that the rewrite could change.
        NoPlace = "no-place",
        /// No input is known on which it comes to the same at every level, under both compilers, and that can be said.
        NoQuestion = "no-question",
        /// The package has no such patch.
        NoSuchPatch = "no-such-patch",
        /// No input is known on which only the vulnerable side faults.
        NoTrigger = "no-trigger",
        /// Nothing of that name exists.
        NotFound = "not-found",
        /// The data that was imported does not have it.
        NotInTheData = "not-in-the-data",
        /// The mirror does not have that version any more.
        NotOnMirror = "not-on-mirror",
        /// The text has the function, and the parser does not deliver it.
        NotParsed = "not-parsed",
        /// It does another thing each time.
        NotRepeatable = "not-repeatable",
        /// The file has null bytes.
        NotText = "not-text",
        /// Nobody tried to link it.
        NotTried = "not-tried",
        /// The text is not UTF-8.
        NotUtf8 = "not-utf-8",
        /// No compiler writes code for it, a template perhaps.
        NothingToCompare = "nothing-to-compare",
        /// What the compiler wrote could not be read.
        OutputUnreadable = "output-unreadable",
        /// Something outside of the function is not what it was: a type, or a name that it needs.
        OutsideChanged = "outside-changed",
        /// Its source has its share already.
        OverShare = "over-share",
        /// The parser crashed on it.
        ParserCrashed = "parser-crashed",
        /// The parser took too much memory.
        ParserOverMemory = "parser-over-memory",
        /// The parser took too long.
        ParserTimedOut = "parser-timed-out",
        /// The parser could not be started.
        ParserUnavailable = "parser-unavailable",
        /// The preprocessor puts a name together in a way that no new names follow.
        PastedName = "pasted-name",
        /// A patch of the package does not fit.
        PatchDoesNotApply = "patch-does-not-apply",
        /// On the trigger the patched side faults, too.
        PatchedFaults = "patched-faults",
        /// The preprocessor took too much memory.
        PreprocessorOverMemory = "preprocessor-over-memory",
        /// The preprocessor took too long.
        PreprocessorTimedOut = "preprocessor-timed-out",
        /// The parser gave up in the middle of the file.
        ReadInPart = "read-in-part",
        /// The parser or the compiler does not take the text.
        Refused = "refused",
        /// Clang refuses it with new names.
        RefusedByClang = "refused-by-clang",
        /// Gcc refuses it with new names.
        RefusedByGcc = "refused-by-gcc",
        /// The repository has no such revision.
        RevisionNotFound = "revision-not-found",
        /// The sandbox could not be used.
        Sandbox = "sandbox",
        /// The server would not hand it out.
        ServerRefused = "server-refused",
        /// Both sides of the pair are the same.
        SidesAlike = "sides-alike",
        /// A name means different things in two of the files it needs.
        StaticCollision = "static-collision",
        /// A submodule of git is not part of the source: it is one of its own.
        SubmoduleNotFetched = "submodule-not-fetched",
        /// A built-in that the target does not have.
        TargetBuiltin = "target-builtin",
        /// It exists only for types that someone chooses.
        Template = "template",
        /// It is larger than is unpacked.
        TooLarge = "too-large",
        /// The source has more files than are looked at.
        TooManyFiles = "too-many-files",
        /// With all it needs it would be longer than allowed.
        TooManyLines = "too-many-lines",
        /// With all it needs it would be mostly data.
        TooMuchData = "too-much-data",
        /// A program that it takes failed.
        ToolFailed = "tool-failed",
        /// A program that it takes is not there.
        ToolMissing = "tool-missing",
        /// The trigger is no input of the function.
        TriggerDoesNotFit = "trigger-does-not-fit",
        /// The text has trigraphs.
        Trigraphs = "trigraphs",
        /// The download ended too early.
        TruncatedDownload = "truncated-download",
        /// A value of a type cannot be made or looked at.
        Type = "type",
        /// The function is as it was.
        Unchanged = "unchanged",
        /// Clang does not compile the unit cut out for it.
        UnitDoesNotCompile = "unit-does-not-compile",
        /// Clang refuses the unit as it is compiled to be compared.
        UnitRefusedByClang = "unit-refused-by-clang",
        /// Gcc refuses the unit as it is compiled to be compared.
        UnitRefusedByGcc = "unit-refused-by-gcc",
        /// A name is written with a universal character name.
        /// Such a name looks like `\\u00e9`.
        UniversalCharacterName = "universal-character-name",
        /// Something that it needs is not defined.
        Unlinked = "unlinked",
        /// It may not be read.
        Unreadable = "unreadable",
        /// Its folder cannot be read.
        UnreadableTree = "unreadable-tree",
        /// It does something that the rewrite would not keep.
        UnsupportedConstruct = "unsupported-construct",
        /// No archive of that kind can be unpacked.
        UnsupportedFormat = "unsupported-format",
        /// It takes a number of arguments that it alone knows.
        Varargs = "varargs",
        /// That version does not exist.
        VersionNotFound = "version-not-found",
        /// The registry took that version back.
        Withdrawn = "withdrawn",
    }
}

words! {
    /// What is lost for a reason.
    pub enum Concern {
        /// Sources that could not be fetched or surveyed.
        Sources = "sources",
        /// Files that could not be read, or not as a whole.
        Files = "files",
        /// Functions that are not in the bench.
        Functions = "functions",
        /// Functions that have no linked unit.
        Linking = "linking",
        /// Variants that no rewrite gives.
        Rewriting = "rewriting",
        /// Variants of which nothing could be shown by comparing code.
        Showing = "showing",
        /// Functions that cannot be run.
        Running = "running",
        /// Functions that a target has no text for.
        Lowering = "lowering",
        /// What imported data lacks.
        Imports = "imports",
    }
}

impl Reason {
    /// What is lost for it, in the first place.
    pub const fn concern(self) -> Concern {
        match self {
            Self::BadSpec
            | Self::CacheFormat
            | Self::CacheReadOnly
            | Self::CacheUnusable
            | Self::CannotBeSurveyed
            | Self::DamagedArchive
            | Self::DiskFull
            | Self::HashMismatch
            | Self::HostileArchive
            | Self::IncompleteRepository
            | Self::InternalError
            | Self::Io
            | Self::Network
            | Self::NoCode
            | Self::NoDebianArchive
            | Self::NoSuchPatch
            | Self::NotFound
            | Self::NotOnMirror
            | Self::PatchDoesNotApply
            | Self::RevisionNotFound
            | Self::Sandbox
            | Self::ServerRefused
            | Self::TooLarge
            | Self::ToolFailed
            | Self::ToolMissing
            | Self::TruncatedDownload
            | Self::UnreadableTree
            | Self::UnsupportedFormat
            | Self::VersionNotFound
            | Self::Withdrawn => Concern::Sources,
            Self::DoesNotParse
            | Self::DoesNotPreprocess
            | Self::FileTooLarge
            | Self::IncludesForeignFile
            | Self::NameCannotBeUsed
            | Self::NestedTooDeeply
            | Self::NoCompiler
            | Self::NoFlags
            | Self::NotText
            | Self::ParserCrashed
            | Self::ParserOverMemory
            | Self::ParserTimedOut
            | Self::ParserUnavailable
            | Self::PreprocessorOverMemory
            | Self::PreprocessorTimedOut
            | Self::ReadInPart
            | Self::SubmoduleNotFetched
            | Self::TooManyFiles
            | Self::Unreadable => Concern::Files,
            Self::AssemblerRefuses
            | Self::ExactDuplicate
            | Self::GccRefuses
            | Self::LambdaOutsideFunction
            | Self::MacroMakesSeveral
            | Self::NearDuplicate
            | Self::NoArguments
            | Self::NotParsed
            | Self::NotUtf8
            | Self::OverShare
            | Self::UnitDoesNotCompile => Concern::Functions,
            Self::DefinitionInOtherLanguage
            | Self::DefinitionNotFound
            | Self::NoFunction
            | Self::NotTried
            | Self::StaticCollision
            | Self::TooManyLines
            | Self::TooMuchData => Concern::Linking,
            Self::CommandFailed
            | Self::CommandOverLimit
            | Self::Declaration
            | Self::Dependence
            | Self::DirectiveInside
            | Self::FromMacro
            | Self::GrowsTooLong
            | Self::Jump
            | Self::LowerLevelMissing
            | Self::ModelRefuses
            | Self::NameNotKept
            | Self::NameSharedWithStandard
            | Self::NoCodeGiven
            | Self::NoHelper
            | Self::NoName
            | Self::NoPlace
            | Self::OutsideChanged
            | Self::PastedName
            | Self::Trigraphs
            | Self::Unchanged
            | Self::UniversalCharacterName
            | Self::UnsupportedConstruct => Concern::Rewriting,
            Self::Different
            | Self::Differs
            | Self::NothingToCompare
            | Self::RefusedByClang
            | Self::RefusedByGcc
            | Self::UnitRefusedByClang
            | Self::UnitRefusedByGcc => Concern::Showing,
            Self::AnotherFault
            | Self::FaultGone
            | Self::Harness
            | Self::Missing
            | Self::NeverReturns
            | Self::NoQuestion
            | Self::NoTrigger
            | Self::NotRepeatable
            | Self::PatchedFaults
            | Self::Refused
            | Self::SidesAlike
            | Self::Template
            | Self::TriggerDoesNotFit
            | Self::Type
            | Self::Unlinked
            | Self::Varargs => Concern::Running,
            Self::Ambiguous
            | Self::CompilerEnded
            | Self::DoesNotCompile
            | Self::FunctionHasNoCode
            | Self::HeaderMissing
            | Self::InlineAssembly
            | Self::OutputUnreadable
            | Self::TargetBuiltin => Concern::Lowering,
            Self::NotInTheData => Concern::Imports,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_in_order_and_in_kebab_case() {
        assert!(Reason::ALL.is_sorted_by_key(|reason| reason.as_str()));
        let is_kebab = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        assert!(Reason::ALL.iter().all(|reason| is_kebab(reason.as_str()) && reason.meaning().ends_with('.')));
    }
}
