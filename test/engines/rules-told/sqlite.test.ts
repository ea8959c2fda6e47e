/** SQLite: each rule that a description tells is tried with rows. */

import { afterAll, beforeAll, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { openFile } from '../sqlite/engine.ts';
import { temporaryFolder } from '../sqlite/temporary-folder.ts';
import { expectSameDefaults, type Rule, testRules } from './rule.ts';

/** @param sql true if it holds; fails otherwise. */
const holds = (sql: string) => `insert into must_hold select ${sql}`;

const rules: readonly Rule[] = [
  {
    table: 'rowid_key',
    made: 'create table rowid_key (id integer primary key, a int)',
    told: ['id INTEGER not null', 'primary_key: id'],
    untold: ['indexes:', 'conflict'],
    accepted: ['insert into rowid_key values (1, 1); insert into rowid_key values (null, 2)'],
    refused: ['insert into rowid_key values (1, 1)'],
  },
  {
    table: 'text_key',
    made: 'create table text_key (k text primary key)',
    told: ['columns: k TEXT', 'primary_key: k'],
    untold: ['not null'],
    accepted: ["insert into text_key values (null), (null), ('a')"],
    refused: ["insert into text_key values ('a')"],
  },
  {
    table: 'downward',
    made: 'create table downward (id integer primary key desc)',
    told: ['columns: id INTEGER', 'primary_key: id'],
    untold: ['not null', 'auto increment'],
    accepted: ['insert into downward values (null), (null)', holds('count(*) = 2 from downward where id is null')],
  },
  {
    table: 'replacing',
    made: 'create table replacing (id integer primary key on conflict replace, a int)',
    told: ['indexes: unique rowid (id) on conflict replace'],
    accepted: [
      'insert into replacing values (1, 1); insert into replacing values (1, 2)',
      holds('count(*) = 1 from replacing'),
    ],
  },
  {
    table: 'ignoring',
    made: `create table ignoring (a text collate nocase, b int, c int unique on conflict ignore, d int unique,
      "e f" int default 7 not null on conflict replace, unique (a, "b") on conflict ignore)`,
    told: [
      'a TEXT collate nocase',
      '"e f" INT not null on conflict replace default 7',
      '(a, b) on conflict ignore',
      '(c) on conflict ignore',
      '(d)',
    ],
    untold: ['(d) on', 'abort'],
    accepted: [
      "insert into ignoring values ('x', 1, 1, 1, null); insert into ignoring values ('X', 1, 2, 2, 2), ('y', 1, 1, 3, 3)",
      holds('count(*) = 1 from ignoring where a = \'x\' and "e f" = 7'),
      holds('count(*) = 1 from ignoring'),
    ],
    refused: ["insert into ignoring values ('z', 1, 9, 1, 1)"],
  },
  {
    table: 'collating',
    made: `create table collating (a text, b text collate nocase, c text not null on conflict abort, primary key (a collate nocase, b),
      unique (c collate rtrim) /* on conflict ignore */)`,
    told: ['(a collate nocase, b)', '(c collate rtrim)'],
    untold: ['conflict'],
    accepted: ["insert into collating values ('a', 'b', 'c'), ('a', 'c', 'd')"],
    refused: ["insert into collating values ('A', 'B', 'x')", "insert into collating values ('q', 'q', 'c  ')"],
  },
  {
    table: 'plainly',
    made: `create table plainly (a int not null, b text, c as (a * 2) stored, constraint "it's" check (a > 0 and b <> 'check ('))`,
    told: ['a INT not null', "checks: a > 0 and b <> 'check ('", 'generated stored as (a * 2)'],
    untold: ['strict'],
    accepted: ["insert into plainly values (1, 'x'), (2, null), (3, 4)"],
    refused: [
      'insert into plainly values (0, 1)',
      'insert into plainly values (null, 1)',
      "insert into plainly values (1, 'check (')",
      'insert into plainly (a, c) values (1, 2)',
    ],
  },
  {
    table: 'strictly',
    made: 'create table strictly (id int primary key, a int, b text) strict',
    told: ['strict: true', 'id INT not null'],
    accepted: ["insert into strictly values (1, '2', 'x')"],
    refused: ["insert into strictly values (2, 'x', 'x')", 'insert into strictly values (null, 1, 1)'],
  },
  {
    table: 'without',
    made: 'create table without (k text collate nocase, v int, primary key (k)) without rowid',
    told: ['k TEXT not null collate nocase', 'primary_key: k'],
    untold: ['indexes:'],
    accepted: ["insert into without values ('a', 1)"],
    refused: ["insert into without values ('A', 1)", 'insert into without values (null, 1)'],
  },
  {
    table: 'kid',
    made: `create table elder (id integer primary key, x int unique);
      create table kid (a int references elder, b int references elder (x) not deferrable initially deferred,
        c int constraint later references elder deferrable initially deferred, foreign key (b) references elder deferrable initially deferred)`,
    told: [
      'foreign_keys: a -> elder(id)',
      'foreign_keys: b -> elder(x)',
      'foreign_keys: c -> elder(id) deferrable initially deferred',
      'foreign_keys: b -> elder(id) deferrable initially deferred',
    ],
    untold: ['elder(x) deferrable'],
    accepted: [
      'begin; insert into kid (c) values (5); insert into elder values (5, 6); commit',
      'insert into kid (a) values (5)',
    ],
    refused: ['insert into kid (a) values (9)', 'begin; insert into kid (b) values (9)'],
  },
  {
    table: 'astray',
    made: `create table keyless (x int, y int); create unique index part on keyless (y) where y > 0;
      create table astray (a int references nowhere (x), b int references keyless (x) deferrable initially deferred, c int references keyless (y))`,
    told: [
      'foreign_keys: a -> nowhere(x) broken: no such key',
      'foreign_keys: b -> keyless(x) deferrable initially deferred, broken: no such key',
      'foreign_keys: c -> keyless(y) broken: no such key',
    ],
    refused: ['insert into astray (a) values (1)', 'insert into astray (a) values (null)'],
  },
  {
    table: 'partly',
    made: 'create table partly (a int, b text collate nocase); create unique index by_a on partly (a) where b > 0; create unique index by_b on partly (b)',
    told: ['unique by_a (a) where b > 0', 'unique by_b (b)', 'b TEXT collate nocase'],
    accepted: ["insert into partly values (1, -1), (1, -2), (2, 'x')"],
    refused: ["insert into partly values (3, 'X')"],
  },
];

const at = temporaryFolder();
let database: Database;
const execute = async (sql: string) => {
  const file = new SqliteFile(at('told.db'));
  try {
    file.exec('pragma foreign_keys = on');
    if (!/^select/i.test(sql)) return file.exec(sql);
    return file.rows(sql);
  } finally {
    file.close();
  }
};

beforeAll(async () => {
  await execute('create table must_hold (is_true int check (is_true) not null)');
  database = openFile(at('told.db'));
});
afterAll(() => database.close());

testRules(rules, () => ({ execute, database }));

test('a default, made again from what is told, gives the same value', async () => {
  await execute(`create table defaults (a int default (1 + 2), b text default 'it''s', c text default "dq", d int default -1, e default x'00ff',
    f default null, g default true, h text default (upper('x') || '('), i real default 1e-5, j default 0x1F, k default +.5, l default 'a--b',
    m default bare, n text default 'current_date', o default (-(1)))`);
  await expectSameDefaults({ execute, database }, 'default values');
});
