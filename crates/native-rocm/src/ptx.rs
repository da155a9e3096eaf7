//! The kernels as PTX, which the driver of an NVIDIA GPU compiles when a program is loaded.
//!
//! A file has the kernels of every format; compiling those that a program never launches would take
//! the driver seconds, so they are cut out.

/// Files, their kernels and their compressed text, as the build made them; empty without the feature
/// `cuda`.
const FILES: &[(&str, &[&str], &[u8])] = include!(concat!(env!("OUT_DIR"), "/ptx.rs"));

/// Most threads of a workgroup: `launch_bounds` of `kernels-hip/common/cuda.h`.
pub const MOST_THREADS: u32 = 256;

/// The files of `kernels-hip/` that have PTX, without their ending.
pub fn files() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(file, ..)| *file)
}

/// The kernels of a file.
pub fn kernels(file: &str) -> &'static [&'static str] {
    FILES.iter().find(|(name, ..)| *name == file).map_or(&[], |(_, kernels, _)| kernels)
}

/// The file that defines a kernel.
pub fn file_of(kernel: &str) -> Option<&'static str> {
    let has = |(_, kernels, _): &&(&str, &[&str], &[u8])| kernels.contains(&kernel);
    FILES.iter().find(has).map(|(file, ..)| *file)
}

/// The PTX of a file with these of its kernels alone; `None` where there is no such file.
pub fn text(file: &str, kernels: &[&str]) -> Option<String> {
    let (_, _, packed) = FILES.iter().find(|(name, ..)| *name == file)?;
    let bytes = miniz_oxide::inflate::decompress_to_vec(packed).expect("the build compressed it");
    Some(cut(std::str::from_utf8(&bytes).expect("PTX is ASCII"), kernels))
}

/// The lines before the first kernel, less the tables that no kept kernel reads, and the kernels.
fn cut(text: &str, kernels: &[&str]) -> String {
    let mut parts = text.split_inclusive("\n}\n");
    let mut kept = Vec::new();
    let mut head = Vec::new();
    for part in parts.by_ref() {
        let at = part.find(".visible .entry ").unwrap_or(part.len());
        head.extend(part[..at].lines());
        let name = part[at..].strip_prefix(".visible .entry ");
        let name = name.and_then(|rest| rest.split('(').next());
        if name.is_some_and(|name| kernels.contains(&name)) {
            kept.push(&part[at..]);
        }
    }
    let is_read = |line: &&&str| match table_name(line) {
        Some(name) => kept.iter().any(|kernel| kernel.contains(name)),
        None => true,
    };
    let head: Vec<&str> = head.iter().filter(is_read).copied().collect();
    format!("{}\n{}", head.join("\n"), kept.concat())
}

/// The name of a table of constants: `.global .align 4 .b8 NAME[24] = {...};`.
fn table_name(line: &str) -> Option<&str> {
    let declared = line.strip_prefix(".global ")?.split('[').next()?;
    declared.split_whitespace().last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_file_has_the_kernels_that_were_asked_for_and_the_tables_that_they_read() {
        let text = "\
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b8 table_a[8] = {1, 2};
.visible .entry a(
.param .u64 p
)
{
mov.b64 %rd1, table_a;
}
.global .align 4 .b8 table_b[4] = {3};
.visible .entry b(
.param .u64 p
)
{
{
mov.b64 %rd1, table_b; }
ret;
}
";
        let head = ".version 8.0\n.target sm_80\n.address_size 64\n";
        let a = cut(text, &["a"]);
        assert!(a.starts_with(&format!("{head}.global .align 4 .b8 table_a[8]")), "{a}");
        assert!(a.contains(".entry a(") && a.ends_with("table_a;\n}\n"), "{a}");
        assert!(!a.contains(" b(") && !a.contains("table_b"), "{a}");
        let b = cut(text, &["b"]);
        assert!(b.starts_with(&format!("{head}.global .align 4 .b8 table_b[4]")), "{b}");
        assert!(b.ends_with("table_b; }\nret;\n}\n") && !b.contains(" a("), "{b}");
        assert_eq!(cut(text, &["a", "b"]).matches(".visible .entry").count(), 2);
    }

    /// Without the feature `cuda` there are no files, and nothing to look at.
    #[test]
    fn every_kernel_is_in_one_file_and_stands_alone() {
        assert_eq!(files().count() > 0, cfg!(feature = "cuda"));
        for file in files() {
            assert!(!kernels(file).is_empty(), "{file}");
            for kernel in kernels(file) {
                assert_eq!(file_of(kernel), Some(file), "{kernel}");
                let text = text(file, &[kernel]).expect("it has PTX");
                assert!(text.starts_with(".version "), "{kernel}");
                assert_eq!(text.matches(".visible .entry").count(), 1, "{kernel}");
                assert!(text.contains(&format!(".maxntid {MOST_THREADS}")), "{kernel}");
                assert!(text.trim_end().ends_with('}'), "{kernel}");
                assert_eq!(text.matches('{').count(), text.matches('}').count(), "{kernel}");
                let declared = text.lines().filter_map(table_name);
                assert!(
                    declared.into_iter().all(|name| text.matches(name).count() > 1),
                    "{kernel}"
                );
            }
        }
        assert_eq!(file_of("ty_gemm32_f16"), None, "there is no WMMA on NVIDIA GPUs");
    }
}
