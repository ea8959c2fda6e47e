import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { removeHandshake, writeHandshake } from '../../daemon/storage/handshake-file.ts';
import { type Handshake, parseHandshake, readHandshake } from '../../shared/handshake.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const folder = join(temporaryFolder(), 'home');
const path = join(folder, 'mcp-handshake.json');
const handshake: Handshake = {
  version: 1,
  port: 27432,
  token: `sp_${'a'.repeat(43)}`,
  pid: 4711,
  instance: '11111111-2222-4333-8444-555555555555',
  protocolVersions: ['2026-07-28'],
  expiresAt: '2026-11-20T13:00:00.000Z',
};

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  writeHandshake(path, handshake);
});

test('others read what the daemon writes', () => {
  expect(readHandshake(path)).toEqual({ kind: 'read', handshake });
});

test('a missing file means no daemon, not a danger', () => {
  rmSync(path);
  expect(readHandshake(path)).toEqual({ kind: 'absent' });
});

test.each<[string, () => void]>([
  ['readable by others', () => chmodSync(path, 0o644)],
  ['in a folder others can write', () => chmodSync(folder, 0o777)],
  [
    'a link',
    () => {
      rmSync(path);
      writeFileSync(`${path}.real`, JSON.stringify(handshake), { mode: 0o600 });
      symlinkSync(`${path}.real`, path);
    },
  ],
  [
    'a pipe',
    () => {
      rmSync(path);
      execFileSync('mkfifo', ['-m', '600', path]);
    },
  ],
  ['too large', () => writeFileSync(path, ' '.repeat(20_000))],
  ['not JSON', () => writeFileSync(path, '{')],
  ['of another version', () => writeFileSync(path, JSON.stringify({ ...handshake, version: 2 }))],
])('a file that is %s isn’t trusted', (_, spoil) => {
  spoil();
  expect(readHandshake(path).kind).toBe('untrusted');
});

test.each([
  { port: 0 },
  { port: '27432' },
  { port: 27_432.5 },
  { port: 65_536 },
  { port: 70_000 },
  { token: 'x' },
  { pid: -1 },
  { instance: 'x' },
  { expiresAt: 'soon' },
  { protocolVersions: [1] },
])('%j is no handshake', change => {
  expect(parseHandshake(JSON.stringify({ ...handshake, ...change }))).toBeNull();
});

test('only the run that wrote it removes it', () => {
  removeHandshake(path, '99999999-2222-4333-8444-555555555555');
  expect(readHandshake(path).kind).toBe('read');
  removeHandshake(path, handshake.instance);
  expect(readHandshake(path).kind).toBe('absent');
});
