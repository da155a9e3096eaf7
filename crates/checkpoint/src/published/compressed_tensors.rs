//! compressed-tensors (llm-compressor): integers and floats under scales of tensors, rows, groups or
//! blocks, by `config_groups`.
//!
//! A module's tensors say what it is; one of the groups must say the same:
//!
//! ```text
//! weight_packed I32 [rows, columns × bits / 32]   integers, 2^(bits - 1) more than their values;
//!                weight_scale, weight_shape, weight_zero_point (packed along rows), weight_g_idx
//! weight_packed U8 [rows, columns / 2]            4-bit floats; weight_scale F8_E4M3 and
//!                weight_global_scale, by which it is divided, or weight_scale U8 (powers of two)
//! weight F8_E4M3 [rows, columns]                  weight_scale
//! weight I8 [rows, columns]                       weight_scale, weight_zero_point I8
//! ```
//!
//! A factor that divides is applied as its inverse in f32.

use super::scheme::{FLOATS, Span, expect_scales, float4_shape, join_fp8, join_nvfp4, matrix};
use super::settings::Settings;
use super::tensors::{Tensors, place};
use super::{Kind, Method};
use crate::codes::CodeType;
use crate::dtype::StoredType;
use crate::error::Error;
use crate::packed::{Packed, PackedMode};
use crate::quantized::{CodeOrder, Offset, Quantized, ZeroOrder, Zeros};
use crate::tensor::Entry;

/// The settings.
pub(super) struct CompressedTensors {
    groups: Vec<Scheme>,
}

/// The weights of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scheme {
    float: bool,
    bits: u8,
    symmetric: bool,
    span: Span,
}

/// Fields that say how activations and the cache are quantized, or how it was made.
const READ_PAST: &[&str] =
    &["quant_method", "kv_cache_scheme", "global_compression_ratio", "version"];

pub(super) fn read(settings: &Settings<'_>) -> Result<Method, Error> {
    const KNOWN: &[&str] = &[
        "config_groups",
        "format",
        "ignore",
        "quantization_status",
        "sparsity_config",
        "transform_config",
    ];
    settings.only(&[KNOWN, READ_PAST])?;
    settings.one_of("format", "", FORMATS)?;
    settings.one_of("quantization_status", "compressed", &["compressed"])?;
    if let Some(sparsity) = settings.object("sparsity_config")?
        && !sparsity.fields.is_empty()
    {
        sparsity.one_of("format", "dense", &["dense"])?;
    }
    if let Some(transforms) = settings.object("transform_config")?
        && !transforms.fields.is_empty()
    {
        let expected = "nothing: transforms change what is computed";
        return Err(settings.wrong("transform_config", "transforms", expected));
    }
    let Some(groups) = settings.object("config_groups")? else {
        return Err(settings.wrong("config_groups", "nothing", "groups of modules"));
    };
    let schemes = groups.fields.keys().map(|name| group(&groups, name));
    let schemes: Vec<Option<Scheme>> = schemes.collect::<Result<_, Error>>()?;
    let groups = schemes.into_iter().flatten().collect();
    let plain = settings.texts("ignore")?;
    let kind = Kind::CompressedTensors(CompressedTensors { groups });
    Ok(Method { name: "compressed-tensors", plain, kind })
}

/// The ways to store that are read. A module's tensors say which it is.
const FORMATS: &[&str] = &[
    "float-quantized",
    "int-quantized",
    "naive-quantized",
    "pack-quantized",
    "nvfp4-pack-quantized",
    "mxfp4-pack-quantized",
    "mxfp8-quantized",
    "mixed-precision",
];

/// The weights of one of the groups; `None` where it quantizes activations only.
fn group(groups: &Settings<'_>, name: &str) -> Result<Option<Scheme>, Error> {
    let Some(group) = groups.object(name)? else { return Ok(None) };
    group.only(&[&["targets", "weights", "input_activations", "output_activations", "format"]])?;
    if group.get("format").is_some() {
        group.one_of("format", "", FORMATS)?;
    }
    match group.object("weights")? {
        None => Ok(None),
        Some(weights) => scheme(&weights).map(Some),
    }
}

