/**
 * A person's decision survives a kill on a full disk. A decision that can't be stored is refused
 * with a sentence that names the disk.
 */

import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { openReserve, reserveFile } from '../../../daemon/storage/store/reserve.ts';
import type { ConnectionView, StatusResult } from '../../../shared/control-commands.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { mountDisk, mountingUnavailable, unmountDisk } from '../../mounting.ts';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { beginUnattended } from '../../unattended-home.mjs';

const folders: string[] = [];
const missing = mountingUnavailable();

let home: RealHome;
beforeEach(() => {
  home = realHome(0, 'owner');
  mkdirSync(home.home, { mode: 0o700 });
  if (missing === null && mountDisk(home.home, '8m')) folders.push(home.home);
  beginUnattended(home.home);
});
afterEach(async () => {
  await home.end('SIGKILL');
  for (const folder of folders.splice(0)) unmountDisk(folder);
  await home.clean();
});

const filling = (): string => join(home.home, 'filling');
/** To the last byte. */
function fillDisk(): void {
  const file = openSync(filling(), 'a');
  try {
    for (let bytes = 65_536; bytes >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(bytes));
      } catch {
        bytes = Math.floor(bytes / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}
const freeDisk = (): void => rmSync(filling(), { force: true });

let port = 0;
async function begin(): Promise<{ readonly id: string; readonly token: string }> {
  expect(await home.here(['start'])).toMatchObject({ code: 0 });
  port = (await home.json<{ port: number }>(['status'])).port;
  return home.json(['tokens', 'mint', '--name', 'Laptop']);
}
const answerTo = async (token: string): Promise<number> => {
  ({ port } = await home.json<{ port: number }>(['status']));
  return (await send(`http://127.0.0.1:${port}/mcp`, modern(token, 'tools/list'))).status;
};
/** Kills it, starts it with no more room than before, and then with some. */
async function killAndStartAgain(): Promise<void> {
  await home.end('SIGKILL');
  const full = await home.here(['start']);
  if (full.code !== 0) expect(full.stderr).toMatch(/There is no room left on the disk for/);
  freeDisk();
  expect(await home.here(['start'])).toMatchObject({ code: 0 });
}

const onItsOwnDisk = needs(missing);

onItsOwnDisk.test(
  'a token revoked on a full disk stays revoked',
  async () => {
    const { id, token } = await begin();
    const other = await home.json<{ id: string; token: string }>(['tokens', 'mint', '--name', 'Other']);
    const kept = await home.json<{ id: string; token: string }>(['tokens', 'mint', '--name', 'Kept']);
    expect(await answerTo(token)).toBe(200);
    fillDisk();
    expect(await home.here(['tokens', 'revoke', id])).toMatchObject({ code: 0 });
    expect(await home.here(['tokens', 'delete', other.id])).toMatchObject({ code: 0 });
    // Nothing was lost, so nothing is paused.
    expect([await answerTo(token), await answerTo(kept.token)]).toEqual([401, 200]);
    await killAndStartAgain();
    for (const ended of [token, other.token]) expect(await answerTo(ended)).toBe(401);
    expect(await answerTo(kept.token)).toBe(200);
    expect(await home.json(['tokens', 'list'])).toMatchObject([
      { id, state: 'revoked' },
      { id: kept.id, state: 'valid' },
    ]);
  },
  60_000,
);

onItsOwnDisk.test(
  'a level or AI policy lowered on a full disk stays lowered, and is raised again only with room',
  async () => {
    await begin();
    const add = ['connections', 'add', `sqlite://${join(home.folder, 'shop.db')}`, '--create', '--name', 'Shop'];
    expect(await home.here(add)).toMatchObject({ code: 0 });
    const shown = async () => {
      const [shop] = await home.json<ConnectionView[]>(['connections', 'list']);
      return [shop?.externalClients.level, shop?.aiPolicy];
    };
    for (const [option, given, lowered, becomes] of [
      ['--external-clients', 'read-write', 'read-only', ['readOnly', 'always']],
      ['--ai-policy', 'always', 'ask', ['readOnly', 'askEachTime']],
      ['--external-clients', 'read-only', 'blocked', ['blocked', 'askEachTime']],
    ] as const) {
      const set = (word: string) => home.here(['connections', 'set', 'Shop', option, word]);
      expect(await set(given)).toMatchObject({ code: 0 });
      fillDisk();
      expect(await set(lowered)).toMatchObject({ code: 0 });
      expect(await shown()).toEqual(becomes);
      expect(await set(given)).toMatchObject({ code: 1 });
      expect(await shown()).toEqual(becomes);
      await killAndStartAgain();
      expect(await shown()).toEqual(becomes);
      // Nobody edited anything.
      const { notes } = await home.json<StatusResult>(['status']);
      expect(notes.filter(({ code }) => code === 'taken_back' || code === 'unknown_to_log')).toEqual([]);
    }
  },
  120_000,
);

/** Leaves no room in the file but for a pause. */
function fillReserve(): void {
  const reserve = openReserve(join(home.home, reserveFile), error => {
    throw error;
  });
  const held = { level: 'blocked', writeUntil: null, aiPolicy: 'never', removedAt: null } as const;
  for (let length = 33_000; reserve.held().narrowed.length === 0; length--) {
    try {
      reserve.hold({ narrowed: [{ id: 'x'.repeat(length), ...held }] });
    } catch (error) {
      if (!String(error).includes('no room')) throw error;
    }
  }
}

onItsOwnDisk.test(
  'what can be kept nowhere pauses until it is done again with room, over a kill too',
  async () => {
    const { id, token } = await begin();
    const other = await home.json<{ id: string; token: string }>(['tokens', 'mint', '--name', 'Other']);
    const add = ['connections', 'add', `sqlite://${join(home.folder, 'shop.db')}`, '--create', '--name', 'Shop'];
    expect(await home.here(add)).toMatchObject({ code: 0 });
    expect(await home.here(['stop'])).toMatchObject({ code: 0 });
    fillReserve();
    expect(await home.here(['start'])).toMatchObject({ code: 0 });
    fillDisk();
    const noRoom = `There is no room left on the disk for ${home.home}; make some, then`;
    const notKept = (taken: string) =>
      `sallyport: Paused, not ${taken}, since that could not be stored. ${noRoom} do it again and run \`sallyport resume\`.\n`;
    expect(await answerTo(other.token)).toBe(200);
    expect(await home.here(['tokens', 'revoke', id])).toEqual({ code: 1, stdout: '', stderr: notKept('revoked') });
    expect([await answerTo(token), await answerTo(other.token)]).toEqual([401, 503]);
    const lower = ['connections', 'set', 'Shop', '--external-clients', 'blocked'];
    expect((await home.here(lower)).stderr).toBe(notKept('narrowed'));
    expect((await home.here(['connections', 'remove', 'Shop'])).stderr).toBe(notKept('removed'));
    expect((await home.here(['settings', 'set', 'enabled', 'false'])).stderr).toBe(notKept('switched off'));

    // Neither now nor after a start does anything end the pause but a person, with room.
    const refused = { code: 1, stderr: expect.stringContaining(`${noRoom} try again. Nothing was changed.`) };
    expect(await home.here(['resume'])).toMatchObject(refused);
    await killAndStartAgain();
    expect([await answerTo(token), await answerTo(other.token)]).toEqual([503, 503]);
    const { notes } = await home.json<{ notes: { sentence: string }[] }>(['status']);
    expect(notes.map(({ sentence }) => sentence).join()).toContain(
      'Sallyport paused by itself: something that you took from AI clients could not be stored',
    );
    expect(await home.here(['tokens', 'revoke', id])).toMatchObject({ code: 0 });
    expect(await home.here(['resume'])).toMatchObject({ code: 0 });
    expect([await answerTo(token), await answerTo(other.token)]).toEqual([401, 200]);
  },
  120_000,
);

onItsOwnDisk.test(
  'a pause on a full disk stays',
  async () => {
    const { token } = await begin();
    fillDisk();
    expect(await home.here(['pause'])).toMatchObject({ code: 0 });
    expect(await answerTo(token)).toBe(503);
    expect(await home.here(['resume'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no room left') });
    expect(await answerTo(token)).toBe(503);
    await killAndStartAgain();
    expect(await answerTo(token)).toBe(503);
    expect(await home.here(['resume'])).toMatchObject({ code: 0 });
    await home.end('SIGKILL');
    expect(await home.here(['start'])).toMatchObject({ code: 0 });
    expect(await answerTo(token)).toBe(200);
  },
  60_000,
);

onItsOwnDisk.test(
  'anything else that can’t be stored is refused, names the disk, and changes nothing',
  async () => {
    await begin();
    const database = join(home.folder, 'shop.db');
    expect(await home.here(['connections', 'add', `sqlite://${database}`, '--create', '--name', 'Shop'])).toMatchObject(
      {
        code: 0,
      },
    );
    const state = async () => ({
      settings: await home.json(['settings', 'list']),
      connections: await home.json(['connections', 'list']),
      tokens: await home.json(['tokens', 'list']),
    });
    const before = await state();
    fillDisk();
    for (const words of [
      ['settings', 'set', 'results.maxRows', '5000'],
      ['settings', 'set', 'port', String(port + 1)],
      ['connections', 'set', 'Shop', '--name', 'Store'],
      ['connections', 'add', `sqlite://${database}`, '--name', 'Second'],
      ['tokens', 'mint', '--name', 'Second'],
      ['demo'],
    ]) {
      const ran = await home.here(words);
      expect([words, ran]).toEqual([words, { code: 1, stdout: '', stderr: expect.stringContaining(home.home) }]);
      expect(ran.stderr).toMatch(/^sallyport: There is no room left/);
    }
    expect(await state()).toEqual(before);
    await killAndStartAgain();
    expect(await state()).toEqual(before);
    // What takes away is done, wherever it can be kept.
    fillDisk();
    expect(await home.here(['connections', 'remove', 'Shop'])).toMatchObject({ code: 0 });
    expect(await home.json(['connections', 'list'])).toEqual([]);
  },
  120_000,
);

onItsOwnDisk.test(
  'a read-only home is reported at the start',
  async () => {
    await begin();
    expect(await home.here(['stop'])).toMatchObject({ code: 0 });
    expect(spawnSync('mount', ['-o', 'remount,ro', home.home]).status).toBe(0);
    const ran = await home.here(['start']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(
      `${home.home} is on a file system that is mounted read-only (EROFS); mount it writable`,
    );
    expect(spawnSync('mount', ['-o', 'remount,rw', home.home]).status).toBe(0);
    expect(await home.here(['start'])).toMatchObject({ code: 0 });
  },
  60_000,
);
