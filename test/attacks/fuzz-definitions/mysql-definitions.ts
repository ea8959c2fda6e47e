/**
 * Definitions on the database of `mysql-workload`, put together from names, types, options and
 * rules that make trouble. Most are refused by the server or ask.
 */

import fc from 'fast-check';

const any = fc.constantFrom;
const tables = 'accounts orders items outbox untouched searched parted hashed written totals plain mine'.split(' ');
const columns = 'id email pw status note kind total placed body v order_id'.split(' ');
const troubling = 'FTS_DOC_ID number latest old new what row_start DB_ROW_ID engine lower count'.split(' ');
const freshName = fc.nat({ max: 30 }).map(number => `fresh_${number}`);
const name = fc.oneof(
  { weight: 4, arbitrary: freshName },
  any(...tables),
  any(...columns),
  any('md5', 'lower', 'dual'),
);
const columnName = fc.oneof({ weight: 4, arbitrary: freshName }, any(...columns), any(...troubling));
const table = any(...tables);
const column = any(...columns);
const newName = fc
  .tuple(any('', '', '', 'with_definitions.', 'fresh_database.'), name)
  .map(([schema, of]) => schema + of);
const type = any(
  ...'int bigint varchar(10) varchar(100) varchar(200) varchar(5000) text decimal(10,2) date datetime timestamp json char(255)'.split(
    ' ',
  ),
  ...[
    'bigint unsigned',
    'tinyint',
    "enum('a','b')",
    "set('a')",
    'varbinary(20)',
    'longtext',
    'point',
    'year',
    'bit(1)',
    'serial',
    'uuid',
  ],
);
const value = any(
  ...[
    '0',
    '1',
    '-1',
    'null',
    "'x'",
    "''",
    'true',
    'current_timestamp',
    'now()',
    "'2026-01-01'",
    '(1 + 1)',
    '(uuid())',
    '(rand())',
  ],
  ...["('x')", "(concat('a', 1))", '(json_object())', '(1 / 0)', "(cast('x' as signed))", 'curdate()', '9999999999'],
);
const condition = any('id > 0', 'id < 501', 'true', "note <> 'x'", 'v > 0', 'total > 5', 'char_length(body) < 5');
const refers = fc
  .tuple(table, column, any('', ' on delete cascade', ' on update cascade', ' on delete set null'))
  .map(([of, to, rest]) => `references ${of} (${to})${rest}`);
const columnRule = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  any(
    'not null',
    'unique',
    'primary key',
    'null',
    'auto_increment',
    'auto_increment unique',
    'invisible',
    'collate utf8mb4_bin',
  ),
  any(
    "comment 'x'",
    'character set latin1',
    'as (1) virtual',
    'as (id + 2147483647) stored',
    'on update current_timestamp',
    'zerofill',
  ),
  any('not null default 0', "not null default ''", 'without system versioning', 'compressed', 'check (1 / 0)'),
  value.map(of => `default ${of}`),
  value.map(of => `not null default ${of}`),
  value.map(of => `default ${of} on update now()`),
  condition.map(of => `check (${of})`),
  refers,
  any(' first', ' after id'),
);
const columnNamed = (called: fc.Arbitrary<string>) =>
  fc.tuple(called, type, columnRule).map(([of, is, rule]) => `${of} ${is} ${rule}`.trim());
const parts = fc.oneof(
  column,
  column.map(of => `${of}(5)`),
  column.map(of => `${of} desc`),
  column.map(of => `(lower(${of}))`),
  any(
    '(total * 2)',
    'id, v',
    'status, note(3)',
    '(cast(note as unsigned))',
    '(id + 9223372036854775000)',
    'FTS_DOC_ID',
  ),
);
const index = fc
  .tuple(any('', '', '', 'unique ', 'fulltext ', 'spatial '), name, parts)
  .map(([kind, of, what]) => `${kind}index ${of} (${what})`);
const rule = fc.oneof(
  index,
  condition.map(of => `check (${of})`),
  column.map(of => `unique (${of})`),
  column.map(of => `primary key (${of})`),
  fc.tuple(column, refers).map(([of, to]) => `foreign key (${of}) ${to}`),
);
const option = any(
  ...[
    "comment = 'x'",
    "comment = ''",
    'engine = InnoDB',
    'engine = MyISAM',
    'engine innodb',
    'row_format = compressed',
    'checksum = 1',
  ],
  ...[
    'auto_increment = 5',
    'stats_persistent = 0',
    'character set latin1',
    'key_block_size = 4',
    'max_rows = 2',
    "encryption = 'N'",
  ],
  ...[
    'force',
    'algorithm = copy',
    'lock = none',
    'disable keys',
    'enable keys',
    'order by id',
    'with system versioning',
    'pack_keys = 1',
  ],
);

