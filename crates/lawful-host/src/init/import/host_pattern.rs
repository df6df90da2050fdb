//! Patterns of hosts in permissions, as regular expressions on an address.
//!
//! The guard sees the address as the agent wrote it, and programs read an unusual one in different
//! ways. So an `allow` matches only the plain form, and a `deny` every form that some program reads as
//! the host.

use super::pattern::{Verdict, escaped};

/// The expressions for the addresses of a host, of which one must match; or why there are none.
pub(super) fn read(host: &str, verdict: Verdict) -> Result<Vec<String>, &'static str> {
    let host = host.trim().trim_end_matches('.');
    if host.is_empty() || !host.chars().all(|c| c.is_ascii_alphanumeric() || ".-_*".contains(c)) {
        return Err("only letters of ASCII, digits, `.`, `-`, `_` and `*` are the name of a host");
    }
    Ok(match verdict {
        Verdict::Allow => vec![plain(host)],
        Verdict::Deny | Verdict::Ask => {
            let is_number = host.chars().all(|c| c.is_ascii_digit() || ".*".contains(c));
            let numbers = is_number.then(|| format!("{START}([^/]*@)?({NUMBERS})"));
            [any_form(host), UNUSUAL.to_owned()].into_iter().chain(numbers).collect()
        }
    })
}

/// The scheme and the slashes, as lenient as programs are. The scheme may be missing.
const START: &str = "(?is)^[\\x00-\\x20]*([a-z][a-z0-9+.-]*:)*[/\\\\]*";

/// A host with percent escapes, or with letters that a program may replace by others; and an address
/// with control characters, which programs skip.
const UNUSUAL: &str = "(?is)[\\t\\r\\n]|^[\\x00-\\x20]*([a-z][a-z0-9+.-]*:)?[/\\\\]*[^/\\\\?#]*[^\\x21-\\x24\\x26-\\x7e/\\\\?#]";

/// Other forms of an address in numbers: `2130706433`, `0x7f.1`, `0177.0.0.1`, `[::1]`.
const NUMBERS: &str = "\\[|(((0x[0-9a-f]*|[0-9]+)\\.){0,2}(0x[0-9a-f]*|[0-9]+)|([0-9a-fx]+\\.)*0[0-9x][0-9a-f]*(\\.[0-9a-fx]+)*)\\.*([^a-z0-9._-]|$)";

fn plain(host: &str) -> String {
    let host = with_wildcards(host, "[a-z0-9._-]*");
    format!("(?i)^https?://{host}(:[0-9]+)?([/?#]|$)")
}

fn any_form(host: &str) -> String {
    let host = with_wildcards(host, "[^/?#\\\\]*");
    format!("{START}([^/]*@)?{host}\\.*([^a-z0-9._-]|$)")
}

fn with_wildcards(host: &str, anything: &str) -> String {
    host.chars().map(|c| if c == '*' { anything.to_owned() } else { escaped(c) }).collect()
}
