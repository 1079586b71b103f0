/**
 * What an element does: `data-behaviour="name"` (or several names) in the page, `register(name, mount)` in a module.
 *
 * `mount(element)` runs once for every such element, there on load or put in later by a swap, a morph or a script. The
 * function it returns, if any, runs when the element leaves the page or loses the name.
 */

/** @typedef {(element: HTMLElement) => (void | (() => void))} Mount */

const ATTRIBUTE = "data-behaviour";

/** @type {Map<string, Mount>} */
const mounts = new Map();

/** @type {Map<HTMLElement, Map<string, () => void>>} */
const mounted = new Map();

/**
 * Return the behaviours an element names.
 *
 * @param {HTMLElement} element
 * @returns {string[]}
 */
export function namesOf(element) {
  return (element.getAttribute(ATTRIBUTE) ?? "").split(/\s+/).filter(Boolean);
}

/**
 * Mount what an element names and has not yet; undo what it no longer names.
 *
 * @param {HTMLElement} element
 */
export function update(element) {
  const names = namesOf(element);
  const undos = mounted.get(element) ?? new Map();
  for (const name of [...undos.keys()].filter((each) => !names.includes(each))) {
    undos.get(name)();
    undos.delete(name);
  }
  for (const name of names) {
    const mount = mounts.get(name);
    if (mount && !undos.has(name)) undos.set(name, mount(element) ?? (() => {}));
  }
  mounted.set(element, undos);
}

/** Undo every behaviour of the elements that have left the page. */
export function forgetTheGone() {
  for (const [element, undos] of [...mounted]) {
    if (element.isConnected) continue;
    mounted.delete(element);
    for (const undo of undos.values()) undo();
  }
}

/**
 * Bring the behaviours below `root`, itself included, up to date.
 *
 * @param {ParentNode} root
 */
export function scan(root) {
  if (root instanceof HTMLElement && root.hasAttribute(ATTRIBUTE)) update(root);
  for (const element of root.querySelectorAll(`[${ATTRIBUTE}]`)) {
    update(/** @type {HTMLElement} */ (element));
  }
}

/**
 * Say what the elements named `name` do, those already in the page first.
 *
 * @param {string} name
 * @param {Mount} mount
 */
export function register(name, mount) {
  mounts.set(name, mount);
  if (typeof document !== "undefined") scan(document);
}

/** @param {MutationRecord[]} records */
function onChange(records) {
  for (const record of records) {
    if (record.type === "attributes") update(/** @type {HTMLElement} */ (record.target));
    for (const node of record.addedNodes) if (node instanceof HTMLElement && node.isConnected) scan(node);
  }
  forgetTheGone();
}

// Watching the page itself covers every way of changing it: a swap, a morph, the back button, another module.
if (typeof document !== "undefined") {
  new MutationObserver(onChange).observe(document.documentElement, {
    attributeFilter: [ATTRIBUTE],
    attributes: true,
    childList: true,
    subtree: true,
  });
}
