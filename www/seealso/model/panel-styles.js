// What the model's panel looks like, beside the element's own sheet, whose colours it uses.

const css = `
.model-panel, .model-panel .choices { display: grid; gap: 1.25rem; }
.model-panel { padding: 1.25rem 0; border-top: 1px solid var(--sa-line); }
.model-panel h2 {
  display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin: 0; font-family: var(--see-also-display, inherit);
  font-size: 1.375rem; line-height: 1.3; font-weight: 600;
}
.model-panel h3 { font-family: inherit; font-size: 1rem; }
.model-panel section { display: grid; gap: 0.6rem; justify-items: start; min-width: 0; }
.model-panel section > * { max-width: 100%; }
.model-panel section[part="local"] { gap: 1.25rem; }
.model-panel section:empty { display: none; }
.model-panel fieldset { margin: 0; padding: 0; border: 0; min-width: 0; display: grid; gap: 0.25rem; }
.model-panel legend { padding: 0; font-size: 0.875rem; color: var(--sa-muted); }
.model-panel .note { font-size: 0.875rem; color: var(--sa-muted); max-width: 44rem; }
.choice { display: flex; align-items: flex-start; gap: 0.65rem; min-height: 44px; padding: 0.5rem 0; cursor: pointer; }
.choice[hidden] { display: none; }
.choice input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0.25rem 0 0; accent-color: var(--sa-accent); }
.choice .snippet { font-size: 0.875rem; color: var(--sa-muted); }
.model-panel .row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; width: 100%; }
.model-panel .row > label { flex: 1 1 16rem; display: grid; gap: 0.2rem; font-size: 0.875rem; min-width: 0; }
.model-panel :is(input:not([type="radio"], [type="checkbox"]), select) {
  font: inherit; color: inherit; background: var(--sa-field); min-height: 44px; padding: 0.4rem 0.7rem; max-width: 100%; min-width: 0;
  border: 1px solid light-dark(#8b9096, #6d757c); border-radius: var(--sa-radius);
}
.model-panel .row > .note { flex-basis: 100%; }
.model-panel details[part="node"] > section { margin-block-start: 0.75rem; }
.model-panel .terms { display: grid; gap: 0.5rem; width: 100%; }
.model-panel .terms:not(:empty) { padding: 0.9rem 1rem; border: 1px solid var(--sa-line); border-radius: var(--sa-radius); background: var(--sa-surface); }
.model-panel .terms ul { margin: 0; padding-inline-start: 1.25rem; }
.model-panel progress { width: 100%; height: 0.6rem; accent-color: var(--sa-accent); }
.model-panel .download { display: grid; gap: 0.5rem; justify-items: start; width: 100%; }
.model-panel .time { white-space: normal; }
.stored { list-style: none; padding: 0; width: 100%; }
.stored li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.35rem 0; border-top: 1px solid var(--sa-line); }
.stored code { font-size: 0.72rem; color: var(--sa-muted); }
`;

/** The one sheet that all panels of a page share. */
export const panelStyles = new CSSStyleSheet();
panelStyles.replaceSync(css);
