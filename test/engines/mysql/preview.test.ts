/**
 * Previews of features that only MariaDB and MySQL have; `previews.test.ts` has those of every
 * engine.
 */

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { notReturned } from '../../../daemon/engines/dialect.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { writtenAsSeveral } from '../../../daemon/engines/mysql/preview.ts';
import { keyMoves, vagueKey, viewTarget } from '../../../daemon/engines/preview-plan.ts';
import { notShown } from '../../../daemon/statement/preview/rehearse.ts';
import { needs } from '../../needs.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { previewing, told } from '../preview-for-tests.ts';
import { endpointOf, portsOf } from './endpoint.ts';
import { expectNothingHeldOn, rowsReallyOn, startPreviewServer, stateOf } from './preview-world.ts';

needs(mariadbUnavailable()).describe('a preview on MariaDB alone', () => {
  let server: MariadbServer;
  let database: Database;
  let before = '';
  const preview = previewing(() => database);

  beforeAll(async () => {
    server = await startPreviewServer();
    before = await stateOf(server);
  }, 60_000);
  beforeEach(async () => {
    await database?.close();
    database = openMysql(endpointOf(server, { database: 'own', databases: 'own' }), portsOf(server));
  });
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  }, 60_000);

  /** Also asserts that no row changed and nothing is held. */
  async function previewed(sql: string): Promise<unknown> {
    const answer = told(await preview(sql));
    expect(await stateOf(server)).toBe(before);
    await expectNothingHeldOn(server);
    return answer;
  }

  const sequences = 'Values taken from sequences and AUTO_INCREMENT stay used up: a rollback does not give them back.';
  const unseen = notShown(notReturned);
  /** MySQL has no RETURNING, so its INSERT and REPLACE show no rows. */
  const inserted = ({
    rows_affected,
    warnings,
    ...rows
  }: {
    rows_affected: number;
    warnings: string[];
    before?: unknown;
    after: unknown;
  }) => (isMysql() ? { rows_affected, warnings: [...warnings, unseen] } : { rows_affected, warnings, ...rows });
  const moved = notShown(keyMoves);

  test.each<[string, string, unknown]>([
    [
      'UPDATE with an alias, an order and a limit',
      'update item as i set i.price = 9 where i.id > 0 order by i.id desc limit 1',
      { rows_affected: 1, before: [[3, 'cup', null]], after: [[3, 'cup', '9.00']] },
    ],
    [
      'an UPDATE that leaves some rows as they are',
      'update item set price = 1.5',
      {
        rows_affected: 2,
        before: [
          [2, 'bow', '2.50'],
          [3, 'cup', null],
        ],
        after: [
          [2, 'bow', '1.50'],
          [3, 'cup', '1.50'],
        ],
      },
    ],
    [
      'a key of three columns, of types that are hard to write',
      'update `it em` set v = v + 1',
      {
        rows_affected: 2,
        before: [
          ['\\x00ff0001', '18446744073709551615', 'ü', 1],
          ['\\x00ff0002', '9007199254740993', "ü'", 2],
        ],
        after: [
          ['\\x00ff0001', '18446744073709551615', 'ü', 2],
          ['\\x00ff0002', '9007199254740993', "ü'", 3],
        ],
      },
    ],
    [
      'INSERT with a key of its own',
      "insert into item values (70, 'dice', 1)",
      inserted({ rows_affected: 1, after: [[70, 'dice', '1.00']], warnings: [sequences] }),
    ],
    [
      'REPLACE',
      "replace into item values (2, 'bee', 1)",
      inserted({
        rows_affected: 2,
        before: [[2, 'bow', '2.50']],
        after: [[2, 'bee', '1.00']],
        warnings: [
          sequences,
          'Rows removed because another unique value of theirs conflicted are not shown under before.',
        ],
      }),
    ],
    [
      'an UPDATE of the key',
      'update item set item.id = id + 50 where id = 3',
      { rows_affected: 1, warnings: [sequences, moved] },
    ],
    [
      'a JOIN',
      'update item join loose on loose.a = item.id set item.price = 0, loose.b = 1',
      { rows_affected: 4, warnings: [notShown(writtenAsSeveral)] },
    ],
    [
      'a DELETE of several tables',
      'delete item, loose from item join loose on loose.a = item.id',
      { rows_affected: 4, warnings: [notShown(writtenAsSeveral)] },
    ],
    [
      'a DELETE by an alias',
      'delete o from item o where o.id = 1',
      { rows_affected: 1, warnings: [notShown(writtenAsSeveral)] },
    ],
    [
      'a trigger that calls a function',
      'update calm set n = 5',
      {
        rows_affected: 1,
        after: [[1, 5]],
        before: [[1, 1]],
        warnings: ['Triggers ran where they apply: "calming".'],
      },
    ],
    [
      'RETURNING of its own',
      'delete from item where id < 3 returning name, price p',
      isMysql()
        ? expect.stringMatching(/^query_failed: .*\(1064\)$/)
        : {
            rows_affected: 2,
            before: [
              [1, 'ax', '1.50'],
              [2, 'bow', '2.50'],
            ],
            returned: [
              ['ax', '1.50'],
              ['bow', '2.50'],
            ],
          },
    ],
  ])('%s', async (_, sql, wanted) => {
    expect(await previewed(sql)).toEqual(wanted);
  });

  const replaced = [
    'Rows removed because another unique value of theirs conflicted are not shown under before.',
    ...(isMysql() ? [unseen] : []),
  ];
  test.each<[string, string, number, unknown, unknown]>([
    [
      'a trigger that sets off another, and takes a value from a counter',
      'update deep_a set n = 9 where id = 1',
      1,
      { 'own.deep_a': [1, 0], 'own.deep_c': [1, 0] },
      ['Triggers ran where they apply: "first_step", "second_step".', sequences],
    ],
    [
      'REPLACE of rows by two keys',
      "replace into two_keys values (1, 12, 'z')",
      3,
      { 'own.two_keys': [1, 1] },
      replaced,
    ],
    ['REPLACE of nothing', "replace into two_keys values (9, 19, 'z')", 1, {}, replaced],
    [
      'REPLACE … SELECT',
      "replace into two_keys select id, n, 'z' from (select * from two_keys) as o where id < 3",
      4,
      { 'own.two_keys': [0, 2] },
      replaced,
    ],
  ])('%s: the rows of each table', async (_, sql, rows, changes, warnings) => {
    const answer = await preview(sql);
    if (typeof answer === 'string') throw new Error(answer);
    const found = (answer.changes ?? []).map(({ table, updated, deleted }) => [table, [updated, deleted]]);
    expect([answer.rows_affected, Object.fromEntries(found), answer.warnings]).toEqual([rows, changes, warnings]);
    expect(await rowsReallyOn(server, sql)).toBe(rows);
    expect(await stateOf(server)).toBe(before);
  });

  test('every column that changes is shown: invisible, generated, set ON UPDATE', async () => {
    await server.client(
      `create table veiled (id int primary key, a int, secret int default 0 invisible, twice int as (secret * 2),
        at timestamp default '2001-01-01 00:00:00' on update current_timestamp invisible);
       insert into veiled (id, a) values (1, 1)`,
      { database: 'own' },
    );
    const shown = await preview('update veiled set a = 9, secret = 7 where id = 1');
    if (typeof shown === 'string') throw new Error(shown);
    expect(shown.before?.columns.map(({ name }) => name)).toEqual(['id', 'a', 'secret', 'twice', 'at']);
    expect(shown.before?.rows.cells()).toEqual([[1, 1, 0, 0, '2001-01-01 00:00:00']]);
    expect(shown.after?.rows.cells()).toEqual([[1, 9, 7, 14, expect.not.stringContaining('2001')]]);
  });

  test('a versioned table has the key of its rows of now', async () => {
    // MySQL has none.
    if (isMysql()) return;
    await server.client(
      `create table kept (id int primary key, a int) with system versioning; insert into kept values (1, 1);
       create table kept_too (id int primary key, a int, s timestamp(6) generated always as row start,
         e timestamp(6) generated always as row end, period for system_time (s, e)) with system versioning;
       insert into kept_too (id, a) values (1, 1); update kept_too set a = 2`,
      { database: 'own' },
    );
    const rows = async (sql: string) => {
      const { before = [], after = [] } = told(await preview(sql)) as { before?: unknown[][]; after?: unknown[][] };
      return [before, after].map(side => side.map(row => row.slice(0, 2)));
    };
    expect(await rows('update kept set a = 2 where id = 1')).toEqual([[[1, 1]], [[1, 2]]]);
    expect(await rows('update kept_too set a = 3 where id = 1')).toEqual([[[1, 2]], [[1, 3]]]);
    expect(await rows('delete from kept where id = 1')).toEqual([[[1, 1]], []]);
  });

  test('a view of two tables is named as the reason', async () => {
    await server.client(
      'create view joined as select i.id, i.price, l.b from item as i join loose as l on l.a = i.id',
      { database: 'own' },
    );
    expect(await previewed('update joined set price = 0 where id = 1')).toMatchObject({
      rows_affected: 1,
      warnings: [notShown(viewTarget)],
    });
  });

  test("MySQL's own: a key that nobody wrote, and a duality view", async () => {
    if (!isMysql()) return;
    await server.client(
      `set sql_generate_invisible_primary_key = on; create table keyless (name varchar(9)); set sql_generate_invisible_primary_key = off;
       insert into keyless values ('a'); create table held (id int primary key, name varchar(9)); insert into held values (1, 'x');
       create json relational duality view dual_view as select json_duality_object(with (update) '_id': id, 'name': name) from held`,
      { database: 'own' },
    );
    expect(told(await preview("update keyless set name = 'b'"))).toEqual({
      rows_affected: 1,
      before: [['1', 'a']],
      after: [['1', 'b']],
    });
    expect(await preview("update dual_view set data = json_set(data, '$.name', 'y')")).toMatchObject({
      rows_affected: 1,
      changes: [{ table: 'own.held', updated: 1, deleted: 0 }],
      warnings: [notShown(viewTarget)],
    });
  });

  test('a key on prefixes may stand for several rows', async () => {
    await server.client(
      "create table prefixed (a varchar(9), n int, primary key (a(2))); insert into prefixed values ('abc', 1)",
      {
        database: 'own',
      },
    );
    expect(await previewed('update prefixed set n = 2')).toMatchObject({
      warnings: [notShown(vagueKey)],
    });
  });

  test('an error is about the text that the client wrote', async () => {
    expect(await previewed('delete from item where')).toMatch(
      /^query_failed: You have an error .* near '' at line 1 \(1064\)/,
    );
  });

  test('text that can be read in another way elsewhere is refused', async () => {
    expect(await previewed('delete from item where id = 2 /* open')).toMatch(/^unsupported: /);
    expect(await previewed('delete from item where id = 2 /*!50000 or 1 = 1 */')).toMatch(/^unsupported: Which tables/);
  });

  test('INSERT uses up values of its counter, and says so', async () => {
    if (isMysql()) {
      const answer = await previewed("insert into item (name) values ('dice'), ('egg')");
      expect(answer).toEqual({ rows_affected: 2, warnings: [sequences, unseen] });
      return;
    }
    const answer = (await previewed("insert into item (name) values ('dice'), ('egg')")) as { after: unknown[][] };
    const first = Number(answer.after[0]?.[0]);
    expect(answer).toEqual({
      rows_affected: 2,
      after: [
        [first, 'dice', null],
        [first + 1, 'egg', null],
      ],
      warnings: [sequences],
    });
    const next = (await previewed("insert into item (name) values ('dice')")) as { after: unknown[][] };
    expect(Number(next.after[0]?.[0])).toBeGreaterThan(first + 1);
    expect(await previewed('insert into from_sequence (n) values (1)')).toMatchObject({
      rows_affected: 1,
      warnings: [sequences],
    });
  });

  test('an upsert and IGNORE show only the number of rows', async () => {
    const warnings = [sequences, notShown('IGNORE and ON DUPLICATE KEY do not tell which rows they change')];
    expect(await previewed("insert into item (name) values ('ax'), ('new') on duplicate key update price = 7")).toEqual(
      { rows_affected: 3, warnings },
    );
    expect(await previewed("insert ignore into item (name) values ('ax'), ('new')")).toMatchObject({
      rows_affected: 1,
      warnings: expect.arrayContaining(warnings),
    });
  });

  test('a random WHERE shows no row that it didn’t change', async () => {
    for (let count = 0; count < 10; count++) {
      const answer = await preview('delete from big where rand() < 0.5 limit 3');
      expect(answer).toMatchObject({ rows_affected: 3 });
      expect(await preview('update item set price = 77 where rand() < 0.5')).not.toMatchObject({
        after: { rows: expect.arrayContaining([expect.not.arrayContaining(['77.00'])]) },
      });
    }
  });

  const ofMyisam = 'own.isam is a table of the engine MyISAM';
  test.each([
    ['insert into isam values (2, 2)', ofMyisam],
    ['update own.isam set n = 3', ofMyisam],
    ['update isam set n = 3 where id = 1', ofMyisam],
    ['update keyed set n = 3', ofMyisam],
    ['delete from memory_table', 'the engine MEMORY'],
    ['insert into csv_table values (1)', 'the engine CSV'],
    ...(isMysql() ? [] : [['insert into aria_table values (1)', 'the engine Aria']]),
    ['update over_isam set n = 3', ofMyisam],
    ['delete from tells', ofMyisam],
    ['update calls set id = 2', ofMyisam],
    ['update item set price = counting(7) where id = 1', ofMyisam],
    ['update item, isam set price = 1, n = 2 where isam.id = item.id', ofMyisam],
    ['delete isam from item join isam on isam.id = item.id where item.id = 1', ofMyisam],
    ['insert into item (id) values (setval(counted, 100))', 'SETVAL() sets which values writes get'],
    ['insert into item (id) select n from seeming', ofMyisam],
    ['insert into nowhere values (1)', 'own.nowhere is not a table that this account can see'],
  ])('%s is not run', async (sql, why) => {
    const answer = await previewed(sql);
    expect(answer).toMatch(/^unsupported: /);
    expect(answer).toContain(why);
  });

  test('a table that is only read may have any engine', async () => {
    expect(await previewed('insert into calm select id + 5, n from isam')).toEqual(
      isMysql() ? { rows_affected: 1, warnings: [unseen] } : { rows_affected: 1, after: [[6, 1]] },
    );
    expect(await previewed('update item set price = harmless(7) where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test('an account that can’t see triggers can’t know what it would write', async () => {
    await database.close();
    database = openMysql(endpointOf(server, { database: 'own', user: 'narrow' }), {
      password: async () => 'narrow-only',
      now: () => performance.now(),
    });
    expect(await previewed('delete from item where id = 1')).toMatch(
      /^unsupported: This account lacks the privilege TRIGGER/,
    );
    await server.client("grant trigger on `own`.* to narrow@'127.0.0.1'; grant trigger on `own`.* to narrow@localhost");
    await database.close();
    database = openMysql(endpointOf(server, { database: 'own', user: 'narrow' }), {
      password: async () => 'narrow-only',
      now: () => performance.now(),
    });
    expect(await previewed('delete from item where id = 1')).toMatchObject({
      rows_affected: 1,
      before: [[1, 'ax', '1.50']],
    });
    expect(await previewed("update cheap set name = 'axe' where id = 1")).toMatch(
      /^unsupported: .*The view own.cheap cannot be looked into .*the privilege SHOW VIEW is missing/i,
    );
  });

  test('an account that may write and not read gets only the number of rows', async () => {
    await server.client(
      "create user blind@'127.0.0.1' identified by 'narrow-only'; grant insert, delete, trigger on own.* to blind@'127.0.0.1'; create user blind@localhost identified by 'narrow-only'; grant insert, delete, trigger on own.* to blind@localhost",
    );
    await database.close();
    database = openMysql(endpointOf(server, { database: 'own', user: 'blind' }), {
      password: async () => 'narrow-only',
      now: () => performance.now(),
    });
    expect(await previewed("insert into lengthy values (9, 'z')")).toEqual({
      rows_affected: 1,
      warnings: [isMysql() ? unseen : notShown('this account may not read the table')],
    });
    expect(await previewed('delete from child')).toEqual({
      rows_affected: 2,
      warnings: [
        expect.stringMatching(/^No rows are shown: the database refused to show them \(SELECT command denied/),
        expect.stringMatching(
          /^What it changes by table can't be counted, because this account lacks the privilege SELECT/,
        ),
      ],
    });
  });
});
