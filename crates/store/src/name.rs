//! How models of a hub are named.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// The longest part of a name.
const LONGEST: usize = 200;

/// `OWNER/NAME`, with a revision and, in a repository of GGUF files, which of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubName {
    /// The person or the organisation.
    pub owner: String,
    /// The model.
    pub name: String,
    /// A branch, tag or commit; `None` is the branch `main`.
    pub revision: Option<String>,
    /// A GGUF file's name, or a part of it that only one has.
    pub file: Option<String>,
}

impl HubName {
    /// `OWNER/NAME`.
    pub fn repository(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    /// The revision to ask for.
    pub fn revision(&self) -> &str {
        self.revision.as_deref().unwrap_or("main")
    }

    /// The folder's name; no two repositories have one.
    pub(crate) fn folder(&self) -> String {
        format!("{}--{}", self.owner, self.name)
    }
}

impl fmt::Display for HubName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.owner, self.name)?;
        if let Some(revision) = &self.revision {
            write!(out, "@{revision}")?;
        }
        match &self.file {
            Some(file) => write!(out, ":{file}"),
            None => Ok(()),
        }
    }
}

impl FromStr for HubName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::Name { found: text.to_owned() };
        let (rest, file) = match text.split_once(':') {
            Some((rest, file)) => (rest, Some(file)),
            None => (text, None),
        };
        let (rest, revision) = match rest.split_once('@') {
            Some((rest, revision)) => (rest, Some(revision)),
            None => (rest, None),
        };
        let (owner, name) = rest.split_once('/').ok_or_else(wrong)?;
        let parts = [Some(owner), Some(name), file];
        // A revision may be a branch with slashes; it is never part of a path.
        let revision_parts = revision.into_iter().flat_map(|text| text.split('/'));
        let all_good =
            parts.into_iter().flatten().chain(revision_parts).all(is_part) && !owner.contains("--");
        if !all_good {
            return Err(wrong());
        }
        Ok(Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
            revision: revision.map(str::to_owned),
            file: file.map(str::to_owned),
        })
    }
}

/// Whether a text may be one part of a path and of a URL as it is.
pub(crate) fn is_part(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+=".contains(&byte);
    (1..=LONGEST).contains(&text.len())
        && text.bytes().all(is_allowed)
        && !text.starts_with('.')
        && !text.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_an_owner_and_may_have_a_revision_and_a_file() {
        for text in ["a/b", "Qwen/Qwen3-0.6B@main", "a/b:Q4_K_M", "a/b@refs/pr/1:b.gguf"] {
            let name: HubName = text.parse().expect("a name");
            assert_eq!(name.to_string(), text);
        }
        let name: HubName = "a/b@v1:x".parse().expect("a name");
        assert_eq!((name.revision(), name.file.as_deref()), ("v1", Some("x")));
        for bad in [
            "", "a", "a/", "/b", "a/b/c", "a/..", "../b", "a/b@", "a/b:", "a/b@../x", "a/b:../x",
            "a b/c", "a/.b", "a--b/c", "a/b?c", "a/b%2e",
        ] {
            assert!(bad.parse::<HubName>().is_err(), "{bad}");
        }
    }
}
