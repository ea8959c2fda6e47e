/**
 * Definitions on the file of `defined-sqlite-statements`, put together from names, types and
 * expressions that make trouble: texts that programs write in double quotes, names of SQLite's own,
 * keys to columns that are no key, expressions that fail for some row.
 */

import fc from 'fast-check';

const any = fc.constantFrom;
const tables = 'orders outbox strict_box accounts logins archive words empty_words plain both mine'.split(' ');
const columns = 'id status total note kind body email at'.split(' ');
const troubling = 'true FALSE "new" \'rush\' paid gone "late" rowid oid _rowid_ gross kind_of n rank key value'.split(
  ' ',
);
const own = 'json_each json_tree pragma_table_info pragma_user_version generate_series sqlite_stat1 dbstat'.split(' ');
const freshName = fc.nat({ max: 30 }).map(number => `fresh_${number}`);
const name = fc.oneof(
  { weight: 4, arbitrary: freshName },
  any(...tables),
  any(...columns),
  any(...troubling),
  any(...own),
);
const newName = fc.tuple(any('', '', '', 'main.', 'temp.'), name).map(([schema, of]) => schema + of);
const columnName = fc.oneof({ weight: 3, arbitrary: freshName }, any(...columns), any(...troubling));
const table = any(...tables);
const column = any(...columns);
const type = any('', 'int', 'integer', 'text', 'real', 'blob', 'numeric', 'any', 'varchar(10)', 'boolean', 'datetime');

const value = any(
  ...[
    '0',
    '1',
    '-1',
    'null',
    "'x'",
    '"x"',
    "''",
    'true',
    'current_timestamp',
    'current_date',
    '1e999',
    "x'00'",
    '0xff',
  ],
  ...[
    "(date('now'))",
    '(random())',
    '(1 / 0)',
    "(json_extract('x', '$'))",
    '(abs(-9223372036854775807 - 1))',
    "('a' || 'b')",
  ],
  ...['9223372036854775807', '(null)', "(case when date('now') < '2030-01-01' then 1 end)", '+5', '(zeroblob(1))'],
);
const overRows = fc.oneof(
  column.map(of => `lower(${of})`),
  column.map(of => `${of} collate nocase`),
  column.map(of => `(${of} || '-')`),
  column.map(of => `abs(${of})`),
  column.map(of => `json_extract(${of}, '$.a')`),
  column.map(of => `${of} ->> '$.a'`),
  column.map(of => `date(${of})`),
  column.map(of => `substr(${of}, 2)`),
  column.map(of => `cast(${of} as int)`),
  any(
    'id + 9223372036854775000',
    'id / (id - 501)',
    'length(note)',
    'note like body',
    "coalesce(note, 'x')",
    'hex(note)',
  ),
  any(
    "printf('%.*c', id, 'x')",
    'unicode(note)',
    'round(total, id)',
    'zeroblob(id)',
    "strftime('%s', at)",
    'total * 2',
  ),
);
const condition = fc.oneof(
  column.map(of => `${of} is not null`),
  overRows.map(of => `${of} > 0`),
  any(
    'id > 0',
    'id < 501',
    'true',
    'false',
    "note <> 'x'",
    'status = "new"',
    "status in ('new', 'paid')",
    '1 / (id - 3)',
  ),
);
const refers = fc
  .tuple(
    table,
    fc.oneof(
      fc.constant(''),
      column.map(of => `(${of})`),
    ),
    any('', '', ' on delete cascade', ' on update set null', ' deferrable initially deferred'),
  )
  .map(([of, to, rest]) => `references ${of}${to}${rest}`);
const columnRule = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  any(
    'not null',
    'unique',
    'primary key',
    'null',
    'collate nocase',
    'primary key autoincrement',
    'not null on conflict ignore',
  ),
  value.map(of => `default ${of}`),
  value.map(of => `not null default ${of}`),
  condition.map(of => `check (${of})`),
  overRows.map(of => `as (${of}) stored`),
  overRows.map(of => `generated always as (${of})`),
  refers,
  fc.tuple(value, refers).map(([of, to]) => `default ${of} ${to}`),
);
const columnNamed = fc.tuple(columnName, type, columnRule).map(([of, is, rule]) => `${of} ${is} ${rule}`.trim());
const tableRule = fc.oneof(
  condition.map(of => `check (${of})`),
  column.map(of => `unique (${of})`),
  fc.tuple(column, refers).map(([of, to]) => `foreign key (${of}) ${to}`),
);

const createsTable = fc
  .tuple(
    any('', '', 'temp '),
    any('', 'if not exists '),
    newName,
    fc.array(columnNamed, { minLength: 1, maxLength: 3 }),
    fc.array(tableRule, { maxLength: 1 }),
    any('', '', '', ' strict', ' without rowid'),
  )
  .map(
    ([kind, unless, of, own, rules, rest]) =>
      `create ${kind}table ${unless}${of} (${[...own, ...rules].join(', ')})${rest}`,
  );
const createsOther = fc.oneof(
  fc
    .tuple(any('', 'temp '), newName, table)
    .map(([kind, of, from]) => `create ${kind}table ${of} as select * from ${from}`),
  fc
    .tuple(any('', 'temp '), newName, column, table)
    .map(([kind, of, what, from]) => `create ${kind}view ${of} as select ${what} from ${from}`),
  fc
    .tuple(
      newName,
      any(
        'fts5 (body)',
        "fts5 (body, content='orders', content_rowid='id')",
        'fts4 (body)',
        'rtree (id, a, b)',
        'fts5vocab (words, row)',
      ),
    )
    .map(([of, module]) => `create virtual table ${of} using ${module}`),
  fc.tuple(name, table).map(([of, on]) => `create trigger ${of} after insert on ${on} begin select 1; end`),
);
const createsIndex = fc
  .tuple(
    any('', '', '', 'unique '),
    name,
    table,
    fc.array(
      fc.oneof(
        column,
        overRows.map(of => `(${of})`),
        column.map(of => `${of} desc`),
        any('"new"', '"rush"'),
      ),
      { minLength: 1, maxLength: 2 },
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      condition.map(of => ` where ${of}`),
    ),
  )
  .map(([unique, of, on, what, where]) => `create ${unique}index ${of} on ${on} (${what.join(', ')})${where}`);
const alters = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(table, columnNamed).map(([of, what]) => `alter table ${of} add column ${what}`) },
  fc.tuple(table, column, columnName).map(([of, from, to]) => `alter table ${of} rename column ${from} to ${to}`),
  fc.tuple(table, name).map(([of, to]) => `alter table ${of} rename to ${to}`),
  fc.tuple(table, column).map(([of, what]) => `alter table ${of} drop column ${what}`),
  any(
    'analyze',
    'analyze orders',
    'reindex',
    'vacuum',
    'pragma user_version = 5',
    'pragma optimize',
    'pragma journal_mode = wal',
  ),
  any(
    "insert into words(words) values ('optimize')",
    "insert into words(words) values ('rebuild')",
    "insert into words(words, rank) values ('merge', 5)",
  ),
);

export const definitions: fc.Arbitrary<readonly string[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: createsTable },
    { weight: 2, arbitrary: createsOther },
    { weight: 3, arbitrary: createsIndex },
    { weight: 5, arbitrary: alters },
  ),
  { minLength: 1, maxLength: 4 },
);
