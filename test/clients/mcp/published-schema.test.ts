/**
 * The strictest clients accept our published tools. Gemini refuses each request that has one
 * function declaration without a form in its Schema; OpenAI's strict mode does the same with its
 * own subset. Their published rules: https://ai.google.dev/api/caching#Schema and
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas (both read in 2026).
 */

import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { scopes } from '../../../daemon/access/tokens/token.ts';
import { buildCatalog } from '../../../daemon/clients/mcp/catalog.ts';
import { success, type Tool } from '../../../daemon/clients/mcp/tool.ts';
import { allTools } from '../../../daemon/clients/mcp/tools/index.ts';

const tools = allTools({} as Parameters<typeof allTools>[0]);
const catalog = buildCatalog(tools);

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
/** Both know these, with the same meaning. A union may only have a description beside it. */
const words: Readonly<Record<string, readonly string[]>> = {
  string: ['description', 'enum'],
  number: ['description'],
  integer: ['description'],
  boolean: ['description'],
  array: ['description', 'items'],
  object: ['description', 'properties', 'required'],
  anyOf: ['description', 'anyOf'],
};

/** What they would object to, with the place. */
function faultsOf(schema: unknown, place: string): string[] {
  if (!isJson(schema)) return [`${place}: no object`];
  const { type, anyOf, items, properties, required, enum: values } = schema;
  if (anyOf === undefined && (typeof type !== 'string' || !types.includes(type))) return [`${place}: type ${type}`];
  const kind = anyOf === undefined ? String(type) : 'anyOf';
  const faults = Object.keys(schema)
    .filter(word => word !== 'type' || kind === 'anyOf')
    .filter(word => !words[kind]?.includes(word))
    .map(word => `${place}: unknown word ${word}`);
  if (kind === 'anyOf') {
    if (!Array.isArray(anyOf) || anyOf.length < 2) return [...faults, `${place}: a union of ${anyOf}`];
    return [...faults, ...anyOf.flatMap((branch, at) => faultsOf(branch, `${place}.anyOf.${at}`))];
  }
  if (kind === 'array') faults.push(...faultsOf(items, `${place}.items`));
  if (
    values !== undefined &&
    !(Array.isArray(values) && values.length > 0 && values.every(each => typeof each === 'string'))
  )
    faults.push(`${place}: enum of ${values}`);
  if (kind === 'object' && properties !== undefined) {
    if (!isJson(properties) || Object.keys(properties).length === 0) faults.push(`${place}: no properties`);
    else faults.push(...Object.entries(properties).flatMap(([name, each]) => faultsOf(each, `${place}.${name}`)));
  }
  const known = isJson(properties) ? Object.keys(properties) : [];
  if (required !== undefined && !(Array.isArray(required) && required.length > 0))
    faults.push(`${place}: required ${required}`);
  for (const name of Array.isArray(required) ? required : [])
    if (!known.includes(name)) faults.push(`${place}: requires ${name}, which it doesn't have`);
  return faults;
}

describe.each(scopes)('to a token of %s', scope => {
  test.each(catalog.listFor(scope).map(tool => [tool.name, tool] as const))('%s', (_name, tool) => {
    expect(tool.name).toMatch(/^[a-z_]{1,64}$/);
    expect(faultsOf(tool.inputSchema, 'input')).toEqual([]);
    // Gemini and OpenAI both refuse arguments that are an object without properties.
    expect(Object.keys(tool.inputSchema.properties ?? {})).not.toEqual([]);
    expect(faultsOf(tool.outputSchema, 'output')).toEqual([]);
  });
});

test.each<[string, unknown]>([
  ['a list of types', { type: 'array', items: { type: ['string', 'number'] } }],
  ['an empty schema', { type: 'array', items: {} }],
  ['no schema of the elements', { type: 'array' }],
  ['a schema that is true', { type: 'array', items: true }],
  ['a constant', { type: 'boolean', const: true }],
  ['a reference', { $ref: '#/$defs/a' }],
  ['a union without branches', { anyOf: [] }],
  ['a branch of two types', { anyOf: [{ type: 'string' }, { type: ['number', 'null'] }] }],
  ['one of', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
  ['numbers to choose from', { type: 'integer', enum: [1, 2] }],
  ['a required name without its property', { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] }],
  ['an object with no properties', { type: 'object', properties: {} }],
  ['additionalProperties', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }],
  ['a pattern of names', { type: 'object', propertyNames: { type: 'string' } }],
])('%s is found', (_what, schema) => {
  expect(faultsOf({ type: 'object', properties: { x: schema } }, 'it')).not.toEqual([]);
});

const tool = (input: z.ZodType): Tool => ({
  ...{ name: 'a', title: 'A', description: 'A', scope: 'readOnly', input, output: z.object({}) },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  run: async () => success({}),
});

test('anything that a tool accepts is published so, or not at all', () => {
  const input = z.strictObject({
    union: z.union([z.string(), z.number(), z.null()]).optional(),
    maybe: z.string().nullable(),
    constant: z.literal('x'),
    inner: z.array(z.strictObject({ deep: z.boolean().nullish() })).max(3),
  });
  const [published] = buildCatalog([tool(input)]).listFor('readOnly');
  expect(faultsOf(published?.inputSchema, 'input')).toEqual([]);
  for (const untold of [
    z.unknown(),
    z.record(z.string(), z.unknown()),
    z.array(z.unknown()),
    z.strictObject({ a: z.any() }),
  ])
    expect(() => buildCatalog([tool(z.strictObject({ untold }))])).toThrow(TypeError);
});
