/**
 * A password command whose password is valid for minutes, on real servers: how often it runs, and
 * what happens to a refused password.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { lendMariadb, lendPostgres } from '../../servers/lent.ts';
import { mariadbUnavailable } from '../../servers/mariadb.ts';
import { findPostgres } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';

interface Server {
  readonly port: number;
  ask(sql: string): Promise<string>;
  stop(): Promise<void>;
}

interface Candidate {
  readonly scheme: string;
  readonly unavailable: string | null;
  start(): Promise<Server>;
  readonly make: string;
  change(password: string): string;
  readonly endSessions: string;
  /** How often the account was refused. */
  refusals?(server: Server): Promise<number>;
}

const binaries = findPostgres();
const candidates: readonly Candidate[] = [
  {
    scheme: 'postgres',
    unavailable: 'unavailable' in binaries ? binaries.unavailable : null,
    start: lendPostgres,
    make: "create role hourly login password 'none-yet'",
    change: password => `alter role hourly password '${password}'`,
    endSessions: "select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity where usename = 'hourly'",
  },
  {
    scheme: 'mariadb',
    unavailable: mariadbUnavailable(),
    start: lendMariadb,
    make: "create user hourly identified by 'none-yet'",
    change: password => `alter user hourly identified by '${password}'`,
    endSessions: 'kill hard user hourly',
    async refusals(server) {
      const sql =
        "select variable_value from information_schema.global_status where variable_name = 'Access_denied_errors'";
      return Number(await server.ask(sql));
    },
  },
];

for (const candidate of candidates) needs(candidate.unavailable).describe(candidate.scheme, () => suite(candidate));

function suite({ scheme, start, make, change, endSessions, refusals }: Candidate): void {
  let home: RealHome;
  let server: Server;
  let folder: string;
  let issued: string[];
  beforeAll(async () => {
    home = realHome();
    folder = home.folder;
    issued = [];
    server = await start();
    await server.ask(make);
    await home.run(['start']);
    writeFileSync(join(folder, 'runs'), '');
    // Like a cloud's command, whose line holds no secret.
    writeFileSync(join(folder, 'token'), `printf x >>'${folder}/runs'\ncat '${folder}/printed'\n`);
    issue('first-secret', 900);
    await server.ask(change('first-secret'));
    const url = `${scheme}://hourly@127.0.0.1:${server.port}/${scheme === 'postgres' ? 'postgres' : 'information_schema'}`;
    const added = await home.here([
      ...['connections', 'add', url, '--name', 'Shop', '--password-command', `sh '${folder}/token'`],
    ]);
    expect(added.code).toBe(0);
  }, 120_000);
  afterAll(async () => {
    await home.clean();
    await server.stop();
  });

  /** Sets what the command prints from now on. */
  function issue(password: string, seconds: number | null): void {
    issued.push(password);
    const expiresAt = seconds === null ? null : new Date(Date.now() + seconds * 1_000).toISOString();
    writeFileSync(join(folder, 'printed'), `${JSON.stringify({ password, expiresAt })}\n`);
  }
  const runs = (): number => readFileSync(join(folder, 'runs'), 'utf8').length;
  /** Uses a new session, dialled now. */
  async function dialled(): Promise<number | null> {
    await server.ask(endSessions);
    return (await home.here(['query', 'Shop', 'select 1'])).code;
  }

  test('runs once for all dials while the password is valid', async () => {
    expect((await home.here(['connections', 'test', 'Shop'])).code).toBe(0);
    expect([await dialled(), await dialled()]).toEqual([0, 0]);
    expect(runs()).toBe(1);
  }, 60_000);

  test('runs again if the server refuses its earlier output, and the caller notices nothing', async () => {
    issue('second-secret', 62);
    await server.ask(change('second-secret'));
    expect(await dialled()).toBe(0);
    expect(runs()).toBe(2);
  }, 60_000);

  test('runs again a minute before the end', async () => {
    await sleep(2_100);
    issue('third-secret', 900);
    await server.ask(change('third-secret'));
    const before = await refusals?.(server);
    expect(await dialled()).toBe(0);
    expect(runs()).toBe(3);
    expect(await refusals?.(server)).toBe(before);
  }, 60_000);

  test('the same refused password is sent once, and the person learns of the refusal', async () => {
    await server.ask(change('a-secret-that-nobody-prints'));
    const before = (await refusals?.(server)) ?? null;
    await server.ask(endSessions);
    const refused = await home.here(['query', 'Shop', 'select 1']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/password authentication failed|Access denied/);
    expect(runs()).toBe(4);
    // A server may lock an account after three refusals.
    if (before !== null) expect(await refusals?.(server)).toBe(before + 1);
  }, 60_000);

  test('no file of the home contains its output', () => {
    const files = readdirSync(home.home, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      const text = textOf(path);
      // A temporary file may have become its store meanwhile, which is looked at under its own name.
      if (text === null && file.name.endsWith('.tmp')) continue;
      if (text === null) throw new Error(`${path} is gone.`);
      for (const password of issued) expect([file.name, text.includes(password)]).toEqual([file.name, false]);
    }
  });
}

/** @returns null if there is no such file. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
