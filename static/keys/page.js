/** Pages on which people log in: what every page does, and passkeys. */

import { register } from "../site/behaviours.js";
import "../site/page.js";
import { mountAsking, mountLogIn, mountMaking } from "./passkeys.js";

register("passkey-ask", mountAsking);
register("passkey-log-in", mountLogIn);
register("passkey-make", mountMaking);
