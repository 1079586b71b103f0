/**
 * Fingers and mice on the board: a tap, a drag of the piece in the hand from wherever it begins, a drag from the tray,
 * a drag of the board that is shown large. Two fingers are the browser's own business: it zooms, and the piece is put
 * back where it was.
 */

/** @typedef {import("../board/lookup.js").Point} Point */
/** @typedef {import("./hand.js").Hand} Hand */
/** @typedef {import("../board/view.js").View} View */

/** Pixels a pointer may tremble before it drags. */
const STILL = { mouse: 4, touch: 9, pen: 6 };

/** Pixels by which a piece from the tray is held above a finger, to be seen. */
const LIFT = 56;

/**
 * @typedef {object} Press
 * @property {number} id
 * @property {string} type
 * @property {number} x where it began, in pixels
 * @property {number} y
 * @property {Point | null} at the point of the board where it began, null beside the board
 * @property {string} piece the piece of the tray where it began
 * @property {import("../board/lookup.js").Placement | null} draft
 * @property {Point} centre
 * @property {boolean} isDrag
 */

export class Drag {
  /**
   * @param {HTMLElement} root
   * @param {Hand} hand
   * @param {View} view
   */
  constructor(root, hand, view) {
    this.root = root;
    this.hand = hand;
    this.view = view;
    /** @type {Press | null} */
    this.press = null;
    /** What was pressed last, for the click that follows. @type {Press | null} */
    this.last = null;
    this.frame = 0;
    /** @type {Point} */
    this.latest = [0, 0];
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const { root } = this;
    root.addEventListener("pointerdown", (event) => this.down(event), { signal });
    root.addEventListener("pointermove", (event) => this.move(event), { signal });
    root.addEventListener("pointerup", (event) => this.up(event), { signal });
    root.addEventListener("pointercancel", (event) => this.cancel(event), { signal });
    // A second finger, wherever: not every browser says that it zooms from now on.
    document.addEventListener("pointerdown", (event) => event.isPrimary || this.abandon(), { signal });
    // A mouse would otherwise carry the picture away.
    root.addEventListener("dragstart", (event) => this.press && event.preventDefault(), { signal });
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.last = null;
    if (!event.isPrimary || event.button > 0) return;
    const target = /** @type {Element} */ (event.target);
    const slot = /** @type {HTMLButtonElement | null} */ (target.closest("button.slot"));
    const isOnBoard = Boolean(target.closest("#board"));
    if (!slot && !isOnBoard) return;
    this.press = {
      id: event.pointerId,
      type: event.pointerType,
      x: event.clientX,
      y: event.clientY,
      at: isOnBoard ? this.view.pointAt(event.clientX, event.clientY) : null,
      piece: slot && slot.getAttribute("aria-disabled") !== "true" ? slot.value : "",
      draft: this.hand.draft,
      centre: this.view.centre,
      isDrag: false,
    };
    this.last = this.press;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    if (!press.isDrag && !this.begin(press, event)) return;
    this.latest = [event.clientX, event.clientY];
    // Pointers tell of more places than there are frames.
    this.frame ||= requestAnimationFrame(() => this.follow());
  }

  /**
   * @param {Press} press
   * @param {PointerEvent} event
   * @returns {boolean} whether it is a drag from now on
   */
  begin(press, event) {
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (far < (STILL[/** @type {"mouse"} */ (press.type)] ?? STILL.touch)) return false;
    if (press.piece) this.hand.choose(press.piece);
    if (!this.hand.draft && !(press.at && this.view.isLarge)) {
      this.press = null;
      return false;
    }
    press.isDrag = true;
    this.root.toggleAttribute("data-dragging", true);
    /** @type {Element} */ (event.target).setPointerCapture?.(press.id);
    return true;
  }

  follow() {
    this.frame = 0;
    const { press, hand, view } = this;
    if (!press) return;
    const at = view.pointAt(this.latest[0], this.latest[1] - (press.piece && press.type !== "mouse" ? LIFT : 0));
    // Both as the board lies now: it may be moving under the finger.
    const from = view.pointAt(press.x, press.y);
    if (!at || !from) return;
    const didFit = hand.fits;
    const by = /** @type {Point} */ ([at[0] - from[0], at[1] - from[1]]);
    if (press.piece) hand.hover(spot(at, view));
    else if (press.draft) hand.drag(press.draft, [by[0] / 10, -by[1] / 10]);
    else view.pan(press.centre, by);
    if (hand.fits && !didFit) tick();
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    if (this.frame) {
      cancelAnimationFrame(this.frame);
      this.follow();
    }
    this.end();
    if (!press.isDrag) return;
    if (press.piece && !this.isOverBoard(event)) this.hand.putBack(press.draft);
    else this.hand.rest();
  }

  /** The browser has taken over, to zoom: everything is as it was. @param {PointerEvent} event */
  cancel(event) {
    if (event.pointerId === this.press?.id) this.abandon();
  }

  /** Leave everything as it was before the pointer came down. */
  abandon() {
    const { press } = this;
    if (!press) return;
    this.end();
    this.last = null;
    if (press.isDrag && this.hand.draft !== press.draft) this.hand.putBack(press.draft);
  }

  end() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.press = null;
    this.root.toggleAttribute("data-dragging", false);
  }

  /**
   * @param {PointerEvent} event
   * @returns {boolean} whether a piece dragged from the tray is let go over the board
   */
  isOverBoard(event) {
    const box = this.view.board?.getBoundingClientRect();
    const y = event.clientY - (event.pointerType === "mouse" ? 0 : LIFT);
    return Boolean(box && event.clientX >= box.left && event.clientX <= box.right && y >= box.top && y <= box.bottom);
  }

  /**
   * Return what was pressed before a click, once: null for a click by key.
   *
   * Phones move a tap to the nearest button, so a tap on the board's first row may arrive as a click on what stands
   * above it. Where the finger came down is what counts.
   *
   * @param {MouseEvent} event
   * @returns {Press | null}
   */
  pressed(event) {
    const press = event.detail > 0 ? this.last : null;
    this.last = null;
    return press;
  }
}

/**
 * @param {Point} point in units, y downward
 * @param {View} view
 * @returns {Point} the same in tens of units, y upward, as look-ups have it
 */
export function spot(point, view) {
  return [point[0] / 10, (view.size[1] - point[1]) / 10];
}

/** A short tick to feel, where the device has one. */
function tick() {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(8);
}
