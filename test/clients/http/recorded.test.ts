/**
 * What the HTTP server leaves in the activity log: a row for each guess, a count for what costs
 * nothing, one row for each tool call.
 */

import { afterEach, expect, test } from '@jest/globals';
import type { ActivityEntry } from '../../../daemon/activity.ts';
import { clockedAdmission, noPairings } from './admission-for-tests.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { modern, send } from './wire.ts';

const recorded: ActivityEntry[] = [];
const counted: { readonly key: string; readonly entry: ActivityEntry }[] = [];
const admission = clockedAdmission();
const activity = {
  record: (entry: ActivityEntry) => void recorded.push(entry),
  tally: (key: string, _: number, entry: ActivityEntry) => void counted.push({ key, entry }),
  flush: async () => {},
};
let server: RunningServer;
afterEach(async () => {
  await server.stop();
  recorded.length = 0;
  counted.length = 0;
});
const open = async (): Promise<void> => {
  server = await runServer({}, admission, () => ({ ...noPairings(), activity }));
};
const reasons = (): unknown[] => counted.map(({ entry: { category, outcome, reason } }) => [category, outcome, reason]);

test('five guesses have a row each, those of the lockout share a key, and no bearer another', async () => {
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
  admission.advanceSeconds(301);
});

test('a revoked or expired token is named; an unknown one isn’t', async () => {
  await open();
  const [revoked, expired, kept] = [await server.token(), await server.token(), await server.token()];
  const ids = [revoked, expired].map(server.idOf);
  await server.tokens.revoke(ids[0] ?? '');
  await send(server.url, modern(revoked, 'tools/list'));
  server.advanceSeconds(86_401);
  for (const token of [expired, kept, expired]) await send(server.url, modern(token, 'tools/list'));
  await send(server.url, modern(`${revoked.slice(0, 8)}${'x'.repeat(38)}`, 'tools/list'));
  const denied = { category: 'auth', action: 'authenticate', outcome: 'denied' };
  expect(recorded).toEqual([{ ...denied, reason: 'an unknown token' }]);
  expect(counted.slice(0, 2).map(({ entry }) => entry)).toEqual([
    { ...denied, principal: ids[0], tokenName: 'test', reason: 'a revoked token' },
    { ...denied, principal: ids[1], tokenName: 'test', reason: 'the token has expired' },
  ]);
  // Separate counts: else two tokens would share a row with one name.
  expect(new Set(counted.map(({ key }) => key)).size).toBe(3);
  expect(JSON.stringify([recorded, counted])).not.toContain('sp_');
});

test('a flood is one line in the log at once and one with a count, not a line each', async () => {
  await open();
  for (let times = 0; times < 30; times++) await send(server.url, {});
  for (let times = 0; times < 30; times++) await send(server.url, { headers: { Host: 'elsewhere.example' } });
  expect(server.logged).toHaveLength(2);
  await server.http.close(0);
  expect(server.logged).toHaveLength(4);
  for (const line of server.logged.slice(2)) expect(line).toContain('"times":29');
  await open();
});

test('requests over the limit are one count per token, and one for all bridges whatever they call themselves', async () => {
  await open();
  const token = await server.token();
  admission.limits = { requestsPerMinute: 1, concurrentRequests: 8 };
  for (let times = 0; times < 3; times++) await send(server.url, modern(token, 'tools/list'));
  for (let number = 0; number < 12; number++) {
    const headers = { 'Sallyport-Bridge': `bridge-number-${1000 + number}` };
    await send(server.url, modern(server.bridgeToken, 'tools/list', {}, { headers }));
  }
  admission.limits = { requestsPerMinute: 240, concurrentRequests: 8 };
  expect(new Set(counted.map(({ key }) => key)).size).toBe(2);
  expect(counted.map(({ entry }) => [entry.tokenName, entry.principal])).toEqual([
    ...Array(2).fill(['test', server.idOf(token)]),
    ...Array(8).fill(['__stdio_bridge__', null]),
  ]);
});

test('a call is one row, with what the log also says about a failure', async () => {
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
