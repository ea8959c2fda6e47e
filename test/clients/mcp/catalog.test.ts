import { describe, expect, test } from '@jest/globals';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import * as z from 'zod';
import { buildCatalog } from '../../../daemon/clients/mcp/catalog.ts';
import { success, type Tool } from '../../../daemon/clients/mcp/tool.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  title: name.toUpperCase(),
  description: `Does ${name}`,
  scope: 'readOnly',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ count: z.number().int().min(1).optional().describe('How many') }),
  output: z.object({ rows: z.array(z.array(z.union([z.string(), z.null()]))), total: z.number().int() }),
  run: async () => success({}),
  ...more,
});

describe('publishing', () => {
  test('a tool has a title, annotations and both schemas, without superfluous words', () => {
    const [entry] = buildCatalog([tool('a')]).listFor('readOnly');
    expect(entry).toEqual({
      name: 'a',
      title: 'A',
      description: 'Does a',
      inputSchema: {
        type: 'object',
        properties: { count: { type: 'integer', description: 'How many' } },
      },
      // No form of a list of rows is accepted by all clients.
      outputSchema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
      // The other hints only matter for a tool that changes something.
      annotations: { readOnlyHint: true },
    });
    const hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
    expect(buildCatalog([tool('w', { annotations: hints })]).listFor('readOnly')[0]?.annotations).toEqual(hints);
  });

  test('the published output schema accepts valid output and refuses other output', () => {
    const [entry] = buildCatalog([tool('a')]).listFor('readOnly');
    const valid = new AjvJsonSchemaValidator().getValidator(Object(entry?.outputSchema));
    expect(valid({ rows: [['x', null]], total: 1 }).valid).toBe(true);
    expect(valid({ rows: [[1]] }).valid).toBe(false);
    expect(valid([]).valid).toBe(false);
  });

  test('each scope sees its own tools and those below, in the given order', () => {
    const catalog = buildCatalog([
      tool('z'),
      tool('w', { scope: 'readWrite' }),
      tool('f', { scope: 'fullAccess' }),
      tool('a'),
    ]);
    const names = (scope: 'readOnly' | 'readWrite' | 'fullAccess'): string[] =>
      catalog.listFor(scope).map(each => each.name);
    expect(names('readOnly')).toEqual(['z', 'a']);
    expect(names('readWrite')).toEqual(['z', 'w', 'a']);
    expect(names('fullAccess')).toEqual(['z', 'w', 'f', 'a']);
    expect(catalog.listFor('readOnly')).toBe(catalog.listFor('readOnly'));
    expect([catalog.find('f')?.tool.name, catalog.find('toString')]).toEqual(['f', null]);
  });

  test('two tools with one name and a schema that is no object are found at the start', () => {
    expect(() => buildCatalog([tool('a'), tool('a')])).toThrow('Two tools are named a');
    expect(() => buildCatalog([tool('a', { output: z.string() })])).toThrow('The output schema of a is not an object');
  });
});
