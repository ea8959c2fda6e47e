/**
 * Starts a built command with the code that V8 compiled at build time; compiling was half of a
 * start. Node's own cache (`module.enableCompileCache`) is per user, so a user's home would hold
 * code for an install that belongs to root. Ours is beside the code, so only those who can write
 * the code can write it. Every start loads this file, so it imports only what must come first.
 */

import './debugger-shut.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { runScript, scriptOf } from './run-code.ts';

type Command = 'sallyport' | 'sallyportd' | 'sallyport-mcp';

/** @param folder holds the code of each command, and its `.compiled` if V8's own part is there. */
export function startBuilt(command: Command, folder: string = __dirname): void {
  const file = join(folder, `${command}.cjs`);
  // Node looks for source maps only for modules.
  if (process.sourceMapsEnabled) createRequire(file)(file);
  else runScript(compile(file), file, createRequire(file));
}

/**
 * For `make build`: starts the command, and at its end writes the code that V8 has compiled for it.
 */
export function startAndKeep(command: Command, write: (path: string, compiled: Buffer) => void): void {
  const file = join(__dirname, `${command}.cjs`);
  const script = compile(file);
  process.once('exit', () => write(keptBeside(file), script.createCachedData()));
  runScript(script, file, createRequire(file));
}

function keptBeside(file: string): string {
  return file.replace(/cjs$/, 'compiled');
}

function compile(file: string): Script {
  // esbuild writes ASCII; read as Latin-1 it takes one byte per character.
  return scriptOf(readFileSync(file, 'latin1'), file, kept(keptBeside(file)));
}

function kept(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    // A package from npm has none: its Node is another.
    return null;
  }
}
