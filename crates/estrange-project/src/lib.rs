//! Surveys a source tree: its C and C++ files, their roles, licences and compile flags.
