/**
 * The values that a column has instead, where an answer is empty: only what the statistics know
 * whole, only of columns that the statement compares, and nothing that looks secret.
 */

import { expect, test } from '@jest/globals';
import { dialect as mysql } from '../../daemon/engines/mysql/dialect.ts';
import type { Cell } from '../../daemon/engines/row-text.ts';
import { fewValues } from '../../daemon/statement/common-values.ts';
import {
  comparisonsIn,
  emptyAsked,
  emptyHint,
  firstRowsAsked,
  firstRowsHint,
} from '../../daemon/statement/empty-answer.ts';
import { looksSecret } from '../../daemon/statement/secret-columns.ts';

/** Rows of `Dialect.commonValues`. */
const row = (
  column: string,
  values: readonly string[] | null,
  shares: readonly number[],
  more: object = {},
): Cell[] => {
  const { schema = 'public', table = 'orders', nulls = 0, whole = false } = more as Record<string, never>;
  return [schema, table, column, whole, nulls, JSON.stringify(shares), values && JSON.stringify(values)] as Cell[];
};
const states = row('status', ['paid', 'new', 'shipped'], [0.5, 0.25, 0.25]);

test.each([
  ["select * from orders where status = 'Paid'", [], { status: ['Paid'] }],
  [
    `select * from orders o where o."State" in ('a', 'it''s', $1) and kind::text = $2`,
    ['x', 7],
    { State: ['a', "it's", 'x'], kind: ['7'] },
  ],
  ["select * from orders where lower(status) like 'p%' or status ilike 'q%'", [], { status: ['p%', 'q%'] }],
  ['select * from orders where level = -3 and id in (1, 2)', [], { level: ['-3'], id: ['1', '2'] }],
  ["select * from `t` where `State` = ? and note <> 'a?' and k in ('x', ?)", ['a', 5], { State: ['a'], k: ['x', '5'] }],
  ['select * from a join b on a.id = b.id where a.x > 5', [], {}],
  [`select ${' '.repeat(50_000)}${'a'.repeat(50_000)} = `, [], {}],
] as const)('%s', (sql, parameters, compared) => {
  const found = [...comparisonsIn(sql, parameters)].map(([column, { values }]) => [column, values]);
  expect(Object.fromEntries(found)).toEqual(compared);
});

test('a sentence names the values that the column has', () => {
  const hint = (sql: string, rows: readonly Cell[][]) => emptyHint(rows, comparisonsIn(sql, []));
  const one = "select * from orders where status = 'Paid'";
  expect(hint(one, [states])).toBe("No row: orders.status has 'new', 'paid', 'shipped', as of the last ANALYZE.");
  // It has the value: something else left the answer empty.
  expect(hint("select * from orders where status = 'paid' and id = 9", [states])).toBeNull();
  expect(hint("select * from orders where status like '%hip%'", [states])).toBeNull();
  expect(hint("select * from orders where status like 'P%'", [states])).toContain("'paid'");
  // Two schemas have such a table, and the statement names none.
  expect(hint(one, [states, row('status', ['x'], [1], { schema: 'other' })])).toBeNull();
});

test('values are told as the statement writes them: numbers without quotes', () => {
  const levels = row('level', ['10', '2', '-1'], [0.5, 0.25, 0.25]);
  const hint = (sql: string, parameters: readonly (string | number)[] = []) =>
    emptyHint([levels], comparisonsIn(sql, parameters))?.replace(', as of the last ANALYZE.', '');
  expect(hint('select 1 from orders where level = 3.0')).toBe('No row: orders.level has -1, 2, 10');
  expect(hint('select 1 from orders where level in ($1)', [3])).toBe('No row: orders.level has -1, 2, 10');
  expect(hint("select 1 from orders where level = '3'")).toBe("No row: orders.level has '-1', '10', '2'");
  expect(emptyHint([states], comparisonsIn('select 1 from orders where status = 5', []))).toContain("'new', 'paid'");
});

test('without statistics the first rows of the one table are read', () => {
  const orders = { schema: null, name: 'orders' };
  const asked = (sql: string, tables = [orders]) => firstRowsAsked(mysql, tables, comparisonsIn(sql, []));
  const one = "select * from orders where status = 'Open' and token = 'x'";
  expect(asked(one)).toMatchObject({ table: 'orders', columns: ['status'] });
  expect(asked('select * from orders')).toBeNull();
  expect(asked("select * from orders where token = 'x'")).toBeNull();
  expect(asked(one, [orders, { schema: null, name: 'lines' }])).toBeNull();
  const hint = (sql: string, foldsCase: boolean) => {
    const read = asked(sql);
    return (
      read &&
      firstRowsHint(
        read,
        [
          [0, 'paid'],
          [0, 'néw'],
        ],
        comparisonsIn(sql, []),
        foldsCase,
      )
    );
  };
  expect(hint(one, true)).toBe("No row: orders.status has 'néw', 'paid' in the first 10000 rows.");
  expect(hint("select * from orders where status = 'PAID '", true)).toBeNull();
  expect(hint("select * from orders where status = 'New'", true)).toBeNull();
  expect(hint("select * from orders where status = 'PAID'", false)).toContain("'paid'");
  expect(hint("select * from orders where status like 'P%'", false)).toBeNull();
});

test('nothing is asked of a statement without comparisons, and a named schema is asked alone', () => {
  const tables = [
    { schema: null, name: 'orders' },
    { schema: 'crm', name: 'cust' },
  ];
  expect(emptyAsked(tables, new Map(), null)).toEqual([]);
  expect(emptyAsked(tables, comparisonsIn("select 1 from t where a = 'b'", []), null)).toEqual([
    { schema: null, tables: ['orders'], columns: ['a'], mostValues: 20 },
    { schema: 'crm', tables: ['cust'], columns: ['a'], mostValues: 20 },
  ]);
});

test('a column is told only if the statistics know all its values', () => {
  const told = (...rows: readonly Cell[][]) => fewValues(rows).map(({ column }) => column);
  expect(told(states)).toEqual(['status']);
  expect(told(row('city', ['Bonn', 'Jena'], [0.1, 0.1]))).toEqual([]);
  expect(told(row('city', ['Bonn', 'Jena'], [0.3, 0.2], { nulls: 0.5 }))).toEqual(['city']);
  expect(told(row('many', null, [0.5, 0.5]))).toEqual([]);
  expect(told(row('long', ['x'.repeat(61)], [1]))).toEqual([]);
  expect(told(row('reset_token', ['a'], [1]), row('passwordHash', ['b'], [1]))).toEqual([]);
  // With its partitions.
  const [{ values } = { values: null }] = fewValues([row('k', ['own'], [1]), row('k', ['all'], [1], { whole: true })]);
  expect(values).toEqual(['all']);
});

test.each([
  ...[
    'password',
    'user_pwd',
    'apiKey',
    'api_key',
    'accessToken',
    'tokens',
    'salt',
    'otp',
    'client_secret',
    'PIN',
    'iban',
  ].map(name => [name, true] as const),
  ...['passenger_class', 'compass', 'shipping', 'spinning', 'status', 'hashtag', 'basalt', 'secretary'].map(
    name => [name, false] as const,
  ),
])('%s looks secret: %s', (name, isSecret) => {
  expect(looksSecret(name)).toBe(isSecret);
});
