/**
 * A server falls silent, whatever it was asked: the call is answered at the end of its own time. A
 * kill, a rollback or a dial that must still be waited for never delays the answer.
 */

import { afterAll, expect } from '@jest/globals';
import type { Database, StatementRequest } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { needs } from '../needs.ts';
import { openLine } from '../servers/cuttable-line.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import { mariadbUnavailable } from '../servers/mariadb.ts';
import { findPostgres } from '../servers/postgres.ts';
import { expectWithin } from '../waiting/limits.ts';
import { pace } from '../waiting/pace.cjs';
import { call, collect } from './collecting-sink.ts';
import { endpointOf as mysqlEndpoint } from './mysql/endpoint.ts';
import { endpointOf as postgresEndpoint } from './postgres/suite.ts';

const timeoutSeconds = 2;
/** With what a server's own end of a statement gets to arrive, and some more for this machine. */
const answeredMilliseconds = 2_800;

const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step();
}, 60_000);

type Asked = (database: Database) => Promise<{ readonly kind: string; readonly reason?: string }>;
/** Not that the connection was lost: nobody cut it. */
const unanswered = 'COMMIT was not answered in the time of the call';

/** What is asked, the bytes at which the line falls silent, and what is told. */
type Silence = readonly [name: string, bytes: string, asked: Asked, told: string];

const context = { ...call, timeoutSeconds };
const ran =
  (sql: string, changed: Partial<StatementRequest> = {}): Asked =>
  async database =>
    (await collect(database, sql, { timeoutSeconds, ...changed })).outcome;
const write = { session: 'write' } as const;
const rowEffects = { tables: [], insertedInto: [], countedTable: null, ownEffect: 'adds', uncounted: null } as const;
const counted = { ...write, rowEffects, mayCommit: () => true };
const refused = { ...write, rowEffects, mayCommit: () => false };
const previewed =
  (sql: string): Asked =>
  database =>
    database.rehearse(context, ({ run }) =>
      run({ sql, parameters: [], limits: call.limits, ours: false }, { columns() {}, row: () => true }),
    );

/** @param stays what is told of a statement that some table may keep, sent but not committed. */
const silences = (stays: 'no_answer' | 'outcome_unknown', rollback: string): readonly Silence[] => [
  ['a read', 'from t', ran('select a from t'), 'no_answer'],
  ['a write', 'insert into', ran('insert into t values (1)', write), stays],
  ['a counted write', 'insert into', ran('insert into t values (1)', counted), stays],
  ['COMMIT', 'COMMIT', ran('insert into t values (1)', write), unanswered],
  ['COMMIT of a counted write', 'COMMIT', ran('insert into t values (1)', counted), unanswered],
  ['the rollback of a refused write', rollback, ran('insert into t values (1)', refused), stays],
  ['an idle session', '', ran('select a from t'), 'no_answer'],
  ['a list', '', database => database.listTables(context), 'no_answer'],
  ['a description', '', database => database.describeTables(context, ['t'], true), 'no_answer'],
  ['a preview', 'delete', previewed('delete from u'), 'no_answer'],
  ['the rollback of a preview', 'ROLLBACK', previewed('select a from t'), 'no_answer'],
];

/** All at once: each has its own line, and is to end after the same time. */
async function expectInTime(port: number, open: (port: number) => Database, all: readonly Silence[]): Promise<void> {
  const ended = await Promise.all(
    all.map(async ([name, bytes, asked]) => {
      const line = await openLine(port);
      const database = open(line.port);
      undo.push(
        () => line.close(),
        () => database.close(),
      );
      expect(await collect(database, 'insert into t values (0)', { session: 'write' })).toMatchObject({
        outcome: { kind: 'done' },
      });
      expect(await collect(database, 'select a from t')).toMatchObject({ outcome: { kind: 'done' } });
      line.set({ bytes, passesThem: true, how: 'silent' });
      const began = performance.now();
      const { kind, reason } = await asked(database);
      expectWithin(began, answeredMilliseconds);
      return [name, reason === unanswered ? reason : kind];
    }),
  );
  // A server whose limit is over late, after a slow BEGIN, may only seem silent: that is told as time.
  const isBusy = pace() > 1.5;
  const heard = ended.map(([name, kind], at) => [name, isBusy && kind === 'timeout' ? all[at]?.[3] : kind]);
  expect(heard).toEqual(all.map(([name, , , told]) => [name, told]));
}

