//! What goes wrong with a GPU: every fault that the emulator of `tools/rdna-emu-runtime` can inject
//! ends in an error that a person or a health check sees, and no process stays behind.

use std::sync::OnceLock;

use serde_json::Value;

use super::server::{Server, Start};
use super::{DRIVERS, answering, artifact, checkpoint, counted, ends_with, ok, tyto};

/// Launches until a server listens, by a run without faults.
fn launches_to_start(driver: &str) -> u64 {
    static COUNTS: [OnceLock<u64>; 2] = [OnceLock::new(), OnceLock::new()];
    let index = DRIVERS.iter().position(|name| *name == driver).expect("one of them");
    *COUNTS[index].get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let report = folder.path().join("report.json");
        let path = report.to_str().expect("text");
        let variables = [("TYTO_EMU_REPORT", path)];
        end_well(Server::start(&Start {
            artifact: artifact(),
            device: driver,
            options: &[],
            variables: &variables,
        }));
        counted(&report)["total"]["launches"].as_u64().expect("a count")
    })
}

/// A server that meets a fault at so many launches after it has begun to listen.
fn server_with(driver: &str, after: u64, kind: &str, options: &[&str]) -> Server {
    let fault = format!("launch:{}:{kind}", launches_to_start(driver) + after);
    let variables = [("TYTO_EMU_FAULT", &*fault)];
    Server::start(&Start { artifact: artifact(), device: driver, options, variables: &variables })
}

/// A request.
const HELLO: &str = r#"{"prompt": "hello", "max_tokens": 4}"#;

impl Server {
    fn complete(&self) -> (u16, String) {
        self.ask("POST", "/v1/completions", HELLO)
    }
}

/// What a server that has lost its GPU says until it ends: its health, and to who asks.
fn is_lost(server: &Server, what: &str) {
    let (status, health) = server.ask("GET", "/health", "");
    assert_eq!(status, 503, "{what}: {health}");
    assert!(health.contains("unhealthy"), "{what}: {health}");
    assert_eq!(server.complete().0, 503, "{what}");
}

/// A server that has lost its GPU ends with 1 and says what to do.
fn ends_lost(mut server: Server, what: &str) {
    let (code, message) = server.end();
    assert_eq!(code, Some(1), "{what}: {message}");
    assert!(message.contains("start the server anew"), "{what}: {message}");
}

#[test]
fn a_fault_in_a_step_fails_its_request_and_ends_the_server() {
    for (driver, kind) in [("amdgpu", "async"), ("amdgpu", "lost"), ("hip", "lost")] {
        let what = format!("{driver} {kind}");
        let server = server_with(driver, 2, kind, &["--after-loss", "600"]);
        assert_eq!(server.ask("GET", "/health", "").0, 200);
        // One meets the fault; the other is under way or waits with it, or comes too late.
        let asked = [(); 2].map(|()| server.begin("POST", "/v1/completions", HELLO));
        let answers = asked.map(|asked| asked.answer());
        let with = |code| answers.iter().filter(|(status, _)| *status == code).count();
        assert!(with(500) >= 1 && with(500) + with(503) == 2, "{what}: {answers:?}");
        let says = |(status, answer): &(u16, String)| {
            *status != 500 || answer.contains("the GPU does not answer any more")
        };
        assert!(answers.iter().all(says), "{what}: {answers:?}");
        is_lost(&server, &what);
        server.terminate();
        ends_lost(server, &what);
    }
}

/// A prompt that fills blocks of the cache, and another.
const LONG: [&str; 2] = [
    r#"{"prompt": "one two three four five six seven eight nine ten", "max_tokens": 4, "temperature": 0}"#,
    r#"{"prompt": "ten nine eight seven six five four three two one", "max_tokens": 4, "temperature": 0}"#,
];

/// The text of an answer, and how much of its prompt was in the cache.
fn answered((status, body): (u16, String)) -> (String, u64) {
    assert_eq!(status, 200, "{body}");
    let body: Value = serde_json::from_str(&body).expect("JSON");
    let cached = &body["usage"]["prompt_tokens_details"]["cached_tokens"];
    (body["choices"][0]["text"].as_str().expect("text").to_owned(), cached.as_u64().unwrap_or(0))
}

