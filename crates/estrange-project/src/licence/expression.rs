//! SPDX licence expressions: brought into canonical form, and sorted into classes.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Serialize;
use spdx::expression::{ExprNode, Operator};
use spdx::{Expression, LicenseReq, ParseMode};

/// What a licence allows, as far as a data set built from the code is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Keep the notices, and do as you like.
    Permissive,
    /// Copyleft, strong or weak, or with limits on use.
    Restrictive,
    /// Not known.
    Unknown,
}

/// The expression that stands for code given to the public domain; SPDX has no identifier for it.
pub const PUBLIC_DOMAIN: &str = "LicenseRef-public-domain";

/// A BSD licence whose clauses are not counted. Any of them is permissive.
pub const BSD_STYLE: &str = "LicenseRef-BSD-style";

const MODE: ParseMode = ParseMode {
    allow_slash_as_or_operator: true,
    // The crate's list of imprecise names maps by prefix (`bsd-3-clause` to BSD-2-Clause); ours is exact.
    allow_imprecise_license_names: false,
    allow_postfix_plus_on_gpl: true,
    allow_deprecated: true,
    allow_unknown: false,
};

/// The expression in today's identifiers, or `None` if it is not one. Identifiers may differ in case from SPDX's.
pub fn canonical(expression: &str) -> Option<String> {
    let spelled = respell(expression);
    let canonical = Expression::canonicalize(&spelled).ok()?.unwrap_or(spelled);
    Expression::parse_mode(&canonical, MODE).ok()?;
    Some(canonical)
}

