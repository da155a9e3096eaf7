//! Where the time of a test's calls goes, by kernel.

use std::io::{self, Write};

use serde::Serialize;
use tyto_engine::CallTimes;

/// One kernel on one shape, in an average call.
#[derive(Debug, Serialize)]
pub struct Line {
    kernel: &'static str,
    format: String,
    /// Outputs and inputs of a product; query heads of an attention and their width.
    shape: [u32; 2],
    /// Phases in a call.
    count: f64,
    microseconds: f64,
    /// Of the time of all kernels, from 0 to 1.
    share: f64,
    bytes: f64,
    gigabytes_a_second: f64,
    gigaoperations_a_second: f64,
}

/// The kernels of an average call, the longest first.
pub fn lines(times: CallTimes) -> Vec<Line> {
    let (calls, all) = (times.calls.max(1) as f64, times.nanoseconds().max(1) as f64);
    let line = |kernel: tyto_engine::KernelTime| {
        let nanoseconds = kernel.nanoseconds.max(1) as f64;
        Line {
            kernel: kernel.kernel,
            format: kernel.format,
            shape: kernel.shape,
            count: kernel.count as f64 / calls,
            microseconds: kernel.nanoseconds as f64 / calls / 1e3,
            share: kernel.nanoseconds as f64 / all,
            bytes: kernel.bytes as f64 / calls,
            gigabytes_a_second: kernel.bytes as f64 / nanoseconds,
            gigaoperations_a_second: kernel.operations as f64 / nanoseconds,
        }
    };
    times.kernels.into_iter().map(line).collect()
}

/// A table, and a last line of all kernels together.
pub fn print(lines: &[Line], output: &mut impl Write) -> io::Result<()> {
    let [kernel, format, shape] = ["kernel", "format", "n x k"];
    writeln!(
        output,
        "  {kernel:<14}  {format:<16}  {shape:>13}  {:>6}  {:>9}  {:>6}  {:>8}  {:>7}  {:>7}",
        "count", "us", "share", "MB", "GB/s", "GOP/s"
    )?;
    for line in lines.iter().chain([&all(lines)]) {
        let [n, k] = line.shape;
        let shape = if n == 0 { String::new() } else { format!("{n} x {k}") };
        writeln!(
            output,
            "  {:<14}  {:<16}  {shape:>13}  {:>6.1}  {:>9.1}  {:>5.1}%  {:>8.2}  {:>7.1}  {:>7.1}",
            line.kernel,
            line.format,
            line.count,
            line.microseconds,
            100.0 * line.share,
            line.bytes / 1e6,
            line.gigabytes_a_second,
            line.gigaoperations_a_second,
        )?;
    }
    Ok(())
}

/// The sum: what a call takes inside programs, to be held against the test's tokens per second.
fn all(lines: &[Line]) -> Line {
    let sum = |field: &dyn Fn(&Line) -> f64| lines.iter().map(field).sum::<f64>();
    let microseconds = sum(&|line| line.microseconds);
    let bytes = sum(&|line| line.bytes);
    let operations = sum(&|line| line.gigaoperations_a_second * line.microseconds);
    let divisor = if microseconds > 0.0 { microseconds } else { 1.0 };
    Line {
        kernel: "all",
        format: String::new(),
        shape: [0, 0],
        count: sum(&|line| line.count),
        microseconds,
        share: sum(&|line| line.share),
        bytes,
        gigabytes_a_second: bytes / 1e3 / divisor,
        gigaoperations_a_second: operations / divisor,
    }
}

#[cfg(test)]
mod tests {
    use tyto_engine::KernelTime;

    use super::*;

    #[test]
    fn shares_add_up_and_counts_are_those_of_one_call() {
        let kernel = |kernel, n, count, nanoseconds| KernelTime {
            kernel,
            format: "f16".to_owned(),
            shape: [n, 64],
            count,
            nanoseconds,
            bytes: 1000,
            operations: 8000,
        };
        let kernels = vec![kernel("product", 96, 60, 3000), kernel("row operations", 0, 4, 1000)];
        let lines = lines(CallTimes { calls: 2, kernels });
        assert_eq!(lines.iter().map(|line| line.count).collect::<Vec<f64>>(), [30.0, 2.0]);
        assert!((lines.iter().map(|line| line.share).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!((lines[0].microseconds, lines[0].bytes), (1.5, 500.0));
        assert_eq!(lines[1].gigaoperations_a_second, 8.0);
        let mut text = Vec::new();
        print(&lines, &mut text).expect("written");
        let text = String::from_utf8(text).expect("text");
        assert!(text.contains("96 x 64") && text.contains("75.0%"), "{text}");
        assert!(!text.contains(" 0 x 64"), "row operations have no shape: {text}");
        let last: Vec<&str> = text.lines().last().expect("lines").split_whitespace().collect();
        // Both calls: 2000 bytes and 16000 operations in 4000 ns.
        let together = ["all", "32.0", "2.0", "100.0%", "0.00", "0.5", "4.0"];
        assert_eq!(last, together, "{text}");
    }
}
