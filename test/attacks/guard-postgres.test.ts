/**
 * The guard of PostgreSQL as clients meet it (spec §7): each attack goes through `execute_query` to
 * a real server, as three roles. None may change what others see, and none may show a secret in a
 * row or an error. What honest people send must run.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ExternalClientsLevel } from '../../daemon/access/connection.ts';
import { collect } from '../engines/collecting-sink.ts';
import { needs } from '../needs.ts';
import { findPostgres } from '../servers/postgres.ts';
import { postgresWorld } from '../walls/postgres-world.ts';
import { changedParts, type World } from '../walls/world.ts';
import { ask, isOurs, secrets } from './guard-postgres/ask.ts';
import { definitions } from './guard-postgres/definitions.ts';
import { farSecrets, hiddenActs, hiddenSettings, unguarding } from './guard-postgres/doors.ts';
import { reads, writes } from './guard-postgres/honest.ts';
import type { Attack } from './guard-postgres/statements.ts';
import * as known from './guard-postgres/statements.ts';

const file = (name: string): string => readFileSync(new URL(`guard-postgres/${name}`, import.meta.url), 'utf8');
const never = [...known.never, ...hiddenActs];
const destroying = [...known.destroying, ...unguarding, ...definitions];
const forbidden = [...known.forbidden, ...farSecrets];
const settings = [...known.settings, ...hiddenSettings];
const others: readonly string[] = JSON.parse(file('read-only.json'));
const isTried = (sql: string): boolean => /^(create|alter|comment|select 1 as id into)\b/.test(sql);
/** The role has no right to it, whatever else is in the database. */
const refusedForGood = /^query_failed: .*\(42501\)$/s;
const found = findPostgres();
const missing = 'unavailable' in found ? found.unavailable : null;
const accounts = ['superuser', 'owner', 'app'] as const;
const patienceMilliseconds = 240_000;

needs(missing).describe('the guard of PostgreSQL', () => {
  let world: World;

  beforeAll(async () => {
    if ('unavailable' in found) return;
    world = postgresWorld(found, `${file('fixture.sql')}\n${file('honest.sql')}\n${file('doors.sql')}`, ['app']);
    await world.start();
    writeFileSync(world.place('/srv/out/secret'), 'file-s3cret');
  }, patienceMilliseconds);
  afterAll(() => world?.stop(), patienceMilliseconds);

  async function inSettings(sql: string): Promise<void> {
    const { outcome } = await collect(world.database('superuser'), sql, { session: 'alone' });
    expect(outcome.kind).toBe('done');
  }

  /** Where a standby keeps its password. */
  async function withSecretSettings(work: () => Promise<void>): Promise<void> {
    await inSettings("alter system set primary_conninfo = 'host=h password=conninfo-s3cret'");
    await inSettings('select pg_reload_conf()');
    const shown = { session: 'read', most: 1 } as const;
    const { rows } = await collect(world.database('superuser'), 'show primary_conninfo', shown);
    expect(JSON.stringify(rows)).toMatch(secrets);
    await work();
  }

  const send = (account: string, level: ExternalClientsLevel, attacks: readonly Attack[]) =>
    ask(world, account, level, attacks);

  test.each(accounts)(
    'as %s on a read-only connection nothing changes and no secret is shown',
    async account => {
      await world.reset();
      writeFileSync(world.place('/srv/out/secret'), 'file-s3cret');
      await withSecretSettings(async () => {
        const before = await world.state(account);
        const shown = account === 'superuser' ? settings : [];
        const refused = await send(account, 'readOnly', [...never, ...destroying, ...forbidden, ...shown]);
        const rest = await send(account, 'readOnly', [
          ...others.flatMap(sql => [{ sql }, { sql, schema: 'app' }]),
          ...settings,
        ]);
        expect([...refused, ...rest].filter(({ showsSecret }) => showsSecret)).toEqual([]);
        expect(refused.filter(({ end }) => !isOurs(end))).toEqual([]);
        expect(changedParts(before, await world.state(account))).toEqual([]);
      });
    },
    patienceMilliseconds,
  );

  test.each(accounts)(
    'as %s on a connection that may write nothing forbidden or destructive happens without an approval',
    async account => {
      await world.reset();
      writeFileSync(world.place('/srv/out/secret'), 'file-s3cret');
      // Making an index writes figures for plans in place, which no rollback takes back.
      for (const sql of ['create index on t (v)', 'create index on app.gen (id)'])
        await collect(world.database('superuser'), sql, { session: 'rollback' });
      await withSecretSettings(async () => {
        const before = await world.state(account);
        const outcomes = await send(account, 'readWrite', [...never, ...destroying, ...forbidden]);
        // A definition is tried. An error of its rows or names would hide that nobody asks.
        const isHeld = (end: string, sql: string) => isOurs(end) || (isTried(sql) && refusedForGood.test(end));
        expect(outcomes.filter(({ showsSecret, end, sql }) => showsSecret || !isHeld(end, sql))).toEqual([]);
        expect(changedParts(before, await world.state(account))).toEqual([]);
      });
    },
    patienceMilliseconds,
  );

  test.each(['superuser', 'owner'])(
    'as %s, what honest people read and write runs',
    async account => {
      await world.reset();
      expect(reads.length).toBeGreaterThanOrEqual(75);
      expect(writes.length).toBeGreaterThanOrEqual(30);
      const before = await world.state(account);
      const read = await send(
        account,
        'readOnly',
        reads.map(sql => ({ sql })),
      );
      expect(read.filter(({ end }) => end !== 'success')).toEqual([]);
      expect(changedParts(before, await world.state(account))).toEqual([]);
      const written = await send(
        account,
        'readWrite',
        writes.map(sql => ({ sql })),
      );
      expect(written.filter(({ end }) => end !== 'success')).toEqual([]);
    },
    patienceMilliseconds,
  );
});
