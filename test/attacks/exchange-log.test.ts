/**
 * A program guesses pairing codes and kills the daemon so that nobody learns of it (spec §10): each
 * failure is in the log all the same.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Answer, send } from '../clients/http/wire.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { until } from '../waiting/until.ts';

let home: RealHome;
beforeEach(async () => {
  home = realHome();
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
}, 30_000);
afterEach(async () => {
  await home.run(['stop']);
  await home.clean();
}, 30_000);

function exchange(body: string): Promise<Answer> {
  const { port } = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
  const headers = { 'Content-Type': 'application/json' };
  return send(`http://127.0.0.1:${port}/v1/integrations/exchange`, { headers, body });
}
const guess = (): Promise<Answer> => exchange(JSON.stringify({ code: randomUUID(), code_verifier: 'v'.repeat(43) }));
const large = (): Promise<Answer> => exchange('x'.repeat(8_193));

interface Row {
  readonly action: string;
  readonly reason: string;
  readonly count: number;
}
async function rows(): Promise<[string, number][]> {
  const all = await home.json<Row[]>(['activity']);
  return all.filter(({ action }) => action === 'exchange').map(({ reason, count }) => [reason, count]);
}

test('a kill at the moment of the fifth answer loses none of the rows', async () => {
  expect((await large()).status).toBe(400);
  for (let failure = 0; failure < 5; failure++) expect((await guess()).status).toBe(404);
  await home.end('SIGKILL');
  await home.run(['start']);
  expect(await rows()).toEqual([['invalid_request', 1], ...Array(5).fill(['code_not_found', 1])]);
}, 60_000);

test('a burst is counted while its lockout holds, and a kill loses at most its last seconds', async () => {
  const statuses = [];
  for (let number = 0; number < 30; number++) statuses.push((await guess()).status);
  expect(statuses.filter(status => status === 429)).toHaveLength(25);
  expect((await large()).status).toBe(429);
  await until(async () => (await rows()).length > 5, 'the burst has its row', 10);
  await home.end('SIGKILL');
  await home.run(['start']);
  expect(await rows()).toEqual([...Array(5).fill(['code_not_found', 1]), ['locked out', 26]]);
}, 60_000);
