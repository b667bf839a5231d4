//! The thesaurus, on WordNet's own files and on a small one made here for what those do not have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

/// WordNet as the set-up installs it.
static REAL: LazyLock<Thesaurus> =
    LazyLock::new(|| Thesaurus::load(Path::new(Thesaurus::FOLDER)).expect("the set-up installs wordnet-base"));

fn has(word: &str, synonym: &str) -> bool {
    REAL.synonyms(word).iter().any(|each| each == synonym)
}

#[test]
fn the_most_frequent_senses_come_first() {
    assert_eq!(REAL.synonyms("begin")[..3], ["get_down", "get", "start_out"]);
    assert_eq!(REAL.synonyms("error"), ["mistake", "fault", "misplay", "wrongdoing"]);
    // The verb is far more frequent than the noun, which comes first in WordNet's order.
    assert_eq!(REAL.synonyms("miss")[..2], ["lose", "neglect"]);
    let synonyms = REAL.synonyms("charge");
    let place = |word: &str| synonyms.iter().position(|each| each == word).expect("a synonym");
    assert!(place("accuse") < place("bill") && place("bill") < place("cathexis"), "{synonyms:?}");
}

#[test]
fn synonyms_are_in_the_form_of_the_word() {
    for (word, synonym) in [
        ("knob", "node"),
        ("knobs", "nodes"),
        ("boundaries", "edges"),
        ("indices", "positions"),
        ("matches", "fits"),
        ("matches", "counterparts"),
        ("vertices", "acmes"),
        ("delete", "erase"),
        ("deletes", "erases"),
        ("deleted", "erased"),
        ("deleting", "erasing"),
        ("stopped", "halted"),
        ("stopping", "halting"),
        ("halting", "stopping"),
        ("begun", "started"),
        ("started", "begun"),
        ("starting", "beginning"),
        ("chosen", "selected"),
        ("selected", "chosen"),
        ("permitted", "let"),
        ("searched", "looked_for"),
        ("searching", "looking_for"),
        ("tries", "attempts"),
        ("attempted", "tried"),
        ("larger", "bigger"),
        ("bigger", "larger"),
        ("biggest", "largest"),
        ("parsed", "analyzed"),
        ("parsing", "dissecting"),
        ("unlocked", "opened"),
        ("defogging", "demisting"),
        ("mutexes", "latches"),
        ("lens", "durations"),
        ("args", "operands"),
    ] {
        assert!(has(word, synonym), "{word}: {:?}", REAL.synonyms(word));
    }
    for (word, no_word) in [("permitted", "letted"), ("knobs", "node"), ("deleting", "erase"), ("allowed", "letted")] {
        assert!(!has(word, no_word), "{word}");
    }
}

#[test]
fn words_are_brought_into_every_form() {
    for (lemma, part, form, expected) in [
        ("bus", Part::Noun, Form::Plural, Some("busses")),
        ("box", Part::Noun, Form::Plural, Some("boxes")),
        ("key", Part::Noun, Form::Plural, Some("keys")),
        ("entry", Part::Noun, Form::Plural, Some("entries")),
        ("child", Part::Noun, Form::Plural, Some("children")),
        ("surroundings", Part::Noun, Form::Plural, Some("surroundings")),
        ("end_point", Part::Noun, Form::Plural, Some("end_points")),
        ("go", Part::Verb, Form::ThirdPerson, Some("goes")),
        ("have", Part::Verb, Form::ThirdPerson, Some("has")),
        ("pass_by", Part::Verb, Form::ThirdPerson, Some("passes_by")),
        ("write", Part::Verb, Form::Past, Some("written")),
        ("lie", Part::Verb, Form::Past, Some("lain")),
        ("sing", Part::Verb, Form::Past, Some("sung")),
        ("go_by", Part::Verb, Form::Past, Some("gone_by")),
        ("carry", Part::Verb, Form::Past, Some("carried")),
        ("put", Part::Verb, Form::Past, Some("put")),
        ("fix", Part::Verb, Form::Past, Some("fixed")),
        ("lie", Part::Verb, Form::Gerund, Some("lying")),
        ("see", Part::Verb, Form::Gerund, Some("seeing")),
        ("be", Part::Verb, Form::Gerund, Some("being")),
        ("queue", Part::Verb, Form::Gerund, Some("queuing")),
        ("run", Part::Verb, Form::Gerund, Some("running")),
        ("carry", Part::Verb, Form::Gerund, Some("carrying")),
        ("tidy", Part::Adjective, Form::Comparative, Some("tidier")),
        ("good", Part::Adjective, Form::Comparative, Some("better")),
        ("large", Part::Adjective, Form::Superlative, Some("largest")),
        ("recent", Part::Adjective, Form::Superlative, Some("most_recent")),
        ("up_to", Part::Adjective, Form::Comparative, None),
    ] {
        let inflected = inflect(&REAL.wordnet, &REAL.irregular, lemma, part, form);
        assert_eq!(inflected.as_deref(), expected, "{lemma} {form:?}");
    }
}

