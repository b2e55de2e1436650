// The styles of a deliberation, added to the element's own where one is shown.

const css = `
.deliberated { display: grid; gap: 0.75rem; margin-block-end: 0.75rem; }
.unchecked { max-width: 44rem; padding-inline: 0.9rem; font-size: 0.9375rem; border: 1px dashed var(--sa-line); border-radius: var(--sa-radius); }
.unchecked > summary { flex-wrap: wrap; gap: 0 0.5rem; padding-block: 0.4rem; }
.unchecked .note { color: var(--sa-muted); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.unchecked .draft { margin-block-end: 0.9rem; }
.reasoning { margin-block-end: 0.5rem; font-size: 0.9375rem; color: var(--sa-muted); }
.deliberated .draft, [part=exchange] .draft { white-space: pre-wrap; padding-inline-start: 0.75rem; border-inline-start: 3px solid var(--sa-line); }
.judged { border-block-end: 1px dotted transparent; }
.judged:hover, .judged:focus-visible { background: var(--sa-mark); }
.judged[data-verdict="cannot-verify"] { border-block-end-color: var(--sa-alarm); }
.deliberated .answer { display: grid; gap: 0.6rem; position: relative; }
.own-knowledge { display: grid; gap: 0.6rem; max-width: 44rem; padding: 0.75rem 0.9rem; font-size: 0.9375rem; background: var(--sa-surface); border: 1px dashed var(--sa-muted); border-radius: var(--sa-radius); }
.own-knowledge > .label { font-weight: 600; }
.setback { margin: 0; padding: 0.6rem 0.9rem; border-inline-start: 3px solid var(--sa-alarm); background: var(--sa-surface); font-size: 0.9375rem; }
.verdict-note { position: absolute; inset-inline: 0; z-index: 2; display: grid; gap: 0.35rem; justify-items: start; max-width: 36rem; padding: 0.7rem 0.9rem; font-size: 0.9375rem; line-height: 1.45; background: var(--sa-surface); color: var(--sa-ink); border: 1px solid var(--sa-line); border-radius: var(--sa-radius); box-shadow: 0 4px 18px rgb(0 0 0 / 0.18); }
.verdict-note[hidden] { display: none; }
.verdict-note p { margin: 0; font-weight: 600; }
.verdict-note blockquote { margin: 0; padding-inline-start: 0.7rem; border-inline-start: 3px solid var(--sa-line); color: var(--sa-muted); max-height: 12rem; overflow: auto; }
[part=exchange] { margin-block-start: 0.75rem; }
[part=exchange] h4 { margin-block: 0.75rem 0.25rem; }
[part=exchange] .claims { padding-inline-start: 1.5rem; display: grid; gap: 0.5rem; }
[part=exchange] blockquote { margin-inline-start: 0.75rem; color: var(--sa-muted); }
[part=exchange] li[data-verdict="unsupported"] .badge, [part=exchange] li[data-verdict="contradicts"] .badge { color: var(--sa-alarm); border-color: currentColor; }
`;

let sheet = null;

/** Adds them to the root that `element` is in, once. */
export function exchangeStyles(element) {
  sheet ??= new CSSStyleSheet();
  if (sheet.cssRules.length === 0) {
    sheet.replaceSync(css);
  }
  const root = element.getRootNode();
  if (!root.adoptedStyleSheets.includes(sheet)) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
}
