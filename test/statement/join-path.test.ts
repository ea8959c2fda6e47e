/** The shortest way over foreign keys between two tables, in few descriptions. */

import { expect, test } from '@jest/globals';
import type { CallContext, Database, TableDescription } from '../../daemon/engines/engine.ts';
import { joinPath } from '../../daemon/statement/join-path.ts';

const context = { schema: null } as CallContext;

/** `child.columns -> parent`, each to the parent's key of the same names. */
function world(...keys: readonly string[]) {
  const parsed = keys.map(key => {
    const [, child = '', columns = '', parent = ''] = /^(\w+)\.([\w,]+) -> (\w+)$/.exec(key) ?? [];
    return { child, columns: columns.split(','), parent };
  });
  const describe = (name: string): TableDescription =>
    ({
      schema: 'app',
      name,
      foreignKeys: parsed
        .filter(({ child }) => child === name)
        .map(({ columns, parent }) => ({
          columns,
          referencedSchema: 'app',
          referencedTable: parent,
          referencedColumns: columns,
        })),
      referencedBy: parsed
        .filter(({ parent }) => parent === name)
        .map(({ child, columns }) => ({ schema: 'app', table: child, columns, referencedColumns: columns })),
    }) as unknown as TableDescription;
  const asked: (readonly string[])[] = [];
  const database = {
    async describeTables(_: CallContext, names: readonly string[]) {
      asked.push(names);
      return { kind: 'done', value: names.map(describe) };
    },
  } as unknown as Database;
  const path = async (from: string, to: string) =>
    (await joinPath(database, context, describe(from), describe(to)))?.map(
      ({ child, columns, parent }) => `${child.name}.${columns.join()} -> ${parent.name}`,
    ) ?? null;
  return { path, asked };
}

test('a table between both is found without a question', async () => {
  const { path, asked } = world(
    'line.order -> orders',
    'line.product -> product',
    'orders.user -> users',
    'product.user -> users',
  );
  // Not over their users, which both have by chance.
  expect(await path('orders', 'product')).toEqual(['line.order -> orders', 'line.product -> product']);
  expect(asked).toEqual([]);
});

test('four keys are followed with one question, five are too far', async () => {
  const { path, asked } = world('a.x -> b', 'b.x -> c', 'c.x,y -> d', 'd.x -> e', 'e.x -> f');
  expect(await path('a', 'e')).toEqual(['a.x -> b', 'b.x -> c', 'c.x,y -> d', 'd.x -> e']);
  expect(asked).toHaveLength(1);
  expect(await path('a', 'f')).toBeNull();
});

test('a direct key is told by its table already, and unrelated tables have no path', async () => {
  const { path } = world('a.x -> b', 'c.x -> d', 'a.x -> a');
  expect(await path('a', 'b')).toBeNull();
  expect(await path('a', 'd')).toBeNull();
});
