/** The first page: what every page does, and a board on which a game plays itself. */

import "../site/page.js";
import { register } from "../site/behaviours.js";
import { mount } from "./living.js";

register("living", mount);
