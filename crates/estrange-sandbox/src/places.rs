//! Places of the host that a run is shown, as the warden takes them.

use std::ffi::{CString, NulError, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::wire::{Access, Mount};

/// The places as the warden takes them. What is not there is left out: whoever looks for it is told by what it runs.
pub fn places(shown: &[(PathBuf, Access)]) -> io::Result<Vec<Mount>> {
    let mut places = Vec::with_capacity(shown.len());
    for (path, access) in shown {
        let host = match std::fs::canonicalize(path) {
            Ok(host) => host,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if host == Path::new("/") {
            return Err(io::Error::other("the whole file system is no place to show"));
        }
        for shown in [absolute(path)?, host.clone()] {
            let place = Mount { host: string(host.as_os_str())?, shown: string(shown.as_os_str())?, access: *access };
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    Ok(places)
}

/// A path that means the same in any folder.
pub fn absolute(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path)
}

/// A text as the kernel takes it.
pub fn string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_: NulError| io::Error::other("a zero byte in an argument"))
}
