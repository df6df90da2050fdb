//! Walks the slots of a path: the only implementation of `[*]`.

use std::ops::ControlFlow;

use super::Segment;
use crate::value::Value;

/// The slots of a path in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots<'s, 'v> {
    /// Where the path starts; `None` if absent.
    pub start: Option<&'v Value>,
    /// The steps to follow.
    pub segments: &'s [Segment],
}

impl<'v> Slots<'_, 'v> {
    /// Calls `visit` on every slot, in order, until it breaks.
    #[inline]
    pub(crate) fn visit<B>(
        self,
        visit: &mut impl FnMut(Option<&'v Value>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        walk(self.segments, self.start, &mut (), &mut |(), slot| visit(slot))
    }

    /// Calls `visit` on every slot with the steps that lead to it. The steps end early where a
    /// `[*]` meets anything but a list.
    pub(crate) fn visit_with_steps<B>(
        self,
        visit: &mut impl FnMut(&[Segment], Option<&'v Value>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut steps = Vec::new();
        walk(self.segments, self.start, &mut steps, &mut |steps, slot| visit(steps, slot))
    }

    /// Every slot, in order.
    pub(crate) fn collect(self) -> Vec<Option<&'v Value>> {
        let mut all = Vec::new();
        let _: ControlFlow<()> = self.visit(&mut |slot| {
            all.push(slot);
            ControlFlow::Continue(())
        });
        all
    }

    /// The value of the only slot of a path without `[*]`.
    pub(crate) fn only(self) -> Option<&'v Value> {
        self.segments.iter().try_fold(self.start?, |value, segment| segment.step(value))
    }
}

/// What a walk records about its current position.
trait Way {
    fn enter(&mut self, step: impl FnOnce() -> Segment);
    fn leave(&mut self);
}

/// Nothing.
impl Way for () {
    #[inline]
    fn enter(&mut self, _: impl FnOnce() -> Segment) {}
    #[inline]
    fn leave(&mut self) {}
}

/// Every step.
impl Way for Vec<Segment> {
    fn enter(&mut self, step: impl FnOnce() -> Segment) {
        self.push(step());
    }

    fn leave(&mut self) {
        self.pop();
    }
}

fn walk<'v, W: Way, B>(
    segments: &[Segment],
    value: Option<&'v Value>,
    way: &mut W,
    visit: &mut impl FnMut(&W, Option<&'v Value>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some((segment, rest)) = segments.split_first() else { return visit(way, value) };
    match (segment, value) {
        (Segment::Each, Some(Value::List(items))) => {
            for (at, item) in (0..).zip(items) {
                way.enter(|| Segment::Index(at));
                walk(rest, item.present(), way, visit)?;
                way.leave();
            }
            ControlFlow::Continue(())
        }
        (Segment::Each, _) => visit(way, None),
        (Segment::Key(_) | Segment::Index(_), _) => {
            way.enter(|| segment.clone());
            walk(rest, value.and_then(|value| segment.step(value)), way, visit)?;
            way.leave();
            ControlFlow::Continue(())
        }
    }
}
