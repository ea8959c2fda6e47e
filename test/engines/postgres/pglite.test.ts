/**
 * On PGlite all sockets are one session, which knows the statements of those before and passes over
 * the settings of the start-up packet.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { type PgliteServer, startPglite } from '../../servers/pglite.ts';
import { endpointOf, portsOf, runOn } from './suite.ts';

let server: PgliteServer;
beforeAll(async () => {
  server = await startPglite();
}, 60_000);
afterAll(() => server.stop());

const open = () => {
  const found = { host: '127.0.0.1' as const, port: server.port, superuser: 'postgres' };
  return openPostgres(endpointOf(found), portsOf(null));
};
const count = 'select count(*) from t';
const isOurs = { isStateless: true, isOurs: true } as const;

test('after statements that ran out of time, and in sessions of a later run, everything is answered as before', async () => {
  const expected = [...Array.from({ length: 2 }, () => [['50']]), ['done', 1]];
  for (let run = 0; run < 2; run += 1) {
    const database = open();
    // Signs in, which the short time below is not for.
    expect((await runOn(database, count)).rows).toEqual([['50']]);
    for (let turn = 0; turn < (run === 0 ? 10 : 1); turn += 1) {
      const slow = await runOn(database, 'select pg_sleep(0.8)', { timeoutSeconds: 0.25 });
      // It ends nothing at a time limit or a cancel, so it may still be busy at the end of the time.
      expect(['timeout', 'no_answer']).toContain(slow.outcome.kind);
      const reads = [await runOn(database, count, isOurs), await runOn(database, count, isOurs)];
      const write = await runOn(database, 'update t set name = $1 where id = 3', {
        session: 'write',
        parameters: [`${turn}`],
      });
      const { outcome } = write;
      expect([
        ...reads.map(each => (each.outcome.kind === 'done' ? each.rows : each.outcome)),
        [outcome.kind, 'rowsAffected' in outcome && outcome.rowsAffected],
      ]).toEqual(expected);
    }
    await database.close();
  }
}, 120_000);

test('calls at the same time take turns, as two sockets would mix up their messages', async () => {
  const database = open();
  for (let turn = 0; turn < 5; turn += 1) {
    const calls = Array.from({ length: 8 }, (_, at) =>
      at % 2 === 0
        ? runOn(database, 'select $1::int + count(*)::int from t', { parameters: [at] })
        : runOn(database, 'update t set name = $1 where id = 3', { session: 'write', parameters: [`${at}`] }),
    );
    const answers = (await Promise.all(calls)).map(({ outcome, rows }) =>
      outcome.kind === 'done' ? (outcome.rowsAffected ?? rows[0]?.[0]) : outcome,
    );
    expect(answers).toEqual([50, 1, 52, 1, 54, 1, 56, 1]);
  }
  await database.close();
}, 60_000);

test('what a statement sets and locks ends with it', async () => {
  const database = open();
  const before = await runOn(database, "select current_setting('work_mem')");
  const sets = "select set_config('work_mem', '5MB', false), pg_advisory_lock(7)";
  expect((await runOn(database, sets, { session: 'write' })).outcome.kind).toBe('done');
  expect((await runOn(database, "select current_setting('work_mem')")).rows).toEqual(before.rows);
  const locks = "select count(*)::int from pg_locks where locktype = 'advisory'";
  expect((await runOn(database, locks)).rows).toEqual([[0]]);
  await database.close();
});

test('a statement runs under its own settings, and can’t write in a read', async () => {
  const database = open();
  const settings =
    "select current_setting('statement_timeout'), current_setting('application_name'), current_setting('extra_float_digits')";
  const read = await runOn(database, settings, { client: 'someone', timeoutSeconds: 7 });
  // One that waited for the server has less.
  expect(read.rows).toEqual([[expect.stringMatching(/^[4-7]s$/), 'Sallyport: someone', '3']]);
  expect((await runOn(database, 'delete from t')).outcome.kind).toBe('read_only');
  expect((await runOn(database, count)).rows).toEqual([['50']]);
  await database.close();
});
