/* Programs that try to get out of the sandbox, or to wear the machine down from within it.
 *
 * hostile ATTACK [ARGUMENTS]: exits with 42 and says how if the attack got through, with 0 if it was refused. Attacks on
 * resources just go on until they are stopped. Each attack is one function; the table at the end names them.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static char **arguments;

#define ESCAPED(...) (printf("ESCAPED: " __VA_ARGS__), fflush(stdout), _exit(42))
#define MIB ((size_t)1 << 20)

static bool readable(const char *path) {
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    char byte;
    bool got = fd >= 0 && read(fd, &byte, 1) == 1;
    if (fd >= 0) close(fd);
    return got;
}

static bool writable(const char *path) {
    int fd = open(path, O_WRONLY | O_NONBLOCK);
    bool got = fd >= 0 && write(fd, "x", 1) == 1;
    if (fd >= 0) close(fd);
    return got;
}

static bool contains_secret(const char *path) {
    char text[65536];
    int fd = open(path, O_RDONLY);
    if (fd < 0) return false;
    ssize_t size = read(fd, text, sizeof text);
    close(fd);
    return size > 0 && memmem(text, (size_t)size, "attack-at-dawn", 14);
}

/* Resources. */

static void fork_bomb(void) { for (;;) fork(); }

static void *sleeper(void *unused) { (void)unused; for (;;) pause(); }
static void thread_bomb(void) {
    pthread_t thread;
    for (;;) pthread_create(&thread, NULL, sleeper, NULL);
}

static void fill(size_t bytes) {
    for (size_t done = 0; done < bytes; done += MIB) {
        char *memory = malloc(MIB);
        if (memory) memset(memory, 1, MIB);
    }
}

static void memory_bomb(void) { fill(SIZE_MAX / 2); }

static void memory_bomb_in_many(void) {
    for (int i = 0; i < 20; i++)
        if (fork() == 0) { fill(64 * MIB); pause(); }
    pause();
}

static void memory_bomb_populated(void) {
    for (;;) mmap(NULL, 1024 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
}

/* Memory that stays after the process that filled it is gone, so that no process's size shows it. */
static void fill_in_a_child(char *memory, size_t bytes) {
    pid_t child = fork();
    if (child == 0) { memset(memory, 1, bytes); _exit(0); }
    waitpid(child, NULL, 0);
}

static void shared_memory(void) {
    char *memory = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    fill_in_a_child(memory, 64 * MIB);
    ESCAPED("64 MiB that nobody is charged for");
}

static void shared_zero_device(void) {
    int fd = open("/dev/zero", O_RDWR);
    if (fd < 0) return;
    char *memory = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return;
    fill_in_a_child(memory, 64 * MIB);
    ESCAPED("64 MiB that nobody is charged for");
}

static void system_v_memory(void) {
    int id = shmget(IPC_PRIVATE, 64 * MIB, IPC_CREAT | 0600);
    if (id >= 0) ESCAPED("shared memory %d outlives its maker", id);
}

static void memory_file(void) {
    int fd = memfd_create("bomb", 0);
    if (fd >= 0 && ftruncate(fd, 64 * MIB) == 0) ESCAPED("a file in memory outside the scratch folder");
}

static void large_pipes(void) {
    int ends[2];
    if (pipe(ends) == 0 && fcntl(ends[0], F_SETPIPE_SZ, MIB) >= 0) ESCAPED("a pipe of a MiB");
}

static void socket_buffers(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) ESCAPED("socket buffers");
}

/* The memory of a process whose first thread has ended is not in the place where one looks first. */
static void *fill_for_ever(void *unused) { (void)unused; fill(SIZE_MAX / 2); return NULL; }
static void memory_bomb_without_a_leader(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fill_for_ever, NULL);
    pthread_exit(NULL);
}

/* One byte read in each 2 MiB: no page of it is resident, but the tables that map it are. */
static void page_tables(void) {
    size_t step = 2 * MIB, size = step * 128 * 1024;
    volatile char *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    madvise((void *)memory, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += step) (void)memory[at];
    ESCAPED("512 MiB of page tables");
}

static void pages_in_pipes(void) {
    int ends[2];
    char *page = aligned_alloc(4096, 4096);
    struct iovec whole = {page, 4096};
    if (pipe(ends) == 0 && vmsplice(ends[1], &whole, 1, SPLICE_F_GIFT) > 0) ESCAPED("pages in a pipe");
}

