import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BUNDLE = `
import pathlib, sys
from blockyou.assets.bundles import script
root = pathlib.Path(sys.argv[1])
sys.stdout.write(script(lambda path: (root / path).read_text(), sys.argv[2]))
`;

/**
 * Return the module at `path` and all it imports as collectstatic writes them.
 *
 * @param {string} folder
 * @param {string} path
 * @returns {string}
 */
function bundle(folder, path) {
  return execFileSync("python3", ["-c", BUNDLE, folder, path], { cwd: ROOT, encoding: "utf8" });
}

/** @param {string} text */
function run(text) {
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}

const folders = readdirSync(join(ROOT, "static"));
for (const folder of folders.filter((name) => readdirSync(join(ROOT, "static", name)).includes("page.js"))) {
  test(`the script of ${folder} pages runs as one file`, async () => {
    await run(bundle(join(ROOT, "static"), `${folder}/page.js`));
  });
}

test("a bundle does what its modules do, in their order", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  writeFileSync(
    join(folder, "a.js"),
    'import { say as tell } from "./b.js";\nimport "./c.js";\nconst own = "a";\ntell(own);\n',
  );
  writeFileSync(
    join(folder, "b.js"),
    'const own = "b // ";\n/** Says. */\nexport const said = [own];\n' +
      "export function say(word) {\n  said.push(word);\n}\n",
  );
  writeFileSync(join(folder, "c.js"), 'import { said, say } from "./b.js";\nsay("c");\nglobalThis.bundled = said;\n');
  await run(bundle(folder, "a.js"));
  rmSync(folder, { recursive: true });
  assert.deepEqual(/** @type {any} */ (globalThis).bundled, ["b // ", "c", "a"]);
});
