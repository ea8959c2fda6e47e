/**
 * What a program's texts do to its session, over PostgreSQL's own protocol: each setting that may
 * be given, each that may not, and what travels in place of the program's words.
 */

import { expect, test } from '@jest/globals';
import { loadParser, type Parse } from '../../daemon/guard/postgres/parser.ts';
import {
  type ClientStatement,
  readClientQuery,
  readClientStatement,
} from '../../daemon/guard/postgres/wire/client-statements.ts';

let parse: Parse | null = null;

async function read(text: string): Promise<ClientStatement> {
  parse ??= await loadParser();
  return readClientStatement(parse, text);
}

const settings = `application_name array_nulls bytea_output client_min_messages cursor_tuple_fraction datestyle
  default_transaction_deferrable default_transaction_isolation enable_bitmapscan enable_hashagg enable_hashjoin
  enable_indexonlyscan enable_indexscan enable_material enable_mergejoin enable_nestloop enable_seqscan enable_sort
  escape_string_warning extra_float_digits from_collapse_limit geqo idle_in_transaction_session_timeout
  idle_session_timeout intervalstyle jit join_collapse_limit lock_timeout max_parallel_workers_per_gather
  plan_cache_mode quote_all_identifiers random_page_cost row_security search_path statement_timeout
  synchronize_seqscans timezone transaction_deferrable transaction_isolation transaction_timeout xmlbinary
  xmloption`.split(/\s+/);

test.each(settings)('%s may be set, by SET and by set_config, with constants', async name => {
  expect(await read(`SET ${name} = 'a', 'b''c'`)).toEqual({
    sql: `SET ${name} TO 'a', 'b''c'`,
    does: { kind: 'set', renames: name === 'search_path' },
  });
  expect(await read(`set local ${name.toUpperCase()} to a`)).toMatchObject({ sql: `SET LOCAL ${name} TO 'a'` });
  const config = await read(`SELECT set_config('${name}', 'x', false)`);
  expect(config).toEqual({
    sql: `SELECT pg_catalog.set_config('${name}', 'x', false)`,
    does: { kind: 'config', renames: name === 'search_path' },
  });
  for (const computed of [`'a' || 'b'`, `(SELECT 'a')`, 'version()', '$1'])
    expect((await read(`SELECT set_config('${name}', ${computed}, false)`)).does.kind).toBe('refused');
});

test.each(['UNICODE', "'unicode'", 'utf8', "'UTF-8'"])('client_encoding as %s travels as UTF8', async given => {
  expect((await read(`SET client_encoding TO ${given}`)).sql).toBe("SET client_encoding TO 'UTF8'");
  const quoted = `'${given.replaceAll("'", '')}'`;
  expect((await read(`SELECT set_config('client_encoding', ${quoted}, false)`)).sql).toBe(
    "SELECT pg_catalog.set_config('client_encoding', 'UTF8', false)",
  );
});

test.each([
  ['client_encoding', 'UTF8', 'SJIS'],
  ['client_encoding', "'utf-8'", 'gbk'],
  ['standard_conforming_strings', 'on', 'off'],
  ['backslash_quote', 'safe_encoding', 'on'],
  ['default_transaction_read_only', 'on', 'off'],
  ['transaction_read_only', 'true', 'false'],
])('%s stays what it is: %s passes, %s does not', async (name, kept, other) => {
  expect((await read(`SET ${name} = ${kept}`)).does.kind).toBe('set');
  for (const text of [
    `SET ${name} = ${other}`,
    `SET LOCAL ${name} TO '${other}'`,
    `SELECT pg_catalog.set_config('${name}', '${other}', true)`,
    `SELECT set_config('search_path', '', false), set_config('${name}', '${other}', true)`,
    `RESET ${name}`,
    `SET ${name} TO DEFAULT`,
  ])
    expect([text, (await read(text)).does.kind]).toEqual([text, 'refused']);
});

test.each([
  ...['SET role = a', 'SET ROLE NONE', 'RESET ROLE', 'SET SESSION AUTHORIZATION a', 'RESET SESSION AUTHORIZATION'],
  ...['SET session_replication_role = replica', 'SET temp_tablespaces = a', 'SET local_preload_libraries = a'],
  ...['SET zero_damaged_pages = on', 'SET lo_compat_privileges = on', 'SET a.b = c', 'SET work_mem = 1'],
  ...['RESET transaction_read_only', 'SET transaction_isolation TO DEFAULT', 'RESET transaction_deferrable'],
  ...['SET TRANSACTION READ WRITE', 'BEGIN READ WRITE', 'START TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ WRITE'],
  ...['SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE', "SET TIME ZONE INTERVAL '1' DAY"],
  ...["SET datestyle = interval '1' hour to minute", "SET TIME ZONE INTERVAL (3) '1'"],
  ...["PREPARE TRANSACTION 'a'", "COMMIT PREPARED 'a'", "ROLLBACK PREPARED 'a'"],
  ...['COPY a FROM STDIN', "COPY a FROM '/a'", "COPY a TO '/a'", "COPY a TO PROGRAM 'a'", "COPY (SELECT 1) TO '/a'"],
  ...['LOCK a', 'LOCK a IN ROW SHARE MODE', 'SELECT 1; SELECT 2', 'SELECT', 'SELEC 1'].filter(
    text => text !== 'SELECT',
  ),
  ...["SELECT set_config('role', 'a', false)", "SELECT set_config('search_path', 'a', false) FROM b"],
  ...["SELECT public.set_config('search_path', 'a', false)", "SELECT b, set_config('search_path', 'a', false)"],
  ...["SELECT set_config(name, 'view, foreign-table', false) FROM pg_settings WHERE name = 'other'"],
])('%s is refused', async text => {
  expect((await read(text)).does.kind).toBe('refused');
});

