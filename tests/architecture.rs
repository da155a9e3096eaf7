//! ARCHITECTURE.md is held to the code: its tables are the rules, and these tests apply them.

use std::collections::{BTreeMap, BTreeSet};

use tyto_tests::markdown::{code_spans, links, table};
use tyto_tests::workspace::{code_lines, crate_of, files, metadata, read, root};

/// One row of the table of crates.
struct Rule {
    name: String,
    may_use: BTreeSet<String>,
    may_be_unsafe: bool,
}

fn rules() -> Vec<Rule> {
    table(&read("ARCHITECTURE.md"), "Crate")
        .into_iter()
        .map(|row| {
            assert_eq!(
                row.len(),
                4,
                "ARCHITECTURE.md: the table of crates has four columns, not {row:?}"
            );
            Rule {
                name: row[0].trim_matches('`').to_owned(),
                may_use: words(&row[1]).collect(),
                may_be_unsafe: row[2] == "yes",
            }
        })
        .collect()
}

/// The code spans of a cell.
fn words(cell: &str) -> impl Iterator<Item = String> + '_ {
    cell.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The dependencies of each crate that its product has, by folder name: (ours, others).
fn dependencies() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let metadata = metadata(&["--no-deps"]);
    let packages = metadata["packages"].as_array().expect("cargo lists packages");
    let folder =
        |manifest: &str| crate_of(std::path::Path::new(manifest).strip_prefix(root()).ok()?);
    packages
        .iter()
        .filter_map(|package| Some((folder(package["manifest_path"].as_str()?)?, package)))
        .map(|(name, package)| {
            let mut ours = BTreeSet::new();
            let mut others = BTreeSet::new();
            for dependency in package["dependencies"].as_array().expect("a list") {
                if dependency["kind"] == "dev" {
                    continue;
                }
                match dependency["path"].as_str() {
                    Some(path) => {
                        ours.insert(path.rsplit('/').next().expect("a last part").to_owned())
                    }
                    None => others.insert(dependency["name"].as_str().expect("a name").to_owned()),
                };
            }
            (name, (ours, others))
        })
        .collect()
}

#[test]
fn every_crate_has_a_row_and_rows_point_only_up_the_page() {
    let mut above = BTreeSet::new();
    for rule in rules() {
        for used in &rule.may_use {
            assert!(
                above.contains(used),
                "ARCHITECTURE.md: `{}` may use `{used}`, which is not above it",
                rule.name
            );
        }
        assert!(above.insert(rule.name.clone()), "ARCHITECTURE.md: two rows for `{}`", rule.name);
    }
    let crates: BTreeSet<String> = dependencies().into_keys().collect();
    assert_eq!(
        above, crates,
        "ARCHITECTURE.md's table of crates (left) and crates/ (right) differ"
    );
}

#[test]
fn crates_use_only_what_the_table_allows() {
    let dependencies = dependencies();
    for rule in rules() {
        let (ours, _) = &dependencies[&rule.name];
        for used in ours {
            assert!(
                rule.may_use.contains(used),
                "crates/{}/Cargo.toml depends on {used}, which ARCHITECTURE.md does not allow",
                rule.name
            );
        }
    }
}

#[test]
fn the_scheduler_depends_on_nothing() {
    let (ours, others) = &dependencies()["scheduler"];
    assert!(ours.is_empty() && others.is_empty(), "the scheduler depends on {ours:?} {others:?}");
}

