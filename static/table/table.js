/** What a table that waits for players does. */

import { register } from "../site/behaviours.js";
import { mount as copy } from "../site/copy.js";

register("copy", copy);
