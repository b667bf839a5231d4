//! Conditions on numbers without a sign that always hold, whatever the numbers are: such numbers wrap around, so that nothing
//! in them can be undefined.

use crate::shape::draw::Draw;

/// A condition that always holds, and the one that never does.
pub(super) struct Predicate {
    pub(super) holds: String,
    pub(super) fails: String,
}

/// A condition on one or two of some expressions of type `unsigned`.
pub(super) fn predicate(numbers: &[String], draw: &mut Draw) -> Option<Predicate> {
    let one = draw.one(numbers)?;
    let others: Vec<&String> = numbers.iter().filter(|other| *other != one).collect();
    let number = 2 + draw.below(8);
    let family = draw.below(if others.is_empty() { 10 } else { 13 });
    let other = draw.one(&others).map_or(one, |other| *other);
    let (left, sign, opposite, right) = match family {
        // Of two numbers in a row, one is even.
        0 => (format!("{one} * ~{one} % 2"), "==", "!=", "0".to_owned()),
        1 => (format!("{one} * ({one} + 1) % 2"), "==", "!=", "0".to_owned()),
        // Squares leave few remainders.
        2 => (format!("{one} * {one} % 4"), "<", ">=", "2".to_owned()),
        3 => (format!("{one} * {one} % 8"), "!=", "==", ["2", "3", "5", "6", "7"][draw.below(5)].to_owned()),
        // Bits are put in, taken out, or turned.
        4 => (format!("({one} | {number})"), ">=", "<", number.to_string()),
        5 => (format!("({one} & {number})"), "<=", ">", number.to_string()),
        6 => (format!("({one} ^ {number})"), "!=", "==", one.clone()),
        7 => (format!("({one} & 1) + (~{one} & 1)"), "==", "!=", "1".to_owned()),
        // A part is no more than the whole.
        8 => (format!("{one} % {number}"), "<", ">=", number.to_string()),
        9 => (format!("{one} / {number}"), "<=", ">", one.clone()),
        10 => (format!("({one} ^ {other})"), "<=", ">", format!("({one} | {other})")),
        11 => (format!("({one} & {other})"), "<=", ">", format!("({one} | {other})")),
        // By 8, the left side leaves 3, 6 or 7, and a square leaves 0, 1 or 4.
        _ => (format!("7 * {one} * {one} - 1"), "!=", "==", format!("{other} * {other}")),
    };
    Some(Predicate { holds: format!("{left} {sign} {right}"), fails: format!("{left} {opposite} {right}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use estrange_sandbox::Tool;

    /// All families, evaluated by a compiler for numbers at all edges.
    #[test]
    fn predicates_hold_for_all_numbers() {
        let numbers = ["a".to_owned(), "b".to_owned()];
        let mut draw = Draw::new("predicates", 1, 0);
        let mut all: Vec<Predicate> = (0..600).filter_map(|_| predicate(&numbers, &mut draw)).collect();
        all.extend((0..300).filter_map(|_| predicate(&numbers[..1], &mut draw)));
        assert_eq!(all.len(), 900);
        let checks: Vec<String> =
            all.iter().map(|one| format!("if (!({}) || ({})) return 1;", one.holds, one.fails)).collect();
        let text = format!(
            "static int wrong(unsigned a, unsigned b) {{ {} return 0; }}\n\
             int main(void) {{\n\
             for (int i = 0; i < 33; i++) for (int j = 0; j < 33; j++) for (unsigned k = 0; k < 49; k++) {{\n\
             unsigned a = (i < 32 ? 1u << i : 0) + k % 7 - 3, b = (j < 32 ? 1u << j : 0) + k / 7 - 3;\n\
             if (wrong(a, b)) return 1; }}\n\
             return 0; }}\n",
            checks.join("\n")
        );
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("all.c"), text).expect("a file");
        let flags = ["-w", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover", "-o", "all", "all.c"];
        let compiled = Tool::new("gcc").arguments(flags).directory(folder.path()).run().expect("gcc");
        assert!(compiled.success(), "{}", compiled.last_words(5));
        let ran = Tool::new(folder.path().join("all")).directory(folder.path()).run().expect("the program");
        assert!(ran.success(), "{}", ran.last_words(5));
    }
}
