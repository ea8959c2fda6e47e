/**
 * Another engine's command is refused with what does the same here: commands that list, TRUNCATE
 * and EXPLAIN ANALYZE.
 */

import { expect, test } from '@jest/globals';
import { classifyText, lazyClassifiers } from '../../daemon/guard/classifiers.ts';
import type { Engine } from '../../shared/engine.ts';

const classifiers = lazyClassifiers();
const classified = (engine: Engine, sql: string) => classifyText(classifiers, engine, sql);

const ofMysql = [
  ...[
    'SHOW TABLES',
    'show tables;',
    ' show full tables from shop',
    'SHOW DATABASES',
    'show schemas',
    'show columns from t',
  ],
  ...['show index from t', 'SHOW CREATE TABLE t', 'DESCRIBE t', 'desc "Odd"'],
];
const ofClients = ['\\d', '\\dt', '\\d+ t', '\\l', '.tables', '.schema t'];
const ofSqlite = ['PRAGMA table_info(t)', 'pragma table_list'];

test.each([
  ['postgres', 'PostgreSQL', [...ofMysql, ...ofClients, ...ofSqlite]],
  ['mysql', 'MySQL and MariaDB', [...ofClients, ...ofSqlite]],
  ['sqlite', 'SQLite', [...ofMysql, ...ofClients]],
] as const)('%s has no such statement', async (engine, name, statements) => {
  for (const sql of statements) {
    const { class: found, reason } = await classified(engine, sql);
    expect([sql, found, reason]).toEqual([
      sql,
      'forbidden',
      `This isn't a statement of ${name}; list_tables lists the schemas and tables, describe_table tells the columns of a table.`,
    ]);
  }
});

test.each([
  ['postgres', 'show search_path'],
  ['postgres', 'show all'],
  ['mysql', 'show tables'],
  ['mysql', 'describe t'],
  ['sqlite', 'pragma table_info(t)'],
  ['sqlite', 'explain analyze t'],
  ['sqlite', 'explain query plan select 1'],
] as const)('%s has %s', async (engine, sql) => {
  expect(await classified(engine, sql)).toMatchObject({ class: 'read' });
});

test.each([
  ['truncate table t', /; a DELETE without WHERE removes every row\.$/],
  ['explain analyze select 1', /; EXPLAIN QUERY PLAN tells how/],
  ['EXPLAIN ANALYZE WITH c AS (SELECT 1) SELECT * FROM c', /; EXPLAIN QUERY PLAN tells how/],
] as const)('SQLite is told its own form of %s', async (sql, advised) => {
  expect(await classified('sqlite', sql)).toMatchObject({ class: 'forbidden', reason: expect.stringMatching(advised) });
});
