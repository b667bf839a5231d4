//! The code that calls a problem's function: it makes the arguments from bytes, and bytes from what was returned and written.
//!
//! It is compiled by itself, with the problem's declarations and nothing of the answer, which it gets as a pointer.

use std::fmt::Write;

use estrange_words::Language;

use crate::interface::{Interface, Passing, Returned};
use crate::types::{Kind, Record, Type};

/// What both sides know of each other.
pub(crate) const HOST: &str = include_str!("runtime/host.h");

/// No list or tree with more nodes is told.
const MOST_NODES: u64 = 1 << 20;

/// The text of the code that calls a function, whose entry has this name.
pub(crate) fn text(interface: &Interface, context: &str, signature: &str, language: Language, entry: &str) -> String {
    let mut glue = Glue { language, types: Vec::new(), functions: String::new() };
    let body = glue.body(interface);
    let (linkage, type_of, includes) = match language {
        Language::C => ("", "__typeof__", "#include <string.h>\n"),
        Language::Cpp => ("extern \"C\" ", "decltype", "#include <cstring>\n#include <exception>\n"),
    };
    let name = &interface.name;
    let functions = &glue.functions;
    let (open, close) = match language {
        Language::C => ("", ""),
        Language::Cpp => (
            "    try {\n",
            "    } catch (const std::exception &error) {\n        H->give_text(error.what());\n        return 1;\n    } \
             catch (...) {\n        H->give_text(0);\n        return 1;\n    }\n",
        ),
    };
    // The symbol of the function stands in the object, so that it can be read there; nothing has to define it.
    format!(
        "{HOST}{includes}\n#line 1 \"context\"\n{context}\n#line 1 \"signature\"\n{signature};\n#line 1 \"glue\"\n\
         {signature} __attribute__((weak));\n{linkage}void *{entry}_symbol(void);\n{linkage}void *{entry}_symbol(void) {{ return \
         (void *)&{name}; }}\nstatic struct estrange_host *H;\n{functions}\n{linkage}int {entry}(struct estrange_host *host);\n\
         {linkage}int {entry}(struct estrange_host *host) {{\n    H = host;\n    {type_of}({name}) *target = \
         ({type_of}({name}) *)H->target;\n{open}{body}{close}    return 0;\n}}\n"
    )
}

struct Glue {
    language: Language,
    /// Those for which there are functions, which are called by their place.
    types: Vec<Type>,
    functions: String,
}

impl Glue {
    fn is_cpp(&self) -> bool {
        self.language.is_cpp()
    }

    /// The place of a type; its functions are written first where there are none.
    fn of(&mut self, of: &Type) -> usize {
        if let Some(place) = self.types.iter().position(|known| known == of) {
            return place;
        }
        let functions = self.both(of);
        self.types.push(of.clone());
        let place = self.types.len() - 1;
        let (get, put) = functions;
        let spelling = &of.spelling;
        let taken = if self.is_cpp() { format!("const {spelling} &v") } else { format!("{spelling} v") };
        let taken = match of.kind {
            Kind::List(_) | Kind::Tree(_) | Kind::Text => format!("{spelling} v"),
            _ => taken,
        };
        let _ = write!(
            self.functions,
            "static {spelling} get_{place}(void) {{ {} }}\nstatic void put_{place}({taken}) {{ {} }}\n",
            get.replace("SELF", &place.to_string()),
            put.replace("SELF", &place.to_string()),
        );
        place
    }

