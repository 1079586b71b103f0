/** The analysis board of a game. */

import { register } from "../site/behaviours.js";
import "../site/progress.js";
import { mount as announce } from "../realtime/announce.js";
import { mount as zone } from "../site/zone.js";
import { mount } from "./analysis.js";

register("announce", announce);
register("analysis", mount);
register("zone", zone);
