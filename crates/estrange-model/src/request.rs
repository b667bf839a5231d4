//! What is changed of each request to a server: parts that are added, and parts that are taken out.

use serde_json::{Map, Value};

/// What is changed of each request, as it was typed. The same changes are the same model, in whichever way they are said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// A JSON object; parts that are null are taken out.
    pub object: Option<String>,
    /// Parts that are added, each as `NAME=VALUE`. The value is read as JSON, and is a text if it is none.
    pub parameters: Vec<String>,
    /// The names of parts that are taken out.
    pub without: Vec<String>,
}

/// Parts that are ours: without them an answer would be to another question.
const OURS: [&str; 4] = ["model", "messages", "input", "stream"];

/// Why something is no change of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoChange {
    /// The option.
    pub option: &'static str,
    /// What was typed.
    pub text: String,
    /// What is wrong with it.
    pub detail: String,
}

impl Changes {
    /// What goes along with each request; null stands for what is taken out.
    pub fn read(&self) -> Result<Map<String, Value>, NoChange> {
        let mut changes = Map::new();
        if let Some(text) = &self.object {
            let wrong = |detail: String| NoChange { option: "--request", text: text.clone(), detail };
            let object: Map<String, Value> = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            object.into_iter().try_for_each(|(name, value)| put(&mut changes, &name, value)).map_err(wrong)?;
        }
        for text in &self.parameters {
            let wrong = |detail: String| NoChange { option: "--parameter", text: text.clone(), detail };
            let (name, value) = text.split_once('=').ok_or_else(|| wrong("it has no `=`".to_owned()))?;
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
            put(&mut changes, name, value).map_err(wrong)?;
        }
        for text in &self.without {
            let wrong = |detail: String| NoChange { option: "--no-parameter", text: text.clone(), detail };
            put(&mut changes, text, Value::Null).map_err(wrong)?;
        }
        Ok(changes)
    }
}

/// Puts a part among the others, unless it is ours, or is there.
fn put(changes: &mut Map<String, Value>, name: &str, value: Value) -> Result<(), String> {
    if name.is_empty() {
        return Err("it has no name".to_owned());
    }
    if OURS.contains(&name) {
        return Err(format!("`{name}` is ours"));
    }
    match changes.insert(name.to_owned(), value) {
        Some(_) => Err(format!("`{name}` is said twice")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(object: Option<&str>, parameters: &[&str], without: &[&str]) -> Changes {
        let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Changes { object: object.map(str::to_owned), parameters: all(parameters), without: all(without) }
    }

    #[test]
    fn the_same_changes_are_the_same_in_whichever_way_they_are_said() {
        let object =
            r#"{"top_p": 0.5, "effort": "low", "thinking": {"budget": 3}, "id": "7", "a": "b=c", "temperature": null}"#;
        let parameters = ["thinking={\"budget\": 3}", "top_p=0.5", "effort=low", "id=\"7\"", "a=b=c"];
        let one = typed(Some(object), &[], &[]).read().unwrap();
        let other = typed(None, &parameters, &["temperature"]).read().unwrap();
        // Not only equal: a cache sees the text of it.
        assert_eq!(Value::from(one).to_string(), Value::from(other.clone()).to_string());
        let both = typed(Some(r#"{"temperature": null}"#), &parameters, &[]).read().unwrap();
        assert_eq!(both, other);
        assert_eq!(typed(None, &["empty="], &[]).read().unwrap()["empty"], "");
    }

    #[test]
    fn what_contradicts_itself_or_is_ours_is_refused() {
        for (changes, option, detail) in [
            (typed(Some("{"), &[], &[]), "--request", "EOF"),
            (typed(Some("[]"), &[], &[]), "--request", "invalid type"),
            (typed(Some(r#"{"model": "x"}"#), &[], &[]), "--request", "`model` is ours"),
            (typed(None, &["top_p"], &[]), "--parameter", "no `=`"),
            (typed(None, &["=1"], &[]), "--parameter", "no name"),
            (typed(None, &["stream=true"], &[]), "--parameter", "`stream` is ours"),
            (typed(None, &["top_p=1", "top_p=2"], &[]), "--parameter", "`top_p` is said twice"),
            (typed(Some(r#"{"top_p": 1}"#), &[], &["top_p"]), "--no-parameter", "`top_p` is said twice"),
            (typed(None, &[], &["messages"]), "--no-parameter", "`messages` is ours"),
        ] {
            let wrong = changes.read().unwrap_err();
            assert!(wrong.option == option && wrong.detail.contains(detail), "{wrong:?}");
        }
    }
}
