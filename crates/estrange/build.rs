//! Puts the pages that show what each rewrite does into one text, for `estrange explain`.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let pages = Path::new("../estrange-rewrite/tests/pages");
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut files: Vec<PathBuf> = fs::read_dir(pages)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    let texts: Vec<String> = files.iter().map(fs::read_to_string).collect::<io::Result<_>>()?;
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("pages.md"), texts.join("\n"))
}
