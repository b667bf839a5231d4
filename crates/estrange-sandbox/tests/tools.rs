//! Our own tools: how they end, and that none outlives its time.

use std::time::{Duration, Instant};

use estrange_sandbox::{Tool, ToolEnd, ToolError};

fn shell(script: &str) -> Tool {
    Tool::new("sh").arguments(["-c", script])
}

#[test]
fn output_and_exit_code_are_told() {
    let output = shell("echo out; echo err >&2; exit 3").run().expect("a run");
    assert_eq!(
        (output.end, output.text().as_str(), output.stderr.as_slice()),
        (ToolEnd::Exited(3), "out\n", &b"err\n"[..])
    );
    assert!(!output.success());
}

#[test]
fn lines_come_as_they_are_written() {
    let mut lines = Vec::new();
    shell("printf 'a\\nb\\rc' >&2").run_watched(|line| lines.push(line.to_owned())).expect("a run");
    assert_eq!(lines, ["a", "b"]);
}

#[test]
fn large_output_is_read_to_its_end() {
    let output = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2").run().expect("a run");
    assert_eq!((output.stdout.len(), output.stderr.len()), (3_000_000, 3_000_000));
}

#[test]
fn neither_the_tool_nor_what_it_leaves_behind_is_waited_for_beyond_its_time() {
    let started = Instant::now();
    assert_eq!(shell("setsid sleep 30 & exit 4").run().expect("a run").end, ToolEnd::Exited(4));
    let limited = shell("setsid sleep 30 & sleep 30").wall(Duration::from_millis(200)).run().expect("a run");
    assert_eq!(limited.end, ToolEnd::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_missing_tool_is_told_by_name() {
    let error = Tool::new("no-such-tool").run().expect_err("it is not there");
    assert!(matches!(&error, ToolError::Missing { program } if program == "no-such-tool"), "{error}");
    let error = Tool::new("true").directory("/no/such/folder").run().expect_err("nowhere to run");
    assert!(matches!(error, ToolError::Start { .. }), "{error}");
}

#[test]
fn memory_is_bounded_for_the_tool_and_for_what_it_starts() {
    let greedy = "sh -c 'head -c 400000000 /dev/zero | tail -n 1 | wc -c'";
    let bounded = shell(greedy).memory(100 << 20).run().expect("a run");
    assert!(bounded.last_words(1).contains("memory exhausted"), "{}", bounded.last_words(3));
    let unbounded = shell("ulimit -v").run().expect("a run");
    assert_eq!(shell("ulimit -v").memory(u64::MAX).run().expect("a run").text(), unbounded.text());
}
