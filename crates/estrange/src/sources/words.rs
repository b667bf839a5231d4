//! The words that the text of `estrange sources` uses for what the libraries name by types.

use estrange_project::files::Kind;
use estrange_project::flags::FlagOrigin;
use estrange_project::licence::Class;
use estrange_project::role::Role;
use estrange_source::Omission;

pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Unit => "unit",
        Kind::Header => "header",
        Kind::Fragment => "fragment",
    }
}

pub fn role(role: Role) -> &'static str {
    match role {
        Role::Library => "library",
        Role::Program => "program",
        Role::Test => "test",
        Role::Example => "example",
        Role::Vendored => "vendored",
        Role::Generated => "generated",
        Role::Packaging => "packaging",
        Role::Platform => "other system",
    }
}

pub fn class(class: Class) -> &'static str {
    match class {
        Class::Permissive => "permissive",
        Class::Restrictive => "restrictive",
        Class::Unknown => "unknown",
    }
}

pub fn origin(origin: FlagOrigin) -> &'static str {
    match origin {
        FlagOrigin::Database => "compile database",
        FlagOrigin::Cmake => "CMake",
        FlagOrigin::Meson => "Meson",
        FlagOrigin::Autotools => "autotools",
        FlagOrigin::Configure => "configure",
        FlagOrigin::Make => "make",
        FlagOrigin::Neighbour => "neighbour",
        FlagOrigin::Inferred => "inferred",
    }
}

/// Why entries were left out of a tree, after their number.
pub fn omission(omission: Omission) -> &'static str {
    match omission {
        Omission::LinkOutside => "links that lead out of the tree",
        Omission::LinkToNothing => "hard links to nothing",
        Omission::NotAFile => "devices, pipes or sockets",
        Omission::NameNotUtf8 => "names that are not UTF-8",
        Omission::NameControl => "names with control characters",
        Omission::NameTooLong => "names that are too long",
        Omission::NameTooDeep => "paths that are too deep",
        Omission::VersionControl => "folders of a version control system",
        Omission::Cache => "the cache itself",
        Omission::Unreadable => "unreadable",
        Omission::Submodule => "submodules, each a source of its own",
    }
}
