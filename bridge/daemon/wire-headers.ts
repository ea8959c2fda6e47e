/**
 * The HTTP headers that 2026-07-28 demands beside a body, copied from it (spec §4). Sends nothing.
 */

import { modernProtocolVersion } from '../../shared/codes.ts';
import type { Message } from '../client/message.ts';

/** The member of `params` that the header `Mcp-Name` repeats. */
const nameSource: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Null if no header can carry the method's name; no real method has such a name. */
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

/** Includes the process id, so the daemon notices when a bridge is killed. */
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
 * A name as a field value: plain if that is safe, otherwise base64 between the protocol's marks.
 */
function fieldValue(value: string): string {
  const marked = value.startsWith('=?base64?') && value.endsWith('?=');
  return fitsPlainly(value) && !marked ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function fitsPlainly(value: string): boolean {
  return /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}
