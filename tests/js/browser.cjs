// What every browser has and Node 18 keeps elsewhere.
globalThis.crypto ??= require("node:crypto").webcrypto;
