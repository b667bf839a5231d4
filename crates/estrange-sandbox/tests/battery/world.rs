//! What the attacks aim at: a secret, a process, sockets that listen; and a look at whether any of it was reached.

use std::fs;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Output, Stdio};

use estrange_sandbox::Command;
use tempfile::TempDir;

const SECRET: &str = "attack-at-dawn";

pub struct World {
    folder: TempDir,
    secret: PathBuf,
    program: PathBuf,
    sanitized_program: PathBuf,
    faulty_program: PathBuf,
    canary: Child,
    internet: TcpListener,
    internet_6: TcpListener,
    unix: UnixListener,
    unix_path: PathBuf,
    abstract_socket: UnixListener,
    abstract_name: String,
}

impl World {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("battery-").tempdir().expect("a folder");
        let unique = folder.path().file_name().expect("it has a name").to_string_lossy().into_owned();
        let secret = folder.path().join("secret");
        fs::write(&secret, SECRET).expect("a secret");
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o666)).expect("a secret that anyone may read");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/battery");
        // The name tells our processes from any others on the machine.
        let program = folder.path().join(format!("hostile-{unique}"));
        compile(&sources.join("hostile.c"), &program, &[]);
        let sanitized_program = folder.path().join(format!("sanitized-{unique}"));
        compile(&sources.join("hostile.c"), &sanitized_program, &["-fsanitize=address"]);
        let faulty_program = folder.path().join(format!("faulty-{unique}"));
        let checks = ["-fsanitize=address,undefined", "-fno-sanitize=object-size", "-fno-sanitize-recover=all"];
        compile(&sources.join("faulty.c"), &faulty_program, &checks);
        let canary = Process::new("sleep").arg("1000").process_group(0).spawn().expect("a process");
        let internet = TcpListener::bind("127.0.0.1:0").expect("a port");
        let internet_6 = TcpListener::bind("[::1]:0").expect("a port");
        let unix_path = folder.path().join("socket");
        let unix = UnixListener::bind(&unix_path).expect("a socket");
        let address = SocketAddr::from_abstract_name(&unique).expect("a short name");
        let abstract_socket = UnixListener::bind_addr(&address).expect("a socket");
        for listener in [&internet, &internet_6] {
            listener.set_nonblocking(true).expect("a listener that can be asked");
        }
        for listener in [&unix, &abstract_socket] {
            listener.set_nonblocking(true).expect("a listener that can be asked");
        }
        Self {
            folder,
            secret,
            program,
            sanitized_program,
            faulty_program,
            canary,
            internet,
            internet_6,
            unix,
            unix_path,
            abstract_socket,
            abstract_name: unique,
        }
    }

    /// The command that carries out an attack, aimed at this world.
    pub fn command(&self, attack: &str) -> Command {
        Command::new("/input/hostile")
            .arguments([attack.to_owned(), self.target(attack)])
            .input(&self.program, "hostile")
            .input(&self.secret, "given")
    }

    pub fn sanitized_command(&self, attack: &str) -> Command {
        Command::new("/input/hostile").argument(attack).input(&self.sanitized_program, "hostile").sanitized()
    }

    pub fn faulty_command(&self, fault: &str) -> Command {
        Command::new("/input/faulty").argument(fault).input(&self.faulty_program, "faulty").sanitized()
    }

    /// Carries out an attack without the sandbox, in a folder of its own.
    pub fn run_bare(&self, attack: &str) -> Output {
        let folder = tempfile::tempdir_in(self.folder.path()).expect("a folder");
        Process::new(&self.program)
            .args([attack, &self.target(attack)])
            .env("SECRET", SECRET)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .expect("a run")
    }

    fn target(&self, attack: &str) -> String {
        match attack {
            "kill_others" | "trace_others" => self.canary.id().to_string(),
            "internet" => self.internet.local_addr().expect("it is bound").port().to_string(),
            "internet_6" => self.internet_6.local_addr().expect("it is bound").port().to_string(),
            "unix_socket" => self.unix_path.display().to_string(),
            "abstract_socket" => self.abstract_name.clone(),
            _ => self.secret.display().to_string(),
        }
    }

    /// Whether the world is as it was before: nothing reached, nothing left running.
    pub fn check(&self, attack: &str) -> Result<(), String> {
        let complain = |what: &str| Err(format!("{attack}: {what}"));
        if fs::read_to_string(&self.secret).ok().as_deref() != Some(SECRET) {
            return complain("the secret was changed");
        }
        if process_state(self.canary.id()) != Some('S') {
            return complain("the canary was reached");
        }
        if self.internet.accept().is_ok() || self.internet_6.accept().is_ok() {
            return complain("the network was reached");
        }
        if self.unix.accept().is_ok() || self.abstract_socket.accept().is_ok() {
            return complain("a unix socket was reached");
        }
        match self.processes_left() {
            0 => Ok(()),
            count => complain(&format!("{count} processes are still running")),
        }
    }

    /// How many processes run one of the hostile programs.
    fn processes_left(&self) -> usize {
        let entries = fs::read_dir("/proc").expect("processes");
        let names = [&self.program, &self.sanitized_program, &self.faulty_program]
            .map(|path| path.file_name().expect("it has a name").to_string_lossy().into_owned());
        entries
            .flatten()
            .filter(|entry| {
                let executable = fs::read_link(entry.path().join("exe")).unwrap_or_default();
                names.iter().any(|name| executable.to_string_lossy().contains(name))
            })
            .count()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.canary.kill();
        let _ = self.canary.wait();
    }
}

fn process_state(pid: u32) -> Option<char> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    text.rsplit_once(") ")?.1.chars().next()
}

fn compile(source: &Path, program: &Path, options: &[&str]) {
    let output =
        Process::new("gcc").args(["-O1", "-w", "-pthread"]).args(options).arg(source).arg("-o").arg(program).output();
    let output = output.expect("gcc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
