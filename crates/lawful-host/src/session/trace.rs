//! The trace of a stored step.

use lawful::view::StepTrace;
use lawful_store::Record;
use serde::de::DeserializeOwned;

use super::stored;
use crate::failure::Failure;

/// The trace in the log.
pub(super) fn trace(record: &Record) -> Result<StepTrace, Failure> {
    let mut trace = StepTrace::default();
    trace.waves = read(&record.events)?;
    trace.fired = read(&record.changes)?;
    Ok(trace)
}

/// A list of the trace; the start of a session has none.
fn read<T: DeserializeOwned>(json: &lawful_store::Json) -> Result<Vec<T>, Failure> {
    // From the text, because a `serde_json::Value` sorts its keys. It has no limit on nesting, though,
    // so it reads what is too deep for the other.
    let list: Option<Vec<T>> = match serde_json::from_str(json.text()) {
        Ok(list) => list,
        Err(_) => serde_json::from_value(stored::value(json)?.into())
            .map_err(|error| stored::damaged("a trace", &error.to_string()))?,
    };
    Ok(list.unwrap_or_default())
}
