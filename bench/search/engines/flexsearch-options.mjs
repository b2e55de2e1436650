// The options that FlexSearch must be given both when it builds an index and when it imports one.

/** `id` is the page's number; the page's own id comes back as `page`. */
export const OPTIONS = {
  document: {
    id: "id",
    index: ["title", "summary", "text"],
    store: ["page", "title", "summary"],
  },
};
