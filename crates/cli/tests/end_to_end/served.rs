//! A server and what is sent to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::common::{artifact, tyto};

pub fn signal(name: &str, child: &Child) {
    // The shell's own: a bare machine has no program of that name.
    let line = format!("kill -{name} {}", child.id());
    let status = Command::new("sh").arg("-c").arg(line).status();
    assert!(status.expect("the shell runs").success());
}

/// A server on a free port, stopped when the test ends.
pub struct Served {
    child: Child,
    pub address: String,
}

impl Served {
    pub fn start(options: &[&str]) -> Self {
        let mut command = tyto();
        command.arg("serve").arg(artifact()).args(["--port", "0"]).args(options);
        Self::start_command(command)
    }

    pub fn start_command(mut command: Command) -> Self {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary runs");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("text");
        let address = line.trim().strip_prefix("listening on http://").expect("the address");
        Self { address: address.to_owned(), child }
    }

    /// Sends one request and gives status line, headers and body as they came.
    pub fn send(&self, method: &str, path: &str, body: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).expect("the server listens");
        let length = body.len();
        let host = &self.address;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        socket.write_all(head.as_bytes()).expect("the server reads");
        let mut reply = String::new();
        socket.read_to_string(&mut reply).expect("the server answers");
        reply
    }

    pub fn stop(mut self, name: &str) -> Option<i32> {
        signal(name, &self.child);
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Already ended, unless an assertion failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn post(server: &Served, path: &str, body: &Value) -> (String, Value) {
    let reply = server.send("POST", path, &body.to_string());
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    (head.to_owned(), serde_json::from_str(body).expect("JSON"))
}
