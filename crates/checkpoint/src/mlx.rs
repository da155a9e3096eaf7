//! Directories that MLX quantized: which modules are quantized how, from `config.json`, and the
//! tensors of each joined into one matrix.
//!
//! A quantized module `NAME` has `NAME.weight` (U32 `[rows, columns × bits / 32]`), `NAME.scales`
//! (`[rows, columns / group]`) and, in affine mode, `NAME.biases` like the scales. As in mlx-lm, a
//! module is quantized if it has scales, by the settings under its own name or else the general ones.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::codes::CodeType;
use crate::dtype::StoredType;
use crate::error::Error;
use crate::json;
use crate::packed::{Packed, PackedMode, Place};
use crate::quantized::{CodeOrder, Grid, Offset, Quantized};
use crate::source_file::SourceFile;
use crate::tensor::Entry;

/// The fields that this module reads: mlx-lm writes the same under both names.
pub(crate) const FIELDS: &[&str] = &["quantization", "quantization_config"];

/// What `config.json` says of quantized modules.
pub(crate) struct Settings {
    file: PathBuf,
    general: Packed,
    /// Modules with settings of their own; `None` where a module is not quantized.
    modules: HashMap<String, Option<Packed>>,
}

/// Reads MLX's settings. `None` where there are none, or where another tool's method is named, which
/// the reader of the configuration refuses.
pub(crate) fn read(file: &Path, config: &Map<String, Value>) -> Result<Option<Settings>, Error> {
    let [own, shared] = [FIELDS[0], FIELDS[1]].map(|field| {
        config.get(field).filter(|value| !value.is_null()).map(|value| (field, value))
    });
    let foreign =
        |value: &Value| value.get("quant_method").is_some() || value.get("group_size").is_none();
    let (field, value) = match (own, shared) {
        (None, None) => return Ok(None),
        (None, Some((_, value))) if foreign(value) => return Ok(None),
        (Some((_, own)), Some((field, shared))) if own != shared => {
            let found = "another value than \"quantization\"".to_owned();
            let expected = "the same, as MLX writes both".to_owned();
            return Err(malformed(file, field, found, expected));
        }
        (Some(found), _) | (None, Some(found)) => found,
    };
    let Some(settings) = value.as_object() else {
        let expected = "an object with group_size, bits and mode".to_owned();
        return Err(malformed(file, field, json::kind(value).into(), expected));
    };
    let general = packed(file, field, settings)?;
    let mut modules = HashMap::new();
    for (name, value) in settings {
        if SETTINGS.contains(&name.as_str()) || NOT_COMPUTED.contains(&name.as_str()) {
            continue;
        }
        let place = format!("{field}[{name:?}]");
        let module = match value {
            Value::Bool(quantized) => quantized.then_some(general),
            Value::Object(settings) => {
                refuse_unknown(file, &place, settings)?;
                Some(packed(file, &place, settings)?)
            }
            other => {
                let expected = "a module's settings, true or false".to_owned();
                return Err(malformed(file, &place, other.to_string(), expected));
            }
        };
        modules.insert(name.clone(), module);
    }
    Ok(Some(Settings { file: file.to_path_buf(), general, modules }))
}

/// The settings of a module.
const SETTINGS: [&str; 3] = ["group_size", "bits", "mode"];

/// Settings that change what is computed and are not known here; false says nothing.
const NOT_COMPUTED: [&str; 2] = ["global_scale", "quantize_input"];

fn refuse_unknown(file: &Path, place: &str, settings: &Map<String, Value>) -> Result<(), Error> {
    let known = |name: &str| SETTINGS.contains(&name) || NOT_COMPUTED.contains(&name);
    match settings.iter().find(|(name, _)| !known(name)) {
        None => Ok(()),
        Some((name, value)) => {
            let expected = format!("only {}", SETTINGS.join(", "));
            Err(malformed(file, &format!("{place}.{name}"), value.to_string(), expected))
        }
    }
}