static void attributes(void) {
    char value[4096] = {1};
    int fd = open("file", O_RDWR | O_CREAT, 0600);
    if (fsetxattr(0, "user.bomb", value, sizeof value, 0) == 0) ESCAPED("an attribute on standard input");
    if (fsetxattr(fd, "user.bomb", value, sizeof value, 0) == 0) ESCAPED("an attribute on a file");
}

static void watches(void) {
    if (syscall(SYS_inotify_init1, 0) >= 0) ESCAPED("watches on the host's files");
}

static void asynchronous_io(void) {
    unsigned long context = 0;
    if (syscall(SYS_io_setup, 128, &context) == 0) ESCAPED("a share of the machine's asynchronous I/O");
}

static void rule_sets(void) {
    uint64_t handled[2] = {1, 0};
    if (syscall(SYS_landlock_create_ruleset, handled, sizeof handled, 0) >= 0) ESCAPED("a rule set");
}

static void blind_the_warden(void) {
    struct rlimit none = {0, 0};
    if (prlimit(1, RLIMIT_NOFILE, &none, NULL) == 0 || prlimit(getppid(), RLIMIT_AS, &none, NULL) == 0)
        ESCAPED("the warden's limits");
}

static void lease(void) {
    int fd = open("file", O_RDWR | O_CREAT, 0600);
    if (fcntl(fd, F_SETLEASE, F_WRLCK) == 0) ESCAPED("a lease");
}

static void flush_the_machine(void) {
    if (syncfs(open("/usr", O_RDONLY)) == 0) ESCAPED("flushed the host's disk");
}

static void name_of_the_host(void) {
    char name[256] = {0};
    gethostname(name, sizeof name - 1);
    if (strcmp(name, "sandbox") != 0) ESCAPED("the host is %s", name);
}

static void disk_filler(void) {
    char block[65536];
    memset(block, 1, sizeof block);
    for (int file = 0;; file++) {
        char name[32];
        snprintf(name, sizeof name, "f%d", file);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd < 0) return;
        for (int i = 0; i < 64; i++)
            if (write(fd, block, sizeof block) <= 0) return;
        close(fd);
        if (file > 100) ESCAPED("%d MiB written", file * 4);
    }
}

static void inode_filler(void) {
    for (int file = 0; file < 1000000; file++) {
        char name[32];
        snprintf(name, sizeof name, "n%d", file);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd < 0) return;
        close(fd);
    }
    ESCAPED("a million files");
}

static void huge_sparse_file(void) {
    int fd = open("sparse", O_WRONLY | O_CREAT, 0600);
    signal(SIGXFSZ, SIG_IGN);
    if (pwrite(fd, "x", 1, (off_t)1 << 40) == 1) ESCAPED("a file of a TiB");
}

static void output_flood(void) { for (;;) puts("flood flood flood flood flood flood flood flood flood"); }
static void error_flood(void) { for (;;) fputs("flood flood flood flood flood flood flood\n", stderr); }

static void endless_loop(void) { for (volatile int i = 0;; i++) {} }

static void deaf_to_signals(void) {
    for (int s = 1; s < 64; s++) signal(s, SIG_IGN);
    for (;;) pause();
}

static void raise_limits(void) {
    struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_NPROC, &most) == 0 || setrlimit(RLIMIT_FSIZE, &most) == 0) ESCAPED("limits raised");
}

static void raise_priority(void) {
    struct sched_param urgent = {.sched_priority = 50};
    if (setpriority(PRIO_PROCESS, 0, -20) == 0 || sched_setscheduler(0, SCHED_FIFO, &urgent) == 0)
        ESCAPED("priority raised");
}

/* Staying behind. */

static void stay(void) {
    for (int s = 1; s < 64; s++) signal(s, SIG_IGN);
    for (int fd = 0; fd < 64; fd++) close(fd);
    for (;;) pause();
}

static void new_session(void) { if (fork() == 0) { setsid(); stay(); } }
static void double_fork(void) { if (fork() == 0) { setsid(); if (fork() == 0) stay(); _exit(0); } wait(NULL); }
static void daemon_swarm(void) { for (int i = 0; i < 16; i++) double_fork(); }

/* Files. */

