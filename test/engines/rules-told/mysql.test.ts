/** MariaDB and MySQL: each rule that a description tells is tried with rows. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { needs } from '../../needs.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { call } from '../collecting-sink.ts';
import { endpointOf, portsOf } from '../mysql/endpoint.ts';
import { described, expectSameDefaults, type Rule, testRules } from './rule.ts';

const ofBoth: readonly Rule[] = [
  {
    table: 'pk',
    made: 'create table pk (a int, b int, primary key (b, a))',
    told: ['primary_key: b', 'primary_key: a'],
    untold: ['indexes:', 'hidden:'],
    accepted: ['insert into pk values (1, 1), (1, 2)'],
    refused: ['insert into pk values (1, 1)', 'insert into pk values (1, null)'],
  },
  {
    table: 'uniques',
    made: 'create table uniques (a int, b varchar(9), c int, unique u_a (a), unique u_b (b(2)))',
    told: ['unique u_a (`a`)', 'unique u_b (`b`(2))'],
    accepted: ["insert into uniques values (null, 'ax', 1), (null, 'ay', 1)"],
    refused: ["insert into uniques values (1, 'axe', 1)"],
  },
  {
    table: 'plainly',
    made: `create table plainly (a tinyint unsigned not null check (a > 1), b varchar(2), c int as (a * 2) stored, d enum('x', 'it''s'))`,
    told: ['a tinyint', 'not null', 'b varchar(2)', 'generated stored as (', "d enum('x','it''s')", 'checks: '],
    untold: ['enforced', 'invisible'],
    accepted: ["insert into plainly (a, b, d) values (2, 'ab', 'it''s')"],
    refused: [
      'insert into plainly (a) values (1)',
      'insert into plainly (a) values (null)',
      'insert into plainly (a) values (256)',
      "insert into plainly (a, b) values (2, 'abc')",
      'insert into plainly (a, c) values (2, 9)',
      "insert into plainly (a, d) values (2, 'y')",
    ],
  },
  {
    table: 'kid',
    made: `create table elder (id int primary key, x int); insert into elder values (1, 1), (2, 2);
      create table kid (a int, b int, foreign key (a) references elder (id), foreign key (b) references elder (id) on delete cascade)`,
    told: ['foreign_keys: a -> told.elder(id)', 'foreign_keys: b -> told.elder(id) on delete cascade'],
    accepted: ['insert into kid values (1, null), (null, 2)', 'delete from elder where id = 2'],
    refused: ['insert into kid values (7, null)', 'delete from elder where id = 1'],
  },
  {
    table: 'parts',
    made: 'create table parts (a int) partition by range (a) (partition p0 values less than (9))',
    told: ['partitioned_by: RANGE (`a`)', 'partitions: p0: 9'],
    accepted: ['insert into parts values (8)'],
    refused: ['insert into parts values (9)'],
  },
  {
    table: 'unseen_column',
    made: 'create table unseen_column (a int, b int default 3 invisible, c int not null)',
    told: ['b int', 'default 3 invisible'],
    accepted: ['insert into unseen_column values (1, 2)'],
    refused: ['insert into unseen_column values (1, 2, 3)'],
  },
  {
    table: 'letters',
    made: `create table letters (a varchar(9) unique, b varchar(9) collate utf8mb4_bin unique, c varchar(9) character set latin1 collate latin1_general_ci)
      collate utf8mb4_general_ci`,
    told: ['columns: a varchar(9)\n', 'b varchar(9) COLLATE utf8mb4_bin', 'columns: c varchar(9)\n'],
    accepted: ["insert into letters (a) values ('x')", "insert into letters (b) values ('x'), ('X')"],
    refused: ["insert into letters (a) values ('X')", "insert into letters (b) values ('x')"],
  },
  {
    table: 'gone_view',
    made: 'create table gone (id int); create view gone_view as select id from gone; drop table gone',
    told: ['kind: view', 'references invalid table'],
    refused: ['select * from gone_view'],
  },
];

const ofMariadb: readonly Rule[] = [
  {
    table: 'ignored_index',
    made: 'create table ignored_index (a int, unique u (a) ignored)',
    told: ['indexes: unique u (`a`) ignored'],
    accepted: ['insert into ignored_index values (1)'],
    refused: ['insert into ignored_index values (1)'],
  },
  {
    table: 'versions',
    made: 'create table versions (id int primary key, a int, unique (a)) with system versioning',
    told: ['primary_key: id', 'indexes: unique a (`a`)', 'system_versioned: true'],
    untold: ['row_end'],
    accepted: [
      'insert into versions values (1, 1), (2, 2); update versions set a = 3 where id = 2; insert into versions values (3, 2)',
    ],
    refused: ['insert into versions values (1, 9)', 'insert into versions values (9, 1)'],
  },
  {
    table: 'named_versions',
    made: `create table named_versions (id int primary key, b int without system versioning, s timestamp(6) generated always as row start,
      e timestamp(6) generated always as row end, period for system_time (s, e)) with system versioning`,
    told: ['primary_key: id', 'system_versioned: true', 'b int(11) WITHOUT SYSTEM VERSIONING'],
    untold: ['primary_key: e', 'indexes:'],
    accepted: ['insert into named_versions (id) values (1)'],
    refused: ['insert into named_versions (id) values (1)'],
  },
  {
    table: 'stay',
    made: 'create table stay (id int, f date, t date, period for during (f, t), unique (id, during without overlaps))',
    told: ['indexes: unique id (`id`,`during` WITHOUT OVERLAPS)', 'checks: `f` < `t`'],
    accepted: ["insert into stay values (1, '2024-01-01', '2024-02-01'), (1, '2024-02-01', '2024-03-01')"],
    refused: [
      "insert into stay values (1, '2024-01-15', '2024-01-16')",
      "insert into stay values (2, '2024-01-15', '2024-01-14')",
    ],
  },
];

const ofMysql: readonly Rule[] = [
  {
    table: 'unenforced',
    made: 'create table unenforced (a int, check (a > 0) not enforced)',
    told: ['checks: ((`a` > 0)) not enforced'],
    accepted: ['insert into unenforced values (-1)'],
  },
  {
    table: 'invisible_index',
    made: 'create table invisible_index (a int, b int, unique u (a) invisible, unique e ((b + 1)))',
    told: ['indexes: unique u (`a`) invisible', 'indexes: unique e (((`b` + 1)))'],
    accepted: ['insert into invisible_index values (1, 1)'],
    refused: ['insert into invisible_index values (1, 2)', 'insert into invisible_index values (2, 1)'],
  },
  {
    table: 'places',
    made: 'create table places (p point not null srid 4326, q point)',
    told: ['p point not null SRID 4326', 'columns: q point'],
    accepted: ["insert into places values (st_geomfromtext('POINT(1 2)', 4326), st_geomfromtext('POINT(1 2)'))"],
    refused: ["insert into places (p) values (st_geomfromtext('POINT(1 2)'))"],
  },
  {
    table: 'made_key',
    made: 'set sql_generate_invisible_primary_key = on; create table made_key (a int)',
    told: ['primary_key: my_row_id', 'columns: my_row_id bigint unsigned not null auto increment invisible'],
    accepted: ['insert into made_key values (1)'],
    refused: ['insert into made_key (my_row_id, a) values (1, 2)'],
  },
];

const rules = [...ofBoth, ...(isMysql() ? ofMysql : ofMariadb)];

/** MariaDB then leaves out parts of definitions, and both quote names otherwise. */
const otherModes = `ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH${isMysql() ? '' : ',NO_FIELD_OPTIONS,NO_KEY_OPTIONS,NO_TABLE_OPTIONS'}`;

