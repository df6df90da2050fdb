//! How large the prompts of a composition are.
//!
//! Placeholders make prompts of one class differ in length, so the size of a class is that of its
//! largest prompt. Everything that reports a size asks here, so that all reports agree.

use super::decode::Composition;
use super::fragment::Fragment;
use super::matrix::{Matrix, MatrixClass};
use super::resolve::Compositions;
use crate::book::{Axis, Book, Manifest};
use crate::tokens::Tokenizer;
use crate::value::{Map, Value};

/// The largest prompt of a class.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    /// Its context; `None` if none could be constructed.
    pub(crate) context: Option<Value>,
    /// Its tokens.
    pub(crate) tokens: usize,
}

/// The index of the largest; of equal ones, the first.
pub(crate) fn largest(sizes: &[Size]) -> Option<usize> {
    let sizes = sizes.iter().enumerate();
    sizes.max_by_key(|(at, size)| (size.tokens, usize::MAX - at)).map(|(at, _)| at)
}

impl Compositions {
    /// The size of each class of a matrix.
    pub(crate) fn sizes(
        &self,
        book: &Book,
        composition: &Composition,
        matrix: &Matrix,
        tokenizer: Tokenizer<'_>,
    ) -> Vec<Size> {
        let size = |class: &MatrixClass| {
            let context = self.largest_context(composition, class, &book.manifest);
            let prompt = self.prompt(composition, &class.order, &context, &book.sources);
            let tokens = tokenizer.count(&prompt.text);
            Size { context: class.witness.is_some().then_some(context), tokens }
        };
        matrix.classes.iter().map(size).collect()
    }

    /// The largest context of a class. Long values make long prompts, so all placeholders get their
    /// longest value; if that leads to another order, one after the other gets the longest value that
    /// does not.
    pub(crate) fn largest_context(
        &self,
        composition: &Composition,
        class: &MatrixClass,
        manifest: &Manifest,
    ) -> Value {
        let mut context = class.witness.clone().unwrap_or_else(|| Self::first_context(manifest));
        let fragments = || class.order.iter().filter_map(|id| self.fragment(*id));
        let named = |axis: &&Axis| {
            fragments().flat_map(Fragment::placeholders).any(|(path, _)| *path == axis.path)
        };
        let axes: Vec<&Axis> = manifest.axes.iter().filter(named).collect();
        let leads_here = |context: &Value| self.order_in(composition, context) == class.order;
        let mut all = context.clone();
        for axis in &axes {
            set_longest(axis, &mut all);
        }
        if leads_here(&all) {
            return all;
        }
        for axis in axes {
            let mut values: Vec<&Value> = axis.values.iter().collect();
            values.sort_by_key(|value| std::cmp::Reverse(length(value)));
            for value in values {
                let mut changed = context.clone();
                axis.path.put(&mut changed, value.clone());
                if leads_here(&changed) {
                    context = changed;
                    break;
                }
            }
        }
        context
    }

    /// A context with the longest value of every axis, which gives the largest prompt of a text.
    pub(crate) fn longest_context(manifest: &Manifest) -> Value {
        let mut context = Value::Map(Map::new());
        for axis in &manifest.axes {
            set_longest(axis, &mut context);
        }
        context
    }
}

fn set_longest(axis: &Axis, context: &mut Value) {
    // The first of the longest.
    if let Some(value) = axis.values.iter().rev().max_by_key(|value| length(value)) {
        axis.path.put(context, value.clone());
    }
}

/// The length of a value in a prompt.
fn length(value: &Value) -> usize {
    value.as_text().map_or_else(|| value.to_string().len(), str::len)
}
