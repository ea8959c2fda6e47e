/**
 * What the single executable holds (bridge/packaging/executable.sh): the code of our programs and
 * of the packages they load. It reads no code from a disk but the keychain's native module, which
 * lies beside it; so no folder, package or variable of a user adds to what it runs.
 */

import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { runScript, scriptOf } from './run-code.ts';

const keyring = '@napi-rs/keyring';
const grammar = 'libpg-query';
const packages = ['pg', 'pg/lib/crypto/cert-signatures.js'];
const loaded = new Map<string, unknown>();

/** @param name of a program, or of a package as `require` names it. @throws if it isn't in here. */
export function loadEmbedded(name: string): unknown {
  const file = join(dirname(process.execPath), `${basename(name, '.js')}.cjs`);
  return runScript(scriptOf(latin1(name), file, keptOf(name)), file, embeddedRequire);
}

/** A text file. */
export function embeddedText(name: string): string {
  return getAsset(name, 'utf8');
}

/** `require` for all code in here. @throws with the code MODULE_NOT_FOUND */
export function embeddedRequire(name: string): unknown {
  const builtIn = process.getBuiltinModule(name);
  if (builtIn !== undefined) return builtIn;
  if (!loaded.has(name)) loaded.set(name, load(name));
  return loaded.get(name);
}

function load(name: string): unknown {
  if (name === keyring) return nativeModule(join(dirname(process.execPath), 'keyring.node'));
  if (name.startsWith(grammar)) return grammarFrom(loadEmbedded(grammar) as GrammarFactory);
  if (packages.includes(name)) return loadEmbedded(name);
  throw notFound(name);
}

/**
 * Typed here: TypeScript has the types of WebAssembly in the library for browsers, which we don't
 * use.
 */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: ArrayBuffer) => unknown;
    readonly Instance: new (module: unknown, imports: unknown) => unknown;
  };
};

type GrammarFactory = (given: object) => Promise<unknown>;

/** Gives the grammar its WebAssembly, which it would look for in a file. */
function grammarFrom(factory: GrammarFactory): () => Promise<unknown> {
  const { Instance, Module } = WebAssembly;
  const instantiateWasm = (imports: unknown, done: (instance: unknown) => void): void =>
    done(new Instance(new Module(getRawAsset('libpg-query.wasm')), imports));
  return () => factory({ instantiateWasm });
}

/**
 * @throws if somebody else could have put it there: a download may lie in a folder for all. Whoever
 * owns the executable may: on a Mac for several people, one of them installed the app.
 */
function nativeModule(file: string): unknown {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw notFound(file);
  const { uid, mode } = stats;
  // Whoever made a link may turn it before the next line.
  const isTrusted = [0, process.getuid?.(), statSync(process.execPath).uid].includes(uid);
  if (!stats.isFile() || !isTrusted || (mode & 0o022) !== 0)
    throw new Error(`${file} is a link, belongs to somebody else, or others may write it`);
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}

function notFound(name: string): Error {
  return Object.assign(new Error(`${name} is not here`), { code: 'MODULE_NOT_FOUND' });
}

/** esbuild writes ASCII; read as Latin-1 it takes one byte per character. */
function latin1(name: string): string {
  return Buffer.from(getRawAsset(name)).toString('latin1');
}

function keptOf(name: string): Buffer | null {
  try {
    return Buffer.from(getRawAsset(`${name}.compiled`));
  } catch {
    // Only what every start loads has some.
    return null;
  }
}