test.each([
  ['BEGIN', 'BEGIN TRANSACTION READ ONLY', 'begin'],
  ['begin isolation level repeatable read', 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', 'begin'],
  ['START TRANSACTION READ ONLY, DEFERRABLE', 'BEGIN TRANSACTION DEFERRABLE, READ ONLY', 'begin'],
  ['END', 'COMMIT', 'end'],
  ['ABORT AND CHAIN', 'ROLLBACK AND CHAIN', 'end'],
  ['SAVEPOINT "a"" b"', 'SAVEPOINT "a"" b"', 'pass'],
  ['RELEASE a', 'RELEASE SAVEPOINT "a"', 'pass'],
  ['ROLLBACK TO a', 'ROLLBACK TO SAVEPOINT "a"', 'back'],
  ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY', 'set'],
  ["SET TRANSACTION SNAPSHOT '0-1'", "SET TRANSACTION SNAPSHOT '0-1'", 'set'],
  ['RESET search_path', 'RESET search_path', 'set'],
  ['RESET ALL', 'RESET ALL', 'set'],
  ["SET NAMES 'UTF8'", "SET client_encoding TO 'UTF8'", 'set'],
  ["SET TIME ZONE INTERVAL '+01:00' HOUR TO MINUTE", "SET TIME ZONE INTERVAL '+01:00' HOUR TO MINUTE", 'set'],
  ['DISCARD ALL', 'DISCARD ALL', 'alone'],
  ['DISCARD PLANS', 'DISCARD PLANS', 'pass'],
  ['LOCK TABLE a IN ACCESS SHARE MODE', 'LOCK TABLE a IN ACCESS SHARE MODE', 'pass'],
  ['UNLISTEN *', 'UNLISTEN *', 'pass'],
  ['select pg_advisory_unlock_all();', 'SELECT pg_catalog.pg_advisory_unlock_all()', 'pass'],
  ['DEALLOCATE a', 'DEALLOCATE a', 'deallocate'],
  ['EXECUTE a', 'EXECUTE a', 'execute'],
  [' -- nothing', '', 'pass'],
])('%s travels as %s', async (text, sql, kind) => {
  expect(await read(text)).toMatchObject({ sql, does: { kind } });
});

test.each([
  ['PREPARE a AS INSERT INTO b VALUES (1)', 'write'],
  ['PREPARE a AS SELECT 1', 'read'],
  ['PREPARE a(int, text, pg_catalog.date[], numeric(10, 2), double precision) AS SELECT $1', 'read'],
  ['PREPARE a(b) AS SELECT $1', 'refused'],
  ['PREPARE a(int, b.c[]) AS SELECT $2', 'refused'],
  ['DECLARE a CURSOR FOR SELECT b() FROM c', 'read'],
  ['DECLARE a CURSOR FOR SELECT nextval(1)', 'write'],
  ['COPY (DELETE FROM a RETURNING *) TO STDOUT', 'destructive'],
  ['COPY a.b (c) TO STDOUT', 'read'],
  ['COPY pg_authid TO STDOUT', 'forbidden'],
  ["EXECUTE a(nextval('b'))", 'write'],
  ['EXPLAIN ANALYZE DELETE FROM a', 'destructive'],
  ['EXPLAIN EXECUTE a', 'refused'],
  ['EXPLAIN (ANALYZE) EXECUTE a', 'refused'],
  ['EXPLAIN ANALYZE DECLARE a CURSOR FOR SELECT nextval(1)', 'forbidden'],
  ['LISTEN a', 'forbidden'],
  ['DO $$BEGIN END$$', 'forbidden'],
  ["PREPARE a AS SELECT '\\', lo_unlink(1) --'", 'destructive'],
])('%s is judged by what it holds: %s', async (text, given) => {
  const { does } = await read(text);
  const found = 'by' in does ? does.by?.class : does.kind;
  expect(found).toBe(given);
});

test('a query is split where the server would split it, and each piece is read by itself', async () => {
  parse ??= await loadParser();
  const texts = (text: string) => readClientQuery(parse as Parse, text).map(({ sql }) => sql);
  expect(texts("SELECT ';'; SELECT $$;$$ /* ; */; BEGIN")).toEqual([
    "SELECT ';'",
    'SELECT $$;$$ /* ; */',
    'BEGIN TRANSACTION READ ONLY',
  ]);
  expect(texts('SELECT 1;')).toHaveLength(1);
  expect(readClientQuery(parse as Parse, 'SELECT 1; SELEC 2').map(({ does }) => does.kind)).toEqual(['refused']);
});

test('a text is parsed once, and each statement of several once more', async () => {
  parse ??= await loadParser();
  const { plpgsql, calledNames } = parse;
  const whole = parse;
  const parsed: string[] = [];
  const counting = Object.assign(
    (sql: string) => {
      parsed.push(sql);
      return whole(sql);
    },
    { plpgsql, calledNames },
  );
  expect(readClientQuery(counting, 'SELECT a FROM b')).toEqual([readClientStatement(whole, 'SELECT a FROM b')]);
  expect(parsed).toEqual(['SELECT a FROM b']);
  readClientStatement(counting, 'SELECT c FROM b');
  expect(parsed).toEqual(['SELECT a FROM b', 'SELECT c FROM b']);
});
