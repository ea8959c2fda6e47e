/**
 * A COMMIT stays unanswered: the call says so at about the end of its own time, not after half a
 * minute.
 */

import { afterEach, expect } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { needs } from '../needs.ts';
import { type CuttableLine, openLine } from '../servers/cuttable-line.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import { mariadbUnavailable } from '../servers/mariadb.ts';
import { findPostgres } from '../servers/postgres.ts';
import { expectWithin } from '../waiting/limits.ts';
import { collect } from './collecting-sink.ts';
import { endpointOf as mysqlEndpoint } from './mysql/endpoint.ts';
import { endpointOf as postgresEndpoint } from './postgres/suite.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function expectInTime(database: Database, line: CuttableLine): Promise<void> {
  undo.push(() => database.close());
  expect((await collect(database, 'insert into t values (1)', { session: 'write' })).outcome.kind).toBe('done');
  line.set({ bytes: 'COMMIT', passesThem: true, how: 'silent' });
  const start = performance.now();
  const held = await collect(database, 'insert into t values (2)', { session: 'write', timeoutSeconds: 2 });
  expect(held.outcome.kind).toBe('outcome_unknown');
  expectWithin(start, 8_000);
}

const found = findPostgres();
needs('unavailable' in found ? found.unavailable : null).test(
  'PostgreSQL',
  async () => {
    const server = await lendPostgres();
    undo.push(() => server.stop());
    await server.psql('create table t (a int)');
    const line = await openLine(server.port);
    undo.push(async () => line.close());
    const ports = { password: async () => server.password, now: () => performance.now() };
    await expectInTime(openPostgres({ ...postgresEndpoint(server), port: line.port }, ports), line);
  },
  60_000,
);

needs(mariadbUnavailable()).test(
  'MariaDB',
  async () => {
    const server = await lendMariadb();
    undo.push(() => server.stop());
    await server.client('CREATE DATABASE own; CREATE TABLE own.t (a int)');
    const line = await openLine(server.port);
    undo.push(async () => line.close());
    const ports = { password: async () => server.password, now: () => performance.now() };
    const endpoint = mysqlEndpoint({ ...server, port: line.port }, { database: 'own' });
    await expectInTime(openMysql(endpoint, ports), line);
  },
  60_000,
);
