/** The talk of a table: its lines follow the game. */

import "../realtime/live.js";
import { register } from "../site/behaviours.js";
import "../site/page.js";
import { mount } from "./say.js";

register("say", mount);
