//! The units of the pages: what they show changes only with the version. That they show what is computed, the test of the
//! pages says.

#[path = "../../golden.rs"]
mod golden;
#[path = "units/page.rs"]
#[allow(dead_code, reason = "the pages are not rewritten here")]
mod page;

use std::fs;
use std::path::Path;

use estrange_unit::VERSION;
use page::Page;

#[test]
fn units_change_with_the_version_only() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut outputs = Vec::new();
    for entry in fs::read_dir(tests.join("units")).expect("the folder of pages") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        for case in &Page::read(&fs::read_to_string(&path).expect("a page")).cases {
            for question in &case.questions {
                let number = if question.number > 0 { " (second)" } else { "" };
                let flags = question.flags.join(" ");
                let name = format!("{name}: {}: {}{number} {flags}", case.heading, question.name);
                // Another input has another output.
                let files: Vec<&[u8]> = case.files.iter().map(|file| file.bytes.as_slice()).collect();
                let input = &blake3::hash(&files.concat()).to_hex()[..8];
                let output = format!("{} {:?} {}", question.group, question.documentation, question.unit);
                outputs.push((format!("{} {input}", name.trim_end()), output));
            }
        }
    }
    golden::check(&tests.join("golden.txt"), VERSION, &outputs);
}
