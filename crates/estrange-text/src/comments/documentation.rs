//! The documentation comment before a declaration.

use std::ops::Range;

use super::words::clean;
use crate::lexer::{Kind, Token, lex};

/// What a licence banner says somewhere, in small letters with single spaces.
const BANNERS: [&str; 12] = [
    "spdx-license-identifier",
    "copyright (c)",
    "copyright ©",
    "copyright 19",
    "copyright 20",
    "all rights reserved",
    "permission is hereby granted",
    "redistribution and use in source",
    "licensed under the",
    "under the terms of the",
    "you can redistribute it",
    "this file is part of",
];

/// The documentation comment right before the declaration that starts at `offset`, as it stands in the text: a block
/// comment, or a run of comments of one line each.
///
/// At most one blank line may stand between the two, and no code or directive. A comment that follows code on its line
/// belongs to that code. A licence or file banner is no documentation, nor is a line of dashes. A comment on the line of
/// the declaration itself, as in `/* static */ void f()`, counts only if it is marked (`/**` or `/*!`).
///
/// Reads all of the text before `offset`; for many declarations of one text, use [`documentation_before_in`].
pub fn documentation_before(text: &str, offset: usize) -> Option<&str> {
    let before = text.get(..offset)?;
    documentation_before_in(text, &lex(before), offset)
}

/// [`documentation_before`], where the tokens of `text` are at hand already.
pub fn documentation_before_in<'a>(text: &'a str, tokens: &[Token], offset: usize) -> Option<&'a str> {
    let before = &tokens[..tokens.partition_point(|token| token.range().end <= offset)];
    let mut declaration = offset;
    let mut last = before.len().checked_sub(1)?;
    // Remarks on the declaration's own line.
    while before[last].kind == Kind::Comment {
        let comment = before[last].range();
        let same_line = !text.get(comment.start..declaration)?.contains('\n');
        if !same_line || is_marked(&text[comment.clone()]) {
            break;
        }
        declaration = comment.start;
        last = last.checked_sub(1)?;
    }
    let end = before[last];
    if end.kind != Kind::Comment || lines_between(text, end.range().end..declaration) > 2 {
        return None;
    }
    let mut first = last;
    while let Some(previous) = first.checked_sub(1)
        && before[previous].kind == Kind::Comment
        && is_one_line(text, &before[previous])
        && is_one_line(text, &before[first])
        && lines_between(text, before[previous].range().end..before[first].range().start) == 1
        && is_first_on_line(text, before, previous)
    {
        first = previous;
    }
    if !is_first_on_line(text, before, first) {
        return None;
    }
    let comment = &text[before[first].range().start..end.range().end];
    is_documentation(comment).then_some(comment)
}

/// Whether a comment announces itself as documentation of what follows.
fn is_marked(comment: &str) -> bool {
    (comment.starts_with("/**") || comment.starts_with("/*!"))
        && !comment.starts_with("/**/")
        && !is_about_before(comment)
}

/// Whether a comment announces itself as documentation of what stands before it.
fn is_about_before(comment: &str) -> bool {
    ["///<", "//!<", "/**<", "/*!<"].iter().any(|mark| comment.starts_with(mark))
}

fn is_one_line(text: &str, token: &Token) -> bool {
    !token.text(text).contains('\n')
}

fn lines_between(text: &str, range: Range<usize>) -> usize {
    text.get(range).unwrap_or_default().matches('\n').count()
}

/// Whether nothing but comments stands before the token on its line.
fn is_first_on_line(text: &str, tokens: &[Token], mut at: usize) -> bool {
    while let Some(previous) = at.checked_sub(1) {
        if lines_between(text, tokens[previous].range().end..tokens[at].range().start) > 0 {
            return true;
        }
        if tokens[previous].kind != Kind::Comment {
            return false;
        }
        at = previous;
    }
    true
}

fn is_documentation(comment: &str) -> bool {
    let words = clean(comment).to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let is_about_file =
        words.first().is_some_and(|word| matches!(*word, "@file" | "\\file" | "@copyright" | "\\copyright"));
    let words = words.join(" ");
    !is_about_file
        && !is_about_before(comment)
        && words.chars().any(char::is_alphabetic)
        && !BANNERS.iter().any(|banner| words.contains(banner))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is found before the last `int f`.
    fn before(text: &str) -> Option<&str> {
        documentation_before(text, text.rfind("int f").expect("a declaration"))
    }

    #[test]
    fn the_comment_before_a_declaration_is_found() {
        assert_eq!(before("int g;\n/* Does. */\nint f();"), Some("/* Does. */"));
        assert_eq!(before("/* Does.\n * Much. */\n\nint f();"), Some("/* Does.\n * Much. */"));
        assert_eq!(before("int g; // G.\n// One.\n// Two.\nint f();"), Some("// One.\n// Two."));
        assert_eq!(before("/* One. */\n/* Two. */\n  int f();"), Some("/* One. */\n/* Two. */"));
        assert_eq!(before("/* G. */\n\n// Two.\nint f();"), Some("// Two."));
        assert_eq!(before("/** Does. */ int f();"), Some("/** Does. */"));
        assert_eq!(before("// Does.\n/* static */ int f();"), Some("// Does."));
        assert_eq!(before("class A {\n  /// Does.\n  int f();\n};"), Some("/// Does."));
    }

    #[test]
    fn other_comments_are_not_documentation() {
        for text in [
            "int f();",
            "/* Far. */\n\n\nint f();",
            "/* G. */\nint g;\nint f();",
            "/* G. */\n#define G\nint f();",
            "#endif /* G */\nint f();",
            "int g; /* G. */\nint f();",
            "int g; /* G\n over lines. */\nint f();",
            "int g;\n///< G.\nint f();",
            "/*----------*/\nint f();",
            "/* Copyright (C) 2001 Somebody */\nint f();",
            "/* Permission is hereby\n * granted, free of charge */\n\nint f();",
            "// SPDX-License-Identifier: MIT\n\nint f();",
            "/** @file x.c\n * Things. */\nint f();",
            "/* static */ int f();",
        ] {
            assert_eq!(before(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[/*\\\\\n !<a\"#é]{0,40}", offset in 0usize..60) {
            documentation_before(&text, offset);
            documentation_before_in(&text, &lex(&text), offset);
        }
    }
}
