/**
 * A tool that takes what a test says and does nothing; and the result of reading arguments for a
 * tool.
 */

import * as z from 'zod';
import { parseArguments } from '../../../daemon/clients/mcp/arguments.ts';
import { buildCatalog, type CatalogEntry } from '../../../daemon/clients/mcp/catalog.ts';
import { success, type Tool } from '../../../daemon/clients/mcp/tool.ts';

export function entryTaking(input: Tool['input']): CatalogEntry {
  const tool: Tool = {
    name: 'browse',
    title: 'Browse',
    description: 'Browses',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output: z.object({}),
    run: async () => success({}),
  };
  return buildCatalog([tool]).find('browse') as CatalogEntry;
}

/** The accepted value; for a refusal its sentence, or its kind if it has none. */
export function readArguments(entry: CatalogEntry, given: Readonly<Record<string, unknown>>): unknown {
  const parsed = parseArguments(entry, given);
  if (parsed.kind === 'accepted') return parsed.value;
  return parsed.refusal.kind === 'tool_error' ? parsed.refusal.sentence : parsed.refusal.kind;
}
