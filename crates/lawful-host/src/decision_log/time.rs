//! Times of decisions, in UTC.
//!
//! A time is written with a fixed width, so times compare as their texts do.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The earliest time to show: a time, or a duration before now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since(pub(super) String);

impl Since {
    /// Parses `2026-11-16`, `2026-11-16T04:15`, `2026-11-16T04:15:54Z`, `2026-11-16T04:15:54+02:00`, or a
    /// duration such as `45s`, `30m`, `2h` or `7d`. A time without an offset is in UTC.
    pub fn parse(text: &str, now: SystemTime) -> Option<Self> {
        if let Some(back) = duration(text) {
            return Some(Self(written(now.checked_sub(back).unwrap_or(UNIX_EPOCH))));
        }
        let milliseconds = u64::try_from(time(text)?).ok()?;
        Some(Self(written(UNIX_EPOCH + Duration::from_millis(milliseconds))))
    }
}

/// A time as `2026-11-16T04:15:54.120Z`.
pub(crate) fn written(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / DAY, since.as_secs() % DAY);
    let (year, month, day) = civil(i64::try_from(days).unwrap_or_default());
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let milliseconds = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

const DAY: u64 = 24 * 60 * 60;

/// The units of a duration, in seconds.
const UNITS: [(&str, u64); 4] = [("s", 1), ("m", 60), ("h", 60 * 60), ("d", DAY)];

fn duration(text: &str) -> Option<Duration> {
    UNITS.iter().find_map(|(unit, seconds)| {
        let count: u64 = text.strip_suffix(unit)?.parse().ok()?;
        Some(Duration::from_secs(count.checked_mul(*seconds)?))
    })
}

/// Milliseconds since 1970.
fn time(text: &str) -> Option<i64> {
    let (date, clock) = text.split_once(['T', ' ']).unwrap_or((text, "00:00Z"));
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let (month_ok, day_ok) = ((1..=12).contains(&month), (1..=31).contains(&day));
    let days = (month_ok && day_ok).then(|| days(year, month, day))?;
    // A day that the month does not have becomes one of the next month.
    if civil(days) != (year, month, day) {
        return None;
    }
    let (clock, offset) = offset(clock)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let [hour, minute, second] = match clock.len() {
        5 => {
            let [hour, minute] = numbers(clock, ':', [2, 2])?;
            [hour, minute, 0]
        }
        _ => numbers(clock, ':', [2, 2, 2])?,
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let milliseconds: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Some(((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + milliseconds)
}

/// The clock without its offset, and the offset in minutes.
fn offset(clock: &str) -> Option<(&str, i64)> {
    if let Some(clock) = clock.strip_suffix('Z') {
        return Some((clock, 0));
    }
    let Some(at) = clock.find(['+', '-']) else { return Some((clock, 0)) };
    let (clock, offset) = clock.split_at_checked(at)?;
    let [hours, minutes] = numbers(offset.get(1..)?, ':', [2, 2])?;
    let minutes = hours * 60 + minutes;
    Some((clock, if offset.starts_with('-') { -minutes } else { minutes }))
}

/// Numbers with these widths.
fn numbers<const N: usize>(text: &str, separator: char, widths: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut out = [0; N];
    for (number, width) in out.iter_mut().zip(widths) {
        let part = parts.next()?;
        let digits = part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = part.parse().ok().filter(|_| digits)?;
    }
    parts.next().is_none().then_some(out)
}

/// The days from 1970-01-01 to a day of the Gregorian calendar. Years are counted from March, so that
/// the leap day is the last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - 719_468
}

/// The year, month and day of a number of days since 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}
