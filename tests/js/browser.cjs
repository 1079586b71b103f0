// What every browser has and Node 18 keeps elsewhere.
globalThis.crypto ??= require("node:crypto").webcrypto;

// A page that keeps something current for as long as it is open must not keep its test open.
const every = globalThis.setInterval;
globalThis.setInterval = Object.assign((...given) => every(...given).unref(), every);