fn scheme(weights: &Settings<'_>) -> Result<Scheme, Error> {
    weights.only(&[&[
        "num_bits",
        "type",
        "symmetric",
        "strategy",
        "group_size",
        "block_structure",
        "dynamic",
        "actorder",
        "observer",
        "observer_kwargs",
        "scale_dtype",
        "zp_dtype",
    ]])?;
    let float = weights.one_of("type", "int", &["int", "float"])? == "float";
    let bits = weights.number("num_bits")?;
    let known: &[usize] = if float { &[4, 8] } else { &[2, 3, 4, 5, 6, 8] };
    if !known.contains(&bits) {
        return Err(weights.wrong("num_bits", bits, &format!("one of {known:?}")));
    }
    let grouped = weights.group("group_size");
    let span = match weights.text("strategy", "")?.as_str() {
        "tensor" => Span::Tensor,
        "channel" => Span::Row,
        "group" | "tensor_group" => grouped?.map_or(Span::Row, Span::Columns),
        "block" => match block(weights)? {
            Some(block) => Span::Block(block),
            None => return Err(weights.wrong("block_structure", "nothing", "rows and columns")),
        },
        // Without a strategy, the size of groups says it.
        "" if weights.get("group_size").is_some() => grouped?.map_or(Span::Row, Span::Columns),
        "" => Span::Tensor,
        other => {
            return Err(weights.wrong("strategy", other, "tensor, channel, group, block"));
        }
    };
    if weights.flag("dynamic", false)? {
        return Err(weights.wrong("dynamic", true, "false: scales that are stored"));
    }
    let symmetric = weights.flag("symmetric", true)?;
    Ok(Scheme { float, bits: bits as u8, symmetric, span })
}

/// A block's rows and columns, as a list or like `128x128`.
fn block(weights: &Settings<'_>) -> Result<Option<[usize; 2]>, Error> {
    let text = weights.get("block_structure").and_then(serde_json::Value::as_str);
    let Some(text) = text else { return weights.pair("block_structure") };
    let number = |text: &str| text.parse().ok().filter(|n| (1..1usize << 16).contains(n));
    match text.split_once('x').map(|(rows, columns)| (number(rows), number(columns))) {
        Some((Some(rows), Some(columns))) => Ok(Some([rows, columns])),
        _ => Err(weights.wrong("block_structure", text, "two whole numbers, rows and columns")),
    }
}

impl CompressedTensors {
    pub(super) fn join(&self, tensors: &mut Tensors<'_>) -> Result<(), Error> {
        for module in tensors.modules(".weight_packed") {
            let codes = tensors.required(&format!("{module}.weight_packed"), &[])?;
            match codes.dtype {
                StoredType::I32 => self.packed_integers(tensors, &module, codes)?,
                _ => self.packed_floats(tensors, &module, codes)?,
            }
        }
        for module in tensors.modules(".weight_scale") {
            let scales = tensors.required(&format!("{module}.weight_scale"), &[])?;
            let codes = tensors.required(&format!("{module}.weight"), &[])?;
            let shape = matrix(tensors, &codes)?;
            match codes.dtype {
                StoredType::I8 => {
                    let scheme = self.scheme(tensors, (&module, &scales), false, 8, shape)?;
                    self.integers(tensors, &module, codes, scales, (shape, scheme))?;
                }
                StoredType::F8E4M3 => {
                    let scheme = self.scheme(tensors, (&module, &scales), true, 8, shape)?;
                    self.no_zeros(tensors, &module)?;
                    tensors.put_back(codes);
                    join_fp8(tensors, &module, &scales, scheme.span)?;
                }
                _ => return Err(tensors.wrong(&codes, "I8 or F8_E4M3 codes".into())),
            }
        }
        Ok(())
    }

    /// The first of the groups whose scales these can be; one with zeros if the module has some.
    fn scheme(
        &self,
        tensors: &Tensors<'_>,
        (module, scales): (&str, &Entry),
        float: bool,
        bits: u8,
        shape: [usize; 2],
    ) -> Result<Scheme, Error> {
        let kind = |scheme: &&Scheme| (scheme.float, scheme.bits) == (float, bits);
        let fits = |scheme: &&Scheme| scheme.span.shapes(shape).contains(&scales.shape);
        let symmetric = !tensors.has(&format!("{module}.weight_zero_point"));
        let fitting = || self.groups.iter().filter(kind).filter(fits);
        let found = fitting().find(|scheme| scheme.symmetric == symmetric);
        found.or_else(|| fitting().next()).copied().ok_or_else(|| {
            let shapes = self.groups.iter().filter(kind).flat_map(|s| s.span.shapes(shape));
            let shapes: Vec<String> = shapes.map(|shape| format!("{shape:?}")).collect();
            let name = if float { "floats" } else { "integers" };
            let of = format!("of {bits}-bit {name} {shape:?}");
            tensors.wrong(
                scales,
                if shapes.is_empty() {
                    format!("no scales {of}: config_groups has none")
                } else {
                    format!("scales {of}, in config_groups {}", shapes.join(" or "))
                },
            )
        })
    }

    /// Integers packed along columns.
    fn packed_integers(
        &self,
        tensors: &mut Tensors<'_>,
        module: &str,
        codes: Entry,
    ) -> Result<(), Error> {
        let shape = self.stored_shape(tensors, module)?;
        let bits = match codes.shape[..] {
            [rows, words] if rows == shape[0] => words
                .checked_mul(32)
                .filter(|all| shape[1] > 0 && all.is_multiple_of(shape[1]))
                .and_then(|all| u8::try_from(all / shape[1]).ok())
                .filter(|bits| matches!(bits, 2 | 3 | 4 | 5 | 6 | 8)),
            _ => None,
        };
        let Some(bits) = bits else {
            let expected = format!("codes of {shape:?} in whole words of 32 bits");
            return Err(tensors.wrong(&codes, expected));
        };
        let scales = tensors.required(&format!("{module}.weight_scale"), &[])?;
        let scheme = self.scheme(tensors, (module, &scales), false, bits, shape)?;
        self.integers(tensors, module, codes, scales, (shape, scheme))
    }