#[test]
fn what_is_no_word_has_no_synonyms() {
    for word in
        ["", "a", "x", "n", "in", "of", "he", "and", "cc", "qzx", "Node", "NODE", "utf8", "make_up", "größe", "-"]
    {
        assert!(REAL.synonyms(word).is_empty(), "{word}: {:?}", REAL.synonyms(word));
        assert_eq!(REAL.replace(word, &|_| false, 1), None);
    }
    assert!(has("do", "perform") && has("go", "travel") && has("ok", "fine"));
}

#[test]
fn names_and_acronyms_are_left_out() {
    // Washington, the state: only as a name.
    assert!(REAL.synonyms("wa").is_empty() && !has("march", "mar"));
    assert!(has("leave", "go_away") && !has("get", "fuck_off"));
}

#[test]
fn abbreviations_are_looked_up_by_what_they_stand_for() {
    assert!(has("len", "duration") && has("buf", "reservoir") && has("sz", "magnitude") && has("ptr", "arrow"));
    assert!(!has("len", "length") && !has("char", "charr"));
    for (abbreviation, word) in abbreviations::all() {
        let synonyms = REAL.synonyms(abbreviation);
        assert!(!synonyms.is_empty(), "{abbreviation}: {word}");
        assert!(!synonyms.iter().any(|synonym| synonym == word));
    }
}

#[test]
fn the_tables_are_in_order() {
    let abbreviations: Vec<_> = abbreviations::all().map(|entry| entry.0).collect();
    assert!(abbreviations.is_sorted_by(|one, two| one < two) && abbreviations.len() > 100);
    assert!(terms::all().is_sorted_by(|one, two| (one.0, one.1) < (two.0, two.1)));
    for (term, part, synonyms) in terms::all() {
        for synonym in synonyms {
            assert!(joinable(synonym).as_deref() == Some(*synonym) && !REAL.is_unwanted(synonym), "{synonym}");
            let pieces: Vec<&str> = synonym.split('_').collect();
            assert!(!pieces.iter().any(|piece| same_stem(piece, term)), "{term} {part:?}: {synonym}");
        }
        assert!(has(term, synonyms[0]), "{term}: {:?}", REAL.synonyms(term));
    }
}

/// All of WordNet's words of one part of speech by sense, read line by line.
fn plain(file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(Path::new(Thesaurus::FOLDER).join(file)).expect("installed");
    let words = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        let count = usize::from_str_radix(fields[3], 16).expect("a number");
        fields[4..].iter().step_by(2).take(count).map(|word| (*word).to_owned()).collect()
    };
    text.lines().filter(|line| !line.starts_with(' ')).map(words).collect()
}

