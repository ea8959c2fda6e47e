/**
 * Compares the classifier with the compiled-in engine: it knows all that this engine has, and
 * resolves names like it.
 */

import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { authorize } from '../../daemon/engines/sqlite/child/authorizer.ts';
import { classifySqlite } from '../../daemon/guard/sqlite/classify.ts';
import { builtInFunctions, forbiddenFunctions, harmlessModules } from '../../daemon/guard/sqlite/functions.ts';
import { SqliteFile } from '../sqlite-file.ts';

const database = new SqliteFile(':memory:');
afterAll(() => void database.close());
const names = (sql: string): string[] => database.values(sql).map(String);

test('each function of the engine has a verdict', () => {
  const operators = ['->', '->>'];
  const found = names('select distinct lower(name) from pragma_function_list');
  expect(found.length).toBeGreaterThan(150);
  expect(
    found.filter(name => !builtInFunctions.has(name) && !forbiddenFunctions.has(name) && !operators.includes(name)),
  ).toEqual([]);
});

test('each module of the engine has a verdict', () => {
  const found = names("select name from pragma_module_list where name not like 'pragma_%'");
  expect(found.filter(name => !harmlessModules.has(name))).toEqual([]);
});

test('the engine takes no word that ends a list of tables for an alias', () => {
  database.exec('create table if not exists a(x)');
  const ending = 'where group order limit having union intersect except set values select returning'.split(' ');
  for (const word of ending) expect(() => database.prepare(`select 1 from a ${word}, a`)).toThrow(/syntax error/);
  expect(() => database.prepare('select 1 from a window, a b')).not.toThrow();
});

/** Queries over tables and common tables with the same few names. */
const query = fc.letrec<{ query: string; from: string }>(tie => ({
  from: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', 'c', 'main.a', '"B"', "'c'", '[A] as b', 'main . [c] window'),
    tie('query').map(inner => `(${inner})`),
    fc
      .tuple(tie('from'), fc.constantFrom(',', ' join ', ' cross join '), tie('from'))
      .map(parts => `(${parts.join('')})`),
  ),
  query: fc.oneof(
    { maxDepth: 4 },
    fc.array(tie('from'), { minLength: 1, maxLength: 3 }).map(all => `select random() x from ${all.join(', ')}`),
    fc
      .tuple(fc.constantFrom('a', 'b', 'c'), tie('query'), tie('query'))
      .map(([name, body, rest]) => `with ${name}(x) as materialized (${body}) ${rest}`),
    fc.tuple(tie('query'), tie('from')).map(([inner, from]) => `select (${inner}) x from ${from}`),
    fc.constantFrom('a', 'main.b', 'c').map(name => `select 1 in ${name} x`),
    fc
      .tuple(tie('from'), tie('from'))
      .map(([one, other]) => `select random() x from ${one} union all select 2 from ${other}`),
  ),
}));

test('each table that the engine opens for a query is named, and its authorizer sees only reads, by any name of a common table', () => {
  database.exec('create table if not exists a(x); create table if not exists b(x); create table if not exists c(x)');
  const roots = new Map(
    database.rows('select rootpage, name from sqlite_schema').map(([root, name]) => [root, String(name)]),
  );
  const { judge } = authorize(database);
  let understood = 0;
  let hiding = 0;
  fc.assert(
    fc.property(query.query, sql => {
      let opcodes: readonly (readonly unknown[])[];
      try {
        opcodes = database.rows(`explain ${sql}`);
      } catch {
        // A common table that refers to itself, or has several columns.
        return;
      }
      understood += 1;
      const opened = opcodes.filter(([, opcode]) => opcode === 'OpenRead').map(([, , , p2]) => roots.get(p2) ?? '?');
      const named = new Set(classifySqlite(sql).tables.map(({ name }) => name));
      expect({ sql, missing: opened.filter(name => !named.has(name)) }).toEqual({ sql, missing: [] });
      expect({ sql, writes: judge(sql).writes }).toEqual({ sql, writes: [] });
      if (named.size < 3 && sql.includes('with')) hiding += 1;
    }),
    { numRuns: 1_500, seed: 15 },
  );
  // The engine understands most of them, and many have names that are no tables.
  expect(understood).toBeGreaterThan(500);
  expect(hiding).toBeGreaterThan(50);
});
