// Checks glTF files by Khronos' gltf-validator: node tools/validate_gltf.mjs FILE...
// Exit 0: no error and no warning; 1: some; 77: the validator is not installed (`npm ci`).
import { readFile } from "node:fs/promises";

let validator;
try {
  validator = (await import("gltf-validator")).default;
} catch {
  console.log("SKIPPED: gltf-validator is not installed, so the file is NOT checked (run `npm ci`)");
  process.exit(77);
}

let bad = process.argv.length < 3;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)));
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
  for (const { severity, code, pointer, message } of messages.slice(0, 20))
    console.log(`  [${severity}] ${code} ${pointer ?? ""}: ${message}`);
  const { animationCount, totalVertexCount, totalTriangleCount, hasMorphTargets } = report.info ?? {};
  console.log(`  ${totalVertexCount} vertices, ${totalTriangleCount} triangles, ${animationCount} animations, ` +
              `morph targets: ${hasMorphTargets}`);
  bad ||= numErrors > 0 || numWarnings > 0;
}
process.exit(bad ? 1 : 0);
