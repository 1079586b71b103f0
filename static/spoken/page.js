/** The page of a game in words, from the table that waits for players to the last move. */

import { register } from "../site/behaviours.js";
import { mount as copy } from "../site/copy.js";
import "../site/progress.js";
import "./spoken.js";

register("copy", copy);
