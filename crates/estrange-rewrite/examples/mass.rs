//! Throw-away.
use std::collections::{BTreeMap, HashSet};
use estrange_clang::Clang;
use estrange_rewrite::{Bound, Neutral};
fn main() {
    let clang = Clang::load().expect("libclang");
    let std: HashSet<String> = std::fs::read_to_string("/tmp/p/std.txt").unwrap().lines().map(str::to_owned).collect();
    let is_standard = |name: &str| std.contains(name);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let folder = std::env::args().nth(1).unwrap();
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).filter(|p| !p.to_string_lossy().ends_with(".new")).collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let cpp = path.extension().unwrap() == "cpp";
        let arguments = vec![if cpp { "-xc++" } else { "-xc" }.to_owned()];
        let names = clang.names(&text, &arguments);
        let result = Bound::new(&text, &names, &is_standard, &HashSet::new()).and_then(|bound| {
            let last = names.functions.last().ok_or(estrange_rewrite::Refusal::NoFunction(String::new()))?;
            bound.rename(last.start as usize..last.end as usize, &mut Neutral::default())
        });
        let word = match result {
            Err(refusal) => { println!("{} {refusal}", path.display()); refusal.reason().to_owned() }
            Ok(renamed) => {
                let troubles = clang.check(&renamed.text, &arguments);
                if let Some(trouble) = troubles.first() {
                    println!("{} {}", path.display(), trouble.message);
                    std::fs::write(path.with_extension("new"), &renamed.text).unwrap();
                    "breaks".to_owned()
                } else { "fine".to_owned() }
            }
        };
        *counts.entry(word).or_default() += 1;
    }
    println!("{counts:?}");
}
