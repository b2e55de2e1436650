// The element's style sheet. A page may theme it with the --see-also-… properties and ::part().
// The element's own names begin with --sa-, lest they meet a page's. Colours follow the page's own
// color-scheme, so that the element never is dark on a light page.

const css = `
:host {
  --sa-accent: var(--see-also-accent, light-dark(#0d5c6e, #86cbd8));
  --sa-on-accent: var(--see-also-on-accent, light-dark(#ffffff, #0d2227));
  --sa-ink: var(--see-also-ink, light-dark(#1d2125, #e8e6e1));
  --sa-muted: var(--see-also-muted, light-dark(#596068, #a3abb1));
  --sa-line: var(--see-also-line, light-dark(#dedbd4, #343a40));
  --sa-background: var(--see-also-background, light-dark(#ffffff, #15181b));
  --sa-surface: var(--see-also-surface, light-dark(#f6f4ef, #1d2125));
  --sa-field: var(--see-also-field, light-dark(#ffffff, #1d2125));
  --sa-mark: var(--see-also-mark, light-dark(#fdf0c2, #453c1c));
  --sa-alarm: light-dark(#a1291f, #f2a196);
  --sa-radius: var(--see-also-radius, 10px);
  --sa-mono: var(--see-also-mono, ui-monospace, "SF Mono", Menlo, Consolas, monospace);
  display: block;
  box-sizing: border-box;
  color: var(--sa-ink);
  background: var(--sa-background);
  font-family: var(--see-also-font, inherit);
  line-height: 1.6;
  overflow-wrap: anywhere;
}
:host([hidden]) { display: none; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([theme="auto"]) { color-scheme: light dark; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--sa-muted); }
p, ul, ol, h3, h4, h5, h6, pre, blockquote { margin: 0; }

:focus-visible { outline: 2px solid var(--sa-accent); outline-offset: 2px; border-radius: 4px; }

button, .quiet {
  font: inherit; font-size: 0.9375rem; min-height: 44px; padding: 0 1rem; color: var(--sa-ink); background: var(--sa-background);
  border: 1px solid var(--sa-line); border-radius: var(--sa-radius); cursor: pointer;
}
@media (hover: hover) { button:hover { border-color: var(--sa-accent); } }
button.primary { color: var(--sa-on-accent); background: var(--sa-accent); border-color: var(--sa-accent); font-weight: 600; }
button.primary:hover { filter: brightness(1.08); }
.quiet { display: inline-flex; align-items: center; padding: 0 0.5rem; color: var(--sa-accent); background: none; border-color: transparent; }
.quiet:hover { text-decoration: underline; border-color: transparent; }

form {
  position: var(--see-also-form-position, static); top: var(--see-also-form-top, 0); z-index: 1;
  display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: end; gap: 0.5rem; padding: 0.5rem 0; background: var(--sa-background);
}
.field {
  font: inherit; color: inherit; background: var(--sa-field); width: 100%; min-height: 50px; max-height: 40vh; padding: 0.65rem 0.9rem;
  border: 1px solid light-dark(#8b9096, #6d757c); border-radius: var(--sa-radius); resize: none; overflow-y: auto;
}
textarea { field-sizing: content; }
.field::placeholder { color: var(--sa-muted); opacity: 1; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.field:focus-visible { outline-offset: 0; border-color: var(--sa-accent); border-radius: var(--sa-radius); }
form button { min-height: 50px; min-width: 4.75rem; }

.field { grid-area: 1 / 1; }
form button { grid-area: 1 / 2; }
.suggest { grid-area: 1 / 1 / auto / -1; align-self: end; position: relative; z-index: 2; }
.suggestions {
  position: absolute; inset: 0.3rem 0 auto; max-height: min(30rem, 55dvh); overflow-y: auto; overscroll-behavior: contain; padding: 0.3rem;
  background: var(--sa-background); border: 1px solid var(--sa-line); border-radius: var(--sa-radius); box-shadow: 0 8px 24px rgb(0 0 0 / 18%);
}
.suggestion { display: grid; padding: 0.4rem 0.65rem; border-radius: 6px; cursor: pointer; line-height: 1.4; }
.suggestion:is(:hover, [aria-selected="true"]) { background: var(--sa-surface); }
.suggestion[aria-selected="true"] { outline: 2px solid var(--sa-accent); outline-offset: -2px; }
.suggestion :is(.title, .snippet) { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
mark { color: var(--sa-ink); background: var(--sa-mark); border-radius: 2px; }

.state { font-size: 0.875rem; min-height: 44px; color: var(--sa-muted); }
.state > p { line-height: 44px; }
.packs ul { list-style: none; padding: 0 0 0.75rem; display: grid; gap: 0.75rem; }
.packs li { padding-left: 1.1rem; }
.packs strong { color: var(--sa-ink); font-weight: 600; }
.how { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; font-size: 0.875rem; color: var(--sa-muted); }
.how select { font: inherit; min-height: 44px; margin-left: 0.5rem; color: var(--sa-ink); background: var(--sa-field); border: 1px solid var(--sa-line); border-radius: var(--sa-radius); }
summary { cursor: pointer; min-height: 44px; list-style: none; display: flex; align-items: center; gap: 0.5rem; }
summary::-webkit-details-marker { display: none; }
summary::before {
  content: ""; flex: none; width: 0.4rem; height: 0.4rem; margin: 0 0.15rem; border: solid currentcolor; border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg);
}
details[open] > summary::before { transform: rotate(45deg); }

.turn { padding: 1.5rem 0 1.25rem; border-top: 1px solid var(--sa-line); scroll-margin-top: var(--see-also-scroll-margin, 1rem); }
h3 { font-family: var(--see-also-display, inherit); font-size: 1.375rem; line-height: 1.3; font-weight: 600; text-wrap: balance; scroll-margin-top: 6rem; }
.progress { font-size: 0.875rem; color: var(--sa-muted); padding: 0.35rem 0 0.75rem; }
.steps { list-style: none; padding: 0; }
.steps li { display: flex; flex-wrap: wrap; gap: 0 0.6rem; }
.steps li::before { content: "·" / ""; width: 0.8em; text-align: center; }
.steps li[data-state="done"]::before { content: "✓" / ""; color: var(--sa-accent); }
.steps .stage { color: var(--sa-ink); }
.time { font-variant-numeric: tabular-nums; white-space: nowrap; }

.answer { display: grid; gap: 1.25rem; max-width: 44rem; }
.part { display: grid; gap: 0.7rem; }
.part h4 { font-size: 0.8125rem; font-weight: 600; color: var(--sa-muted); line-height: 1.4; border-left: 3px solid var(--sa-accent); padding-left: 0.6rem; }
.part h4::first-letter { text-transform: uppercase; }
.cite {
  position: relative; min-height: 1.5rem; min-width: 1.5rem; padding: 0 0.15rem; margin: 0 0.05rem; font-size: 0.8125rem; line-height: 1.5rem;
  color: var(--sa-accent); background: none; border-color: transparent; border-radius: 4px; font-variant-numeric: tabular-nums; user-select: text;
}
.sentence-end { white-space: nowrap; }
.cite:hover { text-decoration: underline; border-color: transparent; }
@media (pointer: coarse) { .cite::after { content: ""; position: absolute; inset: -10px; } }
.can-ask { padding: 0.75rem 0; }
.notices { margin-top: 1rem; padding: 0.6rem 0.9rem; border-left: 3px solid var(--sa-muted); background: var(--sa-surface); font-size: 0.875rem; }
.notices ul { list-style: none; padding: 0; }
.error { margin: 0.5rem 0; padding: 0.9rem 1rem; display: grid; gap: 0.75rem; justify-items: start; border-left: 3px solid var(--sa-alarm); background: var(--sa-surface); color: var(--sa-ink); font-size: 0.9375rem; }
.error strong { color: var(--sa-alarm); }
.stopped { display: flex; align-items: center; gap: 1rem; color: var(--sa-muted); }
.tools { display: flex; align-items: center; gap: 0.5rem; margin: 0.25rem 0 0 -0.5rem; font-size: 0.875rem; }

.panel { border-top: 1px solid var(--sa-line); }
.panel > summary { font-size: 0.9375rem; font-weight: 600; }
.sources { list-style: none; padding: 0 0 0.75rem; display: grid; gap: 0.5rem; }
.source { border-radius: var(--sa-radius); background: var(--sa-surface); scroll-margin-top: var(--see-also-scroll-margin, 1rem); }
.source > summary { align-items: flex-start; padding: 0.65rem 0.9rem; gap: 0.65rem; border-radius: var(--sa-radius); }
.source > summary::before { margin-top: 0.55rem; }
.source .number { flex: none; min-width: 1.25em; color: var(--sa-muted); font-variant-numeric: tabular-nums; }
.about { display: grid; gap: 0.1rem; min-width: 0; }
:is(.about, .suggestion) .title { font-weight: 600; }
:is(.about, .suggestion) .path { font-family: var(--sa-mono); font-size: 0.78rem; color: var(--sa-muted); }
:is(.about, .suggestion) .snippet { font-size: 0.875rem; color: var(--sa-muted); }
.source[open] .snippet { display: none; }
.badges { display: flex; flex-wrap: wrap; gap: 0.35rem; padding-top: 0.25rem; }
.badge { font-size: 0.75rem; line-height: 1.35rem; padding: 0 0.5rem; border: 1px solid var(--sa-line); border-radius: 99px; color: var(--sa-muted); background: var(--sa-background); }

a { color: var(--sa-accent); text-underline-offset: 0.15em; }
.panel > .muted { font-size: 0.875rem; padding: 0.5rem 0; }
code, pre { font-family: var(--sa-mono); font-size: 0.875em; }
:not(pre) > code { padding: 0.1em 0.3em; border-radius: 4px; -webkit-box-decoration-break: clone; box-decoration-break: clone; background: light-dark(rgb(0 0 0 / 6%), rgb(255 255 255 / 9%)); }
pre { padding: 0.75rem 0.9rem; overflow: auto; overflow-wrap: normal; max-height: 30rem; background: var(--sa-background); border: 1px solid var(--sa-line); border-radius: 6px; line-height: 1.5; }

@media (prefers-reduced-motion: no-preference) {
  .steps li:not([data-state="done"])::before { animation: pulse 1s ease-in-out infinite; }
  @keyframes pulse { 50% { opacity: 0.2; } }
  summary::before { transition: transform 120ms; }
}
`;

/** The one sheet that all elements of a page share. */
export const styles = new CSSStyleSheet();
styles.replaceSync(css);
