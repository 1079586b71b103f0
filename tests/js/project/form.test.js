import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Return what our rules say to a file, nothing where they are content.
 *
 * @param {string} name
 * @param {string} text
 * @returns {string}
 */
function complaint(name, text) {
  const folder = mkdtempSync(join(tmpdir(), "form-"));
  try {
    copyFileSync(join(ROOT, "biome.jsonc"), join(folder, "biome.jsonc"));
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    const biome = join(ROOT, "node_modules/.bin/biome");
    const { status, stderr } = spawnSync(biome, ["check", "--error-on-warnings", "--colors=off", name], {
      cwd: folder,
      encoding: "utf8",
    });
    return status ? stderr : "";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("what is in its form passes", () => {
  assert.equal(complaint("static/a.js", "export const one = 1;\n"), "");
  assert.equal(complaint("static/a.css", ".a {\n  color: red;\n}\n"), "");
});

for (const [rule, text] of [
  ["Formatter would have printed", "export const one = 1"],
  ["noUnusedVariables", "const one = 1;\n"],
  ["noUnusedImports", 'import { b } from "node:fs";\n'],
  ["noUndeclaredVariables", "export const one = two;\n"],
  ["noDoubleEquals", "export const same = (one, two) => one == two;\n"],
  ["noUnresolvedImports", 'import "./nowhere.js";\n'],
  ["noGlobalEval", 'export const one = eval("1");\n'],
]) {
  test(`a script is refused: ${rule}`, () => assert.match(complaint("static/a.js", text), new RegExp(rule)));
}

for (const [rule, text] of [
  ["Formatter would have printed", ".a { color: red }\n"],
  ["noUnknownProperty", ".a {\n  colour: red;\n}\n"],
  ["noUnknownUnit", ".a {\n  margin: 1rme;\n}\n"],
  ["noDuplicateSelectors", ".a {\n  color: red;\n}\n\n.a {\n  margin: 0;\n}\n"],
  ["noDuplicateProperties", ".a {\n  color: red;\n  margin: 0;\n  color: blue;\n}\n"],
]) {
  test(`a stylesheet is refused: ${rule}`, () => assert.match(complaint("static/a.css", text), new RegExp(rule)));
}
