/**
 * Clients share one connection on real servers: a greedy one doesn't make the others wait, and a
 * wait is reported as one.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { needs } from '../needs.ts';
import { until } from '../waiting/until.ts';
import { call, collect } from './collecting-sink.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { engineUnderTest as mysql } from './mysql/engine.ts';
import { engineUnderTest as postgres } from './postgres/engine.ts';
import { halt, sqliteChildren } from './sqlite/busy-children.ts';
import { engineUnderTest as sqlite } from './sqlite/engine.ts';

/** The sessions that one client may hold. */
const shared = { postgres: 8, mysql: 8, sqlite: 4 } as const;

/**
 * Children that compute, so are in a slow statement. It looks long enough for each to get its turn
 * on a busy machine, or until `enough` are seen. A child that was seen once is halted.
 */
async function computing(enough = Number.POSITIVE_INFINITY): Promise<readonly number[]> {
  const before = new Map((await sqliteChildren()).map(({ pid, ticks }) => [pid, ticks]));
  let found: readonly number[] = [];
  for (let looks = 0; looks < 7 && found.length < enough; looks += 1) {
    await wait(100);
    found = (await sqliteChildren())
      .filter(({ pid, ticks, isHalted }) => isHalted || ticks - (before.get(pid) ?? ticks) >= 2)
      .map(({ pid }) => pid);
    for (const child of found) halt(child);
  }
  return found;
}

for (const candidate of [sqlite(), postgres(), mysql()]) {
  if ('unavailable' in candidate) {
    needs(candidate.unavailable).describe(candidate.engine, () => test('all tests of an engine', () => {}));
  } else {
    describe(candidate.engine, () => suite(candidate));
  }
}

/** Gives a new call time to join the line; no event tells that it has. */
const toStandInLine = () => wait(50);

function suite(engine: EngineUnderTest): void {
  const most = shared[engine.engine];
  let database: Database;
  let leaving: { readonly client: AbortController; readonly ended: Promise<unknown> }[] = [];

  beforeAll(async () => {
    await engine.start();
    await engine.execute('create table counted_rows (id integer primary key)');
    database = engine.open();
  }, 120_000);
  afterEach(async () => {
    for (const { client } of leaving) client.abort();
    await Promise.all(leaving.map(({ ended }) => ended));
    leaving = [];
    await untilRunning(0);
  }, 60_000);
  afterAll(async () => {
    await database?.close();
    await engine.stop();
  }, 60_000);

  /** A slow statement; its client stops it after the test at the latest. */
  function slow(principal: string) {
    const client = new AbortController();
    const ended = collect(database, engine.cases.slowRead, {
      principal,
      client: principal,
      signal: client.signal,
      timeoutSeconds: 50,
    });
    leaving.push({ client, ended });
    return { client, ended };
  }
  async function untilRunning(count: number): Promise<void> {
    if (engine.engine === 'sqlite' && process.platform !== 'linux') return wait(1_000);
    // Only a complete look can tell that none computes.
    const running = () => (engine.engine === 'sqlite' ? computing(count || undefined) : engine.runningStatements());
    await until(async () => (await running()).length === count, `${count} statements run`);
  }
  const quick = (principal: string, timeoutSeconds: number, signal = new AbortController().signal) =>
    collect(database, 'select 1', { principal, client: principal, timeoutSeconds, signal });

  test('a client with many slow statements blocks no other, and gets no more sessions than it may', async () => {
    for (let asked = 0; asked < most + 3; asked += 1) slow('greedy');
    await untilRunning(most);
    expect((await quick('other', 20)).rows).toHaveLength(1);
    expect((await quick('other', 20)).rows).toHaveLength(1);
    await untilRunning(most);
    if (engine.engine === 'sqlite' && process.platform === 'linux') expect(await computing()).toHaveLength(most);
  }, 90_000);

  test('a client without a session goes before one with many, whoever asked first', async () => {
    const running = Array.from({ length: most }, () => slow('greedy'));
    await untilRunning(most);
    const other = slow('other');
    await untilRunning(most + 1);
    slow('greedy');
    const late = quick('late', 40);
    await toStandInLine();
    running[0]?.client.abort();
    expect((await late).rows).toHaveLength(1);
    other.client.abort();
    await untilRunning(most);
  }, 90_000);

  test('a wait that lasts too long is reported as a wait, nothing ran, and the owner still gets an answer', async () => {
    for (let asked = 0; asked < most; asked += 1) slow('greedy');
    await untilRunning(most);
    slow('other');
    await untilRunning(most + 1);
    const sql = 'insert into counted_rows (id) values (1)';
    const write = (principal: string) =>
      collect(database, sql, { principal, client: principal, session: 'write', timeoutSeconds: 0.5 });
    const [third, greedy, rehearsed, listed] = await Promise.all([
      write('third'),
      write('greedy'),
      database.rehearse({ ...call, principal: 'third', timeoutSeconds: 0.5 }, async () => 'ran'),
      database.listTables({ ...call, principal: 'third', timeoutSeconds: 0.5 }),
    ]);
    const failure = { kind: 'no_free_session', seconds: 0.5, sessions: most + 1 };
    expect(third.outcome).toEqual({ ...failure, own: 0 });
    expect(greedy.outcome).toEqual({ ...failure, own: most });
    expect(rehearsed).toEqual({ ...failure, own: 0 });
    expect(listed).toEqual({ ...failure, own: 0 });
    expect(await database.status({ ...call, principal: null, timeoutSeconds: 20 })).toMatchObject({ kind: 'done' });
    const counted = await collect(database, 'select id from counted_rows', { principal: null });
    expect(counted.rows).toEqual([]);
  }, 90_000);

  test('a client that leaves while waiting is released at once and takes no turn', async () => {
    const running = Array.from({ length: most }, () => slow('greedy'));
    await untilRunning(most);
    slow('other');
    await untilRunning(most + 1);
    const leaver = new AbortController();
    const left = quick('third', 40, leaver.signal);
    const fourth = quick('fourth', 40);
    await toStandInLine();
    leaver.abort();
    expect((await left).outcome).toEqual({ kind: 'cancelled' });
    running[0]?.client.abort();
    expect((await fourth).rows).toHaveLength(1);
  }, 90_000);

  test('a statement that waited has its full time, and waiting ones end with their connection', async () => {
    const own = engine.open();
    const ask = (sql: string, timeoutSeconds: number) =>
      collect(own, sql, { principal: 'one', client: 'one', timeoutSeconds });
    const before = Array.from({ length: most }, () => ask(engine.cases.slowRead, 4));
    await untilRunning(most);
    const last = ask(engine.cases.slowRead, 5);
    // The last one starts when the first of them ends, so it has nearly all of its 5 s left.
    await Promise.race(before);
    const since = performance.now();
    for (const { outcome } of await Promise.all(before)) expect(outcome).toEqual({ kind: 'timeout', seconds: 4 });
    // It is halted, or it would compute for the rest of its time.
    if (engine.engine === 'sqlite') await computing(1);
    expect((await last).outcome).toMatchObject({ kind: 'timeout' });
    // On a busy machine a part of its time goes by while its session begins.
    expect(performance.now() - since).toBeGreaterThan(4_000);
    const running = Array.from({ length: most }, () => ask(engine.cases.slowRead, 50));
    await untilRunning(most);
    const waiting = ask(engine.cases.slowRead, 50);
    await toStandInLine();
    await own.close();
    const message = expect.stringContaining('nothing ran');
    expect((await waiting).outcome).toMatchObject({ kind: 'not_connected', message });
    await Promise.all(running);
  }, 90_000);
}
