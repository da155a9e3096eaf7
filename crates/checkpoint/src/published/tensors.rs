//! The tensors of a directory while those of quantized modules are joined.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::dtype::StoredType;
use crate::error::Error;
use crate::packed::{Packed, Place};
use crate::quantized::Quantized;
use crate::source_file::SourceFile;
use crate::tensor::Entry;

/// The ends of names that are read past.
const READ_PAST: [&str; 8] = [
    ".input_scale",
    ".input_global_scale",
    ".input_zero_point",
    ".output_scale",
    ".q_scale",
    ".k_scale",
    ".v_scale",
    ".weight_shape",
];

/// All tensors, in file order; joined ones take the place of their codes.
pub(super) struct Tensors<'a> {
    entries: Vec<Option<Entry>>,
    places: HashMap<String, usize>,
    files: &'a [SourceFile],
    config: &'a Path,
    method: &'static str,
    plain: HashSet<&'a str>,
}

impl<'a> Tensors<'a> {
    pub(super) fn new(
        entries: Vec<Entry>,
        files: &'a [SourceFile],
        config: &'a Path,
        method: &'static str,
        plain: &'a [String],
    ) -> Tensors<'a> {
        let places = entries.iter().enumerate().map(|(at, entry)| (entry.name.clone(), at));
        Tensors {
            places: places.collect(),
            entries: entries.into_iter().map(Some).collect(),
            files,
            config,
            method,
            plain: plain.iter().map(String::as_str).collect(),
        }
    }

    /// The modules that have a tensor with this end, in file order.
    pub(super) fn modules(&self, end: &str) -> Vec<String> {
        let module = |entry: &Entry| entry.name.strip_suffix(end).map(str::to_owned);
        self.entries.iter().flatten().filter_map(module).collect()
    }

    /// Whether a tensor is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.places.get(name).is_some_and(|at| self.entries[*at].is_some())
    }

    /// Takes a tensor out, if it is there.
    pub(super) fn take(&mut self, name: &str) -> Option<Entry> {
        self.entries[*self.places.get(name)?].take()
    }

    /// Puts a tensor back as it was.
    pub(super) fn put_back(&mut self, entry: Entry) {
        let at = self.places[&entry.name];
        self.entries[at] = Some(entry);
    }

    /// Takes out a tensor that a module must have.
    pub(super) fn required(&mut self, name: &str, shape: &[usize]) -> Result<Entry, Error> {
        self.take(name).ok_or_else(|| Error::MissingTensor {
            source_path: self.config.to_path_buf(),
            tensor: name.to_owned(),
            expected: shape.to_vec(),
            hint: format!("; its module is quantized ({})", self.method),
        })
    }

    /// Takes out a tensor that a module must have, in one of these types and this shape.
    pub(super) fn part(
        &mut self,
        name: &str,
        types: &[StoredType],
        shape: &[usize],
    ) -> Result<Entry, Error> {
        let entry = self.required(name, shape)?;
        self.expect(&entry, types, &[shape])?;
        Ok(entry)
    }

    /// Refuses a tensor of another type or shape.
    pub(super) fn expect(
        &self,
        entry: &Entry,
        types: &[StoredType],
        shapes: &[&[usize]],
    ) -> Result<(), Error> {
        if types.contains(&entry.dtype) && shapes.contains(&&entry.shape[..]) {
            return Ok(());
        }
        let types: Vec<&str> = types.iter().map(|dtype| dtype.name()).collect();
        let shapes: Vec<String> = shapes.iter().map(|shape| format!("{shape:?}")).collect();
        Err(self.wrong(entry, format!("{} {}", types.join(" or "), shapes.join(" or "))))
    }

    /// Puts a joined matrix where its codes were.
    pub(super) fn put(
        &mut self,
        codes: Entry,
        name: String,
        shape: Vec<usize>,
        packed: Packed,
        quantized: Quantized<Place>,
    ) -> Result<(), Error> {
        let module = name.strip_suffix(".weight").unwrap_or(&name);
        if self.plain.contains(module) {
            let expected = format!("plain tensors: {} lists {module:?}", self.config.display());
            return Err(self.wrong(&codes, expected));
        }
        let at = self.places[&codes.name];
        let dtype = StoredType::Packed(packed);
        let quantized = Some(quantized);
        self.places.insert(name.clone(), at);
        self.entries[at] = Some(Entry { name, dtype, shape, quantized, ..codes });
        Ok(())
    }

    /// The bytes of a tensor.
    pub(super) fn bytes(&self, entry: &Entry) -> &'a [u8] {
        &self.files[entry.file][entry.range.clone()]
    }

    /// The refusal of a tensor.
    pub(super) fn wrong(&self, entry: &Entry, expected: String) -> Error {
        Error::TensorBytes {
            file: self.files[entry.file].path.clone(),
            tensor: entry.name.clone(),
            found: format!("{} {:?}", entry.dtype, entry.shape),
            expected: format!("{expected} ({})", self.method),
        }
    }

    /// The group of each column from a `g_idx` of so many columns and groups; `None` where groups
    /// are runs of `group` columns, or nothing is said (-1).
    pub(super) fn group_index(
        &self,
        index: &Entry,
        [columns, group]: [usize; 2],
    ) -> Result<Option<Place>, Error> {
        self.expect(index, &[StoredType::I32], &[&[columns]])?;
        let (words, _) = self.bytes(index).as_chunks::<4>();
        let numbers = || words.iter().map(|word| i32::from_le_bytes(*word));
        let groups = columns.div_ceil(group);
        if numbers().all(|number| number == -1)
            || numbers().enumerate().all(|(at, number)| usize::try_from(number) == Ok(at / group))
        {
            return Ok(None);
        }
        match numbers().find(|number| usize::try_from(*number).is_ok_and(|n| n < groups)) {
            Some(_) if numbers().all(|n| usize::try_from(n).is_ok_and(|n| n < groups)) => {
                Ok(Some(Place { file: index.file, range: index.range.clone() }))
            }
            _ => Err(self.wrong(index, format!("numbers from 0 to {}", groups.saturating_sub(1)))),
        }
    }

    /// All tensors, without those that are read past.
    ///
    /// # Errors
    /// Codes that have no scales.
    pub(super) fn finish(mut self) -> Result<Vec<Entry>, Error> {
        let entries = std::mem::take(&mut self.entries);
        let kept = entries.into_iter().flatten();
        let kept: Vec<Entry> =
            kept.filter(|entry| !READ_PAST.iter().any(|end| entry.name.ends_with(end))).collect();
        let codes = |entry: &&Entry| {
            let of_codes = matches!(entry.dtype, StoredType::F8E4M3 | StoredType::F8E5M2);
            entry.name.ends_with(".weight") && (of_codes || !entry.dtype.is_float())
        };
        match kept.iter().find(codes) {
            None => Ok(kept),
            Some(entry) => Err(self.wrong(entry, "codes with a tensor of their scales".into())),
        }
    }
}

/// Where an entry's bytes are.
pub(super) fn place(entry: &Entry) -> Place {
    Place { file: entry.file, range: entry.range.clone() }
}
