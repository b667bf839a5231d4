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
    for (calls, errno) in [(DENIED, EPERM), (DENIED_SOCKETS, EACCES), (ABSENT, ENOSYS), (ATTRIBUTES, EOPNOTSUPP)] {
        calls.iter().for_each(|&call| deny(&mut filter, call, errno));
    }
    deny_argument(&mut filter, libc::SYS_clone, 0, NAMESPACE_FLAGS as u32, Test::Any);
    // Memory shared by a fork stays when the process that filled it is gone, and is in nobody's resident size.
    let shared_anonymous = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32;
    deny_argument(&mut filter, libc::SYS_mmap, 3, shared_anonymous, Test::Equal(shared_anonymous));
    // A pipe may hold its default, and not be made larger; a lease would hold up others who open the file.
    for command in [libc::F_SETPIPE_SZ, libc::F_SETLEASE] {
        deny_argument(&mut filter, libc::SYS_fcntl, 1, u32::MAX, Test::Equal(command as u32));
    }
    // The limits of other processes: in a user's own sandbox the warden is of the same user.
    deny_argument(&mut filter, libc::SYS_prlimit64, 0, u32::MAX, Test::Any);
    filter.push(verdict(SECCOMP_RET_ALLOW));
    filter
}

fn deny(filter: &mut Vec<sock_filter>, call: c_long, errno: c_int) {
    filter.extend([skip_unless(BPF_JEQ, call as u32, 1), error(errno)]);
}

/// What a masked argument is tested for.
enum Test {
    Equal(u32),
    /// Any bit set.
    Any,
}

/// Refuses `call` if the masked argument passes the test.
fn deny_argument(filter: &mut Vec<sock_filter>, call: c_long, index: u32, mask: u32, test: Test) {
    let matched = match test {
        Test::Equal(value) => skip_unless(BPF_JEQ, value, 1),
        Test::Any => skip_if(BPF_JEQ, 0, 1),
    };
    filter.extend([
        skip_unless(BPF_JEQ, call as u32, 5),
        load(argument(index)),
        statement(BPF_ALU | BPF_AND | BPF_K, mask),
        matched,
        error(EPERM),
        load(NUMBER),
    ]);
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
