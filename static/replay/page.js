/** A page with a game or a study to turn move by move. */

import "../site/page.js";
import "./replay.js";
