/** The page of a game, from the table that waits for players to the last move. */

import "../realtime/live.js";
import { register } from "../site/behaviours.js";
import { mount as copy } from "../site/copy.js";
import "../site/progress.js";
import "./play.js";

register("copy", copy);
