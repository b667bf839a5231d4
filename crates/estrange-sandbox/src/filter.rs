//! The system calls that a guest may not make.
//!
//! Namespaces already hide the network, the host's files and other processes. This filter takes away what could
//! weaken those walls (new namespaces, mounts, tracing, key rings, kernel facilities with a history of holes) and
//! what could hold memory that no process is charged for (memory files, System V memory, shared anonymous
//! mappings, sockets, watches, attributes) or machine-wide resources. Calls newer than this list do not exist for a
//! guest.

use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, EACCES, ENOSYS, EOPNOTSUPP,
    EPERM, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SECCOMP_RET_KILL_PROCESS, c_int, c_long, sock_filter,
};

/// Refused as "operation not permitted".
const DENIED: &[c_long] = &[
    // Namespaces, mounts and roots.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_init1,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    // The kernel and the machine.
    libc::SYS_bpf,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_vhangup,
    libc::SYS_sync,
    libc::SYS_syncfs,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Memory that outlives or escapes the process it belongs to.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_vmsplice,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// Answered as if the kernel did not have them, for which their users are prepared.
const ABSENT: &[c_long] = &[
    // Its flags are in memory, out of the filter's sight; the C library falls back on `clone`.
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_setup,
    libc::SYS_landlock_create_ruleset,
];

/// Answered as if the file system did not have attributes: they are memory, and outside the scratch folder's bound.
const ATTRIBUTES: &[c_long] = &[libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, SETXATTRAT];
const SETXATTRAT: c_long = 463;

/// Refused as "permission denied", which network code understands.
const DENIED_SOCKETS: &[c_long] = &[libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect, libc::SYS_bind];

/// The first call number that this list does not know: `open_tree_attr`, `file_getattr` and whatever comes.
const FIRST_UNKNOWN: u32 = 467;

/// The flags by which `clone` makes namespaces.
const NAMESPACE_FLAGS: c_int = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;

// Offsets into the kernel's `struct seccomp_data`; both architectures are little-endian.
const NUMBER: u32 = 0;
const ARCHITECTURE_FIELD: u32 = 4;
const fn argument(index: u32) -> u32 {
    16 + 8 * index
}

/// The filter as the kernel takes it.
pub fn program() -> Vec<sock_filter> {
    let mut filter = vec![
        load(ARCHITECTURE_FIELD),
        skip_if(BPF_JEQ, ARCHITECTURE, 1),
        verdict(SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        // Unknown calls, and x32's, whose numbers start far above.
        skip_unless(BPF_JGE, FIRST_UNKNOWN, 1),
        error(ENOSYS),
    ];
    filter.extend(search(&rules()));
    filter
}

/// A call's number, and the instructions that decide on it; the last of them returns.
type Rule = (u32, Vec<sock_filter>);

/// What is not simply allowed, by number.
fn rules() -> Vec<Rule> {
    let plain = [(DENIED, EPERM), (DENIED_SOCKETS, EACCES), (ABSENT, ENOSYS), (ATTRIBUTES, EOPNOTSUPP)];
    let plain = plain.iter().flat_map(|(calls, errno)| calls.iter().map(|&call| (call as u32, vec![error(*errno)])));
    // Memory shared by a fork stays when the process that filled it is gone, and is in nobody's resident size.
    let shared_anonymous = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32;
    let conditional = [
        (libc::SYS_clone, 0, NAMESPACE_FLAGS as u32, vec![Test::Any]),
        (libc::SYS_mmap, 3, shared_anonymous, vec![Test::Equal(shared_anonymous)]),
        // A pipe may hold its default, and not be made larger; a lease would hold up others who open the file.
        (libc::SYS_fcntl, 1, u32::MAX, [libc::F_SETPIPE_SZ, libc::F_SETLEASE].map(|c| Test::Equal(c as u32)).into()),
        // The limits of other processes: in a user's own sandbox the warden is of the same user.
        (libc::SYS_prlimit64, 0, u32::MAX, vec![Test::Any]),
    ];
    let conditional = conditional.map(|(call, index, mask, tests)| (call as u32, if_argument(index, mask, &tests)));
    let mut rules: Vec<Rule> = plain.chain(conditional).collect();
    rules.sort_by_key(|(number, _)| *number);
    rules
}

/// What a masked argument is tested for.
enum Test {
    Equal(u32),
    /// Any bit set.
    Any,
}

/// Refuses the call if its masked argument passes one of the tests.
fn if_argument(index: u32, mask: u32, tests: &[Test]) -> Vec<sock_filter> {
    let mut decision = vec![load(argument(index)), statement(BPF_ALU | BPF_AND | BPF_K, mask)];
    for test in tests {
        let test = match test {
            Test::Equal(value) => skip_unless(BPF_JEQ, *value, 1),
            Test::Any => skip_if(BPF_JEQ, 0, 1),
        };
        decision.extend([test, error(EPERM)]);
    }
    decision.push(verdict(SECCOMP_RET_ALLOW));
    decision
}

/// Finds the rule of a call by halving: the kernel tries the filter on every call there is each time it is installed.
fn search(rules: &[Rule]) -> Vec<sock_filter> {
    if rules.len() <= 3 {
        let tests = rules.iter().flat_map(|(number, decision)| {
            [vec![skip_unless(BPF_JEQ, *number, decision.len() as u8)], decision.clone()].concat()
        });
        return tests.chain([verdict(SECCOMP_RET_ALLOW)]).collect();
    }
    let (lower, upper) = rules.split_at(rules.len() / 2);
    let (first_upper, lower) = (upper[0].0, search(lower));
    [vec![skip_if(BPF_JGE, first_upper, lower.len() as u8)], lower, search(upper)].concat()
}

fn load(offset: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, offset)
}

fn verdict(action: u32) -> sock_filter {
    statement(BPF_RET | BPF_K, action)
}

fn error(errno: c_int) -> sock_filter {
    verdict(SECCOMP_RET_ERRNO | errno as u32)
}

fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

fn skip_if(test: u32, value: u32, count: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | test | BPF_K) as u16, jt: count, jf: 0, k: value }
}

