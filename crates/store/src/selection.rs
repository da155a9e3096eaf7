//! Which files of a repository a model is made of.

use crate::error::Error;
use crate::name::{HubName, is_part};

/// A file as the hub lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFile {
    /// Its name; with slashes where it is in a folder.
    pub name: String,
    /// Its size, if the hub says it.
    pub bytes: Option<u64>,
    /// Its SHA-256, which the hub knows of large files.
    pub sha256: Option<String>,
}

/// The files to load: all that a model directory needs, or one GGUF file.
pub fn choose(name: &HubName, files: &[RemoteFile]) -> Result<Vec<RemoteFile>, Error> {
    // Folders hold other forms of the same model.
    let here: Vec<&RemoteFile> = files.iter().filter(|file| is_part(&file.name)).collect();
    let has = |wanted: &str| here.iter().any(|file| file.name == wanted);
    let ggufs: Vec<&RemoteFile> =
        here.iter().filter(|file| file.name.ends_with(".gguf")).copied().collect();
    let wrong = |message: String| Error::Files { name: name.to_string(), message };
    let is_directory = has("config.json") && here.iter().any(|file| is_weights(&file.name));
    if name.file.is_none() && is_directory {
        let has_modules = has("modules.json");
        let needed = |file: &&RemoteFile| {
            (is_part(&file.name) && is_needed(&file.name))
                || (has_modules && is_of_module(&file.name))
        };
        return Ok(files.iter().filter(needed).cloned().collect());
    }
    if ggufs.is_empty() {
        let expected = if name.file.is_some() { "" } else { "config.json with *.safetensors, or " };
        return Err(wrong(format!("the repository has no {expected}*.gguf in its first folder")));
    }
    match matching(&ggufs, name.file.as_deref()).as_slice() {
        [one] if is_split(&one.name) => {
            Err(wrong(format!("{} is one of several parts, which are not read", one.name)))
        }
        [one] => Ok(vec![(*one).clone()]),
        [] => Err(wrong(format!("no GGUF file has that name; there are {}", names(&ggufs)))),
        several => Err(wrong(format!(
            "several GGUF files are there; say which, as in {}/{}:{}. There are {}",
            name.owner,
            name.name,
            several[0].name,
            names(several)
        ))),
    }
}

/// The file of this name, or those that have it as a part.
fn matching<'a>(ggufs: &[&'a RemoteFile], wanted: Option<&str>) -> Vec<&'a RemoteFile> {
    let Some(wanted) = wanted else { return ggufs.to_vec() };
    if let Some(exact) = ggufs.iter().find(|file| file.name == wanted) {
        return vec![exact];
    }
    let wanted = wanted.to_lowercase();
    let is_word = |name: &str| {
        let words = name.to_lowercase();
        let words = words.trim_end_matches(".gguf");
        words.split(['-', '.']).any(|word| word == wanted)
    };
    ggufs.iter().filter(|file| is_word(&file.name)).copied().collect()
}

fn names(files: &[&RemoteFile]) -> String {
    files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// `NAME-00001-of-00003.gguf`.
fn is_split(name: &str) -> bool {
    let stem = name.trim_end_matches(".gguf");
    stem.rsplit_once("-of-").is_some_and(|(_, count)| count.bytes().all(|b| b.is_ascii_digit()))
}

fn is_weights(name: &str) -> bool {
    // `consolidated` is the same again, in the form of another program.
    name.ends_with(".safetensors") && !name.starts_with("consolidated")
}

fn is_needed(name: &str) -> bool {
    is_weights(name)
        || name.ends_with(".json")
        || name.ends_with(".jinja")
        || ["merges.txt", "vocab.txt"].contains(&name)
}

/// A file of sentence-transformers, whose steps behind the model have numbered folders: `1_Pooling`.
fn is_of_module(name: &str) -> bool {
    name.split_once('/').is_some_and(|(folder, file)| {
        is_part(folder)
            && folder.starts_with(|first: char| first.is_ascii_digit())
            && ["config.json", "model.safetensors"].contains(&file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<RemoteFile> {
        let file = |name: &&str| RemoteFile { name: (*name).to_owned(), bytes: None, sha256: None };
        names.iter().map(file).collect()
    }

    fn chosen(name: &str, names: &[&str]) -> Result<Vec<String>, String> {
        let name: HubName = name.parse().expect("a name");
        let chosen = choose(&name, &files(names)).map_err(|error| error.to_string())?;
        Ok(chosen.into_iter().map(|file| file.name).collect())
    }

    #[test]
    fn a_model_directory_is_what_tyto_reads_of_it() {
        let all = [
            "README.md",
            "config.json",
            "model.safetensors",
            "tokenizer.json",
            "onnx/model.onnx",
            "chat_template.jinja",
            "consolidated.safetensors",
            "pytorch_model.bin",
            ".gitattributes",
            "original/params.json",
        ];
        let expected =
            ["config.json", "model.safetensors", "tokenizer.json", "chat_template.jinja"];
        assert_eq!(chosen("a/b", &all), Ok(expected.map(str::to_owned).to_vec()));
        assert!(chosen("a/b:Q4_0", &all).is_err());
        let with_modules = [
            "config.json",
            "model.safetensors",
            "modules.json",
            "1_Pooling/config.json",
            "2_Dense/model.safetensors",
            "2_Dense/pytorch_model.bin",
            "../1_Pooling/config.json",
            "onnx/model.safetensors",
        ];
        let expected = with_modules[..5].iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(chosen("a/b", &with_modules), Ok(expected));
        assert!(chosen("a/b", &["README.md", "model.safetensors"]).is_err());
    }

    #[test]
    fn of_several_ggufs_one_is_named() {
        let all = ["m-Q4_0.gguf", "m-Q4_K_M.gguf", "m.f16.gguf", "m-Q8_0-00001-of-00002.gguf"];
        assert_eq!(chosen("a/b:q4_k_m", &all), Ok(vec!["m-Q4_K_M.gguf".to_owned()]));
        assert_eq!(chosen("a/b:m.f16.gguf", &all), Ok(vec!["m.f16.gguf".to_owned()]));
        assert_eq!(chosen("a/b:f16", &all), Ok(vec!["m.f16.gguf".to_owned()]));
        for (name, word) in [("a/b", "several"), ("a/b:Q2_K", "no GGUF"), ("a/b:Q8_0", "parts")] {
            let error = chosen(name, &all).expect_err("refused");
            assert!(error.contains(word), "{name}: {error}");
        }
        assert_eq!(chosen("a/b", &all[..1]), Ok(vec!["m-Q4_0.gguf".to_owned()]));
    }
}
