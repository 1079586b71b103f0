/** What a page does that has no script of its own: lists that follow, forms that ask again, clocks, links to copy. */

import "../realtime/list.js";
import { mount as autosubmit } from "./autosubmit.js";
import { register } from "./behaviours.js";
import { mount as copy } from "./copy.js";
import { mount as countdown } from "./countdown.js";
import "./progress.js";

register("autosubmit", autosubmit);
register("copy", copy);
register("countdown", countdown);
