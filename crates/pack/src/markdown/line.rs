//! One line of a body while the marks before its text are taken away, tabs counted as CommonMark asks.

/// A line, and how far it has been read. Columns count a tab up to the next multiple of four.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    body: &'a str,
    /// Where the unread part starts.
    pub(super) at: usize,
    /// Where the line ends, its line end not counted.
    pub(super) end: usize,
    /// Where the next line starts.
    pub(super) next: usize,
    column: usize,
    /// Columns of a tab before `at` that are still to be read.
    pub(super) pad: usize,
}

impl<'a> Line<'a> {
    /// The line that starts at `at`.
    pub(super) fn new(body: &'a str, at: usize) -> Line<'a> {
        let bytes = &body.as_bytes()[at..];
        let found = bytes.iter().position(|&byte| byte == b'\n');
        let length = found.unwrap_or(bytes.len());
        let returns = usize::from(found.is_some() && bytes[..length].ends_with(b"\r"));
        let next = at + length + usize::from(found.is_some());
        Line { body, at, end: at + length - returns, next, column: 0, pad: 0 }
    }

    /// The unread part.
    pub(super) fn rest(&self) -> &'a str {
        &self.body[self.at..self.end]
    }

    pub(super) fn is_blank(&self) -> bool {
        self.rest().bytes().all(is_space)
    }

    /// The columns of white space that come next.
    pub(super) fn indent(&self) -> usize {
        let mut column = self.column + self.pad;
        for byte in self.rest().bytes() {
            match byte {
                b' ' => column += 1,
                b'\t' => column += 4 - column % 4,
                _ => break,
            }
        }
        column - self.column
    }

    /// Reads over up to `columns` columns of white space.
    pub(super) fn skip(&mut self, columns: usize) {
        let goal = self.column + columns;
        while self.column < goal {
            if self.pad > 0 {
                let step = self.pad.min(goal - self.column);
                self.pad -= step;
                self.column += step;
                continue;
            }
            match self.rest().bytes().next() {
                Some(b' ') => self.bump(1),
                Some(b'\t') => {
                    self.pad = 4 - self.column % 4;
                    self.at += 1;
                }
                _ => return,
            }
        }
    }

    /// The line with all white space read over.
    pub(super) fn skipped(mut self) -> Line<'a> {
        self.skip(self.indent());
        self
    }

    /// Reads over a mark of so many bytes, which stands next.
    pub(super) fn bump(&mut self, bytes: usize) {
        self.at += bytes;
        self.column += bytes;
    }
}

/// White space inside a paragraph.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The length of the run of `byte` that `text` starts with.
pub(super) fn run(text: &str, byte: u8) -> usize {
    text.bytes().take_while(|&other| other == byte).count()
}
