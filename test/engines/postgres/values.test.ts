/** Each value reaches the reader as `psql` prints it, and its type with the server's own name. */

import { expect, test } from '@jest/globals';
import { engineUnderTest } from './engine.ts';
import { asPsql, columns } from './every-type.ts';
import { describeWithPostgres, runOn } from './suite.ts';

describeWithPostgres('PostgreSQL values', suite => {
  test('a table with each type reads byte for byte as psql prints it', async () => {
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
    expect(read.printed.map(cells => cells.map(asPsql).join(separator))).toEqual(printed.split('\n'));
    // The server reports a domain as its base type.
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

  test.each([1e308, 1.7976931348623157e308, 5e-324, 1e21, 1e20, -1e-7, 0.1, 2 ** 53, -0])(
    'the number %p arrives as it was sent',
    async number => {
      const { rows } = await runOn(suite.open(), 'select $1::text, $2::float8', { parameters: [number, number] });
      const [text, float] = rows[0] ?? [];
      expect([Number(text), Number(float)]).toEqual([number, number]);
    },
  );

  test('the settings of a role or database don’t change how values are written', async () => {
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

  test('which of two numbers in a date is the month stays as the role, database or server has it', async () => {
    await suite.server.psql("create database days; alter database days set DateStyle = 'German, DMY'");
    const sql = "select date '01/02/2003'";
    const opened = suite.open({ database: 'days' });
    for (const _ of ['first', 'again']) expect((await runOn(opened, sql)).rows).toEqual([['2003-02-01']]);
    expect((await runOn(suite.open(), sql)).rows).toEqual([['2003-01-02']]);
  });

  test('bytes that aren’t UTF-8 are replaced, and the reader is told', async () => {
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
