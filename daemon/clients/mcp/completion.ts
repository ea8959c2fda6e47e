/**
 * `completion/complete` (spec §9): names for a prompt's or template's arguments, among what this
 * principal sees, without asking anybody.
 */

import { type CompleteResult, ProtocolError } from '@modelcontextprotocol/server';
import { errorCodes } from '../../../shared/codes.ts';
import { resolveConnection, visibleConnections } from '../../access/resolve-connection.ts';
import { nearest } from '../../engines/nearest-names.ts';
import { qualifiedName } from '../../engines/object-name.ts';
import type { IncomingCall } from './dispatch.ts';
import { argumentsOfPrompt } from './prompts.ts';
import { resourceTemplates } from './resources/address.ts';
import { lookUpContext, type ToolPorts } from './tools/tool-ports.ts';

const mostValues = 100;
/** No tool takes a longer one. SQLite allows a name as long as a book. */
const longestName = 256;
const lookUpSeconds = 5;

interface Completing {
  readonly ref: { readonly type: string; readonly name?: string; readonly uri?: string };
  readonly argument: { readonly name: string; readonly value: string };
  readonly chosen: Readonly<Record<string, string>>;
}

/** @throws ProtocolError for an unknown prompt, template or argument. */
export async function complete(ports: ToolPorts, call: IncomingCall, asked: Completing): Promise<CompleteResult> {
  const { ref, argument } = asked;
  const takes = ref.type === 'ref/prompt' ? argumentsOfPrompt(ref.name ?? '') : variablesOf(ref.uri ?? '');
  if (takes === null) throw wrong('There is no such prompt or resource template to complete for.');
  if (!takes.includes(argument.name)) throw wrong(`That takes ${takes.join(', ')}, and nothing else.`);
  const names = await namesFor(ports, call, argument.name, asked.chosen);
  const ranked = prefixFirst(names, argument.value.slice(0, 256));
  return {
    completion: {
      values: ranked.slice(0, mostValues),
      total: ranked.length,
      hasMore: ranked.length > mostValues,
    },
  };
}

function variablesOf(uri: string): readonly string[] | null {
  if (!resourceTemplates.some(({ uriTemplate }) => uriTemplate === uri)) return null;
  return [...uri.matchAll(/\{\??([\w,]+)\}/g)].flatMap(([, names = '']) => names.split(','));
}

/**
 * Empty if the connection is hidden, unknown, unreachable or waits for the user's approval: all
 * look the same.
 */
async function namesFor(
  ports: ToolPorts,
  call: IncomingCall,
  argument: string,
  { connection: chosen, schema, database: otherDatabase }: Completing['chosen'],
): Promise<readonly string[]> {
  const { principal } = call;
  if (argument === 'connection') {
    return visibleConnections(ports.connections, principal, ports.now()).map(({ connection }) => connection.name);
  }
  if (chosen === undefined || !['schema', 'database', 'table'].includes(argument)) return [];
  const found = resolveConnection(ports.connections, principal, chosen, ports.now());
  if (found.kind === 'refused') return [];
  const { connection, access } = found.resolved;
  if (access.askFirst && !ports.confirmation.firstUses.isAllowed(principal, connection.id)) return [];
  const database = ports.databases.of(connection);
  const context = {
    ...lookUpContext(ports, call, {
      schema: argument === 'table' ? schema || undefined : undefined,
      database: argument === 'database' ? undefined : otherDatabase || undefined,
    }),
    timeoutSeconds: lookUpSeconds,
  };
  if (argument !== 'table') {
    const places = await database.listSchemas(context);
    if (places.kind !== 'done') return [];
    return argument === 'schema' ? places.value.schemas : places.value.databases;
  }
  const tables = await database.listTables(context, false);
  if (tables.kind !== 'done') return [];
  return tables.value.map(table => (schema ? table.name : qualifiedName(database.dialect, table.schema, table.name)));
}

/**
 * First names that start with the text (or whose part after a dot does), then names that contain
 * it, then similar ones.
 */
function prefixFirst(names: readonly string[], written: string): readonly string[] {
  const start = written.toLowerCase();
  const known = [...new Set(names)].filter(name => name.length <= longestName);
  const begins = known.filter(name => {
    const lower = name.toLowerCase();
    return lower.startsWith(start) || lower.slice(lower.lastIndexOf('.') + 1).startsWith(start);
  });
  const has = known.filter(name => name.toLowerCase().includes(start));
  return [...new Set([...begins, ...has, ...(start === '' ? [] : nearest(known, written))])];
}

const wrong = (sentence: string): ProtocolError => new ProtocolError(errorCodes.invalidParams, sentence);
