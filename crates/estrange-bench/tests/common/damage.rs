//! A bench that was made to be wrong, hashes and all.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// Puts other text in one cell of a table that is not longer than a batch, and has the manifest vouch for it.
pub fn set_cell(bench: &Path, table: &str, column: &str, row: usize, text: &str) {
    let path = bench.join(table);
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
    let (schema, mut columns, _) = reader.build().unwrap().next().unwrap().unwrap().into_parts();
    let at = schema.index_of(column).unwrap();
    let cells: &StringArray = columns[at].as_any().downcast_ref().unwrap();
    let with_text = |(number, cell)| if number == row { Some(text) } else { cell };
    columns[at] = Arc::new(cells.iter().enumerate().map(with_text).collect::<StringArray>());
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, Arc::clone(&schema), None).unwrap();
    writer.write(&RecordBatch::try_new(schema, columns).unwrap()).unwrap();
    writer.close().unwrap();
    put_file(bench, table, &bytes);
}

/// Puts other bytes in place of a file, and has the manifest vouch for them.
pub fn put_file(bench: &Path, name: &str, bytes: &[u8]) {
    fs::write(bench.join(name), bytes).unwrap();
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(bench.join("manifest.json")).unwrap()).unwrap();
    manifest["files"][name]["blake3"] = blake3::hash(bytes).to_hex().as_str().into();
    manifest["files"][name]["bytes"] = bytes.len().into();
    fs::write(bench.join("manifest.json"), manifest.to_string()).unwrap();
}
