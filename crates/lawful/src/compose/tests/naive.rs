//! Section 3 of the semantics once more, as plainly as it can be said: lists of names, walked from
//! end to end. It shares no code with the library, uses nothing but the standard library, and knows
//! nothing of speed. Properties of composing and the benchmark compare answers with it.

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

/// What should come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The list as it would come out after each rule.
    pub after: Vec<Vec<String>>,
    /// The final order.
    pub order: Vec<String>,
    /// Every id that a rule forbade, in the order they were forbidden first.
    pub forbidden: Vec<String>,
}

/// Resolves a composition from its base list, its own order and its rules, each with whether it
/// fires.
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

/// 3.2: of equal ids the first stays.
fn without_duplicates(ids: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for id in ids {
        if !out.contains(id) {
            out.push(id.clone());
        }
    }
    out
}

/// 3.3: all pairs at once; of two that become the same, the first stays.
fn replaced(list: &[String], pairs: &[(String, String)]) -> Vec<String> {
    let new = |id: &String| {
        let pair = pairs.iter().find(|(from, _)| from == id);
        pair.map_or(id, |(_, to)| to).clone()
    };
    without_duplicates(&list.iter().map(new).collect::<Vec<_>>())
}

/// 3.4: after the anchor, or just before the last; what is there already stays.
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

/// 3.5 and 3.6: what the order names first, then the others; then without what is forbidden.
fn ordered(list: &[String], order: Option<&[String]>, forbidden: &[String]) -> Vec<String> {
    let named = order.unwrap_or_default().iter().filter(|id| list.contains(id));
    let mut out = without_duplicates(&named.chain(list).cloned().collect::<Vec<_>>());
    out.retain(|id| !forbidden.contains(id));
    out
}