    /// The two numbers of `weight_shape`.
    fn stored_shape(&self, tensors: &mut Tensors<'_>, module: &str) -> Result<[usize; 2], Error> {
        let types = [StoredType::I64, StoredType::I32];
        let entry = tensors.part(&format!("{module}.weight_shape"), &types, &[2])?;
        let bytes = tensors.bytes(&entry);
        let number = |bytes: &[u8]| {
            let mut whole = [0u8; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            usize::try_from(u64::from_le_bytes(whole)).unwrap_or(0)
        };
        let (rows, columns) = bytes.split_at(bytes.len() / 2);
        Ok([number(rows), number(columns)])
    }

    /// Integer codes, packed or in bytes, with their zeros.
    fn integers(
        &self,
        tensors: &mut Tensors<'_>,
        module: &str,
        codes: Entry,
        scales: Entry,
        (shape, scheme): ([usize; 2], Scheme),
    ) -> Result<(), Error> {
        let Scheme { bits, span, .. } = scheme;
        let [rows, columns] = shape;
        expect_scales(tensors, &scales, FLOATS, span, shape)?;
        let [_, run] = span.of(shape);
        let is_packed = codes.dtype == StoredType::I32;
        let groups = columns.div_ceil(run);
        let offset = if scheme.symmetric {
            self.no_zeros(tensors, module)?;
            Offset::Middle
        } else if is_packed {
            let name = format!("{module}.weight_zero_point");
            let words = rows.saturating_mul(bits.into()).div_ceil(32);
            let zeros = tensors.part(&name, &[StoredType::I32], &[words, groups])?;
            Offset::Zero(Zeros { numbers: place(&zeros), order: ZeroOrder::Rows, bits, added: 0 })
        } else {
            let name = format!("{module}.weight_zero_point");
            let zeros = tensors.part(&name, &[StoredType::I8], &[rows, groups])?;
            let order = ZeroOrder::Bytes;
            Offset::Zero(Zeros { numbers: place(&zeros), order, bits, added: 128 })
        };
        let index = match tensors.take(&format!("{module}.weight_g_idx")) {
            Some(index) => tensors.group_index(&index, [columns, run])?,
            None => None,
        };
        let quantized = Quantized {
            code: CodeType::Unsigned(bits),
            order: if is_packed { CodeOrder::Rows } else { CodeOrder::Signed },
            scales: Some(span.grid(&scales, shape)),
            offset,
            factor: None,
            index,
        };
        let packed = Packed { mode: PackedMode::Integer, bits, group: span.group() };
        tensors.put(codes, format!("{module}.weight"), shape.to_vec(), packed, quantized)
    }

    /// 4-bit floats, two in a byte.
    fn packed_floats(
        &self,
        tensors: &mut Tensors<'_>,
        module: &str,
        codes: Entry,
    ) -> Result<(), Error> {
        self.no_zeros(tensors, module)?;
        let scales = tensors.required(&format!("{module}.weight_scale"), &[])?;
        let shape = float4_shape(tensors, &codes, 16)?;
        let scheme = self.scheme(tensors, (module, &scales), true, 4, shape)?;
        if scheme.span == Span::Columns(16) {
            let factor = format!("{module}.weight_global_scale");
            let factor = tensors.required(&factor, &[1])?;
            return join_nvfp4(tensors, module, codes, &scales, &factor, true);
        }
        let shape = float4_shape(tensors, &codes, 32)?;
        expect_scales(tensors, &scales, &[StoredType::U8], Span::Columns(32), shape)?;
        let mut grid = scheme.span.grid(&scales, shape);
        grid.dtype = StoredType::F8E8M0;
        let quantized = Quantized {
            code: CodeType::E2M1,
            order: CodeOrder::Rows,
            scales: Some(grid),
            offset: Offset::None,
            factor: None,
            index: None,
        };
        let packed = Packed { mode: PackedMode::Mxfp4, bits: 4, group: 32 };
        tensors.put(codes, format!("{module}.weight"), shape.to_vec(), packed, quantized)
    }

    /// Symmetric forms may come with zeros that are all 0.
    fn no_zeros(&self, tensors: &mut Tensors<'_>, module: &str) -> Result<(), Error> {
        let Some(zeros) = tensors.take(&format!("{module}.weight_zero_point")) else {
            return Ok(());
        };
        if tensors.bytes(&zeros).iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        Err(tensors.wrong(&zeros, "zeros of 0, as config_groups says symmetric".into()))
    }
}
