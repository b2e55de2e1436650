//! Fences around text that is data in a prompt.

/// A fence of tildes that is longer than any run of them in `texts`, so that none of them can close it.
pub fn fence_around<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let runs = texts.flat_map(|text| text.split(|c| c != '~').map(str::len));
    "~".repeat(runs.max().unwrap_or(0).max(3) + 1)
}
