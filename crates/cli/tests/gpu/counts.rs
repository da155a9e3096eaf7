//! What a token costs the host, by the emulator's counts: a recorded step is sent again, and nothing
//! is allocated or recorded for it.

use serde_json::Value;

use super::{artifact, counted, ok, tyto};

/// Tokens of the two answers that are compared; the first token comes of the prompt's step.
const SHORT: u64 = 3;
const LONG: u64 = 6;

/// What happens on the way to an answer of so many tokens.
fn report(tokens: u64, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.json");
    let mut command = tyto();
    command.arg("run").arg(artifact()).args(["--prompt", "hello", "--quiet", "-n"]);
    command.arg(tokens.to_string()).args(options).env("TYTO_EMU_REPORT", &path);
    ok(&mut command);
    counted(&path)
}

/// The count of one name, 0 where nothing was counted.
fn count(report: &Value, group: &str, name: &str) -> u64 {
    report["calls"][group][name].as_u64().unwrap_or(0)
}

/// How much more of a count the longer answer takes, a token.
fn a_token([short, long]: &[Value; 2], group: &str, name: &str) -> f64 {
    let [short, long] = [short, long].map(|report| count(report, group, name) as f64);
    (long - short) / (LONG - SHORT) as f64
}

#[test]
fn a_token_is_one_recorded_step_that_is_sent_again() {
    let pairs = [&[][..], &["--pm4"]].map(|options| {
        let options = [&["--device", "amdgpu"], options].concat();
        [SHORT, LONG].map(|tokens| report(tokens, &options))
    });
    for (reports, kept) in pairs.iter().zip([false, true]) {
        // At most one wait of the queue.
        assert!(a_token(reports, "packets", "barrier_and") <= 1.0, "kept: {kept}");
        let [commands, dispatches] =
            ["pm4_ib", "dispatch"].map(|name| a_token(reports, "packets", name));
        match kept {
            // The one launch writes addresses into the commands.
            true => assert_eq!((commands, dispatches), (1.0, 1.0)),
            false => assert!(commands == 0.0 && dispatches > 10.0, "{dispatches}"),
        }
        let made =
            ["hsa_amd_memory_pool_allocate", "hsa_amd_signal_create", "hsa_executable_freeze"];
        nothing_is_made(reports, "hsa", &made);
    }
    steps_stay_on_the_device_only_where_that_is_asked_for(&pairs.map(|[short, _]| short));
    let reports = [SHORT, LONG].map(|tokens| report(tokens, &["--device", "hip"]));
    nothing_is_made(&reports, "hip", &["hipMalloc", "hipMemAllocAsync", "hipModuleLoadData"]);
}

/// No token allocates, loads or records anything, though all of it was done before the first.
fn nothing_is_made(reports: &[Value; 2], library: &str, calls: &[&str]) {
    let once = calls.iter().filter(|call| count(&reports[0], library, call) > 0);
    assert!(once.count() > 0, "none of {calls:?} is a call of {library}");
    for call in calls {
        assert_eq!(a_token(reports, library, call), 0.0, "{call}");
    }
}

fn steps_stay_on_the_device_only_where_that_is_asked_for(reports: &[Value; 2]) {
    let [(commands, dispatches), (kept_commands, kept_dispatches)] = [0, 1].map(|index| {
        let of = |name| count(&reports[index], "packets", name);
        (of("pm4_ib"), of("dispatch"))
    });
    assert_eq!(commands, 0);
    // The prompt gives the first of the tokens; each other one is one decode step. Each has one
    // launch, which writes addresses into the commands.
    assert_eq!(kept_commands, SHORT);
    assert!(kept_dispatches < dispatches, "{kept_dispatches} and {dispatches}");
}
