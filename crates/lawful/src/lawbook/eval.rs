//! `eval`: evaluates one condition over one document.

use lawful_syntax::{Diagnostic, Span};
use serde::Serialize;

use super::Lawbook;
use crate::code;
use crate::cond::Condition;
use crate::error::{Error, ErrorKind};
use crate::value::Value;
use crate::view::Evaluation;

impl Lawbook {
    /// Evaluates a condition over data. It can refer to the book's saved conditions and the host's
    /// primitives.
    ///
    /// The result is `error` if the condition does not compile; the diagnostics say why.
    ///
    /// ```
    /// use lawful::cond::Outcome;
    /// use serde_json::json;
    ///
    /// let source = lawful::book::MemorySource::new().with("lawful.yaml", "name: desk");
    /// let book = lawful::Lawbook::load(&source)?;
    /// let answer = book.eval(&"{tier: vip}".parse()?, &json!({"tier": "vip"}))?;
    /// assert_eq!(answer.result, Outcome::True);
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn eval(
        &self,
        condition: &Condition,
        data: &(impl Serialize + ?Sized),
    ) -> Result<Evaluation, Error> {
        let data = Value::of(data)?;
        if !matches!(data, Value::Map(_) | Value::List(_)) {
            let kind = data.kind_name();
            let message = format!("the data must be a mapping or a list, found {kind}");
            let problem = Diagnostic::new(&code::WRONG_TYPE, Span::NONE, message)
                .help("write `key: value`; a condition looks up values by path");
            return Err(Error::without_place(ErrorKind::Input, problem));
        }
        Ok(Evaluation::of(&self.book.registry, condition, &data, self.sources.clone()))
    }
}