/// The GPU is opened anew, with the weights and the cache where they are: what was there before is
/// found in the cache, and the same tokens follow.
#[test]
fn a_refused_launch_fails_its_request_alone() {
    for (device, options) in [("amdgpu", &[][..]), ("amdgpu", &["--pm4"]), ("hip", &[])] {
        let what = format!("{device} {options:?}");
        let served = |variables: &[(&str, &str)]| {
            Server::start(&Start { artifact: artifact(), device, options, variables })
        };
        let ask =
            |server: &Server, which: usize| server.ask("POST", "/v1/completions", LONG[which]);
        let folder = tempfile::tempdir().expect("a folder");
        let report = folder.path().join("report.json");
        let server = served(&[("TYTO_EMU_REPORT", report.to_str().expect("text"))]);
        let expected = [0, 1].map(|which| answered(ask(&server, which)).0);
        end_well(server);
        let both = counted(&report)["total"]["launches"].as_u64().expect("a count");
        // Refused is a launch of the second answer's last step.
        let server = served(&[("TYTO_EMU_FAULT", &format!("launch:{}:reject", both - 3))]);
        assert_eq!(answered(ask(&server, 0)).0, expected[0], "{what}");
        let (status, answer) = ask(&server, 1);
        assert_eq!(status, 500, "{what}: {answer}");
        assert!(answer.contains("the GPU refused a part of this step"), "{what}: {answer}");
        assert_eq!(server.ask("GET", "/health", "").0, 200, "{what}");
        let (text, cached) = answered(ask(&server, 0));
        assert!(text == expected[0] && cached > 0, "{what}: {text:?} with {cached} cached");
        assert_eq!(answered(ask(&server, 1)).0, expected[1], "{what}");
        end_well(server);
    }
}

/// A GPU that refuses again and again is lost in the end: what a failed driver holds is never given back.
#[test]
fn a_gpu_is_not_opened_anew_for_ever() {
    let first = launches_to_start("amdgpu") + 2;
    let faults: Vec<String> =
        (0..12).map(|n| format!("launch:{}:reject", first + 64 * n)).collect();
    let server = Server::start(&Start {
        artifact: artifact(),
        device: "amdgpu",
        options: &["--after-loss", "600"],
        variables: &[("TYTO_EMU_FAULT", &faults.join(","))],
    });
    let mut refused = 0;
    let last = loop {
        let (status, answer) = server.complete();
        match status {
            200 => {}
            500 if answer.contains("the GPU refused a part of this step") => refused += 1,
            _ => break answer,
        }
    };
    assert_eq!(refused, 8, "{last}");
    assert!(last.contains("it was opened anew 8 times already"), "{last}");
    is_lost(&server, "refusals");
    server.terminate();
    ends_lost(server, "refusals");
}

/// An illegal access through `hip`: IREE's driver waits without end for the event behind it, unless the
/// error meets a call that comes before the wait.
const EITHER: (&str, &str) = ("hip", "async");

/// What never ends, and what may not.
#[test]
fn a_step_that_does_not_end_is_given_up() {
    for (driver, kind) in [("amdgpu", "hang"), ("hip", "hang"), ("hip", "async")] {
        let what = format!("{driver} {kind}");
        let limits = ["--after-loss", "600", "--step-timeout", "1"];
        let server = server_with(driver, 2, kind, &limits);
        let (status, answer) = server.complete();
        assert_eq!(status, 500, "{what}: {answer}");
        let refused = (driver, kind) == EITHER && answer.contains("does not answer any more");
        let hangs = answer.contains("--step-timeout): the device hangs");
        assert!(hangs || refused, "{what}: {answer}");
        is_lost(&server, &what);
        server.terminate();
        ends_lost(server, &what);
    }
}

/// Code that the compiler made allocates in every step. Memory that runs out there is the step's misfortune, and the GPU works on.
/// What is refused in the middle has the GPU opened anew, for such code too.
#[test]
fn memory_that_runs_out_in_a_step_fails_its_request_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let decomposed = folder.path().join("decomposed.tyto");
    let mut command = tyto();
    command.arg("compile").arg(checkpoint("llama")).arg("-o").arg(&decomposed);
    command.args(["--target", "gfx1151:amdgpu", "--kernels", "never"]);
    ok(command.args(["--ctx", "64", "--batches", "1", "--chunks", "32"]));
    let served = |variables: &[(&str, &str)]| {
        let (artifact, options) = (&*decomposed, &["--speculate", "never"][..]);
        Server::start(&Start { artifact, device: "amdgpu", options, variables })
    };
    let report = folder.path().join("report.json");
    let server = served(&[("TYTO_EMU_REPORT", report.to_str().expect("text"))]);
    end_well(server);
    let allocations = counted(&report)["calls"]["memory"]["allocations"].as_u64();
    // The first allocations after that are those of the request's first step.
    let first = allocations.expect("a count") + 1;
    let server = served(&[("TYTO_EMU_FAULT", &format!("alloc:{first}:oom"))]);
    let (status, answer) = server.complete();
    assert_eq!(status, 500, "{answer}");
    assert!(answer.contains("RESOURCE_EXHAUSTED"), "{answer}");
    assert_eq!(server.ask("GET", "/health", "").0, 200);
    let expected = answered(server.ask("POST", "/v1/completions", LONG[0])).0;
    end_well(server);

    let launches = counted(&report)["total"]["launches"].as_u64().expect("a count");
    let server = served(&[("TYTO_EMU_FAULT", &format!("launch:{}:reject", launches + 9))]);
    let (status, answer) = server.complete();
    assert_eq!(status, 500, "{answer}");
    assert!(answer.contains("the GPU refused a part of this step"), "{answer}");
    assert_eq!(answered(server.ask("POST", "/v1/completions", LONG[0])).0, expected);
    end_well(server);
}

