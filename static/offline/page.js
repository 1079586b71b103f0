/** The page of what this device keeps, which stands in for pages that it does not keep. */

import { register } from "../site/behaviours.js";
import "../site/page.js";
import { mount } from "./list.js";

register("kept-pages", mount);
