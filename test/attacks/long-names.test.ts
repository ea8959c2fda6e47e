/**
 * Threat: a client with a Read Only token blocks everybody with a name so long, and of such a form,
 * that describing its error takes minutes. The sentences about such names still hold no password.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, runServer } from '../clients/http/running-server.ts';
import { modern, send } from '../clients/http/wire.ts';
import { expectWithin } from '../waiting/limits.ts';

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await runServer();
  token = await server.token('readOnly');
});
afterAll(() => server.stop());

async function saidOfArgument(argument: string): Promise<string> {
  const answer = await send(server.url, modern(token, 'tools/call', { name: 'echo', arguments: { [argument]: 1 } }));
  return answer.json.error?.message ?? answer.text;
}

// One pass over them takes milliseconds; a pass from each of them takes a minute and more.
const times = 300_000;

test.each([
  ['the beginnings of URLs', '://'.repeat(times)],
  ['the beginnings of tokens', 'sp_'.repeat(times)],
  ['ends of what may be passwords', '@'.repeat(3 * times)],
])(
  '%s, a megabyte of them',
  async (_, name) => {
    const began = performance.now();
    expect(await saidOfArgument(name)).toContain('has no argument');
    expectWithin(began, 20_000);
  },
  30_000,
);

test.each([
  ['postgres://owner:hunter2@host/x', 'postgres://…@host/x'],
  ['postgres://owner:hun@ter2@host', 'postgres://…@host'],
  ['a@b://owner:hunter2@host c://d:hunter2@e', 'a@b://…@host c://…@e'],
  [`://${'hunter2'.repeat(1_000)}@host`, '://…@host'],
  ['a@b://c', 'a@b://c'],
])('%j is shown as %j', async (name, said) => {
  expect(await saidOfArgument(name)).toContain(JSON.stringify(said));
});
