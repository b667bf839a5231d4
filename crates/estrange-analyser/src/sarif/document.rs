//! The parts of a SARIF document that are read, under their own names. What else stands there is passed over.

use serde::Deserialize;
use serde_json::Value;

/// A whole document.
#[derive(Debug, Deserialize)]
pub struct Document {
    pub version: String,
    pub runs: Vec<Run>,
}

/// One run of one tool.
#[derive(Debug, Deserialize)]
pub struct Run {
    pub tool: Tool,
    /// There are none where the run came to no results, which is not the same as an empty list.
    pub results: Option<Vec<Outcome>>,
    #[serde(default)]
    pub invocations: Vec<Invocation>,
    #[serde(default)]
    pub artifacts: Vec<Artifact>,
    #[serde(default)]
    pub taxonomies: Vec<Component>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    pub execution_successful: Option<bool>,
    pub exit_code_description: Option<String>,
    #[serde(default)]
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Deserialize)]
pub struct Notification {
    #[serde(default)]
    pub message: Message,
}

#[derive(Debug, Deserialize)]
pub struct Artifact {
    pub location: Option<ArtifactLocation>,
}

#[derive(Debug, Deserialize)]
pub struct Tool {
    pub driver: Component,
    #[serde(default)]
    pub extensions: Vec<Component>,
}

/// A tool, a part of one, or a taxonomy.
#[derive(Debug, Deserialize)]
pub struct Component {
    pub name: String,
    pub guid: Option<String>,
    #[serde(default)]
    pub rules: Vec<Rule>,
    #[serde(default)]
    pub taxa: Vec<Rule>,
}

/// A rule of a tool, or an entry of a taxonomy.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Rule {
    pub id: String,
    pub default_configuration: Configuration,
    pub message_strings: std::collections::BTreeMap<String, Message>,
    pub relationships: Vec<Relationship>,
    pub properties: Properties,
}

#[derive(Debug, Default, Deserialize)]
pub struct Configuration {
    pub level: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Relationship {
    pub target: Reference,
    #[serde(default)]
    pub kinds: Vec<String>,
}

/// Names a rule or an entry of a taxonomy, by its name or its place.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reference {
    pub id: Option<String>,
    pub index: Option<i64>,
    pub tool_component: ComponentReference,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ComponentReference {
    pub name: Option<String>,
    pub index: Option<i64>,
    pub guid: Option<String>,
}

/// What a tool may add of its own; its form is the tool's.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Properties {
    pub tags: Value,
    pub cwe: Value,
}

/// What the standard calls a result.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Outcome {
    pub rule_id: Option<String>,
    pub rule_index: Option<i64>,
    pub rule: Reference,
    pub kind: Option<String>,
    pub level: Option<String>,
    pub baseline_state: Option<String>,
    pub message: Message,
    pub locations: Vec<Location>,
    pub suppressions: Vec<Suppression>,
    pub taxa: Vec<Reference>,
    pub properties: Properties,
}

#[derive(Debug, Deserialize)]
pub struct Suppression {
    pub status: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Message {
    pub text: Option<String>,
    pub id: Option<String>,
    pub arguments: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    pub physical_location: Option<PhysicalLocation>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: Option<ArtifactLocation>,
    pub region: Option<Region>,
}

#[derive(Debug, Deserialize)]
pub struct ArtifactLocation {
    pub uri: Option<String>,
    pub index: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: Option<u32>,
}