    /// The bodies of what reads and what writes a value.
    fn both(&mut self, of: &Type) -> (String, String) {
        let spelling = &of.spelling;
        let zero = if self.is_cpp() { "{}" } else { " = {0}" };
        match &of.kind {
            Kind::Boolean => (format!("return ({spelling})(H->take() != 0);"), "H->give(v ? 1 : 0);".to_owned()),
            Kind::Character => {
                (format!("return ({spelling})H->take();"), "H->give((unsigned long long)(signed char)v);".to_owned())
            }
            Kind::Integer { .. } => {
                (format!("return ({spelling})H->take();"), "H->give((unsigned long long)v);".to_owned())
            }
            Kind::Real { .. } => (
                "unsigned long long b = H->take(); double d; memcpy(&d, &b, 8); return d;".to_owned(),
                "double d = v; unsigned long long b; memcpy(&b, &d, 8); H->give(b);".to_owned(),
            ),
            Kind::Text => ("return H->take_byte() ? H->take_text() : 0;".to_owned(), "H->give_text(v);".to_owned()),
            Kind::String => (
                format!("{spelling} v(H->take(), ' '); H->take_into(&v[0], v.size()); return v;"),
                "H->give(v.size()); H->give_bytes(v.data(), v.size());".to_owned(),
            ),
            Kind::Record(record) => {
                let (get, put) = self.fields(record, "v.");
                (format!("{spelling} v{zero}; {get}return v;"), put)
            }
            Kind::List(record) => {
                let (get, put) = self.fields(record, "p->");
                let (node, next) = (&record.spelling, &record.links[0]);
                let made = self.made(node);
                (
                    format!(
                        "{node} *first = 0, **link = &first; for (unsigned long long n = H->take(); n; n--) {{ {node} *p = {made}; \
                         {get}p->{next} = 0; *link = p; link = &p->{next}; }} return first;"
                    ),
                    format!(
                        "unsigned long long n = 0; for ({node} *p = v; p; p = p->{next}) {{ H->touch(p, sizeof *p); if (++n > \
                         {MOST_NODES}) {{ H->give(~0ull); return; }} }} H->give(n); for ({node} *p = v; p; p = p->{next}) {{ {put}}}"
                    ),
                )
            }
            Kind::Tree(record) => {
                let (get, put) = self.fields(record, "p->");
                let (node, left, right) = (&record.spelling, &record.links[0], &record.links[1]);
                let made = self.made(node);
                let nodes: String =
                    node.chars().filter(|letter| *letter == '_' || letter.is_ascii_alphanumeric()).collect();
                let _ = writeln!(self.functions, "static unsigned long long nodes_{nodes};");
                (
                    format!(
                        "if (!H->take_byte()) return 0; {node} *p = {made}; {get}p->{left} = get_SELF(); p->{right} = get_SELF(); \
                         return p;"
                    ),
                    format!(
                        "{node} *p = v; if (!p) {{ H->give_byte(0); return; }} if (++nodes_{nodes} > {MOST_NODES}) {{ \
                         H->give_byte(2); return; }} H->touch(p, sizeof *p); H->give_byte(1); {put}put_SELF(p->{left}); \
                         put_SELF(p->{right});"
                    ),
                )
            }
            Kind::Sequence(inner) | Kind::Set(inner) => {
                let (inner, add) =
                    (self.of(inner), if matches!(of.kind, Kind::Set(_)) { "insert" } else { "push_back" });
                (
                    format!(
                        "{spelling} v; for (unsigned long long n = H->take(); n; n--) v.{add}(get_{inner}()); return v;"
                    ),
                    format!("H->give(v.size()); for (const auto &each : v) put_{inner}(each);"),
                )
            }
            Kind::Map(key, value) => {
                let (key, value) = (self.of(key), self.of(value));
                (
                    format!(
                        "{spelling} v; for (unsigned long long n = H->take(); n; n--) {{ auto k = get_{key}(); v[k] = get_{value}(); }} \
                         return v;"
                    ),
                    format!(
                        "H->give(v.size()); for (const auto &each : v) {{ put_{key}(each.first); put_{value}(each.second); }}"
                    ),
                )
            }
            Kind::Pair(first, second) => {
                let (first, second) = (self.of(first), self.of(second));
                (
                    format!("auto a = get_{first}(); auto b = get_{second}(); return {spelling}(a, b);"),
                    format!("put_{first}(v.first); put_{second}(v.second);"),
                )
            }
            Kind::Optional(inner) => {
                let inner = self.of(inner);
                (
                    format!("if (!H->take_byte()) return {spelling}(); return {spelling}(get_{inner}());"),
                    format!("H->give_byte(v.has_value()); if (v.has_value()) put_{inner}(*v);"),
                )
            }
        }
    }

    fn made(&self, spelling: &str) -> String {
        match self.language {
            Language::C => format!("({spelling} *)H->make(sizeof({spelling}))"),
            Language::Cpp => format!("new {spelling}{{}}"),
        }
    }

    /// What reads and what writes the fields of a structure.
    fn fields(&mut self, record: &Record, at: &str) -> (String, String) {
        let (mut get, mut put) = (String::new(), String::new());
        for (name, of) in &record.fields {
            let place = self.of(of);
            let cast = match (&of.kind, self.language) {
                // A text may be declared const in the structure.
                (Kind::Text, Language::C) => "(void *)",
                (Kind::Text, Language::Cpp) => "(char *)",
                _ => "",
            };
            let _ = write!(get, "{at}{name} = get_{place}(); ");
            let _ = write!(put, "put_{place}({cast}{at}{name}); ");
        }
        (get, put)
    }

