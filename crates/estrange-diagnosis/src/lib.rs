//! Reads what gcc and clang say of code that they refuse, and says which mistake it is.
