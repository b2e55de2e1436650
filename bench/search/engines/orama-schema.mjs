// The schema that Orama must be given both when it builds a database and when it loads one.

/** Fields outside the schema, such as the page's id, are stored and not searched. */
export const SCHEMA = { title: "string", summary: "string", text: "string" };
