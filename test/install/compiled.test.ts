/**
 * V8's compiled code from the build only speeds up a command's start: if it is missing, or V8
 * refuses it, the command still starts. The daemon's file, which each start reads whole, has
 * nothing that the daemon can't run.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { Place, root } from './installed.ts';

const bundle = join(root, 'build/bundle');
let place: Place;
let compiled: string;
beforeEach(() => {
  place = new Place();
  compiled = join(place.folder, 'sallyport.compiled');
  for (const file of ['start-built.cjs', 'sallyport.cjs', 'sallyport.compiled'])
    cpSync(join(bundle, file), join(place.folder, file));
});
afterEach(() => place.clean());

const started = (...flags: string[]): string =>
  execFileSync(
    process.execPath,
    [...flags, '-e', `require('${place.folder}/start-built.cjs').startBuilt('sallyport')`, 'sallyport', '--version'],
    { encoding: 'utf8', env: { PATH: process.env.PATH } },
  );

test.each(['sallyport', 'sallyportd'])('this Node accepts the compiled code of %s', command => {
  const code = readFileSync(join(bundle, `${command}.cjs`), 'latin1');
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    cachedData: readFileSync(join(bundle, `${command}.compiled`)),
  });
  expect(script.cachedDataRejected).toBe(false);
});

test.each<[string, () => void]>([
  ['as it was built', () => {}],
  ['none', () => rmSync(compiled)],
  ['an empty one', () => writeFileSync(compiled, '')],
  ['half of it', () => writeFileSync(compiled, readFileSync(compiled).subarray(0, 90_000))],
  ['another text', () => writeFileSync(compiled, 'x'.repeat(200_000))],
])('%s: the command starts', (_, change) => {
  change();
  expect(started()).toBe(`sallyport ${version}\n`);
});

test('it also starts with other V8 flags', () => {
  expect(started('--no-opt', '--stack-size=900')).toBe(`sallyport ${version}\n`);
});

test("the daemon has only SQLite's of knex's dialects and English of zod's languages", () => {
  const code = readFileSync(join(bundle, 'sallyportd.cjs'), 'latin1');
  const parts = code.matchAll(/^\/\/ node_modules\/(?:knex\/lib\/dialects|zod\/v4\/locales)\/([\w-]+)/gm);
  expect([...new Set([...parts].map(([, part]) => part))].sort()).toEqual(['en', 'index', 'sqlite3']);
});

test.each(['sallyport.cjs', 'sallyport-mcp.cjs'])('%s has the types of messages and none of their shapes', name => {
  const { sources } = JSON.parse(readFileSync(join(bundle, `${name}.map`), 'utf8'));
  expect(sources).toContainEqual(expect.stringMatching(/shared\/control-link\.ts$/));
  expect(sources.filter((source: string) => /node_modules\/zod\/|daemon\/shells\//.test(source))).toEqual([]);
});
