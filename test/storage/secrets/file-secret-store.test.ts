import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const storeId = '11111111-2222-4333-8444-555555555555';
const path = join(temporaryFolder(), 'secrets.json');
const open = () => openFileSecretStore(path, storeId);

test('a secret is found, absent, overwritten, listed by kind and deleted', async () => {
  const secrets = open();
  expect(await secrets.read('password', 'a')).toEqual({ kind: 'absent' });
  await secrets.write('password', 'a', 'pässwörd');
  await secrets.write('token', 't', '{}');
  await secrets.write('password', 'a', 'another');
  expect(await open().read('password', 'a')).toEqual({ kind: 'found', value: 'another' });
  expect(await secrets.list('password')).toEqual(['a']);
  await secrets.delete('password', 'a');
  await secrets.delete('password', 'a');
  expect(await secrets.read('password', 'a')).toEqual({ kind: 'absent' });
});

test('only the user can use the file', () => {
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('another program’s changes to the file count from then on, as does damage of the same length', async () => {
  const secrets = open();
  await secrets.write('password', 'c', 'before');
  expect(await secrets.read('password', 'c')).toEqual({ kind: 'found', value: 'before' });
  const mine = readFileSync(path, 'utf8');
  writeFileSync(path, mine.replace('before', 'behind'));
  expect(await secrets.read('password', 'c')).toEqual({ kind: 'found', value: 'behind' });
  await secrets.write('password', 'd', 'x');
  expect(await open().read('password', 'c')).toEqual({ kind: 'found', value: 'behind' });
  writeFileSync(path, mine.replace('{', '['));
  expect((await secrets.read('password', 'c')).kind).toBe('unavailable');
  writeFileSync(path, mine);
  for (const id of ['c', 'd']) await secrets.delete('password', id);
});

test('names of the language itself are ordinary ids', async () => {
  expect(await open().read('token', '__proto__')).toEqual({ kind: 'absent' });
  await open().write('token', 'constructor', 'x');
  expect(await open().read('token', 'constructor')).toEqual({ kind: 'found', value: 'x' });
});

test.each(['', 'a\0b'])('%j is refused, as one backend would cut it', async value => {
  await expect(open().write('password', 'b', value)).rejects.toThrow(TypeError);
});

test('a file that others can read, damaged JSON and another store’s file are unavailable, and never overwritten', async () => {
  const good = readFileSync(path, 'utf8');
  const damages: (readonly [string, number])[] = [
    [good, 0o644],
    ['{', 0o600],
    [good.replace(storeId, '99999999-2222-4333-8444-555555555555'), 0o600],
  ];
  for (const [text, mode] of damages) {
    writeFileSync(path, text);
    chmodSync(path, mode);
    expect((await open().read('token', 'constructor')).kind).toBe('unavailable');
    await expect(open().write('token', 'new', 'x')).rejects.toThrow();
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});
