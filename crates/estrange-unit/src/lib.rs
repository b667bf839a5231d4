//! Takes functions out of translation units with exactly what they need, and groups them.
//!
//! A source file is flattened ([`flatten`]) into one text, read by libclang, and cut into chunks.

mod build;
mod closure;
mod emit;
mod flatten;
mod forms;
mod found;
mod headers;
mod macros;
mod slices;
mod standard;

pub use build::{Unit, UnitLoss};
pub use flatten::{Flat, FlattenLoss, LARGEST, flatten};
pub use found::{Found, Group};
pub use slices::Language;
pub use standard::SystemFolders;

#[doc(hidden)]
pub fn try_units(flat: &Flat, language: Language, arguments: &[String], clang: &estrange_clang::Clang) -> Vec<(Found, Result<Unit, UnitLoss>)> {
    let t=std::time::Instant::now();
    let reading = clang.read(&flat.text, arguments);
    let t1=t.elapsed();
    eprintln!("troubles {:?}", reading.troubles.iter().take(5).collect::<Vec<_>>());
    let slices = slices::Slices::cut(flat, &reading, language);
    let found = slices.functions();
    eprintln!("{} declarations {} refs {} chunks {} functions read {:?} cut {:?}", reading.declarations.len(), reading.references.len(), slices.chunks.len(), found.len(), t1, t.elapsed()-t1);
    let mut builder = build::Builder::new(clang);
    let t=std::time::Instant::now();
    let r: Vec<_> = found.into_iter().map(|f| { let u = builder.unit(&slices, f.declaration, arguments, &[]); (f,u)}).collect();
    eprintln!("built in {:?}", t.elapsed());
    r
}
