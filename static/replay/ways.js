/** The links of a study from the move shown to what was played or tried in its place. */

/**
 * Show those of a move, and no others.
 *
 * @param {Element} root
 * @param {number} at
 */
export function showWays(root, at) {
  const ways = root.querySelector(".study__ways");
  if (!ways) return;
  const lines = [...ways.querySelectorAll("[data-at]")];
  for (const line of lines) line.toggleAttribute("hidden", line.getAttribute("data-at") !== String(at));
  ways.toggleAttribute(
    "hidden",
    lines.every((line) => line.hasAttribute("hidden")),
  );
}

/**
 * Return the link that a key or a finger asks for at the move shown.
 *
 * @param {Element} root
 * @param {string} way up or down
 * @returns {HTMLAnchorElement | null}
 */
export function wayFrom(root, way) {
  return root.querySelector(`.study__ways [data-at]:not([hidden]) [data-way=${way}]`);
}
