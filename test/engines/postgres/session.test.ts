/** A statement leaves nothing behind, in its session or in the server, however it ended. */

import { expect, test } from '@jest/globals';
import { CallClock } from '../../../daemon/engines/call-clock.ts';
import type { StatementRequest } from '../../../daemon/engines/engine.ts';
import { openSlowLine } from '../../servers/slow-line.ts';
import { here } from '../../waiting/limits.ts';
import { contextOf, describeWithPostgres, eventually, runOn } from './suite.ts';

const ours = "from pg_stat_activity where application_name like 'Sallyport%' and backend_type = 'client backend'";

describeWithPostgres('PostgreSQL sessions', suite => {
  const busy = () => suite.server.ask(`select count(*) ${ours} and state <> 'idle'`);
  const settled = () => eventually(busy, count => count === '0');

  test('a clean session is used again, with its original settings', async () => {
    const database = suite.open();
    const pids = new Set<unknown>();
    for (let turn = 0; turn < 5; turn += 1) {
      const sql = "select pg_backend_pid(), current_setting('statement_timeout'), current_setting('search_path')";
      const { rows } = await runOn(database, sql, { timeoutSeconds: 7 });
      pids.add(rows[0]?.[0]);
      expect(rows[0]?.slice(1)).toEqual(['7s', '"$user", public']);
      await settled();
    }
    expect(pids.size).toBe(1);
    expect(await suite.server.psql(`select count(*) ${ours} and backend_xid is null and state = 'idle'`)).toBe('1');
  });

  test('a question that the server can’t answer is asked again in the same session', async () => {
    const renamed = (from: string, to: string) =>
      suite.server.psql(`alter aggregate pg_catalog.${from}("any", "any") rename to ${to}`);
    await renamed('json_object_agg', 'json_object_elsewhere');
    try {
      const ends = await suite.open().rehearse(contextOf(), async ({ run }) => {
        const limits = { cellBytes: 64, wireBytes: 1_024 };
        const step = { sql: 'select 1', parameters: [], limits, ours: false, defines: [{ schema: null, name: 'x' }] };
        const sink = { columns() {}, row: () => true };
        return [(await run(step, sink)).kind, (await run(step, sink)).kind];
      });
      expect(ends).toEqual({ kind: 'done', value: ['not_committed', 'not_committed'] });
    } finally {
      await renamed('json_object_elsewhere', 'json_object_agg');
    }
  });

  test('an error of any length ends its statement at once', async () => {
    const database = suite.open();
    for (const length of [...Array(8).keys()].map(at => 21_900 + at * 50)) {
      const { outcome } = await runOn(database, `select cast(repeat('x', ${length}) as int)`, { timeoutSeconds: 5 });
      expect(outcome).toMatchObject({ kind: 'query_failed', code: '22P02' });
    }
    await suite.server.psql(
      "create table abc (id int); create role nobody_much login password 'x'; grant usage on schema public to nobody_much",
    );
    const other = suite.open({ user: 'nobody_much' }, 'x');
    const { outcome } = await runOn(other, 'alter table abc add column x int', { session: 'write', timeoutSeconds: 5 });
    expect(outcome).toMatchObject({
      kind: 'query_failed',
      message: expect.stringContaining('must be owner of table abc'),
    });
  });

  test.each([
    'select pg_advisory_lock(42)',
    "select set_config('work_mem', '123kB', false)",
    "select set_config('role', 'pg_monitor', false)",
    'prepare p as select 1',
    'commit',
    'rollback',
    'commit and chain',
    'set work_mem = 123',
    'set session characteristics as transaction read write',
    'listen somewhere',
    'declare c cursor with hold for select 1',
    'discard all',
    'set transaction read write',
    'start transaction',
    'savepoint s',
    'do $$ begin commit; end $$',
    'copy pg_class to stdout',
    'copy pg_class from stdin',
  ])('what %p leaves is gone before the next statement', async sql => {
    const database = suite.open();
    await runOn(database, sql);
    await settled();
    for (let turn = 0; turn < 3; turn += 1) {
      const state = await runOn(
        database,
        `select current_setting('work_mem'), current_user::text, current_setting('transaction_read_only'),
           (select count(*)::int from pg_locks where locktype = 'advisory'), (select count(*)::int from pg_prepared_statements where from_sql),
           (select count(*)::int from pg_cursors where is_holdable), (select count(*)::int from pg_listening_channels())`,
      );
      expect(state.rows).toEqual([['4MB', 'postgres', 'on', 0, 0, 0, 0]]);
      expect((await runOn(database, 'create table never (id int)')).outcome).toMatchObject({ kind: 'read_only' });
    }
  });

  test('a read can’t write, not even by ending its transaction', async () => {
    const database = suite.open();
    for (const sql of [
      'set transaction read write',
      'begin read write',
      "select set_config('transaction_read_only', 'off', true)",
    ]) {
      await runOn(database, sql);
      expect((await runOn(database, 'create table never (id int)')).outcome).toMatchObject({ kind: 'read_only' });
    }
    expect((await runOn(database, 'commit; create table never (id int)')).outcome).toMatchObject({
      kind: 'query_failed',
      code: '42601',
    });
    expect((await runOn(database, 'select 1\0; drop table x')).outcome).toMatchObject({ kind: 'query_failed' });
    expect(await suite.server.psql("select to_regclass('never') is null")).toBe('t');
  });

  test('a schema comes first in the path, an unknown one is an error', async () => {
    await suite.server.psql(
      'create schema "Two"; create table "Two".things (id int); insert into "Two".things values (2); create table things (id int)',
    );
    const database = suite.open();
    expect((await runOn(database, 'select id from things', { schema: 'Two' })).rows).toEqual([[2]]);
    expect((await runOn(database, 'select id from things')).rows).toEqual([]);
    expect((await runOn(database, 'select id from things', { schema: 'two' })).outcome).toMatchObject({
      code: '3F000',
    });
  });

  test('a write that fails at its commit has failed', async () => {
    await suite.server.psql(
      'create table parent (id int primary key); create table child (id int references parent deferrable initially deferred)',
    );
    const database = suite.open();
    const late = await runOn(database, 'insert into child values (1)', { session: 'write' });
    expect(late.outcome).toMatchObject({ kind: 'query_failed', code: '23503' });
    expect((await runOn(database, 'select count(*)::int from child')).rows).toEqual([[0]]);
  });

  test('a write is complete though its reader has enough of its rows', async () => {
    await suite.server.psql('create table written (id int, filler text)');
    const database = suite.open();
    const sql = "insert into written select n, repeat('x', 1000) from generate_series(1, 5000) n returning *";
    const few = await runOn(database, sql, { session: 'write', maxRows: 2 });
    expect([few.outcome, few.rows.length]).toEqual([
      { kind: 'done', rowsAffected: 5000, cutByWire: false, warnings: [] },
      2,
    ]);
    const cut = await runOn(database, sql, { session: 'write', limits: { cellBytes: 100, wireBytes: 50_000 } });
    expect(cut.outcome).toMatchObject({ kind: 'done', rowsAffected: 5000, cutByWire: true });
    expect(await suite.server.psql('select count(*) from written')).toBe('10000');
  });

  test('a write can’t smuggle in a commit of its own', async () => {
    const outcome = (await runOn(suite.open(), 'commit', { session: 'write' })).outcome;
    expect(outcome).toMatchObject({
      kind: 'outcome_unknown',
      reason: expect.stringContaining('ended the transaction'),
    });
  });

  test('a preview waits two seconds for a lock, and undoes everything', async () => {
    await suite.server.psql('create table locked (id int); insert into locked values (1)');
    const database = suite.open();
    const preview = await runOn(database, 'delete from locked returning id', { session: 'rollback' });
    expect(preview).toMatchObject({ rows: [[1]], outcome: { rowsAffected: 1 } });
    expect(await suite.server.psql('select count(*) from locked')).toBe('1');
    const holder = suite.server.psql('begin; lock table locked; select pg_sleep(4); commit');
    await eventually(
      () => suite.server.ask("select count(*) from pg_locks where relation = 'locked'::regclass and granted"),
      n => n !== '0',
    );
    const waited = await runOn(database, 'delete from locked', { session: 'rollback' });
    expect(waited.outcome).toMatchObject({
      kind: 'locked',
      seconds: 2,
      holder: expect.stringMatching(/^"psql" of the user "postgres", in a transaction since .* UTC$/),
    });
    await holder;
  });

  test('cancelling stops the statement in the server each time, and leaves no session of it', async () => {
    const database = suite.open();
    const milliseconds: number[] = [];
    for (let turn = 0; turn < 9; turn += 1) {
      const abort = new AbortController();
      const running = runOn(database, `select pg_sleep(30), ${turn}`, { signal: abort.signal });
      await eventually(
        () => suite.server.ask(`select count(*) ${ours} and query like '%pg_sleep(30)%'`),
        n => n === '1',
      );
      const startedAt = performance.now();
      abort.abort();
      expect((await running).outcome).toEqual({ kind: 'cancelled' });
      await settled();
      milliseconds.push(performance.now() - startedAt);
    }
    // Asking through psql takes most of the time.
    expect(milliseconds.sort((a, b) => a - b)[4]).toBeLessThan(here(2_000));
    expect(await suite.server.psql(`select count(*) ${ours} and query like '%pg_sleep%'`)).toBe('0');
  });

  test('a read that is stopped after enough rows leaves its session unchanged to the next', async () => {
    const database = suite.open();
    const pids = new Set<unknown>();
    const large = `select pg_backend_pid(), pg_advisory_lock(42), set_config('work_mem', '123kB', false), repeat('x', 1000)
      from generate_series(1, 100000)`;
    for (let turn = 0; turn < 3; turn += 1) {
      for (const isStateless of [false, true]) {
        const { rows } = await runOn(database, large, { maxRows: 2, isStateless });
        pids.add(rows[0]?.[0]);
        await settled();
        const state = `select pg_backend_pid(), current_setting('work_mem'), count(*)::int from pg_locks where locktype = 'advisory'`;
        const next = await runOn(database, state);
        pids.add(next.rows[0]?.[0]);
        expect(next.rows[0]?.slice(1)).toEqual(['4MB', 0]);
        await settled();
      }
    }
    expect(pids.size).toBe(1);
  });

  test('a session is ended if its statement doesn’t say that it was cancelled', async () => {
    await suite.server.psql(`create function heeds_no_cancel() returns text language plpgsql as $$
      begin perform pg_sleep(0.002); return repeat('x', 4000); exception when query_canceled then return 'cancelled'; end $$`);
    const database = suite.open();
    const large = 'select pg_backend_pid(), heeds_no_cancel() from generate_series(1, 400)';
    const { rows } = await runOn(database, large, { maxRows: 2 });
    const isThere = () => suite.server.ask(`select count(*) ${ours} and pid = ${rows[0]?.[0]}`);
    await eventually(isThere, count => count === '0');
    expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
  });

  test('a statement cancelled earlier, or while it waits for a session, never reaches the server', async () => {
    const database = suite.open();
    expect((await runOn(database, 'select 1', { signal: AbortSignal.abort() })).outcome).toEqual({ kind: 'cancelled' });
    const abort = new AbortController();
    const sleeping = Array.from({ length: 8 }, () => runOn(database, 'select pg_sleep(1)'));
    await eventually(
      () => suite.server.ask(`select count(*) ${ours} and query like '%pg_sleep(1)%'`),
      n => n === '8',
    );
    const waiting = runOn(database, "select 'waited'", { signal: abort.signal });
    // No event tells that it waits in line.
    setTimeout(() => abort.abort(), 50);
    expect((await waiting).outcome).toEqual({ kind: 'cancelled' });
    expect((await Promise.all(sleeping)).every(({ outcome }) => outcome.kind === 'done')).toBe(true);
  });

  test('the server stops a statement over its time limit; one stopped by another session says so', async () => {
    const database = suite.open();
    await runOn(database, 'select 1');
    expect((await runOn(database, 'select pg_sleep(30)', { timeoutSeconds: 0.3 })).outcome).toEqual({
      kind: 'timeout',
      seconds: 0.3,
    });
    const running = runOn(database, "select pg_sleep(30), 'victim'");
    await eventually(
      () => suite.server.ask(`select count(pg_cancel_backend(pid)) ${ours} and query like '%victim%'`),
      count => count === '1',
    );
    expect((await running).outcome).toMatchObject({ kind: 'query_failed', code: '57014' });
    const ended = runOn(database, "select pg_sleep(30), 'victim'");
    await eventually(
      () => suite.server.ask(`select count(pg_terminate_backend(pid)) ${ours} and query like '%victim%'`),
      count => count === '1',
    );
    expect((await ended).outcome).toMatchObject({
      kind: 'not_connected',
      message: expect.stringContaining('administrator command'),
    });
    expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
  });

  test('an error that a function raises with a server’s code is an error like any other', async () => {
    const database = suite.open();
    await suite.server.psql(`create function pretends() returns int language plpgsql as
      $$ begin raise exception 'only pretending' using errcode = '57P01'; end $$`);
    const { outcome } = await runOn(database, 'select pretends()');
    expect(outcome).toMatchObject({
      kind: 'query_failed',
      code: '57P01',
      message: expect.stringContaining('only pretending'),
    });
    expect((await runOn(database, ' -- nothing')).outcome).toMatchObject({
      kind: 'query_failed',
      message: 'The statement is empty.',
    });
  });

  test('fifty statements at once share eight sessions and mix up nothing', async () => {
    const database = suite.open();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        runOn(database, 'select $1::int, i from generate_series(1, 200) i', { parameters: [n] }),
      ),
    );
    answers.forEach(({ rows }, n) => {
      expect(rows).toEqual(Array.from({ length: 200 }, (_, i) => [n, i + 1]));
    });
    expect(Number(await suite.server.psql(`select count(*) ${ours}`))).toBeLessThanOrEqual(8);
  });

  test('unknown types are looked up while fifty statements wait for them', async () => {
    await suite.server.psql("create type fresh as enum ('a')");
    const database = suite.open();
    const answers = await Promise.all(Array.from({ length: 50 }, () => runOn(database, "select 'a'::fresh as v")));
    for (const { columns, rows } of answers) {
      expect([columns, rows]).toEqual([[{ name: 'v', type: 'fresh' }], [['a']]]);
    }
  });

  test('our own questions aren’t compiled, and statements follow the server’s setting', async () => {
    const database = suite.open();
    const jit = async (request: Partial<StatementRequest>) =>
      (await runOn(database, "select current_setting('jit')", request)).rows[0]?.[0];
    expect(await jit({})).toBe('on');
    for (const isStateless of [true, false]) expect(await jit({ isOurs: true, isStateless })).toBe('off');
    expect([await jit({}), await jit({ session: 'write' })]).toEqual(['on', 'on']);
    const notCompiled = {
      sql: "select pg_catalog.current_setting('jit') operator(pg_catalog.=) 'off'",
      parameters: [],
    };
    for (const preconditions of [[notCompiled], [notCompiled, notCompiled]]) {
      for (const schema of [null, 'public']) expect(await jit({ preconditions, schema })).toBe('on');
    }
  });

  test('a session’s limit is that of its packet, however long the dial takes', async () => {
    const line = await openSlowLine(suite.server.port);
    const database = suite.open({ port: line.port });
    const first = runOn(database, 'select pg_sleep(3)');
    await eventually(
      () => suite.server.psql("select count(*) from pg_stat_activity where query like 'select pg_sleep(3)%'"),
      count => count === '1',
    );
    // Time enough for the sign-in to pass a second's end.
    line.delay(300);
    const clock = new CallClock(() => performance.now(), 20.2);
    const { rows } = await runOn(database, "select current_setting('statement_timeout')", {
      clock,
      timeoutSeconds: 60,
    });
    expect(Number.parseInt(`${rows[0]?.[0]}`, 10)).toBeLessThanOrEqual(20);
    line.delay(0);
    await first;
    await line.close();
  });

  test('a write that a second’s end passes on its way ends by its time limit', async () => {
    const line = await openSlowLine(suite.server.port);
    const database = suite.open({ port: line.port });
    await runOn(database, 'select 1', { isStateless: true });
    line.delay(200);
    const clock = new CallClock(() => performance.now(), 2.1);
    const write = { session: 'write', committing: () => {}, clock, timeoutSeconds: 60 } as const;
    expect((await runOn(database, 'select pg_sleep(9)', write)).outcome).toMatchObject({ kind: 'timeout' });
    await line.close();
  });

  test.each([0, 4, 8, 12])('a read with %i preconditions is told as what it is', async number => {
    const database = suite.open();
    const preconditions = Array.from({ length: number }, () => ({ sql: 'true', parameters: [] }));
    const failing = [...preconditions, { sql: 'false', parameters: [] }];
    for (const isStateless of [true, false])
      for (const schema of [null, 'public', null]) {
        const request = { preconditions, schema, isStateless };
        const read = await runOn(database, 'select 7', request);
        expect([read.outcome.kind, read.rows]).toEqual(['done', [[7]]]);
        expect((await runOn(database, 'select 1/0', request)).outcome).toMatchObject({ code: '22012' });
        expect((await runOn(database, '-- nothing', request)).outcome).toMatchObject({
          message: 'The statement is empty.',
        });
        const unproved = await runOn(database, 'select 7', { ...request, preconditions: failing });
        expect(unproved.outcome.kind).toBe('not_as_provided');
      }
  });

  test('a flood of notices and notifications does no harm', async () => {
    const database = suite.open();
    await suite.server.psql(`create function noisy() returns int language plpgsql as
      $$ begin for i in 1..20000 loop raise warning '%', repeat('n', 1000); end loop; return 7; end $$`);
    expect((await runOn(database, 'select noisy()')).rows).toEqual([[7]]);
    const loud = await runOn(database, "select set_config('client_min_messages', 'debug5', true), noisy()");
    expect(loud.outcome.kind).toBe('done');
    expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
  });

  test('an error that a sink throws reaches the caller, and the next statement runs', async () => {
    const database = suite.open();
    const request = {
      ...contextOf(),
      sql: 'select 1',
      parameters: [],
      session: 'read' as const,
      limits: { cellBytes: 10, wireBytes: 1_000 },
    };
    const broken = {
      columns() {},
      row: () => {
        throw new Error('a broken sink');
      },
    };
    await expect(database.run(request, broken)).rejects.toThrow('a broken sink');
    expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
  });
});