#[test]
fn nothing_is_missing_and_nothing_made_up() {
    let mut of_word: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for synset in plain("data.verb") {
        for word in &synset {
            of_word.entry(word.clone()).or_default().extend(synset.iter().cloned());
        }
    }
    let mut checked = 0;
    for (word, all) in of_word.iter().step_by(7).filter(|(word, _)| is_plain(word) && word.len() > 2) {
        let readings = readings(&REAL.wordnet, word);
        let is_verb_only = readings.iter().all(|reading| reading.part == Part::Verb && reading.form == Form::Base);
        if !is_verb_only || JOINING.contains(&word.as_str()) || readings[0].term().is_some() {
            continue;
        }
        if abbreviations::expand(word).is_some() {
            continue;
        }
        let found: BTreeSet<String> = REAL.synonyms(word).into_iter().collect();
        let can_be_used = |other: &String| {
            let other = joinable(other).filter(|_| !REAL.is_unwanted(other))?;
            (!other.split('_').any(|piece| same_stem(piece, word))).then_some(other)
        };
        assert_eq!(found, all.iter().filter_map(can_be_used).collect(), "{word}");
        checked += 1;
    }
    assert!(checked > 300, "only {checked} verbs");
}

#[test]
fn a_replacement_is_chosen_by_the_seed() {
    let choose = |word: &str, seed| REAL.replace(word, &|_| false, seed).expect("a synonym");
    let chosen: BTreeSet<String> = (0..200).map(|seed| choose("error", seed)).collect();
    assert_eq!(chosen, ["mistake", "fault"].map(str::to_owned).into());
    assert_eq!(choose("newline", 1).split('_').count(), 2, "where there is no single word");
    for seed in 0..50 {
        assert_eq!(choose("check", seed), choose("check", seed));
        assert_eq!(format!("{}s", choose("error", seed)), choose("errors", seed));
    }
}

#[test]
fn a_rare_or_far_fetched_synonym_is_not_chosen() {
    let all =
        |word: &str| -> BTreeSet<String> { (0..100).filter_map(|seed| REAL.replace(word, &|_| false, seed)).collect() };
    // Each is a synonym; but it is in no text, or means something else nearly always, or is of a rare sense.
    for (word, absurd) in [
        ("buffer", "cowcatcher"),
        ("allow", "countenance"),
        ("write", "indite"),
        ("head", "caput"),
        ("can", "lavatory"),
    ] {
        let chosen = all(word);
        assert!(!chosen.contains(absurd), "{word}: {chosen:?}");
    }
    for (word, plain) in [("allow", "permit"), ("buffer", "store"), ("delete", "erase"), ("error", "mistake")] {
        assert!(all(word).contains(plain), "{word}: {:?}", all(word));
    }
}

#[test]
fn what_is_to_be_avoided_is_not_chosen() {
    let synonyms = REAL.synonyms("error");
    for seed in 0..20 {
        let without = REAL.replace("error", &|word| word == "mistake", seed).expect("another one");
        assert_ne!(without, "mistake");
        let with = REAL.replace("error", &|_| false, seed).expect("a synonym");
        assert!(with == "mistake" || with == without, "the others stay as they are");
        let last = REAL.replace("error", &|word| word != synonyms[synonyms.len() - 1], seed);
        assert_eq!(last.as_ref(), synonyms.last());
        assert_eq!(REAL.replace("error", &|_| true, seed), None);
    }
}

#[test]
fn choices_are_the_same_in_every_release() {
    let chosen: Vec<String> = (0..6).filter_map(|seed| REAL.replace("allow", &|_| false, seed)).collect();
    assert_eq!(chosen, ["permit", "let", "let", "permit", "let", "permit"]);
}

#[test]
fn words_of_one_stem_are_recognised() {
    for (one, other) in [
        ("count", "counter"),
        ("counting", "counted"),
        ("run", "runner"),
        ("setting", "set"),
        ("initialize", "initialise"),
        ("log", "logarithm"),
        ("word", "password"),
        ("buffer", "buff"),
        ("string", "drawstring"),
        ("process", "processes"),
        ("x", "x"),
    ] {
        assert!(same_stem(one, other) && same_stem(other, one), "{one} {other}");
    }
    for (one, other) in [("string", "strand"), ("length", "long"), ("pass", "parse"), ("error", "mistake"), ("", "a")] {
        assert!(!same_stem(one, other) && !same_stem(other, one), "{one} {other}");
    }
}

