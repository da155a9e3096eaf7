//! TLS, with a certificate of the tests' own.

use std::path::{Path, PathBuf};

use reqwest::{Certificate, Client};
use tokio::sync::oneshot;
use tyto_engine::{Engine, EngineConfig};
use tyto_server::{Error, Server, TlsFiles};

use crate::support::{Setup, ok};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tls").join(name)
}

async fn bind(certificate: &Path, key: &Path) -> Result<Server, Error> {
    let mut setup = Setup::answering("abc");
    setup.options.tls = Some(TlsFiles { certificate: certificate.to_owned(), key: key.to_owned() });
    let executor = setup.executor;
    let factory = move || Ok(Box::new(executor) as _);
    let engine = Engine::start(EngineConfig::new("test-model"), setup.text_model.clone(), factory);
    Server::bind(engine.expect("it starts"), setup.text_model, setup.options).await
}

fn client() -> Client {
    let pem = std::fs::read(fixture("certificate.pem")).expect("the fixture");
    let certificate = Certificate::from_pem(&pem).expect("a certificate");
    Client::builder().add_root_certificate(certificate).build().expect("a client")
}

#[tokio::test]
async fn a_server_with_a_certificate_speaks_tls_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (certificate, key) = (folder.path().join("c.pem"), folder.path().join("k.pem"));
    std::fs::copy(fixture("certificate.pem"), &certificate).expect("a copy");
    std::fs::copy(fixture("key.pem"), &key).expect("a copy");
    let server = bind(&certificate, &key).await.expect("it starts");
    let reload = server.tls_reload().expect("it has TLS");
    let (url, address) = (server.url(), server.address().expect("a port"));
    assert_eq!(url, format!("https://{address}"));
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
    let health = format!("{url}/health");
    assert_eq!(ok(client().get(&health).send().await.expect("a reply")).await["status"], "ok");
    // Nobody whom the client does not know, and no plain text.
    assert!(Client::new().get(&health).send().await.is_err());
    assert!(Client::new().get(format!("http://{address}/health")).send().await.is_err());
    // Wrong files change nothing.
    std::fs::copy(fixture("other.pem"), &key).expect("a copy");
    assert!(matches!(reload.reload(), Err(Error::Tls { .. })));
    ok(client().get(&health).send().await.expect("a reply")).await;
    std::fs::copy(fixture("key.pem"), &key).expect("a copy");
    reload.reload().expect("the files are right again");
    ok(client().get(&health).send().await.expect("a reply")).await;
    drop(stop);
    running.await.expect("no panic").expect("a graceful end");
}

#[tokio::test]
async fn wrong_files_are_named_with_what_is_wrong() {
    let (certificate, key) = (fixture("certificate.pem"), fixture("key.pem"));
    let absent = fixture("absent.pem");
    for (certificate, key, at_fault, words) in [
        (&absent, &key, &absent, "No such file"),
        (&certificate, &absent, &absent, "No such file"),
        (&key, &key, &key, "found no CERTIFICATE"),
        (&certificate, &certificate, &certificate, "found no PRIVATE KEY"),
        (&certificate, &fixture("other.pem"), &fixture("other.pem"), "it is not the key of"),
    ] {
        let Err(error) = bind(certificate, key).await else {
            panic!("{} and {} are no pair", certificate.display(), key.display());
        };
        let text = error.to_string();
        assert!(
            text.starts_with(&at_fault.display().to_string()) && text.contains(words),
            "{text}"
        );
    }
}
