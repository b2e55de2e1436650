// What the control for meaning looks like, beside the element's own sheet, whose colours it uses.

const css = `
.meaning { display: grid; gap: 0.5rem; justify-items: start; max-width: 44rem; font-size: 0.875rem; }
.meaning .row { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; }
.meaning label { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 44px; cursor: pointer; }
.meaning input { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--sa-accent); }
.meaning .note { color: var(--sa-muted); }
.meaning .download { display: grid; gap: 0.5rem; justify-items: start; width: 100%; }
.meaning progress { width: 100%; height: 0.6rem; accent-color: var(--sa-accent); }
.meaning .time { white-space: normal; }
`;

export const meaningStyles = new CSSStyleSheet();
meaningStyles.replaceSync(css);