static void read_secret(void) {
    if (readable(arguments[0])) ESCAPED("read %s", arguments[0]);
    char path[4096];
    for (const char *prefix = "/proc/1/root\0/proc/self/root/..\0/.host\0/scratch/../..\0/proc/1/cwd/..\0/oldroot\0"; *prefix;
         prefix += strlen(prefix) + 1) {
        snprintf(path, sizeof path, "%s%s", prefix, arguments[0]);
        if (readable(path)) ESCAPED("read %s", path);
    }
}

static void write_secret(void) { if (writable(arguments[0])) ESCAPED("wrote %s", arguments[0]); }

static void read_system_secrets(void) {
    for (const char *path = "/etc/shadow\0/etc/ssh/ssh_host_rsa_key\0/proc/kcore\0/proc/kmsg\0"
                            "/sys/kernel/notes\0/var/log/dpkg.log\0/etc/hostname\0/etc/resolv.conf\0"; *path; path += strlen(path) + 1)
        if (readable(path)) ESCAPED("read %s", path);
}

static void list_homes(void) {
    for (const char *path = "/home\0/root\0/var\0/run\0/sys\0/srv\0/mnt\0"; *path; path += strlen(path) + 1)
        if (opendir(path)) ESCAPED("listed %s", path);
}

static void read_environment(void) {
    extern char **environ;
    for (char **variable = environ; *variable; variable++)
        if (strstr(*variable, "attack-at-dawn")) ESCAPED("inherited %s", *variable);
    char path[64];
    for (int pid = 1; pid < 100; pid++)
        for (const char *file = "environ\0cmdline\0"; *file; file += strlen(file) + 1) {
            snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
            if (contains_secret(path)) ESCAPED("read %s", path);
        }
}

/* What the kernel tells of mounts and of groups of processes has paths of the host in it. */
static void places_of_the_host(void) {
    char path[64];
    for (int pid = 0; pid < 64; pid++)
        for (const char *file = "mountinfo\0mounts\0mountstats\0"; *file; file += strlen(file) + 1) {
            if (pid) snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
            else snprintf(path, sizeof path, "/proc/self/%s", file);
            if (readable(path)) ESCAPED("read %s", path);
        }
    FILE *groups = fopen("/proc/self/cgroup", "r");
    char line[4096];
    while (groups && fgets(line, sizeof line, groups)) {
        const char *group = strrchr(line, ':');
        if (group && strcmp(group, ":/\n") != 0) ESCAPED("a group: %s", line);
    }
}

static void symlink_games(void) {
    symlink(arguments[0], "link");
    symlink("..", "up");
    if (readable("link") || writable("link")) ESCAPED("through a link");
    char path[4096];
    snprintf(path, sizeof path, "up/up/up%s", arguments[0]);
    if (readable(path)) ESCAPED("through links up");
    if (link(arguments[0], "hard") == 0 || link("/usr/bin/true", "hard2") == 0) ESCAPED("a hard link out");
    if (rename("link", "/usr/link") == 0) ESCAPED("renamed out");
}

static void traps_in_scratch(void) {
    symlink(arguments[0], "stolen");
    symlink("/", "root");
    mkfifo("fifo", 0666);
    mkdir("folder", 0755);
    symlink(arguments[0], "folder/stolen");
    int fd = open("honest", O_WRONLY | O_CREAT, 0644);
    write(fd, "honest", 6);
}

static void write_system(void) {
    for (const char *path = "/usr/bin/true\0/etc/passwd\0/lib/x86_64-linux-gnu/libc.so.6\0/etc/ld.so.cache\0"; *path; path += strlen(path) + 1)
        if (writable(path) || chmod(path, 0777) == 0 || unlink(path) == 0) ESCAPED("changed %s", path);
    for (const char *path = "/x\0/usr/x\0/etc/x\0/dev/x\0/input/x\0/proc/x\0"; *path; path += strlen(path) + 1)
        if (open(path, O_WRONLY | O_CREAT, 0600) >= 0) ESCAPED("made %s", path);
}

static void write_input(void) {
    if (writable("/input/given") || unlink("/input/given") == 0) ESCAPED("changed an input");
    if (mount("none", "/input/given", "", MS_REMOUNT | MS_BIND, "") == 0) ESCAPED("remounted an input");
}

