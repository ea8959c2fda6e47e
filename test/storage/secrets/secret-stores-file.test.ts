/**
 * The secrets' file under real conditions: kill -9 at any moment, parallel writes, leftovers of a
 * crash.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { needs } from '../../needs.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { newStoreId } from '../keychain-for-tests.ts';

const folder = temporaryFolder();
const storeId = newStoreId();
const compiled = fileURLToPath(new URL('../../../build/daemon/storage/secrets/file-secret-store.js', import.meta.url));

/** Prints each number once its secret is written, until it is killed. */
const writer = (path: string, from: number): string => `
  import { openFileSecretStore } from ${JSON.stringify(pathToFileURL(compiled).href)};
  const secrets = openFileSecretStore(${JSON.stringify(path)}, ${JSON.stringify(storeId)});
  for (let number = ${from}; ; number += 1) {
    await secrets.write('token', 'last', String(number));
    await secrets.write('password', String(number % 50), 'x'.repeat(2000));
    process.stdout.write(number + '\\n');
  }`;

needs(existsSync(compiled) ? null : 'it is not built; make build').test(
  'kill -9 at any moment leaves each answered write, complete, and nothing beside the file',
  async () => {
    const path = join(folder, 'killed.json');
    let last = 0;
    for (let round = 1; round <= 12; round += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer(path, last + 1)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stderr.pipe(process.stderr);
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        printed += text;
      });
      await once(child.stdout, 'data');
      await new Promise(resolve => setTimeout(resolve, 7 * round));
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
      const answered = Number(printed.split('\n').at(-2));
      expect(answered).toBeGreaterThan(last);
      const read = await openFileSecretStore(path, storeId).read('token', 'last');
      const kept = Number(read.kind === 'found' ? read.value : Number.NaN);
      // The next one may have been written without an answer yet.
      expect([answered, answered + 1]).toContain(kept);
      expect(readdirSync(folder).filter(name => name.startsWith(basename(path)))).toEqual([basename(path)]);
      last = kept;
    }
  },
);

test('writes and deletions at once all stay', async () => {
  const path = join(folder, 'at-once.json');
  const secrets = openFileSecretStore(path, storeId);
  const ids = Array.from({ length: 40 }, (_, number) => `t${number}`);
  await Promise.all(ids.map(id => secrets.write('token', id, `record ${id}`)));
  expect(await openFileSecretStore(path, storeId).list('token')).toEqual(ids);
  await Promise.all([
    ...ids.slice(0, 20).map(id => secrets.delete('token', id)),
    secrets.write('password', 'new', 'y'),
    secrets.write('token', 't39', 'changed'),
  ]);
  const after = openFileSecretStore(path, storeId);
  expect(await after.list('token')).toEqual(ids.slice(20));
  expect(await after.read('token', 't39')).toEqual({ kind: 'found', value: 'changed' });
  expect(await after.list('password')).toEqual(['new']);
});

test('nobody else waits for the disk while it is written', async () => {
  const secrets = openFileSecretStore(join(folder, 'waiting.json'), storeId);
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  await secrets.write('token', 'a', 'x');
  expect(turns).toBe(1);
});

test('a crash’s unfinished change is removed, and nothing else', () => {
  const path = join(folder, 'left.json');
  for (const name of ['left.json.1.tmp', 'other.json.1.tmp', 'left.json.bak']) writeFileSync(join(folder, name), 'x');
  openFileSecretStore(path, storeId);
  const names = readdirSync(folder);
  expect(names).not.toContain('left.json.1.tmp');
  expect(names).toEqual(expect.arrayContaining(['other.json.1.tmp', 'left.json.bak']));
});

test.each([
  '{"version":1}',
  `{"version":1,"store":"${storeId}","secrets":null}`,
  `{"version":2,"store":"${storeId}","secrets":{}}`,
  'null',
])('%s is unavailable, and left alone', async text => {
  const path = join(folder, 'odd.json');
  writeFileSync(path, text, { mode: 0o600 });
  const secrets = openFileSecretStore(path, storeId);
  expect((await secrets.read('token', 'a')).kind).toBe('unavailable');
  await expect(secrets.write('token', 'a', 'x')).rejects.toThrow(/restore it/);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a secret that isn’t text damages only that one', async () => {
  const path = join(folder, 'one-damaged.json');
  writeFileSync(path, `{"version":1,"store":"${storeId}","secrets":{"token/a":1,"token/b":"x"}}`, { mode: 0o600 });
  const secrets = openFileSecretStore(path, storeId);
  expect(await secrets.read('token', 'a')).toEqual({ kind: 'found', value: '' });
  expect(await secrets.read('token', 'b')).toEqual({ kind: 'found', value: 'x' });
});
