/** `connections.parse`: takes a pasted connection apart for a shell without a parser of its own. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { errorCodes } from '../../shared/codes.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

let daemon: DaemonInProcess;
let shell: ControlClient;
beforeAll(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
});
afterAll(async () => {
  shell.close();
  await daemon.end();
});
const read = (url: string) => shell.ask('connections.parse', { url, home: '/home/anna' });

test('the fields of the form are returned, with paths in the person’s home', async () => {
  const endpoint = {
    engine: 'postgres',
    host: 'h',
    port: 5433,
    socketPath: null,
    filePath: null,
    database: 'd',
    user: 'u',
  };
  expect(await read('postgres://u:p%40ss@h:5433/d?sslrootcert=ca.pem&sslmode=verify-ca&pool=5')).toEqual({
    endpoint,
    tls: { mode: 'verify-ca', caFile: '/home/anna/ca.pem' },
    password: 'p@ss',
    ignored: ['pool'],
  });
  expect((await read('~/shop.db')).endpoint).toMatchObject({ engine: 'sqlite', filePath: '/home/anna/shop.db' });
  expect(await read('mysql://u:[YOUR-PASSWORD]@h/d')).toMatchObject({ password: null, passwordIsPlaceholder: true });
  expect(await read('postgresql+ssh://me@bastion:2222/u@db.internal/d')).toMatchObject({
    endpoint: { host: 'db.internal', database: 'd', user: 'u' },
    tunnel: { kind: 'ssh', destination: 'me@bastion:2222', jumps: [], keyFile: null },
  });
  expect((await shell.ask('connections.list', {})).connections).toEqual([]);
});

test('unreadable text is refused with the reader’s sentence', async () => {
  await expect(read('postgres://u:hun#ter2@h/d')).rejects.toMatchObject({
    code: errorCodes.forbidden,
    message: expect.stringMatching(/^The URL has a bare # in it; /),
  });
  await expect(shell.ask('connections.parse', { url: 'postgres://h', home: 'anna' })).rejects.toMatchObject({
    code: errorCodes.invalidParams,
    message: 'home: the whole path of a folder is expected.',
  });
});
