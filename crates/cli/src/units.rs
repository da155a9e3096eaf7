//! Sizes in words: read from options, written in tables.

const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

/// `1.50 GiB`, `12.0 MiB`, `7 B`: three digits, which is what a person compares.
pub fn bytes(count: u64) -> String {
    let Some((unit, size)) = UNITS.iter().find(|(_, size)| count >= *size) else {
        return format!("{count} B");
    };
    let value = count as f64 / *size as f64;
    let decimals = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

/// `134.5 M`, `7.2 B`, `42.6 K`, as people say how many parameters a model has.
pub fn count(number: u64) -> String {
    let units = [("B", 1e9), ("M", 1e6), ("K", 1e3)];
    let value = number as f64;
    match units.iter().find(|(_, size)| value >= *size) {
        Some((unit, size)) => format!("{:.1} {unit}", value / size),
        None => number.to_string(),
    }
}

/// Reads `4GiB`, `512M`, `1.5g` or a plain number of bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(format!("`{text}` is no size: write it as 512MiB or 4GiB")),
    };
    let number: f64 =
        number.parse().map_err(|_| format!("`{text}` is no size: write it as 512MiB or 4GiB"))?;
    Ok((number * f64::from(factor)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        for (count, expected) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.00 KiB"),
            (12 << 20, "12.0 MiB"),
            (1536 << 20, "1.50 GiB"),
            (300 << 30, "300 GiB"),
        ] {
            assert_eq!(bytes(count), expected);
        }
    }

    #[test]
    fn counts_have_one_decimal() {
        let numbers = [7, 42_600, 134_515_008, 7_240_000_000];
        assert_eq!(numbers.map(count), ["7", "42.6 K", "134.5 M", "7.2 B"]);
    }

    #[test]
    fn sizes_are_read_with_or_without_a_unit() {
        for (text, expected) in
            [("7", 7), ("1k", 1024), ("512MiB", 512 << 20), ("1.5g", 3 << 29), ("2 GB", 2 << 30)]
        {
            assert_eq!(parse_bytes(text), Ok(expected), "{text}");
        }
        for bad in ["", "x", "-1", "1.2.3g", "4 TB!"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }
}
