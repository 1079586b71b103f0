/** The page of preferences: what every page does, and the switch for notices on this device. */

import { register } from "../site/behaviours.js";
import "../site/page.js";
import { mount as panel } from "./panel.js";

register("notices", panel);