/// A module's settings, which must be a combination that MLX has.
fn packed(file: &Path, place: &str, settings: &Map<String, Value>) -> Result<Packed, Error> {
    for name in NOT_COMPUTED {
        let value =
            settings.get(name).filter(|value| !matches!(value, Value::Bool(false) | Value::Null));
        if let Some(value) = value {
            let expected = "nothing or false: models with it are not supported".to_owned();
            return Err(malformed(file, &format!("{place}.{name}"), value.to_string(), expected));
        }
    }
    let mode = match settings.get("mode") {
        None => PackedMode::Affine,
        Some(value) => {
            let known = |mode: &PackedMode| value.as_str() == Some(mode.name());
            PackedMode::MLX.into_iter().find(known).ok_or_else(|| {
                let names = PackedMode::MLX.map(PackedMode::name).join(", ");
                malformed(
                    file,
                    &format!("{place}.mode"),
                    value.to_string(),
                    format!("one of {names}"),
                )
            })?
        }
    };
    let number = |name: &str, expected: &str| {
        let value = settings.get(name);
        value.and_then(Value::as_u64).ok_or_else(|| {
            let found = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
            malformed(file, &format!("{place}.{name}"), found, expected.to_owned())
        })
    };
    let group = number("group_size", "32, 64 or 128; 16 for nvfp4")?;
    let bits = number("bits", "2, 3, 4, 5, 6 or 8")?;
    let narrow = u8::try_from(bits).ok().zip(u16::try_from(group).ok());
    let packed = narrow.map(|(bits, group)| Packed { mode, bits, group });
    packed.filter(|packed| packed.is_known()).ok_or_else(|| {
        let found = format!("{bits} bits in groups of {group} for {}", mode.name());
        let expected = "affine of 2, 3, 4, 5, 6 or 8 bits in groups of 32, 64 or 128; mxfp4 of 4 in \
                        32; mxfp8 of 8 in 32; nvfp4 of 4 in 16";
        malformed(file, place, found, expected.to_owned())
    })
}

fn malformed(file: &Path, field: &str, found: String, expected: String) -> Error {
    let field = format!("field {field}");
    Error::Malformed { file: file.to_path_buf(), field, found, expected }
}

impl Settings {
    /// Joins the tensors of quantized modules; others stay as they are.
    ///
    /// # Errors
    /// A tensor of a module is missing, has another shape or type than the settings give it, or is
    /// there although the settings say that the module is not quantized.
    pub(crate) fn join(
        &self,
        entries: Vec<Entry>,
        files: &[SourceFile],
    ) -> Result<Vec<Entry>, Error> {
        let (parts, mut rest): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| part_of(&entry.name).is_some());
        let mut modules: HashMap<String, [Option<Entry>; 2]> = HashMap::new();
        for entry in parts {
            if let Some((module, index)) = part_of(&entry.name) {
                let module = module.to_owned();
                modules.entry(module).or_default()[index] = Some(entry);
            }
        }
        for entry in &mut rest {
            let Some(module) = entry.name.strip_suffix(".weight") else { continue };
            let settings = self.modules.get(module).copied();
            let parts = modules.remove(module);
            let quantized = parts.is_some() || matches!(settings, Some(Some(_)));
            match settings.unwrap_or(Some(self.general)) {
                _ if !quantized && entry.dtype != StoredType::U32 => {}
                Some(packed) => {
                    let module = Module { packed, quantization: self, files };
                    module.join(entry, parts.unwrap_or_default())?;
                }
                None => return Err(self.not_quantized(entry, files)),
            }
        }
        match modules.into_keys().min() {
            None => Ok(rest),
            Some(module) => Err(Error::TensorBytes {
                file: self.file.clone(),
                tensor: format!("{module}.weight"),
                found: format!("scales or biases of {module:?} and no weight"),
                expected: "all tensors of a quantized module; fetch the model again".into(),
            }),
        }
    }

    fn not_quantized(&self, entry: &Entry, files: &[SourceFile]) -> Error {
        Error::TensorBytes {
            file: files[entry.file].path.clone(),
            tensor: entry.name.clone(),
            found: "a quantized module".into(),
            expected: format!("a plain tensor, as {} says false for it", self.file.display()),
        }
    }
}

/// The module that a tensor of scales (0) or biases (1) belongs to.
fn part_of(name: &str) -> Option<(&str, usize)> {
    let scales = name.strip_suffix(".scales").map(|module| (module, 0));
    scales.or_else(|| name.strip_suffix(".biases").map(|module| (module, 1)))
}