/// A data file of these senses, each its words and its pointers, and the places of the senses in it.
fn data(kind: char, senses: &[(&str, &str)]) -> (String, Vec<usize>) {
    let mut text = "  1 A licence.\n".to_owned();
    let mut places = Vec::new();
    for (words, pointers) in senses {
        let words: Vec<String> = words.split(' ').map(|word| format!("{word} 0")).collect();
        let count = words.len();
        let (number, pointers) = if pointers.is_empty() { (0, "") } else { (1, *pointers) };
        places.push(text.len());
        let place = text.len();
        let line = format!("{place:08} 00 {kind} {count:02x} {} {number:03} {pointers}", words.join(" "));
        text.push_str(&format!("{} | a gloss; with 001 ;u numbers  \n", line.trim_end()));
    }
    (text, places)
}

/// A line of an index.
fn line(word: &str, kind: char, places: &[usize]) -> String {
    let count = places.len();
    let places: Vec<String> = places.iter().map(|place| format!("{place:08}")).collect();
    format!("{word} {kind} {count} 2 @ ~ {count} 0 {}  \n", places.join(" "))
}

/// A WordNet of a few words.
fn small() -> Texts {
    let (mut nouns, at) = data(
        'n',
        &[
            ("Gizmo gizmo", ""),
            ("gizmo widget whatsit", ""),
            ("gizmo gadget Thing 3-d o'clock e.g. x-ray add-on one_two_three ab", ""),
            ("GIZMO Ohio", ""),
            ("whatsit", ""),
        ],
    );
    // A sense that says that a word of another is obscene: the third word of the second.
    let obscenity = nouns.len();
    nouns.push_str(&format!("{obscenity:08} 10 n 01 obscenity 0 001 -u {:08} n 0003 | a gloss\n", at[1]));
    let (verbs, verb_at) = data('v', &[("tweak fiddle", ""), ("gizmo convert", "")]);
    let (adjectives, adjective_at) =
        data('s', &[("handy(p) ready_to(a) useful(ip)", "& 00000000 a 0000"), ("near handy", "")]);
    let (adverbs, adverb_at) = data('r', &[("soon shortly", "")]);
    let index = format!(
        "  1 A licence.\n{}{}{}bad n\nbroken n 1 0 1 0 notanumber\n{}{}",
        line("astray", 'n', &[at[1] + 3, 9_999_999, at[0]]),
        line("axe", 'n', &[at[4]]),
        line("axis", 'n', &[at[4]]),
        line("gizmo", 'n', &[at[0], at[1], at[2], at[3]]),
        line("obscenity", 'n', &[obscenity]),
    );
    Texts {
        noun: PartTexts { index, data: nouns, exceptions: "axes axe axis\ngizmata gizmo\n".to_owned() },
        verb: PartTexts {
            index: line("gizmo", 'v', &[verb_at[1]]) + &line("tweak", 'v', &[verb_at[0]]),
            data: verbs,
            exceptions: String::new(),
        },
        adjective: PartTexts {
            index: line("handy", 'a', &adjective_at),
            data: adjectives,
            exceptions: "handier handy\n".to_owned(),
        },
        adverb: PartTexts { index: line("soon", 'r', &adverb_at), data: adverbs, exceptions: String::new() },
        counts: "gizmo%1:00:00:: 3 7\ngizmo%2:00:00:: 1 3\nhandy%5:00:00:close:00 2 1\n".to_owned(),
    }
}

