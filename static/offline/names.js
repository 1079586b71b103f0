/** What pages and the service worker call what they share. */

/** The pages that are kept for a login are called so, then its label. Those kept in another form have another name. */
export const PAGES = "pages-1-";

/** The label of those who are not logged in, as the site says it: theirs is what is the same for all. */
export const NOBODY = "none";

/** The page that stands in for those that are not kept. */
export const SHELL = "/offline/";

/** The header that says when a page was kept, in milliseconds. */
export const KEPT_AT = "X-Kept-At";
