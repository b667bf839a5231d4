//! Blocks as a loop over a `switch`.

use std::collections::HashMap;

use super::graph::{Block, End, Graph, goes_on_in_string};
use crate::shape::draw::Draw;
use crate::shape::view::View;

/// The most statements that a block keeps together.
const LONGEST: usize = 4;

/// A function's body behind what stays of it.
pub(super) struct Written {
    pub(super) text: String,
    /// Its parts that decide nothing by themselves: which block comes next was decided where the last one ended.
    pub(super) dispatch: Vec<String>,
}

/// The text of a function's body behind what stays of it.
pub(super) fn write(view: &View<'_>, graph: Graph<'_, '_>, draw: &mut Draw) -> Written {
    let Graph { hoist, mut blocks, .. } = graph;
    let entry = shorten(&mut blocks);
    divide(&mut blocks, entry, draw);
    let mut order = reached(&blocks, entry);
    let exits = order.iter().any(|block| matches!(blocks[*block].end, End::Exit));
    // What does nothing and ends the function needs no case.
    order.retain(|block| *block == entry || !is_exit(&blocks[*block]));
    draw.shuffle(&mut order);
    let mut numbers: Vec<usize> = (1..=order.len()).collect();
    draw.shuffle(&mut numbers);
    let number: HashMap<usize, usize> = order.iter().copied().zip(numbers).collect();
    let state = view.fresh("next");
    let writer = Writer { state: &state, number: &number };

    let unit = view.indent_unit();
    let outer = view.indentation(view.range(view.body).end - 1).to_owned();
    let inner = format!("{outer}{unit}");
    let mut out = String::new();
    for (_, declaration) in &hoist.declarations {
        line(&mut out, &inner, declaration);
    }
    line(&mut out, &inner, &format!("unsigned {state} = {};", number[&entry]));
    let head = if exits { format!("while ({state})") } else { "for (;;)".to_owned() };
    line(&mut out, &inner, &format!("{head} switch ({state}) {{"));
    let mut dispatch = vec![format!("{head} switch ({state})")];
    dispatch.extend(order.iter().map(|block| format!("case {}:", number[block])));
    let deep = format!("{inner}{unit}");
    for block in &order {
        let Block { lines, end } = &blocks[*block];
        // The first line stands behind the label.
        let mut label = format!("case {}: ", number[block]);
        for each in lines.iter().cloned().chain(writer.end(end)) {
            match label.is_empty() {
                true => line(&mut out, &deep, &each),
                false => line(&mut out, &inner, &format!("{}{each}", std::mem::take(&mut label))),
            }
        }
    }
    line(&mut out, &inner, "}");
    out.push('\n');
    out.push_str(&outer);
    Written { text: out, dispatch }
}

fn line(out: &mut String, indentation: &str, text: &str) {
    if goes_on_in_string(text) {
        out.push('\n');
        out.push_str(indentation);
        out.push_str(text);
        return;
    }
    for each in text.lines() {
        out.push('\n');
        out.push_str(indentation);
        out.push_str(each);
    }
}

struct Writer<'a> {
    state: &'a str,
    number: &'a HashMap<usize, usize>,
}

impl Writer<'_> {
    fn end(&self, end: &End) -> Vec<String> {
        let Writer { state, number } = self;
        let of = |block: &usize| number.get(block).copied().unwrap_or_default();
        match end {
            End::Left => Vec::new(),
            End::Exit => vec![format!("{state} = 0; break;")],
            End::Next(next) => vec![format!("{state} = {}; break;", of(next))],
            End::Branch(condition, yes, no) => {
                vec![format!("{state} = {condition} ? {} : {}; break;", of(yes), of(no))]
            }
            End::Switch(operand, cases, others) => {
                let mut lines = vec![format!("switch ({operand}) {{")];
                for (at, (label, block)) in cases.iter().enumerate() {
                    let shares = cases.get(at + 1).is_some_and(|(_, next)| next == block);
                    lines.push(match shares {
                        true => label.clone(),
                        false => format!("{label} {state} = {}; break;", of(block)),
                    });
                }
                lines.push(format!("default: {state} = {};", of(others)));
                lines.push("} break;".to_owned());
                lines
            }
        }
    }
}

/// Whether a block does nothing but end the function.
fn is_exit(block: &Block) -> bool {
    block.lines.is_empty() && matches!(block.end, End::Exit)
}

/// The blocks after one.
fn successors(block: &Block) -> Vec<usize> {
    match &block.end {
        End::Left | End::Exit => Vec::new(),
        End::Next(next) => vec![*next],
        End::Branch(_, yes, no) => vec![*yes, *no],
        End::Switch(_, cases, others) => cases.iter().map(|(_, block)| *block).chain([*others]).collect(),
    }
}

fn redirect(block: &mut Block, to: impl Fn(usize) -> usize) {
    match &mut block.end {
        End::Left | End::Exit => {}
        End::Next(next) => *next = to(*next),
        End::Branch(_, yes, no) => (*yes, *no) = (to(*yes), to(*no)),
        End::Switch(_, cases, others) => {
            cases.iter_mut().for_each(|(_, block)| *block = to(*block));
            *others = to(*others);
        }
    }
}

/// The blocks that can be reached, in some order.
fn reached(blocks: &[Block], entry: usize) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut waiting = vec![entry];
    while let Some(block) = waiting.pop() {
        if !std::mem::replace(&mut seen[block], true) {
            order.push(block);
            waiting.extend(successors(&blocks[block]));
        }
    }
    order
}

/// Leaves out blocks that do nothing, and joins those that always follow each other. Gives the first block.
fn shorten(blocks: &mut [Block]) -> usize {
    let through = |blocks: &[Block], mut block: usize| {
        // A loop that does nothing leads back to itself.
        for _ in 0..blocks.len() {
            match blocks[block].end {
                End::Next(next) if blocks[block].lines.is_empty() => block = next,
                _ => break,
            }
        }
        block
    };
    let to: Vec<usize> = (0..blocks.len()).map(|block| through(blocks, block)).collect();
    blocks.iter_mut().for_each(|block| redirect(block, |next| to[next]));
    let entry = to[0];
    loop {
        let order = reached(blocks, entry);
        let mut entries = vec![0_usize; blocks.len()];
        entries[entry] += 1;
        for block in &order {
            successors(&blocks[*block]).into_iter().for_each(|next| entries[next] += 1);
        }
        let joint = order.iter().copied().find_map(|block| match blocks[block].end {
            End::Next(next) if entries[next] == 1 && next != block => Some((block, next)),
            _ => None,
        });
        let Some((block, next)) = joint else { return entry };
        let Block { lines, end } = blocks[next].clone();
        blocks[block].lines.extend(lines);
        blocks[block].end = end;
    }
}

/// Cuts long blocks.
fn divide(blocks: &mut Vec<Block>, entry: usize, draw: &mut Draw) {
    for block in reached(blocks, entry) {
        let mut at = block;
        while blocks[at].lines.len() > LONGEST {
            let kept = 2 + draw.below(LONGEST - 1);
            let lines = blocks[at].lines.split_off(kept);
            let end = blocks[at].end.clone();
            blocks.push(Block { lines, end });
            let next = blocks.len() - 1;
            blocks[at].end = End::Next(next);
            at = next;
        }
    }
}
