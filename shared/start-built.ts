/**
 * Starts a built command with the code that V8 compiled at build time; compiling was half of a
 * start. Node's own cache (`module.enableCompileCache`) is per user, so a user's home would hold
 * code for an install that belongs to root. Ours is beside the code, so only those who can write
 * the code can write it. V8 refuses the cache of another version or other flags, and compiles then.
 * Every start loads this file, so it imports only what must come first.
 */

import './debugger-shut.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Command = 'sallyport' | 'sallyportd';

/** @param folder holds the code of each command, and its `.compiled` if V8's own part is there. */
export function startBuilt(command: Command, folder: string = __dirname): void {
  const file = join(folder, `${command}.cjs`);
  // Node looks for source maps only for modules.
  if (process.sourceMapsEnabled) createRequire(file)(file);
  else run(compile(file), file);
}

/**
 * For `make build`: starts the command, and at its end writes the code that V8 has compiled for it.
 */
export function startAndKeep(command: Command, write: (path: string, compiled: Buffer) => void): void {
  const file = join(__dirname, `${command}.cjs`);
  const script = compile(file);
  process.once('exit', () => write(keptBeside(file), script.createCachedData()));
  run(script, file);
}

function keptBeside(file: string): string {
  return file.replace(/cjs$/, 'compiled');
}

function compile(file: string): Script {
  // esbuild writes ASCII; read as Latin-1 it takes one byte per character.
  const code = readFileSync(file, 'latin1');
  const cachedData = kept(keptBeside(file));
  return new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
}

function kept(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // A package from npm has none: its Node is another.
    return undefined;
  }
}

function run(script: Script, file: string): void {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
}
