/**
 * A tool's schema as published: JSON Schema that Gemini's function declarations and OpenAI's strict
 * mode accept too. Gemini refuses every request in which any tool has a list of types, an empty
 * schema or a required name without its property.
 */

import type { ListToolsResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Tool } from './tool.ts';

type ObjectSchema = ListToolsResult['tools'][number]['inputSchema'];

interface Schema {
  type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

/**
 * @throws TypeError for a schema that is no object, or an argument that can't be expressed: a bug
 *   in the program.
 */
export function inputSchemaOf({ name, input }: Tool): ObjectSchema {
  const told = expressibleObject(schemaOf(name, input, 'input'));
  if (told === null) throw new TypeError(`An argument of ${name} has no form that all clients take`);
  return told as ObjectSchema;
}

/**
 * The first plain value that every answer has: required members need their type, and a model pays
 * for each in each conversation.
 */
export function outputSchemaOf({ name, output }: Tool): ObjectSchema {
  const { properties = {}, required = [] } = schemaOf(name, output, 'output');
  const plain = required.find(member =>
    ['string', 'number', 'integer', 'boolean'].includes(String(properties[member]?.type)),
  );
  const told = plain === undefined ? null : expressible(properties[plain] ?? {});
  if (plain === undefined || told === null) return { type: 'object' };
  return { type: 'object', properties: { [plain]: told }, required: [plain] } as ObjectSchema;
}

function schemaOf(name: string, type: z.ZodType, io: 'input' | 'output'): Schema {
  const schema: unknown = z.toJSONSchema(type, {
    io,
    override: ({ jsonSchema }) => {
      // Bounds and lengths are checked, and a refusal names them: models pay for each word. An
      // object is loose by default.
      for (const bound of ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const) {
        delete jsonSchema[bound];
      }
      delete jsonSchema.propertyNames;
      delete jsonSchema.const;
      // For an unknown argument the refusal lists the known ones.
      delete jsonSchema.additionalProperties;
    },
  });
  const read = JSON.parse(JSON.stringify(schema)) as Schema;
  if (read.type !== 'object') throw new TypeError(`The ${io} schema of ${name} is not an object`);
  return read;
}

/**
 * Null for what those clients can't express. Of a union, null is left out: it goes without saying.
 */
function expressible(schema: Schema): object | null {
  const { type, description, items, enum: values } = schema;
  const said = { ...(description !== undefined && { description }) };
  const types = [type ?? []].flat().filter(each => each !== 'null');
  if (types.length === 0) return null;
  if (types.length > 1) return { ...said, anyOf: types.map(each => ({ type: each })) };
  const [only] = types;
  if (only === 'object') return Object.keys(schema.properties ?? {}).length === 0 ? null : expressibleObject(schema);
  if (only !== 'array') return { type: only, ...said, ...(values && { enum: values }) };
  const element = items && expressible(items);
  return element ? { type: only, ...said, items: element } : null;
}

function expressibleObject({ properties = {}, required }: Schema): object | null {
  const told = Object.entries(properties).map(([member, schema]) => [member, expressible(schema)] as const);
  if (told.some(([, expressed]) => expressed === null)) return null;
  return { type: 'object', properties: Object.fromEntries(told), ...(required && { required }) };
}
