/**
 * Reads and writes the addresses of resources (spec §9). Knows no connection: an address may hold
 * any name.
 */

import type { ListResourceTemplatesResult } from '@modelcontextprotocol/server';

export interface Address {
  readonly kind: 'connections' | 'schema' | 'tables' | 'table' | 'ddl' | 'history' | 'answer';
  /** As the look-ups take them, from path and query. */
  readonly named: Readonly<Record<string, string>>;
}

const root = 'sallyport://connections';
const shape =
  /^sallyport:\/\/connections(?:\/([^/?#]+)\/(?:(schema|tables|history)|tables\/([^/?#]+?)(\/ddl)?))?(?:\?([^#]*))?$/;
const longest = 2048;

const queryOf: Readonly<Record<Address['kind'], readonly string[]>> = {
  connections: [],
  schema: ['schema', 'database'],
  tables: ['schema', 'database'],
  table: ['schema', 'database'],
  ddl: ['schema', 'database'],
  history: ['limit', 'search'],
  answer: [],
};

export const resourceTemplates: ListResourceTemplatesResult['resourceTemplates'] = [
  template('schema', 'Schema', '/schema{?schema,database}', 'The tables with columns, keys and indexes.'),
  template('tables', 'Tables', '/tables{?schema,database}', 'The names of tables and views, by schema.'),
  template('table', 'Table', '/tables/{table}{?schema,database}', 'Columns, keys, indexes and checks of one table.'),
  template('ddl', 'DDL', '/tables/{table}/ddl{?schema,database}', 'The statements that make one table.'),
  template('history', 'History', '/history{?limit,search}', 'Statements run before, newest first.'),
];

function template(name: string, title: string, path: string, description: string) {
  return { name, title, uriTemplate: `${root}/{connection}${path}`, description, mimeType: 'application/json' };
}

/** Null if it is no address of ours. */
export function readAddress(uri: string): Address | null {
  const [, answer] = /^sallyport:\/\/answers\/([a-z0-9]{8})$/.exec(uri) ?? [];
  if (answer !== undefined) return { kind: 'answer', named: { answer } };
  const found = uri.length > longest ? null : shape.exec(uri);
  if (found === null) return null;
  const [, connection, list, table, ddl, query] = found;
  const kind =
    connection === undefined ? 'connections' : ((list as Address['kind'] | undefined) ?? (ddl ? 'ddl' : 'table'));
  const named: Record<string, string> = {};
  try {
    if (connection !== undefined) named.connection = decodeURIComponent(connection);
    if (table !== undefined) named.table = decodeURIComponent(table);
  } catch {
    return null;
  }
  for (const [name, value] of new URLSearchParams(query)) {
    if (!queryOf[kind].includes(name) || name in named) return null;
    // Clients fill a template with '' if nothing was chosen.
    if (value !== '') named[name] = value;
  }
  return { kind, named };
}

export function addressOf(connectionId: string, list: 'schema' | 'tables' | 'history'): string {
  return `${root}/${connectionId}/${list}`;
}

export const connectionsAddress = root;

export const answerAddress = (id: string): string => `sallyport://answers/${id}`;
