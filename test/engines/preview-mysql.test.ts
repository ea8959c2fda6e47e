import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/open.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { until } from '../waiting/until.ts';
import { endpointOf, portsOf } from './mysql/endpoint.ts';
import { eventually } from './postgres/suite.ts';
import { previewing, told } from './preview-for-tests.ts';

const setUp = `
create table item (id int auto_increment primary key, name varchar(20) character set latin1 unique, price decimal(8,2));
insert into item (name, price) values ('ax', 1.5), ('bow', 2.5), ('cup', null);
create table loose (a int, b text);
insert into loose values (1, 'x'), (2, 'y');
create table \`it em\` (\`the key\` binary(4), n bigint unsigned, s varchar(5) character set utf8mb4, v int, primary key (\`the key\`, n, s));
insert into \`it em\` values (x'00ff0001', 18446744073709551615, 'ü', 1), (x'00ff0002', 9007199254740993, 'ü''', 2);
create table log (what text);
create table lengthy (id int primary key, what text);
insert into lengthy values (2, 'y');
create table loud (id int primary key, n int, changed int default 0);
insert into loud (id, n) values (1, 1), (2, 2);
create trigger shouting before update on loud for each row begin set new.changed = old.changed + 1; insert into log values ('changed'); end//
create view cheap as select id, name from item where price < 2//
create table isam (id int primary key, n int) engine = MyISAM//
insert into isam values (1, 1)//
create table memory_table (id int primary key) engine = MEMORY//
create table csv_table (id int not null) engine = CSV//
create table aria_table (id int primary key) engine = Aria transactional = 0//
create view over_isam as select * from isam//
create table tells (id int primary key)//
insert into tells values (1)//
create trigger telling after delete on tells for each row insert into isam values (old.id + 100, 0)//
create table keyed (id int primary key, n int)// insert into keyed values (1, 1)//
create trigger by_key after update on keyed for each row update isam set n = 9 where id = new.id//
create function counting(x int) returns int begin insert into isam values (x, x); return x; end//
create function harmless(x int) returns int deterministic begin declare y varchar(10) default 'a'; if (x > 1) then return x; end if; return x + 1; end//
create procedure deeper() begin update isam set n = 2; end//
create table calls (id int primary key)//
insert into calls values (1)//
create trigger calling after update on calls for each row call deeper()//
create table calm (id int primary key, n int)//
insert into calm values (1, 1)//
create trigger calming before update on calm for each row set new.n = harmless(new.n)//
create table parent (id int primary key)//
create table child (id int primary key, parent int, foreign key (parent) references parent (id) on delete cascade)//
insert into parent values (1), (2)// insert into child values (10, 1), (20, 2)//
create table big (id int primary key, n int)//
insert into big select seq, seq from seq_1_to_100000//
create sequence counted//
create view seeming as select id, counting(id + 50) as n from calm//
create table from_sequence (id bigint default nextval(counted) primary key, n int)//
create table chain_a (code varchar(5) primary key)// insert into chain_a values ('a'), ('b')//
create table chain_b (id int primary key, a varchar(5) unique, foreign key (a) references chain_a (code) on delete cascade on update cascade)//
insert into chain_b values (1, 'a'), (2, 'b')//
create table chain_c (id int primary key, b int, foreign key (b) references chain_b (id) on delete cascade)//
insert into chain_c values (1, 1), (2, 1), (3, 2)//
create table chain_d (id int primary key, a varchar(5), foreign key (a) references chain_b (a) on delete set null on update cascade)//
insert into chain_d values (1, 'a'), (2, 'a'), (3, 'a'), (4, 'b')//
create table deep_a (id int primary key, n int)// insert into deep_a values (1, 1), (2, 2)//
create table deep_b (id int primary key auto_increment, n int)// insert into deep_b values (1, 1), (2, 2)//
create table deep_c (id int primary key, n int)// insert into deep_c values (1, 1), (2, 2)//
create trigger first_step after update on deep_a for each row insert into deep_b (n) values (new.n)//
create trigger second_step before insert on deep_b for each row update deep_c set n = new.n where id = 1//
create trigger other_event after delete on deep_a for each row delete from deep_c where id > old.id//
create table two_keys (id int primary key, n int unique, s varchar(5))// insert into two_keys values (1, 11, 'a'), (2, 12, 'b'), (3, 13, 'c')//
create user narrow@localhost identified by 'narrow-only'//
create user narrow@'127.0.0.1' identified by 'narrow-only'//
grant select, insert, update, delete on own.* to narrow@'127.0.0.1'//
grant select, insert, update, delete on own.* to narrow@localhost//
`;

