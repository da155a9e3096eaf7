//! Models that are compiled when they are used first.

use serde_json::json;

use crate::common::{checkpoint, ok, run, text, tyto};
use crate::hub;
use crate::served::Served;

/// A model directory in an artifact's place, twice; then as one of two models of a server.
#[test]
fn a_model_directory_is_compiled_once_and_served_beside_others() {
    let home = tempfile::tempdir().expect("a folder");
    let at_home = |arguments: &[&str]| {
        let mut command = tyto();
        command.env("TYTO_HOME", home.path()).args(arguments);
        command
    };
    let directory = checkpoint();
    let directory = directory.to_str().expect("text");
    let answer = || {
        let output = run(at_home(&["run", directory, "--ctx", "64", "--temperature", "0"])
            .args(["--prompt", "hi", "-n", "3", "--quiet"]));
        let message = text(&output.stderr);
        (ok(output), message)
    };
    let (first, second) = (answer(), answer());
    assert!(
        first.1.contains("this is done once") && !second.1.contains("done once"),
        "{}",
        second.1
    );
    assert_eq!(first.0, second.0);
    let listed = ok(run(&mut at_home(&["list"])));
    assert!(listed.contains("compiled from") && listed.contains("llama"), "{listed}");

    let mut command = at_home(&["serve", directory, "--ctx", "64"]);
    command.arg(directory).args(["--name", "a", "--name", "b", "--port", "0"]);
    let server = Served::start_command(command);
    let models = server.send("GET", "/v1/models", "");
    assert_eq!(models.matches("\"state\":\"unloaded\"").count(), 2, "{models}");
    let request = json!({"model": "b", "prompt": "hi", "max_tokens": 2, "temperature": 0});
    let reply = server.send("POST", "/v1/completions", &request.to_string());
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("\"model\":\"b\""), "{reply}");
    let request = json!({"model": "c", "prompt": "hi"});
    assert!(server.send("POST", "/v1/completions", &request.to_string()).contains(" 404 "));
    assert_eq!(server.stop("TERM"), Some(0));

    let removed = ok(run(&mut at_home(&["rm", "--compiled"])));
    assert!(removed.contains("removed 1"), "{removed}");
    let left = std::fs::read_dir(home.path().join("artifacts")).expect("a folder").count();
    assert_eq!(left, 0);
}

/// A hub's model, asked for by name: loaded with the token, compiled, found again without a hub,
/// and removed with what was compiled of it.
#[test]
fn a_hubs_model_is_loaded_compiled_and_run_by_its_name() {
    let home = tempfile::tempdir().expect("a folder");
    let files: Vec<(String, Vec<u8>)> = std::fs::read_dir(checkpoint())
        .expect("the fixture is there")
        .map(|entry| entry.expect("it is readable").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("a file"))
        })
        .collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let hub = hub::TestHub::new("acme/owl", "0123abcd", &files);
    hub.ask_for("secret");
    let at_hub = |arguments: &[&str], offline: &str| {
        let mut command = tyto();
        command.env("TYTO_HOME", home.path()).env("HF_ENDPOINT", hub.url());
        command.env("HF_TOKEN", "secret").env("HF_HUB_OFFLINE", offline).args(arguments);
        command
    };
    let ask = ["run", "acme/owl", "--ctx", "64", "--temperature", "0", "--prompt", "hi", "-n", "3"];
    let absent = run(&mut at_hub(&ask, "1"));
    assert!(text(&absent.stderr).contains("offline"), "{}", text(&absent.stderr));
    let first = ok(run(&mut at_hub(&ask, "")));
    let asked = hub.requests().len();
    let second = run(&mut at_hub(&ask, "1"));
    assert!(!text(&second.stderr).contains("done once"), "{}", text(&second.stderr));
    assert_eq!((ok(second), hub.requests().len()), (first, asked));
    let pulled = ok(run(&mut at_hub(&["pull", "acme/owl"], "")));
    assert!(pulled.contains("0123abcd"), "{pulled}");
    let removed = ok(run(&mut at_hub(&["rm", "acme/owl"], "")));
    assert!(removed.contains("and 1 compiled from it"), "{removed}");
    assert!(ok(run(&mut at_hub(&["list"], ""))).contains("tyto pull"), "nothing is left");
}
