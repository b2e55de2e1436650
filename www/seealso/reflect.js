// Properties of an element that are its attributes, as those of HTML are.

/** Gives a class of elements a property for each attribute: its text, empty where there is none. */
export function reflect(prototype, names) {
  for (const name of names) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get() {
        return this.getAttribute(name) ?? "";
      },
      set(value) {
        if (value === null || value === undefined) {
          this.removeAttribute(name);
        } else {
          this.setAttribute(name, value);
        }
      },
    });
  }
}
