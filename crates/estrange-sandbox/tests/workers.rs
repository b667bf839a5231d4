//! Workers: how they answer, how they end, and that nothing of them stays.
#![allow(unsafe_code, reason = "the faults that workers are there for")]

use std::fs;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use estrange_sandbox::{Crash, Launcher, Pool, Worker, WorkerEnd, WorkerLimits};

const AMPLE: Duration = Duration::from_secs(60);
const MEBIBYTE: usize = 1 << 20;

estrange_sandbox::service! {
    /// Does what it is told: a word, and sometimes a number behind it.
    static OBEDIENT = obey, environment ["ESTRANGE_TEST_PASSED", "ESTRANGE_TEST_SET=set"]
}

// Beside another service, only the one that is meant may serve.
estrange_sandbox::service!(static REVERSING = reverse);

fn reverse(request: &[u8], _: &mut dyn FnMut(&[u8])) -> Vec<u8> {
    request.iter().rev().copied().collect()
}

fn obey(request: &[u8], note: &mut dyn FnMut(&[u8])) -> Vec<u8> {
    static SERVED: AtomicUsize = AtomicUsize::new(0);
    SERVED.fetch_add(1, Ordering::Relaxed);
    let head = String::from_utf8_lossy(&request[..request.len().min(40)]).into_owned();
    let (word, number) = head.split_once(' ').unwrap_or((&head, ""));
    let number: usize = number.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
    match word {
        "echo" => return request.to_vec(),
        "served" => return SERVED.load(Ordering::Relaxed).to_string().into_bytes(),
        "id" => return std::process::id().to_string().into_bytes(),
        "answer" => return vec![b'x'; number],
        "notes" => (0..number).for_each(|turn| note(turn.to_string().as_bytes())),
        "abort" => std::process::abort(),
        "exit" => std::process::exit(7),
        // SAFETY: it is not safe: that is the test.
        "fault" => drop(black_box(unsafe { std::ptr::read_volatile(black_box(64 as *const u8)) })),
        "recurse" => drop(black_box(recurse(number))),
        "panic" => panic!("the panic's message"),
        "complain" => (0..number).for_each(|turn| eprintln!("complaint {turn}")),
        "sleep" => std::thread::sleep(Duration::from_millis(number as u64)),
        "spin" => {
            let started = Instant::now();
            while started.elapsed() < Duration::from_millis(number as u64) {}
        }
        "devour" => {
            let mut all = Vec::new();
            loop {
                all.push(black_box(vec![1_u8; MEBIBYTE]));
            }
        }
        "reserve" => drop(black_box(vec![1_u8; number])),
        "keep" => std::mem::forget(black_box(vec![1_u8; number])),
        // SAFETY: a library with nothing but ordinary constructors.
        "load" => assert!(unsafe { !libc::dlopen(c"libstdc++.so.6".as_ptr(), libc::RTLD_NOW).is_null() }),
        "look" => {
            let descriptors = fs::read_dir("/proc/self/fd").expect("descriptors").count() - 1;
            let status = fs::read_to_string("/proc/self/stat").expect("a process");
            let group = status.rsplit_once(") ").expect("a name").1.split(' ').nth(2).expect("a group").to_owned();
            let leads = group == std::process::id().to_string();
            let passed = std::env::var("ESTRANGE_TEST_PASSED").unwrap_or_default();
            let held = std::env::var("ESTRANGE_TEST_HELD").unwrap_or_default();
            let set = std::env::var("ESTRANGE_TEST_SET").unwrap_or_default();
            return format!("{descriptors} descriptors, leads {leads}, {passed} {held} {set}").into_bytes();
        }
        _ => panic!("what is {word}?"),
    }
    Vec::new()
}

/// Takes more than a kibibyte of stack for each level.
fn recurse(depth: usize) -> usize {
    let room = black_box([depth as u8; 1024]);
    if depth == 0 { usize::from(room[1]) } else { recurse(depth - 1) + usize::from(room[7]) }
}

fn worker() -> Worker {
    Worker::start(&Launcher::this_program(), &OBEDIENT, WorkerLimits::default()).expect("a worker")
}

fn ask(worker: &mut Worker, request: &str) -> Result<String, WorkerEnd> {
    worker.ask(request.as_bytes(), AMPLE, &mut |_| ()).map(|answer| String::from_utf8(answer).expect("text"))
}

/// How a worker ends that gets this request, and what it wrote.
fn crash(request: &str) -> (Crash, String) {
    let mut worker = worker();
    let end = ask(&mut worker, request).expect_err("it crashes");
    assert_eq!(ask(&mut worker, "echo").expect_err("it is gone"), end);
    match end {
        WorkerEnd::Crashed { crash, stderr } => (crash, stderr),
        other => panic!("{request}: {other}"),
    }
}