/// A server that nothing has happened to.
fn end_well(mut server: Server) {
    server.terminate();
    let (code, message) = server.end();
    assert_eq!(code, Some(0), "{message}");
}

#[test]
fn a_server_that_lost_its_gpu_ends_by_itself() {
    let server = server_with("amdgpu", 2, "lost", &["--after-loss", "0"]);
    assert_eq!(server.complete().0, 500);
    ends_lost(server, "lost");
}

/// A server that meets a fault before it listens: how it ends, and what it says.
fn loading(driver: &str, fault: &str, limit: &str, code: i32) -> String {
    let mut command = tyto();
    command.arg("serve").arg(artifact()).args(["--device", driver, "--port", "0"]);
    command.args(["--load-timeout", limit]).env("TYTO_EMU_FAULT", fault);
    ends_with(code, &mut command)
}

#[test]
fn faults_while_the_model_loads_end_the_process_with_a_message() {
    for (driver, fault) in [
        ("amdgpu", "launch:1:async"),
        ("amdgpu", "launch:1:lost"),
        ("amdgpu", "launch:1:reject"),
        ("hip", "launch:1:lost"),
        ("hip", "launch:1:reject"),
    ] {
        let message = loading(driver, fault, "60", 1);
        assert!(message.contains("error: "), "{driver} {fault}: {message}");
        assert!(!message.contains("--load-timeout"), "{driver} {fault}: {message}");
    }
    // A limit that a slow machine reaches early says the same.
    for (driver, fault) in
        [("amdgpu", "launch:2:hang"), ("hip", "launch:1:hang"), ("hip", "launch:1:async")]
    {
        let message = loading(driver, fault, "1", 1);
        let refused = driver == "hip" && fault.ends_with(EITHER.1);
        let refused = refused && message.contains("does not answer any more");
        assert!(message.contains("--load-timeout") || refused, "{driver} {fault}: {message}");
    }
}

/// What the driver wants for itself when it opens (exit code 2: this GPU cannot be used), and what
/// the model wants. No later step allocates: see the tests of counts.
#[test]
fn too_little_memory_is_said_before_the_server_listens() {
    for (driver, allocation, code) in
        [("amdgpu", 12, 2), ("amdgpu", 20, 1), ("amdgpu", 40, 1), ("hip", 1, 2), ("hip", 12, 1)]
    {
        let message = loading(driver, &format!("alloc:{allocation}:oom"), "60", code);
        for part in ["error: ", "RESOURCE_EXHAUSTED"] {
            assert!(message.contains(part), "{driver} {allocation}: {message}");
        }
    }
}

#[test]
fn a_misspelt_fault_tests_nothing_and_is_refused() {
    let message = ends_with(2, answering("amdgpu").env("TYTO_EMU_FAULTS", "launch:1:async"));
    assert!(message.contains("TYTO_EMU_FAULTS"), "{message}");
}

/// What `tyto verify` says, with these arguments: its text and its report.
fn verified(arguments: &[&str]) -> (String, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let base = folder.path().join("report");
    let mut command = tyto();
    command.arg("verify").args(arguments).args(["--system-root", "/nowhere", "--report"]);
    ok(command.arg(&base));
    let json = std::fs::read(base.with_extension("json")).expect("it was written");
    let report: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(report["passed"], true);
    (std::fs::read_to_string(base.with_extension("txt")).expect("it was written"), report)
}

/// Names of its checks by what came of them.
fn outcomes<'a>(report: &'a Value, outcome: &str) -> Vec<&'a str> {
    let checks = report["checks"].as_array().expect("a list").iter();
    let of = checks.filter(|check| check["outcome"] == outcome);
    of.map(|check| check["name"].as_str().expect("text")).collect()
}

#[test]
fn verify_passes_on_the_emulator_and_writes_its_report() {
    let path = artifact().to_str().expect("text");
    let (plain, report) = verified(&[path, "--device", "amdgpu"]);
    assert!(plain.contains("verdict     passed"), "{plain}");
    let passed = outcomes(&report, "passed");
    let expected =
        ["machine", "driver", "memory", "answers", "repeats", "speed", "refusal", "faults"];
    assert_eq!(passed, expected, "{report:#}");
    assert_eq!(outcomes(&report, "skipped"), ["compile", "kinds", "formats", "probes"]);
}

/// A tiny model of each kind, and every format of weights and of caches.
#[test]
fn verify_without_an_artifact_tries_every_kind_and_format() {
    let (_, report) = verified(&["--device", "amdgpu"]);
    assert_eq!(outcomes(&report, "skipped"), [""; 0], "{report:#}");
    let checks = report["checks"].as_array().expect("a list");
    let figures = |name: &str| {
        let check = checks.iter().find(|check| check["name"] == name).expect("it is there");
        check["figures"].as_object().expect("figures").clone()
    };
    assert_eq!(figures("formats").len(), 14, "{report:#}");
    for name in ["bandwidth_gb_per_second", "wmma_tflops"] {
        assert!(figures("probes")[name].as_f64().expect("a number") > 0.0, "{report:#}");
    }
}