/// One quantized module while it is joined.
struct Module<'a> {
    packed: Packed,
    quantization: &'a Settings,
    files: &'a [SourceFile],
}

impl Module<'_> {
    /// Makes the entry of the codes one of the whole matrix.
    fn join(&self, entry: &mut Entry, [scales, biases]: [Option<Entry>; 2]) -> Result<(), Error> {
        let Packed { mode, bits, group } = self.packed;
        let shape = self.shape(entry)?;
        let mut groups = shape.clone();
        groups.iter_mut().next_back().into_iter().for_each(|n| *n /= usize::from(group));
        let module = entry.name.trim_end_matches(".weight").to_owned();
        let scales = self.part(scales, &module, "scales", &groups, mode.scale_types())?;
        let offset = match (mode, biases) {
            (PackedMode::Affine, biases) => {
                let biases = self.part(biases, &module, "biases", &groups, &[scales.dtype])?;
                Offset::Bias(place(biases))
            }
            (_, None) => Offset::None,
            (mode, Some(biases)) => {
                let expected = format!("no biases in mode {}", mode.name());
                return Err(self.wrong(&biases, describe(&biases), expected));
            }
        };
        let (code, dtype) = match mode {
            PackedMode::Mxfp4 => (CodeType::E2M1, StoredType::F8E8M0),
            PackedMode::Mxfp8 => (CodeType::E4M3, StoredType::F8E8M0),
            PackedMode::Nvfp4 => (CodeType::E2M1, StoredType::F8E4M3),
            _ => (CodeType::Unsigned(bits), scales.dtype),
        };
        let numbers = place(scales);
        let grid = Grid { numbers, dtype, rows: 1, columns: group.into(), transposed: false };
        entry.quantized = Some(Quantized {
            code,
            order: CodeOrder::Rows,
            scales: Some(grid),
            offset,
            factor: None,
            index: None,
        });
        entry.dtype = StoredType::Packed(self.packed);
        entry.shape = shape;
        Ok(())
    }

    /// The matrix's shape, or that of several, from that of its codes.
    fn shape(&self, entry: &Entry) -> Result<Vec<usize>, Error> {
        let (bits, group) = (usize::from(self.packed.bits), usize::from(self.packed.group));
        let columns = match entry.shape[..] {
            [_, words] | [_, _, words] if entry.dtype == StoredType::U32 => {
                let all = words.checked_mul(32).filter(|all| all.is_multiple_of(bits));
                all.map(|all| all / bits).filter(|columns| columns.is_multiple_of(group))
            }
            _ => None,
        };
        let shape = columns.map(|columns| {
            let matrices = &entry.shape[..entry.shape.len() - 1];
            [matrices, &[columns]].concat()
        });
        shape.ok_or_else(|| {
            let expected = format!(
                "U32 [rows, columns * {bits} / 32] with columns in groups of {group} ({})",
                self.packed
            );
            self.wrong(entry, describe(entry), expected)
        })
    }

    /// The scales or biases, of the right shape and type.
    fn part(
        &self,
        part: Option<Entry>,
        module: &str,
        kind: &str,
        groups: &[usize],
        types: &[StoredType],
    ) -> Result<Entry, Error> {
        let Some(part) = part else {
            return Err(Error::MissingTensor {
                source_path: self.quantization.file.clone(),
                tensor: format!("{module}.{kind}"),
                expected: groups.to_vec(),
                hint: format!("; {module:?} is quantized ({})", self.packed),
            });
        };
        if part.shape == groups && types.contains(&part.dtype) {
            return Ok(part);
        }
        let types: Vec<&str> = types.iter().map(|dtype| dtype.name()).collect();
        let expected = format!("{} {groups:?} ({})", types.join(" or "), self.packed);
        Err(self.wrong(&part, describe(&part), expected))
    }

    fn wrong(&self, entry: &Entry, found: String, expected: String) -> Error {
        let file = self.files[entry.file].path.clone();
        Error::TensorBytes { file, tensor: entry.name.clone(), found, expected }
    }
}

fn place(part: Entry) -> Place {
    Place { file: part.file, range: part.range }
}

fn describe(entry: &Entry) -> String {
    format!("{} {:?}", entry.dtype, entry.shape)
}
