//! Every package that the workspace builds from has a licence that `deny.toml` allows, and comes from the registry.
//!
//! cargo-deny checks the same and more; this needs nothing installed.

use tyto_tests::workspace::{metadata, read};

#[test]
fn packages_have_allowed_licences_and_sources() {
    let allowed = allowed();
    let clarified = clarified();
    let metadata = metadata(&["--all-features"]);
    let mut refused = Vec::new();
    for package in metadata["packages"].as_array().expect("cargo lists packages") {
        let name = format!("{} {}", package["name"].as_str().expect("a name"), package["version"]);
        let crate_name = package["name"].as_str().expect("a name");
        let clarified = clarified.iter().find(|(name, _)| name == crate_name);
        let clarified = clarified.map(|(_, expression)| expression.as_str());
        match package["license"].as_str().or(clarified) {
            Some(expression) if permits(expression, &allowed) => {}
            Some(expression) => refused.push(format!("{name}: {expression}")),
            None => refused.push(format!("{name}: no licence given")),
        }
        if let Some(source) = package["source"].as_str()
            && !source.starts_with("registry+")
        {
            refused.push(format!("{name}: source {source}"));
        }
    }
    assert!(refused.is_empty(), "deny.toml does not allow:\n  {}", refused.join("\n  "));
}

/// The list `licenses.allow` of deny.toml.
fn allowed() -> Vec<String> {
    let text = read("deny.toml");
    let section = text.split_once("[licenses]").expect("deny.toml has [licenses]").1;
    let list = section.split_once("allow = [").expect("[licenses] has allow").1;
    let list = list.split_once(']').expect("the list ends").0;
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Crate and expression of each `[[licenses.clarify]]` of deny.toml.
fn clarified() -> Vec<(String, String)> {
    let text = read("deny.toml");
    let value = |section: &str, key: &str| {
        let line = section.lines().find(|line| line.starts_with(key)).expect("the key is there");
        line.split('"').nth(1).expect("a quoted value").to_owned()
    };
    let sections = text.split("[[licenses.clarify]]").skip(1);
    sections.map(|section| (value(section, "crate"), value(section, "expression"))).collect()
}

/// Whether an SPDX expression can be met with the allowed licences. `AND` binds closer than `OR`; the old
/// `MIT/Apache-2.0` means `OR`.
fn permits(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let answer = any_of(&words, &mut at, allowed);
    assert_eq!(at, words.len(), "cannot read the licence expression {expression:?}");
    answer
}

fn any_of(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut answer = all_of(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        answer |= all_of(words, at, allowed);
    }
    answer
}

fn all_of(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut answer = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        answer &= one(words, at, allowed);
    }
    answer
}

fn one(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let word = words.get(*at).copied().expect("a licence follows an operator");
    *at += 1;
    if word == "(" {
        let answer = any_of(words, at, allowed);
        assert_eq!(words.get(*at), Some(&")"), "a parenthesis is closed");
        *at += 1;
        return answer;
    }
    let mut licence = word.to_owned();
    if words.get(*at) == Some(&"WITH") {
        licence = format!("{word} WITH {}", words.get(*at + 1).expect("an exception follows WITH"));
        *at += 2;
    }
    allowed.contains(&licence)
}

#[test]
fn expressions_are_read_as_spdx_means_them() {
    let allowed = ["MIT", "Apache-2.0 WITH LLVM-exception", "ISC"].map(str::to_owned);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT/GPL-3.0", true),
        ("GPL-3.0 OR ISC AND MIT", true),
        ("(GPL-3.0 OR ISC) AND Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception AND ISC", true),
        ("Apache-2.0", false),
    ] {
        assert_eq!(permits(expression, &allowed), expected, "{expression}");
    }
}
