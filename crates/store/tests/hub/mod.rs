//! A hub with one repository, as little HTTP as it takes.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

pub struct TestHub {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

struct State {
    repository: String,
    commit: String,
    files: BTreeMap<String, Vec<u8>>,
    /// Facts about files that replace those that are true.
    claims: Vec<(String, String, Value)>,
    token: Option<String>,
    /// Bytes of a file after which a reply breaks off.
    cut: usize,
    /// Requests that are answered; then connections are closed.
    answers: usize,
    knows_ranges: bool,
    /// The heads of all requests.
    requests: Vec<String>,
}

impl TestHub {
    pub fn new(repository: &str, commit: &str, files: &[(&str, &[u8])]) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let files = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
        let state = State {
            repository: repository.to_owned(),
            commit: commit.to_owned(),
            files: files.collect(),
            claims: Vec::new(),
            token: None,
            cut: usize::MAX,
            answers: usize::MAX,
            knows_ranges: true,
            requests: Vec::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        // Ends with the process: it waits for connections until then.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that leaves is no fault of the hub.
                let _ = answer(stream, &mut shared.lock().expect("no panic"));
            }
        });
        Self { address, state }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().expect("no panic"));
    }

    pub fn cut_after(&self, bytes: usize) {
        self.set(|state| state.cut = bytes);
    }

    pub fn refuse_after(&self, answers: usize) {
        self.set(|state| state.answers = answers);
    }

    pub fn know_ranges(&self, knows: bool) {
        self.set(|state| state.knows_ranges = knows);
    }

    pub fn ask_for(&self, token: &str) {
        self.set(|state| state.token = Some(token.to_owned()));
    }

    pub fn claim(&self, file: &str, fact: &str, value: Value) {
        self.set(|state| state.claims.push((file.to_owned(), fact.to_owned(), value)));
    }

    pub fn move_on(&self, commit: &str, file: &str, bytes: &[u8]) {
        self.set(|state| {
            state.commit = commit.to_owned();
            state.files.insert(file.to_owned(), bytes.to_vec());
        });
    }

    pub fn requests(&self) -> Vec<String> {
        self.state.lock().expect("no panic").requests.clone()
    }

    pub fn forget_requests(&self) {
        self.set(|state| state.requests.clear());
    }
}

/// One request, and the connection is closed.
fn answer(mut stream: TcpStream, state: &mut State) -> std::io::Result<()> {
    let mut head = String::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let head = head.to_lowercase();
    state.requests.push(head.clone());
    if state.answers == 0 {
        return Ok(());
    }
    state.answers -= 1;
    let path = head.split(' ').nth(1).unwrap_or_default();
    if let Some(token) = &state.token
        && !head.contains(&format!("authorization: bearer {token}"))
    {
        return reply(&mut stream, "401 Unauthorized", "", b"");
    }
    let (repository, commit) = (state.repository.to_lowercase(), state.commit.clone());
    let revision = format!("/api/models/{repository}/revision/");
    if let Some(revision) = path.strip_prefix(&revision) {
        let known = ["main?blobs=true".to_owned(), format!("{commit}?blobs=true")];
        return match known.iter().any(|known| known == revision) {
            true => reply(&mut stream, "200 OK", "", card(state).to_string().as_bytes()),
            false => reply(&mut stream, "404 Not Found", "", b""),
        };
    }
    let resolve = format!("/{repository}/resolve/{commit}/");
    let name = path.strip_prefix(&resolve);
    let moved = path.strip_prefix("/elsewhere/");
    let find = |wanted: &str| state.files.iter().find(|(name, _)| name.to_lowercase() == wanted);
    match (name.and_then(find), moved.and_then(find)) {
        // Large files are on another path, as on another server.
        (Some((name, _)), _) if name.ends_with(".safetensors") => {
            let place = format!("location: /elsewhere/{name}\r\n");
            reply(&mut stream, "302 Found", &place, b"")
        }
        (Some((_, bytes)), _) | (None, Some((_, bytes))) => {
            send_file(&mut stream, &head, bytes, state)
        }
        (None, None) => reply(&mut stream, "404 Not Found", "", b""),
    }
}

fn card(state: &State) -> Value {
    let sibling = |(name, bytes): (&String, &Vec<u8>)| {
        let mut sibling = json!({"rfilename": name, "size": bytes.len()});
        for (_, fact, value) in state.claims.iter().filter(|(file, ..)| file == name) {
            sibling[fact] = value.clone();
        }
        sibling
    };
    let siblings: Vec<Value> = state.files.iter().map(sibling).collect();
    json!({"id": state.repository, "sha": state.commit, "siblings": siblings})
}

fn send_file(
    stream: &mut TcpStream,
    head: &str,
    bytes: &[u8],
    state: &State,
) -> std::io::Result<()> {
    let range = head.split("range: bytes=").nth(1).and_then(|rest| rest.split('-').next());
    let start = range.filter(|_| state.knows_ranges).and_then(|start| start.parse().ok());
    let rest = &bytes[start.unwrap_or(0).min(bytes.len())..];
    let (status, range) = match start {
        Some(start) if start >= bytes.len() => {
            return reply(stream, "416 Range Not Satisfiable", "", b"");
        }
        Some(start) => {
            let (last, all) = (bytes.len() - 1, bytes.len());
            ("206 Partial Content", format!("content-range: bytes {start}-{last}/{all}\r\n"))
        }
        None => ("200 OK", String::new()),
    };
    let length = rest.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nconnection: close\r\n{range}content-length: {length}\r\n\r\n"
    )?;
    stream.write_all(&rest[..length.min(state.cut)])
}

fn reply(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n"
    )?;
    stream.write_all(body)
}
