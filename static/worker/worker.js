/** The site's service worker (`blockyou/assets/worker.py`): notices on this device, and pages without a network. */

import "../offline/worker.js";
import "../push/worker.js";
