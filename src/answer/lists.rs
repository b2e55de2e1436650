//! Which unit introduces a list, a table or code, and whether a block goes on in the item of the block before it.

use seealso_pack::Block;

use crate::answer::Form;
use crate::answer::unit::Unit;

/// So many units may stand between an introduction and what it introduces.
const MOST_BETWEEN: usize = 64;

/// The lists that are open at one place of a page, the outermost first.
#[derive(Default)]
pub(super) struct OpenLists(Vec<OpenList>);

struct OpenList {
    list: u32,
    /// The place of the item at hand.
    item: u32,
    intro: Option<usize>,
}

/// What a block belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Membership {
    /// The unit that introduces the list, table or code.
    pub(super) intro: Option<usize>,
    /// Whether the block goes on in the item of the block before it.
    pub(super) joins: bool,
    /// Whether it goes on in an item behind a list inside of that.
    pub(super) resumes: bool,
}

impl OpenLists {
    /// Takes the next block of the page, behind `units`; `form` is that of its units.
    pub(super) fn take(&mut self, block: &Block, form: Form, units: &[Unit]) -> Membership {
        // What stands beside the page's thread, such as a warning, does not part an introduction from its list.
        let is_here = |unit: &&Unit| unit.section == block.section && unit.form != Form::Heading;
        let near = (0..units.len()).rev().take(MOST_BETWEEN).take_while(|at| is_here(&&units[*at]));
        let last = near.into_iter().find(|at| !units[*at].is_aside);
        let goes_on = self.enter(block, last, units);
        let is_behind = units.last().is_some_and(|unit| unit.list == block.list.list);
        let intro = match form {
            Form::Prose | Form::Heading => None,
            Form::Item => self.0.last().and_then(|list| list.intro),
            Form::Row | Form::Code => last.and_then(|at| match units[at].form {
                Form::Prose => Some(at),
                // Inside of an item, its words introduce the code.
                Form::Item if units[at].list == block.list.list => Some(at),
                other if other == form => units[at].intro,
                _ => None,
            }),
        };
        Membership { intro, joins: goes_on && is_behind, resumes: goes_on && !is_behind }
    }

    /// Opens and closes lists until the block's own is the innermost; tells whether its item goes on.
    fn enter(&mut self, block: &Block, last: Option<usize>, units: &[Unit]) -> bool {
        let place = block.list;
        self.0.truncate(usize::from(place.depth));
        if place.depth == 0 {
            return false;
        }
        if let Some(open) = self.0.last_mut().filter(|open| open.list == place.list) {
            let goes_on = open.item == place.item;
            open.item = place.item;
            return goes_on;
        }
        self.0.truncate(usize::from(place.depth) - 1);
        let parent = self.0.last().map_or(0, |open| open.list);
        // A list is introduced by the prose before it, one inside of an item by that item.
        let introduces = |at: &usize| {
            if parent == 0 { units[*at].form == Form::Prose } else { units[*at].list == parent }
        };
        let intro = last.filter(introduces);
        // An item without words of its own may hold the list.
        while self.0.len() < usize::from(place.depth) {
            self.0.push(OpenList { list: place.list, item: place.item, intro });
        }
        false
    }
}
