/**
 * Behind PgBouncer: what holds for a server session may not hold in the next round trip, and we
 * never rely on it.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database, Precondition } from '../../../daemon/engines/engine.ts';
import { needs } from '../../needs.ts';
import { type Pooler, pgbouncerUnavailable, startPgbouncer } from '../../servers/pgbouncer.ts';
import { recordedLine } from '../../servers/recorded-line.ts';
import { contextOf, describeWithPostgres, runOn } from './suite.ts';

const constants =
  'DateStyle IntervalStyle bytea_output extra_float_digits standard_conforming_strings client_min_messages'.split(' ');
const current = (name: string) => `current_setting('${name}')`;
/** The settings that a statement runs under. */
const conditions = `select ${[...constants, 'statement_timeout', 'application_name', 'transaction_read_only'].map(current).join(', ')}`;
/** Whole seconds: a statement that waited for its session has less. */
const seconds = expect.stringMatching(/^[4-7]s$/);
const expected = ['ISO, MDY', 'postgres', 'hex', '3', 'on', 'notice', seconds, 'Sallyport: someone', 'on'];

const transaction = ['pool_mode = transaction', 'default_pool_size = 2'];
/**
 * Drivers that send settings at startup ask for this configuration; PgBouncer then drops them
 * silently.
 */
const dropping = `ignore_startup_parameters = ${[...constants, 'statement_timeout', 'idle_in_transaction_session_timeout'].join(', ')}`;

