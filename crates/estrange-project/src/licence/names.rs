//! The names people use for licences, as SPDX expressions: Debian's short names, and their like elsewhere.

use super::detector::detect;
use super::expression::{PUBLIC_DOMAIN, canonical};

/// An expression in short names (`GPL-2+ or Artistic-2.0, and Expat`) as an SPDX expression. A name that is not known
/// is looked up with `text_of` and known by its text; failing that it becomes a `LicenseRef-`.
pub fn expression<'a>(stated: &str, text_of: &dyn Fn(&str) -> Option<&'a str>) -> Option<String> {
    let spaced = stated.replace(',', " , ").replace('(', " ( ").replace(')', " ) ").replace("and/or", "or");
    let mut out = String::new();
    let mut name: Vec<&str> = Vec::new();
    let mut words = spaced.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let operator = match word.to_ascii_lowercase().as_str() {
            "or" => " OR ",
            "and" | "," | "&" if word != "," || !words.peek().is_some_and(|next| is_operator(next)) => " AND ",
            "," => {
                // A comma before an operator makes it bind less tightly than those before it.
                push_name(&mut out, &mut name, text_of);
                out = format!("({out})");
                continue;
            }
            "with" => {
                push_name(&mut out, &mut name, text_of);
                let mut exception = Vec::new();
                while let Some(word) = words.next_if(|word| !is_operator(word)) {
                    exception.push(word);
                    if ends_exception(word) {
                        break;
                    }
                }
                out.push_str(&exception_name(&exception));
                continue;
            }
            "(" | ")" => {
                push_name(&mut out, &mut name, text_of);
                out.push_str(word);
                continue;
            }
            _ => {
                name.push(word);
                continue;
            }
        };
        push_name(&mut out, &mut name, text_of);
        out.push_str(operator);
    }
    push_name(&mut out, &mut name, text_of);
    canonical(&out)
}

fn is_operator(word: &str) -> bool {
    ["or", "and", ",", "&", "(", ")"].iter().any(|operator| word.eq_ignore_ascii_case(operator))
}

fn ends_exception(word: &str) -> bool {
    word.to_ascii_lowercase().ends_with("exception") || word.to_ascii_lowercase().ends_with("exceptions")
}

fn push_name<'a>(out: &mut String, name: &mut Vec<&str>, text_of: &dyn Fn(&str) -> Option<&'a str>) {
    if name.is_empty() {
        return;
    }
    let whole = name.join(" ");
    name.clear();
    let lower = whole.to_ascii_lowercase();
    // The text is the licence and the name only its label, but a GNU notice's text says less than `GPL-2+` does.
    let by_text = || match detect(text_of(&whole)?).licences.as_slice() {
        [one] => Some((*one).to_owned()),
        _ => None,
    };
    let known = gnu(&lower).or_else(by_text).or_else(|| short_name(&whole)).or_else(|| canonical(&whole));
    match known.or_else(|| family(&lower)) {
        Some(known) if known.contains(' ') => out.push_str(&format!("({known})")),
        Some(known) => out.push_str(&known),
        None => out.push_str(&format!("LicenseRef-{}", reference(&whole))),
    }
}

/// What SPDX allows in a reference.
fn reference(name: &str) -> String {
    let clean = |character: char| if character.is_ascii_alphanumeric() || character == '.' { character } else { '-' };
    let cleaned: String = name.chars().map(clean).collect();
    let cleaned = cleaned.trim_matches('-');
    if cleaned.is_empty() { "unnamed".to_owned() } else { cleaned.to_owned() }
}

fn exception_name(words: &[&str]) -> String {
    let name = words.join("-").to_ascii_lowercase();
    let known = spdx::identifiers::EXCEPTIONS.iter().map(|exception| exception.name);
    let by_start = |known: &&str| known.to_ascii_lowercase().starts_with(name.trim_end_matches('s'));
    match known.into_iter().find(by_start) {
        Some(known) if !name.is_empty() => format!(" WITH {known}"),
        _ => format!(" WITH AdditionRef-{}", reference(&name)),
    }
}

/// The SPDX identifier behind a short name, by Debian's list and common usage.
pub fn short_name(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches(['.', ';']).to_ascii_lowercase().replace([' ', '_'], "-");
    let known = match name.as_str() {
        "expat" | "mit" | "mit/expat" | "expat/mit" | "mit-expat" | "mit-license" | "expat-license" | "mit-style" => {
            "MIT"
        }
        "x11" | "mit/x11" | "x11/mit" | "mit-x11" => "X11",
        "bsd-2" | "bsd2" | "bsd-2-clause" | "2-clause-bsd" | "bsd-2clause" | "simplified-bsd" => "BSD-2-Clause",
        "bsd-3" | "bsd3" | "bsd-3-clause" | "3-clause-bsd" | "bsd-3clause" | "new-bsd" | "modified-bsd" => {
            "BSD-3-Clause"
        }
        "bsd-4" | "bsd-4-clause" | "original-bsd" => "BSD-4-Clause",
        "apache-2" | "apache-2.0" | "apache2" | "asl-2.0" | "apache-license-2.0" => "Apache-2.0",
        "artistic" | "artistic-1" | "perl-artistic" => "Artistic-1.0-Perl",
        "artistic-2" => "Artistic-2.0",
        "boost" | "boost-1.0" | "boost-1" | "bsl-1" | "bsl" => "BSL-1.0",
        "cc0" | "cc0-1" => "CC0-1.0",
        "cddl" => "CDDL-1.0",
        "ftl" | "freetype" => "FTL",
        "libpng" | "png" => "Libpng",
        "mpl-1.1" | "mpl1.1" => "MPL-1.1",
        "mpl" | "mpl-2" | "mpl2" | "mpl-2.0" => "MPL-2.0",
        "perl" => "Artistic-1.0-Perl OR GPL-1.0-or-later",
        "public-domain" | "publicdomain" | "pd" => PUBLIC_DOMAIN,
        "python" | "python-2" | "psf-2" | "psf" => "Python-2.0",
        "qpl" => "QPL-1.0",
        "unicode" => "Unicode-DFS-2016",
        "w3c" => "W3C",
        "zlib/libpng" | "zlib-license" => "Zlib",
        "zope" | "zope-2.1" => "ZPL-2.1",
        _ => return gnu(&name),
    };
    Some(known.to_owned())
}

