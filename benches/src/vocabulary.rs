//! What rules are written about: the paths of the document and the constants that stand in rules.
//!
//! Every test is made to order: true or false of the document, with a constant that other rules use
//! as well or with one of its own.

use serde_json::Value;

use crate::workload::{Kind, Random, Test};

/// The document that every rule is asked of.
pub const DOCUMENT: &str = include_str!("document.json");

/// Where the constant of a test comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the small stock that many rules draw on.
    Shared,
    /// The rule's own, as far as a test that holds leaves a choice.
    Own,
}

/// A path with its value in the document and values that other documents have there.
struct Word {
    path: &'static str,
    found: &'static str,
    others: &'static [&'static str],
}

/// A number and the bounds that rules like to use.
struct Figure {
    path: &'static str,
    found: i64,
    /// The document has this much more than the whole number.
    fraction: f64,
    step: i64,
}

const fn word(path: &'static str, found: &'static str, others: &'static [&'static str]) -> Word {
    Word { path, found, others }
}

/// One of them, `order.coupon`, is not in the document.
const WORDS: &[Word] = &[
    word("channel", "email", &["chat", "phone", "forum", "letter"]),
    word("status", "open", &["new", "held", "closed", "solved"]),
    word("user.tier", "gold", &["free", "basic", "silver", "vip"]),
    word("user.country", "SE", &["NO", "DK", "FI", "DE", "FR"]),
    word("account.plan", "team", &["solo", "business", "enterprise"]),
    word("account.region", "eu-north-1", &["eu-west-1", "us-east-1", "ap-south-1"]),
    word("account.contract.type", "annual", &["monthly", "trial"]),
    word("session.stage", "triage", &["greeting", "resolve", "follow-up"]),
    word("session.agent.model", "large", &["small", "medium"]),
    word("order.currency", "EUR", &["SEK", "USD", "GBP"]),
    word("order.coupon", "", &["SPRING", "WELCOME", "LOYAL"]),
];

const FIGURES: &[Figure] = &[
    Figure { path: "user.age_days", found: 412, fraction: 0.0, step: 30 },
    Figure { path: "account.seats", found: 480, fraction: 0.0, step: 50 },
    Figure { path: "account.spend", found: 18_405, fraction: 0.5, step: 1000 },
    Figure { path: "message.length", found: 1184, fraction: 0.0, step: 100 },
    Figure { path: "session.tokens", found: 18_250, fraction: 0.0, step: 2000 },
    Figure { path: "order.total", found: 1290, fraction: 0.0, step: 100 },
];

/// Lists, by elements that the document has and elements that it lacks.
const LISTS: &[(&str, &[&str], &[&str])] = &[
    (
        "user.roles",
        &["owner", "billing", "reviewer", "export", "audit", "support"],
        &["guest", "admin", "developer", "partner"],
    ),
    (
        "account.flags",
        &["beta", "sso", "audit-log", "sandbox", "webhooks", "dark-mode", "early-access"],
        &["legacy", "suspended", "hipaa"],
    ),
    (
        "message.tags",
        &["refund", "invoice", "duplicate", "payment", "urgent", "card", "march"],
        &["spam", "praise", "outage", "login", "export"],
    ),
    (
        "session.tools",
        &["search", "refund", "handoff", "lookup", "notes", "calendar"],
        &["browser", "shell", "email"],
    ),
];

/// Texts, with beginnings of what other documents have there.
const TEXTS: &[Word] = &[
    word(
        "message.subject",
        "Refund for invoice 8841 of March, second request",
        &["Login", "Question about", "Re: Refund", "Complaint"],
    ),
    word("user.email", "ada.lindqvist@northwind.example", &["info@", "support@", "no-reply@"]),
    word("order.number", "INV-2026-03-008841-EU", &["ORD-", "INV-2025-", "CRN-"]),
    word("order.carrier.code", "PN-SE-77-0042", &["DHL-", "UPS-", "PN-NO-"]),
];