#[test]
fn outside_libraries_stay_behind_their_crate() {
    let dependencies = dependencies();
    for row in table(&read("ARCHITECTURE.md"), "Library") {
        let allowed: BTreeSet<String> = words(&row[1]).collect();
        for library in words(&row[0]) {
            for (name, (ours, others)) in &dependencies {
                let uses = others.contains(&library) || ours.contains(&library);
                assert!(
                    !uses || allowed.contains(name),
                    "crates/{name} depends on {library}; only {allowed:?} may"
                );
            }
            let path = format!("{}::", library.replace('-', "_"));
            let names_it = |line: &str| {
                line.match_indices(&path)
                    .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            };
            for file in files("crates", "rs") {
                // A crate's tests may compare it with the library itself.
                let is_test = file.iter().nth(2).is_some_and(|part| part == "tests");
                if is_test || crate_of(&file).is_some_and(|name| allowed.contains(&name)) {
                    continue;
                }
                for (number, line) in code_lines(&file) {
                    assert!(
                        !names_it(&line),
                        "{}:{number} names {library}; only {allowed:?} may",
                        file.display()
                    );
                }
            }
        }
    }
}

/// Every source file of the workspace.
fn sources() -> impl Iterator<Item = std::path::PathBuf> {
    ["crates", "tests", "tools"].into_iter().flat_map(|folder| files(folder, "rs"))
}

#[test]
fn unsafe_code_stays_in_the_crates_that_may_have_it() {
    let allowed: BTreeSet<String> =
        rules().into_iter().filter(|rule| rule.may_be_unsafe).map(|rule| rule.name).collect();
    assert!(!allowed.is_empty(), "ARCHITECTURE.md allows `unsafe` nowhere: its table has changed");
    let tools: Vec<_> = table(&read("ARCHITECTURE.md"), "Tool")
        .iter()
        .map(|row| std::path::Path::new("tools").join(row[0].trim_matches('`')))
        .collect();
    for file in sources() {
        let is_allowed = crate_of(&file).is_some_and(|name| allowed.contains(&name));
        if is_allowed || tools.iter().any(|tool| file.starts_with(tool)) {
            continue;
        }
        for (number, line) in code_lines(&file) {
            // Apart, so that this line does not find itself.
            let keyword = "unsafe";
            let is_unsafe = ["{", "fn ", "impl ", "impl<", "extern ", "trait "]
                .iter()
                .any(|after| line.contains(&[keyword, after].join(" ")));
            assert!(!is_unsafe, "{}:{number}: unsafe code outside of {allowed:?}", file.display());
        }
    }
}

#[test]
fn documents_name_files_that_exist() {
    // The first parts of paths that a document can only mean from the root. `models` and `target` are made later.
    let roots = ["crates/", "tools/", "tests/", "docs/", "graphs/", ".cargo/", ".ci/"];
    let mut checked = 0;
    for document in files(".", "md") {
        let text = read(&document);
        for (number, span) in code_spans(&text) {
            let path = span
                .trim_start_matches("./")
                .split([' ', '#'])
                .next()
                .expect("split gives one part");
            let is_pattern = path.contains(['<', '*', '{', '$', '…']) || path.contains("NAME");
            if roots.iter().any(|first| path.starts_with(first)) && !is_pattern {
                assert!(
                    root().join(path).exists(),
                    "{}:{number}: no such file: {path}",
                    document.display()
                );
                checked += 1;
            }
        }
        let folder = root().join(&document).parent().expect("a document has a folder").to_owned();
        for (number, target) in links(&text) {
            let path = target.split('#').next().expect("split gives one part");
            if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
                continue;
            }
            assert!(
                folder.join(path).exists(),
                "{}:{number}: broken link: {target}",
                document.display()
            );
        }
    }
    assert!(checked > 0, "no document names a file: this test reads them wrongly");
}

#[test]
fn nothing_is_left_unfinished() {
    // Put together, so that this file does not find itself.
    let marks = [
        ["to", "do!"],
        ["unimple", "mented!"],
        ["TO", "DO"],
        ["FIX", "ME"],
        ["#[ig", "nore"],
        ["db", "g!("],
    ];
    for file in sources() {
        for (index, line) in read(&file).lines().enumerate() {
            for mark in marks.iter().map(|halves| halves.concat()) {
                assert!(!line.contains(&mark), "{}:{}: {mark}", file.display(), index + 1);
            }
        }
    }
}
