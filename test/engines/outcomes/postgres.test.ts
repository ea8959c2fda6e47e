/** PostgreSQL: for each write that ends badly, compares what is said with what remains. */

import { afterAll, beforeAll, expect } from '@jest/globals';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { takenBack } from '../../../daemon/engines/postgres/run/attempt.ts';
import { type CuttableLine, openLine } from '../../servers/cuttable-line.ts';
import { until } from '../../waiting/until.ts';
import { describeWithPostgres, endpointOf, portsOf } from '../postgres/suite.ts';
import { type Case, closes, leaves, once, testOutcomes } from './cases.ts';

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

  const inserting = once(() => runs('insert'));
  const inCommit = once(() => runs('COMMIT'));
  const onceCommitted = once(committed);
  const killBackend = async () => {
    process.kill(await backend(), 'SIGKILL');
    await recovered();
  };
  const freeze = async () => {
    frozen = await backend();
    process.kill(frozen, 'SIGSTOP');
  };
  const cutAt = (bytes: string, passesThem: boolean) => () => line.set({ bytes, passesThem, how: 'cut' });
  const holdLock = async () => {
    void suite.server.psql('begin; insert into t values (1002); select pg_sleep(8); commit').catch(() => '');
    const holds = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";
    await until(async () => (await ask(holds)) !== '0', 'the row is written');
  };
  const saysTakenBack = { message: expect.stringContaining(takenBack) };
  const saysStays = {
    stays: true,
    message: expect.stringMatching(
      /\nThe statement runs in no transaction: what it had done before the error stays\.$/,
    ),
  };
  const halfBuilt = 'create index concurrently half on t';

  const cases: readonly Case[] = [
    ['out of time', insert, 'timeout', 'gone', { seconds: 1 }],
    ['cancelled', insert, 'cancelled', 'gone', { trouble: inserting(leaves) }],
    [
      'its session ended by a DBA',
      insert,
      'not_connected',
      'gone',
      { trouble: inserting(terminate), has: saysTakenBack },
    ],
    [
      'cancelled by a DBA',
      insert,
      'query_failed',
      'gone',
      { trouble: inserting(() => ask(`select pg_cancel_backend(pid) ${ours}`)) },
    ],
    ['the backend killed', insert, 'not_connected', 'gone', { trouble: inserting(killBackend) }],
    ['the line cut', insert, 'not_connected', 'gone', { trouble: inserting(() => line.now('cut')) }],
    ['the line silent', insert, 'no_answer', 'gone', { seconds: 1, trouble: inserting(() => line.now('silent')) }],
    ['closed by us', insert, 'not_connected', 'gone', { trouble: inserting(closes) }],
    ['refused', 'insert into t values (1), (1)', 'query_failed', 'gone'],
    ['never sent', one, 'not_connected', 'gone', { before: cutAt(one, false) }],
    ['the line cut behind COMMIT', one, 'outcome_unknown', 'stays', { before: cutAt('COMMIT', true) }],
    ['the line cut before COMMIT', one, 'outcome_unknown', 'gone', { before: cutAt('COMMIT', false) }],
    ['the backend killed in COMMIT', slowCommit, 'outcome_unknown', 'gone', { trouble: inCommit(killBackend) }],
    ['its session ended by a DBA in COMMIT', slowCommit, 'outcome_unknown', 'gone', { trouble: inCommit(terminate) }],
    [
      'the backend frozen in COMMIT, and cancelled as soon as it thaws',
      slowCommitUnwatched,
      'outcome_unknown',
      'gone',
      { seconds: 5, trouble: inCommit(freeze) },
    ],
    ['cancelled in COMMIT', slowCommit, 'done', 'stays', { trouble: inCommit(leaves) }],
    ['closed by us in COMMIT', slowCommit, 'outcome_unknown', 'gone', { trouble: inCommit(closes) }],
    ['out of time in COMMIT, which is cancelled', slowCommit, 'timeout', 'gone', { seconds: 1 }],
    ['refused at COMMIT', 'insert into child values (1)', 'query_failed', 'gone'],
    ['a procedure that commits, out of time', committing, 'outcome_unknown', 'stays', { session: 'alone', seconds: 1 }],
    [
      'a procedure that commits, cancelled',
      committing,
      'outcome_unknown',
      'stays',
      { session: 'alone', trouble: onceCommitted(leaves) },
    ],
    [
      'a procedure that commits, its session ended',
      committing,
      'outcome_unknown',
      'stays',
      { session: 'alone', trouble: onceCommitted(terminate) },
    ],
    [
      'a procedure that commits and then fails',
      'call fails()',
      'query_failed',
      'stays',
      { session: 'alone', has: saysStays },
    ],
    [
      'an index that is half built',
      `${halfBuilt} (slowly(a))`,
      'outcome_unknown',
      'stays',
      { session: 'alone', seconds: 1 },
    ],
    [
      'an index that is half built and waits for a lock',
      `${halfBuilt} (a)`,
      'query_failed',
      'stays',
      { session: 'alone', seconds: 3, before: holdLock, has: { ...saysStays, code: '55P03' } },
    ],
    [
      'alone, and never sent',
      'vacuum t',
      'not_connected',
      'gone',
      { session: 'alone', before: cutAt('int4div', false) },
    ],
  ];

  testOutcomes(
    {
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
