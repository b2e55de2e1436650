// The options that MiniSearch must be given both when it builds an index and when it loads one.

/** `id` is the page's number; the page's own id comes back as `page`. */
export const OPTIONS = {
  fields: ["title", "summary", "text"],
  storeFields: ["page", "title", "summary"],
};
