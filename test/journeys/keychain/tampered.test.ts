/**
 * The log of a home whose secrets were moved into the keychain: rows that were edited, deleted, cut
 * off or swapped are reported, also with a database from before the move. Nothing leads back to a
 * file.
 */

import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ActivityVerificationView, StatusResult } from '../../../shared/control-commands.ts';
import { locationsIn } from '../../../shared/locations.ts';
import { connectToDaemon } from '../../../shell-terminal/control-client.ts';
import { findShellSecret } from '../../../shell-terminal/shell-secret.ts';
import { needs } from '../../needs.ts';
import { missingForSecretService, type SecretService, startSecretService } from '../../servers/secret-service.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { type KeychainHome, keychainHome, type RunningDaemon } from './home.ts';

needs(missingForSecretService()).describe('a log whose key is in the keychain', () => {
  let service: SecretService;
  let home: KeychainHome;
  let daemon: RunningDaemon;
  let store: string;

  beforeAll(async () => {
    service = await startSecretService();
  });
  /** Starts with a file, as on a machine that got its keychain later, and moves while running. */
  beforeEach(async () => {
    home = keychainHome(service);
    store = join(home.home, 'sallyport.db');
    const first = await home.startDaemon(home.none);
    await someRows(6, home.none);
    await home.here(['stop'], { environment: home.none });
    await first.ended;
    copyFileSync(store, join(home.folder, 'before-the-move.db'));
    daemon = await home.startDaemon();
    expect(await home.askHere(['settings', 'set', 'keychain', 'required'])).toMatchObject({ code: 0, stderr: '' });
    await someRows(16);
  }, 60_000);
  afterEach(() => home.clean());
  afterAll(() => service.stop());

  /** Through a shell that connects once: a command per row would take most of this suite's time. */
  async function someRows(count: number, environment = home.bus): Promise<void> {
    const found = await findShellSecret(locationsIn(home.home), environment);
    if (found.kind !== 'found') throw new Error(JSON.stringify(found));
    const connecting = await connectToDaemon({
      controlSocket: join(home.home, 'control.sock'),
      controlSocketFolder: home.home,
      shell: 'terminal',
      shellSecret: found.secret,
      proofMilliseconds: 10_000,
    });
    if (connecting.kind !== 'connected') throw new Error(JSON.stringify(connecting));
    const { client } = connecting;
    try {
      for (let row = 0; row < count; row++)
        await client.ask('settings.set', { key: 'results.maxRows', value: 5_000 + row });
    } finally {
      client.close();
    }
  }

  async function verify(): Promise<ActivityVerificationView> {
    const ran = await home.askHere(['activity', 'verify', '--json']);
    const verification: ActivityVerificationView = JSON.parse(ran.stdout);
    expect(ran.code).toBe(verification.intact ? 0 : 1);
    return verification;
  }

  function edit(sql: string): number {
    const last = lastRow();
    const opened = new SqliteFile(store, { timeout: 5_000 });
    opened.prepare(sql).run({ last });
    opened.close();
    return last;
  }

  function lastRow(): number {
    const opened = new SqliteFile(store, { timeout: 5_000 });
    const last = Number(opened.value('select max(number) from activity'));
    opened.close();
    return last;
  }

  function putStore(from: string): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${store}${suffix}`, { force: true });
    copyFileSync(from, store);
  }

  const found = (verification: ActivityVerificationView) =>
    verification.findings.map(({ kind, from, to }) => ({ kind, from, to }));

  test('the move itself leaves it intact, in this run and the next', async () => {
    expect(await verify()).toMatchObject({ intact: true, findings: [], checkedAfter: 0 });
    await daemon.stop();
    daemon = await home.startDaemon();
    const again = await verify();
    expect(again).toMatchObject({ intact: true, findings: [], checkedAfter: 0 });
    expect(again.limits.join(' ')).toContain('gets the key from the keychain');
    expect(again.limits.join(' ')).not.toContain('secrets.json');
  }, 120_000);

  test('an edited row, a deleted row, the last ten cut off', async () => {
    const last = edit("update activity set reason = 'something else' where number = @last - 3");
    expect(found(await verify())).toEqual([{ kind: 'edited', from: last - 3, to: last - 3 }]);
    const gone = edit('delete from activity where number = @last - 12') - 12;
    expect(found(await verify())).toContainEqual({ kind: 'removed', from: gone, to: gone });
    await daemon.stop();
    const end = edit('delete from activity where number > @last - 10');
    daemon = await home.startDaemon();
    expect(found(await verify())).toContainEqual({ kind: 'truncated', from: end - 9, to: end });
  }, 120_000);

  test('an older copy from after the move', async () => {
    await daemon.stop();
    copyFileSync(store, join(home.folder, 'older.db'));
    daemon = await home.startDaemon();
    await someRows(4);
    await daemon.stop();
    putStore(join(home.folder, 'older.db'));
    daemon = await home.startDaemon();
    expect(found(await verify())).toContainEqual(expect.objectContaining({ kind: 'older_copy' }));
  }, 120_000);

  test('a copy from before the move is reported too, and makes no new secret', async () => {
    const { id } = await home.askJson<{ id: string }>('tokens', 'mint', '--name', 'Claude');
    await daemon.stop();
    putStore(join(home.folder, 'before-the-move.db'));
    daemon = await home.startDaemon();
    const status = await home.askJson<StatusResult>('status');
    expect(status).toMatchObject({ secrets: 'keychain', tokens: 1 });
    expect(status.notes).toContainEqual({
      code: 'secrets',
      sentence: expect.stringContaining('The database is an older copy'),
    });
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);
    expect(await home.askJson('tokens', 'list')).toMatchObject([{ id }]);
    const { intact, findings } = await verify();
    expect(intact).toBe(false);
    expect(findings).toEqual([
      expect.objectContaining({ kind: 'older_copy', sentence: expect.stringContaining('swapped for an older copy') }),
    ]);
    await daemon.stop();
    daemon = await home.startDaemon();
    expect(found(await verify())).toContainEqual(expect.objectContaining({ kind: 'older_copy' }));

    await daemon.stop();
    putStore(join(home.folder, 'before-the-move.db'));
    const without = await home.runDaemon(home.none);
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("The keychain can't be used") });
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);
  }, 120_000);

  test('killed at any point it is intact, and says what it restored', async () => {
    for (let round = 0; round < 3; round++) {
      const before = lastRow();
      const writing = expect(someRows(1_000)).rejects.toThrow();
      await until(() => lastRow() > before, 'a row is written');
      await daemon.signal('SIGKILL');
      await writing;
      daemon = await home.startDaemon();
      expect(await verify()).toMatchObject({ intact: true, findings: [] });
    }
  }, 120_000);
});
