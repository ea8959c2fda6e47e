/**
 * The HTTP headers that 2026-07-28 wants beside a body, mirrored from it (spec §4). Sends nothing.
 */

import { modernProtocolVersion } from '../../shared/codes.ts';
import type { Message } from '../client/message.ts';

/** Which member of `params` the header `Mcp-Name` repeats. */
const nameSource: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Null for a method whose name no header can carry: no method has such a name. */
export function mirroredHeaders(message: Message): Record<string, string> | null {
  const { method, claimedVersion } = message;
  if (!fitsPlainly(method)) return null;
  const headers: Record<string, string> = {
    'MCP-Protocol-Version':
      claimedVersion !== null && fitsPlainly(claimedVersion) ? claimedVersion : modernProtocolVersion,
    'Mcp-Method': method,
  };
  const source = nameSource.get(method);
  const name = source === undefined ? undefined : message.params?.[source];
  if (typeof name === 'string') headers['Mcp-Name'] = fieldValue(name);
  return headers;
}

/** Its process stands in it, so that the daemon sees when a bridge was killed. */
export function bridgeIdOf(pid: number, unique: string): string {
  return `pid-${pid}-${unique}`;
}

/** @param bridgeId names this process to the daemon: a principal of its own (spec §4). */
export function daemonHeaders(token: string, bridgeId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${token}`,
    'Sallyport-Bridge': bridgeId,
  };
}

/**
 * A name as a field value: plain where that is safe, else base64 between the marks the protocol
 * gives it.
 */
function fieldValue(value: string): string {
  const marked = value.startsWith('=?base64?') && value.endsWith('?=');
  return fitsPlainly(value) && !marked ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function fitsPlainly(value: string): boolean {
  return /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}
