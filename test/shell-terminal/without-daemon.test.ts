/**
 * Commands without a running daemon: a typing error is reported before anybody is asked, and the
 * rest exits with 69.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Ran, runHere } from './in-process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-nothing-runs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (line: string): Promise<Ran> =>
  runHere(line.split(' '), { environment: { HOME: folder, SALLYPORT_HOME: join(folder, 'home') }, cwd: folder });

test.each([
  ['connections add postgres://u@h/d', '--name NAME is needed'],
  ['connections show', 'NAME is missing.'],
  ['connections add', 'URL is missing, as in postgres://me@db.example/shop;'],
  ['connections add postgres://u@h/d --name x --tls always', '--tls must be one of'],
  ['connections add postgres://u@h/d --name x --row-limit ten', '--row-limit must be a whole number'],
  ['connections add postgres://u@h/d --name x --for 30', '--for'],
  ['tokens mint', '--name NAME is needed'],
  ['tokens mint --name x --scope everything', '--scope must be one of'],
  ['tokens mint --name x --expires 31', '--expires must be one of'],
  ['tokens revoke', 'ID is missing.'],
  ['connect emacs', 'CLIENT must be one of'],
  ['connect Cursr', 'Did you mean `sallyport connect cursor`?'],
  ['query erp', 'SQL is missing: write the statement after the name'],
  ['query', 'NAME and SQL are missing.'],
  ['activity --limit 0', '--limit must be a whole number from 1 to 100000.'],
  ['connections add mongodb://u@h/d --name x', 'MongoDB is not supported'],
  ['settings set port', ': VALUE is missing.'],
  ['status --verbose', ''],
])('%s: 2', async (line, sentence) => {
  expect(await run(line)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});

test.each([
  'status',
  'pause',
  'resume',
  'connections list',
  'connections show x',
  'connections remove x',
  'tokens list',
  'tokens mint --name x',
  'tokens revoke x',
  'settings list',
  'settings set port 1',
  'activity',
  'allow',
  'connect http',
])('%s: 69', async line => {
  expect(await run(line)).toEqual({
    code: 69,
    stdout: '',
    stderr: expect.stringContaining('Sallyport is not running'),
  });
});
