/** The talk of a table: its lines follow the game. */

import "../realtime/live.js";
import "../site/page.js";