const found = findPostgres();
needs('unavailable' in found ? found.unavailable : null).test(
  'PostgreSQL',
  async () => {
    const server = await lendPostgres();
    undo.push(() => server.stop());
    await server.psql('create table t (a int); create table u (a int)');
    const ports = { password: async () => server.password, now: () => performance.now() };
    await expectInTime(server.port, port => openPostgres({ ...postgresEndpoint(server), port }, ports), [
      ...silences('no_answer', 'ROLLBACK'),
      ['outside a transaction', 'vacuum', ran('vacuum t', { session: 'alone' }), 'outcome_unknown'],
    ]);
  },
  90_000,
);

needs('unavailable' in found ? found.unavailable : null).test(
  'PostgreSQL: a client that leaves during the count of a preview waits for nothing',
  async () => {
    const server = await lendPostgres();
    undo.push(() => server.stop());
    await server.psql('create table t (a int); insert into t values (1)');
    const line = await openLine(server.port);
    const ports = { password: async () => server.password, now: () => performance.now() };
    const database = openPostgres({ ...postgresEndpoint(server), port: line.port }, ports);
    undo.push(
      () => line.close(),
      () => database.close(),
    );
    const client = new AbortController();
    const ended = await database.rehearse({ ...call, timeoutSeconds: 600, signal: client.signal }, async rehearsal => {
      const step = { sql: 'delete from t', parameters: [], limits: call.limits, ours: false };
      await rehearsal.run(step, { columns() {}, row: () => true });
      line.set({ bytes: '', passesThem: true, how: 'silent' });
      setTimeout(() => client.abort(), 100);
      return rehearsal.rowCounts();
    });
    expect(ended).toEqual({ kind: 'done', value: { kind: 'cancelled' } });
  },
  90_000,
);

needs(mariadbUnavailable()).test(
  'MariaDB',
  async () => {
    const server = await lendMariadb();
    undo.push(() => server.stop());
    await server.client('CREATE DATABASE own; CREATE TABLE own.t (a int); CREATE TABLE own.u (a int)');
    const ports = { password: async () => server.password, now: () => performance.now() };
    await expectInTime(server.port, port => openMysql(mysqlEndpoint({ ...server, port }, { database: 'own' }), ports), [
      ...silences('outcome_unknown', '\x03ROLLBACK'),
      ['outside a transaction', 'analyze', ran('analyze table t', { session: 'alone' }), 'outcome_unknown'],
    ]);
  },
  90_000,
);

needs(mariadbUnavailable()).test(
  'MariaDB: a statement whose end comes late, while the server answers others, is told as stopped',
  async () => {
    const server = await lendMariadb();
    undo.push(() => server.stop());
    const line = await openLine(server.port);
    const ports = { password: async () => server.password, now: () => performance.now() };
    const database = openMysql(mysqlEndpoint({ ...server, port: line.port }), ports);
    undo.push(
      () => line.close(),
      () => database.close(),
    );
    const late = async () => {
      line.set({ bytes: 'late', passesThem: true, how: 'silent', once: true });
      return (await collect(database, "select 'late'", { timeoutSeconds: 1 })).outcome;
    };
    expect(await late()).toEqual({ kind: 'no_answer', stage: 'statement', seconds: 1 });
    let isOver = false;
    const ended = late().finally(() => {
      isOver = true;
    });
    while (!isOver) expect((await collect(database, 'select 1')).outcome).toMatchObject({ kind: 'done' });
    expect(await ended).toEqual({ kind: 'timeout', seconds: 1 });
  },
  90_000,
);