#[test]
fn each_service_has_its_own_workers() {
    let mut reversing =
        Worker::start(&Launcher::this_program(), &REVERSING, WorkerLimits::default()).expect("a worker");
    assert_eq!(reversing.ask(b"abc", AMPLE, &mut |_| ()), Ok(b"cba".to_vec()));
    assert_eq!(ask(&mut worker(), "echo abc"), Ok("echo abc".to_owned()));
}

#[test]
fn a_crash_is_told_with_its_signal() {
    assert_eq!(crash("abort").0, Crash::Signalled(libc::SIGABRT));
    assert_eq!(crash("fault").0, Crash::Signalled(libc::SIGSEGV));
    assert_eq!(crash("exit").0, Crash::Exited(7));
}

#[test]
fn recursion_has_a_large_stack_and_its_overflow_is_told() {
    assert_eq!(ask(&mut worker(), "recurse 20000"), Ok(String::new()));
    assert_eq!(crash("recurse 10000000").0, Crash::Signalled(libc::SIGSEGV));
}

#[test]
fn a_panic_is_told_with_its_message() {
    let (crash, stderr) = crash("panic");
    assert_eq!(crash, Crash::Exited(101));
    assert!(stderr.contains("the panic's message") && stderr.contains("workers.rs"), "{stderr}");
    let told = WorkerEnd::Crashed { crash, stderr }.to_string();
    assert_eq!(told, "the worker exited with code 101: the panic's message");
}

#[test]
fn of_many_complaints_the_last_are_kept_and_only_those_of_the_request() {
    let mut worker = worker();
    assert_eq!(ask(&mut worker, "complain 100000"), Ok(String::new()));
    assert_eq!(ask(&mut worker, "complain 5000"), Ok(String::new()));
    let end = ask(&mut worker, "panic").expect_err("it crashes");
    let WorkerEnd::Crashed { stderr, .. } = end else { panic!("{end}") };
    assert!(!stderr.contains("complaint"), "{stderr}");
}

#[test]
fn a_hang_ends_in_time() {
    for request in ["sleep 60000", "spin 60000"] {
        let mut worker = worker();
        let started = Instant::now();
        let answer = worker.ask(request.as_bytes(), Duration::from_millis(300), &mut |_| ());
        let took = started.elapsed();
        assert_eq!(answer, Err(WorkerEnd::TimedOut));
        assert!((300..500).contains(&took.as_millis()), "{request}: {took:?}");
        assert!(!fs::exists(format!("/proc/{}", worker.id())).expect("a look"));
    }
}

/// A worker that is stopped takes no request: that too ends in time, however long the request.
#[test]
fn a_request_that_is_not_taken_ends_in_time() {
    let mut worker = worker();
    // SAFETY: a signal to a process of ours.
    unsafe { libc::kill(worker.id().cast_signed(), libc::SIGSTOP) };
    let answer = worker.ask(&vec![b'x'; 10 * MEBIBYTE], Duration::from_millis(100), &mut |_| ());
    assert_eq!(answer, Err(WorkerEnd::TimedOut));
}

#[test]
fn memory_has_a_limit() {
    let limits = WorkerLimits { memory: 256 << 20 };
    for request in ["devour", "reserve 5000000000"] {
        let mut worker = Worker::start(&Launcher::this_program(), &OBEDIENT, limits).expect("a worker");
        let started = Instant::now();
        assert_eq!(ask(&mut worker, request), Err(WorkerEnd::OverMemory), "{request}");
        assert!(started.elapsed() < Duration::from_secs(10));
    }
    let mut worker = Worker::start(&Launcher::this_program(), &OBEDIENT, limits).expect("a worker");
    assert_eq!(ask(&mut worker, "reserve 100000000"), Ok(String::new()));
}

/// The kernel counts our own memory to a process that we start.
#[test]
fn the_callers_memory_is_not_the_workers() {
    let ours = black_box(vec![1_u8; 300 * MEBIBYTE]);
    let mut worker =
        Worker::start(&Launcher::this_program(), &OBEDIENT, WorkerLimits { memory: 128 << 20 }).expect("a worker");
    let end = ask(&mut worker, "abort").expect_err("it crashes");
    assert!(matches!(end, WorkerEnd::Crashed { .. }), "{end}");
    assert!(worker.usage().peak_memory < 128 << 20, "{:?}", worker.usage());
    drop(ours);
}

