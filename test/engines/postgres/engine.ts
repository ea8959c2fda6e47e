/** PostgreSQL's part of the suite that loops over the engines. */

import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import type { Engine } from '../../../shared/engine.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import type { EngineUnderTest, StatementCase } from '../engine-under-test.ts';
import { endpointOf, portsOf } from './suite.ts';

const database = 'suite';

/** One column called `v`: the expression, its type as PostgreSQL names it, the cell. */
function value(expression: string, type: string, cell: unknown): StatementCase {
  return { sql: `select ${expression} as v`, columns: [{ name: 'v', type }], rows: [[cell]] };
}

const values: Readonly<Record<string, StatementCase>> = {
  bigint: value('9223372036854775807::bigint', 'bigint', '9223372036854775807'),
  'bigint, least': value('(-9223372036854775808)::bigint', 'bigint', '-9223372036854775808'),
  integer: value('(-2147483648)::integer', 'integer', -2147483648),
  smallint: value('32767::smallint', 'smallint', 32767),
  oid: value('4294967295::oid', 'oid', 4294967295),
  numeric: value(
    '12345678901234567890.123456789012345678901234567890::numeric',
    'numeric',
    '12345678901234567890.123456789012345678901234567890',
  ),
  'numeric with scale': value('1.5::numeric(20,5)', 'numeric(20,5)', '1.50000'),
  'numeric NaN': value("'NaN'::numeric", 'numeric', 'NaN'),
  real: value('0.1::real', 'real', 0.1),
  'double precision': value("'1.7976931348623157e308'::float8", 'double precision', 1.7976931348623157e308),
  'double precision, inexact': value('0.1::float8 + 0.2::float8', 'double precision', 0.30000000000000004),
  'double precision NaN': value("'NaN'::float8", 'double precision', 'NaN'),
  'double precision -Infinity': value("'-Infinity'::float8", 'double precision', '-Infinity'),
  'double precision -0': value("'-0'::float8", 'double precision', '-0'),
  boolean: value('true', 'boolean', true),
  'boolean false': value('false', 'boolean', false),
  null: value('null::integer', 'integer', null),
  text: value("'naïve 🐘 “”'::text", 'text', 'naïve 🐘 “”'),
  'character varying': value("'ab'::varchar(5)", 'character varying(5)', 'ab'),
  character: value("'ab'::char(5)", 'character(5)', 'ab   '),
  '"char"': value(`'x'::"char"`, '"char"', 'x'),
  name: value("'n'::name", 'name', 'n'),
  bytea: value("'\\x00ff5c'::bytea", 'bytea', '\\x00ff5c'),
  'empty bytea': value("''::bytea", 'bytea', '\\x'),
  bit: value("B'1010'::bit(4)", 'bit(4)', '1010'),
  'bit varying': value("B'10'::varbit(8)", 'bit varying(8)', '10'),
  date: value("date '2024-02-29'", 'date', '2024-02-29'),
  'date BC': value("date '0044-03-15 BC'", 'date', '0044-03-15 BC'),
  'date infinity': value("date 'infinity'", 'date', 'infinity'),
  time: value("time '23:59:59.999999'", 'time without time zone', '23:59:59.999999'),
  'time with time zone': value("timetz '04:05:06.5-08:30'", 'time with time zone', '04:05:06.5-08:30'),
  timestamp: value(
    "timestamp '2024-01-02 03:04:05.000001'",
    'timestamp without time zone',
    '2024-01-02 03:04:05.000001',
  ),
  'timestamp with precision': value(
    "timestamp(3) '2024-01-02 03:04:05.6789'",
    'timestamp(3) without time zone',
    '2024-01-02 03:04:05.679',
  ),
  'timestamp with time zone': value(
    "timestamptz '2024-07-01 12:00:00.123456+00'",
    'timestamp with time zone',
    '2024-07-01 14:00:00.123456+02',
  ),
  'timestamp BC': value("timestamp '4713-01-01 00:00:00 BC'", 'timestamp without time zone', '4713-01-01 00:00:00 BC'),
  interval: value(
    "interval '1 year 2 mons -3 days 04:05:06.000007'",
    'interval',
    '1 year 2 mons -3 days +04:05:06.000007',
  ),
  'interval with fields': value("interval '3' hour", 'interval hour', '03:00:00'),
  uuid: value("'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid", 'uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'),
  json: value(`'{"b": 1.0, "a": 12345678901234567890}'::json`, 'json', '{"b": 1.0, "a": 12345678901234567890}'),
  jsonb: value(`'{"b":1.0,"a":12345678901234567890}'::jsonb`, 'jsonb', '{"a": 12345678901234567890, "b": 1.0}'),
  xml: value("'<a>ü</a>'::xml", 'xml', '<a>ü</a>'),
  'integer array': value("'{1,NULL,3}'::int[]", 'integer[]', '{1,NULL,3}'),
  'text array': value(`array['a b','"',null]`, 'text[]', '{"a b","\\"",NULL}'),
  'numeric array': value("'{{1.10},{2}}'::numeric(5,2)[]", 'numeric(5,2)[]', '{{1.10},{2.00}}'),
  int4range: value('int4range(1,5)', 'int4range', '[1,5)'),
  tstzrange: value("tstzrange('2024-01-01 00:00+00', null)", 'tstzrange', '["2024-01-01 01:00:00+01",)'),
  nummultirange: value('nummultirange(numrange(1,2))', 'nummultirange', '{[1,2)}'),
  money: value("'12.34'::money", 'money', '$12.34'),
  inet: value("inet '10.0.0.1/8'", 'inet', '10.0.0.1/8'),
  cidr: value("cidr '10.0.0.0/8'", 'cidr', '10.0.0.0/8'),
  macaddr: value("macaddr '08:00:2b:01:02:03'", 'macaddr', '08:00:2b:01:02:03'),
  point: value('point(1.5,-2)', 'point', '(1.5,-2)'),
  polygon: value("polygon '((0,0),(1,1),(1,0))'", 'polygon', '((0,0),(1,1),(1,0))'),
  tsvector: value("to_tsvector('simple', 'a b')", 'tsvector', "'a':1 'b':2"),
  regclass: value("'pg_class'::regclass", 'regclass', 'pg_class'),
  row: value("row(1,'a b',null)", 'record', '(1,"a b",)'),
  enum: value("'sad'::mood", 'mood', 'sad'),
  'enum array': value("'{sad,happy}'::mood[]", 'mood[]', '{sad,happy}'),
  // The server reports a domain as its base type.
  domain: value('7::positive', 'integer', 7),
  composite: value("row('x', 1.5)::part", 'part', '(x,1.50)'),
  'type in another schema': value("'a'::elsewhere.letter", 'elsewhere.letter', 'a'),
  void: value('pg_sleep(0)', 'void', ''),
};