    /// Makes the arguments, calls, and tells what there is to tell.
    fn body(&mut self, interface: &Interface) -> String {
        let mut body = String::new();
        let mut arguments = Vec::new();
        for (number, parameter) in interface.parameters.iter().enumerate() {
            let argument = format!("a{number}");
            let made = match &parameter.passing {
                Passing::Value(of) => {
                    let place = self.of(of);
                    format!("{} a{number} = get_{place}();", of.spelling)
                }
                Passing::Cell(of) => {
                    let (place, spelling) = (self.of(of), &of.spelling);
                    let made = match self.language {
                        Language::C => format!("({spelling} *)H->make(sizeof({spelling}))"),
                        Language::Cpp => format!("new {spelling}"),
                    };
                    format!("{spelling} *a{number} = {made}; if (H->take_byte()) *a{number} = get_{place}();")
                }
                Passing::Buffer(_) => format!(
                    "char *a{number} = 0; unsigned long long r{number} = 0; if (H->take_byte()) {{ r{number} = H->take(); a{number} = \
                     (char *)H->make(r{number}); if (H->take_byte()) {{ unsigned long long n = H->take(); \
                     H->take_into(a{number}, n); a{number}[n] = 0; }} }}"
                ),
                Passing::Array(array) => {
                    let (place, element) = (self.of(&array.element), &array.element.spelling);
                    let (pointer, rows, at) = match array.is_rows {
                        false => (format!("{element} *"), String::new(), format!("a{number}[i]")),
                        true => (
                            format!("{element} **"),
                            format!(
                                "for (unsigned long long i = 0; i < n{number}; i++) a{number}[i] = ({element} \
                                 *)H->make(m{number} * sizeof({element})); "
                            ),
                            format!("a{number}[i / m{number}][i % m{number}]"),
                        ),
                    };
                    let size = match array.is_rows {
                        false => format!("n{number} * m{number}"),
                        true => format!("n{number}"),
                    };
                    format!(
                        "{pointer}a{number} = 0; unsigned long long n{number} = 0, m{number} = 0; if (H->take_byte()) {{ n{number} = \
                         H->take(); m{number} = H->take(); a{number} = ({pointer})H->make({size} * sizeof *a{number}); {rows}unsigned \
                         long long n = H->take(); for (unsigned long long i = 0; i < n; i++) {at} = get_{place}(); }}"
                    )
                }
            };
            let _ = writeln!(body, "    {made}");
            arguments.push(match &parameter.passing {
                Passing::Value(_) => argument,
                _ => format!("({}){argument}", parameter.cast),
            });
        }
        let call = format!("target({})", arguments.join(", "));
        let told = match &interface.result {
            Returned::Nothing => format!("{call};"),
            Returned::Value(of) => {
                let place = self.of(of);
                match (&of.kind, self.language) {
                    (Kind::Text | Kind::List(_) | Kind::Tree(_), _) => {
                        format!("{0} r = ({0}){call}; put_{place}(r);", of.spelling)
                    }
                    _ => format!("{} r = {call}; put_{place}(r);", of.spelling),
                }
            }
            Returned::Array(of, length) => {
                let (place, spelling) = (self.of(of), &of.spelling);
                format!(
                    "{spelling} *r = ({spelling} *){call}; H->give_byte(r != 0); if (r) {{ unsigned long long n = {}; if (n > \
                     {MOST_NODES}) H->give(~0ull); else {{ H->touch(r, n * sizeof *r); H->give(n); for (unsigned long long i = 0; i < \
                     n; i++) put_{place}(r[i]); }} }}",
                    length.expression()
                )
            }
        };
        let _ = writeln!(body, "    {told}");
        for (number, parameter) in interface.parameters.iter().enumerate().filter(|(_, each)| each.is_output) {
            let seen = match &parameter.passing {
                Passing::Value(of) => format!("put_{}(a{number});", self.of(of)),
                Passing::Cell(of) => format!("put_{}(*a{number});", self.of(of)),
                Passing::Buffer(_) => format!(
                    "H->give_byte(a{number} != 0); if (a{number}) {{ unsigned long long n = 0; while (n < r{number} && a{number}[n]) \
                     n++; H->give(n); H->give_bytes(a{number}, n); }}"
                ),
                Passing::Array(array) => {
                    let place = self.of(&array.element);
                    let at = match array.is_rows {
                        false => format!("a{number}[i]"),
                        true => format!("a{number}[i / m{number}][i % m{number}]"),
                    };
                    format!(
                        "H->give_byte(a{number} != 0); if (a{number}) {{ H->give(n{number} * m{number}); for (unsigned long long i = \
                         0; i < n{number} * m{number}; i++) put_{place}({at}); }}"
                    )
                }
            };
            let _ = writeln!(body, "    if (H->take_byte()) {{ {seen} }}");
        }
        body
    }
}
