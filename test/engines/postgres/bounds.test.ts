/**
 * Rows, cells and bytes over a limit end an answer early, and the daemon stays as small as before.
 */

import { expect, test } from '@jest/globals';
import { growthWhile } from '../../memory-growth.ts';
import { describeWithPostgres, eventually, runOn } from './suite.ts';

const megabytes = 1024 * 1024;

describeWithPostgres('PostgreSQL bounds', suite => {
  test('a 200 MB cell is cut with its length given, and grows the daemon by less than 64 MB', async () => {
    const database = suite.open();
    await runOn(database, 'select 1');
    const growth = await growthWhile(async () => {
      const sql = "select 1 as before, repeat('x', 200000000) as big, 2 as after";
      const { outcome, rows } = await runOn(database, sql, {
        limits: { cellBytes: 65_536, wireBytes: 32 * megabytes },
      });
      expect(outcome).toMatchObject({ kind: 'done', cutByWire: true });
      expect(rows).toEqual([[1, { kept: 'x'.repeat(65_536), fullBytes: 200_000_000 }, { kept: '', fullBytes: null }]]);
    });
    expect(growth).toBeLessThan(64 * megabytes);
    expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
  });

  test('a 200 MB cell within the allowed bytes is cut too, and its row is whole', async () => {
    const database = suite.open();
    await runOn(database, 'select 1');
    const growth = await growthWhile(async () => {
      const sql = `select null, repeat('é', 50000000), 7, decode(repeat('00ff', 1000000), 'hex')`;
      const { outcome, rows } = await runOn(database, sql, { limits: { cellBytes: 5, wireBytes: 400 * megabytes } });
      expect(outcome).toMatchObject({ kind: 'done', cutByWire: false });
      expect(rows).toEqual([
        [null, { kept: 'éé', fullBytes: 100_000_000 }, 7, { kept: '\\x00', fullBytes: 2_000_000 }],
      ]);
    });
    expect(growth).toBeLessThan(64 * megabytes);
  });

  test('the allowed bytes end a long result between rows or within one', async () => {
    const database = suite.open();
    const limits = { cellBytes: 1_000, wireBytes: 100_000 };
    const { outcome, rows } = await runOn(database, "select n, repeat('y', 500) from generate_series(1, 100000) n", {
      limits,
    });
    expect(outcome).toMatchObject({ kind: 'done', cutByWire: true });
    expect(rows.length).toBeGreaterThan(150);
    expect(rows.length).toBeLessThan(210);
    expect(rows.slice(0, -1)).toEqual(rows.slice(0, -1).map((_, i) => [i + 1, 'y'.repeat(500)]));
  });

  test('the allowed bytes may end within a character, which is then left out', async () => {
    const database = suite.open();
    for (let wireBytes = 60; wireBytes < 66; wireBytes += 1) {
      const { outcome, rows } = await runOn(database, "select repeat('🐘', 100)", {
        limits: { cellBytes: 1_000, wireBytes },
      });
      expect(outcome).toMatchObject({ kind: 'done', cutByWire: true, warnings: [] });
      expect(rows).toEqual([[{ kept: expect.stringMatching(/^(?:🐘){10,}$/u), fullBytes: 400 }]]);
    }
  });

  test.each([
    ['quotes a cell', "select repeat('é', 10000000)::int", '22P02'],
    ['ends just beyond what is read', `select repeat('x', 65500)::int`, '22P02'],
    ['quotes one whose beginning alone is read', "select ('{' || repeat('x', 3000000))::json", '22P02'],
  ])('an error of any length is reported as it is, and the session stays: it %s', async (_, sql, code) => {
    const database = suite.open();
    const session = async () => (await runOn(database, 'select pg_backend_pid()')).rows[0]?.[0];
    const before = await session();
    const growth = await growthWhile(async () => {
      const { outcome } = await runOn(database, sql);
      expect(outcome).toMatchObject({
        kind: 'query_failed',
        code,
        message: expect.stringMatching(/^invalid input syntax/),
      });
      const { message } = outcome as { message: string };
      expect(message.length).toBeLessThan(70_000);
      expect(message).toContain('[…the rest is not read…]');
    });
    expect(growth).toBeLessThan(64 * megabytes);
    expect(await session()).toBe(before);
  });

  test('a reader that has enough gets no more rows, and the statement ends in the server', async () => {
    const database = suite.open();
    const { outcome, rows } = await runOn(database, 'select generate_series(1, 50000000) n', { maxRows: 501 });
    expect([outcome.kind, rows.length]).toEqual(['done', 501]);
    await eventually(
      () =>
        suite.server.ask(
          "select count(*) from pg_stat_activity where application_name like 'Sallyport%' and state = 'active'",
        ),
      count => count === '0',
    );
    const short = await runOn(database, 'select n from generate_series(1, 1000) n', { maxRows: 501 });
    expect(short.rows.length).toBe(501);
    expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
  });

  test('an error with a text of 50 MB does no harm', async () => {
    await suite.server.psql(
      "create function long_error() returns int language plpgsql as $$ begin raise exception '%', repeat('e', 50000000); end $$",
    );
    const database = suite.open();
    expect((await runOn(database, 'select long_error()')).outcome.kind).toBe('query_failed');
    expect((await runOn(database, 'select 1')).rows).toEqual([[1]]);
  });

  test('1,600 columns, and none', async () => {
    const database = suite.open();
    const list = Array.from({ length: 1600 }, (_, n) => `${n} as "column number ${n}"`).join(', ');
    const wide = await runOn(database, `select ${list}`);
    expect([wide.columns?.length, wide.rows[0]?.[1599]]).toEqual([1600, 1599]);
    expect(await runOn(database, 'select from generate_series(1, 3)')).toMatchObject({
      columns: [],
      rows: [[], [], []],
    });
  });
});
