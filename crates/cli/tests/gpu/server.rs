//! A server on the emulator, as a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{text, tyto};

/// Killed when it is dropped.
pub(super) struct Server {
    child: Child,
    address: String,
}

/// How a server is started.
pub(super) struct Start<'a> {
    pub(super) artifact: &'a Path,
    /// What `--device` is.
    pub(super) device: &'a str,
    /// Further options.
    pub(super) options: &'a [&'a str],
    /// Variables of the emulator.
    pub(super) variables: &'a [(&'a str, &'a str)],
}

impl Server {
    /// Waits until it listens.
    pub(super) fn start(start: &Start<'_>) -> Self {
        let mut command = tyto();
        command.arg("serve").arg(start.artifact).args(["--device", start.device, "--port", "0"]);
        command.args(start.options).envs(start.variables.iter().copied());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("it writes text");
        let mut server = Self { child, address: String::new() };
        match line.trim().strip_prefix("listening on http://") {
            Some(address) => server.address = address.to_owned(),
            None => panic!("{line:?}: {:?}", server.end()),
        }
        server
    }

    /// A connection on which this has been asked.
    pub(super) fn begin(&self, method: &str, path: &str, body: &str) -> Asked {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .expect("it reads");
        Asked(stream)
    }

    /// The status and the body of one request.
    pub(super) fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        self.begin(method, path, body).answer()
    }

    /// The greedy texts after these prompts, which one request holds, of `tokens` tokens each.
    pub(super) fn greedy(&self, prompts: &[&str], tokens: u32) -> Vec<String> {
        let body = json!({ "prompt": prompts, "max_tokens": tokens, "temperature": 0 });
        let (status, answer) = self.ask("POST", "/v1/completions", &body.to_string());
        assert_eq!(status, 200, "{answer}");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["usage"]["completion_tokens"], tokens as usize * prompts.len());
        let mut texts = vec![String::new(); prompts.len()];
        for choice in answer["choices"].as_array().expect("a list") {
            let index = choice["index"].as_u64().expect("a number") as usize;
            texts[index] = choice["text"].as_str().expect("text").to_owned();
        }
        texts
    }

    /// A figure of `/metrics`.
    pub(super) fn figure(&self, name: &str) -> u64 {
        let (status, figures) = self.ask("GET", "/metrics", "");
        assert_eq!(status, 200, "{figures}");
        let line = figures.lines().find(|line| line.starts_with(&format!("{name}{{")));
        let value = line.and_then(|line| line.rsplit(' ').next()?.parse().ok());
        value.unwrap_or_else(|| panic!("no {name} in {figures}"))
    }

    /// Asks it to end.
    pub(super) fn terminate(&self) {
        // The shell's own: a bare machine has no program of that name.
        let line = format!("kill -TERM {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &line]).status().expect("the shell runs").success());
    }

    /// Its exit code and standard error, when it has ended.
    pub(super) fn end(&mut self) -> (Option<i32>, String) {
        let mut message = Vec::new();
        let mut errors = self.child.stderr.take().expect("it ends once");
        errors.read_to_end(&mut message).expect("it writes");
        (self.child.wait().expect("it ends").code(), text(&message))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended, unless a test has failed.
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// A request that has been sent.
pub(super) struct Asked(TcpStream);

impl Asked {
    /// The status and the body, when they have come.
    pub(super) fn answer(mut self) -> (u16, String) {
        let mut answer = String::new();
        self.0.read_to_string(&mut answer).expect("it answers");
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.unwrap_or_else(|| panic!("{answer:?}"));
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
        (status, body.unwrap_or_default())
    }
}