needs(mariadbUnavailable()).describe('MariaDB, MySQL: rules that are told', () => {
  let server: MariadbServer;
  let database: Database;
  const execute = (sql: string) => server.ask(`set sql_mode = 'STRICT_ALL_TABLES'; ${sql}`, 'told');
  const open = (user: string) =>
    openMysql(endpointOf(server, { database: 'told', user }), portsOf({ password: 'only-here' }));
  beforeAll(async () => {
    server = await lendMariadb();
    await server.client('create database told character set utf8mb4');
    database = openMysql(endpointOf(server, { database: 'told' }), portsOf(server));
  }, 60_000);
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  testRules(rules, () => ({ execute, database }));

  describe('in sessions of another sql_mode', () => {
    let turned: Database;
    let usual = '';
    beforeAll(async () => {
      usual = (await server.ask('select @@global.sql_mode')).trim();
      await server.client('drop database told; create database told character set utf8mb4');
      await server.ask(`set global sql_mode = '${otherModes}'`);
      if (isMysql()) await server.ask('set global show_gipk_in_create_table_and_information_schema = off');
      turned = openMysql(endpointOf(server, { database: 'told' }), portsOf(server));
    });
    afterAll(async () => {
      await turned?.close();
      await server.ask(`set global sql_mode = '${usual}'`);
      if (isMysql()) await server.ask('set global show_gipk_in_create_table_and_information_schema = on');
    });
    testRules(rules, () => ({ execute, database: turned }));

    test('a definition keeps what makes the table', async () => {
      await execute('create table made (id int primary key auto_increment, a int) engine = MyISAM');
      const answer = await turned.describeTables(call, ['made'], true);
      const [made] = answer.kind === 'done' ? answer.value : [];
      expect(made?.ddl).toMatch(/id. int\S* NOT NULL AUTO_INCREMENT/);
      expect(made?.ddl).toContain('ENGINE=MyISAM');
    });
  });

  test('a default, made again from what is told, gives the same value', async () => {
    await execute(`create table defaults (a varchar(30) default 'current_timestamp', b varchar(30) default 'a\\\\b\\nc', c char(3) default '''',
      d varchar(20) default '0x41', e bit(4) default b'101', f set('x','y') default 'x,y', g varchar(20) default 'b\\'0\\'', h double default -0.5,
      i binary(4) default x'616200', j varbinary(5) default 'ab', k int default (1 + 2), l varchar(20) default (concat('x', lower('Y'))),
      m int default ((1 + 2) * 3), n date default '2024-01-31', o decimal(9,2) default 1.5, p varchar(9) default 'NULL', q varchar(9) default null,
      r year default 2024, s varchar(20) default (concat('(', 'a') ), t text default ('it''s'))`);
    await expectSameDefaults({ execute, database }, '() values ()');
    const lines = await described(database, 'defaults');
    expect(lines).toContain("a varchar(30) default 'current_timestamp'");
    expect(lines).toContain(`b varchar(30) default 'a\\\\b${isMysql() ? '\n' : '\\n'}c'`);
    await execute('create table bytes (a varbinary(4) default 0xff00ab, b binary(4) default 0x41004200)');
    const bytes = await described(database, 'bytes');
    expect(bytes).toContain(isMysql() ? 'a varbinary(4) default 0xFF00AB' : "a varbinary(4) default '…\\0…'");
    expect(bytes).toContain("b binary(4) default 'A\\0B\\0'");
    expect(lines).toContain(isMysql() ? 'k int default (1 + 2)' : 'k int(11) default (1 + 2)');
  });

  test('what the rights of an account may hide is said', async () => {
    await execute(`create table secret (id int primary key, a int check (a > 0), b int unique, c int, index (c),
        foreign key (c) references secret (id) on delete cascade on update set null);
      create trigger quiet before insert on secret for each row set new.b = 1; create view over_secret as select a from secret;
      create function hush() returns int deterministic return 1`);
    const accounts = {
      reader: 'select on told.*',
      listed: 'select on told.secret',
      narrow: 'select (id, a) on told.secret',
      writer: 'select, insert, trigger, show view on told.*',
    };
    for (const [user, right] of Object.entries(accounts))
      await execute(`create user ${user}@'127.0.0.1' identified by 'only-here'; grant ${right} to ${user}@'127.0.0.1'`);
    await execute("grant execute on function told.hush to reader@'127.0.0.1'");
    const seen = async (user: string, table: string) => {
      const opened = open(user);
      const lines = await described(opened, table).finally(() => opened.close());
      return lines.split('\n').filter(line => !/^(?:rows|size_bytes)/.test(line));
    };
    const whole = await seen('writer', 'secret');
    expect(whole.join()).not.toContain('hidden');
    expect(whole.join()).toContain('CREATE TRIGGER');
    const hidden = (what: string) => `hidden: This account may not see its ${what}, if there are any.`;
    expect(whole.join()).toContain('on update set null on delete cascade');
    const isIncoming = (line: string) => line.startsWith('referenced_by');
    expect(await seen('reader', 'secret')).toEqual([
      ...whole.filter(line => !line.startsWith('triggers') && (isMysql() || !isIncoming(line))),
      hidden(isMysql() ? 'triggers' : 'incoming foreign keys and triggers'),
    ]);
    expect((await seen('listed', 'secret')).slice(-1)).toEqual([
      hidden(isMysql() ? 'triggers' : 'incoming foreign keys, checks and triggers'),
    ]);
    expect((await seen('narrow', 'secret')).at(-1)).toBe(hidden('other columns, keys, checks and triggers'));
    expect((await seen('reader', 'over_secret')).at(-1)).toBe(hidden('definition'));
    expect((await seen('writer', 'over_secret')).join()).toContain('definition: CREATE');
  });
});
