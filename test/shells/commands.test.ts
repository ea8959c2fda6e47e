/**
 * The table of commands is closed, and a request in the wrong form is refused with a sentence (spec
 * §11).
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';
import { type ProvedPeer, provedPeer, request } from './raw-peer.ts';

let daemon: DaemonInProcess;
let shell: ProvedPeer;
let counter = 0;
beforeAll(async () => {
  daemon = await startDaemonInProcess();
  shell = await provedPeer(daemon.socketPath, String(daemon.secrets.get('shell/secret')));
});
afterAll(async () => {
  shell.peer.end();
  await daemon.end();
});

async function ask(method: string, params?: unknown): Promise<unknown> {
  counter += 1;
  shell.peer.write(`${shell.line(counter, request(method, params))}\n`);
  return shell.open(counter, await shell.peer.nextLine());
}

test.each(['nonsense', '', 'constructor', 'toString', '__proto__', 'hasOwnProperty', 'identify', 'shell.challenge'])(
  'a proved shell asking %j gets -32601',
  async method => {
    expect(await ask(method, {})).toMatchObject({ id: 1, error: { code: -32601 } });
  },
);

test.each<[string, unknown]>([
  ['status', { verbose: true }],
  ['status', []],
  ['connections.show', {}],
  ['connections.show', { connection: 7 }],
  ['connections.show', 'Shop'],
  ['connections.save', null],
  ['connections.save', { name: 'a', endpoint: 'postgres://h' }],
  ['tokens.revoke', { id: null }],
])('%s with %j gets -32602 and a sentence', async (method, params) => {
  const answer = await ask(method, params);
  expect(answer).toMatchObject({ error: { code: -32602, message: expect.stringMatching(/^[^:.][^\n]+\.$/) } });
});

test('none of these errors was a fault of the daemon', () => {
  expect(daemon.reported).toEqual([]);
});
