/**
 * `data-behaviour="handing"`: the screen by which a device is handed to the next player.
 *
 * Whatever the player before still held is forgotten, so that nobody finds it in their own hand. The focus goes to the
 * heading, not to the button: the key that placed a piece is not to take the device too.
 */

import { keepDraft } from "./kept_draft.js";

/** @param {HTMLElement} element */
export function mount(element) {
  keepDraft(document.getElementById("game")?.dataset.game ?? "", null);
  element.querySelector("h1")?.focus({ preventScroll: true });
}
