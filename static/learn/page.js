/** A lesson: a piece to try out on a small board. */

import "../site/page.js";
import "./learn.js";
