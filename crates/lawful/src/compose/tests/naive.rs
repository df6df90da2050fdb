//! A naive implementation of section 3 of the semantics, with lists of names. It shares no code
//! with the library, uses only the standard library, and does not try to be fast. The property
//! tests and the benchmark compare results with it.

/// What a rule does.
#[derive(Clone, Debug)]
pub enum Action {
    /// `replace`
    Replace(Vec<(String, String)>),
    /// `add`, with its anchor.
    Add(Vec<String>, Option<String>),
    /// `forbid`
    Forbid(Vec<String>),
    /// `order`
    Order(Vec<String>),
}

/// The expected result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The result after each rule.
    pub after: Vec<Vec<String>>,
    /// The final order.
    pub order: Vec<String>,
    /// Every forbidden id, in the order they were first forbidden.
    pub forbidden: Vec<String>,
}

/// Resolves a composition from its base list, its order and its rules, each with whether it fires.
pub fn resolve<'r>(
    base: &[String],
    own_order: Option<&'r [String]>,
    rules: impl IntoIterator<Item = (bool, &'r Action)>,
) -> Outcome {
    let mut list = without_duplicates(base);
    let mut forbidden: Vec<String> = Vec::new();
    let mut order = own_order;
    let mut after = Vec::new();
    for (fires, action) in rules {
        if fires {
            match action {
                Action::Replace(pairs) => list = replaced(&list, pairs),
                Action::Add(ids, anchor) => add(&mut list, ids, anchor.as_deref()),
                Action::Forbid(ids) => forbidden.extend(ids.iter().cloned()),
                Action::Order(ids) => order = Some(ids),
            }
        }
        after.push(ordered(&list, order, &forbidden));
    }
    let order = ordered(&list, order, &forbidden);
    Outcome { after, order, forbidden: without_duplicates(&forbidden) }
}

/// 3.2: the first of equal ids is kept.
fn without_duplicates(ids: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for id in ids {
        if !out.contains(id) {
            out.push(id.clone());
        }
    }
    out
}

/// 3.3: all pairs at once; the first of equal ids is kept.
fn replaced(list: &[String], pairs: &[(String, String)]) -> Vec<String> {
    let new = |id: &String| {
        let pair = pairs.iter().find(|(from, _)| from == id);
        pair.map_or(id, |(_, to)| to).clone()
    };
    without_duplicates(&list.iter().map(new).collect::<Vec<_>>())
}

/// 3.4: after the anchor, or just before the last; an id that is already in the list stays.
fn add(list: &mut Vec<String>, ids: &[String], anchor: Option<&str>) {
    let found = anchor.and_then(|anchor| list.iter().position(|id| id == anchor));
    let mut place = found.map_or(list.len().saturating_sub(1), |at| at + 1);
    for id in ids {
        if !list.contains(id) {
            list.insert(place, id.clone());
            place += 1;
        }
    }
}

/// 3.5 and 3.6: the ids of the order first, then the others, without forbidden ones.
fn ordered(list: &[String], order: Option<&[String]>, forbidden: &[String]) -> Vec<String> {
    let named = order.unwrap_or_default().iter().filter(|id| list.contains(id));
    let mut out = without_duplicates(&named.chain(list).cloned().collect::<Vec<_>>());
    out.retain(|id| !forbidden.contains(id));
    out
}
