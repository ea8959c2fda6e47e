/** The clock goes back under a running daemon: tokens aren't reported as expired. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readHandshake } from '../../../shared/handshake.ts';
import { locationsIn } from '../../../shared/locations.ts';
import { type Note, noteText } from '../../../shared/note.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { type Clock, startClockedDaemon } from './clocked-daemon.ts';

let home: RealHome;
let clock: Clock;
beforeAll(async () => {
  home = realHome();
  clock = await startClockedDaemon(home);
}, 60_000);
afterAll(() => home.clean());

const mint = async (expires: string): Promise<string> =>
  (await home.json<{ token: string }>(['tokens', 'mint', '--name', `lives ${expires}`, '--expires', expires])).token;
const notes = async (): Promise<string> =>
  (await home.json<{ notes: Note[] }>(['status'])).notes.map(noteText).join('\n');
const list = (token: string) => {
  const read = readHandshake(locationsIn(home.home).handshake);
  const port = read.kind === 'read' ? read.handshake.port : 0;
  return send(`http://127.0.0.1:${port}/mcp`, modern(token, 'tools/list'));
};

test('the clock is named, a token without an end keeps working, and all is well once the clock is', async () => {
  clock.setAheadSeconds(3_600);
  const [month, forEver] = [await mint('30'), await mint('never')];
  expect([(await list(month)).status, (await list(forEver)).status]).toEqual([200, 200]);

  clock.setAheadSeconds(-86_400);
  const refused = await list(month);
  expect([refused.status, refused.json.error?.code]).toEqual([503, -33006]);
  expect(refused.json.error?.message).toMatch(
    /^This token was made at .*Z, and this machine's clock shows an earlier time/,
  );
  expect((await list(forEver)).status).toBe(200);
  expect(await notes()).toMatch(
    /clock shows [\d-]+ [\d:]+, a time before token "lives 30" was made, so it is refused; set the clock\./,
  );

  clock.setAheadSeconds(3_600);
  expect((await list(month)).status).toBe(200);
  expect(await notes()).not.toContain('clock');

  clock.setAheadSeconds(31 * 86_400);
  const expired = await list(month);
  expect([expired.status, expired.json.error?.code]).toEqual([401, -33008]);
}, 60_000);
