/** The page of a game in words, from the table that waits for players to the last move. */

import { register } from "../site/behaviours.js";
import { mount as copy } from "../site/copy.js";
import { mount as dismiss } from "../site/dismiss.js";
import "../offline/start.js";
import { mount as alone } from "../play/alone.js";
import { mount as handing } from "../play/handing.js";
import "../site/progress.js";
import { mount as share } from "../site/share.js";
import "./spoken.js";

register("alone", alone);
register("copy", copy);
register("dismiss", dismiss);
register("handing", handing);
register("share", share);
