import { expect, test } from '@jest/globals';
import { commentsIn, commentsOf } from '../../../daemon/engines/sqlite/describe/comments.ts';

const read = (definition: string) => {
  const { table, columns } = commentsOf(definition);
  return [table, Object.fromEntries(columns)];
};

test.each<[string, string | null, Record<string, string>]>([
  ['create table t (a, b)', null, {}],
  ['create table t ( -- the table\n  a int, -- of a\n  b int -- of b\n)', 'the table', { a: 'of a', b: 'of b' }],
  ['create table t /* it */ (a int /* of a */, b int /* of b */)', 'it', { a: 'of a', b: 'of b' }],
  [
    'create table t (\n  -- above a\n  a int,\n  -- above b\n  b int -- and beside\n)',
    null,
    { a: 'above a', b: 'above b; and beside' },
  ],
  [
    'create table t (a numeric(12, /* inner */ 2), -- of a\n b int check (b > 1) -- of b\n)',
    null,
    { a: 'inner; of a', b: 'of b' },
  ],
  [
    'create table "t (" ("A -- no" int, -- of A\n [b,c] text default \'-- no\', /* of b */\n primary key (x) -- key\n)',
    null,
    { 'a -- no': 'of A', 'b,c': 'of b', primary: 'key' },
  ],
  ['create table t (a int) -- behind', 'behind', {}],
  ['create table t (a int, /* open', null, { a: 'open' }],
])('%s', (definition, table, columns) => {
  expect(read(definition)).toEqual([table, columns]);
});

test('all of them, for the search', () => {
  expect(commentsIn("create table t (a int, -- one\n b text default '-- no' /* two */)")).toEqual(['one', 'two']);
});
