//! Gets source trees: directories, archives, git, Debian and crates.io packages, pinned and verified.
