//! The lists of a page as it is read: which of them each block belongs to, and which unit introduces it.

use seealso_pack::{Block, ListPlace};

use crate::answer::Form;
use crate::answer::unit::Unit;

/// The lists that are open at one place of a page, the outermost first.
#[derive(Default)]
pub(super) struct OpenLists {
    open: Vec<OpenList>,
    /// How many lists were opened.
    count: usize,
}

struct OpenList {
    number: usize,
    section: usize,
    /// The place of the item at hand.
    item: u32,
    intro: Option<usize>,
}

/// What a block belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Membership {
    /// The list, numbered from 1; 0 outside of lists.
    pub(super) list: usize,
    /// The unit that introduces the list, table or code.
    pub(super) intro: Option<usize>,
    /// Whether the block goes on in the item of the block before it.
    pub(super) joins: bool,
}

impl OpenLists {
    /// Takes the next block of the page, behind `units`; `form` is that of its units.
    pub(super) fn take(&mut self, block: &Block, form: Form, units: &[Unit]) -> Membership {
        let last = units.last().filter(|last| last.section == block.section);
        let (list, joins) = self.enter(block, last.map(|last| (units.len() - 1, last)));
        let of_list = self.open.last().and_then(|list| list.intro);
        let intro = match form {
            Form::Prose => None,
            Form::Item => of_list,
            Form::Row | Form::Code => last.and_then(|last| match last.form {
                Form::Prose => Some(units.len() - 1),
                // Inside of an item, its words introduce the code.
                Form::Item if last.list == list => Some(units.len() - 1),
                other if other == form => last.intro,
                _ => None,
            }),
        };
        Membership { list, intro, joins }
    }

    /// Opens and closes lists until the block's own is the innermost; gives its number, and whether its item goes on.
    fn enter(&mut self, block: &Block, last: Option<(usize, &Unit)>) -> (usize, bool) {
        let ListPlace { depth, item, .. } = block.list;
        let depth = usize::from(depth);
        self.open.truncate(depth);
        if depth == 0 {
            return (0, false);
        }
        let is_open = self.open.len() == depth;
        if let Some(list) = self.open.last_mut()
            && is_open
            && list.section == block.section
            && item >= list.item
        {
            let joins = item == list.item;
            list.item = item;
            return (list.number, joins);
        }
        self.open.truncate(depth - 1);
        let parent = self.open.last().map_or(0, |list| list.number);
        // A list is introduced by the prose before it, one inside of an item by that item.
        let introduces = |unit: &Unit| if parent == 0 { unit.form == Form::Prose } else { unit.list == parent };
        let intro = last.filter(|(_, unit)| introduces(unit)).map(|(at, _)| at);
        // An item without words of its own may hold the list.
        while self.open.len() < depth {
            self.count += 1;
            self.open.push(OpenList { number: self.count, section: block.section, item, intro });
        }
        (self.count, false)
    }
}
