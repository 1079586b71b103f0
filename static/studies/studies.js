/** What a study does beyond turning its leaves. */

import { register } from "../site/behaviours.js";
import { mount as copy } from "../site/copy.js";

register("copy", copy);