needs(pgbouncerUnavailable()).describe('behind PgBouncer', () => {
  describeWithPostgres('that pools', suite => {
    let pooler: Pooler | null = null;
    afterEach(async () => {
      await pooler?.stop();
      pooler = null;
    });

    test.each([
      ['transactions', transaction],
      ['transactions, and drops startup settings', [...transaction, dropping]],
      ['sessions', ['pool_mode = session', 'default_pool_size = 10']],
      ['sessions, and drops startup settings', ['pool_mode = session', 'default_pool_size = 10', dropping]],
    ])('%s: each statement runs with its own settings', async (_what, options) => {
      // A role's own settings, which apply wherever ours don't.
      await suite.server.psql(`alter role postgres set DateStyle = 'SQL, MDY'; alter role postgres set bytea_output = 'escape';
        alter role postgres set standard_conforming_strings = off; alter role postgres set extra_float_digits = 0`);
      pooler = await startPgbouncer(suite.server, options);
      const database = suite.open({ port: pooler.port });
      const asked = { client: 'someone', timeoutSeconds: 7 };
      for (const more of [{}, { isStateless: true }, { isStateless: true, isOurs: true }]) {
        for (let turn = 0; turn < 5; turn += 1) {
          const several = Array.from({ length: 6 }, () => runOn(database, conditions, { ...asked, ...more }));
          for (const { outcome, rows } of await Promise.all(several)) {
            expect([outcome.kind, ...(rows[0] ?? [])]).toEqual(['done', ...expected]);
          }
        }
      }
      await suite.server.psql('drop table if exists written; create table written (id int)');
      const write = { session: 'write', ...asked } as const;
      const zoned = suite.open({ port: pooler.port, timeZone: '+05:30' });
      const moment = await runOn(zoned, "select timestamptz '2026-07-01 12:00:00+00'");
      expect(moment.rows).toEqual([['2026-07-01 17:30:00+05:30']]);
      expect((await runOn(database, 'insert into written values (1)', write)).outcome.kind).toBe('done');
      expect((await runOn(database, 'insert into written values (1)', asked)).outcome.kind).toBe('read_only');
      expect((await runOn(database, 'delete from written', { ...asked, session: 'rollback' })).outcome.kind).toBe(
        'done',
      );
      expect(await suite.server.psql('select count(*) from written')).toBe('1');
    });

    test.each([
      ['transactions', transaction],
      ['transactions, and drops startup settings', [...transaction, dropping]],
    ])('%s: a statement’s preconditions are checked in its own session', async (_what, options) => {
      pooler = await startPgbouncer(suite.server, options);
      const database = suite.open({ port: pooler.port });
      await suite.server.psql('drop table if exists there; create table there (id int)');
      const preconditions: Precondition[] = [
        { sql: "select pg_catalog.to_regclass('there') is not null", parameters: [] },
      ];
      const request = { preconditions, isStateless: true };
      for (let turn = 0; turn < 5; turn += 1) {
        expect((await runOn(database, 'select 1', request)).outcome.kind).toBe('done');
      }
      await suite.server.psql('drop table there');
      expect((await runOn(database, 'select 1', request)).outcome.kind).toBe('not_as_provided');
      expect((await runOn(database, 'select 1')).outcome.kind).toBe('done');
    });

    test.each([
      ['statement', [expect.stringMatching(/statement mode/)]],
      ['transaction', []],
      ['session', []],
    ])('%s mode: the test of the connection tells what can’t work', async (mode, told) => {
      pooler = await startPgbouncer(suite.server, [`pool_mode = ${mode}`]);
      const answer = await suite.open({ port: pooler.port }).status(contextOf());
      const warnings = answer.kind === 'done' ? answer.value.warnings : null;
      expect(warnings?.filter(warning => !warning.includes('is a superuser'))).toEqual(told);
      const wrote = await runOn(suite.open({ port: pooler.port }), 'create table kept ()', { session: 'write' });
      const isRefused = told.length > 0;
      expect(wrote.outcome).toMatchObject(isRefused ? { kind: 'unsupported', message: told[0] } : { kind: 'done' });
      await suite.server.psql('drop table if exists kept');
    });

    /** Every kind of call, some of which the server refuses. */
    function everyCall(database: Database): readonly [ended: string, call: () => Promise<{ readonly kind: string }>][] {
      const run =
        (sql: string, more: Parameters<typeof runOn>[2] = {}) =>
        async () =>
          (await runOn(database, sql, { client: 'someone', timeoutSeconds: 7, ...more })).outcome;
      const failed = 'query_failed';
      const limits = { cellBytes: 64, wireBytes: 1_024 };
      const locking = { sql: 'select takes_a_lock()', parameters: [], limits, ours: false };
      return [
        ['done', run('select * from called', { isStateless: true })],
        ['done', run('select * from called')],
        ['done', run('select takes_a_lock()')],
        [failed, run('select takes_a_lock() / count(*) from called where id > 9')],
        [failed, run('select nonsense', { isStateless: true })],
        ['done', run('insert into called values (2)', { session: 'write' })],
        [failed, run('insert into called values (2), (2 / 0)', { session: 'write' })],
        ['done', run('insert into called values (3)', { session: 'rollback' })],
        ['done', run('select takes_a_lock()', { session: 'write' })],
        [failed, run('select takes_a_lock() / 0', { session: 'write' })],
        ['done', run('select takes_a_lock()', { session: 'rollback' })],
        [
          'done',
          run('insert into called values (4), (takes_a_lock() + 4)', { session: 'write', mayCommit: async () => true }),
        ],
        [
          'not_committed',
          run('delete from called where id > takes_a_lock()', { session: 'write', mayCommit: async () => false }),
        ],
        ['done', run('create temp table left_here as select 1 as id', { session: 'write' })],
        ['done', run('select 1 as id into temp left_here', { session: 'write' })],
        ['done', run('create temp table left_here (id int)', { session: 'write' })],
        ['done', run('vacuum called', { session: 'alone' })],
        [
          'done',
          () => database.rehearse(contextOf(), ({ run: step }) => step(locking, { columns() {}, row: () => true })),
        ],
        ['done', () => database.rehearse({ ...contextOf(), givesWay: true }, async () => 'ran')],
        ['done', () => database.status(contextOf())],
        ['done', () => database.describeTables(contextOf(), ['called'], true)],
      ];
    }

    test.each([
      ['transactions', transaction],
      ['transactions, and drops startup settings', [...transaction, dropping]],
    ])('%s: nothing is set, named, locked or cleaned outside a transaction', async (_what, options) => {
      await prepareCalls();
      pooler = await startPgbouncer(suite.server, options);
      const line = await recordedLine(pooler.port);
      const database = suite.open({ port: line.port });
      for (const [ended, call] of everyCall(database)) expect((await call()).kind).toBe(ended);
      await database.close();
      await line.stop();
      expect(line.outside.length).toBeGreaterThan(10);
      const pins =
        /set_config|\b(?:set|reset|discard|prepare|deallocate|temp|temporary|lock|listen|load|declare)\b|advisory/i;
      expect(line.outside.filter(text => pins.test(text))).toEqual([]);
      expect(line.named).toEqual([]);
    });

    test.each([[['statement_timeout', 'DateStyle']], [['DateStyle', 'application_name']]])(
      'start-up without %s, which a pooler refuses',
      async refused => {
        pooler = await startPgbouncer(suite.server, transaction);
        const line = await recordedLine(pooler.port, refused);
        const database = suite.open({ port: line.port });
        const asked = { client: 'someone', timeoutSeconds: 7 };
        for (let turn = 0; turn < 2; turn += 1)
          expect((await runOn(database, conditions, asked)).rows).toEqual([expected]);
        await database.close();
        await line.stop();
      },
    );

    test('nothing of a call stays in a server session that others use', async () => {
      await prepareCalls();
      pooler = await startPgbouncer(suite.server, ['pool_mode = transaction', 'default_pool_size = 1']);
      const { host, superuser: user, password } = suite.server;
      const other = new pg.Client({ host, port: pooler.port, user, password, database: 'postgres' });
      await other.connect();
      const left = async () => {
        const { rows } = await other.query({
          text: `select name, setting from pg_settings where source in ('session', 'client') and name !~ '^(application_name|client_encoding|DateStyle|TimeZone|standard_conforming_strings)$'
            union all select locktype, mode from pg_locks where locktype = 'advisory' union all select name, statement from pg_prepared_statements
            union all select relname, relkind::text from pg_class where relnamespace = pg_my_temp_schema()`,
          rowMode: 'array',
        });
        return rows;
      };
      expect(await left()).toEqual([]);
      const database = suite.open({ port: pooler.port });
      for (const [ended, call] of everyCall(database)) {
        expect((await call()).kind).toBe(ended);
        await wait(50);
        expect([String(call), await left()]).toEqual([String(call), []]);
      }
      const alone = { session: 'alone', client: 'someone' } as const;
      expect((await runOn(database, 'vacuum called', { ...alone, schema: 'public' })).outcome).toMatchObject({
        kind: 'unsupported',
        message: expect.stringContaining('pooler'),
      });
      const literal = "create tablespace t location 'a\\b'";
      expect((await runOn(database, literal, alone)).outcome.kind).toBe('unsupported');
      const moment = "create tablespace t location '/at 12:00'";
      const zoned = await runOn(suite.open({ port: pooler.port, timeZone: '+05:30' }), moment, alone);
      expect(zoned.outcome).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('time zone') });
      await other.end();
    });

    test('a server that knows no advisory locks reads, writes and tries all the same', async () => {
      await prepareCalls();
      const renamed = (from: string, to: string) =>
        suite.server.psql(`alter function pg_catalog.${from}() rename to ${to}`);
      await renamed('pg_advisory_unlock_all', 'unlock_all_elsewhere');
      try {
        pooler = await startPgbouncer(suite.server, transaction);
        const database = suite.open({ port: pooler.port });
        for (const session of ['read', 'write', 'rollback'] as const)
          expect((await runOn(database, 'select id from called', { session })).outcome.kind).toBe('done');
        const { outcome } = await runOn(database, 'insert into called values (2)', { session: 'write' });
        expect(outcome).toMatchObject({ kind: 'done', rowsAffected: 1 });
        expect((await database.rehearse(contextOf(), async () => 'ran')).kind).toBe('done');
        expect(await suite.server.psql('select count(*) from called')).toBe('2');
      } finally {
        await renamed('unlock_all_elsewhere', 'pg_advisory_unlock_all');
      }
    });

    const prepareCalls = () =>
      suite.server.psql(`drop table if exists called; create table called (id int primary key); insert into called values (1);
        create or replace function takes_a_lock() returns int language plpgsql as 'begin perform pg_advisory_lock(7); return 1; end'`);

    test('for one transaction a superuser reads as pg_read_all_data, even what an earlier session left there', async () => {
      pooler = await startPgbouncer(suite.server, ['pool_mode = transaction', 'default_pool_size = 1']);
      const database = suite.open({ port: pooler.port });
      const { host, superuser: user, password } = suite.server;
      const another = new pg.Client({ host, port: pooler.port, user, password, database: 'postgres' });
      await another.connect();
      await another.query('create temporary table left_there as select 7 as id');
      await another.end();
      const temporary = 'select * from left_there';
      const own = await runOn(database, temporary, { isStateless: true });
      expect(own.rows).toEqual([[7]]);
      expect(await runOn(database, temporary, { mayRunAsReader: true, isStateless: true })).toEqual(own);
      for (const isStateless of [true, false, true, false]) {
        const reader = await runOn(database, 'select current_user', { mayRunAsReader: true, isStateless });
        expect(reader.rows).toEqual([['pg_read_all_data']]);
        expect((await runOn(database, 'select current_user', { isStateless })).rows).toEqual([['postgres']]);
      }
    });
  });
});