static void devices(void) {
    for (const char *path = "/dev/mem\0/dev/kmem\0/dev/kmsg\0/dev/sda\0/dev/vda\0/dev/nvme0n1\0/dev/tty\0/dev/tty0\0/dev/console\0"
                            "/dev/ptmx\0/dev/fuse\0/dev/kvm\0/dev/loop0\0/dev/net/tun\0"; *path; path += strlen(path) + 1)
        if (open(path, O_RDWR | O_NONBLOCK) >= 0 || open(path, O_RDONLY | O_NONBLOCK) >= 0) ESCAPED("opened %s", path);
}

static void make_devices(void) {
    if (mknod("disk", S_IFBLK | 0666, makedev(8, 0)) == 0 && open("disk", O_RDONLY) >= 0) ESCAPED("made a disk");
    if (mknod("memory", S_IFCHR | 0666, makedev(1, 1)) == 0 && open("memory", O_RDONLY) >= 0) ESCAPED("made memory");
}

static void kernel_settings(void) {
    for (const char *path = "/proc/sys/kernel/core_pattern\0/proc/sysrq-trigger\0/proc/sys/kernel/hostname\0/sys/kernel/uevent_helper\0"
                            "/proc/sys/vm/overcommit_memory\0/sys/fs/cgroup/release_agent\0"; *path; path += strlen(path) + 1)
        if (writable(path)) ESCAPED("wrote %s", path);
}

static void file_handles(void) {
    struct { unsigned size; int type; unsigned char bytes[128]; } handle = {.size = 128};
    int mount_id;
    if (syscall(SYS_name_to_handle_at, AT_FDCWD, "/usr", &handle, &mount_id, 0) == 0
        && syscall(SYS_open_by_handle_at, open("/usr", O_RDONLY), &handle, O_RDONLY) >= 0) ESCAPED("opened by handle");
}

static void inherited_descriptors(void) {
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0) ESCAPED("descriptor %d is open", fd);
    for (int fd = 0; fd < 3; fd++) {
        struct stat found;
        if (fstat(fd, &found) == 0 && S_ISDIR(found.st_mode)) ESCAPED("descriptor %d is a folder", fd);
        if (openat(fd, "..", O_RDONLY) >= 0) ESCAPED("descriptor %d leads up", fd);
        if (ioctl(fd, TIOCSTI, "x") == 0) ESCAPED("typed into a terminal");
    }
}

/* Other processes. */

static bool killed(pid_t pid) { return kill(pid, SIGKILL) == 0 || kill(pid, SIGSTOP) == 0 || kill(pid, 0) == 0; }

static void kill_others(void) {
    pid_t canary = atoi(arguments[0]);
    if (killed(canary) || kill(-canary, SIGKILL) == 0) ESCAPED("reached process %d", canary);
    kill(getppid(), SIGKILL);
    kill(1, SIGKILL);
    kill(1, SIGTERM);
    kill(1, SIGSTOP);
    kill(-1, SIGCONT);
    if (kill(1, 0) != 0 && errno == ESRCH) ESCAPED("the warden is gone");
}

static void trace_others(void) {
    pid_t pids[] = {1, getppid(), atoi(arguments[0])};
    for (int i = 0; i < 3; i++) {
        if (ptrace(PTRACE_ATTACH, pids[i], 0, 0) == 0 || ptrace(PTRACE_SEIZE, pids[i], 0, 0) == 0) ESCAPED("traced %d", pids[i]);
        char byte;
        struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
        if (process_vm_readv(pids[i], &here, 1, &there, 1, 0) == 1) ESCAPED("read memory of %d", pids[i]);
    }
}

static void warden_memory(void) {
    for (const char *file = "mem\0environ\0maps\0auxv\0stack\0fd/3\0fd/4\0exe\0root/usr/bin/true\0cwd/usr\0"; *file; file += strlen(file) + 1) {
        char path[64];
        snprintf(path, sizeof path, "/proc/1/%s", file);
        int fd = open(path, O_RDWR);
        if (fd < 0) fd = open(path, O_RDONLY);
        char byte;
        if (fd >= 0 && (pread(fd, &byte, 1, 0) >= 0 || errno == EISDIR)) ESCAPED("opened %s", path);
    }
    if (writable("/proc/1/oom_score_adj")) ESCAPED("offered the warden to the memory killer");
}

