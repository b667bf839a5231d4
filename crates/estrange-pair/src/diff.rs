//! The difference of two short texts as a unified diff.

/// So many lines before and after a change are shown.
const CONTEXT: usize = 3;

/// A diff of one hunk: what stands between the lines that both begin and end with.
pub(crate) fn unified(path: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let before = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let least = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count().min(least);
    let start = before.saturating_sub(CONTEXT);
    let end = |lines: &[&str]| (lines.len() - after + CONTEXT).min(lines.len());
    let range = |lines: &[&str]| {
        let count = end(lines) - start;
        format!("{},{count}", if count == 0 { start } else { start + 1 })
    };
    let mut text = format!("--- a/{path}\n+++ b/{path}\n@@ -{} +{} @@\n", range(&old), range(&new));
    let mut add = |mark: char, lines: &[&str]| lines.iter().for_each(|line| text.push_str(&format!("{mark}{line}\n")));
    add(' ', &old[start..before]);
    add('-', &old[before..old.len() - after]);
    add('+', &new[before..new.len() - after]);
    add(' ', &old[old.len() - after..end(&old)]);
    text
}

#[cfg(test)]
mod tests {
    use estrange_diff::Patch;

    use super::unified;

    #[test]
    fn what_is_written_applies_both_ways() {
        let texts = [
            "",
            "a\n",
            "a\nb\nc\nd\ne\nf\ng\nh\n",
            "a\nb\nc\nd\nx\ny\nf\ng\nh\n",
            "x\na\nb\nc\nd\ne\nf\ng\n",
            "b\nb\nb\n",
        ];
        for old in texts {
            for new in texts.iter().filter(|new| **new != old && !old.is_empty() && !new.is_empty()) {
                let patch = Patch::read(unified("x.c", old, new).as_bytes()).unwrap();
                assert_eq!(patch.files[0].apply(old.as_bytes()).unwrap().text, new.as_bytes(), "{old:?} {new:?}");
                assert_eq!(patch.files[0].reversed().apply(new.as_bytes()).unwrap().text, old.as_bytes());
            }
        }
    }
}
