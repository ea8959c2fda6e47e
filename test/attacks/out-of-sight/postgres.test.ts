/**
 * Tables out of sight on PostgreSQL (spec §6): no attempt with a token that may write shows a row of
 * a hidden table, or a name that it didn't bring. What people send to the other tables runs.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { inSight } from '../../../daemon/engines/in-sight.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { endpointOf, portsOf } from '../../engines/postgres/suite.ts';
import { needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { type Asked, asked } from './ask.ts';
import { attempts, bare } from './postgres-attempts.ts';
import { honest, told } from './postgres-honest.ts';

const found = findPostgres();
const patienceMilliseconds = 240_000;
const sight = { hide: ['audit.*', '*_secret'], only: [], show: ['app.summary'] };
/** What a hidden row holds, and names that no statement here brings by itself. */
const row = /h1dden/;
/** As for a name that nothing has, or a refusal before the database. */
const missing = /\((?:42P01|42883|42704|42P07|3F000)\)$|^denied: |^unsupported: /s;

needs('unavailable' in found ? found.unavailable : null).describe('tables out of sight on PostgreSQL', () => {
  let server: PostgresServer;
  let database: Database;
  let hiding: Database;

  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql('create database sight');
    await server.psql(readFileSync(new URL('postgres.sql', import.meta.url), 'utf8'), 'sight');
    database = openPostgres(endpointOf(server, { database: 'sight' }), portsOf(server.password));
    hiding = inSight(database, sight);
  }, patienceMilliseconds);
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  }, patienceMilliseconds);

  const send = (statements: readonly Asked[]) => asked('postgres', hiding, statements);

  test(
    'no attempt reaches one',
    async () => {
      const sent = [...attempts.map(sql => ({ sql })), ...bare.map(([schema, sql]) => ({ sql, schema }))];
      expect(sent.length).toBeGreaterThanOrEqual(150);
      const ends = await send(sent);
      expect(ends.filter(({ answer }) => row.test(answer))).toEqual([]);
      expect(ends.filter(({ end }) => !missing.test(end)).map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
    },
    patienceMilliseconds,
  );

  test(
    'what people send runs',
    async () => {
      const ends = await send(honest.map(sql => ({ sql })));
      expect(ends.filter(({ end }) => end !== 'done').map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
      for (const { end } of await send(told.map(sql => ({ sql })))) expect(end).toMatch(/^denied: .*list_tables/s);
    },
    patienceMilliseconds,
  );
});
