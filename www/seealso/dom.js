// Builds DOM nodes without markup strings, so that no text can ever become an element.

/**
 * Makes an element. A function among `attributes` becomes a listener ("onclick"), `true` an empty
 * attribute, and `false`, `null` and `undefined` leave the attribute out. Children are nodes or
 * text; empty ones (`null`, `false`, `undefined`) are skipped.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/** Replaces what an element holds; empty children are skipped as `h` skips them. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** Plain text in which `code` between backticks is set as code: the only markup of answers. */
export function inlineCode(text) {
  return String(text)
    .split(/`([^`\n]+)`/)
    .map((piece, at) => (at % 2 === 1 ? h("code", {}, piece) : piece))
    .filter((piece) => piece !== "");
}

/** Scrolls an element into view; smoothly only where the reader has not asked for less motion. */
export function scrollTo(element, block = "start") {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block, behavior: calm ? "auto" : "smooth" });
}

/** Moves the focus to an element that is no control, such as a heading, without scrolling. */
export function focusOn(element) {
  if (element.tabIndex < 0) {
    element.tabIndex = -1;
  }
  element.focus({ preventScroll: true });
}