#[test]
fn large_answers_and_requests_are_quick() {
    let mut worker = worker();
    for size in [0, 1, 8, 9, 65_526, 65_527, 65_528, 65_536, 65_545, MEBIBYTE, 3 * MEBIBYTE + 1] {
        let request = format!("echo {}", "y".repeat(size));
        assert_eq!(ask(&mut worker, &request), Ok(request));
    }
    let size = 100 * MEBIBYTE;
    let started = Instant::now();
    let answer = worker.ask(format!("answer {size}").as_bytes(), AMPLE, &mut |_| ()).expect("an answer");
    let down = started.elapsed();
    assert!(answer.len() == size && answer.iter().all(|&byte| byte == b'x'));
    let mut request = b"sleep 0 ".to_vec();
    request.resize(size, b'z');
    let started = Instant::now();
    worker.ask(&request, AMPLE, &mut |_| ()).expect("an answer");
    let up = started.elapsed();
    println!("100 MiB: {:.0} MiB/s down, {:.0} MiB/s up", 100.0 / down.as_secs_f64(), 100.0 / up.as_secs_f64());
    assert!(down < Duration::from_secs(3) && up < Duration::from_secs(3), "{down:?} {up:?}");
}

#[test]
fn a_thousand_small_requests_are_quick() {
    let mut worker = worker();
    let started = Instant::now();
    for _ in 0..1000 {
        worker.ask(b"echo", AMPLE, &mut |_| ()).expect("an answer");
    }
    println!("{:.1} µs each", started.elapsed().as_secs_f64() * 1000.0);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

#[test]
fn notes_come_in_order_and_before_the_answer() {
    let mut notes = Vec::new();
    let mut keep = |text: &[u8]| notes.push(String::from_utf8_lossy(text).into_owned());
    assert_eq!(worker().ask(b"notes 20000", AMPLE, &mut keep), Ok(Vec::new()));
    assert_eq!(notes, (0..20_000).map(|turn: usize| turn.to_string()).collect::<Vec<_>>());
}

#[test]
fn a_worker_has_its_own_descriptors_and_group_and_little_environment() {
    // SAFETY: a descriptor that anyone would inherit, and variables that no other test reads or sets.
    unsafe {
        libc::dup(0);
        std::env::set_var("ESTRANGE_TEST_PASSED", "passed");
        std::env::set_var("ESTRANGE_TEST_HELD", "held");
    }
    let mut worker = worker();
    // Three streams and the socket.
    assert_eq!(ask(&mut worker, "look"), Ok("4 descriptors, leads true, passed  set".to_owned()));
    // SAFETY: a signal to a process of ours.
    unsafe { libc::kill(worker.id().cast_signed(), libc::SIGINT) };
    assert_eq!(ask(&mut worker, "echo"), Ok("echo".to_owned()), "an interrupt is not for it");
    assert_eq!(ask(&mut worker, "load"), Ok(String::new()), "libraries can be loaded");
}

#[test]
fn what_a_worker_uses_is_counted() {
    let mut worker = worker();
    ask(&mut worker, "spin 300").expect("an answer");
    let alive = worker.usage();
    assert!(alive.cpu > Duration::from_millis(20) && alive.cpu < Duration::from_secs(5), "{alive:?}");
    assert!(alive.peak_memory > MEBIBYTE as u64 && alive.wall >= Duration::from_millis(300), "{alive:?}");
    ask(&mut worker, "abort").expect_err("it crashes");
    assert!(worker.usage().cpu >= alive.cpu - Duration::from_millis(20), "{:?} {alive:?}", worker.usage());
}

#[test]
fn a_worker_outlives_the_thread_that_started_it() {
    let mut worker = std::thread::spawn(worker).join().expect("a worker");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(ask(&mut worker, "echo"), Ok("echo".to_owned()));
}

fn ask_pool(pool: &Pool, request: &str) -> Result<String, WorkerEnd> {
    pool.ask(request.as_bytes(), AMPLE, &mut |_| ()).map(|answer| String::from_utf8(answer).expect("text"))
}

#[test]
fn a_pool_replaces_the_dead() {
    let pool = Pool::new(&Launcher::this_program(), &OBEDIENT, WorkerLimits::default(), 2);
    let asked = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let (pool, asked) = (&pool, &asked);
            scope.spawn(move || {
                for turn in 0..20 {
                    let request = format!("echo {thread} {turn}");
                    if asked.fetch_add(1, Ordering::Relaxed) % 10 == 3 {
                        let end = ask_pool(pool, "abort").expect_err("it crashes");
                        assert!(matches!(end, WorkerEnd::Crashed { crash: Crash::Signalled(6), .. }), "{end}");
                    }
                    assert_eq!(ask_pool(pool, &request), Ok(request));
                }
            });
        }
    });
    assert!(pool.usage().cpu > Duration::ZERO);
}

