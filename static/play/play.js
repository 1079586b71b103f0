/**
 * The play page's hands: a piece from the tray to the board by finger, mouse or key, turned, explained and sent. What
 * the server answers replaces the page's part, and the hand reads it again.
 */

import { register } from "../site/behaviours.js";
import { mount as countDown } from "../site/countdown.js";
import { mount as zone } from "../site/zone.js";
import { Arrivals } from "./arrivals.js";
import { Desk } from "./desk.js";
import { keepDraft, keptDraft } from "./kept_draft.js";
import { Onward } from "./onward.js";
import { Sender } from "./sender.js";
import { Signals } from "./signals.js";

/** One play page, with everything on it that answers to hands. */
class Play extends Desk {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.arrivals = new Arrivals(root, (told) => this.shown.say(told, "since"));
    this.signals = new Signals(root, this.likes);
    this.onward = new Onward(root, this.likes, () => this.shown.say(this.shown.word("onward", ""), "info"));
    this.game = root.dataset.game ?? "";
    /** Whether the page is about to show a placement of the viewer's for the first time. */
    this.hasPlaced = false;
    /** @type {Sender | undefined} */
    this.sender = undefined;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.listen(signal);
    this.arrivals.listen(signal);
    this.signals.listen(signal);
    this.onward.listen(signal);
    this.root.addEventListener("submit", (event) => this.sent(event), { signal });
    this.sender = new Sender(
      this.root,
      () => (this.shown.canPlace ? this.hand.text : ""),
      (placed) => {
        if (!this.sender?.pending.held) this.signals.land();
        this.hasPlaced = true;
        this.hand.drop(placed);
        this.onward.moved();
      },
      () => this.read(),
      (held) => this.waits(held),
    );
    this.sender.listen(signal);
    // Before the first reading, which finds nothing in the hand and would keep that.
    const kept = keptDraft(this.game);
    this.read();
    if (kept) this.hand.restore(kept);
    this.holdAsked();
    this.sender.resume();
  }

  /** Hold what a link asks for (`?hold=`), once: it is placed as any other piece, or put back. */
  holdAsked() {
    const address = new URL(location.href);
    const asked = address.searchParams.get("hold");
    if (asked === null) return;
    address.searchParams.delete("hold");
    history.replaceState(history.state, "", address);
    this.hold(asked);
  }

  /**
   * Show that a placement can still be taken back, or no longer.
   *
   * @param {import("./send.js").Attempt | null} held
   */
  waits(held) {
    const { hand, root, shown, view } = this;
    const isWaiting = this.sender?.pending.isWaiting ?? false;
    if (isWaiting && !root.hasAttribute("data-pending")) this.signals.land();
    if (held && hand.text !== held.placement) {
      hand.isFixed = false;
      hand.holdText(held.placement);
    }
    hand.isFixed = held !== null;
    // What is pressed is about to leave the page.
    if (
      isWaiting !== root.hasAttribute("data-pending") &&
      document.activeElement?.matches(":is(#place, .undo) :focus-visible")
    )
      view.board?.focus({ preventScroll: true });
    root.toggleAttribute("data-pending", isWaiting);
    shown.show();
  }

  /** Take back what was placed and not yet sent. */
  undo() {
    const piece = this.hand.draft?.piece ?? "";
    this.sender?.withdraw();
    this.shown.say(this.shown.word("undone", piece), "info");
  }

  /** Read the position that the page shows now. @override */
  read() {
    this.root.toggleAttribute("data-placed", this.hasPlaced);
    this.hasPlaced = false;
    super.read();
    this.arrivals.read();
    this.signals.read();
    this.onward.read();
  }

  /** The hand holds something else, or elsewhere. @override */
  changed() {
    const { hand } = this;
    super.changed();
    // What is dragged is kept where it comes to rest.
    if (this.game && !this.root.hasAttribute("data-dragging"))
      keepDraft(this.game, hand.draft && { colour: hand.colour, draft: hand.draft, didFit: hand.fits });
  }

  /**
   * Return the focus to the board for keyboard users: the button that was pressed will be disabled by the
   * answer, or by a live update that overtakes it, and the focus would be lost.
   *
   * @param {SubmitEvent} event
   */
  sent(event) {
    const form = /** @type {Element} */ (event.target).id;
    const isMove = form === "place";
    // Its button may have been pressed in the menu.
    if (!isMove) /** @type {HTMLElement | null} */ (this.shown.find("#menu:popover-open"))?.hidePopover();
    if (isMove && document.activeElement?.matches(".actions :focus-visible"))
      this.view.board?.focus({ preventScroll: true });
  }

  /**
   * @override
   * @param {MouseEvent} event
   * @param {HTMLElement} target
   */
  press(event, target) {
    if (target.closest(".undo__button, [data-withdraw]")) this.undo();
    else super.press(event, target);
  }

  /** @override @param {string} act */
  act(act) {
    if (act === "cancel" && this.hand.isFixed) this.undo();
    else super.act(act);
  }

  /** @override @param {import("./desk.js").Switched} like */
  switched(like) {
    this.signals.tryOut(like);
  }
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const leaving = new AbortController();
  new Play(element).start(leaving.signal);
  return () => leaving.abort();
}

register("play", mount);
register("countdown", countDown);
register("zone", zone);
