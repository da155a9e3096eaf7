//! The time a template sees, and Python's `strftime` in the C locale.

use chrono::{DateTime, Datelike, Local, NaiveDate, NaiveDateTime, Timelike};

/// A local date and time without a zone, as Python's `datetime.now()` gives it.
///
/// Passed into each render, so that prompts can be reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalTime(NaiveDateTime);

impl LocalTime {
    /// The machine's local time now.
    pub fn now() -> Self {
        Self(Local::now().naive_local())
    }

    /// A given time; `None` when there is no such date or time of day.
    pub fn new(date: (i32, u32, u32), time: (u32, u32, u32)) -> Option<Self> {
        let date = NaiveDate::from_ymd_opt(date.0, date.1, date.2)?;
        date.and_hms_opt(time.0, time.1, time.2).map(Self)
    }

    /// The time as seconds since 1970, in UTC.
    pub fn from_unix(seconds: i64) -> Option<Self> {
        DateTime::from_timestamp(seconds, 0).map(|time| Self(time.naive_utc()))
    }

    /// Formats like `datetime.strftime` of a time without a zone. Directives that
    /// C does not know stay as they are written.
    pub fn format(&self, format: &str) -> String {
        let mut out = String::with_capacity(format.len() * 2);
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let flag = chars.next_if(|c| matches!(c, '-' | '_' | '0' | '^' | '#'));
            match chars.next() {
                Some(directive) => self.write(&mut out, flag, directive),
                None => {
                    out.push('%');
                    out.extend(flag);
                }
            }
        }
        out
    }

    fn write(&self, out: &mut String, flag: Option<char>, directive: char) {
        if let Some((number, width, pad)) = self.number(directive) {
            out.push_str(&padded(number, width, flag, pad));
            return;
        }
        let text = match directive {
            'a' => self.0.format("%a").to_string(),
            'A' => self.0.format("%A").to_string(),
            'b' | 'h' => self.0.format("%b").to_string(),
            'B' => self.0.format("%B").to_string(),
            'c' => self.format("%a %b %e %H:%M:%S %Y"),
            'D' | 'x' => self.format("%m/%d/%y"),
            'F' => self.format("%Y-%m-%d"),
            'T' | 'X' => self.format("%H:%M:%S"),
            'R' => self.format("%H:%M"),
            'r' => self.format("%I:%M:%S %p"),
            'p' if flag == Some('#') => self.half_of_day().to_lowercase(),
            'p' => self.half_of_day().to_owned(),
            'P' => self.half_of_day().to_lowercase(),
            'f' => format!("{:06}", self.0.nanosecond() / 1000),
            's' => self.unix_seconds().to_string(),
            'z' | 'Z' => String::new(),
            'n' => "\n".to_owned(),
            't' => "\t".to_owned(),
            '%' => "%".to_owned(),
            unknown => format!("%{}{unknown}", flag.map(String::from).unwrap_or_default()),
        };
        let raised = matches!(flag, Some('^' | '#')) && directive != 'p' && directive != 'P';
        out.push_str(&if raised { text.to_uppercase() } else { text });
    }

    /// A directive that is a number, with its width and padding.
    fn number(&self, directive: char) -> Option<(i64, usize, char)> {
        let time = &self.0;
        let sunday_based = i64::from(time.weekday().num_days_from_sunday());
        let monday_based = i64::from(time.weekday().num_days_from_monday());
        let day_of_year = i64::from(time.ordinal0());
        let (number, width, pad) = match directive {
            'd' => (i64::from(time.day()), 2, '0'),
            'e' => (i64::from(time.day()), 2, ' '),
            'm' => (i64::from(time.month()), 2, '0'),
            'Y' => (i64::from(time.year()), 1, '0'),
            'y' => (i64::from(time.year()).rem_euclid(100), 2, '0'),
            'C' => (i64::from(time.year()).div_euclid(100), 2, '0'),
            'G' => (i64::from(time.iso_week().year()), 1, '0'),
            'g' => (i64::from(time.iso_week().year()).rem_euclid(100), 2, '0'),
            'V' => (i64::from(time.iso_week().week()), 2, '0'),
            'H' => (i64::from(time.hour()), 2, '0'),
            'k' => (i64::from(time.hour()), 2, ' '),
            'I' => (i64::from(time.hour12().1), 2, '0'),
            'l' => (i64::from(time.hour12().1), 2, ' '),
            'M' => (i64::from(time.minute()), 2, '0'),
            'S' => (i64::from(time.second()), 2, '0'),
            'j' => (day_of_year + 1, 3, '0'),
            'u' => (monday_based + 1, 1, '0'),
            'w' => (sunday_based, 1, '0'),
            'U' => ((day_of_year + 7 - sunday_based) / 7, 2, '0'),
            'W' => ((day_of_year + 7 - monday_based) / 7, 2, '0'),
            _ => return None,
        };
        Some((number, width, pad))
    }

    /// Seconds since 1970 of this time as local time.
    fn unix_seconds(&self) -> i64 {
        let zoned = self.0.and_local_timezone(Local).earliest();
        zoned.map_or_else(|| self.0.and_utc().timestamp(), |zoned| zoned.timestamp())
    }

    fn half_of_day(&self) -> &'static str {
        if self.0.hour() < 12 { "AM" } else { "PM" }
    }
}

fn padded(number: i64, width: usize, flag: Option<char>, pad: char) -> String {
    match flag {
        Some('-') => number.to_string(),
        Some('_') => format!("{number:>width$}"),
        Some('0') => format!("{number:0>width$}"),
        _ if pad == ' ' => format!("{number:>width$}"),
        _ => format!("{number:0>width$}"),
    }
}