fn skip_unless(test: u32, value: u32, count: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | test | BPF_K) as u16, jt: 0, jf: count, k: value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says of a call with these arguments: a small machine for the instructions it uses.
    fn says(call: c_long, arguments: [u32; 6]) -> u32 {
        let (program, mut at, mut value) = (program(), 0, 0);
        loop {
            let instruction = program[at];
            at += 1;
            let jump = |yes: bool| usize::from(if yes { instruction.jt } else { instruction.jf });
            match u32::from(instruction.code) {
                code if code == BPF_LD | BPF_W | BPF_ABS => {
                    value = match instruction.k {
                        NUMBER => call as u32,
                        ARCHITECTURE_FIELD => ARCHITECTURE,
                        offset => arguments[(offset as usize - 16) / 8],
                    };
                }
                code if code == BPF_ALU | BPF_AND | BPF_K => value &= instruction.k,
                code if code == BPF_JMP | BPF_JEQ | BPF_K => at += jump(value == instruction.k),
                code if code == BPF_JMP | BPF_JGE | BPF_K => at += jump(value >= instruction.k),
                code if code == BPF_RET | BPF_K => return instruction.k,
                code => panic!("instruction {code}"),
            }
        }
    }

    #[test]
    fn every_call_gets_the_answer_of_its_rule() {
        let listed = [(DENIED, EPERM), (DENIED_SOCKETS, EACCES), (ABSENT, ENOSYS), (ATTRIBUTES, EOPNOTSUPP)];
        let conditional = [libc::SYS_clone, libc::SYS_mmap, libc::SYS_fcntl, libc::SYS_prlimit64];
        for call in 0..1000 {
            let errno = listed.iter().find(|(calls, _)| calls.contains(&call)).map(|(_, errno)| *errno);
            let errno = errno.or((call >= c_long::from(FIRST_UNKNOWN)).then_some(ENOSYS));
            let expected = errno.map_or(SECCOMP_RET_ALLOW, |errno| SECCOMP_RET_ERRNO | errno as u32);
            assert_eq!(says(call, [0; 6]), expected, "call {call}");
            assert!(!conditional.contains(&call) || errno.is_none(), "call {call} has two rules");
        }
    }

    #[test]
    fn arguments_decide_where_they_must() {
        let denied = SECCOMP_RET_ERRNO | EPERM as u32;
        assert_eq!(says(libc::SYS_clone, [libc::CLONE_NEWUSER as u32, 0, 0, 0, 0, 0]), denied);
        assert_eq!(says(libc::SYS_clone, [libc::SIGCHLD as u32, 0, 0, 0, 0, 0]), SECCOMP_RET_ALLOW);
        assert_eq!(says(libc::SYS_mmap, [0, 0, 0, (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32, 0, 0]), denied);
        assert_eq!(says(libc::SYS_mmap, [0, 0, 0, libc::MAP_SHARED as u32, 0, 0]), SECCOMP_RET_ALLOW);
        assert_eq!(says(libc::SYS_fcntl, [0, libc::F_SETLEASE as u32, 0, 0, 0, 0]), denied);
        assert_eq!(says(libc::SYS_fcntl, [0, libc::F_GETFL as u32, 0, 0, 0, 0]), SECCOMP_RET_ALLOW);
        assert_eq!(says(libc::SYS_prlimit64, [1, 0, 0, 0, 0, 0]), denied);
    }
}