static void warden_descriptors(void) {
    int warden = (int)syscall(SYS_pidfd_open, 1, 0);
    for (int fd = 0; warden >= 0 && fd < 16; fd++)
        if (syscall(SYS_pidfd_getfd, warden, fd, 0) >= 0) ESCAPED("took descriptor %d of the warden", fd);
}

static void see_others(void) {
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && (entry = readdir(processes)))
        if (atoi(entry->d_name) > 2) ESCAPED("saw process %s", entry->d_name);
}

/* The network. */

static void reach(int family, const void *address, socklen_t length, const char *what) {
    for (int type = SOCK_STREAM; type <= SOCK_DGRAM; type++) {
        int fd = socket(family, type, 0);
        if (fd < 0) continue;
        if (connect(fd, address, length) == 0 && send(fd, "x", 1, MSG_NOSIGNAL) == 1) ESCAPED("%s", what);
    }
}

static void internet(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[0]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    reach(AF_INET, &address, sizeof address, "IPv4");
}

static void internet_6(void) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)atoi(arguments[0])), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    reach(AF_INET6, &address, sizeof address, "IPv6");
}

static void unix_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, arguments[0], sizeof address.sun_path - 1);
    reach(AF_UNIX, &address, sizeof address, "a unix socket");
}

static void abstract_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + 1, arguments[0], sizeof address.sun_path - 2);
    reach(AF_UNIX, &address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(arguments[0])), "an abstract socket");
}

static void other_sockets(void) {
    int families[] = {AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG, AF_BLUETOOTH, AF_INET};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (socket(families[i], SOCK_RAW, 0) >= 0) ESCAPED("a raw socket of family %d", families[i]);
}

static void io_uring(void) {
    char parameters[256] = {0};
    if (syscall(SYS_io_uring_setup, 8, parameters) >= 0) ESCAPED("a ring whose calls nobody filters");
}

/* Privilege. */

static void become_root(void) {
    if (setuid(0) == 0 || setresuid(0, 0, 0) == 0 || setgid(0) == 0 || geteuid() == 0) ESCAPED("root");
    char text[4096] = {0};
    int fd = open("/proc/self/status", O_RDONLY);
    if (fd >= 0) read(fd, text, sizeof text - 1);
    char *effective = strstr(text, "CapEff:");
    if (effective && strtoull(effective + 7, NULL, 16) != 0) ESCAPED("capabilities %s", effective);
    char *bounded = strstr(text, "NoNewPrivs:");
    if (bounded && atoi(bounded + 11) != 1) ESCAPED("new privileges may be had");
}

static void setuid_programs(void) {
    pid_t child = fork();
    if (child == 0) {
        execl("/usr/bin/su", "su", "-c", "exit 42", NULL);
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 42) ESCAPED("su");
}

static void namespaces(void) {
    int flags[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (unshare(flags[i]) == 0) ESCAPED("unshared %x", flags[i]);
        long child = syscall(SYS_clone, flags[i] | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) _exit(0);
        if (child > 0) ESCAPED("cloned %x", flags[i]);
        uint64_t wanted[11] = {[0] = (uint64_t)flags[i], [4] = SIGCHLD};
        child = syscall(SYS_clone3, wanted, sizeof wanted);
        if (child == 0) _exit(0);
        if (child > 0) ESCAPED("cloned %x by the new call", flags[i]);
    }
    if (setns(open("/proc/1/ns/mnt", O_RDONLY), 0) == 0) ESCAPED("entered the warden's namespace");
}

static void mounts(void) {
    if (mount("none", "/scratch", "tmpfs", 0, "") == 0) ESCAPED("mounted");
    if (mount("none", "/usr", "", MS_REMOUNT | MS_BIND, "") == 0) ESCAPED("remounted");
    if (umount2("/proc", MNT_DETACH) == 0) ESCAPED("unmounted");
    if (syscall(SYS_open_tree, AT_FDCWD, "/usr", 1) >= 0 || syscall(SYS_fsopen, "tmpfs", 0) >= 0) ESCAPED("mounted by the new calls");
}

static void chroot_out(void) {
    mkdir("jail", 0755);
    int here = open("/", O_RDONLY);
    if (chroot("jail") == 0) { fchdir(here); for (int i = 0; i < 64; i++) chdir(".."); chroot("."); ESCAPED("a new root"); }
}