const createsTable = fc
  .tuple(
    any('', '', 'temporary ', 'or replace '),
    any('', 'if not exists '),
    newName,
    fc.array(columnNamed(fc.oneof(freshName, column)), { minLength: 1, maxLength: 3 }),
    fc.array(rule, { maxLength: 2 }),
    any(
      '',
      '',
      '',
      ' engine = MyISAM',
      " comment = 'x'",
      ' partition by hash (id) partitions 2',
      ' row_format = compressed',
      ' as select 1 as id',
    ),
  )
  .map(
    ([kind, unless, of, own, rules, rest]) =>
      `create ${kind}table ${unless}${of} (${[...own, ...rules].join(', ')})${rest}`,
  );
const createsOther = fc.oneof(
  fc.tuple(newName, table).map(([of, from]) => `create table ${of} as select * from ${from}`),
  fc.tuple(newName, table).map(([of, from]) => `create table ${of} like ${from}`),
  fc
    .tuple(
      any('', '', 'or replace ', 'algorithm = temptable '),
      newName,
      column,
      table,
      any('', ' where id > 3 with check option'),
    )
    .map(([kind, of, what, from, rest]) => `create ${kind}view ${of} as select ${what} from ${from}${rest}`),
  any(
    'create database fresh_database',
    'create database if not exists with_definitions character set latin1',
    'create schema other',
  ),
  fc.tuple(newName, any('', ' start with 5', ' maxvalue 1')).map(([of, rest]) => `create sequence ${of}${rest}`),
  name.map(of => `create trigger ${of} before insert on outbox for each row set new.id = 1`),
);
const createsIndex = fc
  .tuple(any('', '', 'unique ', 'fulltext ', 'spatial '), name, table, parts)
  .map(([kind, of, on, what]) => `create ${kind}index ${of} on ${on} (${what})`);
const alters = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(table, columnNamed(columnName), any('', ', algorithm = inplace', ', force'))
      .map(([of, what, rest]) => `alter table ${of} add column ${what}${rest}`),
  },
  { weight: 3, arbitrary: fc.tuple(table, rule).map(([of, what]) => `alter table ${of} add ${what}`) },
  { weight: 3, arbitrary: fc.tuple(table, option).map(([of, what]) => `alter table ${of} ${what}`) },
  {
    weight: 3,
    arbitrary: fc.tuple(table, columnNamed(column)).map(([of, what]) => `alter table ${of} modify ${what}`),
  },
  fc.tuple(table, column, type).map(([of, own, to]) => `alter table ${of} change ${own} ${own} ${to}`),
  fc.tuple(table, column, value).map(([of, own, to]) => `alter table ${of} alter ${own} set default ${to}`),
  fc
    .tuple(
      any('parted', 'hashed', 'orders'),
      any(
        ...[
          'add partition (partition p2 values less than (300))',
          'add partition (partition p2 values less than maxvalue)',
        ],
        ...[
          'add partition partitions 2',
          'coalesce partition 1',
          'rebuild partition p0',
          'optimize partition p0',
          'check partition p0',
        ],
        ...[
          'analyze partition all',
          'drop partition p0',
          'remove partitioning',
          'reorganize partition',
          'repair partition p0',
        ],
      ),
    )
    .map(([of, what]) => `alter table ${of} ${what}`),
  fc
    .tuple(
      table,
      column,
      any('100', '200', '20', '5000'),
      any('', ' not null', ' default null', " not null default 'x'", " not null default 'new'"),
    )
    .map(([of, own, length, rest]) => `alter table ${of} modify ${own} varchar(${length})${rest}`),
  any(
    'alter table outbox add column FTS_DOC_ID bigint unsigned not null default 0',
    'alter table outbox add fulltext index texts (body)',
  ),
  table.map(of => `optimize table ${of}`),
  table.map(of => `analyze table ${of}`),
  table.map(of => `repair table ${of}`),
);

export const definitions: fc.Arbitrary<readonly string[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: createsTable },
    { weight: 2, arbitrary: createsOther },
    { weight: 4, arbitrary: createsIndex },
    { weight: 8, arbitrary: alters },
  ),
  { minLength: 1, maxLength: 4 },
);
