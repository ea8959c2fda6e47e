/** `resources/*` (spec §9): lists what this principal can read, and reads it. */

import { createHmac, randomBytes } from 'node:crypto';
import { type ListResourcesResult, type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { nearest } from '../../../engines/nearest-names.ts';
import type { IncomingCall } from '../dispatch.ts';
import { malformedCursor } from '../refusal-words.ts';
import { type ToolPorts, usableConnections } from '../tools/tool-ports.ts';
import {
  type Address,
  addressOf,
  answerAddress,
  connectionsAddress,
  readAddress,
  resourceTemplates,
} from './address.ts';
import { answersTo, answerTitle } from './answers.ts';
import type { LookUp, LookUps } from './look-ups.ts';

const pageLength = 100;
const mimeType = 'application/json';

const lookUpOf: Readonly<Record<Address['kind'], LookUp>> = {
  connections: 'list_connections',
  schema: 'describe_schema',
  tables: 'list_tables',
  table: 'describe_table',
  ddl: 'describe_table',
  history: 'search_query_history',
  answer: 'answer',
};

export function resources(ports: ToolPorts, lookUps: LookUps) {
  // A cursor carries no authority; the key keeps an altered one from passing for ours.
  const key = randomBytes(32);
  const cursorOf = (principal: string, offset: number): string => {
    const proof = createHmac('sha256', key).update(`resources/list ${offset} ${principal}`).digest('base64url');
    return `${offset}.${proof}`;
  };
  return {
    /** @throws ProtocolError for a cursor that is not this principal's. */
    list(call: IncomingCall, cursor: string | undefined): ListResourcesResult {
      const all = listed(ports, call);
      const { id } = call.principal;
      const offset = cursor === undefined ? 0 : Number.parseInt(cursor, 10);
      if (cursor !== undefined && cursor !== cursorOf(id, offset)) throw malformedCursor();
      const end = offset + pageLength;
      return {
        resources: all.slice(offset, end),
        ...(end < all.length && { nextCursor: cursorOf(id, end) }),
      };
    },
    /** @throws ProtocolError */
    async read(call: IncomingCall, uri: string): Promise<ReadResourceResult> {
      const address = readAddress(uri);
      if (address === null) throw new ResourceNotFoundError(uri, unknownAddress(uri));
      const { kind } = address;
      const part = kind === 'ddl' ? ddlOf : undefined;
      const text = await lookUps.read(call, lookUpOf[kind], argumentsOf(address), kind, uri, part);
      return { contents: [{ uri, mimeType, text }] };
    },
  };
}

function listed(ports: ToolPorts, call: IncomingCall): ListResourcesResult['resources'] {
  const connections = { uri: connectionsAddress, name: 'connections', title: 'Connections', mimeType };
  return [
    connections,
    ...usableConnections(ports, call.principal).flatMap(({ connection: { id, name } }) =>
      (['schema', 'tables', 'history'] as const).map(list => ({
        uri: addressOf(id, list),
        name: `${name}/${list}`,
        title: `${name}: ${list}`,
        mimeType,
      })),
    ),
    ...answersTo(ports, call).map(answer => ({
      uri: answerAddress(answer.id),
      name: `answers/${answer.id}`,
      title: answerTitle(answer),
      mimeType,
    })),
  ];
}

function argumentsOf({ kind, named }: Address): Record<string, unknown> {
  if (kind === 'tables') return { ...named, limit: 1000 };
  if (kind === 'ddl') return { ...named, include_ddl: true };
  const { limit, search, ...rest } = named;
  const number = limit !== undefined && /^\d{1,6}$/.test(limit) ? Number(limit) : limit;
  return {
    ...rest,
    ...(limit !== undefined && { limit: number }),
    ...(search !== undefined && { query: search }),
  };
}

function ddlOf({ tables, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const described = tables as readonly Record<string, unknown>[];
  return { ...rest, tables: described.map(({ name, ddl, definition }) => ({ name, ddl: ddl ?? definition })) };
}

/**
 * Made only of templates, which everybody knows, filled with what was asked: it reveals no
 * connection's name.
 */
function unknownAddress(uri: string): string {
  const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
  const near = nearBehindConnection(templates, uri) ?? nearest([connectionsAddress, ...templates], uri)[0];
  return near === undefined
    ? 'There is no such resource; resources/templates/list says which there are.'
    : `There is no such resource. Did you mean ${near}?`;
}

/**
 * A long connection name would make any address look similar to any other, so only the part behind
 * it is compared.
 */
function nearBehindConnection(templates: readonly string[], uri: string): string | undefined {
  const [, connection, asked] = /^(sallyport:\/\/connections\/[^/?#]+)\/([^?#]{1,256})/.exec(uri) ?? [];
  if (connection === undefined || asked === undefined) return undefined;
  const table = asked.split('/')[1] || '{table}';
  const filled = templates.map(template => template.split('{connection}/')[1]?.replace('{table}', () => table) ?? '');
  const [near] = nearest(
    filled.map(rest => rest.split('{?')[0] ?? ''),
    asked,
  );
  if (near === undefined || readAddress(`${connection}/${near}`) === null) return undefined;
  // If the address is right, its query is not.
  return `${connection}/${near === asked ? filled.find(rest => rest.startsWith(`${near}{?`)) : near}`;
}
