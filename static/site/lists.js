/** What pages with lists of games do. */

import { mount as autosubmit } from "./autosubmit.js";
import { register } from "./behaviours.js";
import { mount as countdown } from "./countdown.js";

register("autosubmit", autosubmit);
register("countdown", countdown);
