/**
 * Each built-in function of PostgreSQL, called once. Functions that the classifier lets pass as a
 * read leave no trace, even for a superuser in a transaction that may write. Functions that it
 * doesn't let pass are volatile, run SQL from a string, or are called by operators and types alone.
 */

import { afterAll, beforeAll, expect } from '@jest/globals';
import pg from 'pg';
import { lazyClassifiers } from '../../daemon/guard/index.ts';
import { uncalledBuiltIns } from '../guard/uncalled-built-ins.ts';
import { needs } from '../needs.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../servers/postgres.ts';

const found = findPostgres();

/** A value that most functions of the type accept; null for any other type. */
const values: Readonly<Record<string, string>> = {
  '"any"': '1',
  '"char"': `'a'::"char"`,
  anyarray: 'array[1]',
  anyelement: '1',
  bigint: '1',
  boolean: 'true',
  bytea: "'x'::bytea",
  'character varying': "'x'",
  date: 'now()::date',
  'double precision': '1',
  inet: "'1.1.1.1'::inet",
  integer: '1',
  'integer[]': 'array[1]',
  interval: "'1s'::interval",
  json: `'{}'::json`,
  jsonb: `'{}'::jsonb`,
  money: "'1'::money",
  name: "'x'",
  numeric: '1',
  oid: "'t'::regclass::oid",
  'oid[]': 'array[1::oid]',
  pg_lsn: "'0/1'::pg_lsn",
  real: '1',
  regclass: "'t'::regclass",
  regconfig: "'english'::regconfig",
  smallint: '1',
  text: "'x'",
  'text[]': "array['x']",
  tid: "'(0,1)'::tid",
  'timestamp with time zone': 'now()',
  'timestamp without time zone': 'now()::timestamp',
  tsquery: "'a'::tsquery",
  tsvector: "'a'::tsvector",
  uuid: "'5b30857f-0bfa-48b5-ac0b-5c64e28078d1'::uuid",
  xid: "'3'::xid",
  xml: "'<a/>'::xml",
};

/** They give the transaction a number, and do nothing else. */
const numbering = /^(txid_current|pg_current_xact_id)$/;
/** Not volatile, but refused: they run queries over whatever a name or string says. */
const overNames = /^(database|schema|table)_to_xml(schema|_and_xmlschema)?$/;
/**
 * Not volatile, but refused: they make a value of the type that a number says, and run the checks
 * of its domains.
 */
const ofAnyType = /^(domain|record|array|range|multirange)_(in|recv)$/;

/** As the server prints them. */
const asText = { getTypeParser: () => (text: string) => text };

const look = `select json_build_array(pg_current_xact_id_if_assigned(), (select last_value from s), current_user, current_setting('work_mem'),
  (select count(*) from pg_largeobject_metadata), (select count(*) from pg_cursors where name <> ''), (select count(*) from pg_prepared_statements where name <> ''),
  (select count(*) from pg_locks where pid = pg_backend_pid() and (locktype = 'advisory' or (locktype = 'relation' and mode <> 'AccessShareLock'))))::text as seen`;

let server: PostgresServer;
let client: pg.Client;

/**
 * The answers to several statements sent together, since there are thousands of functions with some
 * statements each.
 */
async function answersTo(sql: string): Promise<readonly pg.QueryResult<{ seen: string }>[]> {
  return [await client.query<{ seen: string }>(sql)].flat();
}

beforeAll(async () => {
  if ('unavailable' in found) return;
  server = await startPostgres(found);
  await server.psql("create table t(id int primary key); create sequence s; select lo_from_bytea(4242, 'x')");
  client = new pg.Client({
    host: server.socketFolder,
    port: server.port,
    user: server.superuser,
    database: 'postgres',
  });
  await client.connect();
  await client.query("set statement_timeout = '500ms'");
}, 60_000);
afterAll(async () => {
  await client?.end();
  await server?.stop();
}, 60_000);

needs('unavailable' in found ? found.unavailable : null).test(
  'calls that pass as a read leave no trace, and others act',
  async () => {
    const classify = await lazyClassifiers().postgres();
    const { rows } = await client.query<{ proname: string; args: string[]; provolatile: string }>(
      `select proname, provolatile, array(select format_type(a, null) from unnest(proargtypes) with ordinality x(a, n) order by n) as args
       from pg_proc where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and proname !~ '^pg_sleep' order by 1`,
    );
    expect(rows.length).toBeGreaterThan(2_000);
    const traces: string[] = [];
    const strict: string[] = [];
    let ran = 0;
    for (const { proname, args, provolatile } of rows) {
      const sql = `SELECT pg_catalog."${proname}"(${args.map(type => values[type] ?? `NULL::${type}`).join(', ')})`;
      const classified = classify(sql);
      expect([sql, classified.calls]).toEqual([sql, []]);
      if (classified.class !== 'read') {
        const isMeant = overNames.test(proname) || ofAnyType.test(proname) || uncalledBuiltIns.has(proname);
        if (provolatile !== 'v' && !isMeant) strict.push(`${classified.class}: ${sql}`);
        continue;
      }
      const [, begun] = await answersTo(`begin; ${look}; savepoint here`);
      const before = begun?.rows[0]?.seen;
      const isTaken = await client.query(sql).then(
        () => true,
        () => false,
      );
      if (isTaken) {
        ran += 1;
        const [seen] = await answersTo(`${look}; rollback`);
        const after = seen?.rows[0]?.seen;
        if (after !== before && !numbering.test(proname)) traces.push(`${sql}: ${before} ${after}`);
      } else await client.query('rollback');
    }
    expect({ traces, strict }).toEqual({ traces: [], strict: [] });
    expect(ran).toBeGreaterThan(500);
  },
  120_000,
);

needs('unavailable' in found ? found.unavailable : null).test(
  'a call that runs as pg_read_all_data gives a superuser the same answer',
  async () => {
    const classify = await lazyClassifiers().postgres();
    const answer = (sql: string): Promise<string> =>
      client.query({ text: sql, rowMode: 'array', types: asText }).then(
        ({ rows }) => JSON.stringify(rows),
        (error: { code?: string }) => `error ${error.code}`,
      );
    const { rows } = await client.query<{ proname: string; args: string[] }>(
      `select proname, array(select format_type(a, null) from unnest(proargtypes) with ordinality x(a, n) order by n) as args
       from pg_proc where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and proname !~ '^pg_sleep' order by 1`,
    );
    const others: string[] = [];
    let compared = 0;
    for (const { proname, args } of rows) {
      const sql = `SELECT pg_catalog."${proname}"(${args.map(type => values[type] ?? `NULL::${type}`).join(', ')})`;
      const classified = classify(sql);
      if (classified.class !== 'read' || classified.dependsOnRole) continue;
      await client.query('begin read only; savepoint here');
      const own = await answer(sql);
      await client.query('rollback to here');
      const again = await answer(sql);
      await client.query('rollback to here; set local role pg_read_all_data');
      const asReader = await answer(sql);
      await client.query('rollback');
      if (own !== again) continue;
      compared += 1;
      if (own !== asReader) others.push(`${sql}: ${own} ${asReader}`);
    }
    expect(others).toEqual([]);
    expect(compared).toBeGreaterThan(750);
  },
  120_000,
);