#[test]
fn one_request_does_not_pay_for_another() {
    let pool = Pool::new(&Launcher::this_program(), &OBEDIENT, WorkerLimits { memory: 256 << 20 }, 1);
    assert_eq!(ask_pool(&pool, "served").as_deref(), Ok("1"));
    assert_eq!(ask_pool(&pool, "served").as_deref(), Ok("2"), "a worker is used again");
    // The memory is looked at now and then only.
    std::thread::sleep(Duration::from_millis(50));
    ask_pool(&pool, "keep 150000000").expect("an answer");
    assert_eq!(ask_pool(&pool, "served").as_deref(), Ok("1"), "one that has kept much is replaced");
    let id = ask_pool(&pool, "id").expect("an answer").parse::<u32>().expect("a number");
    // SAFETY: a signal to a process of ours.
    unsafe { libc::kill(id.cast_signed(), libc::SIGKILL) };
    let threads = || fs::read_dir(format!("/proc/{id}/task")).expect("its threads").count();
    while threads() > 1 || !fs::read_to_string(format!("/proc/{id}/stat")).expect("its state").contains(") Z ") {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(ask_pool(&pool, "served").as_deref(), Ok("1"), "and so is one that died of itself");
}

#[test]
fn a_stopped_pool_ends_what_is_under_way() {
    let pool = Pool::new(&Launcher::this_program(), &OBEDIENT, WorkerLimits::default(), 1);
    std::thread::scope(|scope| {
        let both = ["sleep 60000", "sleep 60000"].map(|request| scope.spawn(|| ask_pool(&pool, request)));
        std::thread::sleep(Duration::from_millis(200));
        let started = Instant::now();
        pool.stop();
        for one in both {
            assert_eq!(one.join().expect("no panic"), Err(WorkerEnd::Stopped));
        }
        assert!(started.elapsed() < Duration::from_secs(5));
    });
    assert_eq!(ask_pool(&pool, "echo"), Err(WorkerEnd::Stopped));
}

#[test]
fn a_killed_caller_leaves_no_worker() {
    let mut caller = Command::new(std::env::current_exe().expect("this program"))
        .args(["--ignored", "--exact", "part_keep_workers_busy", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("a caller");
    let mut said = BufReader::new(caller.stdout.take().expect("it is piped")).lines();
    said.find(|line| line.as_ref().is_ok_and(|line| line.contains("all under way"))).expect("it runs").expect("text");
    let workers = children_of(caller.id());
    assert_eq!(workers.len(), 3, "{workers:?}");
    caller.kill().expect("a kill");
    caller.wait().expect("its end");
    let started = Instant::now();
    while workers.iter().any(|pid| is_worker(*pid)) {
        assert!(started.elapsed() < Duration::from_secs(10), "some of {workers:?} still run");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[ignore = "a part of a_killed_caller_leaves_no_worker"]
fn part_keep_workers_busy() {
    let pool = Pool::new(&Launcher::this_program(), &OBEDIENT, WorkerLimits::default(), 2);
    let _idle = worker();
    std::thread::scope(|scope| {
        for request in ["sleep 500000", "spin 500000"] {
            scope.spawn(|| pool.ask(request.as_bytes(), Duration::from_secs(600), &mut |_| ()));
        }
        while children_of(std::process::id()).into_iter().filter(|pid| is_worker(*pid)).count() < 3 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        println!("all under way");
    });
}

/// A dropped pool leaves nothing: no process, no descriptor. Alone in its process, so that it can count.
#[test]
fn a_dropped_pool_leaves_nothing() {
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--ignored", "--exact", "part_drop_pools"])
        .stdout(Stdio::null())
        .status()
        .expect("a run");
    assert!(status.success());
}

#[test]
#[ignore = "a part of a_dropped_pool_leaves_nothing"]
fn part_drop_pools() {
    let descriptors = || fs::read_dir("/proc/self/fd").expect("descriptors").count();
    drop(worker());
    let before = descriptors();
    for _ in 0..10 {
        let pool = Pool::new(&Launcher::this_program(), &OBEDIENT, WorkerLimits::default(), 3);
        std::thread::scope(|scope| {
            for request in ["sleep 20", "sleep 20", "sleep 20", "abort", "panic"] {
                scope.spawn(|| drop(ask_pool(&pool, request)));
            }
        });
        // The last ones may have ended every worker that there was.
        drop(ask_pool(&pool, "sleep 1"));
        assert!(!children_of(std::process::id()).is_empty());
        drop(pool);
        assert_eq!((children_of(std::process::id()), descriptors()), (Vec::new(), before));
    }
}

/// Whether a process is there and is a worker; a dead one that is not buried has no command line.
fn is_worker(pid: u32) -> bool {
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.starts_with(b"workers::OBEDIENT"))
}

fn children_of(parent: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).expect("threads").flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    children.collect::<String>().split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}
