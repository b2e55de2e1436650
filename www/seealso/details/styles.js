// What opened pages and traces look like, beside the element's own sheet, whose colours they use.

const css = `
.page { padding: 0 0.9rem 0.9rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0 0.5rem; margin: 0 -0.5rem 0.5rem; border-bottom: 1px solid var(--sa-line); }
.bar .quiet { font-size: 0.875rem; text-align: start; text-decoration: none; }
.bar .quiet:hover { text-decoration: underline; }
.page-body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.7rem; max-width: 44rem; font-size: 0.9375rem; }
.page-body :is(h4, h5, h6) { line-height: 1.3; font-weight: 600; font-size: 1rem; padding-top: 0.5rem; scroll-margin-top: var(--see-also-scroll-margin, 1rem); }
.page-body [data-level="1"] { font-family: var(--see-also-display, inherit); font-size: 1.3rem; }
.page-body [data-level="2"] { font-size: 1.1rem; }
.page-body :is(ul, ol) { padding-left: 1.4rem; }
.page-body ul { list-style: disc; }
.page-body li > :is(ul, ol, p) { margin-top: 0.3rem; }
.page-body blockquote { padding-left: 0.9rem; border-left: 3px solid var(--sa-line); color: var(--sa-muted); }
.page-body hr { width: 100%; border: 0; border-top: 1px solid var(--sa-line); margin: 0.5rem 0; }
.marked { background: var(--sa-mark); box-shadow: 0 0 0 4px var(--sa-mark); border-radius: 2px; }
blockquote.marked, .page-body blockquote .marked { color: var(--sa-ink); }
.external::after { content: "\\2009↗" / ""; font-size: 0.8em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; overflow-wrap: normal; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--sa-line); min-width: 4.5rem; }
th { font-weight: 600; }
.origin { margin-bottom: 0.7rem; font-size: 0.875rem; }
.origin ul { list-style: disc; padding-left: 1.4rem; }
.origin summary { color: var(--sa-accent); }
.origin pre { max-height: 18rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.stored { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.5rem; font-size: 0.875rem; }
.trace { width: 100%; }
.trace td:last-child { min-width: 8rem; width: 100%; overflow-wrap: anywhere; }
.trace pre { max-height: 18rem; max-width: 40rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.trace summary { color: var(--sa-accent); }
@media (pointer: fine) { .trace summary { min-height: 1.75rem; } }
@media (forced-colors: active) { .marked { outline: 2px solid Highlight; } }
`;

/** The sheet that an element's shadow root adopts with the first page or trace that is opened in it. */
export const styles = new CSSStyleSheet();
styles.replaceSync(css);
