/**
 * Whoever removed a connection, its person restores it with its password, even after a kill; after
 * seven days it is gone.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ConnectionView, RemovedConnectionView } from '../../../shared/control-commands.ts';
import { needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { startClockedDaemon } from '../daemon/clocked-daemon.ts';
import { choosing, missingForTyping, passphrasePrompt, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';

const passphrase = 'correct horse battery';
const day = 86_400;

let home: RealHome;
beforeEach(() => {
  home = realHome();
});
afterEach(() => home.clean());

const removed = () => home.json<RemovedConnectionView[]>(['connections', 'restore']);
const secrets = (): string => readFileSync(join(home.home, 'secrets.json'), 'utf8');

const found = findPostgres();
needs('unavailable' in found ? found.unavailable : missingForTyping()).describe('with its server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await lendPostgres();
  });
  afterAll(() => server.stop());

  test('it answers again with its password, for a person who knows the passphrase', async () => {
    await home.here(['start']);
    const add = [
      'connections',
      'add',
      `postgres://${server.superuser}@127.0.0.1:${server.port}/postgres`,
      '--name',
      'Shop',
    ];
    const saved = await home.json<ConnectionView>([...add, '--password-stdin'], server.password);
    const ask = () => home.here(['query', 'Shop', 'select 40 + 2 as answer']);
    expect((await ask()).stdout).toContain('42');
    const typed = await runOnTerminal(home, ['passphrase', 'set'], choosing(passphrase));
    expect(typed).toMatchObject({ code: 0 });

    const { stdout } = await home.run(['connections', 'remove', 'shop']);
    expect(stdout).toMatch(
      /^Removed Shop\. It is kept until .*; `sallyport connections restore Shop` brings it back\.\n$/,
    );
    expect(await ask()).toMatchObject({ code: 1, stdout: '' });
    await home.end('SIGKILL');
    await home.here(['start']);
    expect(await ask()).toMatchObject({ code: 1, stdout: '' });
    expect((await home.run(['connections', 'list'])).stdout).toContain('There is no connection yet');
    expect((await removed()).map(({ connection }) => connection)).toMatchObject([saved]);
    expect((await home.run(['connections', 'restore'])).stdout).toMatch(/NAME +WHERE[\s\S]*Shop +127\.0\.0\.1/);

    // Not without a terminal, nor by another name for the same.
    const piped = await home.run(['connections', 'restore', 'Shop'], { stdin: `${passphrase}\n` });
    expect(piped).toMatchObject({ code: 1, stdout: '' });
    expect(piped.stderr).toContain('brings back "Shop", which was removed');

    const restored = await runOnTerminal(home, ['connections', 'restore', 'Shop'], [[passphrasePrompt, passphrase]]);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.shown).toContain('Restored Shop. AI clients may read it, and write nothing.');
    expect(await home.json(['connections', 'show', saved.id])).toMatchObject(saved);
    expect((await ask()).stdout).toContain('42');
    expect(await removed()).toEqual([]);
  }, 120_000);
});

test('after seven days its record and its password are gone; a clock that is set ahead removes nothing', async () => {
  const clock = await startClockedDaemon(home);
  const add = ['connections', 'add', 'postgres://u@127.0.0.1:1/shop', '--name', 'Shop', '--password-stdin'];
  const { id } = await home.json<ConnectionView>(add, 'hunter2');
  await home.here(['connections', 'remove', 'Shop']);
  const names = async () => (await removed()).map(({ connection }) => connection.name);
  clock.setAheadSeconds(30 * day);
  expect(await names()).toEqual(['Shop']);
  await home.here(['stop']);
  await startClockedDaemon(home, 30 * day);
  expect(await names()).toEqual(['Shop']);
  expect(secrets()).toContain(`password/${id}`);
  await home.here(['stop']);

  // Days that pass one by one are believed.
  const again = await startClockedDaemon(home, 4 * day);
  expect(await names()).toEqual(['Shop']);
  again.setAheadSeconds(6 * day);
  expect(await names()).toEqual(['Shop']);
  again.setAheadSeconds(8 * day);
  expect(await names()).toEqual([]);
  expect(await home.here(['connections', 'restore', 'Shop'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was removed in the last seven days'),
  });
  await home.here(['stop']);
  await startClockedDaemon(home, 8 * day);
  expect(secrets()).not.toContain(id);
  const store = new SqliteFile(join(home.home, 'sallyport.db'), { readOnly: true });
  expect(store.value('select count(*) from connections')).toBe(0);
  store.close();
}, 60_000);
