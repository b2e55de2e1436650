// Where a page of a site is opened.

/** The address of the place `anchor` on the page at `site`; the page's own place where there is none. */
export function placeOnSite(site, anchor) {
  return anchor ? `${site.split("#")[0]}#${anchor}` : site;
}