/** MySQL has neither. */
const mariadbsOwn = /^create (?:sequence|table (?:from_sequence|aria_table)) .*\n/gm;

const tables =
  'item loose `it`em` log loud isam tells calls calm parent child from_sequence chain_a chain_b chain_c chain_d deep_a deep_b deep_c two_keys'
    .split(' ')
    .filter(name => !name.includes('`') && !(isMysql() && name === 'from_sequence'));
const stateQuestion = `checksum table ${tables.join(', ')}, \`it em\`, memory_table, csv_table${isMysql() ? '' : ', aria_table'} extended`;
const heldQuestion = `select (select count(*) from information_schema.innodb_trx) + (select count(*) from information_schema.processlist where command = 'Query' and id <> connection_id())`;

needs(mariadbUnavailable()).describe('a preview on MariaDB', () => {
  let server: MariadbServer;
  let database: Database;
  let before = '';
  const preview = previewing(() => database);
  const state = () => server.ask(stateQuestion, 'own');

  beforeAll(async () => {
    server = await lendMariadb();
    await server.client('create database own');
    const [plain = '', ...rest] = dialect(isMysql() ? setUp.replace(mariadbsOwn, '') : setUp).split(
      'create trigger shouting',
    );
    await server.client(plain, { database: 'own' });
    await server.client(`delimiter //\ncreate trigger shouting${rest.join('')}`, { database: 'own' });
    before = await state();
  }, 60_000);
  beforeEach(async () => {
    await database?.close();
    database = openMysql(endpointOf(server, { database: 'own', databases: 'own' }), portsOf(server));
  });
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  }, 60_000);

  /** Asserts too that no row changed and nothing is held. */
  async function previewed(sql: string): Promise<unknown> {
    const answer = told(await preview(sql));
    expect(await state()).toBe(before);
    await eventually(
      () => server.ask(heldQuestion),
      held => held.trim() === '0',
    );
    return answer;
  }

  const sequences = 'Values taken from sequences and AUTO_INCREMENT stay used up: a rollback does not give them back.';
  const unseen = 'No rows are shown: the statement cannot be made to return what it changes.';
  /** Without RETURNING an INSERT or REPLACE of MySQL's shows no rows. */
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
  const moved = 'No rows are shown: the statement gives rows another key.';

  test.each<[string, string, unknown]>([
    [
      'UPDATE',
      "update item set price = price * 2 where name in ('ax', 'bow')",
      {
        rows_affected: 2,
        before: [
          [1, 'ax', '1.50'],
          [2, 'bow', '2.50'],
        ],
        after: [
          [1, 'ax', '3.00'],
          [2, 'bow', '5.00'],
        ],
      },
    ],
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
    ['DELETE', "delete from item where name = 'cup'", { rows_affected: 1, before: [[3, 'cup', null]] }],
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
      'a DELETE from a table without a key',
      'delete from loose where a = 1',
      { rows_affected: 1, warnings: ['No rows are shown: the table has no primary key.'] },
    ],
    [
      'an UPDATE of a table without a key',
      "update loose set b = 'z' where a = 1",
      { rows_affected: 1, warnings: ['No rows are shown: the table has no primary key.'] },
    ],
    [
      'an UPDATE of the key',
      'update item set item.id = id + 50 where id = 3',
      { rows_affected: 1, warnings: [sequences, moved] },
    ],
    [
      'a JOIN',
      'update item join loose on loose.a = item.id set item.price = 0, loose.b = 1',
      { rows_affected: 4, warnings: ['No rows are shown: the statement changes several tables.'] },
    ],
    [
      'a DELETE of several tables',
      'delete item, loose from item join loose on loose.a = item.id',
      { rows_affected: 4, warnings: ['No rows are shown: the statement changes several tables.'] },
    ],
    [
      'a DELETE by an alias',
      'delete o from item o where o.id = 1',
      { rows_affected: 1, warnings: ['No rows are shown: the statement changes several tables.'] },
    ],
    [
      'what triggers make of it',
      'update loud set n = 5 where id = 1',
      {
        rows_affected: 1,
        before: [[1, 1, 0]],
        after: [[1, 5, 1]],
        warnings: ['Triggers ran where they apply: "shouting".'],
      },
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
      'a cascade',
      'delete from parent where id = 1',
      {
        rows_affected: 1,
        before: [[1]],
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
    [
      'a view',
      "update cheap set name = 'axe' where id = 1",
      { rows_affected: 1, warnings: ['No rows are shown: the table has no primary key.'] },
    ],
    ['nothing', 'delete from item where id = 99', { rows_affected: 0 }],
  ])('%s', async (_, sql, wanted) => {
    expect(await previewed(sql)).toEqual(wanted);
  });

  test.each([
    ['-- and a comment'],
    [' -- returning'],
    [' # returning'],
    [' /* and a comment */'],
    [';'],
    [' ; -- ; delete from loud'],
    [';\n/* ; */ '],
    ["\n# it's\n;"],
  ])('rows are returned behind %j', async end => {
    expect(await previewed(`delete from item where id = 2${end}`)).toEqual({
      rows_affected: 1,
      before: [[2, 'bow', '2.50']],
    });
  });

  const replaced = [
    'Rows removed because another unique value of theirs conflicted are not shown under before.',
    ...(isMysql() ? [unseen] : []),
  ];
  test.each<[string, string, number, unknown, unknown]>([
    [
      'ON UPDATE CASCADE, two levels',
      "update chain_a set code = 'x' where code = 'a'",
      1,
      { 'own.chain_a': [1, 0], 'own.chain_b': [1, 0], 'own.chain_d': [3, 0] },
      [moved],
    ],
    [
      'ON DELETE CASCADE and SET NULL, two levels',
      "delete from chain_a where code = 'a'",
      1,
      { 'own.chain_a': [0, 1], 'own.chain_b': [0, 1], 'own.chain_c': [0, 2], 'own.chain_d': [3, 0] },
      undefined,
    ],
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
  ])('%s: the rows of every table', async (_, sql, rows, changes, warnings) => {
    const answer = await preview(sql);
    if (typeof answer === 'string') throw new Error(answer);
    const found = (answer.changes ?? []).map(({ table, updated, deleted }) => [table, [updated, deleted]]);
    expect([answer.rows_affected, Object.fromEntries(found), answer.warnings]).toEqual([rows, changes, warnings]);
    const real = await server.ask(`begin; ${sql}; select row_count(); rollback`, 'own');
    expect(real).toBe(`${rows}\n`);
    expect(await state()).toBe(before);
  });

  test('an error is about the text that the client wrote', async () => {
    expect(await previewed('delete from item where')).toMatch(
      /^query_failed: You have an error .* near '' at line 1 \(1064\)/,
    );
  });

  test('what could be read otherwise elsewhere is refused', async () => {
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

  test('an upsert and IGNORE tell the number of rows alone', async () => {
    const warnings = [sequences, 'No rows are shown: IGNORE and ON DUPLICATE KEY do not tell which rows they change.'];
    expect(await previewed("insert into item (name) values ('ax'), ('new') on duplicate key update price = 7")).toEqual(
      { rows_affected: 3, warnings },
    );
    expect(await previewed("insert ignore into item (name) values ('ax'), ('new')")).toMatchObject({
      rows_affected: 1,
      warnings: expect.arrayContaining(warnings),
    });
  });

  test('a WHERE that chance decides shows no row that it did not change', async () => {
    for (let count = 0; count < 10; count++) {
      const answer = await preview('delete from big where rand() < 0.5 limit 3');
      expect(answer).toMatchObject({ rows_affected: 3 });
      expect(await preview('update item set price = 77 where rand() < 0.5')).not.toMatchObject({
        after: { rows: expect.arrayContaining([expect.not.arrayContaining(['77.00'])]) },
      });
    }
  });

  test('every row of 100,000', async () => {
    const answer = await preview('delete from big');
    expect(answer).toMatchObject({ class: 'destructive', rows_affected: 100_000, rolled_back: true });
    expect(told(answer)).toMatchObject({
      before: [
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
        [5, 5],
      ],
    });
    expect(await server.ask('select count(*), sum(n) from big', 'own')).toBe('100000\t5000050000\n');
  }, 30_000);

  test.each([
    ['insert into isam values (2, 2)', 'own.isam is a table of the engine MyISAM'],
    ['update own.isam set n = 3', 'own.isam is a table of the engine MyISAM'],
    ['update isam set n = 3 where id = 1', 'own.isam is a table of the engine MyISAM'],
    ['update keyed set n = 3', 'own.isam is a table of the engine MyISAM'],
    ['delete from memory_table', 'the engine MEMORY'],
    ['insert into csv_table values (1)', 'the engine CSV'],
    ...(isMysql() ? [] : [['insert into aria_table values (1)', 'the engine Aria']]),
    ['update over_isam set n = 3', 'own.isam is a table of the engine MyISAM'],
    ['delete from tells', 'own.isam is a table of the engine MyISAM'],
    ['update calls set id = 2', 'own.isam is a table of the engine MyISAM'],
    ['update item set price = counting(7) where id = 1', 'own.isam is a table of the engine MyISAM'],
    ['update item, isam set price = 1, n = 2 where isam.id = item.id', 'own.isam is a table of the engine MyISAM'],
    [
      'delete isam from item join isam on isam.id = item.id where item.id = 1',
      'own.isam is a table of the engine MyISAM',
    ],
    ['insert into item (id) values (setval(counted, 100))', 'SETVAL() sets which values writes get'],
    ['insert into item (id) select n from seeming', 'own.isam is a table of the engine MyISAM'],
    ['insert into nowhere values (1)', 'own.nowhere is not a table that this account can see'],
  ])('%s is not run', async (sql, why) => {
    const answer = await previewed(sql);
    expect(answer).toMatch(/^unsupported: /);
    expect(answer).toContain(why);
  });

  test('a table that is only read may be of any engine', async () => {
    expect(await previewed('insert into calm select id + 5, n from isam')).toEqual(
      isMysql() ? { rows_affected: 1, warnings: [unseen] } : { rows_affected: 1, after: [[6, 1]] },
    );
    expect(await previewed('update item set price = harmless(7) where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test('an account that cannot see triggers cannot know what it would write', async () => {
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

  test('an account that may write and not read gets the number of rows alone', async () => {
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
      warnings: [isMysql() ? unseen : 'No rows are shown: this account may not read the table.'],
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

  test('what is no data change is refused, naming the tool', async () => {
    expect(await previewed('select 1')).toMatch(/^unsupported: .*execute_query/);
    expect(await previewed('drop table item')).toMatch(
      /^unsupported: .*ownEffect an INSERT, UPDATE, DELETE, REPLACE or MERGE/,
    );
    expect(await previewed('truncate item')).toMatch(/^unsupported: /);
    expect(await previewed('delete from item; drop table item')).toMatch(/^unsupported: /);
    expect(await previewed('commit')).toMatch(/^unsupported: /);
    expect(await previewed('call deeper()')).toMatch(/^unsupported: /);
  });

  test('a connection that only reads has no previews', async () => {
    expect(await preview('delete from item where id = 1', { readOnly: true })).toMatch(
      /^denied: This connection is read only/,
    );
  });

  test("another session's lock is waited for two seconds", async () => {
    const other = openMysql(endpointOf(server, { database: 'own' }), portsOf(server));
    const context = {
      principal: null,
      client: 'holder',
      database: null,
      schema: null,
      timeoutSeconds: 20,
      signal: new AbortController().signal,
    };
    const ended = await other.rehearse(context, async rehearsal => {
      const limits = { cellBytes: 1_000, wireBytes: 1_000_000 };
      const sql = 'update item set price = 3 where id = 1';
      await rehearsal.run({ sql, parameters: [], limits, ours: true }, { columns() {}, row: () => true });
      const start = performance.now();
      const answer = await preview('delete from item');
      return { answer, isLong: performance.now() - start > 1_500 };
    });
    await other.close();
    expect(ended).toMatchObject({
      kind: 'done',
      value: { answer: expect.stringMatching(/^timeout: Another session holds a lock/), isLong: true },
    });
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test('a client that leaves ends it in the server, and nothing stays', async () => {
    const leaving = new AbortController();
    const asked = preview('update item set price = sleep(60)', { signal: leaving.signal });
    await until(async () => (await server.ask('show processlist')).includes('User sleep'), 'the statement runs');
    leaving.abort();
    expect(await asked).toBe('cancelled');
    expect(await previewed('delete from item where id = 1')).toMatchObject({ rows_affected: 1 });
  });

  test('long cells are cut and the answer stays within its bytes', async () => {
    const limits = { maxCellBytes: 100, maxAnswerBytes: 1_000 };
    const answer = await preview("update lengthy set what = repeat('x', 5000) where id = 2", { limits });
    expect(JSON.stringify(answer).length).toBeLessThan(1_500);
    expect(told(answer)).toMatchObject({ rows_affected: 1, after: [[2, expect.stringMatching(/^x{50,100}$/)]] });
  });
});
