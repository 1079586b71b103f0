/** A position that is set up by hand. */

import { register } from "../site/behaviours.js";
import "../site/progress.js";
import { mount as announce } from "../realtime/announce.js";
import { mount as zone } from "../site/zone.js";
import { mount } from "./set_up.js";

register("announce", announce);
register("set-up", mount);
register("zone", zone);