/// `gpl-2+`, `lgplv2.1`, `gpl-3.0-or-later`, `gpl`: a GNU licence of some version, and perhaps later ones.
fn gnu(name: &str) -> Option<String> {
    let family = ["agpl", "lgpl", "gpl", "gfdl"].into_iter().find(|family| name.starts_with(family))?;
    let rest = name[family.len()..].trim_start_matches('-').trim_start_matches('v');
    let end = rest.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(rest.len());
    let (version, suffix) = rest.split_at(end);
    let later = match suffix {
        "+" | "-or-later" | "-or-newer" => true,
        "" | "-only" => version.is_empty(),
        _ => return None,
    };
    let version = match (version, family) {
        // The licences themselves say: where no version is named, any version ever published will do.
        ("", "gpl") => "1.0".to_owned(),
        ("", "lgpl") => "2.0".to_owned(),
        ("", "agpl") => "3.0".to_owned(),
        ("", _) => "1.1".to_owned(),
        (version, _) if version.contains('.') => version.to_owned(),
        (version, _) => format!("{version}.0"),
    };
    let family = family.to_ascii_uppercase();
    canonical(&format!("{family}-{version}-{}", if later { "or-later" } else { "only" }))
}

/// A name that starts like a well-known one and says whose variant it is: `BSD-3-clause-Someone`, `Expat-2`.
fn family(name: &str) -> Option<String> {
    let name = name.replace([' ', '_'], "-");
    let families = [
        ("bsd-2-clause-", "BSD-2-Clause"),
        ("bsd-3-clause-", "BSD-3-Clause"),
        ("bsd-4-clause-", "BSD-4-Clause"),
        ("expat-", "MIT"),
        ("public-domain-", PUBLIC_DOMAIN),
    ];
    families.iter().find(|(start, _)| name.starts_with(start)).map(|(_, id)| (*id).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_and_their_combinations() {
        let cases = [
            ("Expat", "MIT"),
            ("GPL-2+", "GPL-2.0-or-later"),
            ("LGPL-2.1", "LGPL-2.1-only"),
            ("GPL-3.0-or-later", "GPL-3.0-or-later"),
            ("GPL", "GPL-1.0-or-later"),
            ("LGPLv2.1+", "LGPL-2.1-or-later"),
            ("public-domain", "LicenseRef-public-domain"),
            ("BSD-3-clause", "BSD-3-Clause"),
            ("GPL-2+ or Artistic-2.0", "GPL-2.0-or-later OR Artistic-2.0"),
            ("GPL-2 or Expat, and Zlib", "(GPL-2.0-only OR MIT) AND Zlib"),
            ("GPL-3+ with Bison exception", "GPL-3.0-or-later WITH Bison-exception-1.24"),
            (
                "GPL-2 with Own exception, house rules",
                "GPL-2.0-only WITH AdditionRef-own-exception AND LicenseRef-house-rules",
            ),
            ("GPL-3+ with Own exception", "GPL-3.0-or-later WITH AdditionRef-own-exception"),
            ("curl", "curl"),
            ("Apache 2.0", "Apache-2.0"),
            ("BSD-3-clause-Someone", "BSD-3-Clause"),
            ("Something Odd", "LicenseRef-Something-Odd"),
            ("MIT, Zlib", "MIT AND Zlib"),
            ("(GPL-2+ and/or MIT)", "(GPL-2.0-or-later OR MIT)"),
        ];
        for (given, expected) in cases {
            assert_eq!(expression(given, &|_| None).as_deref(), Some(expected), "{given}");
        }
        assert_eq!(expression("", &|_| None), None);
        assert_eq!(expression("and or", &|_| None), None);
    }

    proptest::proptest! {
        #[test]
        fn what_comes_out_is_an_expression(text in "([A-Za-z0-9+., ()-]| or | and | with |é)*") {
            if let Some(expression) = expression(&text, &|_| None) {
                proptest::prop_assert!(spdx::Expression::parse_mode(&expression, spdx::ParseMode::LAX).is_ok(), "{}", expression);
            }
        }
    }
}
