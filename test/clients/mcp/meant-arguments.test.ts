/**
 * Arguments that clients send in place of what they mean: OpenAI's strict mode, CrewAI and Cursor
 * write each optional argument; models put quotes around values.
 */

import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { buildCatalog, type CatalogEntry } from '../../../daemon/clients/mcp/tool-catalog.ts';
import { allTools } from '../../../daemon/clients/mcp/tools/index.ts';
import { entryTaking, readArguments } from './read-arguments.ts';

const catalog = buildCatalog(allTools({} as Parameters<typeof allTools>[0]));

const right: Readonly<Record<string, unknown>> = {
  connection: 'Shop',
  sql: 'select 1',
  cursor: 'c',
  format: 'csv',
  statements: ['delete from t'],
  reason: 'they are old',
};

const named = (name: string): CatalogEntry => catalog.find(name) as CatalogEntry;
const every = catalog
  .listFor('fullAccess')
  .flatMap(({ name, inputSchema: { properties = {}, required = [] } }) =>
    Object.keys(properties).map(argument => [name, argument, required] as const),
  );

describe.each(every)('%s: %s', (name, argument, required) => {
  const least = Object.fromEntries(required.map(each => [each, right[each]]));
  const without = readArguments(named(name), least);

  test.each([[null], [''], [[]]])('given as %j', nothing => {
    const given = readArguments(named(name), { ...least, [argument]: nothing });
    if (required.includes(argument)) expect(given).toMatch(new RegExp(`^'${argument}' `));
    else expect(given).toEqual(without);
  });
});

test('all of strict mode’s arguments mean what was meant', () => {
  const { properties = {} } = named('execute_query').inputSchema;
  const nothing = Object.fromEntries(Object.keys(properties).map(name => [name, null]));
  const asked = { connection: 'Shop', sql: 'select 1' };
  expect(readArguments(named('execute_query'), { ...nothing, ...asked })).toEqual(asked);
  expect(readArguments(named('execute_query'), { ...asked, limti: null })).toBe('unknown_argument');
});

const entry = entryTaking(
  z.strictObject({
    text: z.string().optional(),
    whole: z.number().int().min(-5).max(5000).optional(),
    number: z.number().optional(),
    flag: z.boolean().optional(),
    words: z.array(z.string()).optional(),
    values: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
    needed: z.boolean().default(true),
  }),
);

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [{ whole: '5' }, { whole: 5 }],
  [{ whole: '0' }, { whole: 0 }],
  [{ whole: '-5' }, { whole: -5 }],
  [{ number: '9007199254740991' }, { number: 9007199254740991 }],
  [{ flag: 'true' }, { flag: true }],
  [{ flag: 'false' }, { flag: false }],
  [{ flag: 1 }, { flag: true }],
  [{ flag: 0 }, { flag: false }],
  [{ needed: 0 }, { needed: false }],
  [{ words: '["a","5"]' }, { words: ['a', '5'] }],
  [{ words: ' [ "a" ] ' }, { words: ['a'] }],
  [{ words: '[]' }, {}],
  [{ values: '[null,"","5",5,false]' }, { values: [null, '', '5', 5, false] }],
  [{ values: [null, '', '5', 'true', 1] }, { values: [null, '', '5', 'true', 1] }],
  [{ text: '5' }, { text: '5' }],
  [{ text: 'null' }, { text: 'null' }],
  [{ text: '[1]' }, { text: '[1]' }],
  [{ text: ' ' }, { text: ' ' }],
])('%j means %j', (given, meant) => {
  expect(readArguments(entry, given)).toEqual({ needed: true, ...meant });
});

const deep = `${'['.repeat(65)}${']'.repeat(65)}`;

test.each<[Record<string, unknown>, RegExp]>([
  [{ whole: '1e3' }, /'whole' must be a number; it was "1e3"/],
  [{ whole: ' 5' }, /it was " 5"/],
  [{ whole: '5.0' }, /it was "5\.0"/],
  [{ whole: '05' }, /it was "05"/],
  [{ whole: '+5' }, /it was "\+5"/],
  [{ whole: '-0' }, /it was "-0"/],
  [{ whole: '0x5' }, /it was "0x5"/],
  [{ whole: 'five' }, /it was "five"/],
  [{ whole: '5001' }, /at most 5000; it was "5001"/],
  [{ number: '9007199254740993' }, /'number' must be a number/],
  [{ whole: true }, /'whole' must be a number/],
  [{ flag: 'yes' }, /'flag' must be true or false/],
  [{ flag: 2 }, /'flag' must be true or false/],
  [{ flag: {} }, /'flag' must be true or false/],
  [{ words: 'a' }, /'words' must be a list/],
  [{ words: '{"a":1}' }, /'words' must be a list/],
  [{ words: '["a"' }, /'words' must be a list/],
  [{ words: '[1]' }, /'words\.0' must be text; it was 1/],
  [{ words: deep }, /'words' must be a list/],
  [{ values: `[${'1,'.repeat(10_001)}1]` }, /'values' must be a list/],
  [{ values: '[9007199254740993]' }, /'values\.0' is an integer that JSON numbers can't carry exactly/],
  [{ values: '[0.12345678901234567890]' }, /'values' has the number "0\.12345678901234567890", which would be rounded/],
  [{ values: '["\ud800"]' }, /half of a surrogate pair/],
  [{ text: 5 }, /'text' must be text; it was 5/],
])('%j is refused', (given, sentence) => {
  expect(readArguments(entry, given)).toMatch(sentence);
});
