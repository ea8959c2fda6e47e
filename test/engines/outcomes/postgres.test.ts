/** PostgreSQL: for each write that ends badly, compares what is said with what remains. */

import { afterAll, beforeAll } from '@jest/globals';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { type CuttableLine, openLine } from '../../servers/cuttable-line.ts';
import { until } from '../../waiting/until.ts';
import { describeWithPostgres, endpointOf, portsOf } from '../postgres/suite.ts';
import { type Case, testOutcomes } from './cases.ts';

describeWithPostgres('PostgreSQL: what is said about a write is true', suite => {
  let line: CuttableLine;
  beforeAll(async () => {
    line = await openLine(suite.server.port);
  });
  afterAll(() => line?.close());

  const ask = (sql: string) => suite.server.ask(sql);
  const ours = "from pg_stat_activity where application_name like 'Sallyport%' and state = 'active'";
  const runs = (query: string) =>
    until(async () => (await ask(`select count(*) ${ours} and query like '${query}%'`)) !== '0', `${query} runs`);
  const backend = async () => Number(await ask(`select pid ${ours} limit 1`));
  const terminate = () => ask(`select pg_terminate_backend(pid) ${ours}`);
  const recovered = () => until(async () => (await ask('select 1')) === '1', 'the server is back');
  let frozen = 0;

  const insert = 'insert into t select i from generate_series(1, 500) i where pg_sleep(0.05)::text is not null';
  const one = 'insert into t values (1)';
  /** Its COMMIT takes three seconds. */
  const slowCommit = 'insert into slow values (1)';
  /** Otherwise a thawed server would end it as its client is gone. */
  const slowCommitUnwatched = `insert into slow values (length(
    set_config('statement_timeout', '0', true) || set_config('client_connection_check_interval', '0', true)))`;
  const committing = 'call keeps()';
  const committed = () =>
    until(async () => (await ask('select exists (select from t where a = 1)')) === 't', 'it committed');

  const cases: readonly Case<null>[] = [
    { name: 'out of time', sql: insert, timeoutSeconds: 1, said: 'timeout', stays: false },
    {
      name: 'cancelled',
      sql: insert,
      said: 'cancelled',
      stays: false,
      trouble: async (_, leave) => {
        await runs('insert');
        leave();
      },
    },
    {
      name: 'its session ended by a DBA',
      sql: insert,
      said: 'not_connected',
      stays: false,
      words: /nothing of the statement stays/,
      trouble: async () => {
        await runs('insert');
        await terminate();
      },
    },
    {
      name: 'cancelled by a DBA',
      sql: insert,
      said: 'query_failed',
      stays: false,
      trouble: async () => {
        await runs('insert');
        await ask(`select pg_cancel_backend(pid) ${ours}`);
      },
    },
    {
      name: 'the backend killed',
      sql: insert,
      said: 'not_connected',
      stays: false,
      trouble: async () => {
        await runs('insert');
        process.kill(await backend(), 'SIGKILL');
        await recovered();
      },
    },
    {
      name: 'the line cut',
      sql: insert,
      said: 'not_connected',
      stays: false,
      trouble: async () => {
        await runs('insert');
        line.now('cut');
      },
    },
    {
      name: 'the line silent',
      sql: insert,
      timeoutSeconds: 1,
      said: 'no_answer',
      stays: false,
      trouble: async () => {
        await runs('insert');
        line.now('silent');
      },
    },
    {
      name: 'closed by us',
      sql: insert,
      said: 'not_connected',
      stays: false,
      trouble: async (_, __, database) => {
        await runs('insert');
        await database.close();
      },
    },
    { name: 'refused', sql: 'insert into t values (1), (1)', said: 'query_failed', stays: false },
    {
      name: 'never sent',
      sql: one,
      said: 'not_connected',
      stays: false,
      before: () => line.set({ bytes: one, passesThem: false, how: 'cut' }),
    },
    {
      name: 'the line cut behind COMMIT',
      sql: one,
      said: 'outcome_unknown',
      stays: true,
      before: () => line.set({ bytes: 'COMMIT', passesThem: true, how: 'cut' }),
    },
    {
      name: 'the line cut before COMMIT',
      sql: one,
      said: 'outcome_unknown',
      stays: false,
      before: () => line.set({ bytes: 'COMMIT', passesThem: false, how: 'cut' }),
    },
    {
      name: 'the backend killed in COMMIT',
      sql: slowCommit,
      said: 'outcome_unknown',
      stays: false,
      trouble: async () => {
        await runs('COMMIT');
        process.kill(await backend(), 'SIGKILL');
        await recovered();
      },
    },
    {
      name: 'its session ended by a DBA in COMMIT',
      sql: slowCommit,
      said: 'outcome_unknown',
      stays: false,
      trouble: async () => {
        await runs('COMMIT');
        await terminate();
      },
    },
    {
      name: 'the backend frozen in COMMIT, and cancelled as soon as it thaws',
      sql: slowCommitUnwatched,
      timeoutSeconds: 5,
      said: 'outcome_unknown',
      stays: false,
      trouble: async () => {
        await runs('COMMIT');
        frozen = await backend();
        process.kill(frozen, 'SIGSTOP');
      },
    },
    {
      name: 'cancelled in COMMIT',
      sql: slowCommit,
      said: 'done',
      stays: true,
      trouble: async (_, leave) => {
        await runs('COMMIT');
        leave();
      },
    },
    {
      name: 'closed by us in COMMIT',
      sql: slowCommit,
      said: 'outcome_unknown',
      stays: false,
      trouble: async (_, __, database) => {
        await runs('COMMIT');
        await database.close();
      },
    },
    {
      name: 'out of time in COMMIT, which is cancelled',
      sql: slowCommit,
      timeoutSeconds: 1,
      said: 'timeout',
      stays: false,
    },
    { name: 'refused at COMMIT', sql: 'insert into child values (1)', said: 'query_failed', stays: false },
    {
      name: 'a procedure that commits, out of time',
      sql: committing,
      session: 'alone',
      timeoutSeconds: 1,
      said: 'outcome_unknown',
      stays: true,
    },
    {
      name: 'a procedure that commits, cancelled',
      sql: committing,
      session: 'alone',
      said: 'outcome_unknown',
      stays: true,
      trouble: async (_, leave) => {
        await committed();
        leave();
      },
    },
    {
      name: 'a procedure that commits, its session ended',
      sql: committing,
      session: 'alone',
      said: 'outcome_unknown',
      stays: true,
      trouble: async () => {
        await committed();
        await terminate();
      },
    },
    {
      name: 'a procedure that commits and then fails',
      sql: 'call fails()',
      session: 'alone',
      said: 'query_failed',
      stays: true,
      words: /what it had done before the error stays/,
    },
    {
      name: 'an index that is half built',
      sql: 'create index concurrently half on t (slowly(a))',
      session: 'alone',
      timeoutSeconds: 1,
      said: 'outcome_unknown',
      stays: true,
    },
    {
      name: 'an index that is half built and waits for a lock',
      sql: 'create index concurrently half on t (a)',
      session: 'alone',
      timeoutSeconds: 3,
      before: async () => {
        void suite.server.psql('begin; insert into t values (1002); select pg_sleep(8); commit').catch(() => '');
        const holds = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";
        await until(async () => (await ask(holds)) !== '0', 'the row is written');
      },
      said: 'query_failed',
      stays: true,
      words: /lock timeout.*what it had done before the error stays.*55P03/,
    },
    {
      name: 'alone, and never sent',
      sql: 'vacuum t',
      session: 'alone',
      said: 'not_connected',
      stays: false,
      before: () => line.set({ bytes: 'int4div', passesThem: false, how: 'cut' }),
    },
  ];

  testOutcomes(
    {
      world: () => null,
      open: () => openPostgres(endpointOf({ ...suite.server, port: line.port }), portsOf(suite.server.password)),
      prepare: async () => {
        line.set(null);
        await ask(`
          set synchronous_commit = on;
          drop table if exists t, slow, child, parent cascade;
          create table t (a integer unique); insert into t values (1001);
          create table parent (a integer primary key);
          create table child (a integer references parent deferrable initially deferred);
          create table slow (a integer);
          create or replace function pauses() returns trigger language plpgsql as 'begin perform pg_sleep(3); return null; end';
          create constraint trigger pauses after insert on slow deferrable initially deferred for each row execute function pauses();
          create or replace function slowly(a integer) returns integer immutable language plpgsql as 'begin perform pg_sleep(5); return a; end';
          create or replace procedure keeps() language plpgsql as 'begin insert into t values (1); commit; perform pg_sleep(5); insert into t values (2); end';
          create or replace procedure fails() language plpgsql as 'begin insert into t values (1); commit; perform 1/0; end';`);
      },
      look: async () => {
        if (frozen !== 0) process.kill(frozen, 'SIGCONT');
        frozen = 0;
        // If the line was cut, the server ends one by the statement's time limit, after 20 s; so a
        // look that finds one sleeps a while.
        const left =
          "select count(*) from pg_stat_activity where application_name like 'Sallyport%' and pg_sleep(0.05)::text is not null";
        await until(async () => (await ask(left)) === '0', 'no session is left', 40);
        const found = await ask(
          "select exists (select from t where a < 1000) or exists (select from slow) or exists (select from child) or to_regclass('half') is not null",
        );
        return found === 't';
      },
    },
    cases,
  );
});
