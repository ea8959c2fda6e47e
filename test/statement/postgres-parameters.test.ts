/**
 * Lists and objects as PostgreSQL reads them: as `node-pg` and psycopg send them, except lists that
 * are meant as JSON.
 */

import { expect, test } from '@jest/globals';
import { jsonAdvice, postgresParameters } from '../../daemon/engines/postgres/dialect/parameters.ts';

test.each<[string, unknown, unknown]>([
  ['select $1', 'text', 'text'],
  ['select $1', null, null],
  ['select $1', 5, 5],
  ['select $1', '', ''],
  ['select $1', { a: [1, null] }, '{"a":[1,null]}'],
  ['select $1', [], '{}'],
  ['select $1', [1, 2.5, -3], '{1,2.5,-3}'],
  ['select $1', [true, false, null], '{true,false,NULL}'],
  ['select $1', ['a', '', 'NULL', 'a,b', '{}', 'q"\\'], '{"a","","NULL","a,b","{}","q\\"\\\\"}'],
  [
    'select $1',
    [
      [1, 2],
      [3, null],
    ],
    '{{1,2},{3,NULL}}',
  ],
  ['select $1', [{ a: 1 }, 2], '[{"a":1},2]'],
  ['select $1', [[{ a: 1 }]], '[[{"a":1}]]'],
  ['select $1::jsonb', [1, 'a'], '[1,"a"]'],
  ['select $1 :: json', [], '[]'],
  ['select cast($1 as jsonb)', [1], '[1]'],
  ['select $11::jsonb, $1', [1], '{1}'],
  ['select $1::int[]', [1], '{1}'],
  ['select $1::jsonb[]', [{ a: 'x"y' }, 'b', null, [1]], '{"{\\"a\\":\\"x\\\\\\"y\\"}","\\"b\\"",NULL,"[1]"}'],
  ['select cast($1 as json [])', [{ a: 1 }], '{"{\\"a\\":1}"}'],
  ['select $1::jsonb[]', { a: 1 }, '{"a":1}'],
])('%s with %j', (sql, value, text) => {
  expect(postgresParameters(sql, [value])).toEqual([text]);
});

test('if a list was meant as JSON, the message says how', () => {
  expect(jsonAdvice([[1]], 'invalid input syntax for type json')).toContain('$1::jsonb');
  expect(jsonAdvice([[1]], 'syntax error')).toBeNull();
  expect(jsonAdvice(['{1}'], 'invalid input syntax for type json')).toBeNull();
});
