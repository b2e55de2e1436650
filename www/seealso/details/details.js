// What a reader opens below an answer, in one script: pages and traces. `../details.js` loads it with the first answer.

export { PageView } from "./page-view.js";
export { styles } from "./styles.js";
export { traceOf } from "./trace.js";