/// A test for equality.
pub fn equals(random: &mut Random, holds: bool, origin: Origin) -> Test {
    let word = loop {
        let word = random.pick(WORDS);
        if !(holds && word.found.is_empty()) {
            break word;
        }
    };
    let value = match (holds, origin) {
        (true, _) => word.found.to_owned(),
        (false, Origin::Shared) => (*random.pick(word.others)).to_owned(),
        (false, Origin::Own) => format!("{}-{}", random.pick(word.others), random.own()),
    };
    Test { path: word.path, kind: Kind::Equals, value: value.into() }
}

/// A test that a number is greater than a bound.
pub fn greater(random: &mut Random, holds: bool, origin: Origin) -> Test {
    let figure = random.pick(FIGURES);
    // The shared bounds are round numbers; one's own lie anywhere up to many times the number.
    let bound = match (holds, origin) {
        (true, Origin::Shared) => random.between(1, figure.found / figure.step) * figure.step,
        (true, Origin::Own) => random.between(0, figure.found - 1),
        (false, Origin::Shared) => {
            (figure.found / figure.step + random.between(1, 8)) * figure.step
        }
        (false, Origin::Own) => random.between(figure.found + 1, figure.found * 50),
    };
    let value = if figure.fraction == 0.0 {
        Value::from(bound)
    } else {
        #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
        let bound = bound as f64 + figure.fraction / 2.0;
        Value::from(bound)
    };
    Test { path: figure.path, kind: Kind::Greater, value }
}

/// A test that a list has an element.
pub fn contains(random: &mut Random, holds: bool, origin: Origin) -> Test {
    let (path, there, missing) = random.pick(LISTS);
    let value = match (holds, origin) {
        (true, _) => (*random.pick(there)).to_owned(),
        (false, Origin::Shared) => (*random.pick(missing)).to_owned(),
        (false, Origin::Own) => format!("{}-{}", random.pick(missing), random.own()),
    };
    Test { path, kind: Kind::Contains, value: value.into() }
}

/// A test of how a text starts.
pub fn starts_with(random: &mut Random, holds: bool, origin: Origin) -> Test {
    let (path, value) = beginning(random, holds, origin);
    Test { path, kind: Kind::StartsWith, value: value.into() }
}

/// A test of a text with a regular expression: a beginning in which digits and some letters are
/// classes, so that it is no plain prefix.
pub fn matches(random: &mut Random, holds: bool, origin: Origin) -> Test {
    let (path, start) = beginning(random, holds, origin);
    let mut pattern = String::from("^");
    for c in start.chars() {
        match c {
            '0'..='9' if random.chance(30) => pattern.push_str("[0-9]"),
            'a'..='z' if random.chance(20) => pattern.push_str("[a-z]"),
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '@' | ',' | ':' | '-' | '#' => {
                pattern.push(c);
            }
            _ => {
                pattern.push('\\');
                pattern.push(c);
            }
        }
    }
    // A class in every pattern, also where chance put none.
    pattern.push_str("[^#]*");
    Test { path, kind: Kind::Matches, value: pattern.into() }
}

fn beginning(random: &mut Random, holds: bool, origin: Origin) -> (&'static str, String) {
    let text = random.pick(TEXTS);
    let first = |count: usize| text.found.chars().take(count).collect::<String>();
    let length = text.found.chars().count();
    let value = match (holds, origin) {
        // Short ones are the ones that people write again and again.
        (true, Origin::Shared) => first(random.below(4) + 3),
        (true, Origin::Own) => first(random.below(length - 3) + 3),
        (false, Origin::Shared) => (*random.pick(text.others)).to_owned(),
        // No text of the document goes on like this, in letters or in classes.
        (false, Origin::Own) => format!("{}#{}", first(random.below(length / 2)), random.own()),
    };
    (text.path, value)
}
