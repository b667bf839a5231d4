//! A new folder, which is whole or not there.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::ExchangeError;
use crate::folder::sync_folder;

/// Has a folder filled that is empty or not there yet. It is filled beside its place and moved there in the end, so that
/// whoever is killed or fails leaves nothing that looks whole.
pub fn into_new_folder<T>(
    folder: &Path,
    fill: impl FnOnce(&Path) -> Result<T, ExchangeError>,
) -> Result<T, ExchangeError> {
    let folder = std::path::absolute(folder).map_err(ExchangeError::io("find", folder))?;
    must_be_empty(&folder)?;
    let partial = Partial::beside(&folder)?;
    let filled = fill(&partial.0)?;
    must_be_empty(&folder)?;
    fs::rename(&partial.0, &folder).map_err(ExchangeError::io("make the folder", &folder))?;
    if let Some(above) = folder.parent() {
        sync_folder(above)?;
    }
    Ok(filled)
}

fn must_be_empty(folder: &Path) -> Result<(), ExchangeError> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(ExchangeError::io("read the folder", folder)(error)),
    };
    match entries.next() {
        None => Ok(()),
        Some(entry) => {
            let entry = entry.map_err(ExchangeError::io("read the folder", folder))?;
            let entry = entry.file_name().to_string_lossy().into_owned();
            Err(ExchangeError::NotEmpty { folder: folder.to_owned(), entry })
        }
    }
}

/// A folder under way; gone when this is dropped, unless it was moved.
struct Partial(PathBuf);

impl Partial {
    fn beside(folder: &Path) -> Result<Self, ExchangeError> {
        if let Some(above) = folder.parent() {
            fs::create_dir_all(above).map_err(ExchangeError::io("make the folder", above))?;
        }
        // One that is there is of another time: nothing of it may come into this one.
        let mut attempt = 0_u32;
        loop {
            let mut name = OsString::from(".");
            name.push(folder.file_name().unwrap_or_default());
            name.push(format!(".partial-{}-{attempt}", std::process::id()));
            let path = folder.with_file_name(name);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => attempt += 1,
                Err(error) => return Err(ExchangeError::io("make the folder", &path)(error)),
            }
        }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        match fs::remove_dir_all(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(path = %self.0.display(), %error, "a temporary folder stays");
            }
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_whole_or_not_there_and_nothing_in_one_is_lost() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("deep/out");
        let entries = || fs::read_dir(above.path().join("deep")).unwrap().count();
        into_new_folder(&folder, |partial| {
            fs::write(partial.join("a"), "1").unwrap();
            assert!(!folder.exists());
            Ok(())
        })
        .unwrap();
        assert_eq!((fs::read_to_string(folder.join("a")).unwrap().as_str(), entries()), ("1", 1));

        let refused = into_new_folder(&folder, |_| Ok(())).unwrap_err();
        assert_eq!(refused.to_string(), format!("{} is not empty: there is a in it", folder.display()));
        assert_eq!((fs::read_to_string(folder.join("a")).unwrap().as_str(), entries()), ("1", 1));

        let other = folder.with_file_name("other");
        let failed = into_new_folder(&other, |_| Err::<(), _>(ExchangeError::Id { id: "a b".to_owned() }));
        assert!(failed.is_err() && !other.exists() && entries() == 1);

        fs::create_dir(&other).unwrap();
        into_new_folder(&other, |partial| {
            fs::write(partial.join("b"), "").map_err(ExchangeError::io("write", partial))
        })
        .unwrap();
        assert!(other.join("b").exists());
        assert!(matches!(into_new_folder(&folder.join("a"), |_| Ok(())), Err(ExchangeError::Io { .. })));
    }
}
