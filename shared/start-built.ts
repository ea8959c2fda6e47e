/**
 * Starts one of the built commands with what V8 compiled of it when it was built: half of a start
 * was compiling. What Node keeps by itself (`module.enableCompileCache`) is kept a user, so a home
 * would hold code for an install that is root's. Ours lies beside the code, for nobody to write who
 * couldn't write the code as well; V8 refuses what another version or other flags of it made, and
 * compiles then. Of ours it imports what must come first: it is read at every start.
 */

import './debugger-shut.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Command = 'sallyport' | 'sallyportd';

/** @param folder where `COMMAND.cjs` lies, and `COMMAND.compiled` if V8's own part is there. */
export function startBuilt(command: Command, folder: string = __dirname): void {
  const file = join(folder, `${command}.cjs`);
  // Node looks for source maps of modules only.
  if (process.sourceMapsEnabled) createRequire(file)(file);
  else run(compile(file), file);
}

/**
 * `make build`: starts the command and, as it ends, writes what V8 compiled meanwhile: all that
 * loading it runs.
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
  // esbuild writes ASCII: read as Latin-1 it takes one byte a character.
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
