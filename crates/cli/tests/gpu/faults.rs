//! What goes wrong with a GPU: every fault that the emulator of `tools/rdna-emu-runtime` can inject
//! ends in an error that a person or a health check sees, and no process stays behind.

use std::sync::OnceLock;

use serde_json::Value;

use super::server::{Server, Start};
use super::{DRIVERS, answering, artifact, counted, ends_with, output, text, tyto};

/// Launches until a server listens, by a run without faults.
fn launches_to_start(driver: &str) -> u64 {
    static COUNTS: [OnceLock<u64>; 2] = [OnceLock::new(), OnceLock::new()];
    let index = DRIVERS.iter().position(|name| *name == driver).expect("one of them");
    *COUNTS[index].get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let report = folder.path().join("report.json");
        let path = report.to_str().expect("text");
        let variables = [("TYTO_EMU_REPORT", path)];
        let mut server = Server::start(&Start {
            artifact: artifact(),
            device: driver,
            options: &[],
            variables: &variables,
        });
        server.terminate();
        assert_eq!(server.end().0, Some(0));
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

#[test]
fn a_fault_in_a_step_fails_its_request_and_ends_the_server() {
    let faults = [("amdgpu", "async"), ("amdgpu", "reject"), ("hip", "lost"), ("hip", "reject")];
    for (driver, kind) in faults {
        let mut server = server_with(driver, 2, kind, &["--after-loss", "600"]);
        assert_eq!(server.ask("GET", "/health", "").0, 200);
        // One meets the fault; the other is under way or waits with it, or comes too late.
        let asked = [(); 2].map(|()| server.begin("POST", "/v1/completions", HELLO));
        let answers = asked.map(|asked| asked.answer());
        let with = |code| answers.iter().filter(|(status, _)| *status == code).count();
        assert!(with(500) >= 1 && with(500) + with(503) == 2, "{driver} {kind}: {answers:?}");
        let (status, health) = server.ask("GET", "/health", "");
        assert_eq!(status, 503, "{driver} {kind}: {health}");
        assert!(health.contains("unhealthy"), "{driver} {kind}: {health}");
        assert_eq!(server.complete().0, 503, "{driver} {kind}");
        server.terminate();
        let (code, message) = server.end();
        assert_eq!(code, Some(1), "{driver} {kind}: {message}");
        assert!(message.contains("start the server anew"), "{driver} {kind}: {message}");
    }
}

#[test]
fn a_step_that_hangs_ends_the_server_by_itself() {
    for driver in DRIVERS {
        let limits = ["--after-loss", "0", "--step-timeout", "3"];
        let mut server = server_with(driver, 2, "hang", &limits);
        let (status, answer) = server.complete();
        assert_eq!(status, 500, "{driver}: {answer}");
        assert!(answer.contains("--step-timeout"), "{driver}: {answer}");
        let (code, message) = server.end();
        assert_eq!(code, Some(1), "{driver}: {message}");
        assert!(message.contains("the device hangs"), "{driver}: {message}");
    }
}

#[test]
fn faults_while_the_model_loads_end_the_process_with_a_message() {
    for driver in DRIVERS {
        for fault in ["launch:1:async", "launch:2:hang", "launch:1:lost"] {
            let mut command = answering(driver);
            command.args(["--load-timeout", "5"]).env("TYTO_EMU_FAULT", fault);
            let message = ends_with(1, &mut command);
            assert!(message.contains("error: "), "{driver} {fault}: {message}");
        }
        // Too little memory: `amdgpu` does not open, `hip` waits for ever while it loads.
        let mut command = answering(driver);
        command.args(["--load-timeout", "5"]).env("TYTO_EMU_FAULT", "alloc:12:oom");
        let code = if driver == "amdgpu" { 2 } else { 1 };
        assert!(ends_with(code, &mut command).contains("error: "));
    }
}

#[test]
fn a_misspelt_fault_tests_nothing_and_is_refused() {
    let message = ends_with(2, answering("amdgpu").env("TYTO_EMU_FAULTS", "launch:1:async"));
    assert!(message.contains("TYTO_EMU_FAULTS"), "{message}");
}

#[test]
fn verify_passes_on_the_emulator_and_writes_its_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = folder.path().join("report");
    let mut command = tyto();
    command.arg("verify").arg(artifact()).args(["--device", "amdgpu", "--report"]).arg(&base);
    let shown = output(command.args(["--system-root", "/nowhere"]));
    let shown = (shown.status.code(), text(&shown.stdout), text(&shown.stderr));
    assert_eq!(shown.0, Some(0), "{}\n{}", shown.1, shown.2);
    let json = std::fs::read(base.with_extension("json")).expect("it was written");
    let report: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(report["passed"], true);
    let checks = report["checks"].as_array().expect("a list");
    let outcome = |name: &str| {
        let check = checks.iter().find(|check| check["name"] == name).expect("it is there");
        check["outcome"].as_str().expect("text").to_owned()
    };
    for name in ["machine", "driver", "memory", "answers", "repeats", "speed", "faults"] {
        assert_eq!(outcome(name), "passed", "{name}: {report:#}");
    }
    let plain = std::fs::read_to_string(base.with_extension("txt")).expect("it was written");
    assert!(plain.contains("verdict     passed"), "{plain}");
}