const setUp = `
create type mood as enum ('sad', 'happy');
create domain positive as integer check (value > 0);
create type part as (name text, price numeric(10,2));
create schema elsewhere;
create type elsewhere.letter as enum ('a', 'b');
create table written (id integer);
create sequence counted;
`;

/** What a DBA may set for a role, each another value than a new server's. */
const turned: Readonly<Record<string, string>> = {
  array_nulls: 'off',
  bytea_output: 'escape',
  client_min_messages: 'error',
  datestyle: 'German',
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'serializable',
  exit_on_error: 'on',
  extra_float_digits: '-15',
  gin_fuzzy_search_limit: '1',
  intervalstyle: 'sql_standard',
  quote_all_identifiers: 'on',
  standard_conforming_strings: 'off',
};

/** @param isTurned true for a server whose settings are turned. */
export function engineUnderTest(
  isTurned = false,
): EngineUnderTest | { readonly engine: Engine; readonly unavailable: string } {
  const found = findPostgres();
  if ('unavailable' in found) return { engine: 'postgres', unavailable: found.unavailable };
  let started: PostgresServer | null = null;
  const server = (): PostgresServer => {
    if (started === null) throw new Error('the PostgreSQL test server is not started');
    return started;
  };
  return {
    engine: 'postgres',
    async start() {
      started = await lendPostgres();
      await started.psql(`create database ${database}`);
      await started.psql(setUp, database);
      for (const [name, value] of isTurned ? Object.entries(turned) : [])
        await started.psql(`alter role ${started.superuser} set ${name} = '${value}'`);
    },
    async stop() {
      await started?.stop();
      started = null;
    },
    open: () => openPostgres(endpointOf(server(), { database }), portsOf(server().password)),
    async execute(sql) {
      await server().ask(sql, database);
    },
    cases: {
      values,
      duplicateColumnNames: {
        sql: 'select 1 as a, 2 as a',
        columns: [
          { name: 'a', type: 'integer' },
          { name: 'a', type: 'integer' },
        ],
        rows: [[1, 2]],
      },
      // PostgreSQL has no empty name ("" is an error); this is its name for an unnamed column.
      emptyColumnName: { sql: 'select 1', columns: [{ name: '?column?', type: 'integer' }], rows: [[1]] },
      emptyResult: {
        sql: "select 1 as a, 'x'::text as b where false",
        columns: [
          { name: 'a', type: 'integer' },
          { name: 'b', type: 'text' },
        ],
        rows: [],
      },
      boundParameters: {
        sql: 'select $1::bigint as a, $2::text as b, $3::boolean as c, $4::integer as d, $5::numeric as e',
        parameters: ['9007199254740993', "'; drop table written; --", true, null, 1.5],
        columns: [
          { name: 'a', type: 'bigint' },
          { name: 'b', type: 'text' },
          { name: 'c', type: 'boolean' },
          { name: 'd', type: 'integer' },
          { name: 'e', type: 'numeric' },
        ],
        rows: [['9007199254740993', "'; drop table written; --", true, null, '1.5']],
      },
      slowRead: 'select pg_sleep(60)',
      manyRows: 'select a, b from generate_series(1, 1000) as a, generate_series(1, 1000) as b',
      hugeCell: "select repeat('x', 200000000)",
      syntaxError: 'selec 1',
      writes: [
        'insert into written values (1)',
        'update written set id = 2',
        'delete from written',
        'truncate written',
        'drop table written',
        'create table other (id integer)',
        'with w as (insert into written values (1) returning id) select * from w',
        "select nextval('counted')",
        'select * from written for update',
      ],
      alone: 'vacuum written',
      explain: 'explain select * from written',
    },
    async runningStatements() {
      const running = await server().ask(
        `select replace(query, chr(10), ' ') from pg_stat_activity
         where backend_type = 'client backend' and state <> 'idle' and application_name like 'Sallyport%'`,
      );
      return running === '' ? [] : running.split('\n');
    },
  };
}