#[test]
fn a_small_wordnet_is_read_as_the_manual_says() {
    let thesaurus = Thesaurus::parse(small()).expect("as WordNet's");
    // The third sense and the verb were found in texts; `whatsit` is obscene; names, digits, quotes are left out.
    assert_eq!(thesaurus.synonyms("gizmo"), ["gadget", "add_on", "convert", "widget"]);
    assert_eq!(thesaurus.synonyms("gizmata"), ["gadgets", "add_ons", "widgets"]);
    assert_eq!(thesaurus.synonyms("gizmos"), ["gadgets", "add_ons", "converts", "widgets"]);
    assert_eq!(thesaurus.synonyms("tweaked"), ["fiddled"]);
    assert_eq!(thesaurus.synonyms("handy"), ["near", "ready_to", "useful"]);
    assert_eq!(thesaurus.synonyms("handier"), ["nearer", "more_useful"]);
    assert_eq!(thesaurus.synonyms("soon"), ["shortly"]);
    // Places that are no senses, lines without any, and words that are not there.
    for word in ["astray", "bad", "broken", "axes", "zebra", "aaa", "licence"] {
        assert!(thesaurus.synonyms(word).is_empty(), "{word}");
    }
    let both: Vec<_> = readings(&thesaurus.wordnet, "axes").into_iter().map(|reading| reading.lemma).collect();
    assert_eq!(both, ["axe", "axis"]);
}

#[test]
fn without_counts_the_order_of_senses_decides() {
    let thesaurus = Thesaurus::parse(Texts { counts: String::new(), ..small() }).expect("as WordNet's");
    assert_eq!(thesaurus.synonyms("gizmo"), ["convert", "widget", "gadget", "add_on"]);
}

#[test]
fn files_that_are_not_wordnets_are_refused() {
    let refusal = |change: &dyn Fn(&mut Texts)| {
        let mut texts = small();
        change(&mut texts);
        Thesaurus::parse(texts).expect_err("refused").to_string()
    };
    let message = refusal(&|texts| texts.noun.index.clear());
    assert_eq!(message, "index.noun is not as WordNet's: it is empty");
    let message = refusal(&|texts| texts.verb.data.truncate(30));
    assert_eq!(message, "data.verb is not as WordNet's: it ends in the middle of a line");
    let message = refusal(&|texts| texts.adjective.data = texts.adjective.data.replace('\n', "\r\n"));
    assert_eq!(message, "data.adj is not as WordNet's: the line at byte 16 does not begin with that number");
    let message = refusal(&|texts| texts.adverb.data.push_str("something else\n"));
    assert!(message.starts_with("data.adv is not as WordNet's"), "{message}");
    let message = refusal(&|texts| texts.noun.index.push_str("apple n 0 0 0 0\n"));
    assert_eq!(message, "index.noun is not as WordNet's: its lines are not sorted at `apple`");
    let message = refusal(&|texts| texts.noun.exceptions.push_str("ate eat"));
    assert!(message.starts_with("noun.exc is not as WordNet's"), "{message}");
    let message = refusal(&|texts| texts.counts.push_str("a%1:00:00:: 1 1\n"));
    assert!(message.starts_with("cntlist.rev is not as WordNet's"), "{message}");
}

#[test]
fn a_folder_without_wordnet_says_which_file_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = Thesaurus::load(folder.path()).expect_err("nothing there");
    assert!(matches!(&error, ThesaurusError::Unreadable { path, .. } if path.ends_with("cntlist.rev")));
    assert!(error.hint().unwrap().contains("wordnet-base"));
}

proptest! {
    #[test]
    fn synonyms_are_words_and_never_the_word(word in "[a-z]{2,7}(s|ed|ing)?") {
        for synonym in REAL.synonyms(&word) {
            prop_assert!(synonym.split('_').all(|piece| piece.len() >= 2 && is_plain(piece)), "{}", synonym);
            prop_assert!(!same_stem(&synonym, &word));
        }
    }

    #[test]
    fn no_word_and_no_text_makes_it_panic(
        word in ".*",
        lines in "((  )?[a-c ]{0,4}[0-9 ]{0,12}[%@\u{e9}]?\n){0,6}",
        cut in 0..400usize,
    ) {
        REAL.synonyms(&word);
        let mut texts = small();
        let at = texts.noun.index.floor_char_boundary(cut.min(texts.noun.index.len()));
        texts.noun.index.truncate(at);
        texts.noun.index.push_str(&lines);
        texts.noun.exceptions = lines.clone();
        texts.counts = lines;
        if let Ok(thesaurus) = Thesaurus::parse(texts) {
            for word in ["gizmo", "axes", "bbb", "tweaked", word.as_str()] {
                thesaurus.synonyms(word);
            }
        }
    }
}
