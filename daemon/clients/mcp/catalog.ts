/** The tools as published: JSON Schemas made once, and one list per scope, made once too. */

import type { ListToolsResult } from '@modelcontextprotocol/server';
import { covers, type Scope, scopes } from '../../access/tokens/token.ts';
import { inputSchemaOf, outputSchemaOf } from './published-schema.ts';
import type { Tool } from './tool.ts';

type PublishedTool = ListToolsResult['tools'][number];

export interface Catalog {
  find(name: string): CatalogEntry | null;
  /**
   * In the tools' order, the same object at each call: the answer is byte-for-byte stable (spec
   * §9).
   */
  listFor(scope: Scope): readonly PublishedTool[];
}

export interface CatalogEntry {
  readonly tool: Tool;
  /** As published. */
  readonly inputSchema: PublishedTool['inputSchema'];
  /** The published names of its arguments. */
  readonly accepted: readonly string[];
}

/**
 * @throws TypeError if two tools share a name or a schema is no object: a bug, found at the start.
 */
export function buildCatalog(tools: readonly Tool[]): Catalog {
  const entries = new Map<string, CatalogEntry>();
  const published = tools.map(tool => {
    const inputSchema = inputSchemaOf(tool);
    if (entries.has(tool.name)) throw new TypeError(`Two tools are named ${tool.name}`);
    entries.set(tool.name, { tool, inputSchema, accepted: Object.keys(inputSchema.properties ?? {}) });
    const { name, title } = tool;
    const outputSchema = outputSchemaOf(tool);
    return {
      scope: tool.scope,
      entryFor(scope: Scope): PublishedTool {
        const { description, annotations } = scope === 'readOnly' ? (tool.toReaders ?? tool) : tool;
        return { name, title, description, inputSchema, outputSchema, annotations: hintsOf(annotations) };
      },
    };
  });
  const lists = new Map(
    scopes.map(scope => [scope, published.filter(tool => covers(scope, tool.scope)).map(tool => tool.entryFor(scope))]),
  );
  return {
    find: name => entries.get(name) ?? null,
    listFor: scope => lists.get(scope) ?? [],
  };
}

/**
 * Only hints that differ from the protocol's default, and for tools that change something whether
 * they destroy: models pay for each word.
 */
function hintsOf({ readOnlyHint, destructiveHint, idempotentHint }: Tool['annotations']): PublishedTool['annotations'] {
  if (readOnlyHint) return { readOnlyHint };
  return { readOnlyHint, destructiveHint, ...(idempotentHint && { idempotentHint }) };
}
