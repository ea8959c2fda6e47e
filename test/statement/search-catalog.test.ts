import { expect, test } from '@jest/globals';
import type { CallContext, CatalogText, Database } from '../../daemon/engines/engine.ts';
import { searchCatalog } from '../../daemon/statement/search-catalog.ts';

const context: CallContext = {
  ...{ principal: null, client: 'test', database: null, schema: null, timeoutSeconds: 1 },
  signal: new AbortController().signal,
};

const named = (object: string, kind: CatalogText['kind'] = 'table'): CatalogText => ({
  ...{ schema: 'shop', object, kind, objectComment: null, column: null, isComment: false, text: object },
});

async function search(texts: readonly CatalogText[], asked: string) {
  const database = { catalogTexts: async () => ({ kind: 'done', value: texts }) } as unknown as Database;
  const found = await searchCatalog(database, context, asked);
  if (found.kind !== 'done') throw new Error(found.kind);
  return found.value;
}

test('of a word as long as a book the beginning is compared with the names that there are', async () => {
  const name = 'n'.repeat(130);
  const { insteadOf } = await search([named(name)], 'n'.repeat(128) + 'm'.repeat(500));
  expect(insteadOf).toEqual([name]);
});

test('a table stands before a routine of its name, however the catalog has them', async () => {
  const both = [named('parcel', 'function'), named('parcel')];
  for (const texts of [both, both.toReversed()])
    expect((await search(texts, 'parcel')).matches.map(({ kind }) => kind)).toEqual(['table', 'function']);
});

test('what only the name of its schema brings stands last, and is told to be such', async () => {
  const texts = [
    { ...named('led_hdr'), schema: 'sales_product' },
    { ...named('orders'), schema: 'crm', objectComment: 'sales', isComment: true, text: 'sales' },
  ];
  const { matches } = await search(texts, 'sales products');
  expect(matches.map(({ name, bySchemaAlone }) => [name, bySchemaAlone])).toEqual([
    ['orders', false],
    ['led_hdr', true],
  ]);
});