static void kernel_doors(void) {
    char blank[256] = {0};
    if (syscall(SYS_bpf, 0, blank, sizeof blank) >= 0) ESCAPED("bpf");
    if (syscall(SYS_perf_event_open, blank, 0, -1, -1, 0) >= 0) ESCAPED("perf");
    if (syscall(SYS_userfaultfd, 0) >= 0) ESCAPED("userfaultfd");
    if (syscall(SYS_add_key, "user", "name", "x", 1, -3) >= 0) ESCAPED("a key");
    if (syscall(SYS_keyctl, 0, -3, 1) >= 0) ESCAPED("a key ring");
    if (syscall(SYS_syslog, 3, blank, sizeof blank) >= 0) ESCAPED("the kernel's log");
    if (syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0) >= 0) ESCAPED("the power switch");
    if (sethostname("mine", 4) == 0) ESCAPED("the host's name");
    if (syscall(SYS_fanotify_init, 0, 0) >= 0) ESCAPED("fanotify");
}

#ifdef __x86_64__
static void other_architectures(void) {
    pid_t child = fork();
    if (child == 0) {
        long result;
        /* socketcall's ancestor for 32-bit programs: unshare(CLONE_NEWUSER). */
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(310), "b"(CLONE_NEWUSER) : "memory");
        _exit(result == 0 ? 42 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 42) ESCAPED("by a 32-bit call");
    if (syscall(0x40000000 + SYS_unshare, CLONE_NEWUSER) == 0) ESCAPED("by an x32 call");
}
#else
static void other_architectures(void) {}
#endif

static void core_dump(void) { raise(SIGABRT); }

static const struct { const char *name; void (*attack)(void); } ATTACKS[] = {
#define ATTACK(name) {#name, name}
    ATTACK(fork_bomb), ATTACK(thread_bomb), ATTACK(memory_bomb), ATTACK(memory_bomb_in_many), ATTACK(memory_bomb_populated),
    ATTACK(shared_memory), ATTACK(shared_zero_device), ATTACK(system_v_memory), ATTACK(memory_file), ATTACK(large_pipes),
    ATTACK(socket_buffers), ATTACK(disk_filler), ATTACK(inode_filler), ATTACK(huge_sparse_file), ATTACK(output_flood),
    ATTACK(error_flood), ATTACK(endless_loop), ATTACK(deaf_to_signals), ATTACK(raise_limits), ATTACK(raise_priority),
    ATTACK(new_session), ATTACK(double_fork), ATTACK(daemon_swarm), ATTACK(read_secret), ATTACK(write_secret),
    ATTACK(read_system_secrets), ATTACK(list_homes), ATTACK(read_environment), ATTACK(symlink_games), ATTACK(traps_in_scratch),
    ATTACK(write_system), ATTACK(write_input), ATTACK(devices), ATTACK(make_devices), ATTACK(kernel_settings),
    ATTACK(file_handles), ATTACK(inherited_descriptors), ATTACK(kill_others), ATTACK(trace_others), ATTACK(warden_memory),
    ATTACK(warden_descriptors), ATTACK(see_others), ATTACK(internet), ATTACK(internet_6), ATTACK(unix_socket),
    ATTACK(abstract_socket), ATTACK(other_sockets), ATTACK(io_uring), ATTACK(become_root), ATTACK(setuid_programs),
    ATTACK(namespaces), ATTACK(mounts), ATTACK(chroot_out), ATTACK(kernel_doors), ATTACK(other_architectures), ATTACK(core_dump),
    ATTACK(memory_bomb_without_a_leader), ATTACK(page_tables), ATTACK(pages_in_pipes), ATTACK(attributes), ATTACK(watches),
    ATTACK(asynchronous_io), ATTACK(rule_sets), ATTACK(blind_the_warden), ATTACK(lease), ATTACK(flush_the_machine),
    ATTACK(name_of_the_host), ATTACK(places_of_the_host),
};

int main(int count, char **words) {
    arguments = words + 2;
    for (size_t i = 0; count > 1 && i < sizeof ATTACKS / sizeof *ATTACKS; i++)
        if (strcmp(ATTACKS[i].name, words[1]) == 0) { ATTACKS[i].attack(); return 0; }
    fprintf(stderr, "no such attack\n");
    return 2;
}
