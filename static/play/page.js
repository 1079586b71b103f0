/** The page of a game, from the table that waits for players to the last move. */

import "../realtime/live.js";
import { mount as offer } from "../push/offer.js";
import { keepCurrent } from "../site/ago.js";
import { register } from "../site/behaviours.js";
import { mount as copy } from "../site/copy.js";
import { mount as dismiss } from "../site/dismiss.js";
import "../site/progress.js";
import { mount as share } from "../site/share.js";
import { mount as alone } from "./alone.js";
import { mount as handing } from "./handing.js";
import "./play.js";

register("alone", alone);
register("copy", copy);
register("dismiss", dismiss);
register("handing", handing);
register("offer", offer);
// What is put in lies over the page; Escape closes it, and the focus goes back to where it was.
register("over", (dialog) => /** @type {HTMLDialogElement} */ (dialog).showModal());
register("share", share);
keepCurrent();