/// SPDX's spelling of every identifier in an expression, whatever its case.
fn respell(expression: &str) -> String {
    static SPELLINGS: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
        let licences = spdx::identifiers::LICENSES.iter().map(|licence| licence.name);
        let exceptions = spdx::identifiers::EXCEPTIONS.iter().map(|exception| exception.name);
        licences.chain(exceptions).map(|name| (name.to_ascii_lowercase(), name)).collect()
    });
    let is_part = |character: char| character.is_ascii_alphanumeric() || "-.:".contains(character);
    let mut out = String::new();
    let mut rest = expression;
    while let Some(start) = rest.find(is_part) {
        let end = rest[start..].find(|character| !is_part(character)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        out.push_str(&rest[..start]);
        out.push_str(SPELLINGS.get(&word.to_ascii_lowercase()).copied().unwrap_or(word));
        rest = &rest[end..];
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// The class of an expression. Where there is a choice, the best counts; where all apply, the worst does. Terms that
/// surely restrict stay restrictive whatever unknown terms stand beside them.
pub fn class(expression: &str) -> Class {
    let Ok(expression) = Expression::parse_mode(expression, MODE) else { return Class::Unknown };
    let mut stack = Vec::new();
    for node in expression.iter() {
        let class = match node {
            ExprNode::Req(requirement) => class_of_one(&requirement.req),
            ExprNode::Op(operator) => {
                let (Some(a), Some(b)) = (stack.pop(), stack.pop()) else { return Class::Unknown };
                match operator {
                    Operator::Or => either(a, b),
                    Operator::And => both(a, b),
                }
            }
        };
        stack.push(class);
    }
    stack.pop().unwrap_or(Class::Unknown)
}

fn either(a: Class, b: Class) -> Class {
    a.min(b)
}

fn both(a: Class, b: Class) -> Class {
    match (a, b) {
        (Class::Restrictive, _) | (_, Class::Restrictive) => Class::Restrictive,
        (Class::Unknown, _) | (_, Class::Unknown) => Class::Unknown,
        (Class::Permissive, Class::Permissive) => Class::Permissive,
    }
}

fn class_of_one(requirement: &LicenseReq) -> Class {
    let Some(id) = requirement.license.id() else {
        let name = requirement.license.to_string();
        let known = [PUBLIC_DOMAIN, BSD_STYLE].iter().any(|known| name.eq_ignore_ascii_case(known));
        return if known { Class::Permissive } else { Class::Unknown };
    };
    if id.is_copyleft() || is_one_of(id.name, RESTRICTIVE) {
        Class::Restrictive
    } else if is_one_of(id.name, PERMISSIVE) {
        Class::Permissive
    } else {
        Class::Unknown
    }
}

/// Whether a name is in the list, where an entry ending in `*` stands for all that start like it.
fn is_one_of(name: &str, list: &[&str]) -> bool {
    list.iter().any(|entry| match entry.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *entry,
    })
}

/// Licences that ask for no more than notices, credit, and not using names. SPDX does not mark them, so they are
/// listed; what is in no list is unknown. Checked after [`RESTRICTIVE`].
#[rustfmt::skip]
const PERMISSIVE: &[&str] = &[
    "0BSD", "AFL-*", "AMDPLPA", "ANTLR-PD*", "Apache-*", "Artistic-2.0", "Adobe-2006", "Adobe-Glyph", "BSD-*", "BSL-1.0",
    "Beerware", "BlueOak-1.0.0", "Boehm-GC*", "Brian-Gladman-*", "CC-BY-1.0", "CC-BY-2.*", "CC-BY-3.*", "CC-BY-4.0",
    "CC-PDDC", "CC-PDM-1.0", "CC0-1.0", "CDLA-Permissive-*", "CFITSIO", "CMU-Mach*", "CNRI-*", "Cronyx", "DEC-3-Clause",
    "ECL-2.0", "EFL-2.0", "FSFAP*", "FSFUL*", "FTL", "Fair", "Furuseth", "GD", "GLWTPL", "Graphics-Gems", "HDF5",
    "HP-198*", "HPND*", "HTMLTIDY", "IBM-pibs", "ICU", "IJG*", "ISC*", "ImageMagick", "Info-ZIP", "Inner-Net-2.0", "Intel",
    "JasPer-2.0", "Kazlib", "LZMA-SDK-*", "Leptonica", "Libpng", "Linux-OpenIB", "MIT*", "MIPS", "Mackerras-3-Clause*",
    "Martin-Birgmeier", "Minpack", "MirOS", "MTLL", "MulanPSL-*", "Multics", "NAIST-2003", "NCBI-PD", "NCSA", "NICTA-1.0",
    "NIST-PD*", "NIST-Software", "NLOD-*", "NRL", "NTP*", "Net-SNMP", "NetCDF", "OAR", "OFFIS", "OLDAP-2.*", "OML",
    "OSSP", "OpenSSL*", "OpenVision", "PDDL-1.0", "PHP-3.*", "PSF-2.0", "Pixar", "Plexus", "PostgreSQL", "Python-2.0*",
    "Qhull", "RSA-MD", "Rdisc", "Ruby", "SAX-PD*", "SGI-B-2.0", "SGI-OpenGL", "SMLNJ", "SSH-OpenSSH", "SSH-short",
    "SSLeay-standalone", "SWL", "Saxpath", "Spencer-*", "StandardML-NJ", "SunPro", "Sun-PPP*", "Symlinks", "TCL",
    "TCP-wrappers", "TU-Berlin-*", "TermReadKey", "UCAR", "UMich-Merit", "UPL-1.0", "URT-RLE", "Unicode-*", "UnixCrypt",
    "Unlicense*", "VSL-1.0", "Vim", "W3C*", "WTFPL", "Widget-Workshop", "X11*", "XFree86-1.1", "Xerox", "Xfig", "Xnet",
    "ZPL-*", "Zend-2.0", "Zlib", "bcrypt-Solar-Designer", "blessing", "bzip2-1.0.*", "check-cvs", "curl", "dtoa",
    "generic-xts", "hdparm", "libpng-*", "libselinux-1.0", "libtiff", "libutil-David-Nugent", "lsof", "metamail",
    "mpi-permissive", "mpich2", "pkgconf", "python-ldap", "radvd", "snprintf", "softSurfer", "ssh-keyscan", "xlock",
    "zlib-acknowledgement",
];

/// Copyleft that the crate does not mark as such, and licences that limit use, trade or change.
#[rustfmt::skip]
const RESTRICTIVE: &[&str] = &[
    "APL-1.0", "APSL-*", "Aladdin", "Artistic-1.0*", "Artistic-dist", "BSD-3-Clause-No-Military-License",
    "BSD-3-Clause-No-Nuclear-*", "BSD-3-Clause-OpenWebUI", "BSD-Protection", "BSD-Source-alt-GPL", "BUSL-1.1",
    "BitTorrent-*", "CAL-1.0*", "CC-BY-NC-*", "CC-BY-ND-*", "CC-SA-1.0", "CDLA-Sharing-1.0", "CERN-OHL-*", "CPAL-1.0",
    "CPOL-1.02", "CUA-OPL-1.0", "ClArtistic", "D-FSL-1.0", "EPL-*", "Elastic-2.0", "ErlPL-1.1", "FDK-AAC", "FreeImage",
    "FSL-1.1-*", "Frameworx-1.0", "Hippocratic-*", "IPL-1.0", "Interbase-1.0", "JSON", "LGPLLR", "LPL-*", "LPPL-*",
    "LiLiQ-R*", "MS-LPL", "NASA-1.3", "NGPL", "NOSL", "NPOSL-3.0", "Nokia", "OCLC-2.0", "OCCT-PL", "ODbL-1.0",
    "OPL-1.0", "OSET-PL-2.1", "Parity-*", "PolyForm-*", "QPL-1.0*", "RHeCos-1.1", "RPL-*", "RPSL-1.0", "RSCPL",
    "SGI-B-1.*", "SISSL*", "SMAIL-GPL", "SPL-1.0", "SSPL-1.0", "SUL-1.0", "SimPL-2.0", "Sleepycat", "SugarCRM-1.1.3",
    "TGPPL-1.0", "TMate", "UnRAR", "Watcom-1.0", "YPL-*", "Zimbra-*", "copyleft-next-*", "eCos-2.0", "gSOAP-1.3b",
    "wxWindows",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_become_canonical() {
        let cases = [
            ("MIT", "MIT"),
            ("mit", "MIT"),
            ("GPL-2.0+", "GPL-2.0-or-later"),
            ("gpl-2.0", "GPL-2.0-only"),
            ("MIT/Apache-2.0", "MIT OR Apache-2.0"),
            ("(bsd-3-clause or GPL-2.0-only)", "(BSD-3-Clause OR GPL-2.0-only)"),
            ("Apache-2.0 WITH LLVM-exception", "Apache-2.0 WITH LLVM-exception"),
            ("LicenseRef-ours", "LicenseRef-ours"),
        ];
        for (given, expected) in cases {
            assert_eq!(canonical(given).as_deref(), Some(expected), "{given}");
        }
        for wrong in ["", "no such licence", "MIT AND", "(MIT", "MIT Apache-2.0", "MIT OR NOPE", "caf\u{e9}"] {
            assert_eq!(canonical(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_choice_takes_the_best_and_a_sum_the_worst() {
        use Class::*;
        let cases = [
            ("MIT", Permissive),
            ("LicenseRef-public-domain", Permissive),
            ("Zlib AND BSD-4-Clause-UC", Permissive),
            ("LGPL-2.1-or-later", Restrictive),
            ("MPL-2.0", Restrictive),
            ("MIT OR GPL-2.0-only", Permissive),
            ("MIT AND GPL-2.0-only", Restrictive),
            ("LicenseRef-mine", Unknown),
            ("MIT OR LicenseRef-mine", Permissive),
            ("MIT AND LicenseRef-mine", Unknown),
            ("GPL-2.0-only AND LicenseRef-mine", Restrictive),
            ("GPL-2.0-only OR LicenseRef-mine", Restrictive),
            ("MIT AND (Apache-2.0 OR GPL-3.0-or-later)", Permissive),
            ("CC-BY-NC-4.0", Restrictive),
            ("BSD-3-Clause-No-Military-License", Restrictive),
            ("gibberish", Unknown),
        ];
        for (expression, expected) in cases {
            assert_eq!(class(expression), expected, "{expression}");
        }
    }

    #[test]
    fn every_entry_of_the_lists_names_a_licence() {
        for entry in PERMISSIVE.iter().chain(RESTRICTIVE) {
            let named = spdx::identifiers::LICENSES.iter().any(|licence| is_one_of(licence.name, &[entry]));
            assert!(named, "{entry}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_a_class(text: String) {
            let _ = class(&text);
            let _ = canonical(&text);
        }

        #[test]
        fn any_near_expression_has_a_class(text in r"(MIT|GPL-2\.0|GPL-1\.0|LicenseRef-|DocumentRef-a:|AdditionRef-x|[()+/ :]| AND | OR | WITH |LLVM-exception|é)*") {
            if let Some(canonical) = canonical(&text) {
                proptest::prop_assert_eq!(super::canonical(&canonical), Some(canonical.clone()));
            }
            let _ = class(&text);
        }
    }
}
