import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { parseArguments } from '../../../daemon/clients/mcp/arguments.ts';
import { entryTaking, readArguments } from './read-arguments.ts';

const entry = entryTaking(
  z.strictObject({
    table: z.string().min(1).max(20),
    limit: z.number().int().min(1).max(10).default(5),
    ratio: z.number().gt(0).lt(1).optional(),
    order: z.enum(['up', 'down']).optional(),
    id: z.uuid().optional(),
    code: z
      .string()
      .regex(/^[A-Z]+$/)
      .optional(),
    filters: z
      .array(z.strictObject({ column: z.string(), value: z.union([z.string(), z.number()]) }))
      .max(2)
      .optional(),
    on: z.boolean().optional(),
  }),
);

const sentence = (given: Record<string, unknown>): string => {
  const read = readArguments(entry, given);
  return typeof read === 'string' ? read : 'accepted';
};

test('valid values are accepted, with defaults filled in', () => {
  expect(parseArguments(entry, { table: 't' })).toEqual({ kind: 'accepted', value: { table: 't', limit: 5 } });
});

describe('the sentence names the argument, what was expected and what came', () => {
  test.each<[Record<string, unknown>, string]>([
    [{}, "'table' is required: text."],
    [{ table: 5 }, "'table' must be text; it was 5."],
    [{ table: null }, "'table' must be text; it was null."],
    [{ table: [] }, "'table' must be text; it was a list of 0."],
    [{ table: '' }, `'table' must be at least 1 character; it was "".`],
    [{ table: 'x'.repeat(41) }, "'table' must be at most 20 characters; it was text of 41 characters."],
    [{ table: 't', limit: 0 }, "'limit' must be at least 1; it was 0."],
    [{ table: 't', limit: 11 }, "'limit' must be at most 10; it was 11."],
    [{ table: 't', limit: 1.5 }, "'limit' must be a whole number; it was 1.5."],
    [{ table: 't', limit: '5.0' }, `'limit' must be a number; it was "5.0".`],
    [{ table: 't', limit: '11' }, `'limit' must be at most 10; it was "11".`],
    [{ table: 't', ratio: 1 }, "'ratio' must be less than 1; it was 1."],
    [{ table: 't', order: 'left' }, `'order' must be one of "up", "down"; it was "left".`],
    [{ table: 't', id: 'x' }, `'id' must be a valid uuid; it was "x".`],
    [{ table: 't', code: 'x' }, `'code' must be text that matches /^[A-Z]+$/; it was "x".`],
    [{ table: 't', on: 'yes' }, `'on' must be true or false; it was "yes".`],
    [{ table: 't', filters: {} }, "'filters' must be a list; it was an object."],
    [
      { table: 't', filters: Array(3).fill({ column: 'a', value: 1 }) },
      "'filters' must be a list of at most 2 items; it was a list of 3.",
    ],
    [{ table: 't', filters: [{ column: 'a' }] }, "'filters.0.value' is required: text or a number."],
    [
      { table: 't', filters: [{ column: 'a', value: [1] }] },
      "'filters.0.value' must be text or a number; it was a list of 1.",
    ],
    [
      { table: 't', filters: [{ column: 'a', value: 1, or: 2 }] },
      "'filters.0' must be without 'or'; it was an object.",
    ],
    [{ table: 5, limit: 0 }, "'table' must be text; it was 5. 'limit' must be at least 1; it was 0."],
  ])('%j', (given, expected) => {
    expect(sentence(given)).toBe(expected);
  });
});

test('an unknown name gets its own refusal, with the existing names', () => {
  expect(parseArguments(entry, { table: 't', limti: 5 })).toEqual({
    kind: 'refused',
    refusal: {
      kind: 'unknown_argument',
      tool: 'browse',
      argument: 'limti',
      accepted: ['table', 'limit', 'ratio', 'order', 'id', 'code', 'filters', 'on'],
    },
  });
  expect(sentence(JSON.parse('{"table":"t","__proto__":1}'))).toBe('unknown_argument');
  expect(sentence({ table: 't', constructor: 1 })).toBe('unknown_argument');
});

test('an integer that JSON already rounded isn’t passed on', () => {
  const given = JSON.parse('{"table":"t","filters":[{"column":"id","value":9007199254740993}]}');
  expect(sentence(given)).toBe(
    "'filters.0.value' is an integer that JSON numbers can't carry exactly; send it as a string.",
  );
  expect(sentence({ table: 't', filters: [{ column: 'id', value: Number.MAX_SAFE_INTEGER }] })).toBe('accepted');
});

test.each([1e21, 1e308, Number.MAX_VALUE, -1e21, 0.1])('%d is a double that programs print like this', value => {
  expect(sentence({ table: 't', filters: [{ column: 'id', value }] })).toBe('accepted');
});

test('half of a surrogate pair isn’t text in any database', () => {
  const broken = 'holds half of a surrogate pair, which is no character; remove it.';
  expect(sentence({ table: 'a\ud800b' })).toBe(`'table' ${broken}`);
  expect(sentence({ table: 't', filters: [{ column: 'a', value: '\udc00' }] })).toBe(`'filters.0.value' ${broken}`);
  expect(sentence({ table: 'a💥b' })).toBe('accepted');
});
