/** The classifier against a real server's catalog: user-defined functions, and a verdict for each volatile built-in. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actingFunction } from '../../../daemon/query/classification/postgres/acting-functions.ts';
import { builtInNames } from '../../../daemon/query/classification/postgres/built-in-names.ts';
import { namesToLookUp, type PostgresCatalog } from '../../../daemon/query/classification/postgres/catalog.ts';
import { catalogLookup } from '../../../daemon/query/classification/postgres/catalog-lookup.ts';
import {
  type ClassifyPostgres,
  loadPostgresClassifier,
} from '../../../daemon/query/classification/postgres/classify.ts';
import {
  volatileReads,
  volatileReadsOfExtensions,
} from '../../../daemon/query/classification/postgres/volatile-reads.ts';
import { needs } from '../../needs.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../servers/postgres.ts';

const binaries = findPostgres();

const objects = `
  create table t(id int primary key, name text);
  create function f_write() returns int language sql volatile as 'insert into t(id) values (1) returning id';
  create function f_read() returns bigint language sql stable as 'select count(*) from t';
  create function f_claims_stable() returns int language plpgsql stable as 'begin return 1; end';
  create function f_two(int) returns int language sql immutable as 'select 1';
  create function f_two(int, int) returns int language plpgsql volatile as 'begin return 1; end';
  create function f_default(int, int default 1) returns int language plpgsql volatile as 'begin return 1; end';
  create function f_many(variadic int[]) returns int language plpgsql volatile as 'begin return 1; end';
  create function lower(t) returns int language plpgsql volatile as 'begin return 1; end';
  create function f_row(t) returns int language plpgsql volatile as 'begin return 1; end';
  create function plus(int, int) returns int language plpgsql volatile as 'begin return 1; end';
  create operator ### (leftarg = int, rightarg = int, function = plus);
  create operator #!# (leftarg = int, rightarg = int, function = int4pl);
  create aggregate agg_write (int) (sfunc = plus, stype = int);
  create aggregate agg_read (int) (sfunc = int4pl, stype = int);
  create schema s;
  create function s.hidden() returns int language plpgsql volatile as 'begin return 1; end';
  create function public.hidden(text) returns int language sql immutable as 'select 1';
`;

const { describe: suite } = needs('unavailable' in binaries ? binaries.unavailable : null);

suite('with a catalog', () => {
  let server: PostgresServer;
  let classify: ClassifyPostgres;
  let extensions: readonly string[] = [];

  beforeAll(async () => {
    if ('unavailable' in binaries) return;
    [server, classify] = await Promise.all([startPostgres(binaries), loadPostgresClassifier()]);
    await server.psql(objects);
    const wanted = [
      'pgcrypto',
      'uuid-ossp',
      'tablefunc',
      'dblink',
      'pageinspect',
      'pgstattuple',
      'adminpack',
      'pg_surgery',
    ];
    const available = (await server.psql('select name from pg_available_extensions')).split('\n');
    extensions = available.filter(name => wanted.includes(name));
    for (const name of extensions) await server.psql(`create extension "${name}"`);
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
  });

  async function classifyWithCatalog(sql: string): Promise<string> {
    const names = namesToLookUp(classify(sql).question, true);
    if (names === null) return classify(sql).class;
    const literal = names.replaceAll("'", "''");
    const answer = await server.psql(catalogLookup.replaceAll('$1', `'${literal}'`));
    const catalog: PostgresCatalog = JSON.parse(answer);
    return classify(sql, catalog).class;
  }

  test.each([
    ['SELECT f_write()', 'write'],
    ['SELECT id FROM t WHERE f_write() > 0 LIMIT 1', 'write'],
    ['SELECT public."f_write"()', 'write'],
    ['SELECT F_WRITE()', 'write'],
    ['SELECT "F_WRITE"()', 'read'],
    ['SELECT f_read()', 'read'],
    ['SELECT f_claims_stable()', 'read'],
    ['EXPLAIN SELECT f_write()', 'read'],
    ['EXPLAIN ANALYZE SELECT f_write()', 'write'],
    ['SELECT f_two(1)', 'read'],
    ['SELECT f_two(1, 2)', 'write'],
    ['SELECT f_default(1)', 'write'],
    ['SELECT f_default(1, 2)', 'write'],
    ['SELECT f_many(1, 2, 3), 1', 'write'],
    ['SELECT f_many()', 'write'],
    ['SELECT no_such_function(1)', 'read'],
    ["SELECT lower('A')", 'write'],
    ["SELECT upper('a'), count(*) FROM t", 'read'],
    ['SELECT t.f_row FROM t', 'write'],
    ['SELECT (t).f_row FROM t', 'write'],
    ['SELECT f_row(t) FROM t', 'write'],
    ['SELECT (1).f_default', 'write'],
    ['SELECT (1).f_two', 'read'],
    ['SELECT x.f_default FROM abs(1) AS x', 'write'],
    ['SELECT x.f_two FROM abs(1) AS x', 'read'],
    ['SELECT t.f_default FROM t', 'read'],
    ['SELECT t.name, t.id FROM t', 'read'],
    ['SELECT 1 ### 2', 'write'],
    ['SELECT 1 OPERATOR(public.###) 2', 'write'],
    ['SELECT 1 #!# 2', 'read'],
    ['SELECT 1 + 2', 'read'],
    ['SELECT agg_write(id) FROM t', 'write'],
    ['SELECT agg_read(id) OVER () FROM t', 'read'],
    ['SELECT s.hidden()', 'write'],
    ["SELECT public.hidden('a')", 'read'],
    ['DELETE FROM t', 'destructive'],
    ["SELECT pg_read_file('x')", 'forbidden'],
  ])('%s is %s', async (sql, expected) => {
    expect(await classifyWithCatalog(sql)).toBe(expected);
  });

  test('the statements that the catalog decides are classified as judged', async () => {
    const judged: readonly { dialect: string; sql: string; class: string; decided_by: string }[] = JSON.parse(
      readFileSync(new URL('../../sql/statements.json', import.meta.url), 'utf8'),
    );
    const rows = judged.filter(row => row.dialect === 'postgres' && row.decided_by === 'catalog');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect([row.sql, await classifyWithCatalog(row.sql)]).toEqual([row.sql, row.class]);
  });

  test('volatile functions of extensions that change nothing are reads', async () => {
    if (extensions.includes('uuid-ossp')) expect(await classifyWithCatalog('SELECT uuid_generate_v4()')).toBe('read');
    if (extensions.includes('pgcrypto')) expect(await classifyWithCatalog("SELECT gen_salt('bf')")).toBe('read');
  });

  test('no volatile function of the server or its extensions is without a verdict', async () => {
    const rows = await server.psql(`
      select distinct p.proname || ' ' || p.pronargs || ' ' || coalesce(d.deptype::text, 'b') from pg_proc p
      left join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      where p.provolatile = 'v' and (p.pronamespace = 'pg_catalog'::regnamespace or d.deptype = 'e')`);
    const undecided = rows.split('\n').filter(row => {
      const [name = '', argumentCount, origin] = row.split(' ');
      const reads = origin === 'e' ? [...volatileReadsOfExtensions, ...volatileReads] : [...volatileReads];
      return actingFunction(null, name, Number(argumentCount)) === null && !reads.includes(name.toLowerCase());
    });
    expect(undecided).toEqual([]);
  });

  test('every built-in function has a name in the tables', async () => {
    const rows = await server.psql(
      "select distinct proname, pronargs from pg_proc where pronamespace = 'pg_catalog'::regnamespace",
    );
    const unknown = rows.split('\n').filter(row => {
      const [name = '', argumentCount] = row.split('|');
      return actingFunction(null, name, Number(argumentCount)) === null && !builtInNames.has(name.toLowerCase());
    });
    expect(unknown).toEqual([]);
  });

  test('what the server refuses in a transaction needs its own session', async () => {
    for (const sql of [
      'vacuum t',
      'create database x',
      'drop index concurrently if exists i',
      'reindex schema s',
      'cluster',
    ]) {
      await expect(server.psql(`begin; ${sql}; rollback;`)).rejects.toThrow(/transaction block/);
      expect([sql, classify(sql).needsOwnSession]).toEqual([sql, true]);
    }
  });
});
