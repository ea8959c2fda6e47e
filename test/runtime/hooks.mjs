/** Node's hooks for suites: TypeScript is loaded without its types, and a suite's own files under a name of that suite. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import swc from '@swc/wasm-typescript';

const globals = new URL('globals.mjs', import.meta.url).href;
const tests = new URL('..', import.meta.url).href;
const everything = new URL('../..', import.meta.url).href;
const libraries = new URL('../../node_modules/', import.meta.url).href;

export async function resolve(specifier, context, next) {
  const suite = suiteOf(context.parentURL ?? '');
  if (specifier === '@jest/globals') return { url: globals + suite, shortCircuit: true };
  const resolved = await next(specifier, context);
  const anew = suite.startsWith('?all=') ? everything : tests;
  const isItsOwn = resolved.url.startsWith(anew) && !resolved.url.startsWith(libraries);
  return isItsOwn && suiteOf(resolved.url) === '' ? { ...resolved, url: resolved.url + suite } : resolved;
}

export async function load(url, context, next) {
  const file = url.slice(0, url.length - suiteOf(url).length);
  if (!file.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(file);
  const { code } = swc.transformSync(await readFile(path, 'utf8'), { mode: 'strip-only', filename: path });
  return { format: 'module', source: code, shortCircuit: true };
}

function suiteOf(url) {
  return /\?(?:suite|all)=\d+$/.exec(url)?.[0] ?? '';
}
