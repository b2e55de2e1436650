//! Code in a text as Markdown has it: spans between runs of backticks, and the fences of blocks.

/// How often `kind` stands at the beginning.
pub(super) fn run(bytes: &[u8], kind: u8) -> usize {
    bytes.iter().take_while(|&&byte| byte == kind).count()
}

/// Whether a fence may stand after it: indentation, and the marks of quotations.
pub(super) fn is_margin(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>')
}

/// The bytes up to the end of a code span whose opening run stands before `bytes`: 0 where its paragraph ends without another
/// such run, so that it is no code span; none where that can't be told yet.
pub(super) fn span(bytes: &[u8], opening: usize, last: bool) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'`' {
            let closing = run(&bytes[at..], b'`');
            at += closing;
            match at == bytes.len() && !last {
                true => return None,
                false if closing == opening => return Some(at),
                false => continue,
            }
        }
        at += 1;
        if byte == b'\n' {
            let blank = bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
            if bytes.get(at + blank) == Some(&b'\n') {
                return Some(0);
            }
        }
    }
    last.then_some(0)
}
