/**
 * Exits 1 if V8 refuses the cache beside a command's code (shared/start-built.ts) because another
 * Node made it.
 * Usage: node kept.cjs BUNDLE, by the Node that will run it.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

for (const command of ['sallyport', 'sallyportd']) {
  const file = join(process.argv[2], `${command}.cjs`);
  // Compiled as shared/start-built.ts does it: V8 compares the length of the text.
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`;
  const { cachedDataRejected } = new Script(text, { cachedData: readFileSync(file.replace(/cjs$/, 'compiled')) });
  if (cachedDataRejected === false) continue;
  process.stderr.write(
    `${file}: what is kept of its compiled code was made by another Node than ${process.version}.\n`,
  );
  process.exitCode = 1;
}
