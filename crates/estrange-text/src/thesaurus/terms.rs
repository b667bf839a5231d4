//! Words of programming that WordNet lacks, has no other word for, or knows as something else altogether.

use super::wordnet::Part;

/// A word in its base form, its part of speech, and other words for it, in place of WordNet's.
const TERMS: &[(&str, Part, &[&str])] = &[
    ("abort", Part::Verb, &["cancel", "terminate", "give_up"]),
    ("builder", Part::Noun, &["maker", "constructor"]),
    ("byte", Part::Noun, &["octet"]),
    ("callback", Part::Noun, &["hook", "reaction"]),
    ("database", Part::Noun, &["archive", "repository", "record_store"]),
    ("deallocate", Part::Verb, &["release", "relinquish", "give_back"]),
    ("debug", Part::Verb, &["troubleshoot", "diagnose"]),
    ("decode", Part::Verb, &["decipher", "translate", "interpret"]),
    ("default", Part::Noun, &["fallback", "preset"]),
    ("definition", Part::Noun, &["meaning", "explanation"]),
    ("description", Part::Noun, &["account", "portrayal"]),
    ("directory", Part::Noun, &["folder", "catalog"]),
    ("disable", Part::Verb, &["deactivate", "turn_off", "switch_off"]),
    ("enable", Part::Verb, &["activate", "turn_on", "switch_on"]),
    ("encode", Part::Verb, &["cipher", "translate"]),
    ("entity", Part::Noun, &["thing", "being"]),
    ("filename", Part::Noun, &["document_title", "document_label"]),
    ("flag", Part::Noun, &["marker", "indicator"]),
    ("generic", Part::Adjective, &["universal", "all_purpose"]),
    ("group", Part::Noun, &["cluster", "bunch"]),
    ("hash", Part::Noun, &["digest", "fingerprint"]),
    ("initialize", Part::Verb, &["prepare", "set_up"]),
    ("invalid", Part::Adjective, &["improper", "wrong", "unsound"]),
    ("iterator", Part::Noun, &["walker", "stepper"]),
    ("keyword", Part::Noun, &["catchphrase", "reserved_term"]),
    ("library", Part::Noun, &["archive", "collection"]),
    ("log", Part::Noun, &["journal", "chronicle"]),
    ("log", Part::Verb, &["record", "write_down"]),
    ("method", Part::Noun, &["routine", "procedure"]),
    ("mutex", Part::Noun, &["latch", "guard"]),
    ("namespace", Part::Noun, &["scope", "realm"]),
    ("newline", Part::Noun, &["row_break", "row_end"]),
    ("optimize", Part::Verb, &["improve", "speed_up"]),
    ("overwrite", Part::Verb, &["replace", "supersede"]),
    ("page", Part::Noun, &["sheet", "leaf"]),
    ("parse", Part::Verb, &["analyze", "dissect", "interpret"]),
    ("parser", Part::Noun, &["analyzer", "dissector", "interpreter"]),
    ("prefix", Part::Noun, &["beginning", "lead_in"]),
    ("random", Part::Adjective, &["arbitrary", "haphazard", "chance"]),
    ("recursive", Part::Adjective, &["nested", "self_calling"]),
    ("rename", Part::Verb, &["relabel", "retitle"]),
    ("resize", Part::Verb, &["scale", "stretch"]),
    ("size", Part::Noun, &["magnitude", "extent", "measure"]),
    ("slot", Part::Noun, &["opening", "niche"]),
    ("suffix", Part::Noun, &["ending", "tail"]),
    ("symbol", Part::Noun, &["sign", "emblem"]),
    ("text", Part::Noun, &["prose", "writing"]),
    ("tree", Part::Noun, &["hierarchy", "branching"]),
    ("type", Part::Noun, &["kind", "sort", "category"]),
    ("unlock", Part::Verb, &["open", "release"]),
    ("update", Part::Verb, &["refresh", "renew", "revise"]),
    ("user", Part::Noun, &["client", "consumer"]),
    ("valid", Part::Adjective, &["sound", "proper", "legitimate"]),
    ("variable", Part::Noun, &["quantity", "unknown"]),
    ("vector", Part::Noun, &["arrow", "sequence"]),
    ("window", Part::Noun, &["pane", "opening"]),
];

/// Our own synonyms of a word in its base form.
pub(super) fn synonyms(lemma: &str, part: Part) -> Option<&'static [&'static str]> {
    let place = TERMS.binary_search_by_key(&(lemma, part), |term| (term.0, term.1)).ok()?;
    TERMS.get(place).map(|term| term.2)
}

/// Every term, for tests.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = (&'static str, Part, &'static [&'static str])> {
    TERMS.iter().copied()
}
