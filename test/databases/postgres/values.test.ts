/** Every value reaches the reader as `psql` prints it, and its type by the server's own name. */

import { expect, test } from '@jest/globals';
import type { Cell } from '../../../daemon/query/database.ts';
import { engineUnderTest } from './engine.ts';
import { describeWithPostgres, runOn } from './suite.ts';

/** What `psql -At` prints for a cell. */
function asPsql(cell: Cell): string {
  if (cell === null) return '';
  if (cell === true) return 't';
  if (cell === false) return 'f';
  return typeof cell === 'object' ? cell.kept : String(cell);
}

/** A column of every base, range and multirange type that has an input function, filled with what is written beside it. */
const columns: readonly (readonly [type: string, literals: readonly (string | null)[]])[] = [
  ['int2', ['-32768', '0']],
  ['int4', ['2147483647', '-1']],
  ['int8', ['9223372036854775807', '-9223372036854775808']],
  ['numeric', ['0.00000000000000000000000000001', '-99999999999999999999999999999999999999.5']],
  ['numeric(30,10)', ['12345678901234567890.0123456789', '1']],
  ['float4', ['3.4028235e+38', '1e-45']],
  ['float8', ['5e-324', '123456789.12345679']],
  ['bool', ['t', 'f']],
  ['text', ['tab\there', '']],
  ['varchar(10)', ['ünïcödé', 'x']],
  ['bpchar(4)', ['a', 'ab']],
  ['"char"', ['a', 'b']],
  ['name', ['some_name', 'Other Name']],
  ['bytea', ['\\xdeadbeef00', '\\x']],
  ['date', ['2024-02-29', '0001-12-31 BC']],
  ['time', ['00:00:00', '24:00:00']],
  ['timetz', ['01:02:03.456789+05:30', '23:00:00-12']],
  ['timestamp', ['294276-12-31 23:59:59.999999', '-infinity']],
  ['timestamp(0)', ['2024-03-31 02:30:00', '1999-12-31 23:59:59']],
  ['timestamptz', ['2024-03-31 01:00:00+00', '0044-03-15 12:00:00+00 BC']],
  ['interval', ['-1 mons +2 days -03:04:05.6', '178000000 years']],
  ['interval day to second(2)', ['3 days 04:05:06.789', '00:00:01']],
  ['uuid', ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
  ['json', ['{"a" : [1,2.50,null]}', '"x"']],
  ['jsonb', ['{"z": 1e3, "a": {"b": "\\u00e9"}}', 'null']],
  ['jsonpath', ['$.a[*] ? (@ > 1)', '$']],
  ['xml', ['<a b="c">d</a>', 'text']],
  ['bit(3)', ['101', '000']],
  ['varbit', ['1', '']],
  ['money', ['-1234.56', '92233720368547758.07']],
  ['inet', ['::1/128', '192.168.0.1/24']],
  ['cidr', ['2001:db8::/32', '10.0.0.0/8']],
  ['macaddr', ['08:00:2b:01:02:03', 'ff:ff:ff:ff:ff:ff']],
  ['macaddr8', ['08:00:2b:01:02:03:04:05', '00:00:00:00:00:00:00:00']],
  ['point', ['(1e300,-0)', '(0.1,0.2)']],
  ['line', ['{1,2,3}', '{0,1,0}']],
  ['lseg', ['[(0,0),(1,1)]', '[(1,2),(3,4)]']],
  ['box', ['(2,2),(0,0)', '(1,1),(1,1)']],
  ['path', ['[(0,0),(1,1)]', '((0,0),(1,1),(2,0))']],
  ['polygon', ['((0,0),(1,1),(2,0))', '((0,0))']],
  ['circle', ['<(0,0),1>', '<(1.5,2),3>']],
  ['tsvector', ["'fat':2 'cat':3A", '']],
  ['tsquery', ["'fat' & ( 'rat' | 'cat' )", '']],
  ['pg_lsn', ['16/B374D848', '0/0']],
  ['xid8', ['18446744073709551615', '0']],
  ['txid_snapshot', ['10:20:10,14,15', '1:1:']],
  ['pg_snapshot', ['10:20:10,14,15', '1:1:']],
  ['oid', ['4294967295', '0']],
  ['regclass', ['pg_type', 'pg_class']],
  ['regtype', ['integer', 'mood']],
  ['int4range', ['[1,10)', 'empty']],
  ['int8range', ['(,9223372036854775807)', '[1,2)']],
  ['numrange', ['(1.10,2.20]', '(,)']],
  ['daterange', ['[2024-01-01,2024-02-01)', 'empty']],
  ['tsrange', ['["2024-01-01 00:00:00","2024-01-02 00:00:00")', 'empty']],
  ['tstzrange', ['["2024-01-01 00:00:00+00",)', 'empty']],
  ['int4multirange', ['{[1,3),[5,7)}', '{}']],
  ['datemultirange', ['{[2024-01-01,2024-01-03)}', '{}']],
  ['int4[]', ['{{1,2},{3,NULL}}', '{}']],
  ['text[]', ['{"a,b","c\\"d",NULL,"NULL"}', '{""}']],
  ['mood', ['sad', 'happy']],
  ['mood[]', ['{sad,NULL}', '{}']],
  ['positive', ['1', '2']],
  ['part', ['("a b",1.50)', '(,)']],
  ['part[]', ['{"(x,1.00)"}', '{}']],
  ['citext', ['MiXed', '']],
  ['hstore', ['"a"=>"1", "b"=>NULL', '']],
  ['ltree', ['a.b.c', '']],
];

describeWithPostgres('PostgreSQL values', suite => {
  test('a table with every type reads byte for byte as psql prints it', async () => {
    await suite.server.psql(`
      create type mood as enum ('sad', 'happy');
      create domain positive as integer check (value > 0);
      create type part as (name text, price numeric(10,2));
      create extension citext; create extension hstore; create extension ltree;
      create table every_type (row integer, ${columns.map(([type], index) => `c${index} ${type}`).join(', ')});
    `);
    for (const row of [0, 1]) {
      const literals = columns.map(([, values]) => `$quoted$${values[row] ?? ''}$quoted$`).join(', ');
      await suite.server.psql(`insert into every_type values (${row}, ${literals})`);
    }
    await suite.server.psql('insert into every_type (row) values (2)');

    const sql = 'select * from every_type order by row';
    const separator = '\u0001';
    const printed = await suite.server.psql(`\\pset fieldsep '${separator}'\n${sql};`);
    const names = await suite.server.psql(
      `select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'every_type'::regclass and attnum > 0 order by attnum`,
    );
    const read = await runOn(suite.open(), sql);

    expect(read.outcome).toEqual({ kind: 'done', rowsAffected: null, cutByWire: false, warnings: [] });
    expect(read.rows.map(cells => cells.map(asPsql).join(separator))).toEqual(printed.split('\n'));
    // The server announces a domain as the type under it.
    const announced = names.split('\n').map(name => (name === 'positive' ? 'integer' : name));
    expect(read.columns?.map(column => column.type)).toEqual(announced);
  });

  test('each built-in type is named as format_type names it, with and without modifiers', async () => {
    const database = suite.open();
    const casts = [
      ...[
        'numeric(1000,0)',
        'numeric(5,-2)',
        'numeric(3,5)',
        'varchar',
        'varchar(10485760)',
        'char',
        'bpchar',
        'bit(9)',
        'varbit(64)',
      ],
      ...['time(0)', 'timetz(6)', 'timestamp(1)', 'timestamptz(2)', 'interval(3)', 'interval year to month'],
      ...[
        'numeric(5,2)[]',
        'varchar(3)[]',
        'timestamptz(2)[]',
        'int8[]',
        '"char"[]',
        'oidvector',
        'int2vector',
        'xid',
        'cid',
        'tid',
      ],
      ...['regproc', 'regprocedure', 'regoper', 'regoperator', 'regrole', 'regnamespace', 'regconfig', 'regdictionary'],
      ...[
        'aclitem',
        'refcursor',
        'tsvector[]',
        'nummultirange[]',
        'pg_lsn[]',
        'uuid[]',
        'json[]',
        'jsonb[]',
        'xml[]',
        'bytea[]',
      ],
    ];
    const columnList = casts.map((cast, index) => `null::${cast} as c${index}`).join(', ');
    await suite.server.psql(`create view casts as select ${columnList}`);
    const names = await suite.server.psql(
      `select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'casts'::regclass and attnum > 0 order by attnum`,
    );
    const read = await runOn(database, 'select * from casts');
    expect(read.columns?.map(column => column.type)).toEqual(names.split('\n'));
  });

  test('the settings of a role or database do not change how values are written', async () => {
    await suite.server.psql(`
      create database odd;
      alter database odd set DateStyle = 'German'; alter database odd set IntervalStyle = 'iso_8601';
      alter database odd set bytea_output = 'escape'; alter database odd set extra_float_digits = -15;
      alter database odd set standard_conforming_strings = off;
    `);
    const sql = String.raw`select date '2024-02-29', interval '1 day 2 hours', '\x00ff'::bytea, 0.1::float8 + 0.2, 'a\'`;
    const read = await runOn(suite.open({ database: 'odd' }), sql);
    expect(read.rows).toEqual([['2024-02-29', '1 day 02:00:00', '\\x00ff', 0.30000000000000004, 'a\\']]);
  });

  test('bytes that are not UTF-8 are replaced, and the reader is told', async () => {
    await suite.server.psql("create database bytes encoding 'SQL_ASCII' template template0");
    const database = suite.open({ database: 'bytes' });
    const read = await runOn(database, String.raw`select E'caf\xe9' as v`);
    expect(read.outcome).toMatchObject({ kind: 'done', warnings: [expect.stringContaining('UTF-8')] });
    expect(read.rows).toEqual([['caf\ufffd']]);
    const honest = await runOn(database, "select '\ufffd' as v");
    expect(honest).toMatchObject({ rows: [['\ufffd']], outcome: { warnings: [] } });
  });

  test('a cell longer than its limit is cut at a character, with its full length given', async () => {
    const limits = { cellBytes: 10, wireBytes: 1_000_000 };
    const read = await runOn(suite.open(), String.raw`select repeat('é🐘', 4), '\x0102030405060708'::bytea, 'short'`, {
      limits,
    });
    expect(read.rows).toEqual([[{ kept: 'é🐘é', fullBytes: 24 }, { kept: '\\x01020304', fullBytes: 8 }, 'short']]);
  });
});

test('the looped suite has a case for each kind of value', () => {
  const engine = engineUnderTest();
  if ('cases' in engine) expect(Object.keys(engine.cases.values).length).toBeGreaterThan(50);
  else expect(engine.unavailable).toContain('apt-get install postgresql');
});
