/** What the HTTP door leaves in the activity log: each guess a row, what costs nothing counted, each tool call once. */

import { afterEach, expect, test } from '@jest/globals';
import type { ActivityEntry } from '../../daemon/activity.ts';
import { heldDoors, noPairings } from './doors.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { modern, send } from './wire.ts';

const recorded: ActivityEntry[] = [];
const counted: { readonly key: string; readonly entry: ActivityEntry }[] = [];
const doors = heldDoors();
const activity = {
  record: (entry: ActivityEntry) => void recorded.push(entry),
  tally: (key: string, _: number, entry: ActivityEntry) => void counted.push({ key, entry }),
};
let server: RunningServer;
afterEach(async () => {
  await server.stop();
  recorded.length = 0;
  counted.length = 0;
});
const open = async (): Promise<void> => {
  server = await runServer({}, [], doors, () => ({ ...noPairings(), activity }));
};
const reasons = (): unknown[] => counted.map(({ entry: { category, outcome, reason } }) => [category, outcome, reason]);

test('five guesses have a row each, those of the lockout one key, and no bearer another', async () => {
  await open();
  for (let times = 0; times < 7; times++) await send(server.url, modern(`sp_${'g'.repeat(43)}`, 'tools/list'));
  const guess = { category: 'auth', action: 'authenticate', outcome: 'denied', reason: 'an unknown token' };
  expect(recorded).toEqual([guess, guess, guess, guess, guess]);
  expect(new Set(counted.map(({ key }) => key)).size).toBe(1);
  expect(reasons()).toEqual(Array(2).fill(['auth', 'denied', 'locked out']));
  await send(server.url, {});
  await send(server.url, { headers: { Host: 'elsewhere.example' } });
  expect(reasons().slice(2)).toEqual([
    ['auth', 'denied', 'no bearer token'],
    ['access', 'denied', 'a foreign Host header'],
  ]);
  doors.advanceSeconds(301);
});

test('a call is one row, with what the log also says of a failure', async () => {
  await open();
  const token = await server.token();
  await send(server.url, modern(token, 'tools/call', { name: 'refusing', arguments: { how: 'denied' } }));
  await send(server.url, modern(token, 'tools/call', { name: 'failing', arguments: {} }));
  await send(server.url, modern(token, 'tools/call', { name: 'select 1', arguments: {} }));
  await send(server.url, modern(token, 'tools/list'));
  const by = { category: 'tool', principal: server.idOf(token), tokenName: 'test', client: 'wire test' };
  expect(recorded).toMatchObject([
    { ...by, action: 'refusing', outcome: 'denied', reason: expect.stringMatching(/^denied: This connection/) },
    { ...by, action: 'failing', outcome: 'error', reason: expect.stringMatching(/^internal_failure: /) },
    { ...by, action: 'unknown_tool', outcome: 'error', reason: 'unknown_tool: a text that is no name' },
  ]);
  expect(server.logged.join('')).toContain(String(recorded[1]?.requestId));
});
