//! The expectations about roles.

use lawful::Value;
use lawful::align::Alignment;
use lawful::compose::{AgentKeys, Evaluated, Layer, OwnKey, Refusal, Roles};

use super::Law;

pub(super) const KINDS: [&str; 8] =
    ["role", "roles", "refused", "role-warnings", "role-lines", "agent", "project", "gaps"];

/// `{texts: {path: text}, roles: {role: prompt}}`
pub(super) fn evaluated(text: &str) -> Result<Evaluated, String> {
    let value = crate::read::value(text);
    let Value::Map(all) = &value else { return Err("a mapping is needed".to_owned()) };
    let map = |key: &str| match all.get(key) {
        Some(Value::Map(map)) => map
            .iter()
            .map(|(key, value)| Some((key.to_string(), value.as_text()?.to_owned())))
            .collect::<Option<_>>()
            .ok_or_else(|| format!("`{key}` is a mapping of texts")),
        Some(_) | None => Ok(std::collections::BTreeMap::new()),
    };
    Ok(Evaluated { texts: map("texts")?, roles: map("roles")? })
}

pub(super) fn output(
    kind: &str,
    word: Option<String>,
    law: &Law,
    context: &Value,
    nickel: &Evaluated,
) -> Result<String, String> {
    let none = lawful::insertion::Insertions::default();
    if kind == "project" {
        let mut warnings = Vec::new();
        let found =
            law.compositions.layer(Layer::Project, (context, &none), law.sources(), &mut warnings);
        return Ok(found.text);
    }
    let roles = Roles::compose(&law.book, &law.compositions, context, &none, nickel);
    let refused = match &roles {
        Ok(_) => None,
        Err(Refusal::Undecided(found)) => Some(format!("could not decide\n{}", law.list(found))),
        Err(Refusal::Broken(found)) => Some(format!("no\n{}", law.list(found))),
    };
    if kind == "refused" {
        return Ok(refused.unwrap_or_default());
    }
    let without = law.book.manifest.conditioning.is_none();
    let roles = match (roles, refused) {
        (Ok(roles), _) => Some(roles),
        (Err(_), _) if kind == "gaps" && without => None,
        (Err(_), refused) => return Err(refused.unwrap_or_default()),
    };
    if kind == "gaps" {
        return gaps(law, roles.as_ref());
    }
    let roles = roles.ok_or("there are no roles")?;
    let prompt = |word: Option<String>| {
        let role = word.ok_or("name a role")?;
        roles.get(&role).map_err(|unknown| law.list(&[*unknown]))
    };
    Ok(match kind {
        "role" => prompt(word)?.text().to_owned(),
        "role-lines" => law.lines(&prompt(word)?.prompt),
        "agent" => agent(&prompt(word)?.agent),
        "role-warnings" => law.list(&roles.warnings),
        _ => {
            let star = |role: &str| if role == &*roles.main { "*" } else { "" };
            let names = roles.prompts.iter().map(|one| format!("{}{}", one.role, star(&one.role)));
            names.collect::<Vec<_>>().join(" ")
        }
    })
}

/// One line for each key.
fn agent(keys: &AgentKeys) -> String {
    let mut out = Vec::new();
    out.extend(keys.description.iter().map(|text| format!("description: {text}")));
    out.extend(keys.tools.iter().map(|tools| format!("tools: {}", tools.join(", "))));
    out.extend(keys.model.iter().map(|model| format!("model: {model}")));
    for own in &keys.own {
        let line = |key: &OwnKey| format!("{}: {}: {}", own.harness, key.name, key.value);
        out.extend(own.keys.iter().map(line));
    }
    out.join("\n")
}

fn gaps(law: &Law, roles: Option<&Roles>) -> Result<String, String> {
    let (rulespec, problems) = lawful::rulespec(&law.book).ok_or("there is no rulespec")?;
    let rulespec = rulespec.ok_or_else(|| law.list(&problems))?;
    let found = Alignment::of(&law.book, &law.compositions, roles, &rulespec);
    found.map(|found| law.list(&found.diagnostics())).map_err(|problems| law.list(&problems))
}
