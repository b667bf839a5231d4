//! Croissant: what a machine reads about a data set, as JSON for linked data; and a bench with that, to be published.
//!
//! The metadata names each file with its hash, and says of each table what its columns are, so that whoever knows
//! Croissant can load the data without knowing this program.

use std::fs::File;
use std::io;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::card::Card;
use super::column::Kind;
use super::error::ExchangeError;
use super::file::{copy, write_json};
use crate::bench::Bench;
use crate::folder::MANIFEST;
use crate::tables::Table;

/// The name of the file.
const METADATA: &str = "croissant.json";

/// The version of Croissant that is written.
const CONFORMS_TO: &str = "http://mlcommons.org/croissant/1.0";

/// A table in a Parquet file.
pub(super) struct Described {
    /// What it is called.
    pub(super) name: String,
    /// Its file, relative to the data set's folder.
    pub(super) path: String,
    /// Its columns.
    pub(super) fields: Vec<(String, Kind)>,
}

/// Writes a copy of the bench's files, its card, and what machines read about it.
pub fn write_bench(folder: &Path, bench: &Bench, card: &Card) -> Result<(), ExchangeError> {
    let mut described = Vec::new();
    for &table in Table::ALL {
        let name = table.file_name();
        if bench.manifest().files.contains_key(name) {
            copy(&bench.folder().join(name), folder, name)?;
            let fields = fields(table);
            let stem = name.trim_end_matches(".parquet");
            described.push(Described { name: stem.to_owned(), path: name.to_owned(), fields });
        }
    }
    copy(&bench.folder().join(MANIFEST), folder, MANIFEST)?;
    card.write(folder)?;
    write_metadata(folder, card, &described)
}

/// The columns of a table that hold one plain value; lists are left to those who open the file.
fn fields(table: Table) -> Vec<(String, Kind)> {
    let schema = table.schema();
    let fields = schema.fields().iter();
    fields.filter_map(|field| Some((field.name().clone(), Kind::of(field.data_type())?))).collect()
}

/// Writes what machines read about tables that are in the folder already.
pub(super) fn write_metadata(folder: &Path, card: &Card, tables: &[Described]) -> Result<(), ExchangeError> {
    let mut files = Vec::new();
    for table in tables {
        let path = folder.join(&table.path);
        let (hash, bytes) = sha256(&path).map_err(ExchangeError::io("read", &path))?;
        files.push(json!({
            "@type": "cr:FileObject",
            "@id": table.path,
            "name": table.path,
            "contentUrl": table.path,
            "contentSize": format!("{bytes} B"),
            "encodingFormat": "application/x-parquet",
            "sha256": hash,
        }));
    }
    let record_sets: Vec<Value> = tables.iter().map(record_set).collect();
    let metadata = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "name": card.name(),
        "description": card.summary(),
        "conformsTo": CONFORMS_TO,
        "license": card.licences(),
        "creator": { "@type": "sc:Organization", "name": "Estrange" },
        "version": "1.0.0",
        "citeAs": card.name(),
        "distribution": files,
        "recordSet": record_sets,
    });
    write_json(folder, METADATA, &metadata, 2)
}

fn record_set(table: &Described) -> Value {
    let fields: Vec<Value> = table
        .fields
        .iter()
        .map(|(column, kind)| {
            json!({
                "@type": "cr:Field",
                "@id": format!("{}/{column}", table.name),
                "name": column,
                "dataType": kind.word(),
                "source": { "fileObject": { "@id": table.path }, "extract": { "column": column } },
            })
        })
        .collect();
    json!({ "@type": "cr:RecordSet", "@id": table.name, "name": table.name, "field": fields })
}

/// What the short words stand for, as Croissant 1.0 prescribes it.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataBiases": "cr:dataBiases",
        "dataCollection": "cr:dataCollection",
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "dct": "http://purl.org/dc/terms/",
        "equivalentProperty": "cr:equivalentProperty",
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "personalSensitiveInformation": "cr:personalSensitiveInformation",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "samplingRate": "cr:samplingRate",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}

/// The hash of a file, and its length.
fn sha256(path: &Path) -> io::Result<(String, u64)> {
    let mut hasher = Sha256::new();
    let bytes = io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher))?;
    Ok((hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), bytes))
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
