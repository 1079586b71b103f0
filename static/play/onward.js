/** After a move, on to the next game that waits for its player, where that is liked; until then it can be stopped. */

/** Milliseconds in which the answer can be seen, and the way on be stopped by a touch or a key. */
export const WAIT = 2_500;

export class Onward {
  /**
   * @param {HTMLElement} root
   * @param {import("../board/likes.js").Likes} likes
   * @param {() => void} announce says that the next game comes
   * @param {(address: string) => void} [go]
   */
  constructor(root, likes, announce, go = (address) => location.assign(address)) {
    this.root = root;
    this.likes = likes;
    this.announce = announce;
    this.go = go;
    this.hasMoved = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    for (const name of ["pointerdown", "keydown"])
      document.addEventListener(name, () => this.stop(), { signal, passive: true });
    signal.addEventListener("abort", () => this.stop());
  }

  /** A move of the player's has been played; its answer is about to be shown. */
  moved() {
    this.hasMoved = true;
  }

  /** Where the next game is, nothing while it is the player's turn here, or the game is over. */
  get address() {
    if (this.root.querySelector(".say[data-mine], .end")) return "";
    return this.root.querySelector("a[data-next-game]")?.getAttribute("href") ?? "";
  }

  /** Look at the answer of a move, and set out for the next game. */
  read() {
    const hasMoved = this.hasMoved;
    this.hasMoved = false;
    if (!hasMoved || !this.likes.onward || !this.address) return;
    this.announce();
    clearTimeout(this.timer);
    // A quick bot may have answered by then.
    this.timer = setTimeout(() => this.address && this.go(this.address), WAIT);
  }

  /** Stay. */
  stop() {
    clearTimeout(this.timer);
  }
}
