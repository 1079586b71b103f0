/** What a page does that has no script of its own: lists that follow, forms that ask again, clocks, links to copy. */

import "../realtime/list.js";
import { keepCurrent } from "./ago.js";
import { mount as autosubmit } from "./autosubmit.js";
import { register } from "./behaviours.js";
import { mount as copy } from "./copy.js";
import { mount as deadline } from "./deadline.js";
import "../offline/start.js";
import "./progress.js";
import { mount as zone } from "./zone.js";

register("autosubmit", autosubmit);
register("copy", copy);
register("deadline", deadline);
register("zone", zone);
keepCurrent();
