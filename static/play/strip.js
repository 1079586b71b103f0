/** The strip of forms: every way the piece in the hand can be turned, those that fit nowhere greyed. */

import { formPicture } from "../board/ghost.js";
import { SVG } from "../board/view.js";

/** @typedef {import("./hand.js").Hand} Hand */

/**
 * Show the forms of the piece in the hand.
 *
 * @param {HTMLElement} strip `data-form` is what a button is called: "Form {number} of {count}"
 * @param {Hand} hand
 * @param {number} quarters by which the board is turned
 */
export function showStrip(strip, hand, quarters) {
  const { draft, lookup } = hand;
  const forms = draft && lookup ? lookup.shapes.pieces[draft.piece].forms.length : 0;
  const made = draft ? `${hand.colour} ${draft.piece} ${quarters}` : "";
  if (strip.dataset.made !== made) {
    strip.dataset.made = made;
    strip.dataset.colour = hand.colour;
    strip.replaceChildren(...Array.from({ length: forms }, (_, form) => button(strip, hand, form, forms, quarters)));
  }
  [...strip.children].forEach((child, form) => {
    child.setAttribute("aria-pressed", String(form === draft?.form));
    child.toggleAttribute("data-dead", !(draft && lookup?.legal.get(draft.piece)?.has(form)));
  });
}

/**
 * @param {HTMLElement} strip
 * @param {Hand} hand
 * @param {number} form
 * @param {number} count
 * @param {number} quarters
 * @returns {HTMLButtonElement}
 */
function button(strip, hand, form, count, quarters) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "strip__form";
  made.dataset.form = String(form);
  made.setAttribute(
    "aria-label",
    (strip.dataset.words ?? "").replace("{number}", String(form + 1)).replace("{count}", String(count)),
  );
  const { path, middle, reach } = formPicture(hand.shapes, hand.draft?.piece ?? "", form);
  const picture = document.createElementNS(SVG, "svg");
  const [x, y] = middle;
  // A little room for the outline; never larger than a square would be drawn for a piece of three.
  const half = Math.max(reach, 15) + 2;
  picture.setAttribute("viewBox", `${x - half} ${y - half} ${2 * half} ${2 * half}`);
  picture.setAttribute("class", "strip__picture");
  picture.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  shape.setAttribute("transform", `rotate(${90 * quarters} ${x} ${y})`);
  picture.append(shape);
  made.append(picture);
  return made;
}
