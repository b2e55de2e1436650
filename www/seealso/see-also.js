// Registers the <see-also> element. Importing `element.js` alone registers nothing.

import { SeeAlsoElement } from "./element.js";

if (!customElements.get("see-also")) {
  customElements.define("see-also", SeeAlsoElement);
}

export { SeeAlsoElement };
