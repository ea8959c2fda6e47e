/**
 * An older `secrets.json`, put back between two runs of the built daemon, revives no token, and
 * `activity verify` reports it.
 */

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { StatusResult } from '../../shared/control-commands.ts';
import { type ActivityHome, activityHome } from '../journeys/activity/home.ts';

let home: ActivityHome;
afterEach(() => home.clean());

const secrets = () => join(home.home, 'secrets.json');
const copy = () => join(home.folder, 'secrets-of-before.json');
/** The answer to a call; a pause refuses it with a tool error. */
async function answerTo(token: string): Promise<number | 'paused'> {
  const { status, text } = await home.call(token, 'list_connections', {});
  return text.includes('Sallyport is paused') ? 'paused' : status;
}

test('after a clean stop: revoked and deleted ones stay so, valid ones stay valid', async () => {
  home = await activityHome();
  const [revoked, deleted, kept] = [await home.mint('Revoked'), await home.mint('Deleted'), await home.mint('Kept')];
  for (const { token } of [revoked, deleted, kept]) expect(await answerTo(token)).toBe(200);
  copyFileSync(secrets(), copy());
  await home.here(['tokens', 'revoke', revoked.id]);
  await home.here(['tokens', 'delete', deleted.id]);
  await home.run(['stop']);
  copyFileSync(copy(), secrets());
  await home.run(['start']);
  expect([await answerTo(revoked.token), await answerTo(deleted.token), await answerTo(kept.token)]).toEqual([
    401,
    401,
    'paused',
  ]);
  const { state, notes } = await home.json<StatusResult>(['status']);
  expect([state, notes.map(({ sentence }) => sentence).join()]).toEqual([
    'paused',
    expect.stringContaining('the secrets are older than the store shows'),
  ]);
  await home.here(['resume']);
  expect([await answerTo(revoked.token), await answerTo(deleted.token), await answerTo(kept.token)]).toEqual([
    401, 401, 200,
  ]);
  expect(await home.json(['tokens', 'list'])).toMatchObject([
    { id: revoked.id, state: 'revoked' },
    { id: kept.id, state: 'valid' },
  ]);
  const { intact, findings } = await home.verify();
  expect([intact, findings]).toEqual([false, [expect.objectContaining({ kind: 'older_copy' })]]);
  expect(findings[0]?.sentence).toContain('The secret store was an older copy than the database');
}, 60_000);

test('after a kill: revoked and deleted ones stay so', async () => {
  home = await activityHome();
  const [revoked, deleted] = [await home.mint('Revoked'), await home.mint('Deleted')];
  copyFileSync(secrets(), copy());
  await home.here(['tokens', 'revoke', revoked.id]);
  await home.here(['tokens', 'delete', deleted.id]);
  await home.end('SIGKILL');
  copyFileSync(copy(), secrets());
  await home.run(['start']);
  expect([await answerTo(revoked.token), await answerTo(deleted.token)]).toEqual([401, 401]);
}, 60_000);
