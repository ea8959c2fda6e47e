/**
 * Threat: a kill in the middle of `connections set` leaves a new password with the old level or
 * place, or an incomplete export under its final name. The kills are real, at the moment when the
 * first byte reaches the disk and a little later.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type { ConnectionView } from '../../shared/control-commands.ts';
import { bin, RealHome } from '../bridge/real-home.ts';
import { modern, send } from '../clients/http/wire.ts';
import { realHome, type RealHome as TerminalHome } from '../shell-terminal/real-home.ts';
import { executeOn } from '../sqlite-file.ts';
import { until } from '../waiting/until.ts';

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const secretsOf = (home: TerminalHome): Record<string, string> =>
  JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8')).secrets;

test('a password changes with the level and place that came with it, or not at all', async () => {
  const home = realHome();
  undo.push(() => home.clean());
  expect((await home.run(['start'])).code).toBe(0);
  const add = ['connections', 'add', 'postgres://u@127.0.0.1:1/x', '--name', 'Shop', '--password-stdin'];
  expect((await home.here(add, { stdin: 'password-0' })).code).toBe(0);
  for (let round = 1; round <= 16; round += 1) {
    const before = await home.json<ConnectionView>(['connections', 'show', 'Shop']);
    const level = before.externalClients.level === 'readOnly' ? 'blocked' : 'read-only';
    const set = ['connections', 'set', 'Shop', '--url', `postgres://u@127.0.0.1:${round + 1}/x`];
    const setting = home
      .here([...set, '--external-clients', level, '--password-stdin'], { stdin: `password-${round}` })
      .catch(() => null);
    while (!JSON.stringify(secretsOf(home)).includes(`password-${round}`)) await pause(0);
    await pause((round % 8) * 2);
    await home.end('SIGKILL');
    await setting;
    expect((await home.run(['start'])).code).toBe(0);
    const after = await home.json<ConnectionView>(['connections', 'show', 'Shop']);
    const passwords = Object.entries(secretsOf(home)).filter(([account]) => account.startsWith('password/'));
    const isNew = after.port === round + 1;
    expect([after.port, after.externalClients.level === before.externalClients.level, after.password.kind]).toEqual([
      ...(isNew ? [round + 1, false] : [before.port, true]),
      'stored',
    ]);
    expect(passwords).toEqual([[`password/${after.id}`, `password-${(after.port ?? 0) - 1}`]]);
  }
}, 120_000);

test('an export cut off by a kill has no final name, and the next start removes it', async () => {
  const home = new RealHome();
  undo.push(() => home.clean());
  const downloads = join(home.folder, 'Downloads');
  mkdirSync(downloads);
  const database = join(home.folder, 'shop.db');
  executeOn(database, 'create table t (a)');
  const start = async (): Promise<void> => {
    spawn(join(bin, 'sallyportd'), { env: { ...home.environment, HOME: home.folder }, stdio: 'ignore' }).unref();
    await until(() => home.daemons().includes(home.handshake()?.pid ?? 0), 'the daemon is up');
  };
  await start();
  const url = `http://127.0.0.1:${await home.moveToOwnPort()}/mcp`;
  await home.here('connections', 'add', `sqlite:${database}`, '--name', 'Shop');
  const { token } = JSON.parse(await home.here('tokens', 'mint', '--name', 'Client', '--json'));
  const sql =
    "with recursive s(n) as (select 1 union all select n + 1 from s where n < 100000000) select n, printf('%.*c', 1000, 'x') from s";
  const args = { connection: 'Shop', sql, format: 'csv', file_name: 'rows' };
  void send(url, modern(token, 'tools/call', { name: 'export_data', arguments: args })).catch(() => {});
  await until(() => readdirSync(downloads).length > 0, 'the export has begun');
  await pause(300);
  await home.end('SIGKILL');
  expect(readdirSync(downloads)).toEqual(['rows.csv.part']);
  await start();
  await until(() => readdirSync(downloads).length === 0, 'it is gone', 5);
  expect(existsSync(join(downloads, 'rows.csv'))).toBe(false);
}, 60_000);
