/**
 * Runs one of our programs, or a package, from its text, with the code that V8 kept of it. V8
 * refuses the code of another version or of other flags, and compiles then.
 */

import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** @param text CommonJS. @param kept null if there is none. */
export function scriptOf(text: string, file: string, kept: Buffer | null): Script {
  return new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: file,
    ...(kept === null ? {} : { cachedData: kept }),
  });
}

/** @returns what the text exports. */
export function runScript(script: Script, file: string, require: (name: string) => unknown): unknown {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  return module.exports;
}
