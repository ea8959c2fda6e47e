import { expect, test } from '@jest/globals';
import type { CallContext, CatalogText, Database } from '../../daemon/engines/engine.ts';
import { searchCatalog } from '../../daemon/statement/search-catalog.ts';

const context: CallContext = {
  principal: null,
  client: 'test',
  database: null,
  schema: null,
  timeoutSeconds: 1,
  signal: new AbortController().signal,
};

const named = (object: string, kind: CatalogText['kind'] = 'table'): CatalogText => ({
  schema: 'shop',
  object,
  kind,
  objectComment: null,
  column: null,
  isComment: false,
  text: object,
});

async function search(texts: readonly CatalogText[], asked: string) {
  const database = { catalogTexts: async () => ({ kind: 'done', value: texts }) } as unknown as Database;
  const found = await searchCatalog(database, context, asked);
  if (found.kind !== 'done') throw new Error(found.kind);
  return found.value;
}

test('only the beginning of a word as long as a book is compared with the existing names', async () => {
  const name = 'n'.repeat(130);
  const { insteadOf } = await search([named(name)], 'n'.repeat(128) + 'm'.repeat(500));
  expect(insteadOf).toEqual([name]);
});

test('a table comes before a routine of its name, whatever the catalog’s order', async () => {
  const both = [named('parcel', 'function'), named('parcel')];
  for (const texts of [both, both.toReversed()])
    expect((await search(texts, 'parcel')).matches.map(({ kind }) => kind)).toEqual(['table', 'function']);
});

test('a match only by its schema’s name comes last, and is marked so', async () => {
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

const column = (table: string, name: string): CatalogText => ({ ...named(table), column: name, text: name });

test.each([
  ['invoices', 'inv'],
  ['vehicle', 'veh'],
  ['employees', 'emp'],
  ['customers', 'cust_mst'],
  ['warehouse', 'whs_loc'],
  ['date of birth', 'pers'],
])('an abbreviated name is found by the word that begins with it: %s', async (asked, table) => {
  const texts = ['inv', 'veh', 'emp', 'cust_mst', 'pers', 'wareh'].map(name => named(name));
  const all = [...texts, column('pers', 'dob'), column('whs_loc', 'ware_no')];
  expect((await search(all, asked)).matches.map(({ name }) => name)).toContain(table);
});

test('abbreviations follow what is spelled so, ten at most, before matches by a schema’s name', async () => {
  const short = Array.from({ length: 12 }, (_, at) => named(`inv_${at}`));
  const bySchema = { ...named('paid'), schema: 'invoices' };
  const { matches } = await search([...short, column('bill', 'invoice_id'), bySchema], 'invoice');
  expect(matches.map(({ name }) => name)).toEqual(['bill', ...short.slice(0, 10).map(({ object }) => object), 'paid']);
});

test('neither two letters nor letters within a word abbreviate it', async () => {
  const { matches, insteadOf } = await search([named('st_log'), named('tat')], 'status');
  expect({ matches, insteadOf }).toEqual({ matches: [], insteadOf: null });
});

test('a constraint is told with its table', async () => {
  const { matches } = await search(
    [{ ...named('parcel'), part: 'constraint', text: 'parcel_weight' }],
    'parcel_weight',
  );
  expect(matches).toMatchObject([{ name: 'parcel', where: 'constraint parcel_weight' }]);
});

test('a table with all words comes first, also if one is abbreviated', async () => {
  const texts = [column('sms', 'number'), column('shipment', 'track_number'), named('phone_numbers')];
  const { matches } = await search(texts, 'tracking number');
  expect(matches[0]).toMatchObject({ name: 'shipment', where: 'column track_number' });
  // What is spelled so isn't told as abbreviated too.
  const [one] = (await search([column('inv', 'invoice_id')], 'invoice')).matches;
  expect(one?.where).toBe('column invoice_id');
});

test('the first letters of a phrase come before tables with one of its words, and small words tell nothing', async () => {
  const texts = [column('bill_of_lading', 'note'), column('orders', 'date'), column('pers', 'dob'), named('part_of')];
  expect((await search(texts, 'date of birth')).matches.map(({ name }) => name)).toEqual(['pers', 'orders']);
  expect((await search(texts, 'of')).matches.map(({ name }) => name)).toContain('part_of');
});
